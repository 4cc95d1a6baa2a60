//! `ExecutionEngine`: decide · apply · wanted · effect (spec 02 "The engine", spec 06).
//!
//! One per conversation, pure. `decide` judges an input and says what the next journal line is;
//! `apply` remembers a line and cannot fail; `wanted` names what should be going on now, as a
//! function of the state alone; `effect` builds one of those when the host starts it.
//!
//! Deliberately not here: frames (see [`crate::view`]), and anything that waits.

mod apply;
mod approvals;
mod artifacts;
mod aside;
mod before_rewind;
mod by_person;
mod calling;
mod copies;
mod core;
mod decide;
mod delegated;
mod delegation;
mod document;
mod draft;
mod due;
mod edits;
mod ends;
mod evidence;
mod finals;
mod fitting;
mod grants;
mod held;
mod hooks;
mod input;
mod interruptions;
mod loops;
mod machine;
mod modes;
mod naming;
mod nesting;
mod notes;
mod person_rewind;
mod put_back;
mod queue;
mod record;
mod recorded;
mod reopened;
mod requests;
mod rewind_place;
mod rewind_preview;
mod rewinds;
mod rewound_state;
mod rules;
mod said_in_step;
mod saying;
mod server_questions;
mod shown;
mod skills;
mod skills_at_work;
mod state_calls;
mod step_by_step;
mod subagents;
mod subject;
mod subworkflows;
mod switches;
mod task;
mod tool_calls;
mod undo;
mod whole;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::code::{ErrorCode, Failure};
use crate::effect::{Action, Began, Effect, EffectId, Mirror, Permit};
use crate::event::{Line, Phase};
use crate::ids::{CallId, ConversationId, MessageId, derived_uuid};
use crate::phrase::engine as phrase;
use crate::policy::ToolPolicy;
use crate::time::Time;
use crate::tool::ParsedCall;

pub use self::before_rewind::BeforeRewind;
pub use self::core::{
    Activity, CallStatus, Core, OpenWidget, QueuedCall, RunAside, RunInfo, Workplace,
};
pub use self::grants::Approvals;
pub use self::input::{BeginConversation, Input, Refusal, StartRun, WordsWithFiles};
pub use self::machine::{Env, ExecutionEngine, Judged};
pub use self::nesting::{Caller, Entered, Nesting};
pub use self::record::Record;
pub use self::recorded::{Approval, FactRecord, Grant, RejectedCandidate, RevisionView, StateEdit};
pub use self::rewind_preview::GoingBack;
pub use self::shown::SHOWN_AT_LEAST_MS;
pub use self::skills::not_for_speaker;
pub use self::whole::{Waiting, WholeChangeSource};
pub use crate::limits::Limits;

impl ExecutionEngine {
    /// Judges an input. `Ok(None)` when there is nothing to say: an outcome that is not wanted any
    /// more, or a reopening with nothing in flight.
    ///
    /// # Errors
    /// [`Refusal`] when a person asks for something at the wrong time, or for what cannot be.
    pub fn decide(&self, input: &Input, now: Time) -> Result<Option<Line>, Refusal> {
        let judged = self.judge(input, now)?;
        Ok(judged.map(|judged| Arc::unwrap_or_clone(judged.line)))
    }

    /// The same, with what the line makes of the small part of the state: to decide, it was folded
    /// already. See [`adopt`](Self::adopt).
    ///
    /// # Errors
    /// As [`decide`](Self::decide).
    pub fn judge(&self, input: &Input, now: Time) -> Result<Option<Judged>, Refusal> {
        decide::judge(self, input, now)
    }

    /// What should be going on now.
    pub fn wanted(&self) -> BTreeSet<EffectId> {
        requests::wanted_of(self)
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
            EffectId::Delegate(call) => {
                let task = self.task_of(call).ok_or_else(not_wanted)?;
                Ok(Effect::Delegate(Box::new(task)))
            }
            EffectId::Recall(call) => {
                let id = ConversationId::of_task(&self.conversation, call);
                id.map(Effect::Recall).ok_or_else(not_wanted)
            }
            EffectId::Compact(_) => self.compaction().map(Box::new).map(Effect::Compact),
            EffectId::Hook(number) => {
                self.hook_call(*number).map(Box::new).map(Effect::Hook).ok_or_else(not_wanted)
            }
            EffectId::Mirror(_) => {
                let doc = self.core.doc.as_ref().ok_or_else(not_wanted)?;
                Ok(Effect::from(Action::Mirror(Mirror {
                    text: doc.text().to_string(),
                    sha256: doc.sha256().to_owned(),
                    replaces: self.core.mirrored.clone(),
                    refused: self.core.rejected.clone(),
                    copies: self.core.state_copies(),
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

    fn permit(&self, call: &CallId) -> Result<Permit, Failure> {
        let policy = self.policy().ok_or_else(not_wanted)?;
        if let Some(it) = self.core.by_person.as_ref().filter(|it| it.asked.call_id() == call) {
            // Skills bind the model, not the person.
            let (policy, began) = (policy.without_skills_at_work(), it.status.began().cloned());
            return Ok(self.permit_for(call.clone(), it.asked.call(), began, policy));
        }
        let mut queue = self.core.queue.iter();
        let queued = queue.find(|q| q.call.id == *call).ok_or_else(not_wanted)?;
        let parsed = Arc::clone(queued.call.parsed().map_err(Clone::clone)?);
        Ok(self.permit_for(call.clone(), parsed, queued.status.began().cloned(), policy))
    }

    fn permit_for(
        &self,
        call_id: CallId,
        parsed: Arc<ParsedCall>,
        began: Option<Began>,
        policy: ToolPolicy,
    ) -> Permit {
        Permit {
            call_id,
            verify_after_write: self.env.limits.verify_after_write,
            policy,
            agent: self.effective_agent().map(ToString::to_string).unwrap_or_default(),
            began,
            restore: self.core.to_restore(&parsed),
            claims: self.core.claims(&parsed),
            call: parsed,
        }
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
