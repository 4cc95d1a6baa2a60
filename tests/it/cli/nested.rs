//! Workflows that call workflows (format 1.2), at the command line: what is shown of them, what lies in
//! the folder of the run, and going back to a step that waits.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use support::program::{Sandbox, copy, find, root};

/// The package, with the first replies of the story as its demo.
fn package(sandbox: &Sandbox, replies: usize) -> String {
    let folder = sandbox.path("nested");
    copy(&root().join("tests/fixtures/packages/nested"), &folder);
    let story = root().join("tests/fixtures/stories/workflows-within-workflows.yaml");
    let story: Value = serde_yaml::from_str(&std::fs::read_to_string(story).unwrap()).unwrap();
    let script = story["script"].as_array().unwrap();
    let last = json!({ "text": "What next?" });
    let turn = |reply: &Value| {
        let calls = reply["calls"].as_array().cloned().unwrap_or_default();
        json!({ "reply": { "text": reply["text"], "calls": calls } })
    };
    let turns: Vec<Value> = script
        .iter()
        .take(replies)
        .chain((replies < script.len()).then_some(&last))
        .map(turn)
        .collect();
    let trace = json!({ "schemaVersion": "1", "turns": turns, "answers": [] });
    let demo = folder.join("assets/demo");
    std::fs::create_dir_all(&demo).unwrap();
    std::fs::write(demo.join("demo.trace.json"), trace.to_string()).unwrap();
    folder.to_string_lossy().into_owned()
}

fn text(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

fn state_folder(sandbox: &Sandbox) -> PathBuf {
    let run = sandbox.run_id();
    let file = find(&sandbox.path("store"), "run.md").unwrap();
    assert!(file.to_string_lossy().contains(&run));
    file.parent().unwrap().to_owned()
}

#[test]
fn a_run_within_four_workflows_shows_what_waits_for_what() {
    let sandbox = Sandbox::new();
    let package = package(&sandbox, 2);
    sandbox.run(&["run", &package, "--model", "demo"]).exits(3);
    let run = sandbox.run_id();
    let shown = sandbox.run(&["runs", "show", &run]).exits(0).stdout;
    let steps = "
  ▸ The chapter  (Book, 1 of 3 steps)
    ▸ The section  (Chapter, 1 of 3 steps)
      ▸ The note  (Section, 0 of 2 steps)
        ▸ Jot it down
";
    assert!(shown.contains(steps), "{shown}");
    let list = sandbox.run(&["runs", "list"]).exits(0).stdout;
    assert!(list.contains("The chapter") && list.contains("1 of 3 steps"), "{list}");
    let snapshot = sandbox.run(&["runs", "show", &run, "--json"]).exits(0).json();
    let called = &snapshot["progress"]["called"];
    assert_eq!(called["workflowId"], "note", "{called}");
    assert_eq!(called["callers"][1]["workflowId"], "chapter", "{called}");
    let revisions = sandbox.run(&["runs", "revisions", &run]).exits(0).stdout;
    assert!(revisions.contains("Jot it down") && revisions.contains("Draft"), "{revisions}");

    let folder = state_folder(&sandbox);
    let run_file = text(&folder, "run.md");
    assert!(run_file.contains("activeWorkflowId: note"), "{run_file}");
    assert!(
        run_file.contains("nodeId: write") && run_file.contains("workflowId: book"),
        "{run_file}"
    );
    assert_eq!(text(&folder, "workflows/note/workflow.md"), text(&folder, "workflow.md"));
    assert!(text(&folder, "workflows/book/workflow.md").contains("topic: tea"));
    assert!(
        text(&folder, "workflows/chapter/workflow.md").contains("topic: tea"),
        "it was passed on"
    );
    assert!(!text(&folder, "workflow.md").contains("topic"), "it was not passed on");
}

#[test]
fn a_run_is_taken_back_to_a_step_that_waits_and_the_workflows_below_it_are_given_up() {
    let sandbox = Sandbox::new();
    let package = package(&sandbox, 2);
    sandbox.run(&["run", &package, "--model", "demo"]).exits(3);
    let run = sandbox.run_id();
    let nowhere = sandbox.run(&["runs", "rewind", &run, "--to", "read", "--yes"]).exits(5);
    assert!(nowhere.stderr.contains("go back to: jot, write, draft, plan."), "{}", nowhere.stderr);
    let back = sandbox.run(&["runs", "rewind", &run, "--to", "draft", "--yes"]).exits(0);
    assert!(back.stdout.contains("Draft"), "{}", back.stdout);
    assert!(
        !sandbox.project().join("artifacts/chapter.md").exists(),
        "it is as it was at the draft"
    );
    assert!(sandbox.project().join("artifacts/plan.md").exists());
    let shown = sandbox.run(&["runs", "show", &run]).exits(0).stdout;
    assert!(shown.contains("▸ The chapter  (Book, 1 of 3 steps)\n    ▸ Draft\n"), "{shown}");
    let run_file = text(&state_folder(&sandbox), "run.md");
    assert!(run_file.contains("activeWorkflowId: chapter"), "{run_file}");
}

#[test]
fn a_package_of_nested_workflows_passes_its_own_test_and_its_run_can_be_recorded() {
    let sandbox = Sandbox::new();
    let package = package(&sandbox, 100);
    let done = sandbox.run(&["run", &package, "--model", "demo"]).exits(0);
    assert!(done.stdout.contains("The book is written."), "{}", done.stdout);
    let run_file = text(&state_folder(&sandbox), "run.md");
    assert!(run_file.contains("activeWorkflowId: book"), "{run_file}");
    assert!(run_file.contains("callStack: []"), "{run_file}");
    let note = text(&state_folder(&sandbox), "workflows/note/workflow.md");
    assert!(note.contains("workflowStatus: complete"), "{note}");
    let trace = format!("{package}/assets/demo/demo.trace.json");
    let run = sandbox.run_id();
    let record = ["runs", "record", &run, "-o", &trace];
    sandbox.run(&record).exits(5);
    std::fs::remove_file(&trace).unwrap();
    sandbox.run(&record).exits(0);
    sandbox.run(&["package", "test", &package]).exits(0);
    let graphs = sandbox.run(&["package", "show", "nested", "--graph"]).exits(0).stdout;
    assert!(graphs.contains("● write  The chapter  (calls workflow chapter)"), "{graphs}");
}

#[test]
fn a_test_of_several_workflows_says_where_the_trace_names_one() {
    let sandbox = Sandbox::new();
    let package = package(&sandbox, 100);
    let manifest = format!("{package}/bmad.json");
    let mut listed: Value =
        serde_json::from_str(&std::fs::read_to_string(&manifest).unwrap()).unwrap();
    let workflows = listed["workflows"].as_array_mut().unwrap();
    let mut other = workflows.last().unwrap().clone();
    other["id"] = json!("other");
    workflows.push(other);
    std::fs::write(manifest, listed.to_string()).unwrap();
    let failed = sandbox.run(&["package", "test", &package]).exits(4).stdout;
    assert!(failed.contains("has 6 workflows; name one"), "{failed}");
    assert!(failed.contains("`\"workflow\": \"ID\"`"), "{failed}");
    let file = format!("{package}/assets/demo/demo.trace.json");
    let mut trace: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    trace["workflow"] = json!("book");
    std::fs::write(file, trace.to_string()).unwrap();
    sandbox.run(&["package", "test", &package]).exits(0);
}
