//! Where a conversation stands, for who answers it at a terminal: also one without a run.

use serde::{Deserialize, Serialize};

use super::{ChangeView, ContextUsage, Grant};
use crate::changed_files::FileEffect;
use crate::event::{Phase, Reason};
use crate::ids::MessageId;
use crate::mode::Mode;
use crate::todo::{Todo, TodoSummary};
use crate::widget::Widget;

/// Where a conversation stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Standing {
    /// Sequence number of the last event.
    pub seq: u64,
    /// With whom the person talks.
    pub with: Mode,
    /// Whether a package's demo trace answers, and no model.
    pub demo: bool,
    /// Whose move it is.
    pub phase: Phase,
    /// Why it stands in that phase.
    pub reason: Option<Reason>,
    /// The first widget that waits.
    pub widget: Option<WaitingWidget>,
    /// Every widget that can be answered, in the order they were asked.
    pub widgets: Vec<WaitingWidget>,
    /// The folders the person allowed.
    pub grants: Vec<Grant>,
    /// What the model has set itself to do.
    pub todos: TodoList,
    /// What became of files in it.
    pub changes: Vec<FileEffect>,
    /// How much of what the model reads the next request takes; absent when it cannot be built.
    pub context: Option<ContextUsage>,
}

/// A widget that waits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct WaitingWidget {
    /// What `answer` names.
    pub message_id: MessageId,
    /// The payload.
    pub widget: Widget,
    /// The change it is bound to.
    pub change: Option<ChangeView>,
}

/// `session.todos.list`: the todos of a run, the oldest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct TodoList {
    /// Sequence number of the last event folded.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub seq: u64,
    /// The todos.
    pub items: Vec<Todo>,
    /// How many there are.
    pub summary: TodoSummary,
}
