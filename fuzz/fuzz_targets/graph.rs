//! The graph of a package with its conditions, and the variables a model may set: no panic, no
//! hang, and what cannot be judged opens no way.

#![no_main]

use kernel::graph::{Graph, check_condition, condition_holds};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|data: &[u8]| {
    let Ok(data) = std::str::from_utf8(data) else { return };
    let Some((graph, variables)) = data.split_once('\u{1}') else { return };
    let Ok(variables) = serde_json::from_str::<Value>(variables) else { return };
    if let Ok(condition) = serde_json::from_str::<Value>(graph) {
        let fits = check_condition(&condition).is_ok();
        assert!(
            fits || !condition_holds(&condition, &variables),
            "no condition holds: {condition}"
        );
    }
    let Ok(graph) = serde_json::from_str::<Graph>(graph) else { return };
    assert!(graph.execution_order().len() <= graph.nodes.len());
    for node in &graph.nodes {
        let ways = graph.ways(&node.id, &variables);
        assert_eq!(ways.len(), graph.outgoing(&node.id).count());
        for (edge, open) in ways {
            let broken = edge.condition_expr.as_ref().is_some_and(|e| check_condition(e).is_err());
            assert!(edge.is_default || !broken || open == Some(false));
            assert!(graph.reachable_from(&node.id).contains(&edge.to));
        }
    }
});
