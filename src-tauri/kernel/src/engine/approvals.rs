//! Approvals (setting `approval.writes`): calls that change files of the project wait until the
//! person has seen what they would do, and allowed it.
//!
//! An approval of one call is bound to the call and to the hashes before and after that were
//! shown; it is gone once used, and after a restart. An approval of a folder covers one tool on
//! files directly in that folder; it dies with the run, with the program, when it is revoked, and
//! when a call moves or deletes the folder, or moves something onto its name.
//!
//! Deliberately not here: changes of a completed run's state (`crate::confirm`).

use serde_json::{Value, json};

use super::core::OpenWidget;
use super::draft::LineDraft;
use super::grants::Permission;
use super::input::Refusal;
use super::input::refusal;
use super::rules::changes_a_hook;
use crate::code::{ErrorCode, Failure};
use crate::effect::{Began, Preview};
use crate::event::{
    ApprovalRevoked, ChangeProposed, ConfirmationSpent, Event, Phase, Reason, WidgetAnswered,
    WidgetAsked,
};
use crate::ids::{ChangeId, MessageId};
use crate::path::AliasPath;
use crate::phrase::engine as said;
use crate::phrase::{changes, servers};
use crate::text::canonical_json;
use crate::tool::ReceivedCall;
use crate::widget::{self, Widget, WidgetGrant};
use crate::write_scope::stands_for_itself;

impl LineDraft<'_> {
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

    /// The preview of a call is there: the person is asked. A write that changes nothing needs no
    /// approval.
    pub(super) fn previewed(&mut self, call: &ReceivedCall, preview: Preview) {
        let Ok(parsed) = call.parsed() else { return };
        let Preview { began, summary, parts, diff, cut } = preview;
        let one_file = parsed.tool().writes_one_file;
        if one_file && began.pre_hash == began.post_hash {
            return self.begin(call, began);
        }
        let path = parsed.path().cloned();
        let hooks = &self.env().limits.hooks;
        let alone = path.as_ref().is_some_and(stands_for_itself) || changes_a_hook(hooks, parsed);
        let folder = path.as_ref().and_then(AliasPath::parent).filter(|_| one_file && !alone);
        let tool = parsed.name();
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
            back_to: None,
        }));
        let grant = folder.map(|folder| WidgetGrant { tool: tool.to_owned(), folder });
        let policy = self.policy();
        let called = policy.as_ref().and_then(|policy| policy.server_tool(tool));
        let question = match called {
            Some((server, called)) => servers::allow_server_call(&called.name, server),
            None => changes::allow_change(tool, shown),
        };
        let question = question.english();
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
        let instead = widget::instead(&value).map(str::to_owned);
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
            files: Vec::new(),
        }));
        let queued = self.core.queue.iter().find(|q| q.call.id == asked.call_id);
        if let Some(call) = queued.map(|q| q.call.clone()).filter(|_| !allowed) {
            self.end_refused(&call, &refused_by_user(instead.as_deref()));
        }
        self.advance();
    }

    /// True when the person is being asked about a call, or by its server.
    pub(super) fn call_waits_for_person(&self) -> bool {
        self.core.approvals.asked().is_some() || self.core.server_question().is_some()
    }

    /// Takes the approval of a folder back, also while the run works: what has not begun by now
    /// asks again.
    pub(super) fn revoke(&mut self, change_id: &ChangeId) -> Result<(), Refusal> {
        if !self.core.approvals.grants().iter().any(|g| g.change_id == *change_id) {
            return Err(refusal(ErrorCode::ApprovalNotFound, said::no_such_approval()));
        }
        self.push(Event::ApprovalRevoked(ApprovalRevoked { change_id: change_id.clone() }));
        Ok(())
    }
}

/// Of a call that the person did not allow; `instead` is what they want, where they said so.
fn refused_by_user(instead: Option<&str>) -> Failure {
    let refused = Failure::for_model(
        ErrorCode::UserRefused,
        "the user did not allow this call; nothing was changed",
    );
    match instead {
        None => refused.with_details(json!({ "executed": false })).with_action_for_model(
            "Do not repeat it as it is. Ask the user what they want instead, or go on without it.",
        ),
        Some(words) => refused
            .with_details(json!({ "executed": false, "userSays": words }))
            .with_action_for_model("Do not repeat it as it is. Do what the user says instead."),
    }
}
