//! Work that has to be proved: a demo whose model claims too early, and commands of a project that
//! the person trusts by a click.

use crate::window::{App, keep_settings, start_app_with};
use host::host::{Host, HostOptions};
use host::llm::DemoServer;
use kernel::command::Command;
use kernel::trace::Trace;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A project that was opened once, and a package in a file.
pub(crate) async fn a_desk(folder: &Path, package: &str) -> PathBuf {
    let host = Host::open(HostOptions::new(folder.join("store"), "cli")).await.unwrap();
    let path = folder.join("home/garden").to_string_lossy().into_owned();
    host.submit(Command::OpenProject { path, create: true }).await.unwrap();
    host.close().await;
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join(package).canonicalize().unwrap();
    let file = folder.join("package.bmad");
    host::packages::pack(&package, &file, false).unwrap();
    file
}

/// From the package's file to the form of a new run.
pub(crate) async fn at_the_form(folder: &Path, file: &Path) -> Option<App> {
    let app = start_app_with(folder, &[&file.to_string_lossy()]).await?;
    app.by_css("[data-testid='install']:enabled").await.click().await.unwrap();
    app.by_test_id("saved").await;
    app.by_css("[data-testid='recent-project']").await.click().await.unwrap();
    app.by_test_id("run-start").await;
    Some(app)
}

#[tokio::test]
async fn a_model_that_claims_too_early_is_told_and_does_it_before_the_window_says_completed() {
    let folder = tempfile::tempdir().unwrap();
    keep_settings(folder.path(), r#"{"appearance":{"theme":"light","language":"en"}}"#);
    let file = a_desk(folder.path(), "../templates/packages/hello-honest").await;
    let Some(app) = at_the_form(folder.path(), &file).await else { return };
    // Without a model the demo is what is offered.
    app.by_test_id("run-start").await.click().await.unwrap();
    app.phase("completed").await;
    app.by_test_id("completed-label").await;
    // What belongs to a step that is done is folded away.
    let folded = app.by_css("[data-testid='step'] button").await;
    assert!(folded.text().await.unwrap().contains("1 text not accepted"));
    folded.click().await.unwrap();
    let refused = app.by_test_id("decision").await.text().await.unwrap();
    assert!(refused.contains("[Runtime Decision]"), "{refused}");
    app.screenshot("claimed-too-early").await;
    assert!(folder.path().join("home/garden/artifacts/checklist.md").exists());
    app.quit().await;
}

/// The project's file, as its author left it with a command.
fn says(folder: &Path, hooks: Value) {
    let file = folder.join("home/garden/.crewagent.json");
    let text = std::fs::read_to_string(&file).unwrap();
    let mut project: Value = serde_json::from_str(&text).unwrap();
    project["hooks"] = hooks;
    std::fs::write(file, project.to_string()).unwrap();
}

fn write(content: &str) -> Value {
    let arguments = json!({ "path": "@project/artifacts/rain.md", "content": content });
    json!({ "reply": { "calls": [{ "name": "fs_write", "arguments": arguments.to_string() }] } })
}

#[tokio::test]
async fn a_command_of_the_project_is_seen_trusted_by_a_click_and_then_checks_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let text = |text: &str| json!({ "reply": { "text": text } });
    let turns = json!([
        write("Rain.\n"),
        text("Done."),
        write("# Rain\n"),
        text("Done. What shall I write next?"),
    ]);
    let trace = json!({ "schemaVersion": "1", "turns": turns }).to_string();
    let server = DemoServer::start_with(Trace::parse(&trace).unwrap(), Vec::new()).await.unwrap();
    let model = json!({ "baseUrl": server.base_url(), "model": "demo" });
    let appearance = json!({ "theme": "light", "language": "en" });
    let settings = json!({ "model": model, "appearance": appearance });
    keep_settings(folder.path(), &settings.to_string());
    let file = a_desk(folder.path(), "fixtures/packages/mini").await;
    let command = "grep -q '^# ' artifacts/rain.md || { echo 'no heading' >&2; exit 1; }";
    let heading = json!([{ "name": "heading", "at": "accept_gate", "command": command }]);
    says(folder.path(), heading);
    let Some(app) = at_the_form(folder.path(), &file).await else { return };

    app.by_test_id("hooks-open").await.click().await.unwrap();
    app.shows("hooks-dialog", "grep -q '^# ' artifacts/rain.md").await;
    app.screenshot("hooks-untrusted").await;
    app.by_test_id("trust-hooks").await.click().await.unwrap();
    app.by_css("[data-testid='hook'][data-trusted='true']").await;
    app.by_test_id("hooks-close").await.click().await.unwrap();

    app.by_test_id("run-start").await.click().await.unwrap();
    app.shows("hook-result", "no heading").await;
    app.by_css("[data-testid='hook-result'][data-status='passed']").await;
    app.phase("waiting-user").await;
    app.shows("message-assistant", "What shall I write next?").await;
    app.screenshot("hooks-checked").await;
    app.quit().await;
}
