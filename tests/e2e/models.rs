//! The window with a model at an address: one that fails before it answers, and one that wants to
//! change a run that is completed.

use crate::hand::Hand;
use crate::window::{App, keep_settings, start_app, start_app_in, start_app_with, state_document};
use host::host::{Host, HostOptions};
use host::llm::{DemoServer, Fault};
use kernel::command::Command;
use kernel::trace::Trace;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A server whose model gives these replies, one after another.
pub(crate) async fn a_model(replies: &[Value], faults: Vec<Fault>) -> DemoServer {
    let turns: Vec<Value> = replies.iter().map(|reply| json!({ "reply": reply })).collect();
    let trace = json!({ "schemaVersion": "1", "turns": turns }).to_string();
    DemoServer::start_with(Trace::parse(&trace).unwrap(), faults).await.unwrap()
}

/// A call that changes the state document.
fn patch(update: &Value) -> Value {
    let patch = json!({ "operation": "updateFrontmatter", "update": update });
    let arguments = json!({ "path": "@state/workflow.md", "patch": patch });
    json!({ "name": "fs_apply_patch", "arguments": arguments })
}

/// A reply that does all there is to do in the package.
pub(crate) fn to_the_end() -> Value {
    let end =
        json!({ "currentNodeId": { "set": "done" }, "stepsCompleted": { "append": ["done"] } });
    let note = json!({ "path": "@project/artifacts/note.md", "content": "A note.\n" });
    let calls = [
        patch(&json!({ "currentNodeId": { "set": "write" } })),
        json!({ "name": "fs_write", "arguments": note }),
        patch(&end),
    ];
    json!({ "calls": calls })
}

/// What is there before the window opens: a project that was opened once, a package in a file, and
/// the model in the settings. The package's file.
async fn a_desk(folder: &Path, base_url: &str) -> PathBuf {
    let model = json!({ "baseUrl": base_url, "model": "demo" });
    let appearance = json!({ "theme": "light", "language": "en" });
    let settings = json!({ "model": model, "appearance": appearance });
    keep_settings(folder, &settings.to_string());
    let host = Host::open(HostOptions::new(folder.join("store"), "cli")).await.unwrap();
    let path = folder.join("home/garden").to_string_lossy().into_owned();
    host.submit(Command::OpenProject { path, create: true }).await.unwrap();
    host.close().await;
    let mini = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/packages/mini");
    let file = folder.join("mini.bmad");
    host::packages::pack(&mini.canonicalize().unwrap(), &file, false).unwrap();
    file
}

/// From the package's file to a run that has begun.
pub(crate) async fn a_run(folder: &Path, server: &DemoServer) -> Option<App> {
    a_run_at(folder, &server.base_url()).await
}

/// The same with the model at any address.
pub(crate) async fn a_run_at(folder: &Path, base_url: &str) -> Option<App> {
    let file = a_desk(folder, base_url).await;
    let app = start_app_with(folder, &[&file.to_string_lossy()]).await?;
    app.shows("package-dialog", "mini").await;
    app.by_css("[data-testid='install']:enabled").await.click().await.unwrap();
    app.by_test_id("saved").await;
    app.by_css(RECENT).await.click().await.unwrap();
    app.by_test_id("run-start").await.click().await.unwrap();
    Some(app)
}

async fn say(app: &App, words: &str) {
    app.by_test_id("composer-input").await.send_keys(words).await.unwrap();
    app.by_test_id("send").await.click().await.unwrap();
}

/// Comes back to what was left: the window opens there.
pub(crate) async fn back(folder: &Path) -> App {
    start_app(folder).await.unwrap()
}

/// The state document, as it lies on the disk.
fn document(folder: &Path) -> String {
    std::fs::read_to_string(state_document(folder)).unwrap()
}

const RECENT: &str = "[data-testid='recent-project']";
pub(crate) const RETRY: &str = "[data-testid='notice-model_error'] [data-testid='retry']";
const BUSY: &str = "The model is still being loaded.";

#[tokio::test]
async fn a_model_that_fails_is_asked_again_by_a_click_on_retry_and_nothing_is_doubled() {
    let folder = tempfile::tempdir().unwrap();
    // As often as the program itself asks before it gives up.
    let faults = vec![Fault::status(503, BUSY); 3];
    let server = a_model(&[json!({ "text": "Which topic?" })], faults).await;
    let Some(app) = a_run(folder.path(), &server).await else { return };
    app.by_test_id("retry-countdown").await;
    app.shows("notice-model_error", BUSY).await;
    app.screenshot("model-error").await;
    app.quit().await;
    assert_eq!(server.requests().len(), 3);

    // It is there after a restart too. Where the buttons are, a person sees.
    let app = start_app(folder.path()).await.unwrap();
    app.shows("notice-model_error", BUSY).await;
    let retry = app.place_of(RETRY).await;
    app.quit().await;

    let hand = Hand::opens(folder.path(), &[]).await.unwrap();
    let enter = |it: &Hand| it.press_from_composer(&["x"]);
    hand.doing("the conversation is there", enter, |it| !it.drafts().is_empty()).await;
    let twice = |it: &Hand| {
        it.click(retry);
        it.xdotool(&["click", "1"]);
    };
    hand.doing("the model is asked again", twice, |_| server.requests().len() > 3).await;
    hand.until("it has answered", |it| it.asked("turn_finished") == 2).await;
    assert_eq!(server.requests().len(), 4, "one click, one request");
    for once in ["run_started", "model_replied", "run_resumed"] {
        assert_eq!(hand.asked(once), 1, "{once}");
    }
    hand.kill();

    let app = back(folder.path()).await;
    app.phase("waiting-user").await;
    app.shows("message-assistant", "Which topic?").await;
    let left = app.driver.find_all(thirtyfour::By::Css(RETRY)).await.unwrap();
    assert!(left.is_empty(), "what is over cannot be asked again");
    app.quit().await;
}

/// What the window shows of a completed run, and its document.
async fn completed(app: &App, folder: &Path) -> String {
    app.phase("completed").await;
    app.by_css("[data-testid='step-done'][data-status='completed']").await;
    document(folder)
}

#[tokio::test]
async fn a_completed_run_is_changed_only_by_the_click_that_confirms_it() {
    let folder = tempfile::tempdir().unwrap();
    let back_to = json!({ "targetNodeId": "ask", "confirmed": true });
    let reopen = json!({ "calls": [{ "name": "workflow_rewind", "arguments": back_to }] });
    let confirm = json!({ "widgetId": "workflow_state_change_confirm", "type": "confirmation",
                          "message": "Shall I open the run again?" });
    let ask = json!({ "calls": [{ "name": "ui_ask_user", "arguments": confirm }] });
    let replies = [
        to_the_end(),
        json!({ "text": "Goodbye." }),
        reopen.clone(),
        ask.clone(),
        json!({ "text": "Then it stays as it is." }),
        reopen.clone(),
        ask,
        reopen,
        json!({ "text": "It is open again." }),
    ];
    let server = a_model(&replies, Vec::new()).await;
    let Some(app) = a_run(folder.path(), &server).await else { return };
    let before = completed(&app, folder.path()).await;

    say(&app, "Open it again.").await;
    let question = "[data-testid='widget-confirmation']";
    app.by_css(&format!("{question} [data-testid='undoes-completion']")).await;
    app.shows("widget-confirmation", "currentNodeId: ask").await;
    app.screenshot("post-completion").await;
    assert_eq!(document(folder.path()), before, "nothing is changed while it is asked about");
    app.answer("widget-confirmation", "widget-cancel").await;
    app.by_test_id("widget-declined").await;
    app.by_css("[data-testid='message-assistant']").await;
    assert_eq!(completed(&app, folder.path()).await, before, "declined");
    app.quit().await;

    let app = back(folder.path()).await;
    assert_eq!(completed(&app, folder.path()).await, before, "after a restart");
    say(&app, "No, do open it.").await;
    app.answer("widget-confirmation", "widget-submit").await;
    app.phase("waiting-user").await;
    app.by_css("[data-testid='step-ask'][data-status='current']").await;
    app.screenshot("reopened").await;
    assert!(document(folder.path()).contains("currentNodeId: ask"), "{}", document(folder.path()));
    app.quit().await;
}

#[tokio::test]
async fn words_that_are_not_accepted_are_let_stand_once_by_a_click_that_was_meant() {
    let folder = tempfile::tempdir().unwrap();
    let to_writing = patch(&json!({ "currentNodeId": { "set": "write" } }));
    let lie = json!({ "text": "The note is written and checked." });
    let replies = [json!({ "calls": [to_writing] }), lie.clone(), lie.clone(), lie];
    let server = a_model(&replies, Vec::new()).await;
    let Some(app) = a_run(folder.path(), &server).await else { return };
    app.by_test_id("decision-accept").await;
    app.shows("missing-fact", "@project/artifacts/note.md").await;
    app.screenshot("not-accepted").await;
    let messages = thirtyfour::By::Css("[data-testid='message-assistant']");
    let said = app.driver.find_all(messages).await.unwrap();
    assert!(said.is_empty(), "what is not accepted is no message");
    app.quit().await;

    let app = start_app(folder.path()).await.unwrap();
    app.by_test_id("decision-accept").await;
    let accept = app.place_of("[data-testid='decision-accept']").await;
    app.quit().await;

    let hand = Hand::opens(folder.path(), &[]).await.unwrap();
    let enter = |it: &Hand| it.press_from_composer(&["x"]);
    hand.doing("the conversation is there", enter, |it| !it.drafts().is_empty()).await;
    let twice = |it: &Hand| {
        it.click(accept);
        it.xdotool(&["click", "1"]);
    };
    hand.doing("the words stand", twice, |it| it.asked("candidate_accepted") > 0).await;
    hand.xdotool(&["click", "1"]);
    hand.until("the turn is over", |it| it.asked("turn_finished") == 2).await;
    assert_eq!(hand.asked("candidate_accepted"), 1, "one click, one change");
    assert_eq!((server.requests().len(), hand.asked("candidate_rejected")), (4, 3));
    hand.kill();

    let app = back(folder.path()).await;
    app.phase("waiting-user").await;
    app.by_test_id("decision-overruled").await;
    app.shows("message-assistant", "The note is written and checked.").await;
    app.screenshot("accepted-anyway").await;
    app.quit().await;
}

#[tokio::test]
async fn a_model_that_is_found_at_the_first_start_is_chosen_and_tested_where_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    let hello = json!({ "text": "Hello." });
    let server = a_model(&[hello.clone(), hello.clone(), hello], Vec::new()).await;
    let port = server.base_url().trim_end_matches("/v1").rsplit(':').next().unwrap().to_owned();
    // Nothing listens at the other two.
    let ports = format!("ollama={port},lmstudio=1,llamacpp=2");
    let variables = [("CREWAGENT_LOCAL_PORTS", ports.as_str())];
    let Some(app) = start_app_in(folder.path(), &[], &variables).await else { return };
    app.by_test_id("play-demo").await;
    app.by_css("[data-testid='local-ollama'][data-state='found']").await;
    app.by_css("[data-testid='local-lmstudio'][data-state='nothing']").await;
    app.screenshot("start-found").await;
    assert_eq!(server.requests().len(), 0, "looking asks for no answer");

    app.by_test_id("use-ollama").await.click().await.unwrap();
    app.by_test_id("test-connection").await.click().await.unwrap();
    app.by_css("[data-testid='model-test-result'][data-answers='true']").await;
    app.screenshot("start-tested").await;
    assert!(!server.requests().is_empty(), "the test asks for real");
    app.quit().await;

    let kept = std::fs::read_to_string(folder.path().join("store/settings.json")).unwrap();
    let kept: Value = serde_json::from_str(&kept).unwrap();
    assert_eq!(kept["model"]["baseUrl"], server.base_url());
    assert_eq!(kept["model"]["model"], "demo");
    let app = back(folder.path()).await;
    app.by_css("[data-testid='start-model'] [title^='demo · ']").await;
    app.quit().await;
}
