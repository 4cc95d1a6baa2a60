//! One click authorises one change (spec 06 "Confirmation").
//!
//! A token exists only because the runtime recorded the submission of a confirmation widget. It
//! is used once, bound to what the person was shown, and dies with the next input, with Stop,
//! with any edit of the state document and with a restart. One that is bound to nothing is worth
//! one change of the state document: what else a call would do nobody has seen.
//!
//! Deliberately not here: approvals of writes in the project (`engine/approvals.rs`).

use serde::{Deserialize, Serialize};

use crate::chat::ToolCall;
use crate::event::{ChangeProposed, ConfirmationSpent, Event, Reason, WidgetAnswered, WidgetAsked};
use crate::ids::CallId;
use crate::settings::Unbound;
use crate::time::Time;
use crate::tool::{ReceivedCall, Tool};
use crate::widget::STATE_CHANGE_CONFIRM;

/// The change that waits for the person, and the person's unused click.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Confirm {
    pending: Option<Proposed>,
    token: Option<ConfirmToken>,
    /// The person's newest input was a no to a change.
    #[serde(default)]
    declined: bool,
}

/// A change as it was shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Proposed {
    /// What was shown.
    pub change: ChangeProposed,
    /// When it was computed. A confirmed change is made as of then, so that times the runtime
    /// fills in are the ones that were shown.
    pub at: Time,
    /// Whether the person was asked about it.
    #[serde(default)]
    pub asked: bool,
}

impl Proposed {
    /// The call that would make the change. It is kept as it is written, so that it outlives the
    /// program, and is parsed when somebody looks at all of it.
    pub fn call(&self) -> ReceivedCall {
        let ChangeProposed { tool, args, .. } = &self.change;
        let id = self.change.call_id.clone().unwrap_or_else(|| CallId::new(""));
        ReceivedCall::new(ToolCall { id, name: tool.clone(), arguments: args.clone() })
    }
}

/// An unused click.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct ConfirmToken {
    /// The change that was shown; `None` when the dialog could not show one.
    bound_to: Option<Proposed>,
}

/// Whether a state-changing call may run.
#[derive(Debug, Clone, PartialEq)]
pub enum ClickVerdict {
    /// It may, and uses the token up.
    Allowed {
        /// The change the token was bound to.
        change: Option<Box<Proposed>>,
    },
    /// It needs a click first.
    Refused,
}

impl Confirm {
    /// The change that waits.
    pub fn pending(&self) -> Option<&ChangeProposed> {
        self.pending.as_ref().map(|proposed| &proposed.change)
    }

    /// The same with the time as of which it was computed.
    pub fn proposed(&self) -> Option<&Proposed> {
        self.pending.as_ref()
    }

    /// True while a click is unused.
    pub fn has_token(&self) -> bool {
        self.token.is_some()
    }

    /// Judges a call by tool, canonical arguments and the hash of the document it was made for. A
    /// click on an unknown change may only be used for a tool that changes one file, here the
    /// document. A rewind is none: it brings the run, and with it files, back to what they were.
    pub fn judge(&self, tool: &Tool, args: &str, pre_hash: &str, unbound: Unbound) -> ClickVerdict {
        let Some(ConfirmToken { bound_to }) = &self.token else { return ClickVerdict::Refused };
        let fits = match bound_to {
            Some(Proposed { change, .. }) => {
                change.tool == tool.name && change.args == args && change.pre_hash == pre_hash
            }
            None => unbound == Unbound::Allow && tool.writes_one_file,
        };
        if fits {
            ClickVerdict::Allowed { change: bound_to.clone().map(Box::new) }
        } else {
            ClickVerdict::Refused
        }
    }

    /// The change that waits although the person was not asked about it. Nobody has to ask again
    /// who has just been told no.
    pub fn unasked(&self) -> Option<&ChangeProposed> {
        let unasked = self.pending.as_ref().filter(|proposed| !proposed.asked && !self.declined);
        unasked.map(|proposed| &proposed.change)
    }

    fn answered(&mut self, answer: &WidgetAnswered) {
        let is_it = |p: &Proposed| answer.confirms.as_ref() == Some(&p.change.change_id);
        let shown = self.pending.take().filter(is_it);
        // A click in a dialog about a change that no longer waits allows nothing.
        let worth = answer.confirms.is_none() || shown.is_some();
        let confirmed = answer.confirms_state_change();
        self.declined = answer.widget_id == STATE_CHANGE_CONFIRM && !confirmed;
        self.token = (confirmed && worth).then(|| ConfirmToken { bound_to: shown.clone() });
        self.pending = shown;
    }

    fn asked_with(&mut self, question: &WidgetAsked) {
        let about = |p: &&mut Proposed| question.change_id.as_ref() == Some(&p.change.change_id);
        self.pending.iter_mut().filter(about).for_each(|p| p.asked = true);
    }

    fn propose(&mut self, change: &ChangeProposed, at: Time) {
        self.pending = Some(Proposed { change: change.clone(), at, asked: false });
    }

    /// Approvals of writes are spent with the same event.
    fn is_ours(&self, spent: &ConfirmationSpent) -> bool {
        match (&spent.change_id, &self.token) {
            (None, _) => true,
            (Some(id), Some(ConfirmToken { bound_to: Some(p) })) => p.change.change_id == *id,
            (Some(_), Some(ConfirmToken { bound_to: None }) | None) => false,
        }
    }

    /// Folds one event.
    pub fn apply(&mut self, event: &Event, at: Time) {
        match event {
            Event::ChangeProposed(change) if change.call_id.is_none() => self.propose(change, at),
            Event::WidgetAsked(question) => self.asked_with(question),
            Event::WidgetAnswered(answer) => self.answered(answer),
            Event::UserSaid(_)
            | Event::StateChanged(_)
            | Event::StateRejected(_)
            | Event::RunStarted(_)
            | Event::ModeChosen(_) => {
                *self = Self::default();
            }
            Event::ConfirmationSpent(spent) if self.is_ours(spent) => *self = Self::default(),
            Event::RunInterrupted(_) => self.token = None,
            Event::TurnFinished(finished) if finished.reason == Reason::Stopped => {
                self.token = None;
            }
            // Resume adds no input: after a failed request the newest one is still the click.
            Event::ConfirmationSpent(_)
            | Event::RunResumed(_)
            | Event::ModelSwitched(_)
            | Event::CompactionDue(_)
            | Event::ContextCompacted(_)
            | Event::ChangeProposed(_)
            | Event::TurnFinished(_)
            | Event::ModelReplied(_)
            | Event::ModelFailed(_)
            | Event::CallBegan(_)
            | Event::CallEnded(_)
            | Event::CallReset(_)
            | Event::SkillActivated(_)
            | Event::SkillEnded(_)
            | Event::PutBackAsked(_)
            | Event::PutBackBegan(_)
            | Event::PutBackEnded(_)
            | Event::RewindAsked(_)
            | Event::RewindBegan(_)
            | Event::RewindEnded(_)
            | Event::StateMirrored(_)
            | Event::ApprovalRevoked(_)
            | Event::DecisionMade(_)
            | Event::ConversationStarted(_)
            // A confirmation given in an older program is worth nothing here.
            | Event::MessageImported(_)
            | Event::CandidateRejected(_)
            | Event::CandidateAccepted(_)
            | Event::FactsUpdated(_)
            | Event::CandidateHeld(_)
            | Event::SubagentUpdated(_)
            | Event::TaskStarted(_)
            | Event::TaskEnded(_)
            | Event::HooksDue(_)
            | Event::HookEnded(_)
            | Event::TodosUpdated(_)
            | Event::RunEnded(_)
            | Event::Unrecognised(_) => {}
        }
    }
}

#[cfg(test)]
mod tests;
