//! The workflow that a run works on when another one called it, as people are shown it.

use serde::{Deserialize, Serialize};

use crate::ids::{NodeId, WorkflowId};
use crate::state_doc::StepCount;

/// The workflow that a run works on, when another one called it (format 1.2).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CalledWorkflow {
    /// The workflow.
    pub workflow_id: WorkflowId,
    /// What it is called.
    pub title: String,
    /// The steps that wait for its end, the outermost first.
    pub callers: Vec<WaitingStep>,
}

/// A step that waits for the end of the workflow that it called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct WaitingStep {
    /// Its workflow.
    pub workflow_id: WorkflowId,
    /// What that is called.
    pub workflow: String,
    /// The step.
    pub node_id: NodeId,
    /// What it is called.
    pub title: String,
    /// How far its workflow is.
    pub steps: StepCount,
    /// Whether a rewind to a step with this id means this one, and none of a workflow further in.
    pub is_meant: bool,
}
