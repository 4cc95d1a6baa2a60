//! Servers that other people use: their tools are listed and called.

use serde_json::{Value, json};

use super::{Place, call, installed, text, words};

fn package(name: &str) -> String {
    installed(&format!("node_modules/@modelcontextprotocol/{name}/dist/index.js"))
}

/// Calls one tool of a server in a chat.
async fn answers(place: &Place, tool: &str) -> Value {
    place.trust("s").await;
    let chat = place.chat("Do it.").await;
    assert!(place.offered().contains(&tool.to_owned()), "{:?}", place.offered());
    chat.result().await
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_lists_its_tools_and_runs_one() {
    let sum = call("mcp__s__get-sum", &json!({ "a": 2, "b": 3 }));
    let place = Place::with(&[sum, text("Five.")]).await;
    place.add("s", "node", &[&package("server-everything")]).await;
    let result = answers(&place, "mcp__s__get-sum").await;
    assert!(words(&result).contains("The sum of 2 and 3 is 5."), "{result}");
    assert_eq!(result["server"], "s");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_file_server_gets_real_paths_and_shows_none() {
    let read = call("mcp__s__read_text_file", &json!({ "path": "@project/notes.md" }));
    let list = call("mcp__s__list_allowed_directories", &json!({}));
    let place = Place::with(&[read, list, text("Read.")]).await;
    std::fs::write(place.project_folder().join("notes.md"), "Tides.\n").unwrap();
    place.add("s", "node", &[&package("server-filesystem"), "@project"]).await;
    place.trust("s").await;
    let chat = place.chat("Read my notes.").await;
    let ended = chat.ended().await;
    assert_eq!(words(&ended[0].result).trim(), "Tides.", "{:?}", ended[0].result);
    let shown = ended[1].result.to_string();
    assert!(ended[1].ok && shown.contains("folder:project"), "{shown}");
    let real = place.project_folder().to_string_lossy().into_owned();
    assert!(!shown.contains(&real) && !place.asked_last().to_string().contains(&real));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_memory_server_remembers_within_a_conversation() {
    let entity = json!({ "entities": [{ "name": "Ann", "entityType": "person", "observations": ["likes tides"] }] });
    let create = call("mcp__s__create_entities", &entity);
    let read = call("mcp__s__read_graph", &json!({}));
    let place = Place::with(&[create, text("Kept."), read, text("Ann.")]).await;
    let file = place.folder.path().join("memory.json").to_string_lossy().into_owned();
    let program = package("server-memory");
    place.add_with("s", "node", &[&program], &[("MEMORY_FILE_PATH", &file)]).await;
    place.trust("s").await;
    let chat = place.chat("Remember Ann.").await;
    chat.say("Whom do you know?").await;
    let ended = chat.ended().await;
    assert!(ended[1].result.to_string().contains("likes tides"), "{:?}", ended[1].result);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_time_server_tells_the_time() {
    let now = call("mcp__s__get_current_time", &json!({ "timezone": "Europe/Berlin" }));
    let place = Place::with(&[now, text("Late.")]).await;
    place.add("s", &installed(".venv/bin/mcp-server-time"), &[]).await;
    let result = answers(&place, "mcp__s__get_current_time").await;
    assert!(words(&result).contains("Europe/Berlin"), "{result}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_git_server_reads_the_project() {
    let status = call("mcp__s__git_status", &json!({ "repo_path": "@project" }));
    let place = Place::with(&[status, text("Clean.")]).await;
    let init = std::process::Command::new("git")
        .args(["init", "-q"])
        .current_dir(place.project_folder())
        .status();
    assert!(init.unwrap().success());
    place.add("s", &installed(".venv/bin/mcp-server-git"), &[]).await;
    let result = answers(&place, "mcp__s__git_status").await;
    assert!(words(&result).contains("No commits yet"), "{result}");
}
