//! Facts and the judgement made of them (spec 06 "Facts", "Obligations → decision"). Facts come
//! from typed tool results only, never from text.

mod verification;

use serde::{Deserialize, Serialize};

use crate::path::AliasPath;

pub use verification::{Verification, VerificationScope, VerifiedFile};

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
    /// The file's hash afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub sha256: Option<String>,
    /// An error code, for `tool_error`; `passed` or `failed`, for `verification`.
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
}

impl Fact {
    /// A fact of this kind and nothing more.
    pub(crate) const fn new(kind: FactKind) -> Self {
        Self { kind, path: None, sha256: None, outcome: None, scope: None, to: None }
    }

    /// The same about a file.
    pub(crate) fn at(kind: FactKind, path: &AliasPath) -> Self {
        Self { path: Some(path.clone()), ..Self::new(kind) }
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

/// The judgement on a candidate final (spec 06 "Obligations → decision"). With no obligation
/// kinds of its own yet, a reply without calls is accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Decision {
    /// `accepted`.
    pub status: DecisionStatus,
    /// Why, as a stable word.
    pub stop_reason: String,
    /// For people.
    pub user_summary: String,
}

/// How a candidate final was judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum DecisionStatus {
    /// No obligation is open.
    Accepted,
    /// It ended without being done.
    Incomplete,
    /// It cannot be done.
    Failed,
}

#[cfg(test)]
mod tests;
