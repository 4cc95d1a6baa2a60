//! Which changes of files wait for the person when nothing is set: those outside the step's
//! declared outputs and the artifacts folder, and those of files that start by themselves.

use super::program::{Done, Sandbox, copy, root};
use serde_json::{Value, json};
use std::fs;

const DEMO: [&str; 4] = ["--model", "demo", "--json", "--max-turns"];

fn write(path: &str) -> Value {
    let arguments = json!({ "path": format!("@project/{path}"), "content": "a\nb\n" });
    json!({ "name": "fs_write", "arguments": arguments })
}

/// `hello-linear`, whose first step declares these outputs and makes these calls.
fn package(sandbox: &Sandbox, outputs: &[&str], calls: &[Value]) -> String {
    let (from, to) = (root().join("templates/packages/hello-linear"), sandbox.path("package"));
    copy(&from, &to);
    let file = to.join("workflow.graph.json");
    let mut graph: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    graph["nodes"][0]["outputs"] = json!(outputs);
    fs::write(file, graph.to_string()).unwrap();
    let trace = json!({ "schemaVersion": "1", "title": "Writes", "turns": [
        { "reply": { "calls": calls } }, { "reply": { "text": "Done." } },
    ] });
    fs::write(to.join("assets/demo/demo.trace.json"), trace.to_string()).unwrap();
    to.to_string_lossy().into_owned()
}

fn run(sandbox: &Sandbox, package: &str, more: &[&str]) -> Done {
    sandbox.run(&[&["run", package], &DEMO[..], &["9"], more].concat())
}

/// What the run waits for: the file it asks about, if it asks.
fn asked(done: &Done) -> Option<Value> {
    let events = done.events();
    let finished = events.iter().rfind(|e| e["event"] == "turn_finished").unwrap();
    let proposed = events.iter().rfind(|e| e["event"] == "change_proposed");
    let waits = finished["data"]["reason"] == "widget";
    proposed.filter(|_| waits).map(|e| e["data"]["path"].clone())
}

#[test]
fn unset_only_what_was_declared_and_the_artifacts_are_written_without_asking() {
    let sandbox = Sandbox::new();
    let calls = ["artifacts/a.md", "docs/plan.md", "docs/other.md"].map(write);
    let package = package(&sandbox, &["docs/plan.md"], &calls);
    let done = run(&sandbox, &package, &[]).exits(3);
    assert_eq!(asked(&done), Some(json!("@project/docs/other.md")));
    let there = |name: &str| sandbox.project().join(name).exists();
    assert!(there("artifacts/a.md") && there("docs/plan.md") && !there("docs/other.md"));
    // The question is in the output, and is answered by a later process.
    assert!(done.stdout.contains("+a"), "{done:#?}");
    let conversation = format!("run-{}", sandbox.run_id());
    let yes = ["--widget", "tool_approval", "--value", r#"{"confirmed":true}"#];
    sandbox.run(&[&["answer", &conversation][..], &yes, &["--model", "demo"]].concat()).exits(3);
    assert!(there("docs/other.md"));
}

#[test]
fn a_script_says_for_itself_what_asks() {
    for (mode, path) in [
        ("auto", None),
        ("ask-outside", Some("@project/docs/other.md")),
        ("ask", Some("@project/artifacts/a.md")),
    ] {
        let sandbox = Sandbox::new();
        let package = package(&sandbox, &[], &["artifacts/a.md", "docs/other.md"].map(write));
        let done = run(&sandbox, &package, &["--approve", mode]).exits(3);
        assert_eq!(asked(&done), path.map(|path| json!(path)), "{mode}");
    }
    let sandbox = Sandbox::new();
    sandbox.run(&["run", "x", "--approve", "always"]).exits(2);
}

#[test]
fn a_resumed_run_asks_as_its_command_says() {
    let sandbox = Sandbox::new();
    let package = package(&sandbox, &[], &["docs/a.md", "docs/b.md"].map(write));
    run(&sandbox, &package, &["--approve", "ask"]).exits(3);
    let run_id = sandbox.run_id();
    let answers = sandbox.write("yes.json", r#"["y"]"#);
    let resume = ["runs", "resume", &run_id, "--answers", &answers, "--approve", "auto"];
    sandbox.run(&[&resume[..], &["--model", "demo", "--json"]].concat()).exits(3);
    assert!(sandbox.project().join("docs/b.md").exists(), "the second one did not ask");
}

#[test]
fn a_file_that_other_programs_run_asks_also_when_nothing_else_does() {
    for path in [".envrc", ".vscode/tasks.json", "artifacts/.github/workflows/ci.yml"] {
        let sandbox = Sandbox::new();
        let package = package(&sandbox, &[".envrc"], &[write(path)]);
        let done = run(&sandbox, &package, &["--approve", "auto"]).exits(3);
        assert_eq!(asked(&done), Some(json!(format!("@project/{path}"))));
        assert!(!done.stdout.contains(r#""grant""#), "no folder is offered: {done:#?}");
        assert!(!sandbox.project().join(path).exists());
    }
}

#[test]
fn the_bundled_packages_keep_to_what_they_declare() {
    for package in ["hello-linear", "hello-branch", "create-story-micro"] {
        let sandbox = Sandbox::new();
        let package = root().join("templates/packages").join(package);
        let done = run(&sandbox, &package.to_string_lossy(), &[]);
        let asked = done.events().into_iter().find(|e| e["event"] == "change_proposed");
        assert_eq!(asked.filter(|e| e["data"]["callId"].is_string()), None, "{package:?}");
    }
}
