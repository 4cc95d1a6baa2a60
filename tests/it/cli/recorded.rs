//! A run as a trace: `runs record`, and the trace played in the place of a package's demo.

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use support::program::{Sandbox, Server, copy, expected_artifacts, has_han, hello_branch, root};

/// A package that has this trace in the place of its demo.
fn with_trace(sandbox: &Sandbox, package: &str, trace: &Path) -> String {
    let folder = sandbox.path("recorded-package");
    copy(&root().join("templates/packages").join(package), &folder);
    fs::copy(trace, folder.join("assets/demo/demo.trace.json")).unwrap();
    folder.to_string_lossy().into_owned()
}

fn record(sandbox: &Sandbox, name: &str) -> (PathBuf, Value) {
    let file = sandbox.path(name);
    let path = file.to_string_lossy().into_owned();
    sandbox.run(&["runs", "record", &sandbox.run_id(), "-o", &path]).exits(0);
    let trace = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    (file, trace)
}

/// A real run of the bundled workflow, answered by a server.
fn played_against_a_server(sandbox: &Sandbox) {
    let server = Server::faulty(Vec::new());
    let answers = sandbox.answers_left();
    let model = ["--base-url", &server.base_url(), "--model", "demo"];
    let package = hello_branch();
    let run = [&["run", &package, "--answers", &answers][..], &model].concat();
    sandbox.run(&run).exits(0);
}

#[test]
fn a_recorded_run_plays_again_without_its_model_and_makes_the_same_files() {
    let sandbox = Sandbox::new();
    played_against_a_server(&sandbox);
    let (file, trace) = record(&sandbox, "run.trace.json");
    assert_eq!(trace["expect"]["phase"], "completed");
    let files: Vec<&str> =
        trace["expect"]["files"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(files, ["@project/artifacts/plan/roadmap.md", "@project/artifacts/plan/vision.md"]);
    let other = Sandbox::new();
    let package = with_trace(&other, "hello-branch", &file);
    let done = other.run(&["run", &package, "--model", "demo", "--json"]).exits(0);
    assert_eq!(done.finish()["phase"], "completed");
    assert_eq!(other.artifacts(), expected_artifacts());
    // Recorded once more it is the same.
    let (_, again) = record(&other, "again.trace.json");
    assert_eq!(again, trace);
}

#[test]
fn a_recording_holds_no_key_and_no_real_path() {
    let sandbox = Sandbox::new();
    let key = "sk-recorded-0123456789abcdef";
    sandbox.run_fed(&["settings", "set-key"], &format!("{key}\n")).exits(0);
    let text = format!("It lies in {} and opens with {key}.", sandbox.project().display());
    let server = Server::saying(&[json!({ "text": text }), json!({ "text": "Go on." })]);
    let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
    let model = ["--base-url", &server.base_url(), "--model", "demo"];
    let said = format!("See {}/notes.", sandbox.project().display());
    sandbox.run_told(&[&["run", &mini, "--input", &said][..], &model].concat(), &[]);
    let (file, trace) = record(&sandbox, "run.trace.json");
    let written = fs::read_to_string(file).unwrap();
    assert!(!written.contains(key), "{written}");
    sandbox.shows_no_real_path(&written);
    assert_eq!(trace["input"], "See @project/notes.");
}

#[test]
fn a_recording_has_its_errors_in_words() {
    let sandbox = Sandbox::new();
    let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
    let nobody = ["--base-url", "http://127.0.0.1:1/v1", "--model", "demo"];
    sandbox.run(&[&["run", &mini][..], &nobody].concat()).exits(6);
    let path = sandbox.path("run.trace.json").to_string_lossy().into_owned();
    let id = sandbox.run_id();
    sandbox.run(&["runs", "record", &id, "-o", &path, "--json"]).error("NOT_NOW");
    let zh = sandbox.run(&["runs", "record", &id, "-o", &path, "--lang", "zh"]);
    assert!(has_han(&zh.stderr) && !Path::new(&path).exists(), "{zh:#?}");
    sandbox.run(&["runs", "record", "none", "-o", &path, "--json"]).error("RUN_NOT_FOUND");
    let sandbox = Sandbox::new();
    played_against_a_server(&sandbox);
    record(&sandbox, "run.trace.json");
    let path = sandbox.path("run.trace.json").to_string_lossy().into_owned();
    let id = sandbox.run_id();
    sandbox.run(&["runs", "record", &id, "-o", &path, "--json"]).error("EXPORT_EXISTS");
    sandbox.run(&["runs", "record", &id, "-o", &path, "--force"]).exits(0);
}
