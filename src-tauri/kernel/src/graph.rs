//! The graph of a workflow: nodes, edges, and what may follow what (spec 03).
//!
//! The runtime never walks the graph: the model moves by patching the state document, and the
//! guard ([`crate::state_doc`]) asks this module whether the move is legal.

mod conditions;
mod outputs;
mod said;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use strum::{EnumString, IntoStaticStr};

use crate::ids::{AgentId, NodeId, WorkflowId};
use conditions::Conditions;

pub use conditions::{UnfitCondition, check_condition};
pub use outputs::{Unchecked, output_file};
pub(crate) use said::ASKED_OF_PERSON;
pub use said::{PERSON, Premises, SaidInStep};

/// What kind of thing a node is. `merge` runs as a plain step, and so does `subworkflow` when it
/// names no workflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, EnumString, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum NodeType {
    /// Work to do.
    Step,
    /// A choice between edges, to be recorded in `decisionLog`.
    Decision,
    /// Where branches meet.
    Merge,
    /// The workflow is complete once this is in `stepsCompleted`.
    End,
    /// Another workflow of the package is run here; see [`Node::called_workflow`].
    Subworkflow,
}

impl NodeType {
    /// As written in the graph file.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A step of a workflow, with the file that says what is done in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    /// Unique in the graph.
    pub id: NodeId,
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: NodeType,
    /// Step file, relative to the package root.
    pub file: String,
    /// For people.
    #[serde(default)]
    pub title: Option<String>,
    /// For people.
    #[serde(default)]
    pub description: Option<String>,
    /// The workflow that a node of type `subworkflow` calls (format 1.2).
    #[serde(default, deserialize_with = "workflow_or_none")]
    pub subworkflow_ref: Option<WorkflowId>,
    /// Whether that workflow begins with the variables of the one that calls it.
    #[serde(default)]
    pub pass_context: bool,
    /// Who does it; otherwise the run's agent.
    #[serde(default, deserialize_with = "agent_or_none")]
    pub agent_id: Option<AgentId>,
    /// Project-relative files it reads.
    #[serde(default)]
    pub inputs: Vec<String>,
    /// What it promises: project files, but also words; see [`Node::checkable_outputs`].
    #[serde(default)]
    pub outputs: Vec<String>,
}

/// The Builder writes an empty text for "no agent of its own".
fn agent_or_none<'de, D: Deserializer<'de>>(from: D) -> Result<Option<AgentId>, D::Error> {
    let text = Option::<String>::deserialize(from)?.filter(|text| !text.is_empty());
    text.map(AgentId::new).transpose().map_err(D::Error::custom)
}

/// As with agents.
fn workflow_or_none<'de, D: Deserializer<'de>>(from: D) -> Result<Option<WorkflowId>, D::Error> {
    let text = Option::<String>::deserialize(from)?.filter(|text| !text.is_empty());
    text.map(WorkflowId::new).transpose().map_err(D::Error::custom)
}

/// An empty object asks for nothing.
fn condition_or_none<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    let expr = Option::<Value>::deserialize(from)?;
    Ok(expr.filter(|expr| expr.as_object().is_none_or(|map| !map.is_empty())))
}

impl Node {
    /// The title, or the id when there is none.
    pub fn label(&self) -> &str {
        self.title.as_deref().filter(|t| !t.trim().is_empty()).unwrap_or(self.id.as_str())
    }

    /// The workflow that is run in place of the node; `None` for a step of its own.
    pub fn called_workflow(&self) -> Option<&WorkflowId> {
        self.subworkflow_ref.as_ref().filter(|_| self.kind == NodeType::Subworkflow)
    }
}

/// A way from one step of a workflow to another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Edge {
    /// Optional name.
    #[serde(default)]
    pub id: Option<String>,
    /// Where it starts.
    pub from: NodeId,
    /// Where it leads.
    pub to: NodeId,
    /// What choosing it means.
    pub label: String,
    /// Open when no condition of another edge from `from` holds, whatever its own says.
    #[serde(default)]
    pub is_default: bool,
    /// The condition in words, for the model.
    #[serde(default)]
    pub condition_text: Option<String>,
    /// The condition as JSONLogic over the run's variables, for the runtime; see
    /// [`condition_holds`].
    #[serde(default, deserialize_with = "condition_or_none")]
    pub condition_expr: Option<Value>,
}

impl Edge {
    /// Whether its condition asks for what the person said.
    pub fn asks_the_person(&self) -> bool {
        self.condition_expr.as_ref().is_some_and(conditions::asks_the_person)
    }
}

/// What may follow a node, as the prompt and the guard's refusals show it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AllowedNext {
    /// The target.
    pub to: NodeId,
    /// The edge's label.
    pub label: String,
    /// Whether it is the default edge.
    pub is_default: bool,
    /// The condition in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition_text: Option<String>,
    /// Whether the way is open now; absent when no condition says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition_holds: Option<bool>,
}

/// A whole graph. Made by [`crate::package`], which checks that ids are unique, that every edge
/// ends at nodes and that the entry exists.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Graph {
    /// Format version: `1.1` or `1.2`, with or without a third number.
    pub schema_version: String,
    /// Where a run starts.
    pub entry_node_id: NodeId,
    /// In file order.
    pub nodes: Vec<Node>,
    /// In file order.
    #[serde(default)]
    pub edges: Vec<Edge>,
}

impl Graph {
    /// The node with this id.
    pub fn node(&self, id: &NodeId) -> Option<&Node> {
        self.nodes.iter().find(|n| n.id == *id)
    }

    /// The title of a node, or its id when it has none, or is none of this graph.
    pub fn label<'a>(&'a self, id: &'a NodeId) -> &'a str {
        self.node(id).map_or(id.as_str(), Node::label)
    }

    /// The edges that leave `id`, in file order.
    pub fn outgoing<'a>(&'a self, id: &'a NodeId) -> impl Iterator<Item = &'a Edge> {
        self.edges.iter().filter(move |e| e.from == *id)
    }

    /// Whether a run ends at `id`: an `end` node, or one that no edge leaves.
    pub fn is_terminal(&self, id: &NodeId) -> bool {
        let ends = |node: &Node| node.kind == NodeType::End;
        self.node(id).is_some_and(|node| ends(node) || self.outgoing(id).next().is_none())
    }

    /// Where the edges of each node lead, in file order.
    fn followers(&self) -> BTreeMap<&NodeId, Vec<&NodeId>> {
        let mut followers: BTreeMap<&NodeId, Vec<&NodeId>> = BTreeMap::new();
        for edge in &self.edges {
            followers.entry(&edge.from).or_default().push(&edge.to);
        }
        followers
    }

    /// `id` and everything an edge path leads to from it.
    pub fn reachable_from(&self, id: &NodeId) -> BTreeSet<NodeId> {
        let followers = self.followers();
        let mut seen = BTreeSet::new();
        let mut open = vec![id];
        while let Some(next) = open.pop() {
            if seen.insert(next.clone()) {
                open.extend(followers.get(next).into_iter().flatten());
            }
        }
        seen
    }

    /// The edges that leave `from`, each with whether it is open under `given`: an edge with a
    /// condition when that holds, the default edge when no condition of another one does. `None`
    /// when no condition says: the model chooses. When judging them takes too many steps, what was
    /// not judged is closed, and so is the default edge.
    pub fn ways<'a, 'g>(
        &'a self,
        from: &'a NodeId,
        given: impl Into<Premises<'g>>,
    ) -> Vec<(&'a Edge, Option<bool>)> {
        let given = given.into();
        let mut conditions: Option<Conditions> = None;
        let mut exhausted = false;
        let mut holds = |edge: &Edge| {
            let expr = edge.condition_expr.as_ref()?;
            let conditions = conditions.get_or_insert_with(|| Conditions::over(given));
            let held = conditions.hold(expr);
            exhausted |= held.is_err();
            Some(held.unwrap_or(false))
        };
        let edges: Vec<(&Edge, Option<bool>)> =
            self.outgoing(from).map(|e| (e, holds(e))).collect();
        let judged = edges.iter().filter(|(_, held)| held.is_some()).count();
        let held = edges.iter().filter(|(_, held)| *held == Some(true)).count();
        let way = |at: usize| {
            let (edge, own) = edges[at];
            if !edge.is_default {
                return (edge, own);
            }
            let others_hold = held > usize::from(own == Some(true));
            (edge, (judged > 0).then_some(!others_hold && !exhausted))
        };
        (0..edges.len()).map(way).collect()
    }

    /// What may follow `from`, and whether each way is open under `given`.
    pub fn allowed_next<'a>(
        &self,
        from: &NodeId,
        given: impl Into<Premises<'a>>,
    ) -> Vec<AllowedNext> {
        let next = |(e, open): (&Edge, Option<bool>)| AllowedNext {
            to: e.to.clone(),
            label: e.label.clone(),
            is_default: e.is_default,
            condition_text: e.condition_text.clone(),
            condition_holds: open,
        };
        self.ways(from, given).into_iter().map(next).collect()
    }

    /// The nodes in the order a reader expects: breadth first from the entry, then whatever is
    /// unreachable, in file order. What the progress list shows.
    pub fn execution_order(&self) -> Vec<&Node> {
        let followers = self.followers();
        let mut order: Vec<&NodeId> = vec![&self.entry_node_id];
        let mut seen = BTreeSet::from([&self.entry_node_id]);
        let mut at = 0;
        while at < order.len() {
            let next = followers.get(order[at]).into_iter().flatten().copied();
            order.extend(next.filter(|id| seen.insert(*id)));
            at += 1;
        }
        order.extend(self.nodes.iter().map(|node| &node.id).filter(|id| seen.insert(*id)));
        let mut nodes = BTreeMap::new();
        for node in &self.nodes {
            nodes.entry(&node.id).or_insert(node);
        }
        order.into_iter().filter_map(|id| nodes.get(id).copied()).collect()
    }
}

/// Whether a condition holds (guard check 6). One that cannot be judged, or is none, does not: a
/// broken condition must never open an edge.
pub fn condition_holds(expr: &Value, variables: &Value) -> bool {
    Conditions::over(variables.into()).hold(expr).unwrap_or(false)
}

#[cfg(test)]
mod tests;
