//! A file or a folder of a run's project, for a person who opens it.

use serde::{Deserialize, Serialize};

use crate::changed_files::FileEffect;
use crate::path::AliasPath;

/// A file as it is now and, where the run changed it, as it was before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct FileView {
    /// Where it lies, or lay.
    pub path: AliasPath,
    /// What is there now.
    pub now: FileContent,
    /// SHA-256 of it; absent where there is no file, or where it was not read whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub sha256: Option<String>,
    /// Whether it is there and a program of the system may open it.
    pub is_document: bool,
    /// What the run did to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub change: Option<FileDifference>,
}

/// What lies right in a folder, but hidden and private files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct FolderView {
    /// The folders by name, then the files by name; at most
    /// [`LISTED_ENTRIES`](crate::bounds::LISTED_ENTRIES).
    pub entries: Vec<FolderEntry>,
    /// How many more there are.
    pub more: usize,
}

/// A file or folder in a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct FolderEntry {
    /// Where it lies.
    pub path: AliasPath,
    /// Whether it is a folder.
    pub is_folder: bool,
}

/// What became of a file since before the run, whoever did it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct FileDifference {
    /// What the run did to it in all.
    pub effect: FileEffect,
    /// What was there before the run.
    pub before: FileContent,
    /// Unified diff from then until now, nothing of it left out; absent where one of the two is no
    /// text or not known, and where it is too long to be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub diff: Option<String>,
}

/// What is, or was, at a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum FileContent {
    /// UTF-8 text.
    Text {
        /// Its beginning, at most [`VIEWED_BYTES`](crate::bounds::VIEWED_BYTES).
        text: String,
        /// How long all of it is, in bytes.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        bytes: u64,
        /// Whether it goes on.
        cut: bool,
    },
    /// Something that is no UTF-8 text.
    NotText {
        /// How long it is, in bytes.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        bytes: u64,
    },
    /// There is nothing.
    Nothing,
    /// A folder.
    Folder,
    /// It may not be read: a secret or private file, a link that leads elsewhere, a pipe.
    Refused,
    /// It was too large to be kept.
    NotKept,
}
