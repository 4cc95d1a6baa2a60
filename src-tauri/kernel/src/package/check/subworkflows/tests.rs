use serde_json::{Value, json};
use std::collections::BTreeMap;

use crate::bounds::NESTED_WORKFLOWS;
use crate::package::check::tests::{PackageTexts, agent, check, kinds};

/// A package of workflows, each with one step that calls the workflow it is given, or is an end.
fn package(version: &str, calls: &[(&str, Option<&str>)]) -> PackageTexts {
    let mut files = BTreeMap::new();
    let mut workflows = Vec::new();
    for (id, called) in calls {
        let kind = if called.is_some() { "subworkflow" } else { "end" };
        let mut node = json!({ "id": "go", "type": kind, "file": format!("{id}/go.md") });
        let mut nodes = vec![];
        if let Some(called) = called {
            node["subworkflowRef"] = json!(called);
            nodes.push(json!({ "id": "end", "type": "end", "file": format!("{id}/end.md") }));
        }
        nodes.insert(0, node);
        let edges = called.map(|_| json!([{ "from": "go", "to": "end", "label": "next" }]));
        let graph = json!({
            "schemaVersion": version, "entryNodeId": "go", "nodes": nodes, "edges": edges.unwrap_or(json!([])),
        });
        files.insert(format!("{id}/workflow.graph.json"), graph.to_string());
        let front =
            "schemaVersion: \"1.2\"\nworkflowType: demo\nstepsCompleted: []\ncurrentNodeId: \"\"";
        files.insert(format!("{id}/workflow.md"), format!("---\n{front}\n---\n# Demo\n"));
        for (node, kind) in [("go", kind), ("end", "end")] {
            let front = format!("schemaVersion: \"1.2\"\nnodeId: {node}\ntype: {kind}");
            files.insert(format!("{id}/{node}.md"), format!("---\n{front}\n---\n# Go\n"));
        }
        workflows.push(workflow(id));
    }
    let entry = json!({ "workflow": "a/workflow.md", "graph": "a/workflow.graph.json", "agents": "agents.json" });
    let manifest = json!({
        "schemaVersion": "1.2", "name": "nested", "version": "1.0.0", "entry": entry, "workflows": workflows,
    });
    files.insert("bmad.json".to_owned(), manifest.to_string());
    let agents = json!({ "schemaVersion": "1.2", "agents": [agent("ann")] });
    files.insert("agents.json".to_owned(), agents.to_string());
    files
}

fn workflow(id: &str) -> Value {
    json!({ "id": id, "workflow": format!("{id}/workflow.md"), "graph": format!("{id}/workflow.graph.json") })
}

/// The ids of a chain of workflows, each of which calls the next.
fn chain(length: usize) -> Vec<String> {
    (0..length).map(|at| if at == 0 { "a".to_owned() } else { format!("w{at}") }).collect()
}

fn of_chain(length: usize) -> PackageTexts {
    let ids = chain(length);
    let calls: Vec<(&str, Option<&str>)> =
        (0..length).map(|at| (ids[at].as_str(), ids.get(at + 1).map(String::as_str))).collect();
    package("1.2", &calls)
}

#[test]
fn workflows_may_call_one_another_as_deep_as_a_run_may_be() {
    for length in [1, 2, NESTED_WORKFLOWS] {
        let (report, package) = check(&of_chain(length));
        assert_eq!(report.findings, [], "{length}");
        let package = package.unwrap();
        let outermost = package.workflows.iter().filter(|it| !package.is_called(&it.id));
        assert_eq!(outermost.map(|it| it.id.as_str()).collect::<Vec<_>>(), ["a"], "{length}");
    }
    let (report, package) = check(&of_chain(NESTED_WORKFLOWS + 1));
    assert_eq!((kinds(&report), package), (vec!["subworkflow-depth".to_owned()], None));
    assert!(report.findings[0].message.contains("from workflow `a` on 9"), "{report:?}");
}

#[test]
fn a_workflow_that_comes_to_call_itself_is_refused_and_told_once() {
    for calls in [
        &[("a", Some("a"))][..],
        &[("a", Some("b")), ("b", Some("a"))],
        &[("a", Some("b")), ("b", Some("c")), ("c", Some("b"))],
    ] {
        let (report, package) = check(&package("1.2", calls));
        assert_eq!(kinds(&report), ["subworkflow-circle"], "{calls:?}");
        assert!(package.is_none());
        assert!(report.findings[0].message.contains(" → "), "{report:?}");
    }
}

#[test]
fn a_workflow_that_is_not_there_cannot_be_called() {
    let (report, package) = check(&package("1.2", &[("a", Some("b"))]));
    assert_eq!(kinds(&report), ["unknown-workflow"]);
    assert!(package.is_none());
    let found = &report.findings[0];
    assert_eq!(found.instance_path.as_deref(), Some("/nodes/0/subworkflowRef"));
    assert!(found.hint.as_deref().is_some_and(|hint| hint.contains("`bmad.json`")), "{found:?}");
}

#[test]
fn a_graph_of_format_1_1_calls_nothing() {
    let (report, package) = check(&package("1.1", &[("a", Some("b")), ("b", None)]));
    assert_eq!(kinds(&report), ["schema"]);
    assert!(package.is_none());
    let hint = report.findings[0].hint.as_deref().unwrap_or_default();
    assert!(hint.contains("\"1.2\""), "{hint}");
}

#[test]
fn a_step_of_another_type_calls_nothing_and_one_that_names_nothing_is_a_plain_step() {
    let mut files = package("1.2", &[("a", Some("b")), ("b", None)]);
    let graph = files["a/workflow.graph.json"].replace("subworkflow\"", "step\"");
    files.insert("a/workflow.graph.json".to_owned(), graph);
    let step = files["a/go.md"].replace("type: subworkflow", "type: step");
    files.insert("a/go.md".to_owned(), step);
    let (report, package) = check(&files);
    assert_eq!(kinds(&report), ["subworkflow"]);
    assert!(package.is_some_and(|package| !package.is_called(&package.workflows[1].id)));

    let mut files = self::package("1.2", &[("a", Some("b")), ("b", None)]);
    let graph = files["a/workflow.graph.json"].replace(",\"subworkflowRef\":\"b\"", "");
    files.insert("a/workflow.graph.json".to_owned(), graph);
    let (report, package) = check(&files);
    assert_eq!(kinds(&report), ["subworkflow"], "{report:?}");
    assert!(package.is_some());
}

#[test]
fn a_workflow_that_is_called_can_begin_with_its_template() {
    let with = |more: &str| {
        let mut files = package("1.2", &[("a", Some("b")), ("b", None)]);
        let template = files["b/workflow.md"].replace("workflowType: demo", more);
        files.insert("b/workflow.md".to_owned(), template);
        check(&files)
    };
    let (report, package) = with("workflowType: demo\nvariables: &v {a: 1}\nother: *v");
    assert_eq!((kinds(&report), package), (vec!["template".to_owned()], None));
    assert_eq!(report.findings[0].file, "b/workflow.md");
    assert!(with("workflowType: demo\nother: {a: 1}").1.is_some());
}

#[test]
fn what_a_caller_hands_on_is_known_to_the_conditions_of_the_workflow_that_it_calls() {
    let warned = |pass: bool| {
        let mut files = package("1.2", &[("a", Some("b")), ("b", Some("c")), ("c", None)]);
        for (id, set) in [("a", "handedOn"), ("b", "own")] {
            let step = files.get_mut(&format!("{id}/go.md")).unwrap();
            *step = step.replace("nodeId", &format!("setsVariables: [{set}]\nnodeId"));
            let graph = files.get_mut(&format!("{id}/workflow.graph.json")).unwrap();
            let mut changed: Value = serde_json::from_str(graph).unwrap();
            changed["nodes"][0]["passContext"] = json!(pass);
            changed["edges"][0]["conditionExpr"] = json!({ "==": [{ "var": "handedOn" }, 1] });
            *graph = changed.to_string();
        }
        kinds(&check(&files).0)
    };
    assert_eq!(warned(true), [""; 0]);
    assert_eq!(warned(false), ["condition-variable"], "the second workflow knows its own alone");
}

#[test]
fn format_1_1_hands_nothing_on() {
    let mut files = package("1.1", &[("a", None)]);
    let graph = files.get_mut("a/workflow.graph.json").unwrap();
    let mut changed: Value = serde_json::from_str(graph).unwrap();
    changed["nodes"][0]["passContext"] = json!(true);
    *graph = changed.to_string();
    assert_eq!(kinds(&check(&files).0), ["schema"]);
}

#[test]
fn a_way_from_a_calling_step_to_itself_is_told_to_call_nothing() {
    let mut files = package("1.2", &[("a", Some("b")), ("b", None)]);
    let graph = files.get_mut("a/workflow.graph.json").unwrap();
    let mut changed: Value = serde_json::from_str(graph).unwrap();
    let again = json!({ "from": "go", "to": "go", "label": "again" });
    changed["edges"].as_array_mut().unwrap().push(again);
    *graph = changed.to_string();
    let (report, package) = check(&files);
    assert_eq!(kinds(&report), ["cycle-missing-decision", "subworkflow"]);
    assert!(package.is_some());
    assert_eq!(report.findings[1].instance_path.as_deref(), Some("/edges/1"));
}
