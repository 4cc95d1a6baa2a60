//! The three commands as a window calls them: Tauri's own dispatch and access control on its mock
//! runtime, and the real host on a real store in a temporary folder. No display is needed.

use crate::assemble;
use crate::frames::Watches;
use crate::host_handle::HostHandle;
use host::host::HostOptions;
use serde_json::{Value, json};
use std::path::Path;
use tauri::http::HeaderMap;
use tauri::ipc::{CallbackFn, InvokeBody};
use tauri::test::{INVOKE_KEY, MockRuntime, get_ipc_response, mock_builder};
use tauri::webview::InvokeRequest;
use tauri::{App, Manager, WebviewWindow, WebviewWindowBuilder};

/// The program with its real configuration and access lists, without its window.
fn an_app(store: &Path) -> App<MockRuntime> {
    let mut context = tauri::generate_context!(test = true);
    context.config_mut().app.windows.clear();
    let app = assemble(mock_builder()).build(context).unwrap();
    app.manage(HostHandle::new(HostOptions::new(store, "window")));
    app
}

fn a_window(app: &App<MockRuntime>, label: &str) -> WebviewWindow<MockRuntime> {
    WebviewWindowBuilder::new(app, label, tauri::WebviewUrl::default()).build().unwrap()
}

/// Calls a command from a window, as its page does.
fn invoke(
    window: &WebviewWindow<MockRuntime>,
    command: &str,
    arguments: Value,
) -> Result<Value, Value> {
    let request = InvokeRequest {
        cmd: command.into(),
        callback: CallbackFn(0),
        error: CallbackFn(1),
        url: if cfg!(windows) { "http://tauri.localhost" } else { "tauri://localhost" }
            .parse()
            .unwrap(),
        body: InvokeBody::Json(arguments),
        headers: HeaderMap::default(),
        invoke_key: INVOKE_KEY.into(),
    };
    get_ipc_response(window, request).map(|body| body.deserialize().unwrap())
}

/// A main window on a store in a fresh folder.
fn a_main_window() -> (tempfile::TempDir, App<MockRuntime>, WebviewWindow<MockRuntime>) {
    let folder = tempfile::tempdir().unwrap();
    let app = an_app(&folder.path().join("store"));
    let window = a_window(&app, "main");
    (folder, app, window)
}

#[test]
fn submit_gives_the_receipt_of_what_was_done() {
    let (folder, _app, window) = a_main_window();
    let project = folder.path().join("my project");
    let command = json!({"type": "openProject", "path": project, "create": true});
    let receipt = invoke(&window, "submit", json!({ "command": command })).unwrap();
    assert!(receipt["projectId"].is_string(), "{receipt}");
    assert!(project.is_dir());
}

#[test]
fn query_gives_an_answer_of_the_kind_asked_for() {
    let (_folder, _app, window) = a_main_window();
    let answer = invoke(&window, "query", json!({"query": {"type": "projects"}})).unwrap();
    assert_eq!(answer, json!({"type": "projects", "value": []}));
}

#[test]
fn watch_of_a_conversation_that_was_just_started_succeeds() {
    let (folder, _app, window) = a_main_window();
    let command = json!({"type": "playDemo", "path": folder.path().join("demo")});
    let receipt = invoke(&window, "submit", json!({ "command": command })).unwrap();
    let id = &receipt["conversationId"];
    assert!(id.is_string(), "{receipt}");
    let target = json!({"type": "conversation", "conversationId": id});
    let answer = invoke(&window, "watch", json!({"target": target, "channel": "__CHANNEL__:7"}));
    assert_eq!(answer, Ok(Value::Null));
}

#[test]
fn nothing_is_sent_any_more_to_a_window_that_leaves_a_conversation() {
    let (folder, app, window) = a_main_window();
    let command = json!({"type": "playDemo", "path": folder.path().join("demo")});
    let receipt = invoke(&window, "submit", json!({ "command": command })).unwrap();
    let (project, conversation) = (&receipt["projectId"], &receipt["conversationId"]);
    for (channel, target) in [
        (1, json!({"type": "conversation", "conversationId": conversation})),
        (2, json!({"type": "project", "projectId": project})),
        (3, json!({"type": "app"})),
        (4, json!({"type": "log", "conversationId": conversation})),
    ] {
        let channel = format!("__CHANNEL__:{channel}");
        let answer = invoke(&window, "watch", json!({ "target": target, "channel": channel }));
        assert_eq!(answer, Ok(Value::Null), "{target}");
    }
    assert_eq!(app.state::<Watches>().running(), 4);

    for channel in 1..=4 {
        let leave =
            json!({"target": {"type": "nothing"}, "channel": format!("__CHANNEL__:{channel}")});
        assert_eq!(invoke(&window, "watch", leave), Ok(Value::Null));
    }
    assert_eq!(app.state::<Watches>().running(), 0);
}

#[test]
fn a_failure_of_the_host_reaches_the_window_as_a_value() {
    let (_folder, _app, window) = a_main_window();
    let arguments = json!({"target": {"type": "conversation", "conversationId": "run-nobody"}, "channel": "__CHANNEL__:7"});
    let failure = invoke(&window, "watch", arguments).unwrap_err();
    assert_eq!(failure["code"], "CONVERSATION_NOT_FOUND", "{failure}");
    assert!(failure["message"].is_string());
}

/// Words to a conversation, which lack or hold something.
fn said(mut command: Value) -> Value {
    command["type"] = json!("session");
    json!({ "command": command })
}

#[test]
fn a_malformed_argument_is_refused_with_a_failure_that_says_what_is_wrong() {
    let (_folder, _app, window) = a_main_window();
    let channel = "__CHANNEL__:7";
    for (command, arguments, says) in [
        ("submit", json!({"command": {"type": "fly"}}), "fly"),
        ("submit", said(json!({"command": {"type": "stop"}})), "conversationId"),
        ("submit", said(json!({"conversationId": "c", "command": {"type": "fly"}})), "fly"),
        (
            "submit",
            said(json!({"conversationId": "c", "command": {"type": "say", "text": "", "x": 1}})),
            "x",
        ),
        (
            "submit",
            said(
                json!({"conversationId": "c", "command": {"type": "answer", "messageId": "m", "value": 1}}),
            ),
            "shownMs",
        ),
        ("submit", json!({"command": 7}), "invalid type"),
        ("submit", json!({}), "null"),
        ("query", json!({"query": {"type": "everything"}}), "everything"),
        ("query", json!({}), "null"),
        ("watch", json!({"target": "run-1", "channel": channel}), "invalid type"),
        ("watch", json!({"target": {"type": "fly"}, "channel": channel}), "fly"),
        (
            "watch",
            json!({"target": {"type": "conversation", "conversationId": "../x"}, "channel": channel}),
            "conversation id",
        ),
        ("watch", json!({"target": {"type": "app"}}), "null"),
        ("watch", json!({"target": {"type": "app"}, "channel": "7"}), "channel"),
        ("watch", json!({ "channel": channel }), "null"),
    ] {
        let failure = invoke(&window, command, arguments.clone()).unwrap_err();
        assert_eq!(failure["code"], "BAD_REQUEST", "{command} {arguments}: {failure}");
        let message = failure["message"].as_str().unwrap();
        assert!(message.contains(says), "{command} {arguments}: {message}");
        assert!(failure["action"].is_string(), "what to do is said");
    }
}

#[test]
fn a_store_that_cannot_be_opened_answers_every_command_and_names_no_real_path() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    std::fs::write(&store, "a file where the store's folder should be").unwrap();
    let app = an_app(&store);
    let window = a_window(&app, "main");

    let command = json!({"command": {"type": "playDemo"}});
    let watch = json!({"target": {"type": "app"}, "channel": "__CHANNEL__:7"});
    for (name, arguments) in
        [("submit", command), ("query", json!({"query": {"type": "settings"}})), ("watch", watch)]
    {
        let failure = invoke(&window, name, arguments).unwrap_err();
        assert_eq!(failure["code"], "STORE_OPEN_FAILED", "{name}: {failure}");
        let path = folder.path().to_str().unwrap();
        assert!(!failure.to_string().contains(path), "{name} shows a real path: {failure}");
    }
}

#[test]
fn a_window_the_capability_does_not_name_may_call_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let app = an_app(folder.path());
    let stranger = a_window(&app, "stranger");
    for (command, arguments) in [
        ("submit", json!({"command": {"type": "playDemo"}})),
        ("query", json!({"query": {"type": "projects"}})),
        ("watch", json!({"target": {"type": "app"}, "channel": "__CHANNEL__:7"})),
        ("plugin:opener|open_url", json!({"url": "https://example.org"})),
        ("plugin:dialog|open", json!({"options": {}})),
        ("plugin:dialog|save", json!({"options": {}})),
    ] {
        let refusal = invoke(&stranger, command, arguments).unwrap_err();
        let says = refusal.as_str().unwrap_or_default();
        assert!(says.contains("not allowed"), "{command}: {refusal}");
    }
}

#[test]
fn the_main_window_may_call_nothing_but_what_the_capability_grants() {
    let (_folder, _app, window) = a_main_window();
    for command in [
        "plugin:window|set_title",
        "plugin:webview|create_webview_window",
        "plugin:event|emit",
        "plugin:path|resolve_directory",
        "plugin:app|version",
        "plugin:dialog|message",
        "plugin:opener|open_path",
        "plugin:opener|reveal_item_in_dir",
    ] {
        let refusal = invoke(&window, command, json!({})).unwrap_err();
        let says = refusal.as_str().unwrap_or_default();
        assert!(says.contains("not allowed"), "{command}: {refusal}");
    }
}

#[test]
fn a_page_from_elsewhere_may_call_nothing_even_in_the_main_window() {
    let (_folder, _app, window) = a_main_window();
    let request = InvokeRequest {
        cmd: "query".into(),
        callback: CallbackFn(0),
        error: CallbackFn(1),
        url: "https://example.org".parse().unwrap(),
        body: InvokeBody::Json(json!({"query": {"type": "projects"}})),
        headers: HeaderMap::default(),
        invoke_key: INVOKE_KEY.into(),
    };
    let refusal = get_ipc_response(&window, request).unwrap_err();
    assert!(refusal.as_str().unwrap_or_default().contains("not allowed"), "{refusal}");
}

#[test]
fn the_page_may_run_no_script_but_its_own_and_load_nothing_from_elsewhere() {
    let config: tauri::Context<MockRuntime> = tauri::generate_context!(test = true);
    let policy = config.config().app.security.csp.clone().unwrap().to_string();
    for directive in ["default-src 'self'", "script-src 'self'", "img-src 'self' data:"] {
        assert!(policy.contains(directive), "{directive} is missing in {policy}");
    }
    let scripts = policy.split(';').find(|d| d.contains("script-src")).unwrap();
    assert!(!scripts.contains("unsafe"), "{scripts}");
    assert!(!policy.contains("https:") && !policy.contains('*'), "{policy}");
}
