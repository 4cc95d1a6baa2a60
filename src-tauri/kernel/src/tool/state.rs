//! What the tools say that change the state document, whichever of them it is: `fs.write`,
//! `fs.apply_patch` and `workflow.rewind`.

use serde::Serialize;

use crate::ids::{NodeId, WorkflowId};
use crate::path::AliasPath;

/// The document says already what it was to say.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StateUnchanged {
    path: AliasPath,
    #[serde(rename = "noop_write")]
    noop_write: bool,
    sha256_after: String,
}

impl StateUnchanged {
    /// Of the document with this hash.
    pub fn at(sha256: &str) -> Self {
        let path = AliasPath::state_document();
        Self { path, noop_write: true, sha256_after: sha256.to_owned() }
    }
}

/// What a dry run says: judged like the change, and nothing has happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StatePreview {
    path: AliasPath,
    dry_run: bool,
    sha256_before: String,
    sha256_after: String,
    diff: String,
}

impl StatePreview {
    /// Of a change between the versions with these hashes.
    pub fn between(before: &str, after: &str, diff: String) -> Self {
        Self {
            path: AliasPath::state_document(),
            dry_run: true,
            sha256_before: before.to_owned(),
            sha256_after: after.to_owned(),
            diff,
        }
    }
}

/// The document was changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StateOutput {
    /// The document.
    pub path: AliasPath,
    /// SHA-256 of the version before.
    pub sha256_before: String,
    /// SHA-256 of the version that holds now.
    pub sha256_after: String,
    /// Where the run stands now.
    pub current_node_id: NodeId,
    /// Whether it is complete.
    pub complete: bool,
    /// Whose document it is now, when the change led to another workflow.
    #[serde(flatten)]
    pub workflow: Option<CallStack>,
    /// Files that are listed now and that the run did not write.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<AliasPath>,
    /// Files that are not there of steps that were completed all the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing_outputs: Vec<AliasPath>,
    /// What was repaired, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repaired: Vec<String>,
}

/// Where a run is among its workflows (format 1.2).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CallStack {
    /// The workflow that is worked on.
    pub active_workflow_id: WorkflowId,
    /// The steps that wait for it, the outermost first.
    pub call_stack: Vec<CallingStep>,
}

/// A step that waits for the end of the workflow that it called.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CallingStep {
    /// Its workflow.
    pub workflow_id: WorkflowId,
    /// The step.
    pub node_id: NodeId,
}
