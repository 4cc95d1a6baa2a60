//! The run's state document, `@state/workflow.md`: YAML front matter and a Markdown body
//! (spec 03 "Run state"). Parsing, editing that keeps what it does not touch, and the guard.

use serde_json::Value;
use std::sync::Arc;

use crate::code::Failure;
use crate::graph::Graph;
use crate::ids::{AgentId, NodeId, RunId, WorkflowId};
use crate::time::Time;
use crate::tool::PatchOp;

/// A state document that parses and fits its schema.
#[derive(Debug, Clone, PartialEq)]
pub struct StateDoc {
    text: Arc<str>,
    sha256: String,
    current_node_id: String,
    steps_completed: Vec<NodeId>,
    variables: Value,
    decision_log: Value,
    artifacts: Vec<String>,
}

/// What a new run forces into its document (reference §5.1).
#[derive(Debug, Clone)]
pub struct Initial<'a> {
    /// The run.
    pub run_id: &'a RunId,
    /// Its workflow.
    pub workflow_id: &'a WorkflowId,
    /// Its agent.
    pub agent_id: &'a AgentId,
    /// Now.
    pub now: Time,
}

/// A change the guard let through.
#[derive(Debug, Clone, PartialEq)]
pub struct Accepted {
    /// The new document, small slips repaired.
    pub doc: StateDoc,
    /// What was repaired, in words, for the result's `repaired[]`.
    pub repaired: Vec<String>,
    /// From and to, when the current node changed.
    pub moved: Option<(NodeId, NodeId)>,
}

impl StateDoc {
    /// Parses a document: guard checks 1 and 2. Missing lists are empty.
    pub fn parse(_text: &str) -> Result<Self, Failure> {
        unimplemented!()
    }

    /// The first version of a run's document from the package's `workflow.md`: forced fields set,
    /// lists and variables reset, `currentNodeId` empty; body, comments and other keys kept.
    pub fn initial(_template: &str, _initial: &Initial<'_>) -> Result<Self, Failure> {
        unimplemented!()
    }

    /// The whole text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// SHA-256 of the text, lower-case hex.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The current node: the trimmed `currentNodeId`, or the entry when it is empty. `Err` when
    /// the graph has no such node (`CURRENT_NODE_INVALID`, details list the valid ids).
    pub fn effective_node(&self, _graph: &Graph) -> Result<NodeId, Failure> {
        unimplemented!()
    }

    /// `variables.workflowStatus == "complete"`, or the current node is an `end` node in
    /// `stepsCompleted` (spec 03 "Completion").
    pub fn is_complete(&self, _graph: &Graph) -> bool {
        unimplemented!()
    }

    /// `stepsCompleted`, in order.
    pub fn steps_completed(&self) -> &[NodeId] {
        &self.steps_completed
    }

    /// `variables`, always an object.
    pub fn variables(&self) -> &Value {
        &self.variables
    }

    /// `decisionLog`, always an array.
    pub fn decision_log(&self) -> &Value {
        &self.decision_log
    }

    /// `artifacts`, project-relative.
    pub fn artifacts(&self) -> &[String] {
        &self.artifacts
    }
}

/// The text that `ops` make of `old`, untouched parts byte for byte. Not judged yet: pass it to
/// [`check_transition`].
pub fn patched(_old: &StateDoc, _ops: &[PatchOp]) -> Result<String, Failure> {
    unimplemented!()
}

/// The guard (spec 03): judges a whole new text against the accepted document. Checks 1–6;
/// check 9 (`ifMatchSha256`) is the caller's argument. Small slips are repaired in the text.
pub fn check_transition(
    _old: &StateDoc,
    _new_text: &str,
    _graph: &Graph,
    _if_match_sha256: Option<&str>,
    _now: Time,
) -> Result<Accepted, Failure> {
    unimplemented!()
}

/// A person's own edit: checks 1–3 and unknown ids in `stepsCompleted`; people may move freely.
pub fn check_user_edit(_new_text: &str, _graph: &Graph) -> Result<StateDoc, Failure> {
    unimplemented!()
}

/// The document after `workflow.rewind` (spec 03): current node = target, target and everything
/// reachable from it leave `stepsCompleted`, `workflowStatus` cleared, variables replaced by
/// those of when the target was last entered (when known), `decisionLog` gains a record.
pub fn rewound(
    _old: &StateDoc,
    _graph: &Graph,
    _target: &NodeId,
    _variables_then: Option<&Value>,
    _reason: Option<&str>,
    _now: Time,
) -> Result<Accepted, Failure> {
    unimplemented!()
}

/// The document with `artifact` (project-relative) recorded; `None` when it already is.
pub fn with_artifact(
    _old: &StateDoc,
    _artifact: &str,
    _now: Time,
) -> Result<Option<StateDoc>, Failure> {
    unimplemented!()
}
