//! Nothing of a server is used before the person has seen it, and again when it is another one.

use kernel::code::ErrorCode;
use kernel::command::{Command, SeenServer, ServerCommand, SessionCommand};
use kernel::mcp::{LaunchDraft, ServerDraft};
use kernel::wire::{ItemBody, ServerState, ServerTrust};
use serde_json::json;
use std::collections::BTreeMap;

use super::{Place, call, hostile, named, text, words};

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_nobody_trusts_is_neither_offered_nor_started() {
    let place = Place::with(&[call("mcp__s__echo", &json!({ "text": "x" })), text("No.")]).await;
    place.add_hostile(&["good"]).await;
    place.test("s").await.unwrap();
    let chat = place.chat("Say it.").await;
    assert_eq!(chat.code().await, "TOOL_NOT_AVAILABLE");
    assert!(place.offered().iter().all(|tool| !tool.starts_with("mcp__")));
    assert_eq!(place.view("s").await.state, ServerState::Idle);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_shown_is_what_is_trusted() {
    let place = Place::with(&[]).await;
    place.add_hostile(&["good"]).await;
    let trust = |sha256: &str| ServerCommand::Trust {
        project_id: place.project.clone(),
        servers: vec![SeenServer { name: named("s"), sha256: sha256.to_owned() }],
        trusted: true,
    };
    let unseen = place.servers(trust("")).await.unwrap_err();
    assert_eq!(unseen.code, ErrorCode::McpServerChanged, "its tools are not known yet");
    place.test("s").await.unwrap();
    let sha256 = place.view("s").await.sha256.unwrap();
    save(&place, &["tool-error"]).await;
    let changed = place.servers(trust(&sha256)).await.unwrap_err();
    assert_eq!(changed.code, ErrorCode::McpServerChanged);
    assert_eq!(place.view("s").await.trust, ServerTrust::None);
}

/// Changes how the server `s` is started.
async fn save(place: &Place, args: &[&str]) {
    let args = args.iter().map(|arg| (*arg).to_owned()).collect();
    let launch = LaunchDraft::Command { command: hostile(), args, env: BTreeMap::new() };
    let server = ServerDraft { name: named("s"), launch };
    let command = ServerCommand::Save { server, replaces: Some(named("s")) };
    place.servers(command).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn another_command_is_trusted_anew_and_open_conversations_follow() {
    let echo = || call("mcp__s__echo", &json!({ "text": "x" }));
    let place = Place::with(&[echo(), text("Yes."), echo(), text("No.")]).await;
    place.add_hostile(&["good"]).await;
    place.trust("s").await;
    let chat = place.chat("Say it.").await;
    assert!(chat.result().await["ok"] == json!(true));
    save(&place, &["tool-error"]).await;
    assert_eq!(place.view("s").await.trust, ServerTrust::Changed);
    chat.say("Again.").await;
    let ended = chat.ended().await;
    assert_eq!(ended[1].result["error"]["code"], "TOOL_NOT_AVAILABLE");
    assert!(place.offered().iter().all(|tool| !tool.starts_with("mcp__")), "{:?}", place.offered());
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_that_change_in_a_call_are_looked_at_before_the_next() {
    let echo = || call("mcp__s__echo", &json!({ "text": "x" }));
    let wipe = call("mcp__s__wipe", &json!({ "what": "all" }));
    let place = Place::with(&[echo(), wipe, text("I see."), echo(), text("No.")]).await;
    place.add_hostile(&["changes-tools-in-call"]).await;
    place.trust("s").await;
    let chat = place.chat("Say it.").await;
    // The person is asked about what they saw: it may take something away.
    let question = chat.question().await.expect("a call that may take something away asks");
    let value = json!({ "confirmed": true });
    let (message_id, shown_ms) = (question.id, None);
    chat.tell(SessionCommand::Answer { message_id, value, shown_ms }).await.unwrap();
    chat.rests().await;
    let ended = chat.ended().await;
    assert_eq!(ended[1].result["error"]["code"], "E_MCP_NOT_TRUSTED", "{:?}", ended[1].result);
    assert_eq!(place.view("s").await.trust, ServerTrust::Changed);
    chat.say("Again.").await;
    let ended = chat.ended().await;
    assert_eq!(ended[2].result["error"]["code"], "TOOL_NOT_AVAILABLE", "{:?}", ended[2].result);
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_that_change_from_start_to_start_are_not_called() {
    let place = Place::with(&[call("mcp__s__echo", &json!({ "text": "x" })), text("No.")]).await;
    let file = place.folder.path().join("count").to_string_lossy().into_owned();
    place.add_hostile(&["changes-tools-at-restart", &file]).await;
    place.trust("s").await;
    let chat = place.chat("Say it.").await;
    assert_eq!(chat.code().await, "E_MCP_NOT_TRUSTED");
    assert_eq!(place.view("s").await.trust, ServerTrust::Changed);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_may_take_something_away_is_shown_with_all_it_is_given() {
    let wipe = call("mcp__s__wipe", &json!({ "what": "the old notes" }));
    let place = Place::with(&[wipe.clone(), text("Gone."), wipe, text("Kept.")]).await;
    place.add_hostile(&["good"]).await;
    place.trust("s").await;
    let chat = place.chat("Tidy up.").await;
    let question = chat.question().await.expect("it asks");
    let ItemBody::Question { widget, change: Some(change), .. } = &question.body else {
        panic!("{question:?}");
    };
    assert!(widget.message.contains("`wipe`") && widget.message.contains("`s`"), "{widget:?}");
    assert!(change.diff.contains("the old notes"), "{change:?}");
    assert!(widget.grant.is_none(), "one click authorises one call");
    let value = json!({ "confirmed": true });
    let (message_id, shown_ms) = (question.id.clone(), None);
    chat.tell(SessionCommand::Answer { message_id, value, shown_ms }).await.unwrap();
    chat.rests().await;
    let first = chat.ended().await;
    assert!(first[0].ok, "{:?}", first[0].result);
    assert!(words(&first[0].result).contains("the old notes") || first[0].ok);
    chat.tell(SessionCommand::Say { text: "Once more.".to_owned() }).await.unwrap();
    let again = chat.question().await.expect("each call asks by itself");
    let value = json!({ "confirmed": false });
    let (message_id, shown_ms) = (again.id.clone(), None);
    chat.tell(SessionCommand::Answer { message_id, value, shown_ms }).await.unwrap();
    chat.rests().await;
    let ended = chat.ended().await;
    assert_eq!(ended[1].result["error"]["code"], "USER_REFUSED", "{:?}", ended[1].result);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_with_long_arguments_can_be_opened_whole() {
    let what = format!("{}the end", "old notes\n".repeat(20_000));
    let place = Place::with(&[call("mcp__s__wipe", &json!({ "what": what })), text("Kept.")]).await;
    place.add_hostile(&["good"]).await;
    place.trust("s").await;
    let chat = place.chat("Tidy up.").await;
    let question = chat.question().await.expect("it asks");
    let ItemBody::Question { widget, change: Some(change), .. } = &question.body else {
        panic!("{question:?}");
    };
    assert!(widget.cut && !change.diff.contains("the end"), "not all of it is shown at once");
    let (conversation_id, change_id) = (chat.id.clone(), change.id.clone());
    let query = kernel::command::Query::WholeChange { conversation_id, change_id };
    let kernel::wire::Answer::WholeChange(whole) = place.host.query(query).await.unwrap() else {
        panic!();
    };
    assert!(whole.diff.contains("the end"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_switched_off_or_removed_is_not_called() {
    let echo = || call("mcp__s__echo", &json!({ "text": "x" }));
    let place =
        Place::with(&[echo(), text("Yes."), echo(), text("Off."), echo(), text("Gone.")]).await;
    place.add_hostile(&["good"]).await;
    place.trust("s").await;
    let chat = place.chat("Say it.").await;
    place.servers(ServerCommand::Switch { name: named("s"), enabled: false }).await.unwrap();
    chat.say("Again.").await;
    place.servers(ServerCommand::Switch { name: named("s"), enabled: true }).await.unwrap();
    place.servers(ServerCommand::Remove { name: named("s") }).await.unwrap();
    chat.say("And again.").await;
    let ended = chat.ended().await;
    let codes: Vec<_> = ended.iter().map(|e| e.result["error"]["code"].clone()).collect();
    assert_eq!(codes, [json!(null), json!("TOOL_NOT_AVAILABLE"), json!("TOOL_NOT_AVAILABLE")]);
    assert!(place.list().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_systems_switch_is_above_all() {
    let place = Place::with(&[call("mcp__s__echo", &json!({ "text": "x" })), text("No.")]).await;
    place.add_hostile(&["good"]).await;
    place.trust("s").await;
    let patch = json!({ "tools": { "mcpEnabled": false } });
    place.host.submit(Command::Configure { patch }).await.unwrap();
    let chat = place.chat("Say it.").await;
    assert_eq!(chat.code().await, "TOOL_NOT_AVAILABLE");
    assert!(place.offered().iter().all(|tool| !tool.starts_with("mcp__")));
}

#[tokio::test(flavor = "multi_thread")]
async fn trust_belongs_to_one_project() {
    let place = Place::with(&[]).await;
    place.add_hostile(&["good"]).await;
    place.trust("s").await;
    let other = place.folder.path().join("other");
    std::fs::create_dir_all(&other).unwrap();
    let path = other.to_string_lossy().into_owned();
    let opened = place.host.submit(Command::OpenProject { path, create: true }).await.unwrap();
    let query = kernel::command::Query::Servers { project_id: opened.project_id };
    let kernel::wire::Answer::Servers(servers) = place.host.query(query).await.unwrap() else {
        panic!();
    };
    assert_eq!(servers[0].trust, ServerTrust::None);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_journal_says_of_tools_is_enough_to_build_the_requests_again() {
    let place = Place::with(&[call("mcp__s__echo", &json!({ "text": "x" })), text("Yes.")]).await;
    place.add_hostile(&["good"]).await;
    place.trust("s").await;
    let chat = place.chat("Say it.").await;
    place.servers(ServerCommand::Remove { name: named("s") }).await.unwrap();
    let query = kernel::command::Query::Request { conversation_id: chat.id.clone(), number: 1 };
    let kernel::wire::Answer::Request(request) = place.host.query(query).await.unwrap() else {
        panic!();
    };
    let shown = serde_json::to_string(&request).unwrap();
    assert!(shown.contains("mcp__s__echo") && shown.contains("mcp__s__wipe"), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_that_is_opened_again_has_its_tools() {
    let echo = || call("mcp__s__echo", &json!({ "text": "x" }));
    let mut place = Place::with(&[echo(), text("Yes."), echo(), text("Yes again.")]).await;
    place.add_hostile(&["good"]).await;
    place.trust("s").await;
    let id = place.chat("Say it.").await.id;
    place.host.close().await;
    place.host = super::open(place.folder.path(), &place.model).await;
    let chat = super::Chat { place: &place, id };
    chat.say("Again.").await;
    let ended = chat.ended().await;
    assert!(ended[0].ok && ended[1].ok, "{ended:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_program_that_removes_a_server_takes_its_tools_away() {
    let echo = || call("mcp__s__echo", &json!({ "text": "x" }));
    let place = Place::with(&[echo(), text("No."), echo(), text("Still no.")]).await;
    place.add_hostile(&["good"]).await;
    place.trust("s").await;
    let other = super::open(place.folder.path(), &place.model).await;
    let chat = place.begin("Hello.").await;
    chat.rests().await;
    let command = ServerCommand::Remove { name: named("s") };
    other.submit(Command::Servers { command }).await.unwrap();
    chat.say("Say it.").await;
    let codes: Vec<_> =
        chat.ended().await.iter().map(|e| e.result["error"]["code"].clone()).collect();
    assert_eq!(codes, [json!(null), json!("E_MCP_NOT_TRUSTED")], "the first was before that");
    assert!(place.offered().iter().all(|tool| !tool.starts_with("mcp__")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_trusted_anew_while_an_older_one_works_is_started_anew() {
    let echo = || call("mcp__s__echo", &json!({ "text": "x" }));
    let place = Place::with(&[echo(), text("Yes."), echo(), text("Yes again.")]).await;
    let count = place.folder.path().join("count");
    place.add_hostile(&["changes-tools-at-restart", &count.to_string_lossy()]).await;
    place.trust("s").await;
    // The next start is the first one again.
    std::fs::remove_file(&count).unwrap();
    let chat = place.chat("Say it.").await;
    place.trust("s").await;
    chat.say("Again.").await;
    let ended = chat.ended().await;
    assert!(ended[0].ok && ended[1].ok, "{ended:?}");
}
