//! Sub-agents in the real window: their cards, their conversations, and Stop for one of them.

use crate::hooks::{a_desk, at_the_form};
use crate::window::keep_settings;
use host::llm::DemoServer;
use kernel::trace::Trace;
use serde_json::{Value, json};
use std::net::{Ipv4Addr, SocketAddr};

fn spawn(kind: &str, prompt: &str) -> Value {
    let arguments = json!({ "task_type": kind, "prompt": prompt });
    json!({ "name": "agent_spawn", "arguments": arguments.to_string() })
}

fn call(name: &str, arguments: &Value) -> Value {
    json!({ "reply": { "calls": [{ "name": name, "arguments": arguments.to_string() }] } })
}

fn slowly(text: &str) -> Value {
    json!({ "reply": { "text": text.repeat(60), "chunkMs": 80 } })
}

/// Two read side by side, one of them slowly; then one edits, and does not come to an end.
fn trace() -> String {
    let report = |report: Value| call("agent_report", &report);
    let found = json!({
        "summary": "The note says what it should, and no more.",
        "findings": ["The heading is missing.", "The second sentence says the first again."],
    });
    let passed = json!({ "summary": "The step names a file.", "status": "passed" });
    let note = json!({ "path": "@project/artifacts/note.md", "content": "Rain.\n" });
    let turns = json!([
        { "reply": { "text": "Two colleagues look at it.", "calls": [
            spawn("review", "Read @pkg/steps/ask.md and say what a reader would miss."),
            spawn("verify", "Verify that @pkg/steps/write.md names a file."),
        ] } },
        { "reply": { "text": "Now it is written.", "calls": [spawn("edit", "Write the note.")] } },
        { "reply": { "text": "One was stopped. What shall I do?" } },
    ]);
    let subagents = json!([
        { "prompt": "say what a reader", "turns": [slowly("I read it. "), report(found)] },
        { "prompt": "Verify that", "turns": [report(passed)] },
        { "prompt": "Write the note", "turns": [call("fs_write", &note), slowly("I think. ")] },
    ]);
    json!({ "schemaVersion": "1", "turns": turns, "subagents": subagents }).to_string()
}

#[tokio::test]
async fn sub_agents_are_seen_at_work_opened_and_stopped_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let server = DemoServer::start(Trace::parse(&trace()).unwrap(), any).await.unwrap();
    let model = json!({ "baseUrl": server.base_url(), "model": "demo" });
    let appearance = json!({ "theme": "light", "language": "en" });
    let settings = json!({ "model": model, "appearance": appearance });
    keep_settings(folder.path(), &settings.to_string());
    let file = a_desk(folder.path(), "fixtures/packages/mini").await;
    let Some(app) = at_the_form(folder.path(), &file).await else { return };
    app.by_test_id("run-start").await.click().await.unwrap();

    app.by_css("[data-testid='subagent']:not([data-end]) [data-testid='subagent-progress']").await;
    app.by_css("[data-testid='subagent'][data-end='completed']").await;
    app.screenshot("subagents-at-work").await;
    let show = "[data-testid='subagent']:not([data-end]) [data-testid='subagent-show']";
    app.by_css(show).await.click().await.unwrap();
    app.shows("subagent-end", "Working").await;
    // The first message is what it was told.
    app.by_css("[data-testid='message-assistant'][data-streaming='true']").await;
    app.screenshot("subagent-conversation").await;
    app.shows("subagent-end", "Reported").await;
    app.by_test_id("subagent-back").await.click().await.unwrap();
    app.shows("subagent-findings", "The heading is missing.").await;

    app.by_css("[data-testid='subagent']:not([data-end]) [data-testid='subagent-stop']").await;
    let stop = "[data-testid='subagent']:not([data-end]) [data-testid='subagent-stop']";
    app.by_css(stop).await.click().await.unwrap();
    app.by_css("[data-testid='subagent'][data-end='stopped']").await;
    app.phase("waiting-user").await;
    app.screenshot("subagents-ended").await;
    app.quit().await;
}
