//! A change that waits for the person, as it is shown.

use serde::{Deserialize, Serialize};

use crate::event::ChangeProposed;
use crate::ids::{CallId, ChangeId};
use crate::path::AliasPath;
use crate::phrase::Phrase;
use crate::restore::{Conflict, FileChange};
use crate::tool::{delete, move_, rewind};

/// What a change means for what was there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum ChangeEffect {
    /// A file is made that was not there.
    Made,
    /// A file, or the state document, becomes another one.
    Changed,
    /// A file or a folder gets another name.
    Moved,
    /// A file or a folder is deleted.
    Gone,
    /// The run goes back to an earlier step.
    Back,
}

impl ChangeEffect {
    /// What a proposed change means.
    pub fn of(change: &ChangeProposed) -> Self {
        match change.tool.as_str() {
            delete::NAME => Self::Gone,
            move_::NAME => Self::Moved,
            rewind::NAME => Self::Back,
            _ if change.pre_hash.is_empty() => Self::Made,
            _ => Self::Changed,
        }
    }
}

/// A pending change, as shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ChangeView {
    /// Its id.
    pub id: ChangeId,
    /// The tool.
    pub tool: String,
    /// The file.
    pub path: AliasPath,
    /// What it means for what was there.
    pub effect: ChangeEffect,
    /// For a rewind: the title of the step it goes back to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub back_to: Option<String>,
    /// One line in English, for who has no `parts`.
    pub summary: String,
    /// What it does, for a reader of any language. Empty in older journals.
    #[serde(default)]
    pub parts: Vec<Phrase>,
    /// Unified diff.
    pub diff: String,
    /// Whether the run would not be complete any more.
    pub undoes_completion: bool,
    /// The files a rewind would bring back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<FileChange>>"))]
    pub files: Vec<FileChange>,
    /// The files it would leave as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<Conflict>>"))]
    pub conflicts: Vec<Conflict>,
    /// The call that waits for the person; absent when the model asks after a refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub call_id: Option<CallId>,
}
