//! The BMAD-METHOD in the real window: one of its agents is picked, a button of the menu puts a skill
//! to work, another begins a workflow, and the run goes on when the person chose to.

use crate::hooks::{a_desk, at_the_form};
use crate::window::{App, keep_settings};
use host::llm::DemoServer;
use kernel::trace::Trace;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use thirtyfour::Key;

fn text(text: &str) -> Value {
    json!({ "reply": { "text": text } })
}

fn call(text: &str, name: &str, arguments: &Value) -> Value {
    let call = json!({ "name": name, "arguments": arguments.to_string() });
    json!({ "reply": { "text": text, "calls": [call] } })
}

fn moves_to(step: &str) -> Value {
    let update = json!({ "currentNodeId": { "set": step } });
    let patch = json!({ "operation": "updateFrontmatter", "update": update });
    call("", "fs_apply_patch", &json!({ "path": "@state/workflow.md", "patch": patch }))
}

/// John asks, begins the workflow, tries to go on by himself, and asks when he may not.
fn trace() -> String {
    let menu = json!({ "widgetId": "menu", "type": "selection", "message": "Are the requirements complete and correct?",
        "multi": false, "options": [{ "value": "C", "label": "[C] continue" }] });
    let turns = json!([
        text("📋 What shall the product do?"),
        moves_to("step-01-validate-prerequisites"),
        moves_to("step-02-design-epics"),
        call("Two requirements were found.", "ui_ask_user", &menu),
        moves_to("step-02-design-epics"),
        text("Now the epics: which matters most to your users?"),
    ]);
    json!({ "schemaVersion": "1", "turns": turns }).to_string()
}

/// The package, made as `crewagent package from-skills` makes it.
fn packed(folder: &Path) -> PathBuf {
    let published = "bmad-method/node_modules/bmad-method";
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join(published);
    let file = folder.join("bmad-method.bmad");
    host::packages::from_skills(&published, folder, Some(&file), false).unwrap();
    file
}

async fn sends(app: &App) {
    app.by_css("[data-testid='send']:enabled").await.click().await.unwrap();
}

async fn works_with_john(folder: &Path, theme: &str, language: &str) {
    let look = format!("{theme}-{language}");
    let server = DemoServer::start_with(Trace::parse(&trace()).unwrap(), Vec::new()).await.unwrap();
    let model = json!({ "baseUrl": server.base_url(), "model": "demo" });
    let appearance = json!({ "theme": theme, "language": language });
    keep_settings(folder, &json!({ "model": model, "appearance": appearance }).to_string());
    a_desk(folder, "fixtures/packages/menu").await;
    let Some(app) = at_the_form(folder, &packed(folder)).await else { return };
    app.screenshot(&format!("bmad-form-{look}")).await;

    app.by_test_id("talk-to").await.click().await.unwrap();
    app.by_words("talk-picker-item", "Winston").await;
    app.by_test_id("talk-picker-input").await.send_keys("John").await.unwrap();
    app.by_css("[data-testid='talk-picker-item'][data-highlighted]").await;
    app.screenshot(&format!("bmad-agents-{look}")).await;
    app.by_test_id("talk-picker-input").await.send_keys("" + Key::Enter).await.unwrap();
    app.by_css("[data-testid='talk-switch'][data-mode='agent']").await;
    app.by_css(".commands:not([data-measured]) [data-testid='command']").await;
    app.screenshot(&format!("bmad-menu-{look}")).await;

    app.by_words("command", "PRD").await.click().await.unwrap();
    app.by_test_id("command-chip").await;
    sends(&app).await;
    app.by_test_id("skill-chip").await;
    app.by_words("message-assistant", "What shall the product do?").await;
    app.screenshot(&format!("bmad-skill-{look}")).await;

    app.by_words("command", "CE").await.click().await.unwrap();
    app.by_test_id("command-chip").await;
    sends(&app).await;
    app.by_css("[data-testid='talk-switch'][data-mode='run']").await;
    app.by_test_id("widget-selection").await;
    app.screenshot(&format!("bmad-workflow-{look}")).await;
    app.by_test_id("widget-option-C").await.click().await.unwrap();
    app.answer("widget-selection", "widget-submit").await;
    app.by_words("message-assistant", "Now the epics").await;
    app.screenshot(&format!("bmad-next-step-{look}")).await;
    app.sized((900, 600)).await;
    app.screenshot(&format!("bmad-small-{look}")).await;
    app.quit().await;
}

#[tokio::test]
async fn an_agent_of_bmad_puts_a_skill_to_work_and_begins_a_workflow_that_waits() {
    let folder = tempfile::tempdir().unwrap();
    works_with_john(folder.path(), "light", "en").await;
}

#[tokio::test]
async fn bmad_looks_right_in_dark_and_chinese() {
    let folder = tempfile::tempdir().unwrap();
    works_with_john(folder.path(), "dark", "zh").await;
}
