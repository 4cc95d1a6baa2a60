//! Every file tool in one run of the real program: what the project looks like afterwards, what
//! the audit log says of each call, and which facts came of it.

use serde_json::{Value, json};
use std::fs;
use support::program::{Sandbox, copy, find, root};

const SECRET: &str = "hunter2-is-the-word";

/// `hello-linear` with a trace of our own: one reply with all these calls, then a closing word.
fn package(sandbox: &Sandbox, calls: &[Value]) -> String {
    let (from, to) = (root().join("templates/packages/hello-linear"), sandbox.path("package"));
    copy(&from, &to);
    let trace = json!({ "schemaVersion": "1", "title": "Every tool", "turns": [
        { "reply": { "calls": calls } }, { "reply": { "text": "Done." } },
    ] });
    fs::write(to.join("assets/demo/demo.trace.json"), trace.to_string()).unwrap();
    to.to_string_lossy().into_owned()
}

fn calls() -> Vec<Value> {
    let call = |name: &str, arguments: Value| json!({ "name": name, "arguments": arguments });
    vec![
        call("fs_list", json!({ "path": "@project" })),
        call("fs_glob", json!({ "pattern": "**/*.md", "expect_min_matches": 1 })),
        call("fs_search", json!({ "path": "@project", "pattern": "two" })),
        call("fs_read", json!({ "path": "@project/a.md", "expect_contains": ["two"] })),
        call("fs_write", json!({ "path": "@project/new.md", "content": "new\n" })),
        call("fs_apply_patch", json!({ "path": "@project/a.md", "patch": "@@\n-two\n+2\n" })),
        call("fs_move", json!({ "from": "@project/new.md", "to": "@project/docs/moved.md" })),
        call("fs_delete", json!({ "path": "@project/old", "recursive": true })),
        call("fs_read", json!({ "path": "@project/.env" })),
        call("fs_read", json!({ "path": "/etc/passwd" })),
        call("fs_write", json!({ "path": "@pkg/x.md", "content": "x" })),
        call("fs_delete", json!({ "path": "@state/workflow.md" })),
        call("fs_move", json!({ "from": "@project/a.md", "to": "@project/../out.md" })),
        call("fs_nothing", json!({ "path": "@project/a.md" })),
    ]
}

#[test]
fn every_call_of_a_run_also_a_refused_one_is_one_line_of_the_audit_log() {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.project().join("old")).unwrap();
    sandbox.write("project/a.md", "one\ntwo\n");
    sandbox.write("project/old/x.md", "x");
    sandbox.write("project/.env", format!("PASSWORD={SECRET}"));
    let package = package(&sandbox, &calls());
    let run = ["run", &package, "--model", "demo", "--approve", "auto", "--json"];
    let done = sandbox.run(&run);
    let ended: Vec<Value> =
        done.events().into_iter().filter(|e| e["event"] == "call_ended").collect();
    assert_eq!(ended.len(), calls().len(), "{done:#?}");

    let state = sandbox.path("store/projects");
    let log = find(&state, "execution.jsonl").expect("the run has a log");
    let text = fs::read_to_string(log).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let id = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let mut logged: Vec<String> = lines.iter().map(|line| id(line, "toolCallId")).collect();
    let mut called: Vec<String> = ended.iter().map(|e| id(&e["data"], "callId")).collect();
    logged.sort();
    called.sort();
    assert_eq!(logged, called, "one line for each call");
    sandbox.shows_no_real_path(&text);
    assert!(!text.contains(SECRET), "{text}");
    let refused = lines.iter().filter(|line| line["output"]["ok"] == false).count();
    assert_eq!(refused, 6, "{text}");

    let project = sandbox.project();
    assert_eq!(fs::read_to_string(project.join("a.md")).unwrap(), "one\n2\n");
    assert_eq!(fs::read_to_string(project.join("docs/moved.md")).unwrap(), "new\n");
    assert!(!project.join("old").exists() && !project.join("new.md").exists());
    let facts: Vec<&str> = ended
        .iter()
        .flat_map(|e| e["data"]["facts"].as_array().into_iter().flatten())
        .filter_map(|fact| fact["kind"].as_str())
        .collect();
    for (kind, count) in
        [("file_written", 2), ("file_moved", 1), ("file_deleted", 1), ("verification", 5)]
    {
        assert_eq!(facts.iter().filter(|k| **k == kind).count(), count, "{kind}: {facts:?}");
    }
}
