//! Which files an input mentions, and what may be read of them: the host reads them before it hands
//! the input over (spec 04 "Files that words mention").

use super::input::{Input, StartRun};
use super::machine::ExecutionEngine;
use crate::event::Phase;
use crate::mention::{GivenFile, NamedFiles, mentions, words_of};
use crate::package::Agent;
use crate::policy::ToolPolicy;
use crate::state_doc::StateDoc;
use crate::tool;

impl Input {
    /// The same with the files that it mentions.
    #[must_use]
    pub fn with_files(mut self, read: Vec<GivenFile>) -> Self {
        match &mut self {
            Self::Say(words) => words.files = read,
            Self::Answer { files, .. } => *files = read,
            Self::Start(start) => start.files = read,
            _ => {}
        }
        self
    }
}

impl ExecutionEngine {
    /// The files that an input mentions, as far as a model would be shown them: while a workflow is
    /// under way, and when the agent that is spoken to may read files. `None` when there is none.
    pub fn named_files(&self, input: &Input) -> Option<NamedFiles> {
        let (words, policy) = match input {
            Input::Start(start) => (start.input.clone()?, self.policy_at_start(start)?),
            Input::Say(words) if self.is_within_a_workflow() => {
                (words.text.clone(), self.policy()?)
            }
            Input::Answer { message_id, value, .. } if self.is_within_a_workflow() => {
                let asked = &self.core.widgets.get(message_id)?.asked;
                let approval = self.core.approvals.asked();
                if approval.is_some_and(|it| it.call_id.as_ref() == Some(&asked.call_id)) {
                    return None;
                }
                (words_of(asked.widget.kind, value), self.policy()?)
            }
            _ => return None,
        };
        let reads = tool::find(tool::read::NAME).is_some_and(|read| read.is_offered(&policy));
        let mentions = if reads { mentions(&words) } else { Vec::new() };
        (!mentions.is_empty()).then_some(NamedFiles { mentions, policy })
    }

    /// Whether the person may speak, and the next request has the blocks of a step.
    fn is_within_a_workflow(&self) -> bool {
        let core = &self.core;
        let doc = core.doc.as_ref();
        let complete = self.graph().ok().zip(doc).is_none_or(|(graph, doc)| doc.is_complete(graph));
        core.phase != Phase::Running && core.task.is_none() && !complete
    }

    /// What the agent may use that a run begins with.
    fn policy_at_start(&self, start: &StartRun) -> Option<ToolPolicy> {
        let package = self.env.package_of(Some(&start.package_id));
        let graph = &package.workflow(&start.workflow_id)?.graph;
        let doc = StateDoc::parse(&start.state).ok()?;
        let node = doc.effective_node(graph).ok().and_then(|id| graph.node(&id));
        let agent = node.and_then(|node| node.agent_id.as_ref()).unwrap_or(&start.agent_id);
        let tools = package.agent(agent).map(Agent::limits);
        (!doc.is_complete(graph)).then(|| self.env.limits.policy(tools))
    }
}
