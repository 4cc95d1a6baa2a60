//! A message as it stood in another store (spec 08 "Import of an Electron runtime's store").

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chat::{Role, ToolCall};
use crate::ids::{AgentId, CallId, MessageId, RunId, WorkflowId};
use crate::path::AliasPath;
use crate::time::Time;
use crate::widget::{self, Widget};

/// A message with the fields of spec 08 "Messages". See
/// [`Event::MessageImported`](super::Event::MessageImported).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MessageImported {
    /// The message, under its old id.
    pub message_id: MessageId,
    /// The role of the speaker.
    pub role: Role,
    /// The text; absent where the old store had `null`.
    pub content: Option<String>,
    /// When it was written.
    pub created_at: Time,
    /// An assistant's calls; their ids are unique within the conversation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// On a tool message: the call it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<CallId>,
    /// `content`, `thinking`, `tool_start`, `tool_result` or `error`.
    pub part_type: String,
    /// On tool messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// How long the call took, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// The widget's payload with `submitted` and `submittedValue`, as it stood.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub widget: Option<Value>,
    /// `run`, `agent` or `chat`.
    pub mode: String,
    /// The run it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<RunId>,
    /// The workflow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow_id: Option<WorkflowId>,
    /// The agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<AgentId>,
    /// False for what was shown to the person only.
    pub include_in_context: bool,
    /// Where the whole output lies when the content is a preview.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_output_path: Option<AliasPath>,
}

impl MessageImported {
    /// The text, empty when there was none.
    pub fn text(&self) -> &str {
        self.content.as_deref().unwrap_or_default()
    }

    /// Whether a model may see it again. A failure of a model and its reasoning never are.
    pub fn in_context(&self) -> bool {
        self.include_in_context
            && self.role != Role::System
            && !matches!(self.part_type.as_str(), "error" | "thinking")
    }

    /// The widget it carries, when it is one of the six and whole.
    pub fn question(&self) -> Option<Widget> {
        let mut payload = self.widget.as_ref()?.as_object()?.clone();
        for kept_beside in ["submitted", "submittedValue"] {
            payload.remove(kept_beside);
        }
        widget::parse(&Value::Object(payload)).ok()
    }

    /// What was submitted to its widget.
    pub fn answer(&self) -> Option<Value> {
        let widget = self.widget.as_ref()?;
        let submitted = widget.get("submitted").and_then(Value::as_bool) == Some(true);
        submitted.then(|| widget.get("submittedValue").cloned().unwrap_or(Value::Null))
    }

    /// The widget id and the value of a submission written as a user message (spec 05 "Widgets").
    pub fn submission(&self) -> Option<(String, Value)> {
        if self.role != Role::User {
            return None;
        }
        let body = self.text().strip_prefix("WIDGET_SUBMIT")?.trim_start();
        let body: Value = serde_json::from_str(body).ok()?;
        let id = body.get("widgetId")?.as_str()?.to_owned();
        Some((id, body.get("value").cloned().unwrap_or(Value::Null)))
    }

    /// Whether the tool it reports did what was asked.
    pub fn succeeded(&self) -> bool {
        self.result().get("ok").and_then(Value::as_bool) != Some(false)
    }

    /// A tool's result: its JSON, or the text when it is none.
    pub fn result(&self) -> Value {
        serde_json::from_str(self.text()).unwrap_or_else(|_| Value::String(self.text().to_owned()))
    }
}
