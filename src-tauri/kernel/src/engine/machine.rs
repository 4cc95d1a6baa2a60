//! What an engine holds: a conversation's package, settings and folded journal.

use std::sync::Arc;

use super::core::Core;
use super::record::Record;
use super::rules::CallRules;
use crate::code::Failure;
use crate::event::{Event, Line};
use crate::graph::{Graph, Node};
use crate::ids::{AgentId, ConversationId, PackageId};
use crate::limits::Limits;
use crate::package::{Package, Workflow};
use crate::policy::ToolPolicy;
use crate::prompt::PromptComposer;
use crate::state_doc::StepCount;
use crate::tokens::{RecurringTexts, Tokenizer};

/// What a conversation depends on beside its journal. May be replaced between lines (settings).
#[derive(Debug, Clone)]
pub struct Env {
    /// The package, pinned.
    pub package: Arc<Package>,
    /// Those of earlier runs of the conversation, and of agents that were talked with outside of one.
    pub others: Vec<Arc<Package>>,
    /// The templates, parsed.
    pub composer: Arc<PromptComposer>,
    /// What the settings say.
    pub limits: Limits,
}

impl Env {
    /// The package of this id; the first, where there is none.
    pub fn package_of(&self, id: Option<&PackageId>) -> &Arc<Package> {
        let mut all = std::iter::once(&self.package).chain(&self.others);
        all.find(|package| Some(&package.id) == id).unwrap_or(&self.package)
    }
}

/// The state machine of one conversation.
#[derive(Debug, Clone)]
pub struct ExecutionEngine {
    pub(super) conversation: ConversationId,
    pub(super) env: Env,
    pub(super) core: Core,
    pub(super) record: Record,
    /// What was counted of the layers of the request before.
    pub(super) layers: RecurringTexts,
}

/// A line that was decided and is not remembered yet.
#[derive(Debug, Clone)]
pub struct Judged {
    /// What is to be made durable.
    pub line: Arc<Line>,
    /// The small part of the state after it.
    pub(super) core: Box<Core>,
}

impl Judged {
    /// How far the run is in its graph after it; `None` where it changes nothing of that.
    pub fn steps(&self, env: &Env) -> Option<StepCount> {
        self.line
            .events
            .iter()
            .any(|event| matches!(event, Event::StateChanged(_)))
            .then_some(())?;
        let package = env.package_of(self.core.package_id());
        let (doc, graph) = self.core.outermost(package)?;
        Some(doc.step_count(graph))
    }
}

impl ExecutionEngine {
    /// An engine with an empty journal.
    pub fn new(conversation: ConversationId, env: Env) -> Self {
        Self::resumed(conversation, env, Core::default())
    }

    /// An engine that has folded a journal.
    pub fn replay<'a>(
        conversation: ConversationId,
        env: Env,
        lines: impl IntoIterator<Item = &'a Line>,
    ) -> Self {
        let mut engine = Self::new(conversation, env);
        lines.into_iter().for_each(|line| engine.apply(line));
        engine
    }

    /// An engine whose small part was folded before, up to `core.seq`. It is whole once it has
    /// been told the whole journal again with [`ExecutionEngine::recall`].
    pub fn resumed(conversation: ConversationId, env: Env, core: Core) -> Self {
        let (record, layers) = (Record::default(), RecurringTexts::default());
        Self { conversation, env, core, record, layers }
    }

    /// Remembers a line of the journal, from the first one on: into the record always, into the
    /// core when that has not folded it yet. Total.
    pub fn recall(&mut self, line: &Line) {
        if line.seq < self.core.seq {
            self.record.apply_line(line);
        } else {
            self.apply(line);
        }
    }

    /// Takes over new settings; they hold from the next line on.
    pub fn set_limits(&mut self, limits: Limits) {
        self.env.limits = limits;
    }

    /// Remembers a line. Total: a journal that was written can always be read.
    pub fn apply(&mut self, line: &Line) {
        self.core.apply_line(line);
        self.record.apply_line(line);
    }

    /// Remembers the line that this engine has just decided, as [`apply`](Self::apply) does; its
    /// small part is taken over as the decision left it.
    pub fn adopt(&mut self, judged: Judged) -> Arc<Line> {
        let Judged { line, core } = judged;
        debug_assert_eq!(*core, self.core.after(&line), "a decision is what its line says");
        self.core = *core;
        self.record.apply_line(&line);
        line
    }

    /// The small part of the state.
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// The growing part of the state.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Whose journal this is.
    pub fn conversation(&self) -> &ConversationId {
        &self.conversation
    }

    /// The package and the settings.
    pub fn env(&self) -> &Env {
        &self.env
    }

    /// The package of whom the person talks with.
    pub fn package(&self) -> &Arc<Package> {
        self.env.package_of(self.core.package_id())
    }

    /// The package of the newest run, also while the person talks with somebody else.
    pub fn run_package(&self) -> &Arc<Package> {
        self.env.package_of(self.core.newest_run().map(|run| &run.package_id))
    }

    /// The workflow that is worked on.
    pub fn workflow(&self) -> Option<&Workflow> {
        self.core.workflow(self.package())
    }

    /// Its graph.
    ///
    /// # Errors
    /// `ENGINE_PRECONDITION_FAILED` when there is no run, or its package has lost the workflow.
    pub fn graph(&self) -> Result<&Graph, Failure> {
        self.core.graph(self.package())
    }

    /// `node.agentId ?? run.activeAgentId`, re-evaluated whenever the node changes.
    pub fn effective_agent(&self) -> Option<&AgentId> {
        self.core.effective_agent(self.package())
    }

    /// What the effective agent may use; `None` before anything began.
    pub fn policy(&self) -> Option<ToolPolicy> {
        self.core.policy(self.package(), &self.env.limits)
    }

    /// What counts the tokens of a request: what the journal last said of it.
    pub fn tokenizer(&self) -> Tokenizer {
        self.record.history.tokenizer()
    }

    /// What the next call is held to.
    pub(super) fn rules(&self) -> Option<CallRules> {
        let graph = self.graph().ok();
        let node = self.core.node.as_ref().and_then(|id| graph?.node(id));
        let promised = self.core.task.as_ref().map(|task| task.outputs.clone());
        let of_node = || node.map(Node::checkable_outputs).unwrap_or_default();
        Some(CallRules {
            policy: self.policy()?,
            outputs: promised.unwrap_or_else(of_node),
            hooks: Arc::clone(&self.env.limits.hooks),
        })
    }
}
