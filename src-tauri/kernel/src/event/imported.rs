//! What was taken over from another store (spec 08 "Import of an Electron runtime's store"). An
//! imported journal begins with one `conversation_imported`; its messages follow as they stood.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Event, Line, Phase, Reason, RunInterrupted};
use crate::chat::{Role, ToolCall};
use crate::code::Failure;
use crate::ids::{
    AgentId, CallId, ConversationId, MessageId, NodeId, PackageId, ProjectId, RunId, WorkflowId,
};
use crate::path::AliasPath;
use crate::time::Time;
use crate::widget::{self, Widget};

/// See [`Event::ConversationImported`](super::Event::ConversationImported).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ConversationImported {
    /// The conversation, under its old id.
    pub conversation_id: ConversationId,
    /// Its project.
    pub project_id: ProjectId,
    /// Its title; empty when it had none.
    pub title: String,
    /// When it began.
    pub created_at: Time,
    /// When it was taken over.
    pub imported_at: Time,
    /// What else the old index said of it (`entryType`, `activeType`, …), as it stood.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub meta: Value,
    /// Its run, when it had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<ImportedRun>,
}

/// A run as it stood in the old store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportedRun {
    /// The run, under its old id.
    pub run_id: RunId,
    /// The package as it is installed here; the old id when it is not.
    pub package_id: PackageId,
    /// Which workflow of it.
    pub workflow_id: WorkflowId,
    /// The run's own agent.
    pub agent_id: AgentId,
    /// For people: the workflow's name.
    pub title: String,
    /// Project-relative folder for artifacts, without slashes at the ends.
    pub artifacts_dir: String,
    /// The state document, when there was one that can be read.
    pub state: Option<String>,
    /// The effective current node of the state document.
    pub node_id: Option<NodeId>,
    /// Where the run stands.
    pub phase: Phase,
    /// Why the run stands in that phase.
    pub reason: Option<Reason>,
    /// When it began.
    pub created_at: Time,
    /// Why it can be read but not continued; absent for one that can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locked: Option<Failure>,
}

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

/// So many messages in a line at most: one decision is one row, and a row is read whole.
pub const MESSAGES_PER_LINE: usize = 100;

/// A conversation of another store as its importer understood it. Importers describe one; only
/// [`TakenOver::lines`] makes a journal of it (law B).
#[derive(Debug, Clone, PartialEq)]
pub struct TakenOver {
    /// The conversation, under its old id.
    pub conversation_id: ConversationId,
    /// Its project.
    pub project_id: ProjectId,
    /// Its title; empty when it had none.
    pub title: String,
    /// When it began.
    pub created_at: Time,
    /// When something last happened in it.
    pub last_active_at: Option<Time>,
    /// When it was taken over.
    pub imported_at: Time,
    /// What else was known of it, as it stood.
    pub meta: Value,
    /// Its run, when it had one.
    pub run: Option<ImportedRun>,
    /// Its messages in order.
    pub messages: Vec<MessageImported>,
}

impl TakenOver {
    /// The journal of the conversation. A line is as old as what it tells, so that lists ordered by
    /// activity stay as they were; `imported_at` is in the first one.
    pub fn lines(self) -> Vec<Line> {
        let (began, last_active_at) = (self.created_at, self.last_active_at);
        let decisions = self.decisions();
        let last = decisions.len() - 1;
        let (mut at, mut seq) = (began, 1);
        let mut lines = Vec::with_capacity(decisions.len());
        for (index, (time, events)) in decisions.into_iter().enumerate() {
            at = at.max(time);
            if index == last {
                at = at.max(last_active_at.unwrap_or(at));
            }
            let line = Line::new(seq, at, 0, events);
            seq = line.next_seq();
            lines.push(line);
        }
        lines
    }

    /// What stands in each line, and how old that is.
    fn decisions(self) -> Vec<(Time, Vec<Event>)> {
        let began = self.created_at;
        let at_work = self.run.as_ref().is_some_and(|run| run.phase == Phase::Running);
        let head = ConversationImported {
            conversation_id: self.conversation_id,
            project_id: self.project_id,
            title: self.title,
            created_at: began,
            imported_at: self.imported_at,
            meta: self.meta,
            run: self.run,
        };
        let mut decisions = vec![(began, vec![Event::ConversationImported(Box::new(head))])];
        let mut messages = self.messages.into_iter().peekable();
        while messages.peek().is_some() {
            let batch: Vec<MessageImported> = messages.by_ref().take(MESSAGES_PER_LINE).collect();
            let newest = batch.iter().map(|m| m.created_at).max().unwrap_or(began);
            let events = batch.into_iter().map(|m| Event::MessageImported(Box::new(m)));
            decisions.push((newest, events.collect()));
        }
        if at_work {
            // No engine runs it any more.
            let (in_doubt, resting) = (Vec::new(), false);
            let interrupted = RunInterrupted { in_doubt, resting };
            decisions.push((began, vec![Event::RunInterrupted(interrupted)]));
        }
        decisions
    }
}
