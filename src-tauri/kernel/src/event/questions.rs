//! Questions to the person: what was shown, what they answered, and what their answer was used for.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::{CallId, ChangeId, MessageId, NodeId};
use crate::mention::GivenFile;
use crate::path::AliasPath;
use crate::phrase::Phrase;
use crate::restore::Restore;
use crate::widget::WidgetKind;

/// See [`Event::ChangeProposed`](super::Event::ChangeProposed).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ChangeProposed {
    /// Its id: what a confirmation names.
    pub change_id: ChangeId,
    /// The tool that was refused, or waits.
    pub tool: String,
    /// Its arguments, canonical JSON.
    pub args: String,
    /// SHA-256 of the file it was computed on; empty when there is no file yet.
    pub pre_hash: String,
    /// SHA-256 of the file it makes; `None` when it leaves none, or in older journals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post_hash: Option<String>,
    /// The file; `None` means the state document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<AliasPath>,
    /// The call that waits for the person. `None`: the call was refused, the model asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<CallId>,
    /// One line in English, as the model is told it; people read `parts`.
    pub summary: String,
    /// What it does, for a reader of any language. Empty in older journals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Phrase>,
    /// The runtime's own unified diff.
    pub diff: String,
    /// Whether the diff leaves something out, or nothing can be shown.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// Whether the run would not be complete any more.
    pub undoes_completion: bool,
    /// For a rewind: what it would do to files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restore: Option<Box<Restore>>,
    /// For a rewind: the title of the step it goes back to. Absent in older journals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back_to: Option<String>,
}

/// See [`Event::WidgetAsked`](super::Event::WidgetAsked).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct WidgetAsked {
    /// The message that carries it.
    pub message_id: MessageId,
    /// The call that asked.
    pub call_id: CallId,
    /// The checked payload.
    pub widget: crate::widget::Widget,
    /// The pending change it is bound to.
    pub change_id: Option<ChangeId>,
}

/// See [`Event::WidgetAnswered`](super::Event::WidgetAnswered).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct WidgetAnswered {
    /// The new user message.
    pub message_id: MessageId,
    /// The message that carries the widget.
    pub widget_message_id: MessageId,
    /// The model's id for the widget.
    pub widget_id: String,
    /// Which of the six.
    pub kind: WidgetKind,
    /// The submitted value, valid for the widget.
    pub value: Value,
    /// The change this confirms, when the widget was bound to one and was confirmed.
    pub confirms: Option<ChangeId>,
    /// The call that waited for this answer, when the runtime itself had asked for approval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<CallId>,
    /// The node that was current, while the run was not complete.
    pub for_node_id: Option<NodeId>,
    /// How long a window had shown the question, in milliseconds; `None` where no window did, and
    /// in older journals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown_ms: Option<u64>,
    /// The files that the answer's words mention, as they were then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<GivenFile>,
}

impl WidgetAnswered {
    /// The user message of the submission (spec 05 "Widgets"). Only this event makes it one: the
    /// same text typed by a person or a model is inert.
    pub fn message_text(&self) -> String {
        crate::widget::submission_text(&self.widget_id, self.kind, &self.value)
    }

    /// True when it answers the runtime's own question about a call that waits, not the model's.
    pub fn is_approval(&self) -> bool {
        self.is_of_call() && self.widget_id != crate::widget::SERVER_QUESTION
    }

    /// True when a call waits for it, not the model: the person was asked whether it may begin, or
    /// its server asks them.
    pub fn is_of_call(&self) -> bool {
        self.call_id.is_some()
    }

    /// True when a person said no to what a question had shown them, or wants it otherwise.
    pub fn refuses(&self) -> bool {
        match self.kind {
            WidgetKind::Confirmation => self.value.get("confirmed") == Some(&Value::Bool(false)),
            WidgetKind::PlanReview => self.value.get("decision") != Some(&Value::from("approve")),
            WidgetKind::Form
            | WidgetKind::Selection
            | WidgetKind::Feedback
            | WidgetKind::ActionSelection => false,
        }
    }

    /// True when a person confirmed a change of a completed run (spec 06 "Confirmation").
    pub fn confirms_state_change(&self) -> bool {
        !self.is_approval()
            && self.widget_id == crate::widget::STATE_CHANGE_CONFIRM
            && self.kind == WidgetKind::Confirmation
            && self.value.get("confirmed").and_then(Value::as_bool) == Some(true)
    }
}

/// See [`Event::ConfirmationSpent`](super::Event::ConfirmationSpent).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ConfirmationSpent {
    /// The call that used it.
    pub call_id: CallId,
    /// The change it was bound to; `None` when it was unbound.
    pub change_id: Option<ChangeId>,
}

/// See [`Event::ApprovalRevoked`](super::Event::ApprovalRevoked).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ApprovalRevoked {
    /// The change in whose dialog the approval was given.
    pub change_id: ChangeId,
}
