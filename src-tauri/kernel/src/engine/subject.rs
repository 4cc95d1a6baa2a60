//! What the next request to the model is about.

use super::machine::ExecutionEngine;
use crate::code::{ErrorCode, Failure};
use crate::ids::AgentId;
use crate::mode::Mode;
use crate::package::Agent;
use crate::phrase::{Phrase, engine as said};
use crate::policy::ToolPolicy;
use crate::prompt::{Intent, PromptProfile, RunPrompt, Subject, TaskPrompt};

fn blocked(what: Phrase) -> Failure {
    Failure::new(ErrorCode::EnginePreconditionFailed, what)
}

impl ExecutionEngine {
    /// What the next request is held to.
    pub(super) fn known_policy(&self) -> Result<ToolPolicy, Failure> {
        self.policy().ok_or_else(|| blocked(said::has_no_run()))
    }

    /// What the request is about that is due.
    pub(super) fn with_subject<T>(
        &self,
        then: impl FnOnce(Subject<'_>, Option<&Agent>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let core = &self.core;
        if let Some(task) = &core.task {
            let assignment = &task.assignment;
            let prompt = TaskPrompt { assignment, artifacts_dir: task.artifacts_dir.as_deref() };
            return then(Subject::Task(&prompt), Some(self.agent(&assignment.agent_id)?));
        }
        match &core.mode {
            Mode::Run => {}
            Mode::Agent { agent_id, .. } => {
                return then(Subject::Agent, Some(self.agent(agent_id)?));
            }
            Mode::Chat => return then(Subject::Chat, None),
        }
        let run = core.run.as_ref().ok_or_else(|| blocked(said::has_no_run()))?;
        let doc = core.doc.as_ref().ok_or_else(|| blocked(said::state_unreadable()))?;
        let workflow = self.workflow().ok_or_else(|| blocked(said::workflow_lost()))?;
        let graph = &workflow.graph;
        let profile = PromptProfile::of(doc, graph)?;
        if let PromptProfile::Normal(step) = &profile
            && !self.package().files.contains_key(&step.node.file)
        {
            let message = said::step_file_missing(&step.node.file);
            return Err(Failure::new(ErrorCode::StepFileNotFound, message));
        }
        let agent_id = self.effective_agent().ok_or_else(|| blocked(said::run_has_no_agent()))?;
        let next_move = self.next_move();
        let call_stack = core.call_stack().map(|place| place.call_stack);
        let prompt = RunPrompt {
            profile,
            doc,
            graph,
            intent: core.intent.unwrap_or(Intent::Continue),
            workflow_id: &workflow.id,
            call_stack: call_stack.as_deref().unwrap_or_default(),
            graph_path: &workflow.graph_path,
            artifacts_dir: &run.artifacts_dir,
            agent_id,
            autopilot: self.env.limits.autopilot,
            todos: &core.todos,
            said: &core.said,
            offer: self.offer(),
            next_move: next_move.as_ref(),
        };
        then(Subject::Run(&prompt), Some(self.agent(agent_id)?))
    }

    fn agent(&self, id: &AgentId) -> Result<&Agent, Failure> {
        self.package()
            .agent(id)
            .ok_or_else(|| Failure::new(ErrorCode::AgentNotFound, said::package_no_agent(id)))
    }
}
