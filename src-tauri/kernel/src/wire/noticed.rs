//! Notifications to a window beside its conversation, which are never kept (spec 08 "Watching",
//! spec 09). They say that something is worth reading again; only a log row carries what it is
//! about.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::code::Failure;
use crate::ids::{ConversationId, PackageId, ProjectId};
use crate::path::AliasPath;
use crate::time::Time;

/// What is watched (`watch(target, channel)`, spec 09 "IPC contract").
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum WatchTarget {
    /// A conversation: frames, `Snapshot` first.
    Conversation {
        /// The conversation to watch.
        conversation_id: ConversationId,
    },
    /// The files of a project: [`Noticed::Files`].
    Project {
        /// The project whose files are watched.
        project_id: ProjectId,
    },
    /// The program itself: [`Noticed::Settings`], [`Noticed::Runs`], and what the person opened
    /// outside the window.
    App,
    /// A package that is being written, a folder or a file: [`Noticed::Package`].
    Package {
        /// The file or folder, as the system's dialog gave it.
        path: String,
    },
    /// The log, and the tool calls of one conversation: [`Noticed::Log`].
    Log {
        /// Whose tool calls; none when absent.
        #[serde(default)]
        conversation_id: Option<ConversationId>,
    },
    /// Nothing any more: ends what the channel was sent.
    Nothing,
}

/// Something passing, for whoever watches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[non_exhaustive]
pub enum Noticed {
    /// Files of a project changed, and not by a run.
    Files {
        /// The project whose files changed.
        project_id: ProjectId,
        /// Which, at most [`Noticed::MAX_PATHS`].
        paths: Vec<AliasPath>,
        /// There were more, or it is not known which: read everything again.
        more: bool,
    },
    /// The settings changed outside this window.
    Settings {
        /// `SETTING_INVALID` per field whose old value was kept.
        problems: Vec<Failure>,
    },
    /// A run of any project began, rests, or is over, or a conversation was named or deleted: what
    /// is listed of them is worth reading again.
    Runs,
    /// The person opened a package file outside the window: to be shown, not installed.
    Opened {
        /// The file, as the system gave it.
        path: String,
    },
    /// The person gave the program a folder outside the window: to be opened as a project.
    Folder {
        /// The folder, as the system gave it.
        path: String,
    },
    /// The person wants to see a conversation: by a click on an announcement, or a link.
    Shown {
        /// The project it belongs to.
        project_id: ProjectId,
        /// Where that was last, a real path: it may have to be opened first.
        location: String,
        /// The conversation.
        conversation_id: ConversationId,
    },
    /// The person wants to see an installed package, by a link.
    ShownPackage {
        /// The package.
        package_id: PackageId,
    },
    /// The person wanted to see something, by a click on an announcement or a link, and it is not
    /// there, or not any more.
    NotShown {
        /// What is not there: `CONVERSATION_NOT_FOUND`, `PACKAGE_NOT_FOUND`.
        failure: Failure,
    },
    /// The package being watched changed.
    Package {
        /// As it was named.
        path: String,
    },
    /// Lines of the log.
    Log {
        /// Oldest first.
        rows: Vec<LogRow>,
        /// How many older ones were left out because nobody took them in time.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        dropped: u64,
    },
    /// Changes are seen late or not everywhere; said once.
    Limited {
        /// Why, and what to do.
        failure: Failure,
    },
}

impl Noticed {
    /// Paths named in one [`Noticed::Files`].
    pub const MAX_PATHS: usize = 50;
}

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LogRow {
    /// When it was logged.
    pub at: Time,
    /// How grave the line is.
    pub level: LogLevel,
    /// The program's own words, or a tool call of the audit log.
    pub kind: LogKind,
    /// The module that speaks, or the tool.
    pub source: String,
    /// One line.
    pub message: String,
    /// What belongs to it, by name. Alias paths only.
    #[cfg_attr(feature = "ts", ts(type = "Record<string, unknown>"))]
    pub fields: Value,
}

/// How grave a log line is, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum LogLevel {
    /// Something failed.
    Error,
    /// Something is not as it should be.
    Warn,
    /// What goes on.
    Info,
    /// For those who look for a fault.
    Debug,
    /// The finest detail.
    Trace,
}

/// Where a log line comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum LogKind {
    /// The program's own log.
    Log,
    /// The audit log of a run.
    Tool,
}
