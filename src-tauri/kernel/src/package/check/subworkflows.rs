//! Workflows that steps call (format 1.2): each is there, none comes to call itself, and they are not
//! nested deeper than a run may be.

use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

use super::files::{PackageReader, shown};
use crate::bounds::NESTED_WORKFLOWS;
use crate::frontmatter;
use crate::graph::{Graph, Node, NodeType};
use crate::ids::{NodeId, WorkflowId};
use crate::package::Workflow;
use crate::phrase::{advice, findings, misfits};

/// Ids that advice lists.
const LISTED: usize = 20;

/// Checks the calls of all workflows.
pub(super) fn check(reading: &mut PackageReader<'_>, workflows: &[Workflow]) {
    let by_id: BTreeMap<&WorkflowId, &Workflow> = workflows.iter().map(|it| (&it.id, it)).collect();
    let mut heights = Heights { by_id: &by_id, known: BTreeMap::new(), path: Vec::new() };
    for workflow in workflows {
        for (at, node) in workflow.graph.nodes.iter().enumerate() {
            refuse_older_context(reading, workflow, at, node);
            let Some(called) = &node.subworkflow_ref else { continue };
            check_call(reading, workflow, at, node, called, &by_id);
        }
        warn_of_loops(reading, workflow);
        let path = workflow.graph_path.as_str();
        match heights.of(&workflow.id) {
            Ok(height) if height > NESTED_WORKFLOWS => {
                let says = findings::nested_too_deep(&workflow.id, height, NESTED_WORKFLOWS);
                reading.error(path, "subworkflow-depth", says, advice::nest_less());
            }
            Ok(_) => {}
            Err(circle) => {
                let says = findings::workflow_calls_itself(circle);
                reading.error(path, "subworkflow-circle", says, advice::break_the_circle());
            }
        }
    }
}

/// Warns of a node that says it is another workflow and names none.
pub(super) fn warn_of_none(reading: &mut PackageReader<'_>, path: &str, node: &Node) {
    if node.kind == NodeType::Subworkflow && node.subworkflow_ref.is_none() {
        let says = findings::runs_as_step(&node.id);
        reading.warning(path, "subworkflow", says, advice::write_into_steps());
    }
}

/// Format 1.1 hands nothing on.
fn refuse_older_context(
    reading: &mut PackageReader<'_>,
    workflow: &Workflow,
    at: usize,
    node: &Node,
) {
    if node.pass_context && !calls_workflows(&workflow.graph) {
        let (path, pointer) = (workflow.graph_path.as_str(), format!("/nodes/{at}/passContext"));
        let says = misfits::unknown_property("`passContext`");
        reading.error_at(path, "schema", &pointer, says, advice::write_newer_format());
    }
}

fn check_call(
    reading: &mut PackageReader<'_>,
    workflow: &Workflow,
    at: usize,
    node: &Node,
    called: &WorkflowId,
    by_id: &BTreeMap<&WorkflowId, &Workflow>,
) {
    let (path, pointer) = (workflow.graph_path.as_str(), format!("/nodes/{at}/subworkflowRef"));
    if !calls_workflows(&workflow.graph) {
        let says = misfits::unknown_property("`subworkflowRef`");
        reading.error_at(path, "schema", &pointer, says, advice::write_newer_format());
    } else if node.kind != NodeType::Subworkflow {
        let says = findings::calls_as_another_type(&node.id, node.kind.as_str());
        reading.warning_at(path, "subworkflow", &pointer, says, advice::make_it_subworkflow());
    } else if let Some(called) = by_id.get(called) {
        check_begins(reading, called);
    } else {
        let some: Vec<&str> = by_id.keys().take(LISTED).map(|id| id.as_str()).collect();
        let says = findings::unknown_subworkflow(&node.id, shown(called.as_str()));
        let advice = advice::use_workflow(some.join(", "));
        reading.error_at(path, "unknown-workflow", &pointer, says, advice);
    }
}

/// Warns of a way from a calling step to itself: to stay on a step is no move, so nothing is called
/// again.
fn warn_of_loops(reading: &mut PackageReader<'_>, workflow: &Workflow) {
    let calling = workflow.graph.nodes.iter().filter(|node| node.called_workflow().is_some());
    let calling: BTreeSet<&NodeId> = calling.map(|node| &node.id).collect();
    for (at, edge) in workflow.graph.edges.iter().enumerate() {
        if edge.from == edge.to && calling.contains(&edge.from) {
            let (path, pointer) = (workflow.graph_path.as_str(), format!("/edges/{at}"));
            let says = findings::calls_once(&edge.from);
            reading.warning_at(path, "subworkflow", &pointer, says, advice::put_a_step_between());
        }
    }
}

/// A workflow that is called begins with its template: what parses may still not be fit for that.
fn check_begins(reading: &mut PackageReader<'_>, workflow: &Workflow) {
    let begun = frontmatter::edit(&workflow.state_template, |front| {
        for (key, value) in [
            ("runId", json!("")),
            ("activeAgentId", json!("")),
            ("workflowRef", json!(workflow.id)),
            ("updatedAt", json!("")),
            ("currentNodeId", json!("")),
            ("stepsCompleted", json!([])),
            ("variables", json!({})),
            ("decisionLog", json!([])),
            ("artifacts", json!([])),
        ] {
            front.insert(key.to_owned(), value);
        }
    });
    if begun.is_err() {
        let (says, advice) = (findings::template_unfit(), advice::write_template_plainly());
        reading.error(&workflow.workflow_path, "template", says, advice);
    }
}

/// Format 1.1 has no calls.
fn calls_workflows(graph: &Graph) -> bool {
    !graph.schema_version.starts_with("1.1")
}

/// How many workflows are under way at once, where one begins.
struct Heights<'a> {
    by_id: &'a BTreeMap<&'a WorkflowId, &'a Workflow>,
    known: BTreeMap<&'a WorkflowId, usize>,
    /// Those being looked at, the outermost first.
    path: Vec<&'a WorkflowId>,
}

impl Heights<'_> {
    /// Of one workflow; the ids of a circle, when one is led into for the first time.
    fn of(&mut self, id: &WorkflowId) -> Result<usize, String> {
        let Some((&id, workflow)) = self.by_id.get_key_value(id) else { return Ok(0) };
        if let Some(&height) = self.known.get(id) {
            return Ok(height);
        }
        if let Some(at) = self.path.iter().position(|open| *open == id) {
            let circle = self.path[at..].iter().copied().chain([id]);
            let names: Vec<String> = circle.map(|id| format!("`{id}`")).collect();
            return Err(names.join(" → "));
        }
        self.path.push(id);
        let mut found = Ok(0);
        for called in workflow.graph.nodes.iter().filter_map(Node::called_workflow) {
            found = match (found, self.of(called)) {
                (Ok(a), Ok(b)) => Ok(a.max(b)),
                (Err(circle), _) | (_, Err(circle)) => Err(circle),
            };
        }
        self.path.pop();
        // A circle is told once.
        self.known.insert(id, found.as_ref().map_or(0, |height| height + 1));
        found.map(|height| height + 1)
    }
}

#[cfg(test)]
mod tests;
