//! The program's own data lies in a folder that is opened as a project, or around it.

use super::user_bytes::{package, results};
use serde_json::{Value, json};
use support::program::Sandbox;

#[test]
fn a_model_reaches_nothing_of_the_programs_own_data_in_a_project_around_it() {
    let sandbox = Sandbox::new();
    let store = sandbox.project().join("s");
    let env = [("CREWAGENT_STORE", store.to_str().unwrap())];
    sandbox.write("project/notes.md", "Notes.");
    let package = package(
        &sandbox,
        &[
            ("fs_list", json!({ "path": "@project", "depth": 2 })),
            ("fs_glob", json!({ "path": "@project", "pattern": "s/projects/**/workflow.md" })),
            ("fs_search", json!({ "path": "@project/s", "pattern": "workflow" })),
            ("fs_read", json!({ "path": "@project/s/logs/app.log" })),
            ("fs_write", json!({ "path": "@project/s/settings.json", "content": "{}" })),
            ("fs_delete", json!({ "path": "@project/s", "recursive": true })),
        ],
    );
    let args = ["run", &package, "--model", "demo", "--approve", "auto", "--json"];
    let results = results(&sandbox.run_with(&args, &env));
    let entries = results[0]["entries"].as_array().unwrap();
    let own = |entry: &Value| entry.as_str().unwrap().starts_with("s/");
    assert!(!entries.iter().any(own) && entries.contains(&json!("notes.md")), "{entries:?}");
    assert_eq!(results.len(), 6);
    for refused in &results[1..] {
        let error = &refused["error"];
        assert_eq!(error["code"], "E_SANDBOX_VIOLATION", "{refused}");
        assert_eq!(error["details"]["reason"], "program_data", "{refused}");
    }
    // It is there, whole, and goes on working.
    assert!(store.join("store.db").is_file() && !store.join("settings.json").exists());
    sandbox.run_with(&["runs", "list", "--json"], &env).exits(0);
}

#[test]
fn a_folder_in_the_programs_own_data_is_no_project() {
    let sandbox = Sandbox::new();
    sandbox.run(&["doctor"]).exits(0);
    std::fs::create_dir(sandbox.path("store/inside")).unwrap();
    for name in ["store", "store/inside"] {
        let folder = sandbox.path(name).to_string_lossy().into_owned();
        for what in [&[][..], &["--as", "copy"]] {
            let args = [&["projects", "open", &folder, "--json"], what].concat();
            let error = sandbox.run(&args).exits(5).error("PROJECT_ROOT_INVALID");
            assert!(error["message"].as_str().unwrap().contains("own data"), "{error:#}");
        }
        assert!(!sandbox.path(name).join(".crewagent.json").exists());
        let told = sandbox.run(&["projects", "open", &folder, "--lang", "zh"]).exits(5);
        assert!(told.stderr.contains("本程序"), "{told:#?}");
    }
    assert_eq!(sandbox.rows("projects"), 0);
}
