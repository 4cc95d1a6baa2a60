//! Conversations in lists, what a search finds, and what the store takes on the disk (spec 08).

use serde::{Deserialize, Serialize};

use crate::event::{Phase, Reason};
use crate::ids::{ConversationId, MessageId, NodeId, PackageId, ProjectId, RunId, WorkflowId};
use crate::mode::Mode;
use crate::state_doc::StepCount;
use crate::time::Time;

/// A conversation in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ConversationSummary {
    /// Its id.
    pub conversation_id: ConversationId,
    /// Its project.
    pub project_id: ProjectId,
    /// What it is called: the person's title, else the generated one.
    pub title: String,
    /// The workflow's name, or the first words said.
    pub generated_title: String,
    /// The person's title.
    pub custom_title: Option<String>,
    /// `run`, `agent` or `chat`.
    pub mode: String,
    /// The talk that it is, while no run is gone on with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub talk: Option<TalkView>,
    /// Its runs, newest first.
    pub runs: Vec<ConversationRun>,
    /// Messages in it.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub message_count: u64,
    /// When it began.
    pub created_at: Time,
    /// When something last happened in it.
    pub last_active_at: Time,
}

/// A run of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ConversationRun {
    /// Its id.
    pub run_id: RunId,
    /// Its package.
    pub package_id: PackageId,
    /// Its workflow.
    pub workflow_id: WorkflowId,
    /// Where it stands.
    pub phase: Phase,
    /// Why it stands in that phase.
    pub reason: Option<Reason>,
    /// Since when it stands so.
    pub since: Time,
    /// The node that it is at; absent while it has not moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub node_id: Option<NodeId>,
    /// How many of its steps are done, and of how many; absent where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub steps: Option<StepCount>,
}

/// A page of conversations, last active first.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ConversationPage {
    /// The conversations.
    pub conversations: Vec<ConversationSummary>,
    /// Ask again with `after` = this; absent on the last page.
    pub next: Option<String>,
}

/// A page of what a search found: newest conversation first, and within one what the person and the
/// model said before results of tools, the newest first.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SearchPage {
    /// Conversations whose title holds the words, last active first; on the first page only.
    pub titles: Vec<ConversationSummary>,
    /// Messages that hold the words.
    pub hits: Vec<SearchHit>,
    /// How many more hold them, by conversation: beyond its share, or read like one of its hits. They
    /// are on no other page; a search in the conversation alone has all of them.
    #[serde(default)]
    pub more: Vec<MoreHits>,
    /// There are more: ask again with `before` = this.
    #[cfg_attr(feature = "ts", ts(type = "number | null"))]
    pub next: Option<i64>,
    /// Lines of the journals whose messages are not searched yet: more than none only for a
    /// while after an update of the program or a large import.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub unindexed: u64,
}

/// How many places of a conversation a page leaves out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct MoreHits {
    /// Of this one.
    pub conversation_id: ConversationId,
    /// So many messages.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub count: u64,
    /// There are still more: not all were counted.
    pub at_least: bool,
}

/// A message that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SearchHit {
    /// Its place among all hits; larger comes first.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub id: i64,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// Its project.
    pub project_id: ProjectId,
    /// What the conversation is called.
    pub title: String,
    /// The message.
    pub message_id: MessageId,
    /// The item of the conversation that shows it.
    pub item_id: String,
    /// The message's sequence number, for reading the messages round it.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub seq: u64,
    /// `user`, `assistant` or `tool`.
    pub role: String,
    /// The tool, when its result was found.
    pub tool_name: Option<String>,
    /// When it was written.
    pub created_at: Time,
    /// One line round the first place, cut into what was found and what stands beside it.
    pub snippet: Vec<SnippetPart>,
}

/// A piece of a snippet, plain text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SnippetPart {
    /// The text.
    pub text: String,
    /// Whether it is what was looked for.
    pub hit: bool,
}

/// What the store takes on the disk, in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct StoreSizes {
    /// The database with its log: rows of all projects, and free space in it.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub database_bytes: u64,
    /// Installed packages.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub package_bytes: u64,
    /// The program's log files.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub log_bytes: u64,
    /// By project, largest first. A project forgotten in the list has a name too.
    pub projects: Vec<ProjectSize>,
}

/// What the data of one project takes in the store. Files of the project itself do not count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ProjectSize {
    /// The project these figures are about.
    pub project_id: ProjectId,
    /// Its name; empty when only its data is left.
    pub name: String,
    /// How many conversations.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub conversations: u64,
    /// How many messages.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub messages: u64,
    /// Bytes of journals and messages in the database, without its own overhead.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub row_bytes: u64,
    /// Bytes of state documents, logs, kept tool results and checkpoints.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub file_bytes: u64,
    /// Bytes of checkpoints, which are part of `fileBytes`.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub checkpoint_bytes: u64,
}

/// A talk outside of a run: with whom, and whose move it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct TalkView {
    /// With whom the person talks.
    pub with: Mode,
    /// Where the conversation stands.
    pub phase: Phase,
    /// Why it stands in that phase.
    pub reason: Option<Reason>,
}
