//! Workflows within workflows in the real window: which step waits for which, the whole graph, going
//! back to a step that waits, and undoing that.

use crate::hooks::{a_desk, at_the_form};
use crate::window::{App, keep_settings};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use support::program::{copy, root};

/// The package of the stories, with the first two replies as its demo.
fn package(folder: &Path) -> String {
    let package = folder.join("nested");
    copy(&root().join("tests/fixtures/packages/nested"), &package);
    let story = root().join("tests/fixtures/stories/workflows-within-workflows.yaml");
    let story: Value = serde_yaml::from_str(&fs::read_to_string(story).unwrap()).unwrap();
    let last = json!({ "text": "What shall I jot down?" });
    let script = story["script"].as_array().unwrap().iter().take(2).chain([&last]);
    let turn = |reply: &Value| {
        let calls = reply["calls"].as_array().cloned().unwrap_or_default();
        json!({ "reply": { "text": reply["text"], "calls": calls } })
    };
    let turns: Vec<Value> = script.map(turn).collect();
    let trace = json!({ "schemaVersion": "1", "turns": turns });
    let demo = package.join("assets/demo");
    fs::create_dir_all(&demo).unwrap();
    fs::write(demo.join("demo.trace.json"), trace.to_string()).unwrap();
    package.to_string_lossy().into_owned()
}

async fn clicks(app: &App, selector: &str) {
    app.by_css(selector).await.click().await.unwrap();
}

/// A run in four workflows at once is taken out of three of them, and back.
async fn goes_out_and_back(theme: &str, language: &str) {
    let folder = tempfile::tempdir().unwrap();
    let appearance = json!({ "appearance": { "theme": theme, "language": language } });
    keep_settings(folder.path(), &appearance.to_string());
    let file = a_desk(folder.path(), &package(folder.path())).await;
    let Some(app) = at_the_form(folder.path(), &file).await else { return };
    let look = format!("{theme}-{language}");
    clicks(&app, "[data-testid='run-start']").await;
    app.phase("waiting-user").await;
    app.by_words("waiting-write", "The chapter").await;
    app.by_words("waiting-write", "The note").await;
    app.screenshot(&format!("nested-{look}")).await;
    clicks(&app, "[data-testid='graph-open']").await;
    app.shows("graph-dialog", "Jot it down").await;
    app.screenshot(&format!("nested-graph-{look}")).await;
    clicks(&app, "[data-testid='graph-dialog'] header button").await;

    // Three steps of one id wait: the innermost is meant, and calls the note anew.
    let chapter = folder.path().join("home/garden/artifacts/chapter.md");
    let bytes = fs::read(&chapter).unwrap();
    clicks(&app, "[data-testid='waiting-back']").await;
    app.by_test_id("rewind-dialog").await;
    clicks(&app, "[data-testid='rewind-confirm']:enabled").await;
    app.by_test_id("notice-went_back").await;
    app.screenshot(&format!("nested-went-back-{look}")).await;
    clicks(&app, "[data-testid='rewind-undo']").await;
    app.by_test_id("rewind-dialog").await;
    app.screenshot(&format!("nested-undo-{look}")).await;
    clicks(&app, "[data-testid='rewind-confirm']:enabled").await;
    app.by_words("waiting-write", "The chapter").await;
    assert_eq!(fs::read(&chapter).unwrap(), bytes);
    app.quit().await;
}

#[tokio::test]
async fn a_run_within_four_workflows_is_taken_back_and_that_is_undone() {
    goes_out_and_back("light", "en").await;
}

#[tokio::test]
async fn a_run_within_four_workflows_looks_right_in_dark_and_chinese() {
    goes_out_and_back("dark", "zh").await;
}
