//! Warnings about the shape of a graph: what can't be reached, what never ends, what loops
//! without a way out (spec 03 "Warnings").
//!
//! Works on indices with adjacency lists: linear in nodes and edges, so that a hostile graph of
//! a megabyte costs nothing.

use std::collections::BTreeMap;

use super::files::PackageReader;
use crate::graph::{Graph, NodeType};
use crate::phrase::{advice, findings};

struct Shape<'a> {
    graph: &'a Graph,
    out: Vec<Vec<usize>>,
    into: Vec<Vec<usize>>,
    entry: usize,
}

/// Adds the warnings of a graph whose entry exists. Dangling edges are ignored here.
pub(super) fn warn(reading: &mut PackageReader<'_>, path: &str, graph: &Graph) {
    let Some(shape) = Shape::of(graph) else { return };
    shape.warn_reach(reading, path);
    shape.warn_entries(reading, path);
    shape.warn_cycles(reading, path);
    warn_defaults(reading, path, graph);
}

impl<'a> Shape<'a> {
    fn of(graph: &'a Graph) -> Option<Self> {
        let mut index = BTreeMap::new();
        for (at, node) in graph.nodes.iter().enumerate() {
            index.entry(&node.id).or_insert(at);
        }
        let mut out = vec![Vec::new(); graph.nodes.len()];
        let mut into = vec![Vec::new(); graph.nodes.len()];
        for edge in &graph.edges {
            if let (Some(&from), Some(&to)) = (index.get(&edge.from), index.get(&edge.to)) {
                out[from].push(to);
                into[to].push(from);
            }
        }
        let entry = *index.get(&graph.entry_node_id)?;
        Some(Self { graph, out, into, entry })
    }

    fn names(&self, which: impl Iterator<Item = usize>) -> String {
        let all: Vec<usize> = which.collect();
        let mut text: Vec<String> =
            all.iter().take(10).map(|&at| format!("`{}`", self.graph.nodes[at].id)).collect();
        if all.len() > 10 {
            text.push(format!("… (+{})", all.len() - 10));
        }
        text.join(", ")
    }

    fn warn_reach(&self, reading: &mut PackageReader<'_>, path: &str) {
        let reached = spread(&self.out, [self.entry]);
        for (at, node) in self.graph.nodes.iter().enumerate() {
            if !reached[at] {
                reading.warning(
                    path,
                    "unreachable-node",
                    findings::node_unreachable(&node.id),
                    advice::add_edge(),
                );
            }
        }
        let is_end = |at: &usize| self.kind(*at) == NodeType::End || self.out[*at].is_empty();
        let ends = (0..self.graph.nodes.len()).filter(is_end);
        let ending = spread(&self.into, ends);
        let stuck: Vec<usize> =
            (0..self.graph.nodes.len()).filter(|&at| reached[at] && !ending[at]).collect();
        if !stuck.is_empty() {
            reading.warning(
                path,
                "no-end",
                findings::never_ends(self.names(stuck.into_iter())),
                advice::lead_to_end(),
            );
        }
    }

    fn kind(&self, at: usize) -> NodeType {
        self.graph.nodes[at].kind
    }

    fn warn_entries(&self, reading: &mut PackageReader<'_>, path: &str) {
        let starts: Vec<usize> =
            (0..self.into.len()).filter(|&at| self.into[at].is_empty()).collect();
        if starts.len() > 1 {
            reading.warning(
                path,
                "several-entries",
                findings::several_entries(self.names(starts.into_iter())),
                advice::keep_one_start(),
            );
        }
    }

    fn warn_cycles(&self, reading: &mut PackageReader<'_>, path: &str) {
        let part = self.components();
        let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, &component) in part.iter().enumerate() {
            members.entry(component).or_default().push(at);
        }
        for (component, nodes) in members {
            let loops = nodes.len() > 1 || self.out[nodes[0]].contains(&nodes[0]);
            if !loops {
                continue;
            }
            let names = self.names(nodes.iter().copied());
            if !nodes.iter().any(|&at| self.kind(at) == NodeType::Decision) {
                reading.warning(
                    path,
                    "cycle-missing-decision",
                    findings::loop_without_decision(&names),
                    advice::make_decision(),
                );
            }
            if !nodes.iter().any(|&at| self.out[at].iter().any(|&to| part[to] != component)) {
                reading.warning(
                    path,
                    "cycle-missing-exit",
                    findings::loop_without_exit(&names),
                    advice::add_exit(),
                );
            }
        }
    }

    /// The strongly connected component of every node (Kosaraju, without recursion).
    fn components(&self) -> Vec<usize> {
        let mut part = vec![usize::MAX; self.out.len()];
        for root in self.finish_order().into_iter().rev() {
            if part[root] != usize::MAX {
                continue;
            }
            let mut open = vec![root];
            part[root] = root;
            while let Some(at) = open.pop() {
                for &from in &self.into[at] {
                    if part[from] == usize::MAX {
                        part[from] = root;
                        open.push(from);
                    }
                }
            }
        }
        part
    }

    /// Nodes in the order in which a depth-first walk leaves them.
    fn finish_order(&self) -> Vec<usize> {
        let mut seen = vec![false; self.out.len()];
        let mut order = Vec::with_capacity(self.out.len());
        for root in 0..self.out.len() {
            if std::mem::replace(&mut seen[root], true) {
                continue;
            }
            let mut stack = vec![(root, 0)];
            while let Some((at, next)) = stack.pop() {
                match self.out[at].get(next) {
                    Some(&to) => {
                        stack.push((at, next + 1));
                        if !std::mem::replace(&mut seen[to], true) {
                            stack.push((to, 0));
                        }
                    }
                    None => order.push(at),
                }
            }
        }
        order
    }
}

/// Which nodes a walk along `links` from `roots` meets.
fn spread(links: &[Vec<usize>], roots: impl IntoIterator<Item = usize>) -> Vec<bool> {
    let mut seen = vec![false; links.len()];
    let mut open: Vec<usize> = roots.into_iter().collect();
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut seen[at], true) {
            open.extend(&links[at]);
        }
    }
    seen
}

fn warn_defaults(reading: &mut PackageReader<'_>, path: &str, graph: &Graph) {
    let mut counts: BTreeMap<&crate::ids::NodeId, (usize, usize)> = BTreeMap::new();
    for edge in &graph.edges {
        let (edges, defaults) = counts.entry(&edge.from).or_default();
        *edges += 1;
        *defaults += usize::from(edge.is_default);
    }
    for node in &graph.nodes {
        let Some(&(edges, defaults)) = counts.get(&node.id) else { continue };
        // The Builder marks a default only where there is a choice.
        if node.kind == NodeType::Decision && edges > 1 && defaults == 0 {
            let says = findings::no_default_edge(&node.id);
            reading.warning(path, "decision-without-default", says, advice::mark_default());
        }
        if node.kind == NodeType::Decision && edges == 1 {
            let says = findings::one_choice(&node.id);
            reading.warning(path, "decision-without-choice", says, advice::add_choice());
        }
        if defaults > 1 {
            let says = findings::several_default_edges(&node.id, defaults);
            reading.warning(path, "several-defaults", says, advice::keep_one_default());
        }
    }
}
