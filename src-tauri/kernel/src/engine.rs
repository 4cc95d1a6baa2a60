//! `ExecutionEngine`: decide · apply · wanted · effect (spec 02 "The engine", spec 06).
//!
//! One per conversation, pure. `decide` judges an input and says what the next journal line is;
//! `apply` remembers a line and cannot fail; `wanted` names what should be going on now, as a
//! function of the state alone; `effect` builds one of those when the host starts it.
//!
//! Deliberately not here: frames (see [`crate::view`]), and anything that waits.

mod approvals;
mod artifacts;
mod core;
mod decide;
mod edits;
mod input;
mod interruptions;
mod loops;
mod record;
mod recorded;
mod requests;
mod rewinds;
mod shown;
mod state_calls;
mod tool_calls;
mod whole;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::code::{ErrorCode, Failure};
use crate::effect::{Action, Effect, EffectId, Mirror, Permit};
use crate::event::{Line, Phase};
use crate::graph::{Graph, Node};
use crate::ids::{AgentId, ConversationId, MessageId, derived_uuid};
use crate::package::{Package, Workflow};
use crate::phrase::engine as phrase;
use crate::policy::ToolPolicy;
use crate::prompt::PromptComposer;
use crate::time::Time;
use approvals::Rules;

pub use self::approvals::Approvals;
pub use self::core::{Activity, CallStatus, Core, Entered, OpenWidget, QueuedCall, RunInfo};
pub use self::input::{Input, Refusal, StartRun};
pub use self::record::Record;
pub use self::recorded::{Approval, FactRecord, Grant, RevisionView, StateEdit};
pub use self::shown::SHOWN_AT_LEAST_MS;
pub use self::whole::{Found, Waiting};
pub use crate::limits::Limits;

/// What a conversation depends on beside its journal. May be replaced between lines (settings).
#[derive(Debug, Clone)]
pub struct Env {
    /// The pinned package.
    pub package: Arc<Package>,
    /// The templates, parsed.
    pub composer: Arc<PromptComposer>,
    /// What the settings say.
    pub limits: Limits,
}

/// The state machine of one conversation.
#[derive(Debug, Clone)]
pub struct ExecutionEngine {
    conversation: ConversationId,
    env: Env,
    core: Core,
    record: Record,
}

impl ExecutionEngine {
    /// An engine with an empty journal.
    pub fn new(conversation: ConversationId, env: Env) -> Self {
        Self { conversation, env, core: Core::default(), record: Record::default() }
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
        Self { conversation, env, core, record: Record::default() }
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

    /// Judges an input. `Ok(None)` when there is nothing to say: an outcome that is not wanted any
    /// more, or a reopening with nothing in flight.
    ///
    /// # Errors
    /// [`Refusal`] when a person asks for something at the wrong time, or for what cannot be.
    pub fn decide(&self, input: &Input, now: Time) -> Result<Option<Line>, Refusal> {
        decide::decide(self, input, now)
    }

    /// Remembers a line. Total: a journal that was written can always be read.
    pub fn apply(&mut self, line: &Line) {
        self.core.apply_line(line);
        self.record.apply_line(line);
    }

    /// What should be going on now.
    pub fn wanted(&self) -> BTreeSet<EffectId> {
        requests::wanted(&self.core, self.rules().as_ref())
    }

    /// Builds a wanted effect. An error is an outcome too: the host feeds it back as
    /// [`Outcome::Failed`](crate::effect::Outcome::Failed).
    ///
    /// # Errors
    /// What keeps the effect from being built: a missing agent or step file, a state document that
    /// cannot be read, a request that is known not to fit.
    pub fn effect(&self, id: &EffectId) -> Result<Effect, Failure> {
        match id {
            EffectId::Think(_) => requests::think(self).map(Effect::Think),
            EffectId::Prepare(call) => self.permit(call).map(Action::Prepare).map(Effect::from),
            EffectId::Look(call) => self.permit(call).map(Action::Look).map(Effect::from),
            EffectId::Perform(call) => self.permit(call).map(Action::Perform).map(Effect::from),
            EffectId::Preview(call) => self.permit(call).map(Action::Preview).map(Effect::from),
            EffectId::Settle(call) => {
                let permit = self.permit(call)?;
                let began = permit.began.clone().ok_or_else(not_wanted)?;
                Ok(Action::Settle(permit, began).into())
            }
            EffectId::Mirror(_) => {
                let doc = self.core.doc.as_ref().ok_or_else(not_wanted)?;
                Ok(Effect::from(Action::Mirror(Mirror {
                    text: doc.text().to_string(),
                    sha256: doc.sha256().to_owned(),
                    replaces: self.core.mirrored.clone(),
                    refused: self.core.rejected.clone(),
                })))
            }
        }
    }

    /// The id the reply being written will have, while one is being written.
    pub fn reply_id(&self) -> Option<MessageId> {
        (self.core.phase == Phase::Running && self.core.activity == Activity::Thinking)
            .then(|| self.core.reply_id(&self.conversation))
            .flatten()
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

    /// The run's workflow.
    pub fn workflow(&self) -> Option<&Workflow> {
        self.core.workflow(&self.env.package)
    }

    /// The workflow's graph.
    ///
    /// # Errors
    /// `ENGINE_PRECONDITION_FAILED` when there is no run, or its package has lost the workflow.
    pub fn graph(&self) -> Result<&Graph, Failure> {
        self.core.graph(&self.env.package)
    }

    /// `node.agentId ?? run.activeAgentId`, re-evaluated whenever the node changes.
    pub fn effective_agent(&self) -> Option<&AgentId> {
        self.core.effective_agent(&self.env.package)
    }

    /// What the effective agent may use; `None` before the run began.
    pub fn policy(&self) -> Option<ToolPolicy> {
        let agent = self.effective_agent().and_then(|id| self.env.package.agent(id));
        let tools = agent.and_then(|a| a.tools.as_ref());
        self.core.run.as_ref().map(|_| self.env.limits.policy(tools))
    }

    /// What the next call is held to.
    fn rules(&self) -> Option<Rules> {
        let graph = self.graph().ok();
        let node = self.core.node.as_ref().and_then(|id| graph?.node(id));
        Some(Rules {
            policy: self.policy()?,
            outputs: node.map(Node::checkable_outputs).unwrap_or_default(),
        })
    }

    fn permit(&self, call: &crate::ids::CallId) -> Result<Permit, Failure> {
        let queued = self.core.queue.iter().find(|q| q.call.id == *call).ok_or_else(not_wanted)?;
        let parsed = queued.call.parsed().map_err(Clone::clone)?;
        let restore = self.core.to_restore(parsed);
        let claims = self.core.claims(parsed);
        Ok(Permit {
            call_id: call.clone(),
            call: Arc::clone(parsed),
            verify_after_write: self.env.limits.verify_after_write,
            policy: self.policy().ok_or_else(not_wanted)?,
            agent: self.effective_agent().map(ToString::to_string).unwrap_or_default(),
            began: queued.status.began().cloned(),
            restore,
            claims,
        })
    }
}

fn not_wanted() -> Failure {
    Failure::new(ErrorCode::Internal, phrase::not_wanted())
}

impl Core {
    /// Deterministic, so that text can stream under it before the reply is recorded.
    fn reply_id(&self, conversation: &ConversationId) -> Option<MessageId> {
        let key = format!("reply:{}", self.requests + 1);
        MessageId::new(derived_uuid(conversation, self.thinking_since, &key)).ok()
    }
}
