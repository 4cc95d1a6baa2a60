//! The graph of a workflow as it is drawn, and where a run stood in it.

use serde::{Deserialize, Serialize};

use crate::event::Author;
use crate::graph::{Edge, Graph, Node, NodeType};
use crate::ids::{AgentId, NodeId, WorkflowId};
use crate::path::{AliasPath, Mount};
use crate::time::Time;
use crate::wire::StepView;
use crate::wire::called::CalledWorkflow;

/// The graph of a workflow, which is the same for all of its runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct GraphView {
    /// Where a run begins.
    pub entry: NodeId,
    /// In the order of the progress list.
    pub nodes: Vec<GraphNode>,
    /// In the order of the package.
    pub edges: Vec<GraphEdge>,
}

/// A step of a workflow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct GraphNode {
    /// Its id.
    pub id: NodeId,
    /// Its title, or its id when it has none.
    pub title: String,
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: NodeType,
    /// For people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub description: Option<String>,
    /// Who does it; the run's agent when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub agent_id: Option<AgentId>,
    /// The workflow that is run in its place; absent for a step of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub calls: Option<WorkflowId>,
    /// The file that says what is done in it; absent when its name cannot be one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub file: Option<AliasPath>,
    /// What it reads.
    pub inputs: Vec<String>,
    /// What it promises: files of the project, but also words.
    pub outputs: Vec<String>,
}

/// A way from one step to another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct GraphEdge {
    /// Where it starts.
    pub from: NodeId,
    /// Where it leads.
    pub to: NodeId,
    /// What choosing it means.
    pub label: String,
    /// Whether it is the way when no condition of another one holds.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub is_default: bool,
    /// When it is the way, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub condition: Option<String>,
}

/// A way that a run went and did not take back; in lists in the order in which they were gone last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct TakenWay {
    /// The step it left.
    pub from: NodeId,
    /// The step it came to.
    pub to: NodeId,
    /// Why, where the decision log says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub reason: Option<String>,
}

/// `progress` of a snapshot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Progress {
    /// In execution order.
    pub steps: Vec<StepView>,
    /// The ways that led to where the run is, without those that a rewind took back.
    #[serde(default)]
    pub ways: Vec<TakenWay>,
    /// The workflow that both are of, when another one called it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub called: Option<CalledWorkflow>,
}

/// Where a run stood when a version of its state document had been accepted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RevisionState {
    /// The sequence number of the event that accepted it.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub seq: u64,
    /// When that was.
    pub at: Time,
    /// Who made it.
    pub by: Author,
    /// How far the run was.
    pub progress: Progress,
    /// The whole document.
    pub text: String,
}

impl From<&Graph> for GraphView {
    fn from(graph: &Graph) -> Self {
        Self {
            entry: graph.entry_node_id.clone(),
            nodes: graph.execution_order().into_iter().map(GraphNode::from).collect(),
            edges: graph.edges.iter().map(GraphEdge::from).collect(),
        }
    }
}

impl From<&Node> for GraphNode {
    fn from(node: &Node) -> Self {
        Self {
            id: node.id.clone(),
            title: node.label().to_owned(),
            kind: node.kind,
            description: node.description.clone().filter(|text| !text.trim().is_empty()),
            agent_id: node.agent_id.clone(),
            calls: node.called_workflow().cloned(),
            file: AliasPath::new(Mount::Pkg, &node.file).ok(),
            inputs: node.inputs.clone(),
            outputs: node.outputs.clone(),
        }
    }
}

impl From<&Edge> for GraphEdge {
    fn from(edge: &Edge) -> Self {
        Self {
            from: edge.from.clone(),
            to: edge.to.clone(),
            label: edge.label.clone(),
            is_default: edge.is_default,
            condition: edge.condition_text.clone().filter(|text| !text.trim().is_empty()),
        }
    }
}
