//! The workflows of a run that are under way at once (format 1.2): the innermost one is worked on, and
//! in each of the others a step waits for the end of the one that it called.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::document;
use crate::bounds::NESTED_WORKFLOWS;
use crate::graph::Graph;
use crate::ids::{NodeId, WorkflowId};
use crate::state_doc::{StateDoc, StepCount};

/// When a node was last entered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entered {
    /// Sequence number of the event.
    pub seq: u64,
    /// `variables` as they were then; `None` when that was in another store.
    pub variables: Option<Value>,
}

/// A workflow of which a step waits for another workflow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Caller {
    /// The workflow.
    pub workflow_id: WorkflowId,
    /// The step that waits.
    pub node_id: NodeId,
    /// Where it began.
    pub(super) entry: Option<NodeId>,
    /// Its document, as it was when it called.
    #[serde(with = "document")]
    pub(super) doc: Option<Arc<StateDoc>>,
    pub(super) entered: BTreeMap<NodeId, Entered>,
    pub(super) walked: Vec<(NodeId, NodeId)>,
}

impl Caller {
    /// How many of its steps are done.
    pub fn step_count(&self, graph: &Graph) -> Option<StepCount> {
        Some(self.doc.as_ref()?.step_count(graph))
    }

    fn knows(&self, node: &NodeId) -> bool {
        let is_current = self.node_id == *node;
        is_current || can_go_back_to(node, self.doc.as_deref(), self.entry.as_ref())
    }
}

/// Whether a rewind can lead to a step that is not the current one: it is completed, or where its
/// workflow began.
pub(super) fn can_go_back_to(
    node: &NodeId,
    doc: Option<&StateDoc>,
    entry: Option<&NodeId>,
) -> bool {
    entry == Some(node) || doc.is_some_and(|doc| doc.steps_completed().contains(node))
}

/// The last document of a workflow that has ended and whose copy in the folder of the run may be
/// older.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct LeftDocument {
    pub(super) workflow_id: WorkflowId,
    #[serde(with = "document")]
    pub(super) doc: Option<Arc<StateDoc>>,
}

/// See the module. That of a run whose workflow calls no other is empty.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Nesting {
    /// The outermost first.
    pub(super) callers: Vec<Arc<Caller>>,
    /// The workflow that is worked on, once one was called.
    pub(super) active: Option<WorkflowId>,
    /// Where the workflow that is worked on began.
    pub(super) entry: Option<NodeId>,
    /// To be written with the next mirror.
    pub(super) left: Vec<Arc<LeftDocument>>,
    /// Which reply of the model led to the last switch: its later calls may mean another document.
    pub(super) switched_by: u64,
}

impl Nesting {
    /// The workflows that wait, the outermost first.
    pub fn callers(&self) -> impl ExactSizeIterator<Item = &Caller> + DoubleEndedIterator {
        self.callers.iter().map(|caller| &**caller)
    }

    /// Where the steps of workflows that wait were entered.
    pub(super) fn entries(&self) -> impl Iterator<Item = &Entered> {
        self.callers().flat_map(|caller| caller.entered.values())
    }

    /// How many workflows wait.
    pub fn depth(&self) -> usize {
        self.callers.len()
    }

    /// Whether a workflow may be called: it is not under way already, and there is room for it.
    /// Import has refused packages where it could come to that.
    pub(super) fn has_room_for(&self, workflow: &WorkflowId, active: &WorkflowId) -> bool {
        let waits = self.callers.iter().any(|caller| caller.workflow_id == *workflow);
        workflow != active && !waits && self.callers.len() + 1 < NESTED_WORKFLOWS
    }

    /// The innermost workflow that waits and knows this step, by its depth.
    pub(super) fn depth_of(&self, node: &NodeId) -> Option<usize> {
        self.callers.iter().rposition(|caller| caller.knows(node))
    }
}
