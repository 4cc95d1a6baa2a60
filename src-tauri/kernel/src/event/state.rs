//! What happened to the state document.

use serde::{Deserialize, Serialize};

use super::Author;
use crate::code::Failure;
use crate::ids::{CallId, NodeId, WorkflowId};
use crate::path::AliasPath;

/// See [`Event::StateChanged`](super::Event::StateChanged).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct StateChanged {
    /// The whole new document.
    pub text: String,
    /// Its SHA-256.
    pub sha256: String,
    /// Who made the change.
    pub by: Author,
    /// Through which call.
    pub call_id: Option<CallId>,
    /// The current node afterwards.
    pub node_id: NodeId,
    /// Whether the workflow is complete afterwards.
    pub complete: bool,
    /// The files it newly lists as artifacts that this run did not write.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<AliasPath>,
    /// Whether the file does not say so yet, although the change is the person's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub to_be_written: bool,
    /// That this may be the document of another workflow than the one before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switch: Option<WorkflowSwitch>,
    /// What the current node is called, where the workflow is one that another called: who reads
    /// the journal knows the run's own graph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// How a run comes from one of its workflows to another (format 1.2).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum WorkflowSwitch {
    /// The step under way calls this workflow, and waits for its end.
    Called {
        /// The called one.
        workflow_id: WorkflowId,
    },
    /// The called workflow has ended, and the one that called it goes on.
    Returned,
    /// A rewind leads to a step that so many steps in other workflows wait for: those that were
    /// called from there on are given up.
    WentBack {
        /// 0 for the run's own workflow.
        depth: usize,
    },
    /// A rewind was undone: the run stands where it stood before it, in the workflow of then.
    Undone,
}

impl StateChanged {
    /// Whether the run enters the current node with it, when it was at `before`.
    pub fn enters(&self, before: Option<&NodeId>) -> bool {
        match self.switch {
            None => before != Some(&self.node_id),
            Some(WorkflowSwitch::Called { .. } | WorkflowSwitch::WentBack { .. }) => true,
            Some(WorkflowSwitch::Returned | WorkflowSwitch::Undone) => false,
        }
    }
}

/// See [`Event::StateMirrored`](super::Event::StateMirrored).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct StateMirrored {
    /// What is on disk now.
    pub sha256: String,
}

/// See [`Event::StateRejected`](super::Event::StateRejected).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct StateRejected {
    /// SHA-256 of the refused text; the host keeps the file aside under it.
    pub sha256: Option<String>,
    /// Why the edit was refused.
    pub failure: Failure,
}
