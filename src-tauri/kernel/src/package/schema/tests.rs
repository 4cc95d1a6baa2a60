use super::*;
use rstest::rstest;
use serde_json::json;

#[rstest]
#[case(SchemaKind::Manifest)]
#[case(SchemaKind::Agents)]
#[case(SchemaKind::Graph)]
#[case(SchemaKind::Workflow)]
#[case(SchemaKind::Step)]
fn every_schema_compiles(#[case] kind: SchemaKind) {
    assert_eq!(kind.compiled().as_ref().err(), None);
}

#[test]
fn all_errors_are_reported_each_with_place_rule_and_advice() {
    let value = json!({
        "schemaVersion": "2.0", "version": "1", "colour": "red",
        "entry": {"workflow": "workflow.md", "graph": "workflow.graph.json", "agents": 7}
    });
    let found = validate(SchemaKind::Manifest, "bmad.json", &value);
    let by = |text: &str| {
        found
            .iter()
            .find(|f| f.hint.as_deref().is_some_and(|h| h.contains(text)))
            .unwrap_or_else(|| panic!("no hint has {text:?}: {found:#?}"))
    };
    assert_eq!(by("unknown property `colour`").instance_path.as_deref(), Some(""));
    assert_eq!(by("missing property `name`").schema_path.as_deref(), Some("/required"));
    assert_eq!(by("formats 1.1").instance_path.as_deref(), Some("/schemaVersion"));
    assert_eq!(by("three numbers").instance_path.as_deref(), Some("/version"));
    assert_eq!(by("in quotes: \"7\"").instance_path.as_deref(), Some("/entry/agents"));
    assert_eq!(found.len(), 5, "{found:#?}");
}

#[test]
fn the_allowed_values_are_listed() {
    let graph = json!({"schemaVersion": "1.1", "entryNodeId": "a", "edges": [],
        "nodes": [{"id": "a", "type": "stop", "file": "a.md"}]});
    let found = validate(SchemaKind::Graph, "g.json", &graph);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].instance_path.as_deref(), Some("/nodes/0/type"));
    let hint = found[0].hint.as_deref().unwrap();
    assert!(hint.contains(r#""step", "decision", "merge", "end", "subworkflow""#), "{hint}");
}

fn agent() -> Value {
    json!({"id": "a", "metadata": {"name": "A", "title": "T", "icon": "🙂"},
        "persona": {"role": "r", "identity": "i", "communication_style": "c", "principles": ["p"]}})
}

fn agents(change: impl Fn(&mut Value)) -> Vec<Finding> {
    let mut one = agent();
    change(&mut one);
    validate(SchemaKind::Agents, "agents.json", &json!({"schemaVersion": "1.1", "agents": [one]}))
}

#[test]
fn a_menu_item_is_open_and_everything_else_of_an_agent_is_closed() {
    assert_eq!(agents(|_| ()), []);
    let menu = json!([{"description": "d", "cmd": "x", "triggers": [{"a": {}}], "ide-only": true}]);
    assert_eq!(agents(|a| a["menu"] = menu.clone()), []);
    assert_eq!(agents(|a| a["persona"]["principles"] = json!("one text")), []);
    assert_eq!(agents(|a| a["tools"] = json!({"terminal": {}})).len(), 1);
    assert_eq!(agents(|a| a["metadata"]["extra"] = json!(1)).len(), 1);
    assert_eq!(agents(|a| a["persona"]["principles"] = json!([])).len(), 1);
    assert_eq!(agents(|a| a["persona"]["principles"] = json!("")).len(), 1);
    assert_eq!(agents(|a| a["persona"]["principles"] = json!([""])).len(), 1);
    assert_eq!(agents(|a| a["tools"] = json!({"fs": {"maxReadBytes": 0}})).len(), 1);
    assert_eq!(agents(|a| a["menu"] = json!([{}])).len(), 1);
}

#[test]
fn front_matter_is_open_but_its_decision_log_is_closed() {
    let mut state = json!({"schemaVersion": "1.1", "workflowType": "x", "stepsCompleted": [],
        "currentNodeId": "", "activeAgentId": "a", "custom": {"k": [1]},
        "updatedAt": "2026-01-01T00:00:00Z",
        "decisionLog": [{"from": "a", "to": "b", "label": "l"}]});
    assert_eq!(validate(SchemaKind::Workflow, "workflow.md", &state), []);
    state["decisionLog"][0]["why"] = json!("no");
    state["updatedAt"] = json!("yesterday");
    assert_eq!(validate(SchemaKind::Workflow, "workflow.md", &state).len(), 2);
}

#[test]
fn a_step_may_carry_custom_keys_but_its_transitions_are_closed() {
    let mut step = json!({"schemaVersion": "1.1.0", "nodeId": "a", "type": "step", "x": 1,
        "transitions": [{"to": "b", "label": "next", "isDefault": true}]});
    assert_eq!(validate(SchemaKind::Step, "a.md", &step), []);
    step["transitions"][0]["when"] = json!("x");
    assert_eq!(validate(SchemaKind::Step, "a.md", &step).len(), 1);
}
