//! `package show --graph`: the steps of a package's workflows, and the ways between them.

use host::host::Host;
use kernel::code::{ErrorCode, Failure};
use kernel::command::Query;
use kernel::graph::NodeType;
use kernel::ids::{NodeId, PackageId};
use kernel::package::PackageReport;
use kernel::phrase::{Phrase, printed, terminal};
use kernel::wire::{Answer, GraphEdge, GraphNode, GraphView};
use serde::Serialize;

use crate::output::Output;
use crate::print::{StyledText, blocks, paint, rows};

/// A workflow and its graph.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WorkflowGraph {
    workflow_id: String,
    display_name: String,
    graph: GraphView,
}

/// The graphs of an installed package.
pub(crate) async fn graphs(
    host: &Host,
    package_id: &PackageId,
    report: &PackageReport,
) -> Result<Vec<WorkflowGraph>, Failure> {
    let mut graphs = Vec::with_capacity(report.workflows.len());
    for workflow in &report.workflows {
        let workflow_id = workflow.id.clone();
        let query = Query::Graph { package_id: package_id.clone(), workflow_id };
        let Answer::Graph(graph) = host.query(query).await? else {
            return Err(Failure::new(ErrorCode::Internal, terminal::another_answer()));
        };
        graphs.push(WorkflowGraph {
            workflow_id: workflow.id.to_string(),
            display_name: workflow.display_name.clone(),
            graph: *graph,
        });
    }
    Ok(graphs)
}

/// Each workflow, each step of it on a line, and below it the ways that lead on.
pub(crate) fn in_words(graphs: &[WorkflowGraph], out: &Output) -> StyledText {
    blocks(graphs.iter().map(|workflow| {
        let head = rows([paint("1", &workflow.display_name)]);
        let steps = workflow.graph.nodes.iter().map(|node| step(&workflow.graph, node, out));
        blocks([head].into_iter().chain(steps))
    }))
}

fn step(graph: &GraphView, node: &GraphNode, out: &Output) -> StyledText {
    let of_its_own = kind(node.kind).filter(|_| node.calls.is_none());
    let mut about: Vec<String> = of_its_own.map(|kind| out.say(kind)).into_iter().collect();
    if node.id == graph.entry {
        about.insert(0, out.say(printed::graph_entry()));
    }
    about.extend(node.calls.as_ref().map(|called| out.say(printed::graph_calls(called))));
    about.extend(node.agent_id.as_ref().map(ToString::to_string));
    let about = if about.is_empty() { String::new() } else { format!("  ({})", about.join(", ")) };
    let head = format!("  {} {}{about}", sign(node.kind), named(&node.id, &node.title));
    let outputs = node.outputs.iter().map(|output| format!("      + {output}"));
    let place = |id: &NodeId| graph.nodes.iter().position(|node| node.id == *id);
    let edges: Vec<_> = graph.edges.iter().filter(|edge| edge.from == node.id).collect();
    let ways = edges.iter().map(|edge| {
        // A way to a step that stands above leads back.
        let sign = if place(&edge.to) > place(&edge.from) { "→" } else { "↩" };
        format!("      {sign} {}{}", edge.to, why(edge, edges.len() > 1, out))
    });
    rows([head].into_iter().chain(outputs).chain(ways))
}

fn named(id: &NodeId, title: &str) -> String {
    if id.as_str() == title { title.to_owned() } else { format!("{id}  {title}") }
}

/// When a way is gone. The name of the only one says nothing.
fn why(edge: &GraphEdge, is_a_choice: bool, out: &Output) -> String {
    let default = edge.is_default.then(|| out.say(printed::graph_default()));
    let label = Some(edge.label.clone()).filter(|label| is_a_choice && !label.is_empty());
    let why: Vec<String> = [label, edge.condition.clone(), default].into_iter().flatten().collect();
    if why.is_empty() { String::new() } else { format!("  {}", why.join("; ")) }
}

fn sign(kind: NodeType) -> &'static str {
    match kind {
        NodeType::Decision => "◆",
        NodeType::End => "■",
        NodeType::Step | NodeType::Merge | NodeType::Subworkflow => "●",
    }
}

/// What kind of step it is, where that is not the usual one.
fn kind(kind: NodeType) -> Option<Phrase> {
    match kind {
        NodeType::Step => None,
        NodeType::Decision => Some(printed::graph_decision()),
        NodeType::Merge => Some(printed::graph_merge()),
        NodeType::End => Some(printed::graph_end()),
        NodeType::Subworkflow => Some(printed::graph_subworkflow()),
    }
}
