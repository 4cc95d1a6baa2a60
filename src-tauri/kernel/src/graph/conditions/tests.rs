use super::*;
use crate::graph::{Edge, Graph, condition_holds};
use crate::ids::NodeId;
use rstest::rstest;
use serde_json::json;

#[rstest]
#[case(json!({ "==": [{ "var": "kind" }, "old"] }), true)]
#[case(json!({ "===": [{ "var": "variables.pages" }, 3] }), true)]
#[case(json!({ "!=": [{ "var": "kind" }, "old"] }), false)]
#[case(json!({ "!==": [{ "var": "pages" }, "3"] }), true)]
#[case(json!({ "<": [1, { "var": "pages" }, 5] }), true)]
#[case(json!({ "<=": [{ "var": "pages" }, 2] }), false)]
#[case(json!({ ">": [{ "var": "size.lines" }, 10] }), true)]
#[case(json!({ ">=": [{ "var": ["none", 7] }, 7] }), true)]
#[case(json!({ "and": [{ "var": "ready" }, { "!": { "var": "none" } }] }), true)]
#[case(json!({ "or": [{ "var": "none" }, { "!!": [{ "var": "parts" }] }] }), true)]
#[case(json!({ "in": [{ "var": "kind" }, ["new", "old"]] }), true)]
#[case(json!({ "in": ["ol", { "var": "kind" }] }), true)]
#[case(json!({ "missing": ["kind", "none"] }), true)]
#[case(json!({ "missing": "kind" }), false)]
#[case(json!({ "if": [{ "var": "ready" }, { "var": "kind" }, false] }), true)]
#[case(json!({ "var": "parts.1" }), true)]
#[case(json!(true), true)]
#[case(json!({}), true)]
fn each_operator_of_the_set_is_judged(#[case] expr: Value, #[case] holds: bool) {
    let variables = json!({ "kind": "old", "pages": 3, "ready": true, "parts": [0, 1],
        "size": { "lines": 11 } });
    assert_eq!(check_condition(&expr), Ok(()));
    assert_eq!(condition_holds(&expr, &variables), holds);
}

#[rstest]
#[case(json!({ "map": [[1], { "var": "" }] }), UnfitCondition::Operator("map".into()))]
#[case(json!({ "!": { "reduce": [[1], 1, 1] } }), UnfitCondition::Operator("reduce".into()))]
#[case(json!({ "==": [{ "cat": ["a"] }, "a"] }), UnfitCondition::Operator("cat".into()))]
#[case(json!([{ "some": [[1], 1] }]), UnfitCondition::Operator("some".into()))]
#[case(json!({ "==": [1, 1], "!": 1 }), UnfitCondition::NotAlone)]
#[case(json!({ "var": { "var": "name" } }), UnfitCondition::Name)]
#[case(json!({ "missing": { "var": "names" } }), UnfitCondition::Name)]
#[case(json!({ "==": [{ "var": "a" }, "a".repeat(CONDITION_TEXT + 1)] }), UnfitCondition::TooLong)]
#[case(json!({ "or": vec![json!(1); CONDITION_PARTS] }), UnfitCondition::TooLong)]
fn anything_else_is_no_condition_and_never_holds(#[case] expr: Value, #[case] why: UnfitCondition) {
    assert_eq!(check_condition(&expr), Err(why));
    assert!(!condition_holds(&expr, &json!({ "name": "name", "names": [] })));
}

#[test]
fn the_bounds_of_a_condition_are_what_they_say() {
    let nested = |deep| (1..deep).fold(json!(true), |inner, _| json!({ "!!": inner }));
    assert_eq!(check_condition(&nested(CONDITION_DEPTH)), Ok(()));
    assert!(condition_holds(&nested(CONDITION_DEPTH), &json!({})));
    let deeper = nested(CONDITION_DEPTH + 1);
    assert_eq!(check_condition(&deeper), Err(UnfitCondition::TooDeep));
    assert!(!condition_holds(&deeper, &json!({})));
    let long = json!({ "or": vec![json!(1); CONDITION_PARTS - 1] });
    assert_eq!(check_condition(&long), Ok(()));
    assert_eq!(check_condition(&json!("a".repeat(CONDITION_TEXT))), Ok(()));
}

/// Three edges: two with conditions, one by default.
fn graph(exprs: &[Value]) -> Graph {
    let mut edges: Vec<Value> = (exprs.iter())
        .map(|expr| json!({ "from": "a", "to": "b", "label": "l", "conditionExpr": expr }))
        .collect();
    edges.push(json!({ "from": "a", "to": "c", "label": "l", "isDefault": true }));
    serde_json::from_value(json!({ "schemaVersion": "1.1", "entryNodeId": "a", "nodes": [],
        "edges": edges }))
    .unwrap()
}

#[test]
fn conditions_that_would_burn_the_steps_of_a_move_open_no_way_not_the_default_one_either() {
    let equal = json!({ "===": [{ "var": "big" }, { "var": "big" }] });
    let many = json!({ "and": vec![equal; 30] });
    let all = graph(&vec![many; 100]);
    let open = |size: usize| -> Vec<Option<bool>> {
        let variables = json!({ "big": vec![1; size] });
        let node = NodeId::new("a").unwrap();
        let ways: Vec<(&Edge, Option<bool>)> = all.ways(&node, &variables);
        ways.into_iter().map(|(_, open)| open).collect()
    };
    assert_eq!(open(100)[0], Some(true));
    assert_eq!(open(100)[100], Some(false), "others hold");
    let spent = open(200_000);
    assert!(spent.iter().all(|open| *open == Some(false)), "{spent:?}");
}
