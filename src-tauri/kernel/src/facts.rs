//! Facts (spec 06 "Facts"): what typed results of tools prove, never what a text says; and what
//! follows from them about each file ([`Evidence`]).

mod evidence;
mod verification;

use serde::{Deserialize, Serialize};

use crate::path::AliasPath;

pub use evidence::{Evidence, FileEvidence};
pub use verification::{FileCheck, Verification, VerificationScope, VerifiedFile};

/// Something a tool's typed result proves. Never made from text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Fact {
    /// What kind of thing.
    pub kind: FactKind,
    /// To which file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub path: Option<AliasPath>,
    /// The file itself, where links lead from `path` to it. Absent when there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub resolved: Option<AliasPath>,
    /// The file's hash afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub sha256: Option<String>,
    /// An error code, for `tool_error`; `passed` or `failed`, for `verification` and
    /// `command_executed`; `restored`, for `file_written` by a rewind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub outcome: Option<String>,
    /// What a verification stands for: `workspace` or `artifact:<project-relative path>`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub scope: Option<String>,
    /// Where a moved file is now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub to: Option<AliasPath>,
    /// What a check looked at, for `verification`. Absent in older journals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub check: Option<FileCheck>,
    /// The texts a failed check looked for; of a short write that nobody checked, its content.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<String>>"))]
    pub expected: Vec<String>,
    /// Which hook of the person, for what its command found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub hook: Option<String>,
    /// Which todo, for the facts about todos.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub todo: Option<String>,
}

/// The outcome of a file that the runtime itself brought back: nobody has to look at it.
pub(crate) const RESTORED: &str = "restored";

impl Fact {
    /// A fact of this kind and nothing more.
    pub(crate) const fn new(kind: FactKind) -> Self {
        Self {
            kind,
            path: None,
            resolved: None,
            sha256: None,
            outcome: None,
            scope: None,
            to: None,
            check: None,
            expected: Vec::new(),
            hook: None,
            todo: None,
        }
    }

    /// The same about a file.
    pub(crate) fn at(kind: FactKind, path: &AliasPath) -> Self {
        Self { path: Some(path.clone()), ..Self::new(kind) }
    }

    /// Whether a check passed; `None` when it is about no check.
    pub(crate) fn passed(&self) -> Option<bool> {
        match self.outcome.as_deref()? {
            "passed" => Some(true),
            "failed" => Some(false),
            _ => None,
        }
    }
}

impl Verification {
    /// What the check proves of a file that had this hash.
    pub(crate) fn fact(&self, path: Option<AliasPath>, sha256: Option<String>) -> Fact {
        Fact {
            path,
            sha256,
            outcome: Some(if self.passed { "passed" } else { "failed" }.to_owned()),
            scope: Some(self.scope.clone()),
            check: Some(self.looked_at()),
            ..Fact::new(FactKind::Verification)
        }
    }
}

/// The kinds of facts (spec 06).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum FactKind {
    /// A file was read.
    FileRead,
    /// A file got new content.
    FileWritten,
    /// A write found the content already there.
    FileNoop,
    /// A file or a folder was deleted.
    FileDeleted,
    /// A file or a folder was moved.
    FileMoved,
    /// A folder was listed or searched.
    FileListed,
    /// A file was checked; see [`Verification`].
    Verification,
    /// Somebody else changed a file that the run had written, or took it away.
    FileForeignChange,
    /// A command that the person configured was run.
    CommandExecuted,
    /// A todo was added.
    TodoCreated,
    /// A todo was changed.
    TodoUpdated,
    /// A todo is done.
    TodoCompleted,
    /// A todo cannot be done.
    TodoFailed,
    /// A sub-agent began to work.
    SubagentStarted,
    /// A sub-agent handed in its report.
    SubagentCompleted,
    /// A sub-agent ended without a report.
    SubagentFailed,
    /// A todo was not changed: it is not as the caller believed.
    TodoConflict,
    /// The state document changed.
    StateChanged,
    /// A person confirmed.
    UserConfirmed,
    /// A tool failed or was refused.
    ToolError,
    /// A kind that only a newer program knows. It proves nothing here.
    #[serde(other)]
    Unrecognised,
}

impl FactKind {
    /// Whether it says that a sub-agent began or ended.
    pub const fn is_about_subagent(self) -> bool {
        matches!(self, Self::SubagentStarted | Self::SubagentCompleted | Self::SubagentFailed)
    }
}

#[cfg(test)]
mod tests;
