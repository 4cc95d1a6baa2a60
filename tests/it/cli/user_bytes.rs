//! Users' bytes are sacred (spec 05), in runs of the real program: files that name folders of this
//! machine are shown, changed and written as an editor would, and nothing that leaves the machine
//! names these folders.

use serde_json::{Value, json};
use std::fs;
use support::program::{Done, Sandbox, copy, find, root};

/// `hello-linear` with a trace of our own: these calls one after another, then a closing word.
pub(super) fn package(sandbox: &Sandbox, calls: &[(&str, Value)]) -> String {
    let (from, to) = (root().join("templates/packages/hello-linear"), sandbox.path("package"));
    copy(&from, &to);
    let call = |(name, arguments): &(&str, Value)| json!({ "reply": { "calls": [{ "name": name, "arguments": arguments }] } });
    let mut turns: Vec<Value> = calls.iter().map(call).collect();
    turns.push(json!({ "reply": { "text": "Done." } }));
    let trace = json!({ "schemaVersion": "1", "title": "Files of a person", "turns": turns });
    fs::write(to.join("assets/demo/demo.trace.json"), trace.to_string()).unwrap();
    to.to_string_lossy().into_owned()
}

fn play(sandbox: &Sandbox, calls: &[(&str, Value)]) -> Done {
    let package = package(sandbox, calls);
    // In the settings: an export takes its own from there.
    sandbox.run(&["settings", "set", "approval.writes", "auto"]).exits(0);
    sandbox.run(&["run", &package, "--model", "demo", "--json"])
}

pub(super) fn results(done: &Done) -> Vec<Value> {
    let ended = done.events().into_iter().filter(|e| e["event"] == "call_ended");
    ended.map(|e| e["data"]["result"].clone()).collect()
}

/// A file such as people have.
fn config(sandbox: &Sandbox) -> String {
    format!(
        "build: /tmp/build\ndata: {}/data\nroot: {}\nurl: file://{}/a%20b.md\n",
        sandbox.path("home").display(),
        sandbox.project().display(),
        sandbox.project().display()
    )
}

const SHOWN: &str = "build: /tmp/build\ndata: ⟦folder:home⟧/data\nroot: ⟦folder:project⟧\nurl: file:⟦folder:project~fff";

#[test]
fn a_file_that_names_folders_of_this_machine_is_changed_as_in_an_editor() {
    let sandbox = Sandbox::new();
    sandbox.write("project/config.yaml", config(&sandbox));
    sandbox.write("project/same.yaml", config(&sandbox));
    let path = json!({ "path": "@project/config.yaml" });
    let first = play(&sandbox, &[("fs_read", path)]);
    let shown = results(&first)[0]["content"].as_str().unwrap().to_owned();
    assert!(shown.starts_with(SHOWN), "{shown}");

    let again = Sandbox::new();
    again.write("project/config.yaml", config(&again));
    again.write("project/same.yaml", config(&again));
    // The marks of one machine are not those of another, where they tell how a name is spelt.
    let shown = format!(
        "build: /tmp/build\ndata: ⟦folder:home⟧/data\nroot: ⟦folder:project⟧\n{}",
        "added: ⟦folder:project⟧/src\n"
    );
    let replace = json!({ "path": "@project/config.yaml", "patch": {
        "operation": "replace", "old": "data: ⟦folder:home⟧/data", "new": "data: ⟦folder:home⟧/x",
    } });
    let done = play(
        &again,
        &[
            ("fs_read", json!({ "path": "@project/config.yaml" })),
            ("fs_apply_patch", replace),
            (
                "fs_write",
                json!({ "path": "@project/new.yaml", "content": shown,
                "verify_after_write": true }),
            ),
            (
                "fs_read",
                json!({ "path": "@project/new.yaml",
                "expect_contains": ["added: ⟦folder:project⟧/src"] }),
            ),
            ("fs_write", json!({ "path": "@project/same.yaml", "content": "⟦folder:x⟧" })),
        ],
    );
    let results = results(&done);
    assert!(results[..4].iter().all(|r| r["ok"] == true), "{results:#?}");
    assert_eq!(results[2]["verification"]["passed"], true);
    assert_eq!(results[3]["verification"]["passed"], true);
    assert_eq!(results[4]["error"]["code"], "E_UNKNOWN_MARK");
    let read = |name: &str| fs::read_to_string(again.project().join(name)).unwrap();
    let (home, project) = (again.path("home"), again.project());
    let (home, project) = (home.display(), project.display());
    let wanted = config(&again).replace("/data\n", "/x\n");
    assert_eq!(read("config.yaml"), wanted);
    let added =
        format!("build: /tmp/build\ndata: {home}/data\nroot: {project}\nadded: {project}/src\n");
    assert_eq!(read("new.yaml"), added);
    assert_eq!(read("same.yaml"), config(&again));
}

#[test]
fn the_state_document_has_real_names_on_disk_and_marks_in_the_journal() {
    let sandbox = Sandbox::new();
    let set = json!({ "path": "@state/workflow.md", "patch": { "operation": "updateFrontmatter",
        "update": { "variables": { "set": { "dataDir": "⟦folder:home⟧/data" } } } } });
    let unknown = json!({ "path": "@state/workflow.md", "patch": { "operation": "updateFrontmatter",
        "update": { "variables": { "set": { "dir": "⟦folder:attic⟧" } } } } });
    let read = json!({ "path": "@state/workflow.md" });
    let done = play(
        &sandbox,
        &[("fs_apply_patch", set), ("fs_apply_patch", unknown), ("fs_read", read.clone())],
    );
    let results = results(&done);
    assert_eq!(results[0]["ok"], true, "{results:#?}");
    assert_eq!(results[1]["error"]["code"], "E_UNKNOWN_MARK", "{results:#?}");
    let content = results[2]["content"].as_str().unwrap();
    assert!(content.contains("dataDir: ⟦folder:home⟧/data"), "{content}");
    assert_eq!(results[0]["sha256After"], results[2]["sha256"], "one document, one hash");
    let document = find(&sandbox.path("store/projects"), "workflow.md").unwrap();
    let text = fs::read_to_string(document).unwrap();
    let home = sandbox.path("home");
    assert!(text.contains(&format!("dataDir: {}/data", home.display())), "{text}");
    // Nobody edited it, and going on finds it as it was left.
    let events = sandbox.journal_events();
    assert!(events.iter().all(|e| e["event"] != "state_rejected"), "{events:#?}");
    assert!(events.iter().all(|e| e["data"]["by"] != "user"), "{events:#?}");
    sandbox.shows_no_real_path(&json!(events).to_string());
}

#[test]
fn a_run_that_wrote_such_files_leaves_the_machine_without_their_folders_and_is_replayed() {
    let sandbox = Sandbox::new();
    let content = "root: ⟦folder:project⟧\nhome: ⟦folder:home⟧/x\n";
    sandbox.write("project/config.yaml", config(&sandbox));
    let replace = json!({ "path": "@project/config.yaml", "patch": {
        "operation": "replace", "old": "/tmp/build", "new": "/tmp/other",
    } });
    play(
        &sandbox,
        &[
            ("fs_write", json!({ "path": "@project/new.yaml", "content": content })),
            ("fs_read", json!({ "path": "@project/new.yaml" })),
            ("fs_apply_patch", replace),
            ("fs_read", json!({ "path": "@project/config.yaml" })),
            ("fs_write", json!({ "path": "@project/artifacts/plain.md", "content": "plain\n" })),
        ],
    );
    let run = sandbox.run_id();
    sandbox.run(&["runs", "export", &run, "-o", "run.crewrun", "--json"]).exits(0);
    let report = sandbox.run(&["runs", "replay", "run.crewrun", "--json"]).exits(0).json();
    assert_eq!(report["identical"], true, "{report:#}");
    let taken: Vec<&str> = report["fromRecord"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|t| t["path"].as_str())
        .collect();
    let theirs = ["@project/new.yaml", "@project/config.yaml"];
    assert!(taken.iter().all(|path| theirs.contains(path)), "{report:#}");
    assert!(!taken.is_empty(), "their bytes are this machine's alone: {report:#}");
}

#[test]
fn a_state_document_whose_real_names_are_too_long_for_a_file_does_not_stop_the_run() {
    let sandbox = Sandbox::new();
    // The name of the home folder, every letter of it encoded eight times over.
    let home = sandbox.path("home");
    let parts = home.to_str().unwrap().split('/').skip(1);
    let how: Vec<String> = parts.map(|part| format!("r.{}p8a", part.len())).collect();
    let mark = format!("⟦folder:home~{}⟧", how.join("."));
    let long = mark.repeat(5_000);
    assert!(long.len() < 512 * 1024, "within the limits with marks");
    let set = json!({ "path": "@state/workflow.md", "patch": { "operation": "updateFrontmatter",
        "update": { "variables": { "set": { "dirs": long } } } } });
    let unset = json!({ "path": "@state/workflow.md", "patch": { "operation": "updateFrontmatter",
        "update": { "variables": { "set": { "dirs": "⟦folder:home⟧" } } } } });
    let list = json!({ "path": "@project" });
    let calls = [("fs_apply_patch", set), ("fs_list", list), ("fs_apply_patch", unset)];
    let done = play(&sandbox, &calls).exits(3);
    let results = results(&done);
    assert_eq!(results.len(), 3, "{done:#?}");
    assert!(results.iter().all(|r| r["ok"] == true), "{done:#?}");
    let document = find(&sandbox.path("store/projects"), "workflow.md").unwrap();
    let text = fs::read_to_string(document).unwrap();
    assert!(text.contains(&format!("dirs: {}\n", home.display())), "{text}");
}
