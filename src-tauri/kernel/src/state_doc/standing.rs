//! Where each step of a graph stands, as a document says.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

use super::StateDoc;
use crate::graph::Graph;
use crate::ids::NodeId;

/// Completed takes precedence over current.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum StepStatus {
    /// In `stepsCompleted`.
    Completed,
    /// The current node.
    Current,
    /// The step is neither completed nor current, and the run may still come to it.
    Pending,
    /// No way leads from the current node to it: the run went another one.
    Skipped,
}

/// How many steps of a run are done, and of how many: those that are not needed are not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct StepCount {
    /// Those that are done.
    pub done: u32,
    /// Those that are done, the current one, and those that the run may still come to.
    pub total: u32,
}

impl StateDoc {
    /// Where each node of the graph stands.
    pub fn standing(&self, graph: &Graph) -> impl Fn(&NodeId) -> StepStatus {
        let current = self.effective_node(graph).ok();
        let completed: BTreeSet<&NodeId> = self.steps_completed().iter().collect();
        let ahead = current.as_ref().map(|id| graph.reachable_from(id));
        move |id| {
            if completed.contains(id) {
                StepStatus::Completed
            } else if current.as_ref() == Some(id) {
                StepStatus::Current
            } else if ahead.as_ref().is_none_or(|ahead| ahead.contains(id)) {
                StepStatus::Pending
            } else {
                StepStatus::Skipped
            }
        }
    }

    /// How many steps are done, and of how many.
    pub fn step_count(&self, graph: &Graph) -> StepCount {
        let status = self.standing(graph);
        let mut count = StepCount::default();
        for node in &graph.nodes {
            let status = status(&node.id);
            count.done += u32::from(status == StepStatus::Completed);
            count.total += u32::from(status != StepStatus::Skipped);
        }
        count
    }
}
