//! The bundled packages are good, and their demo traces are legal walks that end.

use super::*;
use kernel::graph::condition_holds;
use kernel::ids::NodeId;
use kernel::package::Workflow;
use serde_json::{Map, json};

const ALL: [&str; 6] = [
    "create-story-micro",
    "hello-branch",
    "hello-honest",
    "hello-linear",
    "plan-a-project",
    "plan-a-project-zh",
];

#[test]
fn every_step_of_a_bundled_package_can_be_opened_in_the_builders_editor() {
    for name in ALL {
        for (path, bytes) in bundled::files(name).unwrap() {
            let text = String::from_utf8(bytes).unwrap();
            let has = |heading: &str| text.lines().any(|line| line == heading);
            let is_step = path.starts_with("steps/");
            assert!(!is_step || (has("## Goal") && has("## Instructions")), "{name}/{path}");
        }
    }
}

#[test]
fn six_packages_come_with_the_program_and_have_no_findings() {
    assert_eq!(bundled::list(), ALL);
    for name in ALL {
        let inspected = bundled::inspect(name).unwrap();
        assert_eq!(inspected.report.findings, [], "{name}");
        assert_eq!(inspected.usable().unwrap().workflows.len(), 1);
        assert!(inspected.has_demo(), "{name}");
    }
    let failure = bundled::inspect("../templates").unwrap_err();
    assert_eq!(failure.code, ErrorCode::PackageNotFound);
    assert!(failure.action.unwrap().contains("hello-branch"));
}

#[test]
fn the_bundled_copy_is_the_one_in_the_repository() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../templates/packages");
    for name in ALL {
        let on_disk = inspect(&root.join(name)).unwrap();
        assert_eq!(on_disk.files().unwrap(), bundled::files(name).unwrap(), "{name}");
    }
}

/// What a trace does to the state, under the guard's rules for moves.
struct TraceWalk<'a> {
    workflow: &'a Workflow,
    package: &'a Inspected,
    current: NodeId,
    completed: Vec<String>,
    variables: Map<String, Value>,
    written: Vec<String>,
    read_here: Vec<String>,
}

impl TraceWalk<'_> {
    fn call(&mut self, call: &Value) {
        let arguments = &call["arguments"];
        let path = arguments["path"].as_str().unwrap_or_default();
        match call["name"].as_str().unwrap() {
            "fs_read" => {
                if let Some(rel) = path.strip_prefix("@pkg/") {
                    assert!(
                        self.package.content.files.files.contains_key(rel),
                        "{path} is not in the package"
                    );
                    self.read_here.push(rel.to_owned());
                }
            }
            "fs_list" => {}
            "fs_write" => {
                let rel = path.strip_prefix("@project/").unwrap();
                assert!(rel.starts_with("artifacts/"));
                assert!(arguments["content"].as_str().unwrap().len() > 100, "{path} is empty talk");
                self.written.push(rel.to_owned());
            }
            "fs_apply_patch" => {
                assert_eq!(path, "@state/workflow.md");
                assert_eq!(arguments["patch"]["operation"], "updateFrontmatter");
                self.patch(&arguments["patch"]["update"]);
            }
            "ui_ask_user" => assert!(arguments["widgetId"].is_string()),
            other => panic!("{other} is not a tool"),
        }
    }

    fn patch(&mut self, update: &Value) {
        for (key, value) in at(update, "/variables/set").as_object().into_iter().flatten() {
            self.variables.insert(key.clone(), value.clone());
        }
        for done in at(update, "/stepsCompleted/append").as_array().into_iter().flatten() {
            self.complete(done.as_str().unwrap());
        }
        if let Some(to) = at(update, "/currentNodeId/set").as_str() {
            self.go(&NodeId::new(to).unwrap(), update);
        }
        for artifact in at(update, "/artifacts/append").as_array().into_iter().flatten() {
            assert!(self.written.contains(&artifact.as_str().unwrap().to_owned()), "{artifact}");
        }
    }

    fn complete(&mut self, id: &str) {
        assert_eq!(id, self.current.as_str(), "only the current node is completed");
        let node = self.workflow.graph.node(&self.current).unwrap();
        assert!(self.read_here.contains(&node.file), "{} was not read", node.file);
        for output in &node.outputs {
            assert!(self.written.contains(output), "{output} was promised by {id}");
        }
        self.completed.push(id.to_owned());
    }

    fn go(&mut self, to: &NodeId, update: &Value) {
        let from = self.current.clone();
        assert!(self.completed.iter().any(|id| id == from.as_str()));
        let graph = &self.workflow.graph;
        let edge = graph.outgoing(&from).find(|e| e.to == *to).expect("a legal edge");
        let variables = Value::Object(self.variables.clone());
        if let Some(expr) = &edge.condition_expr {
            assert!(condition_holds(expr, &variables), "{from} → {to} is closed");
        }
        if graph.node(&from).unwrap().kind == kernel::graph::NodeType::Decision {
            let entry = at(update, "/decisionLog/append/0");
            assert_eq!(
                (&entry["from"], &entry["to"]),
                (&json!(from.as_str()), &json!(to.as_str()))
            );
        }
        self.current = to.clone();
        self.read_here.clear();
    }
}

#[rstest]
fn a_demo_trace_is_a_legal_walk_to_the_end(
    #[values("create-story-micro", "hello-branch", "hello-linear")] name: &str,
) {
    let package = bundled::inspect(name).unwrap();
    let trace: Value = serde_json::from_str(&package.first_demo().unwrap().unwrap()).unwrap();
    let workflow = &package.usable().unwrap().workflows[0];
    let mut walk = TraceWalk {
        workflow,
        package: &package,
        current: workflow.graph.entry_node_id.clone(),
        completed: Vec::new(),
        variables: Map::new(),
        written: Vec::new(),
        read_here: Vec::new(),
    };
    let turns = trace["turns"].as_array().unwrap();
    let mut answers = trace["answers"].as_array().unwrap().iter();
    for (index, turn) in turns.iter().enumerate() {
        let calls: &[Value] = turn["reply"]["calls"].as_array().map_or(&[], Vec::as_slice);
        for call in calls {
            walk.call(call);
        }
        let asked = calls.iter().find(|c| c["name"] == "ui_ask_user");
        let pauses = asked.is_some() || (calls.is_empty() && index + 1 < turns.len());
        if pauses {
            let answer = answers.next().expect("an answer for every pause");
            let wanted = asked.map_or(&Value::Null, |c| &c["arguments"]["widgetId"]);
            assert_eq!(&answer["widgetId"], wanted, "turn {index}");
            assert_eq!(at(&turns[index + 1], "/when/widgetId"), wanted, "turn {index}");
        }
    }
    assert_eq!(answers.next(), None, "every answer is used");
    let end = workflow.graph.node(&walk.current).unwrap();
    assert_eq!(end.kind, kernel::graph::NodeType::End);
    assert_eq!(walk.completed.last().map(String::as_str), Some(end.id.as_str()));
    assert_eq!(walk.variables["workflowStatus"], "complete");
    let last = &turns.last().unwrap()["reply"];
    assert!(last["text"].is_string() && last["calls"].is_null(), "a closing message");
}

#[test]
fn the_golden_path_writes_its_six_files_and_probes_a_file_that_is_not_there() {
    let package = bundled::inspect("create-story-micro").unwrap();
    let trace = package.first_demo().unwrap().unwrap();
    for file in ["target", "inputs", "context", "sprint-status-update", "summary"] {
        assert!(trace.contains(&format!("@project/artifacts/create-story/{file}.md")), "{file}");
    }
    assert!(trace.contains("@project/artifacts/stories/2-3-export-csv.md"));
    let trace: Value = serde_json::from_str(&trace).unwrap();
    let probe = trace["turns"][0]["reply"]["calls"].as_array().unwrap().last().unwrap();
    assert_eq!(probe["arguments"]["path"], "@project/artifacts/sprint-status.yaml");
    assert_eq!(trace["turns"][1]["when"]["lastToolOk"], false);
    let graph = &package.usable().unwrap().workflows[0].graph;
    let end = graph.nodes.last().unwrap();
    assert_eq!(end.agent_id.as_ref().unwrap().as_str(), "summarizer");
}
