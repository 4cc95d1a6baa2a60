//! Servers of the Model Context Protocol in the real window: one is set up, tested and trusted; a call
//! of its is allowed, a form that a server asks for over HTTP is filled in, how far a call is stands
//! beside it, and a prompt is called. At another the person signs in, in a browser.

use crate::models::a_model;
use crate::window::{App, keep_settings, start_app};
use host::host::{Host, HostOptions};
use kernel::command::Command;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use support::mcp_servers::OtherServer;

fn text(text: &str) -> Value {
    json!({ "text": text })
}

fn call(name: &str, arguments: &Value) -> Value {
    json!({ "calls": [{ "name": name, "arguments": arguments.to_string() }] })
}

/// The program that does what its first argument says, beside the one that is tested.
fn scripted() -> String {
    let tests = std::env::current_exe().unwrap();
    let folder = tests.parent().and_then(Path::parent).unwrap();
    folder.join("hostile-mcp-server").to_string_lossy().into_owned()
}

async fn presses(app: &App, id: &str) {
    app.by_css(&format!("[data-testid='{id}']:enabled")).await.click().await.unwrap();
}

async fn fills(app: &App, id: &str, words: &str) {
    app.by_test_id(id).await.send_keys(words).await.unwrap();
}

async fn says(app: &App, words: &str) {
    app.by_css("[data-testid='composer-input']:enabled").await.send_keys(words).await.unwrap();
    presses(app, "send").await;
}

/// Where something of a server's card is.
fn in_card(name: &str, id: &str) -> String {
    format!("[data-testid='server'][data-name='{name}'] [data-testid='{id}']")
}

/// Sets a server up in the settings, tests it and trusts it.
async fn sets_up(app: &App, name: &str, fields: &[(&str, &str)], look: &str) {
    presses(app, "add-server").await;
    fills(app, "server-name", name).await;
    for (id, words) in fields {
        match *words {
            "" => app.by_test_id(id).await.click().await.unwrap(),
            words => fills(app, id, words).await,
        }
    }
    app.screenshot(&format!("servers-form-{name}-{look}")).await;
    presses(app, "server-save").await;
    app.by_css(&in_card(name, "test-server")).await.click().await.unwrap();
    let trust = app.by_css(&in_card(name, "trust-server")).await;
    trust.scroll_into_view().await.unwrap();
    trust.click().await.unwrap();
    app.by_css(&in_card(name, "untrust-server")).await;
    app.screenshot(&format!("servers-card-{name}-{look}")).await;
}

/// A project, and settings with which it is worked on.
async fn makes_a_project(folder: &Path, model: &str, theme: &str, language: &str) {
    let settings = json!({ "model": { "baseUrl": model, "model": "demo" },
                           "appearance": { "theme": theme, "language": language } });
    keep_settings(folder, &settings.to_string());
    let host = Host::open(HostOptions::new(folder.join("store"), "cli")).await.unwrap();
    let path = folder.join("home/garden").to_string_lossy().into_owned();
    host.submit(Command::OpenProject { path, create: true }).await.unwrap();
    host.close().await;
}

async fn opens_servers(app: &App) {
    app.by_css("[data-testid='recent-project']").await.click().await.unwrap();
    app.by_test_id("new-chat").await;
    presses(app, "rail-settings").await;
    presses(app, "settings-servers").await;
}

async fn uses_servers(folder: &Path, theme: &str, language: &str) {
    let look = format!("{theme}-{language}");
    let everything = OtherServer::everything();
    let replies = [
        call("mcp__files__wipe", &json!({ "what": "the old notes" })),
        text("They are gone."),
        call("mcp__all__trigger-elicitation-request", &json!({})),
        text("Thank you, Ann."),
        call("mcp__all__trigger-long-running-operation", &json!({ "duration": 4, "steps": 4 })),
        text("It is done."),
        text("Hello."),
    ];
    let model = a_model(&replies, Vec::new()).await;
    makes_a_project(folder, &model.base_url(), theme, language).await;
    let Some(app) = start_app(folder).await else { return };
    opens_servers(&app).await;
    let program = scripted();
    sets_up(&app, "files", &[("server-command", &program), ("server-args", "good")], &look).await;
    let address = [("server-kind-url", ""), ("server-url", everything.url())];
    sets_up(&app, "all", &address, &look).await;
    presses(&app, "settings-back").await;

    presses(&app, "new-chat").await;
    says(&app, "Tidy up.").await;
    app.by_test_id("call-arguments").await;
    app.screenshot(&format!("servers-approval-{look}")).await;
    app.answer("widget-confirmation", "widget-submit").await;
    app.by_words("message-assistant", "They are gone.").await;
    says(&app, "Ask me.").await;
    app.by_css("[data-testid='widget-form'][data-widget-id='server_question']").await;
    fills(&app, "field-name", "Ann").await;
    app.screenshot(&format!("servers-question-{look}")).await;
    app.sized((900, 600)).await;
    app.screenshot(&format!("servers-question-small-{look}")).await;
    app.answer("widget-form", "widget-submit").await;
    app.by_words("message-assistant", "Thank you, Ann.").await;
    let told = model.requests().pop().expect("the model was asked").to_string();
    assert!(told.contains("Name: Ann"), "the server got it, and the model its result: {told}");
    app.screenshot(&format!("servers-answered-{look}")).await;
    waits_and_calls_a_prompt(&app, &look).await;
    let told = model.requests().pop().expect("the model was asked")["messages"].to_string();
    let is_said = told.contains("This is a simple prompt without arguments.");
    assert!(is_said && !told.contains("mcp__all__simple-prompt"), "{told}");
    app.quit().await;
}

/// How far a server is stands beside its call, and a prompt of its is chosen and said.
async fn waits_and_calls_a_prompt(app: &App, look: &str) {
    says(app, "Take your time.").await;
    app.by_test_id("progress").await;
    app.screenshot(&format!("servers-progress-{look}")).await;
    app.by_words("message-assistant", "It is done.").await;
    fills(app, "composer-input", "/simple").await;
    app.by_test_id("offered-calls").await;
    app.screenshot(&format!("servers-prompt-{look}")).await;
    // The first Enter takes what is offered, and the second sends it.
    fills(app, "composer-input", "\u{e007}").await;
    presses(app, "send").await;
    app.by_words("message-assistant", "Hello.").await;
    app.screenshot(&format!("servers-prompt-said-{look}")).await;
}

#[tokio::test]
async fn a_server_is_set_up_its_call_is_allowed_and_its_form_filled_in() {
    let folder = tempfile::tempdir().unwrap();
    uses_servers(folder.path(), "light", "en").await;
}

#[tokio::test]
async fn servers_look_right_in_dark_and_chinese() {
    let folder = tempfile::tempdir().unwrap();
    uses_servers(folder.path(), "dark", "zh").await;
}

/// The browser of the system: it goes where it is sent, and where it is led from there.
fn put_a_browser(folder: &Path) {
    let program = folder.join("bin/xdg-open");
    std::fs::create_dir_all(folder.join("bin")).unwrap();
    std::fs::write(&program, "#!/bin/sh\nexec node -e 'fetch(process.argv[1])' \"$1\"\n").unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
}

async fn signs_in(folder: &Path, theme: &str, language: &str) {
    let look = format!("{theme}-{language}");
    let server = OtherServer::signing_in();
    let greet = call("mcp__team__greet", &json!({ "name": "Ann" }));
    let model = a_model(&[greet, text("It greets you.")], Vec::new()).await;
    makes_a_project(folder, &model.base_url(), theme, language).await;
    put_a_browser(folder);
    let Some(app) = start_app(folder).await else { return };
    opens_servers(&app).await;
    presses(&app, "add-server").await;
    fills(&app, "server-name", "team").await;
    app.by_test_id("server-kind-url").await.click().await.unwrap();
    fills(&app, "server-url", server.url()).await;
    presses(&app, "server-save").await;
    app.by_css(&in_card("team", "test-server")).await.click().await.unwrap();
    let sign_in = app.by_css(&in_card("team", "sign-in")).await;
    sign_in.scroll_into_view().await.unwrap();
    app.screenshot(&format!("servers-sign-in-{look}")).await;
    sign_in.click().await.unwrap();
    app.shows("sign-in-host", "localhost").await;
    app.screenshot(&format!("servers-sign-in-page-{look}")).await;
    app.sized((900, 600)).await;
    app.screenshot(&format!("servers-sign-in-page-small-{look}")).await;
    presses(&app, "sign-in-open").await;
    app.by_css(&in_card("team", "signed-in")).await;
    let trust = app.by_css(&in_card("team", "trust-server")).await;
    trust.scroll_into_view().await.unwrap();
    app.screenshot(&format!("servers-signed-in-{look}")).await;
    trust.click().await.unwrap();
    app.by_css(&in_card("team", "untrust-server")).await;
    presses(&app, "settings-back").await;
    presses(&app, "new-chat").await;
    says(&app, "Greet me.").await;
    app.by_words("message-assistant", "It greets you.").await;
    let told = model.requests().pop().expect("the model was asked")["messages"].to_string();
    assert!(told.contains("Hello, Ann!"), "{told}");
    app.quit().await;
}

#[tokio::test]
async fn a_person_signs_in_at_a_server_in_their_browser() {
    let folder = tempfile::tempdir().unwrap();
    signs_in(folder.path(), "light", "en").await;
}

#[tokio::test]
async fn signing_in_looks_right_in_dark_and_chinese() {
    let folder = tempfile::tempdir().unwrap();
    signs_in(folder.path(), "dark", "zh").await;
}
