//! The commands beside a run: packages, settings, the doctor.

use super::exported::unzipped;
use serde_json::json;
use support::program::{Sandbox, hello_branch, root};

#[test]
fn a_package_is_packed_inspected_imported_shown_and_removed() {
    let sandbox = Sandbox::new();
    let folder = hello_branch();
    let packed = sandbox.run(&["package", "pack", &folder, "-o", "branch.bmad", "--json"]);
    let packed = packed.exits(0).json();
    assert_eq!(packed["file"], "branch.bmad");
    assert_eq!(packed["sha256"].as_str().unwrap().len(), 64);
    let again = sandbox.run(&["package", "pack", &folder, "-o", "again.bmad", "--json"]);
    assert_eq!(again.exits(0).json()["sha256"], packed["sha256"]);

    let report = sandbox.run(&["package", "inspect", "branch.bmad", "--json"]).exits(0).json();
    assert_eq!(report["packageId"], packed["packageId"]);
    assert_eq!(report["manifest"]["name"], "hello-branch");
    for list in ["workflows", "agents", "permissions"] {
        assert!(!report[list].as_array().unwrap().is_empty(), "{list}");
    }
    assert!(report["findings"].is_array());
    assert_eq!(sandbox.rows("packages"), 0, "to look is not to install");
    sandbox.run(&["package", "validate", "branch.bmad", "--json"]).exits(0);

    let import = ["package", "import", "branch.bmad", "--yes", "--json"];
    assert_eq!(sandbox.run(&import).exits(0).json()["packageId"], packed["packageId"]);
    assert_eq!(sandbox.run(&import).exits(0).json()["packageId"], packed["packageId"]);
    let list = sandbox.run(&["package", "list", "--json"]).exits(0).json();
    assert_eq!(list.as_array().unwrap().len(), 1);
    assert_eq!(list[0]["hasDemo"], true);
    let shown = sandbox.run(&["package", "show", "hello-branch", "--json"]).exits(0).json();
    assert_eq!(shown["contentHash"], report["contentHash"]);

    let id = packed["packageId"].as_str().unwrap();
    sandbox.run(&["package", "remove", id, "--json"]).exits(0);
    assert_eq!(sandbox.run(&["package", "list", "--json"]).exits(0).json(), json!([]));
    assert!(!sandbox.path("store/packages").join(id).exists());
    sandbox.run(&["package", "remove", id, "--json"]).exits(5).error("PACKAGE_NOT_FOUND");
}

#[test]
fn another_version_shows_what_it_changes() {
    let sandbox = Sandbox::new();
    let mini = root().join("tests/fixtures/packages/mini");
    sandbox.run(&["package", "import", &mini.to_string_lossy(), "--yes", "--json"]).exits(0);
    let newer = sandbox.path("work/newer");
    copy(&mini, &newer);
    let manifest = std::fs::read_to_string(newer.join("bmad.json")).unwrap();
    std::fs::write(newer.join("bmad.json"), manifest.replace("1.0.0", "1.1.0")).unwrap();
    std::fs::write(newer.join("steps/extra.md"), "more").unwrap();
    let report = sandbox.run(&["package", "inspect", "newer", "--json"]).exits(0).json();
    assert_eq!(report["upgrade"]["added"], json!(["steps/extra.md"]));
    assert_eq!(report["upgrade"]["changed"], json!(["bmad.json"]));
}

pub(super) fn copy(from: &std::path::Path, to: &std::path::Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn the_doctor_says_what_is_there_and_what_each_agent_may_do() {
    let sandbox = Sandbox::new();
    let mini = root().join("tests/fixtures/packages/mini");
    sandbox.run(&["package", "import", &mini.to_string_lossy(), "--yes", "--json"]).exits(0);
    let rows = sandbox.run(&["doctor", "--json"]).exits(0).json();
    let row = |check: &str| {
        rows.as_array().unwrap().iter().find(|r| r["check"] == check).unwrap().clone()
    };
    assert_eq!(row("packages")["found"], "1 installed");
    assert_eq!(row("logs")["found"], "[store]/logs");
    assert_eq!(row("model")["ok"], false);
    assert!(row("model")["action"].as_str().unwrap().contains("--base-url"));

    sandbox.run(&["settings", "set", "tools.maxReadBytes", "1000", "--json"]).exits(0);
    let table = sandbox.run(&["doctor", "--policy", "--json"]).exits(0).json();
    assert_eq!(table["system"]["maxReadBytes"], 1000);
    let ann = &table["agents"][0];
    assert_eq!(ann["agentId"], "ann");
    assert_eq!(ann["maxReadBytes"], 1000, "the system's limit");
    assert_eq!(ann["maxWriteBytes"], 4096, "the agent's limit");
    assert!(ann["tools"].as_array().unwrap().contains(&json!("ui_ask_user")));
    assert_eq!(ann["approveWrites"], "ask-outside", "the default");

    // As older programs called it.
    sandbox.run(&["settings", "set", "approval.writes", "ask-outside-artifacts"]).exits(0);
    sandbox.run(&["settings", "set", "confirmation.unbound", "refuse"]).exits(0);
    sandbox.run(&["settings", "set", "approval.writes", "never"]).exits(5);
    let table = sandbox.run(&["doctor", "--policy", "--json"]).exits(0).json();
    assert_eq!(table["approval"]["writes"], "ask-outside");
    assert_eq!(table["confirmation"]["unbound"], "refuse");
    assert_eq!(table["agents"][0]["approveWrites"], "ask-outside");
    let words = sandbox.run(&["doctor", "--policy"]).exits(0).stdout;
    assert!(words.contains("writes outside the outputs and the artifacts folder ask"), "{words}");
    assert!(words.contains("unbound confirmations refused"), "{words}");
}

#[test]
fn settings_are_kept_and_a_wrong_one_changes_nothing() {
    let sandbox = Sandbox::new();
    let set = sandbox.run(&["settings", "set", "engine.maxTurns", "7", "--json"]).exits(0).json();
    assert_eq!(set, json!(7));
    let wrong = sandbox.run(&["settings", "set", "engine.maxTurns", "many", "--json"]).exits(5);
    wrong.error("SETTING_INVALID");
    let got = sandbox.run(&["settings", "get", "engine.maxTurns", "--json"]).exits(0).json();
    assert_eq!(got, json!(7));
    sandbox.run(&["settings", "get", "no.such", "--json"]).exits(5).error("SETTING_INVALID");
}

#[test]
fn looking_for_runs_makes_no_project() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(&["runs", "list", "--json"]).exits(0).json(), json!([]));
    assert_eq!(std::fs::read_dir(sandbox.project()).unwrap().count(), 0);
}

#[test]
fn what_helps_somebody_to_help_is_saved_without_keys_addresses_and_folders() {
    let sandbox = Sandbox::new();
    sandbox.run(&["settings", "set", "model.baseUrl", "https://models.example.org/v1"]).exits(0);
    sandbox.run(&["settings", "set", "model.model", "careful-one"]).exits(0);
    sandbox.run(&["settings", "set", "model.headers", r#"{"x-team":"a-private-word"}"#]).exits(0);
    let saved = sandbox.run(&["doctor", "--save", "help.zip", "--json"]).exits(0).json();
    assert_eq!(saved, json!({ "file": "help.zip" }));

    let files = unzipped(&std::fs::read(sandbox.path("work/help.zip")).unwrap());
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names, ["log.jsonl", "parts.json", "settings.json"]);
    let text = |name: &str| String::from_utf8(files[name].clone()).unwrap();
    let settings: serde_json::Value = serde_json::from_str(&text("settings.json")).unwrap();
    assert_eq!(settings["model"]["model"], "careful-one");
    assert_eq!(settings["model"]["baseUrl"], "remote");
    assert_eq!(settings["model"]["headers"], json!({ "x-team": "hidden" }));
    let parts: serde_json::Value = serde_json::from_str(&text("parts.json")).unwrap();
    assert_eq!(parts[0]["found"], env!("CARGO_PKG_VERSION"));
    let folder = sandbox.path("").to_string_lossy().into_owned();
    for name in names {
        for private in ["a-private-word", "models.example.org", &folder] {
            assert!(!text(name).contains(private), "{name} holds {private}");
        }
    }

    // What is there is kept, and nothing is written into the program's own data.
    let there = sandbox.run(&["doctor", "--save", "help.zip", "--json"]).exits(5);
    there.error("EXPORT_EXISTS");
    sandbox.run(&["doctor", "--save", "help.zip", "--force"]).exits(0);
    sandbox.run(&["doctor", "--save", "help.zip", "--sizes"]).exits(2);
}
