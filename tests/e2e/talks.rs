//! Talks in the real window: a persona is picked, a button of its menu begins a workflow in the same
//! conversation, and when the run is over one chats on with the model alone.

use crate::hooks::{a_desk, at_the_form};
use crate::window::{App, keep_settings};
use host::llm::DemoServer;
use kernel::trace::Trace;
use serde_json::{Value, json};
use std::path::Path;
use thirtyfour::Key;

fn text(text: &str) -> Value {
    json!({ "reply": { "text": text } })
}

fn calls(text: &str, calls: &[(&str, Value)]) -> Value {
    let calls: Vec<Value> = calls
        .iter()
        .map(|(name, arguments)| json!({ "name": name, "arguments": arguments.to_string() }))
        .collect();
    json!({ "reply": { "text": text, "calls": calls } })
}

/// The step is noted as done in the state document, with the one that comes next.
fn done(step: &str, next: Option<&str>) -> (&'static str, Value) {
    let mut update = json!({ "stepsCompleted": { "append": [step] } });
    if let Some(next) = next {
        update["currentNodeId"] = json!({ "set": next });
    }
    let patch = json!({ "operation": "updateFrontmatter", "update": update });
    ("fs_apply_patch", json!({ "path": "@state/workflow.md", "patch": patch }))
}

/// The agent answers, leads through its workflow, and the model alone says something at the end.
fn trace() -> String {
    let note =
        json!({ "path": "@project/artifacts/note.md", "content": "# Bees\n\nThey dance.\n" });
    let topics = json!({ "widgetId": "topic", "type": "selection", "message": "Which topic?",
        "options": [{ "value": "bees", "label": "Bees" }, { "value": "rain", "label": "Rain" }] });
    let turns = json!([
        text("I am Ann. I write short notes: pick one below, or tell me what you have in mind."),
        calls("A note it is.", &[("ui_ask_user", topics)]),
        calls("", &[done("ask", Some("write"))]),
        calls("", &[("fs_write", note), done("write", Some("done"))]),
        calls("", &[done("done", None)]),
        text("The note is written."),
        text("They dance to tell where the flowers are."),
    ]);
    json!({ "schemaVersion": "1", "turns": turns }).to_string()
}

/// Chooses with whom to talk, by a part of the name and Enter.
async fn picks(app: &App, name: &str, mode: &str) {
    app.by_test_id("talk-picker-item").await;
    app.by_test_id("talk-picker-input").await.send_keys(name).await.unwrap();
    app.by_css("[data-testid='talk-picker-item'][data-highlighted]").await;
    app.by_words("talk-picker-item", name).await;
    app.by_test_id("talk-picker-input").await.send_keys("" + Key::Enter).await.unwrap();
    app.by_css(&format!("[data-testid='talk-switch'][data-mode='{mode}']")).await;
}

async fn says(app: &App, words: &str) {
    app.by_css("[data-testid='composer-input']:enabled").await.send_keys(words).await.unwrap();
    app.by_css("[data-testid='send']:enabled").await.click().await.unwrap();
}

struct Words {
    theme: &'static str,
    language: &'static str,
    chat: &'static str,
}

/// From a persona through a workflow to a chat.
async fn talks(folder: &Path, words: &Words) {
    let Words { theme, language, chat } = words;
    let look = format!("{theme}-{language}");
    let server = DemoServer::start_with(Trace::parse(&trace()).unwrap(), Vec::new()).await.unwrap();
    let model = json!({ "baseUrl": server.base_url(), "model": "demo" });
    let appearance = json!({ "theme": theme, "language": language });
    keep_settings(folder, &json!({ "model": model, "appearance": appearance }).to_string());
    let file = a_desk(folder, "fixtures/packages/menu").await;
    let Some(app) = at_the_form(folder, &file).await else { return };

    app.by_test_id("talk-to").await.click().await.unwrap();
    app.by_words("talk-picker-item", "Ann").await;
    app.screenshot(&format!("talk-picker-{look}")).await;
    picks(&app, "Ann", "agent").await;
    app.by_css(".commands:not([data-measured]) [data-testid='command']").await;
    app.screenshot(&format!("talk-agent-{look}")).await;
    says(&app, "Who are you?").await;
    app.shows("message-assistant", "I am Ann.").await;

    // A row of the menu is chosen, gets words, and its workflow begins here.
    app.by_words("command", "note").await.click().await.unwrap();
    app.by_test_id("command-chip").await;
    app.screenshot(&format!("talk-command-{look}")).await;
    says(&app, "For children.").await;
    app.by_css("[data-testid='talk-switch'][data-mode='run']").await;
    app.by_test_id("widget-selection").await;
    app.screenshot(&format!("talk-workflow-{look}")).await;
    app.by_test_id("widget-option-bees").await.click().await.unwrap();
    app.answer("widget-selection", "widget-submit").await;
    app.phase("completed").await;
    assert_eq!(
        std::fs::read_to_string(folder.join("home/garden/artifacts/note.md")).unwrap(),
        "# Bees\n\nThey dance.\n"
    );

    app.by_css("[data-testid='talk-switch']:not([aria-disabled])").await.click().await.unwrap();
    picks(&app, chat, "chat").await;
    says(&app, "Why do they dance?").await;
    app.by_words("message-assistant", "where the flowers are").await;
    app.screenshot(&format!("talk-chat-{look}")).await;
    app.sized((900, 600)).await;
    app.screenshot(&format!("talk-chat-small-{look}")).await;
    app.quit().await;
}

#[tokio::test]
async fn a_persona_is_picked_its_menu_begins_a_workflow_and_one_chats_on() {
    let folder = tempfile::tempdir().unwrap();
    talks(folder.path(), &Words { theme: "light", language: "en", chat: "Chat" }).await;
}

#[tokio::test]
async fn talks_look_right_in_dark_and_chinese() {
    let folder = tempfile::tempdir().unwrap();
    talks(folder.path(), &Words { theme: "dark", language: "zh", chat: "聊天" }).await;
}
