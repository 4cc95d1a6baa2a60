//! The run's state document, `@state/workflow.md`: YAML front matter and a Markdown body
//! (spec 03 "Run state"). Parsing, editing that keeps what it does not touch, and the guard.

mod artifacts;
mod completed;
mod ending;
mod guard;
mod outputs;
mod patch;
mod repair;
mod returned;
mod rewind;
mod schema;
mod standing;
mod summary;

#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};
use std::sync::Arc;

use crate::bounds::{STATE_GROWN_BYTES, size};
use crate::code::{ErrorCode, Failure};
use crate::facts::Evidence;
use crate::frontmatter;
use crate::graph::{Graph, Premises, SaidInStep};
use crate::ids::{AgentId, NodeId, RunId, WorkflowId};
use crate::path::AliasPath;
use crate::phrase::{engine as said, general};
use crate::settings::OutputsPolicy;
use crate::text::sha256_hex;
use crate::time::Time;

pub use artifacts::{claims, path_of as artifact_path, with_artifacts};
pub use ending::ended;
pub use guard::{Allowed, check_change, check_transition, check_user_edit};
pub use patch::{patched, replaced};
pub use returned::returned;
pub use rewind::{done_again, no_way_back, rewind_targets, rewound};
pub use standing::{StepCount, StepStatus};
pub use summary::{diff, parts, rewind_parts};

use schema::STATE;

/// The variable that says that a run is over.
const STATUS: &str = "workflowStatus";
const COMPLETE: &str = "complete";

/// A state document that parses and fits its schema.
#[derive(Debug, Clone, PartialEq)]
pub struct StateDoc {
    text: Arc<str>,
    sha256: String,
    /// The whole front matter, normalised.
    front: Map<String, Value>,
    current_node_id: String,
    steps_completed: Vec<NodeId>,
    variables: Value,
    decision_log: Value,
    artifacts: Vec<String>,
}

/// What a new run forces into its document (spec 03 "Run creation").
#[derive(Debug, Clone)]
pub struct Initial<'a> {
    /// The run.
    pub run_id: &'a RunId,
    /// Its workflow.
    pub workflow_id: &'a WorkflowId,
    /// Its agent.
    pub agent_id: &'a AgentId,
    /// The variables that it begins with, those of the workflow that calls it; `None` for none.
    pub variables: Option<&'a Value>,
    /// The artifacts that it begins with: a workflow that is called takes up the list of the run.
    pub artifacts: &'a [String],
    /// The time at which the run starts.
    pub now: Time,
}

/// What a change is judged by beside the two documents and the graph.
#[derive(Debug, Clone, Copy)]
pub struct Circumstances<'a> {
    /// The hash that the caller believes the document to have.
    pub if_match_sha256: Option<&'a str>,
    /// The files that somebody looked for in vain among the [`claims`] of the text.
    pub missing: &'a [AliasPath],
    /// What the facts prove of files.
    pub evidence: &'a Evidence,
    /// What the person said in the step under way.
    pub said: &'a SaidInStep,
    /// What becomes of a step that is completed without a file it promises.
    pub outputs: OutputsPolicy,
    /// When the change is made.
    pub now: Time,
}

impl<'a> Circumstances<'a> {
    /// What the conditions of edges are judged by in a change that makes this document.
    pub(super) fn premises(&self, doc: &'a StateDoc) -> Premises<'a> {
        Premises { variables: &doc.variables, said: Some(self.said) }
    }
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
    /// The files it newly lists as artifacts.
    pub claimed: Vec<AliasPath>,
    /// The files that steps promise which it completes all the same.
    pub without: Vec<(NodeId, AliasPath)>,
}

impl Accepted {
    /// The document as it is.
    pub fn unchanged(doc: StateDoc) -> Self {
        let (repaired, claimed, without) = (Vec::new(), Vec::new(), Vec::new());
        Self { doc, repaired, moved: None, claimed, without }
    }
}

/// `E_READ_LIMIT` for a document of more than `most` bytes.
pub fn too_long(most: u64) -> Failure {
    Failure::new(ErrorCode::ReadLimit, said::state_too_long(STATE, size(most)))
        .with_action(said::shorten_state())
}

impl StateDoc {
    /// Parses a document. Missing lists are empty.
    ///
    /// # Errors
    /// `E_INVALID_FRONTMATTER` and `E_SCHEMA_VALIDATION` (guard checks 1 and 2), `E_READ_LIMIT`
    /// when it is longer than any document is on its way.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        if text.len() > STATE_GROWN_BYTES {
            return Err(too_long(STATE_GROWN_BYTES as u64));
        }
        let front = schema::normalised(&frontmatter::parse(text).map_err(named)?);
        Self::checked(text, front)
    }

    /// The document of `text`, whose normalised front matter is `front`: guard check 2.
    fn checked(text: &str, front: Map<String, Value>) -> Result<Self, Failure> {
        schema::check(&front)?;
        let get = |key: &str| front.get(key).cloned().unwrap_or_default();
        Ok(Self {
            text: Arc::from(text),
            sha256: sha256_hex(text.as_bytes()),
            current_node_id: get("currentNodeId").as_str().unwrap_or_default().to_owned(),
            // The schema check has refused texts that are no ids.
            steps_completed: texts(&get("stepsCompleted"))
                .filter_map(|t| NodeId::new(t).ok())
                .collect(),
            variables: get("variables"),
            decision_log: get("decisionLog"),
            artifacts: texts(&get("artifacts")).map(str::to_owned).collect(),
            front,
        })
    }

    /// The first version of a run's document from the package's `workflow.md`: forced fields set,
    /// lists and variables reset, `currentNodeId` empty; body, comments and other keys kept.
    ///
    /// # Errors
    /// As [`parse`](Self::parse), for the package's template.
    pub fn initial(template: &str, initial: &Initial<'_>) -> Result<Self, Failure> {
        let mut variables =
            initial.variables.and_then(Value::as_object).cloned().unwrap_or_default();
        variables.shift_remove(STATUS);
        let text = frontmatter::edit(template, |front| {
            for (key, value) in [
                ("runId", json!(initial.run_id)),
                ("activeAgentId", json!(initial.agent_id)),
                ("workflowRef", json!(initial.workflow_id)),
                ("updatedAt", json!(initial.now)),
                ("currentNodeId", json!("")),
                ("stepsCompleted", json!([])),
                ("variables", Value::Object(variables)),
                ("decisionLog", json!([])),
                ("artifacts", json!(initial.artifacts)),
            ] {
                front.insert(key.to_owned(), value);
            }
        });
        Self::parse(&text.map_err(named)?)
    }

    /// The whole text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// SHA-256 of the text, lower-case hex.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The current node: the trimmed `currentNodeId`, or the entry when it is empty.
    ///
    /// # Errors
    /// `CURRENT_NODE_INVALID` when the graph has no such node; details list the valid ids.
    pub fn effective_node(&self, graph: &Graph) -> Result<NodeId, Failure> {
        let text = self.current_node_id.trim();
        if text.is_empty() {
            return Ok(graph.entry_node_id.clone());
        }
        graph.nodes.iter().find(|n| n.id.as_str() == text).map(|n| n.id.clone()).ok_or_else(|| {
            let valid: Vec<&str> = graph.nodes.iter().map(|n| n.id.as_str()).collect();
            Failure::new(ErrorCode::CurrentNodeInvalid, said::current_unknown(STATE, text))
                .with_action(said::set_current(valid.join(", ")))
                .with_details(json!({ "currentNodeId": text, "validNodeIds": valid }))
        })
    }

    /// Whether it says that it is over, or is at its end (spec 03 "Completion").
    pub fn is_complete(&self, graph: &Graph) -> bool {
        self.says_complete() || self.at_end(graph)
    }

    /// `variables.workflowStatus` is `complete`. A model may write that at the end only.
    pub fn says_complete(&self) -> bool {
        self.variables.get(STATUS).and_then(Value::as_str) == Some(COMPLETE)
    }

    /// The current node is terminal and in `stepsCompleted`.
    pub fn at_end(&self, graph: &Graph) -> bool {
        self.effective_node(graph)
            .is_ok_and(|id| graph.is_terminal(&id) && self.steps_completed.contains(&id))
    }

    /// `currentNodeId` as it is written; empty means the entry.
    pub fn current_node_id(&self) -> &str {
        &self.current_node_id
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

    /// The ways that `decisionLog` says were chosen, from where and to where.
    fn decisions(&self) -> impl Iterator<Item = (&str, &str)> {
        self.decision_log.as_array().into_iter().flatten().filter_map(way)
    }

    /// Why the way from one step to another was chosen last, as `decisionLog` says.
    pub fn reason(&self, from: &NodeId, to: &NodeId) -> Option<&str> {
        let mut entries = self.decision_log.as_array()?.iter().rev();
        let is_rewind =
            |entry: &Value| entry.get("label").and_then(Value::as_str) == Some("rewind");
        let chosen = Some((from.as_str(), to.as_str()));
        let entry = entries.find(|entry| way(entry) == chosen && !is_rewind(entry))?;
        entry.get("reason")?.as_str().map(str::trim).filter(|reason| !reason.is_empty())
    }

    /// `artifacts`, project-relative.
    pub fn artifacts(&self) -> &[String] {
        &self.artifacts
    }

    /// `updatedAt`, when it is there.
    pub fn updated_at(&self) -> Option<Time> {
        self.front.get("updatedAt")?.as_str()?.parse().ok()
    }
}

/// A front matter's failure with the document's name before it.
fn named(failure: Failure) -> Failure {
    failure.retold(|why| general::about(STATE, why))
}

/// From where to where an entry of `decisionLog` leads.
fn way(entry: &Value) -> Option<(&str, &str)> {
    let from = entry.get("from")?.as_str()?.trim();
    Some((from, entry.get("to")?.as_str()?.trim()))
}

fn texts(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}
