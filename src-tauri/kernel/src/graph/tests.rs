use super::*;
use proptest::prelude::*;
use serde_json::json;

fn graph(nodes: &[u32], edges: &[(u32, u32)]) -> Graph {
    let node = |n: &u32| json!({ "id": format!("n{n}"), "type": "step", "file": "a.md" });
    let edge = |(from, to): &(u32, u32)| json!({ "from": format!("n{from}"), "to": format!("n{to}"), "label": "l" });
    serde_json::from_value(json!({
        "schemaVersion": "1.1", "entryNodeId": "n0",
        "nodes": nodes.iter().map(node).collect::<Vec<_>>(),
        "edges": edges.iter().map(edge).collect::<Vec<_>>(),
    }))
    .unwrap()
}

/// As it was, with a look through all edges and all of the order for each step.
fn slow_order(graph: &Graph) -> Vec<&Node> {
    let mut order: Vec<&NodeId> = vec![&graph.entry_node_id];
    let mut at = 0;
    while at < order.len() {
        let here = order[at];
        for edge in graph.edges.iter().filter(|e| e.from == *here) {
            if !order.contains(&&edge.to) {
                order.push(&edge.to);
            }
        }
        at += 1;
    }
    for node in &graph.nodes {
        if !order.contains(&&node.id) {
            order.push(&node.id);
        }
    }
    order.into_iter().filter_map(|id| graph.node(id)).collect()
}

proptest! {
    #[test]
    fn the_order_is_breadth_first_from_the_entry_then_as_in_the_file(
        nodes in prop::collection::vec(0_u32..12, 0..12),
        edges in prop::collection::vec((0_u32..14, 0_u32..14), 0..30),
    ) {
        let graph = graph(&nodes, &edges);
        let ids = |nodes: Vec<&Node>| nodes.iter().map(|n| n.id.to_string()).collect::<Vec<_>>();
        prop_assert_eq!(ids(graph.execution_order()), ids(slow_order(&graph)));
    }

    #[test]
    fn what_is_reached_is_the_start_and_whatever_an_edge_leads_to_from_it(
        edges in prop::collection::vec((0_u32..9, 0_u32..9), 0..20),
    ) {
        let graph = graph(&[0], &edges);
        let start = NodeId::new("n0").unwrap();
        let reached = graph.reachable_from(&start);
        prop_assert!(reached.contains(&start));
        for edge in &graph.edges {
            prop_assert!(!reached.contains(&edge.from) || reached.contains(&edge.to));
        }
        for id in reached.iter().filter(|id| **id != start) {
            prop_assert!(graph.edges.iter().any(|e| e.to == *id && reached.contains(&e.from)));
        }
    }
}

#[test]
fn a_graph_as_large_as_may_be_is_put_in_order_at_once() {
    let count = u32::try_from(crate::bounds::NODES).unwrap();
    let nodes: Vec<u32> = (0..count).collect();
    let edges: Vec<(u32, u32)> =
        nodes.iter().flat_map(|n| [(*n, (n + 1) % count), (*n, 0)]).collect();
    let graph = graph(&nodes, &edges);
    assert_eq!(graph.execution_order().len(), nodes.len());
    assert_eq!(graph.reachable_from(&graph.entry_node_id).len(), nodes.len());
}
