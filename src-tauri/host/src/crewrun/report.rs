//! What a replay found.

use kernel::ids::{NodeId, RunId};
use kernel::path::AliasPath;
use kernel::phrase::Phrase;
use kernel::replay::Difference;
use serde::Serialize;

/// The result of a replay (spec 11 `runs replay`).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Whether every line, file and request came out as it was recorded.
    pub identical: bool,
    /// The run.
    pub run_id: RunId,
    /// Lines decided again.
    pub lines: usize,
    /// Requests built again and compared by hash.
    pub requests: usize,
    /// Files made again and compared by hash, the state document among them.
    pub files: usize,
    /// What could not be repeated and was taken from the record.
    pub from_record: Vec<FromRecord>,
    /// How many differences there are.
    pub differences: usize,
    /// The first of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_difference: Option<ReplayDifference>,
    /// The version of the program that exported the run.
    pub exported_by: String,
    /// The version of this program.
    pub replayed_by: String,
}

/// Something only the record knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FromRecord {
    /// The sequence number of the line.
    pub seq: u64,
    /// A tool's canonical name, or `state`, or `import` or `line` for a whole line.
    pub what: String,
    /// The file or folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<AliasPath>,
    /// Why it could not be repeated.
    pub why: String,
    /// What `why` says, as data.
    #[serde(skip)]
    pub said: Phrase,
}

/// A difference, and where in the procedure it lies.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplayDifference {
    /// The recorded value and the new one.
    #[serde(flatten)]
    pub difference: Difference,
    /// The step of the workflow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_id: Option<NodeId>,
    /// The tool whose call it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// True when the file itself was changed after the export: the values are its hashes.
    pub altered: bool,
}
