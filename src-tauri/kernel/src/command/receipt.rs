//! What commands come to.

use serde::{Deserialize, Serialize};

use crate::ids::{ConversationId, PackageId, ProjectId, RunId};
use crate::import::ImportReport;
use crate::path::AliasPath;

/// What a command came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Receipt {
    /// The project opened or made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub project_id: Option<ProjectId>,
    /// The package installed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub package_id: Option<PackageId>,
    /// The run started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub run_id: Option<RunId>,
    /// The conversation to watch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub conversation_id: Option<ConversationId>,
    /// What became of each thing of an imported store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub import: Option<Box<ImportReport>>,
    /// The file of a run that was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(skip))]
    pub exported: Option<Box<ExportedRun>>,
}

/// A run as a file: what was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportedRun {
    /// The run.
    pub run_id: RunId,
    /// The file's name, without its folder.
    pub file: String,
    /// Its size.
    pub bytes: u64,
    /// SHA-256 of the file.
    pub sha256: String,
    /// Lines of the journal in it, or turns of the model in a trace.
    pub lines: usize,
    /// Files of the project that the run read and had not made: where a trace of it is played there
    /// is none of them. Empty for what is no trace.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<AliasPath>,
}
