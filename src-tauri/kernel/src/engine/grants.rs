//! What the person was asked about calls that wait, and what they allowed, folded from the journal.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::recorded::Grant;
use crate::event::{CallEnded, ChangeProposed, ConfirmationSpent, Event, Phase, WidgetAnswered};
use crate::facts::{Fact, FactKind};
use crate::ids::{CallId, ChangeId};
use crate::path::AliasPath;
use crate::text::folded;
use crate::time::Time;
use crate::tool::ParsedCall;
use crate::widget;
use crate::write_scope::stands_for_itself;

/// What the person was asked about calls that wait, and what they allowed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Approvals {
    /// The change that is being shown.
    asked: Option<ChangeProposed>,
    /// The change that was allowed and has not begun.
    allowed: Option<ChangeProposed>,
    grants: Vec<Grant>,
}

/// On what a call may run.
pub(super) enum Permission {
    /// The person saw this very change.
    Once(Box<ChangeProposed>),
    /// The person allowed the folder, in the dialog of this change.
    Folder(ChangeId),
}

impl Approvals {
    /// The change the person is being asked about.
    pub fn asked(&self) -> Option<&ChangeProposed> {
        self.asked.as_ref()
    }

    /// The folders that are allowed now, oldest first.
    pub fn grants(&self) -> &[Grant] {
        &self.grants
    }

    pub(super) fn permission(&self, call: &CallId, parsed: &ParsedCall) -> Option<Permission> {
        if let Some(change) = self.allowed.as_ref().filter(|c| c.call_id.as_ref() == Some(call)) {
            return Some(Permission::Once(Box::new(change.clone())));
        }
        let grant = self.grants.iter().find(|grant| covers(grant, parsed))?;
        Some(Permission::Folder(grant.change_id.clone()))
    }

    fn call_ended(&mut self, e: &CallEnded) {
        let ended = |c: &ChangeProposed| c.call_id.as_ref() == Some(&e.call_id);
        self.asked = self.asked.take().filter(|c| !ended(c));
        self.allowed = self.allowed.take().filter(|c| !ended(c));
        self.grants.retain(|grant| !e.facts.iter().any(|fact| exchanges(fact, grant)));
    }

    /// Folds one event.
    pub(super) fn apply(&mut self, event: &Event, at: Time) {
        match event {
            Event::ChangeProposed(change) if change.call_id.is_some() => {
                *self = Self { asked: Some(change.clone()), allowed: None, ..std::mem::take(self) };
            }
            Event::WidgetAnswered(answer) => self.answered(answer, at),
            Event::UserSaid(_) => (self.asked, self.allowed) = (None, None),
            Event::CallEnded(e) => self.call_ended(e),
            Event::SubagentUpdated(e) => {
                self.grants.retain(|grant| !e.facts.iter().any(|fact| exchanges(fact, grant)));
            }
            Event::ConfirmationSpent(e) => self.spent(e),
            Event::ApprovalRevoked(e) => self.grants.retain(|g| g.change_id != e.change_id),
            Event::RunInterrupted(_) | Event::ModeChosen(_) | Event::RunStarted(_) => {
                self.allowed = None;
                self.grants.clear();
            }
            Event::TurnFinished(e) if e.phase == Phase::Completed => self.grants.clear(),
            Event::ChangeProposed(_)
            | Event::TurnFinished(_)
            | Event::RunResumed(_)
            | Event::ModelSwitched(_)
            | Event::CompactionDue(_)
            | Event::ContextCompacted(_)
            | Event::ModelReplied(_)
            | Event::ModelFailed(_)
            | Event::CallBegan(_)
            | Event::CallReset(_)
            | Event::PutBackAsked(_)
            | Event::PutBackBegan(_)
            | Event::PutBackEnded(_)
            | Event::RewindAsked(_)
            | Event::RewindBegan(_)
            | Event::RewindEnded(_)
            | Event::StateChanged(_)
            | Event::StateMirrored(_)
            | Event::StateRejected(_)
            | Event::WidgetAsked(_)
            | Event::DecisionMade(_)
            | Event::ConversationStarted(_)
            | Event::MessageImported(_)
            | Event::CandidateRejected(_)
            | Event::CandidateAccepted(_)
            | Event::FactsUpdated(_)
            | Event::CandidateHeld(_)
            | Event::TaskStarted(_)
            | Event::TaskEnded(_)
            | Event::HooksDue(_)
            | Event::SkillActivated(_)
            | Event::SkillEnded(_)
            | Event::HookEnded(_)
            | Event::TodosUpdated(_)
            | Event::RunEnded(_)
            | Event::Unrecognised(_) => {}
        }
    }

    fn spent(&mut self, e: &ConfirmationSpent) {
        let spent = |c: &ChangeProposed| e.change_id.as_ref() == Some(&c.change_id);
        self.allowed = self.allowed.take().filter(|c| !spent(c));
    }

    fn answered(&mut self, answer: &WidgetAnswered, at: Time) {
        self.allowed = None;
        let Some(change) = self.asked.take() else { return };
        let this = answer.is_approval() && answer.call_id == change.call_id;
        if !this || answer.confirms.as_ref() != Some(&change.change_id) {
            return;
        }
        let for_folder = answer.value.get(widget::FOR_FOLDER) == Some(&Value::Bool(true));
        match change.path.as_ref().and_then(AliasPath::parent).filter(|_| for_folder) {
            Some(folder) => self.grants.push(Grant {
                change_id: change.change_id,
                tool: change.tool,
                folder,
                at,
            }),
            None => self.allowed = Some(change),
        }
    }
}

/// Whether another folder, or none, may be at the name of the one that was allowed. Some disks
/// find it under other spellings.
fn exchanges(fact: &Fact, grant: &Grant) -> bool {
    let gone = matches!(fact.kind, FactKind::FileMoved | FactKind::FileDeleted);
    let folder = folded(&format!("{}/", grant.folder));
    let within = |path: &AliasPath| folder.starts_with(&folded(&format!("{path}/")));
    gone && fact.path.iter().chain(&fact.to).any(within)
}

/// One tool, on files directly in one folder: nothing below it, no other name for it, and no file
/// that decides what other programs run.
fn covers(grant: &Grant, parsed: &ParsedCall) -> bool {
    parsed.tool().writes_one_file
        && grant.tool == parsed.tool().name
        && !parsed.path().is_some_and(stands_for_itself)
        && parsed.path().and_then(AliasPath::parent).as_ref() == Some(&grant.folder)
}

#[cfg(test)]
mod tests;
