//! What crosses to a window or a client: frames of items, and answers to queries.
//!
//! The UI keeps a copy of items keyed by id and has no business state (law G). Its TypeScript is
//! generated from these types into `ui/src/bridge/wire.ts`; a test fails on drift.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chat::{ModelUsage, Usage};
use crate::code::Failure;
use crate::event::{Decision, Phase, Reason, RunEnded};
use crate::graph::NodeType;
use crate::hook::{HookPoint, HookStatus};
use crate::ids::{
    AgentId, CallId, ConversationId, MessageId, NodeId, PackageId, RunId, WorkflowId,
};
use crate::mention::FileGiven;
use crate::path::AliasPath;
use crate::phrase::Phrase;
use crate::time::Time;
use crate::todo::TodoSummary;
use crate::tool::EffectClass;
use crate::widget::Widget;

mod answer;
mod call_details;
mod called;
mod change;
mod conversations;
mod evidence;
mod file_view;
mod graph;
mod hooks;
mod models;
mod notice;
mod noticed;
mod records;
mod rewind_preview;
mod servers;
mod skills;
mod standing;
mod subagents;

pub use crate::command::{
    Command, Copied, ExportFormat, ExportedRun, PackagePlace, Query, Receipt, RecordQuery,
    SeenServer, ServerCommand, SessionCommand,
};
pub use crate::context::{ContextStatus, ContextUsage, StepTooLong};
pub use crate::context::{LeftOut, MessageSource};
pub use crate::draft::{Draft, DraftPlace};
pub use crate::engine::{Approval, FactRecord, Grant, RevisionView, StateEdit};
pub use crate::mcp::{LaunchDraft, ServerDraft, ServerName, ServerValue, ShownLaunch, ToolHint};
pub use crate::package::{ReadPackage, ReadingProgress};
pub use crate::requests::{
    RequestEnd, RequestList, RequestMessage, RequestPurpose, RequestRow, RequestTool, RequestView,
};
pub use crate::state_doc::{StepCount, StepStatus};
pub use answer::{
    Answer, DoctorRow, ItemPage, PackageView, ProjectView, ProviderView, RunSummary,
    RuntimeSnapshot, SettingsView, StateView, WholeChange,
};
pub use call_details::CallDetails;
pub use called::{CalledWorkflow, WaitingStep};
pub use change::{ChangeEffect, ChangeView};
pub use conversations::{
    ConversationPage, ConversationRun, ConversationSummary, MoreHits, ProjectSize, SearchHit,
    SearchPage, SnippetPart, StoreSizes, TalkView,
};
pub use evidence::{EvidenceView, GivenAnswer, JudgementRecord};
pub use file_view::{FileContent, FileDifference, FileView, FolderEntry, FolderView};
pub use graph::{GraphEdge, GraphNode, GraphView, Progress, RevisionState, TakenWay};
pub use hooks::HookView;
pub use models::{KnownModel, LocalServer, LocalState, ModelTest, WorkflowFit};
pub use notice::NoticeKind;
pub use noticed::{LogKind, LogLevel, LogRow, Noticed, WatchTarget};
pub use records::{MessagePage, MessageRow, Origin, PolicyRow, PolicyTable, RunChoice};
pub use rewind_preview::{RewindPreview, RewindUnderWay, UndoableRewind};
pub use servers::{
    FoundServer, LeftOutServer, ServerFile, ServerProgress, ServerState, ServerToolView,
    ServerTrust, ServerView,
};
pub use skills::{SkillAtWork, SkillList, SkillView, UnusableSkill};
pub use standing::{Standing, TodoList, WaitingWidget};
pub use subagents::SubagentView;

/// What a watcher is sent. `Snapshot` first, then increments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Frame {
    /// Everything from the last page on: replaces what the watcher has.
    Snapshot {
        /// The items of the last page in order.
        items: Vec<Item>,
        /// Where the page before it ends: what `items` is asked with. `None` when there is none.
        #[cfg_attr(feature = "ts", ts(type = "number | null"))]
        earlier: Option<u64>,
        /// Where the conversation stands.
        status: Box<Status>,
    },
    /// A new item at the end, or a new version of one with the same id. One that stands before
    /// everything the watcher has (`seq` below `earlier`) is not shown.
    Upsert {
        /// The item.
        item: Box<Item>,
    },
    /// More text at the end of a message being written. The message is made when it is not there.
    Append {
        /// The message's item.
        id: MessageId,
        /// More text.
        text: String,
        /// More reasoning.
        thinking: String,
    },
    /// Where the conversation stands now.
    Status {
        /// All of it.
        status: Box<Status>,
    },
    /// An item is gone (a reply being written that came to nothing).
    Remove {
        /// The item to remove.
        id: MessageId,
    },
}

/// One thing in a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Item {
    /// Its key; for messages and widgets the message id.
    pub id: MessageId,
    /// Its place: the sequence number of the event it came with.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub seq: u64,
    /// When it happened.
    pub at: Time,
    /// What it is.
    pub body: ItemBody,
}

/// The kinds of items.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum ItemBody {
    /// Somebody's words.
    Message {
        /// Whether the person or the model spoke.
        by: Speaker,
        /// Plain text of a person, Markdown of a model.
        text: String,
        /// The model's reasoning.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        thinking: Option<String>,
        /// Still being written.
        #[serde(default)]
        streaming: bool,
        /// Stopped or cut before its end.
        #[serde(default)]
        cut: bool,
        /// The agent that speaks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        agent: Option<String>,
        /// The files that a person gave along by mentioning them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<FileGiven>>"))]
        files: Vec<FileGiven>,
    },
    /// A tool call and what became of it.
    Call {
        /// The call.
        call_id: CallId,
        /// Canonical tool name.
        tool: String,
        /// The path it names.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        path: Option<AliasPath>,
        /// What it does to the world.
        class: EffectClass,
        /// The arguments, as the model wrote them.
        #[cfg_attr(feature = "ts", ts(type = "unknown"))]
        args: Value,
        /// Where it stands.
        state: CallState,
        /// What it is about beyond its path.
        #[serde(default, skip_serializing_if = "CallDetails::is_empty")]
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<CallDetails>"))]
        details: CallDetails,
        /// The result, once there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional, type = "unknown"))]
        result: Option<Value>,
        /// How long the call took, in milliseconds.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        duration_ms: u64,
        /// The runtime's diff, for changes of the state document.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        diff: Option<String>,
        /// Whether the model wrote it as text, where it was found.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
        repaired: bool,
    },
    /// The run came to a step: what follows belongs to it.
    Step {
        /// The step.
        node: NodeId,
        /// Whether the step before it is completed; it may have been left before that.
        #[serde(default)]
        after_completed: bool,
        /// Whether the step before it waits for the workflow that this one is of.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
        is_called: bool,
        /// What it is called, where it is of a workflow that another one called.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        title: Option<String>,
    },
    /// A widget, waiting or answered.
    Question {
        /// The payload.
        widget: Widget,
        /// The change a confirmation is bound to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        change: Option<Box<ChangeView>>,
        /// True for a state-change confirmation without a known change: the dialog says so.
        #[serde(default)]
        unbound: bool,
        /// The value submitted; absent while it waits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional, type = "unknown"))]
        answer: Option<Value>,
        /// The files that the answer's words mention.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<FileGiven>>"))]
        files: Vec<FileGiven>,
        /// True when it needs no answer any more: the call it was about was closed unrun.
        #[serde(default)]
        closed: bool,
    },
    /// The runtime's judgement. In place of a rejected text it has the id of the message that the
    /// text would have been.
    Decision {
        /// The judgement.
        decision: Decision,
        /// The text that was not accepted; absent when it stands as a message of its own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        rejected: Option<String>,
        /// Whether the person let it stand all the same.
        #[serde(default)]
        overruled: bool,
    },
    /// A command of the person was run that had something to say, or did not pass.
    Hook {
        /// Its name.
        name: String,
        /// Where the run was.
        point: HookPoint,
        /// What it came to.
        status: HookStatus,
        /// What it wrote.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        #[cfg_attr(feature = "ts", ts(optional, as = "Option<String>"))]
        output: String,
        /// Why it came to no end of its own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        failure: Option<Failure>,
        /// How long it took, milliseconds.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        duration_ms: u64,
        /// The tool of the call it was run for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        tool: Option<String>,
    },
    /// Something the runtime says: an error, a limit, an interruption, completion.
    Notice {
        /// What the notice is about.
        kind: NoticeKind,
        /// The failure behind it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        failure: Option<Failure>,
        /// What it says beyond its kind.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(as = "Option<Vec<Phrase>>", optional))]
        parts: Vec<Phrase>,
        /// Whether Retry / Continue makes sense here.
        #[serde(default)]
        can_resume: bool,
    },
}

/// Whether words are the person's or the model's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Speaker {
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// Where a call stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum CallState {
    /// Waiting its turn, or at work.
    Running,
    /// Waiting for the person to allow it.
    Waiting,
    /// `ok: true`.
    Done,
    /// Not run: it needs the person's confirmation, and they are asked.
    Asked,
    /// Not run: the person did not allow it.
    Refused,
    /// There is nothing at the path; the model was told, and handles it.
    Missing,
    /// Not run for another reason that the model was told, and handles.
    Handled,
    /// It failed in a way that needs a person.
    Failed,
    /// Begun when the program ended; the host finds out whether it happened.
    #[serde(rename = "inDoubt")]
    InDoubt,
}

/// Where a conversation stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Status {
    /// Sequence number of the last event.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub seq: u64,
    /// Its run: the newest.
    pub run: Option<RunView>,
    /// With whom the person talks, while that is no run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub talk: Option<TalkView>,
    /// The graph's nodes with their status, in execution order.
    pub steps: Vec<StepView>,
    /// The workflow that they are of, when another one called it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub called: Option<CalledWorkflow>,
    /// The last rewind, while it can be undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub undo: Option<UndoableRewind>,
    /// The widget that waits; the first of them when one reply asked several things.
    pub waiting_widget: Option<MessageId>,
    /// All that wait, in the order they were asked.
    #[serde(default)]
    pub waiting_widgets: Vec<MessageId>,
    /// The folders the person allowed for this run.
    #[serde(default)]
    pub grants: Vec<Grant>,
    /// Tokens so far.
    pub usage: Usage,
    /// The same by model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<ModelUsage>>"))]
    pub usage_by_model: Vec<ModelUsage>,
    /// How many todos there are.
    #[serde(default)]
    pub todos: TodoSummary,
    /// The hooks that the run waits for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<String>>"))]
    pub waits_for: Vec<String>,
    /// The sub-agents that work, or worked lately.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<SubagentView>>"))]
    pub subagents: Vec<SubagentView>,
    /// How far the server is that is called; absent while none says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub server: Option<ServerProgress>,
    /// The skills at work, in the order in which they began.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<SkillAtWork>>"))]
    pub skills: Vec<SkillAtWork>,
    /// How much of what the model reads the next request takes; absent where nobody works on the
    /// conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub context: Option<ContextUsage>,
    /// A request is being tried again.
    pub retry: Option<RetryView>,
    /// A person's edit of the state document that waits for the next turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub state_edit: Option<StateEdit>,
}

/// The run in a few fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RunView {
    /// Its id.
    pub run_id: RunId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// Its package.
    pub package_id: PackageId,
    /// Its workflow.
    pub workflow_id: WorkflowId,
    /// Who speaks now.
    pub active_agent_id: AgentId,
    /// Where it stands.
    pub phase: Phase,
    /// Why the conversation stands in that phase.
    pub reason: Option<Reason>,
    /// Whether the package's demo trace plays the model, until the person chooses their own.
    pub demo: bool,
    /// That the person ended it before its end, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub ended: Option<RunEnded>,
}

/// One row of the progress list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct StepView {
    /// The node.
    pub id: NodeId,
    /// Its title.
    pub title: String,
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: NodeType,
    /// Where it stands.
    pub status: StepStatus,
}

/// A request that will be tried again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RetryView {
    /// What went wrong.
    pub failure: Failure,
    /// Which try comes next.
    pub attempt: u32,
    /// Milliseconds until then, when it was announced.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub in_ms: u64,
}
