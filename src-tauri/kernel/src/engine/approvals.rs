//! Approvals (setting `approval.writes`): calls that change files of the project wait until the
//! person has seen what they would do, and allowed it.
//!
//! An approval of one call is bound to the call and to the hashes before and after that were
//! shown; it is gone once used, and after a restart. An approval of a folder covers one tool on
//! files directly in that folder; it dies with the run, with the program, when it is revoked, and
//! when a call moves or deletes the folder, or moves something onto its name.
//!
//! Deliberately not here: changes of a completed run's state (`crate::confirm`).

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::core::{Core, OpenWidget};
use super::decide::{Draft, refusal};
use super::input::Refusal;
use super::recorded::Grant;
use crate::code::{ErrorCode, Failure};
use crate::effect::{Began, Preview};
use crate::event::{
    ApprovalRevoked, CallBegan, ChangeProposed, ConfirmationSpent, Event, Phase, Reason,
    WidgetAnswered, WidgetAsked,
};
use crate::facts::{Fact, FactKind};
use crate::ids::{CallId, ChangeId, MessageId};
use crate::path::AliasPath;
use crate::phrase::changes;
use crate::phrase::engine as said;
use crate::policy::{ApproveWrites, ToolPolicy};
use crate::text::{canonical_json, folded};
use crate::time::Time;
use crate::tool::{EffectClass, ParsedCall, ReceivedCall};
use crate::widget::{self, Widget, WidgetGrant};
use crate::write_scope::{WriteScope, is_self_starting, stands_for_itself};

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
enum Permission {
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

    fn permission(&self, call: &CallId, parsed: &ParsedCall) -> Option<Permission> {
        if let Some(change) = self.allowed.as_ref().filter(|c| c.call_id.as_ref() == Some(call)) {
            return Some(Permission::Once(Box::new(change.clone())));
        }
        let grant = self.grants.iter().find(|grant| covers(grant, parsed))?;
        Some(Permission::Folder(grant.change_id.clone()))
    }

    /// Folds one event.
    pub(super) fn apply(&mut self, event: &Event, at: Time) {
        match event {
            Event::ChangeProposed(change) if change.call_id.is_some() => {
                *self = Self { asked: Some(change.clone()), allowed: None, ..std::mem::take(self) };
            }
            Event::WidgetAnswered(answer) => self.answered(answer, at),
            Event::UserSaid(_) => (self.asked, self.allowed) = (None, None),
            Event::CallEnded(e) => {
                let ended = |c: &ChangeProposed| c.call_id.as_ref() == Some(&e.call_id);
                self.asked = self.asked.take().filter(|c| !ended(c));
                self.allowed = self.allowed.take().filter(|c| !ended(c));
                self.grants.retain(|grant| !e.facts.iter().any(|fact| exchanges(fact, grant)));
            }
            Event::ConfirmationSpent(e) => {
                let spent = |c: &ChangeProposed| e.change_id.as_ref() == Some(&c.change_id);
                self.allowed = self.allowed.take().filter(|c| !spent(c));
            }
            Event::ApprovalRevoked(e) => self.grants.retain(|g| g.change_id != e.change_id),
            Event::RunInterrupted(_) => {
                self.allowed = None;
                self.grants.clear();
            }
            Event::TurnFinished(e) if e.phase == Phase::Completed => self.grants.clear(),
            Event::ChangeProposed(_)
            | Event::TurnFinished(_)
            | Event::RunStarted(_)
            | Event::RunResumed(_)
            | Event::ModelSwitched(_)
            | Event::ModelReplied(_)
            | Event::ModelFailed(_)
            | Event::CallBegan(_)
            | Event::CallReset(_)
            | Event::StateChanged(_)
            | Event::StateMirrored(_)
            | Event::StateRejected(_)
            | Event::WidgetAsked(_)
            | Event::DecisionMade(_)
            | Event::ConversationStarted(_)
            | Event::MessageImported(_)
            | Event::Unrecognised(_) => {}
        }
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

/// What the next call is held to.
pub(super) struct Rules {
    /// What the effective agent may use, and which writes wait for the person.
    pub(super) policy: ToolPolicy,
    /// The files that the current node declares.
    pub(super) outputs: Vec<AliasPath>,
}

/// Whether the person is to be asked about a call.
fn asks(rules: &Rules, parsed: &ParsedCall, artifacts_dir: Option<&str>) -> bool {
    if parsed.class != EffectClass::WriteProject {
        return false;
    }
    if parsed.paths().any(is_self_starting) {
        return true;
    }
    match rules.policy.approve_writes {
        ApproveWrites::Auto => false,
        ApproveWrites::Ask => true,
        ApproveWrites::AskOutside => {
            !WriteScope { artifacts_dir, outputs: &rules.outputs }.holds(parsed)
        }
    }
}

/// Whether a call has to be shown to the person before it may begin.
pub(super) fn must_ask(core: &Core, rules: &Rules, call: &CallId, parsed: &ParsedCall) -> bool {
    let Some(run) = &core.run else { return false };
    // A folder that a project's file names is free once the person has allowed it.
    let free = (!run.artifacts_ask).then_some(run.artifacts_dir.as_str());
    asks(rules, parsed, free) && core.approvals.permission(call, parsed).is_none()
}

impl Draft<'_> {
    /// The hashes of a call are known: it begins, unless it is not what the person allowed. Then
    /// the approval is used up, and the call is shown anew.
    pub(super) fn prepared(&mut self, call: &ReceivedCall, began: Began) {
        let parsed = call.parsed().ok();
        let permission = parsed.and_then(|p| self.core.approvals.permission(&call.id, p));
        let (change_id, fits) = match permission {
            None => return self.begin(call, began),
            Some(Permission::Folder(change_id)) => (change_id, true),
            Some(Permission::Once(change)) => {
                let fits = change.pre_hash == began.pre_hash.clone().unwrap_or_default()
                    && change.post_hash == began.post_hash;
                (change.change_id, fits)
            }
        };
        let spent = ConfirmationSpent { call_id: call.id.clone(), change_id: Some(change_id) };
        self.push(Event::ConfirmationSpent(spent));
        if fits {
            self.begin(call, began);
        }
    }

    pub(super) fn begin(&mut self, call: &ReceivedCall, began: Began) {
        self.push(Event::CallBegan(CallBegan {
            call_id: call.id.clone(),
            pre_hash: began.pre_hash,
            post_hash: began.post_hash,
            pre_images: began.pre_images,
            restore: began.restore,
        }));
    }

    /// What a call would do is known: the person is asked. A write that changes nothing needs
    /// nobody's leave.
    pub(super) fn previewed(&mut self, call: &ReceivedCall, preview: Preview) {
        let Ok(parsed) = call.parsed() else { return };
        let Preview { began, summary, parts, diff, cut } = preview;
        let one_file = parsed.tool().writes_one_file;
        if one_file && began.pre_hash == began.post_hash {
            return self.begin(call, began);
        }
        let path = parsed.path().cloned();
        let alone = path.as_ref().is_some_and(stands_for_itself);
        let folder = path.as_ref().and_then(AliasPath::parent).filter(|_| one_file && !alone);
        let tool = parsed.tool().name;
        let shown = path.as_ref().map_or_else(|| "@project".to_owned(), ToString::to_string);
        let change_id = self.change_id();
        self.push(Event::ChangeProposed(ChangeProposed {
            change_id: change_id.clone(),
            tool: tool.to_owned(),
            args: canonical_json(&parsed.args()),
            pre_hash: began.pre_hash.unwrap_or_default(),
            post_hash: began.post_hash,
            path,
            call_id: Some(call.id.clone()),
            summary,
            parts,
            diff,
            cut,
            undoes_completion: false,
            restore: None,
        }));
        let grant = folder.map(|folder| WidgetGrant { tool: tool.to_owned(), folder });
        let question = changes::allow_change(tool, shown).english();
        let widget = Widget::approval(question, grant, &change_id, cut);
        let (message_id, call_id) = (self.message_id(), call.id.clone());
        let change_id = Some(change_id);
        self.push(Event::WidgetAsked(WidgetAsked { message_id, call_id, widget, change_id }));
        self.finish(Phase::WaitingUser, Reason::Widget, None);
    }

    /// The person's answer to the runtime's own question: the call goes on, or is closed unrun.
    pub(super) fn answer_approval(
        &mut self,
        open: OpenWidget,
        id: &MessageId,
        value: Value,
        shown_ms: Option<u64>,
    ) {
        let asked = open.asked;
        let allowed = widget::confirmed(&asked.widget, &value);
        self.push(Event::WidgetAnswered(WidgetAnswered {
            message_id: self.message_id(),
            widget_message_id: id.clone(),
            widget_id: asked.widget.widget_id,
            kind: asked.widget.kind,
            value,
            confirms: asked.change_id.filter(|_| allowed),
            call_id: Some(asked.call_id.clone()),
            for_node_id: self.named_node(),
            shown_ms,
        }));
        let queued = self.core.queue.iter().find(|q| q.call.id == asked.call_id);
        if let Some(call) = queued.map(|q| q.call.clone()).filter(|_| !allowed) {
            self.end_refused(&call, &refused_by_user());
        }
        self.advance();
    }

    /// True when the person is being asked about a call.
    pub(super) fn approval_waits(&self) -> bool {
        self.core.approvals.asked.is_some()
    }

    /// Takes the approval of a folder back, also while the run works: what has not begun by now
    /// asks again.
    pub(super) fn revoke(&mut self, change_id: &ChangeId) -> Result<(), Refusal> {
        if !self.core.approvals.grants.iter().any(|g| g.change_id == *change_id) {
            return Err(refusal(ErrorCode::ApprovalNotFound, said::no_such_approval()));
        }
        self.push(Event::ApprovalRevoked(ApprovalRevoked { change_id: change_id.clone() }));
        Ok(())
    }
}

fn refused_by_user() -> Failure {
    Failure::for_model(
        ErrorCode::UserRefused,
        "the user did not allow this call; nothing was changed",
    )
    .with_details(json!({ "executed": false }))
    .with_action_for_model(
        "Do not repeat it as it is. Ask the user what they want instead, or go on without it.",
    )
}

#[cfg(test)]
mod tests;
