//! A package that is looked at or installed, and how far that is.

use serde::{Deserialize, Serialize};

/// Which reading of a package is meant: of two alike the one that began last.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ReadPackage {
    /// The file or folder, as it was given.
    pub path: String,
    /// Whether it is installed, and not only looked at.
    pub installs: bool,
}

/// How far the reading of a package is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ReadingProgress {
    /// Files that were read, or written by now.
    pub done: u32,
    /// How many there are, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub of: Option<u32>,
    /// Whether they are being written.
    pub is_installing: bool,
}
