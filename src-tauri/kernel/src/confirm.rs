//! One click authorises one change (law 4, spec 06 "Confirmation", seed 000).
//!
//! A token exists only because the runtime recorded the submission of a confirmation widget. It
//! is used once, bound to what the person was shown, and dies with the next input, with any edit
//! of the state document and with a restart.

use serde::{Deserialize, Serialize};

use crate::event::{ChangeProposed, Event};
use crate::ids::ChangeId;
use crate::settings::Unbound;

/// The change that waits for the person, and the person's unused click.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Confirm {
    pending: Option<ChangeProposed>,
    token: Option<Token>,
}

/// An unused click.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Token {
    /// The change that was shown; `None` when the dialog could not show one.
    bound_to: Option<ChangeId>,
}

/// Whether a state-changing call may run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It may, and uses the token up.
    Allowed {
        /// The change the token was bound to.
        change: Option<ChangeId>,
    },
    /// It needs a click first.
    Refused,
}

impl Confirm {
    /// The change that waits.
    pub fn pending(&self) -> Option<&ChangeProposed> {
        self.pending.as_ref()
    }

    /// True while a click is unused.
    pub fn has_token(&self) -> bool {
        self.token.is_some()
    }

    /// Judges a call by tool, canonical arguments and the hash of the document it was made for.
    pub fn judge(&self, tool: &str, args: &str, pre_hash: &str, unbound: Unbound) -> Verdict {
        match (&self.token, &self.pending) {
            (Some(Token { bound_to: Some(id) }), Some(change))
                if change.change_id == *id
                    && change.tool == tool
                    && change.args == args
                    && change.pre_hash == pre_hash =>
            {
                Verdict::Allowed { change: Some(id.clone()) }
            }
            (Some(Token { bound_to: None }), _) if unbound == Unbound::Allow => {
                Verdict::Allowed { change: None }
            }
            (Some(_) | None, _) => Verdict::Refused,
        }
    }

    /// Folds one event.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::ChangeProposed(change) => self.pending = Some(change.clone()),
            Event::WidgetAnswered(answer) => {
                self.token = answer
                    .confirms_state_change()
                    .then(|| Token { bound_to: answer.confirms.clone() });
                let shown = self.pending.as_ref().map(|p| &p.change_id);
                if self.token.is_none() || answer.confirms.as_ref() != shown {
                    self.pending = None;
                }
            }
            Event::UserSaid(_) | Event::StateChanged(_) => *self = Self::default(),
            Event::ConfirmationSpent(_) => {
                self.token = None;
                self.pending = None;
            }
            Event::RunInterrupted(_) | Event::RunResumed(_) => self.token = None,
            Event::RunStarted(_)
            | Event::ModelReplied(_)
            | Event::ModelFailed(_)
            | Event::CallBegan(_)
            | Event::CallEnded(_)
            | Event::CallReset(_)
            | Event::StateMirrored(_)
            | Event::StateRejected(_)
            | Event::WidgetAsked(_)
            | Event::DecisionMade(_)
            | Event::TurnFinished(_)
            // A confirmation given in an older program is worth nothing here.
            | Event::ConversationImported(_)
            | Event::MessageImported(_) => {}
        }
    }
}
