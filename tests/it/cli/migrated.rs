//! `crewagent migrate-electron` as its users run it.

use serde_json::{Value, json};
use support::old_store::{KEY, OTHER_KEY, Old};
use support::program::{Sandbox, has_han};

fn old(sandbox: &Sandbox) -> (Old, String) {
    let folder = sandbox.path("elsewhere");
    std::fs::create_dir(&folder).unwrap();
    let old = Old::make(&folder);
    let dir = old.data.to_string_lossy().into_owned();
    (old, dir)
}

#[test]
fn an_old_store_is_looked_at_then_taken_over_then_there() {
    let sandbox = Sandbox::new();
    let (old, dir) = old(&sandbox);
    let before = old.tree();
    let dry = sandbox.run(&["migrate-electron", &dir, "--dry-run", "--json"]).exits(0);
    assert!(!dry.stderr.contains(KEY) && !dry.stdout.contains(KEY));
    assert_eq!(sandbox.rows("conversations"), 0);
    let dry = dry.json();
    let real = sandbox.run(&["migrate-electron", &dir, "--json"]).exits(0).json();
    assert_eq!(dry["entries"], real["entries"]);
    assert!(old.tree() == before);
    let again = sandbox.run(&["migrate-electron", &dir, "--json", "--yes"]).exits(0).json();
    assert_eq!(again["totals"]["imported"], 0);
    let project = old.project.to_string_lossy().into_owned();
    let runs = sandbox.run(&["runs", "list", "--project", &project, "--json"]).exits(0).json();
    let listed = real["entries"].as_array().unwrap().iter();
    let listed = listed.filter(|e| e["kind"] == "run" && e["outcome"] == "imported").count();
    assert_eq!(runs.as_array().unwrap().len(), listed);
    let shown = sandbox.run(&["snapshot", "run-r-asked", "--json"]).exits(0).json();
    assert_eq!(shown["state"]["currentNodeId"], "step-01-ask");
    assert_eq!(shown["run"]["reason"], "answered");
    let locked = sandbox.run(&["runs", "show", "r-lost", "--json"]).exits(5);
    assert_eq!(locked.error("IMPORT_READ_ONLY")["details"]["code"], "PACKAGE_NOT_FOUND");
}

#[test]
fn a_run_of_the_old_store_is_resumed_by_the_command_line() {
    let sandbox = Sandbox::new();
    let (old, dir) = old(&sandbox);
    sandbox.run(&["migrate-electron", &dir, "--yes"]).exits(0);
    let project = old.project.to_string_lossy().into_owned();
    let resume = ["runs", "resume", "r-asked", "--model", "demo", "--project", &project, "--json"];
    let done = sandbox.run(&resume).exits(0);
    assert_eq!(done.finish()["phase"], "completed");
    assert!(old.project.join("artifacts/plan/roadmap.md").is_file());
}

#[test]
fn the_key_is_taken_over_on_request_and_shown_to_nobody() {
    let sandbox = Sandbox::new();
    let (_old, dir) = old(&sandbox);
    let done = sandbox.run(&["migrate-electron", &dir, "--with-keys", "--json", "-v"]).exits(0);
    for text in [&done.stdout, &done.stderr] {
        assert!(!text.contains(KEY) && !text.contains(OTHER_KEY), "{text}");
    }
    let key = std::fs::read_to_string(sandbox.path("store/model-api-key")).unwrap();
    assert_eq!(key.lines().next(), Some(KEY));
    let entries = done.json()["entries"].clone();
    let key = entries.as_array().unwrap().iter().find(|e| e["kind"] == "key").cloned();
    assert_eq!(key.unwrap()["outcome"], json!("imported"));
}

#[test]
fn a_key_without_an_address_is_of_its_providers_server() {
    let sandbox = Sandbox::new();
    let (_old, dir) = old(&sandbox);
    let llm = json!({ "provider": "openai", "apiKey": KEY });
    let settings = std::path::Path::new(&dir).join("runtime-store/settings.json");
    std::fs::write(settings, json!({ "llm": llm }).to_string()).unwrap();
    sandbox.run(&["migrate-electron", &dir, "--with-keys", "--json"]).exits(0);
    let key = std::fs::read_to_string(sandbox.path("store/model-api-key")).unwrap();
    assert_eq!(key, format!("{KEY}\nhttps://api.openai.com"));
}

#[test]
fn the_key_is_not_taken_over_for_another_server() {
    let sandbox = Sandbox::new();
    let (_old, dir) = old(&sandbox);
    sandbox.run(&["settings", "set", "model.baseUrl", "http://127.0.0.1:9/v1"]).exits(0);
    let done = sandbox.run(&["migrate-electron", &dir, "--with-keys", "--json"]).exits(0);
    let entries = done.json()["entries"].clone();
    let of = |name: &str| entries.as_array().unwrap().iter().find(|e| e["id"] == name).cloned();
    let key = of("llm.apiKey").unwrap();
    assert_eq!((&key["outcome"], &key["code"]), (&json!("skipped"), &json!("IMPORT_KEY_LEFT")));
    assert_eq!(of("llm.provider").unwrap()["outcome"], json!("already"));
    assert!(!sandbox.path("store/model-api-key").exists());
}

#[test]
fn people_are_told_in_their_language_and_a_wrong_folder_is_refused() {
    let sandbox = Sandbox::new();
    let (_old, dir) = old(&sandbox);
    let said = sandbox.run(&["migrate-electron", &dir, "--dry-run", "--lang", "zh"]).exits(0);
    assert!(has_han(&said.stdout) && has_han(&said.stderr));
    let wrong = sandbox.run(&["migrate-electron", ".", "--json"]).exits(5);
    wrong.error("IMPORT_SOURCE_INVALID");
}

/// Everything that an import leaves, but the times and the packages' own rows.
fn rows(sandbox: &Sandbox) -> Vec<Value> {
    let db = sandbox.database();
    let mut out = Vec::new();
    for (table, columns) in [
        ("conversations", "id, project_id, title, message_count"),
        ("runs", "id, conversation_id, package_id, phase, reason"),
        ("messages", "conversation, seq, id, role, content, part_type"),
        ("lines", "conversation, seq, next_seq"),
        ("packages", "id"),
        ("projects", "id, name"),
    ] {
        let sql = format!("SELECT json_array({columns}) FROM {table} ORDER BY {columns}");
        let mut rows = db.prepare(&sql).unwrap();
        let texts = rows.query_map([], |row| row.get::<_, String>(0)).unwrap();
        out.extend(texts.map(|t| serde_json::from_str::<Value>(&t.unwrap()).unwrap()));
    }
    out
}

#[test]
fn an_import_killed_anywhere_is_completed_by_the_next_one() {
    let whole = Sandbox::new();
    let (_old, dir) = old(&whole);
    whole.run(&["migrate-electron", &dir, "--yes"]).exits(0);
    let expected = rows(&whole);
    for entries in [1, 4, 12, 30, 55] {
        let sandbox = Sandbox::new();
        let (_old, dir) = old(&sandbox);
        let mut running = sandbox.start(&["migrate-electron", &dir, "--json"]);
        let mut told = 0;
        while told < entries && !running.note().is_empty() {
            told += 1;
        }
        running.signal("KILL");
        running.end();
        sandbox.run(&["migrate-electron", &dir, "--yes"]).exits(0);
        assert_eq!(rows(&sandbox), expected, "killed after {entries} notes");
    }
}
