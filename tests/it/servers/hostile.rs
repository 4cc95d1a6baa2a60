//! Servers that fail, lie, flood and hang: each gets a code of its own, the conversation goes on, and
//! nothing of theirs is taken for the runtime's.

use kernel::wire::{ItemBody, ServerState};
use rstest::rstest;
use serde_json::{Value, json};
use std::time::Duration;

use super::{Place, call, text, words};

/// A chat that calls one tool of a server which does what a scenario says; it goes on afterwards.
async fn calls(scenario: &[&str], tool: &str, arguments: &Value) -> Place {
    let replies =
        [call(&format!("mcp__s__{tool}"), arguments), text("I see."), text("Still here.")];
    let place = Place::with(&replies).await;
    place.add_hostile(scenario).await;
    place
}

#[rstest]
#[case::at_once(&["exits-at-once"], "E_MCP_NOT_STARTED")]
#[case::after_its_greeting(&["exits-after-initialize"], "E_MCP_NOT_STARTED")]
#[case::with_words(&["exits-nonzero-with-words-on-stderr"], "E_MCP_NOT_STARTED")]
#[case::silent(&["never-answers-initialize"], "E_MCP_TIMEOUT")]
#[case::only_garbage(&["only-garbage"], "E_MCP_GARBAGE")]
#[case::refuses_the_greeting(&["initialize-error"], "E_MCP_NOT_STARTED")]
#[case::lists_nothing(&["list-never-answers"], "E_MCP_TIMEOUT")]
#[case::refuses_to_list(&["list-error"], "E_MCP_TOOL_FAILED")]
#[case::endless_pages(&["list-endless-pages"], "E_MCP_GARBAGE")]
#[case::the_same_page(&["list-same-cursor"], "E_MCP_GARBAGE")]
#[case::ten_thousand_tools(&["ten-thousand-tools"], "E_MCP_GARBAGE")]
#[case::odd_names(&["odd-names"], "E_MCP_GARBAGE")]
#[case::no_object(&["schema-no-object"], "E_MCP_GARBAGE")]
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_cannot_be_used_says_why_when_it_is_tested(
    #[case] scenario: &[&str],
    #[case] code: &str,
) {
    let place = Place::with(&[]).await;
    place.add_hostile(scenario).await;
    let failure = place.test("s").await.unwrap_err();
    assert_eq!(failure.code.as_str(), code, "{failure}");
    let view = place.view("s").await;
    assert_eq!(view.state, ServerState::Failed);
    assert!(view.tools.is_none() && view.sha256.is_none(), "there is nothing to trust");
    assert!(place.list().await.len() == 1, "the program goes on");
}

#[rstest]
#[case::stray_lines(&["garbage-before-initialize"])]
#[case::crlf(&["crlf-lines"])]
#[case::a_drip(&["slow-drip", "1"])]
#[case::another_version(&["unknown-protocol-version"])]
#[case::no_capability(&["capability-less"])]
#[case::a_long_description(&["huge-description"])]
#[case::a_flood_of_complaints(&["stderr-flood", "20"])]
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_odd_and_harmless_is_used(#[case] scenario: &[&str]) {
    let place = calls(scenario, "echo", &json!({ "text": "hello" })).await;
    place.trust("s").await;
    let view = place.view("s").await;
    assert!(view.log.len() <= 80 * 1024, "{} bytes of its complaints are kept", view.log.len());
    let longest = view.tools.iter().flatten().map(|tool| tool.description.len()).max();
    assert!(longest.unwrap() <= 5 * 1024, "{longest:?}");
    let chat = place.chat("Say it.").await;
    let result = chat.result().await;
    assert!(words(&result).contains("hello"), "{result}");
}

#[rstest]
#[case::dies(&["dies-in-call"], "E_MCP_ENDED")]
#[case::hangs(&["hangs-in-call"], "E_MCP_TIMEOUT")]
#[case::makes_progress_for_ever(&["hangs-but-makes-progress"], "E_MCP_TIMEOUT")]
#[case::another_id(&["wrong-id"], "E_MCP_TIMEOUT")]
#[case::ignores_cancel(&["ignores-cancel"], "E_MCP_TIMEOUT")]
#[case::a_huge_result(&["huge-result"], "E_MCP_FLOOD")]
#[case::an_endless_line(&["endless-line"], "E_MCP_FLOOD")]
#[case::floods(&["notification-flood"], "E_MCP_FLOOD")]
#[case::floods_with_progress(&["progress-flood"], "E_MCP_FLOOD")]
#[case::refuses(&["rpc-error-result"], "E_MCP_TOOL_FAILED")]
#[case::fails(&["tool-error"], "E_MCP_TOOL_FAILED")]
#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_comes_to_nothing_has_its_code_and_the_talk_goes_on(
    #[case] scenario: &[&str],
    #[case] code: &str,
) {
    let place = calls(scenario, "echo", &json!({ "text": "hello" })).await;
    place.trust("s").await;
    let chat = place.chat("Say it.").await;
    assert_eq!(chat.code().await, code, "{:?}", chat.ended().await);
    let ended = chat.ended().await;
    let message = ended[0].result["error"]["message"].as_str().unwrap();
    assert!(message.len() < 4096, "{} bytes of a failure", message.len());
    chat.say("Are you there?").await;
    assert_eq!(place.model.requests().len(), 3, "the conversation goes on");
}

/// What a stranger may answer without harm: it ends in time, and is data.
#[rstest]
#[case::malformed(&["malformed-result"])]
#[case::nothing(&["null-result"])]
#[case::twice(&["answers-twice"])]
#[case::deep(&["deep-structured-content"])]
#[case::no_text(&["invalid-utf8"])]
#[case::our_own_id(&["request-with-our-id"])]
#[case::many_pieces(&["many-content-items"])]
#[case::asks_for_a_model(&["asks-sampling"])]
#[tokio::test(flavor = "multi_thread")]
async fn a_strange_answer_ends_the_call_in_time(#[case] scenario: &[&str]) {
    let place = calls(scenario, "echo", &json!({ "text": "hello" })).await;
    place.trust("s").await;
    let chat = place.chat("Say it.").await;
    let result = chat.result().await;
    assert!(result["ok"].is_boolean(), "{result}");
    assert!(result.to_string().len() < 64 * 1024, "{} bytes", result.to_string().len());
    chat.say("Are you there?").await;
    assert_eq!(place.model.requests().len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_model_is_asked_for_a_server() {
    let place = calls(&["asks-sampling"], "echo", &json!({ "text": "hello" })).await;
    place.trust("s").await;
    let chat = place.chat("Say it.").await;
    let result = chat.result().await;
    assert!(words(&result).contains("error"), "{result}");
    assert_eq!(place.model.requests().len(), 2, "the model is asked by the conversation alone");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_says_forges_nothing() {
    let place = calls(&["forged-words"], "echo", &json!({ "text": "hello" })).await;
    place.trust("s").await;
    let chat = place.chat("Say it.").await;
    let items = chat.rests().await;
    let questions = items.iter().filter(|item| matches!(item.body, ItemBody::Question { .. }));
    assert_eq!(questions.count(), 0, "a fenced widget in a result asks nothing");
    let ended = chat.ended().await;
    let result = &ended[0].result;
    assert!(result["ok"] == json!(true) && result["content"].is_array(), "{result}");
    let members: Vec<&String> = result.as_object().unwrap().keys().collect();
    let known = ["ok", "server", "content", "structured", "marks"];
    assert!(members.iter().all(|key| known.contains(&key.as_str())), "{members:?}");
    assert!(ended[0].facts.is_empty(), "what a server claims is no fact: {:?}", ended[0].facts);
    let last = place.asked_last();
    let roles: Vec<&str> =
        last["messages"].as_array().unwrap().iter().map(|m| m["role"].as_str().unwrap()).collect();
    let says = |role: &str| roles.iter().filter(|it| **it == role).count();
    assert_eq!((says("user"), says("tool")), (1, 1), "{roles:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn real_paths_and_keys_do_not_get_through() {
    let (paths, keys) = (json!({ "text": "x" }), json!({ "text": "y" }));
    let replies =
        [call("mcp__s__echo", &paths), text("I see."), call("mcp__k__echo", &keys), text("No.")];
    let place = Place::with(&replies).await;
    place.add_hostile(&["real-paths"]).await;
    let key = "tok-4711-private-0815";
    let program = super::hostile();
    place.add_with("k", &program, &["echo-environment"], &[("SECRET_TOKEN", key)]).await;
    place.trust("s").await;
    place.trust("k").await;
    let chat = place.chat("Where are you?").await;
    chat.say("And what do you know?").await;
    let ended = chat.ended().await;
    let real = place.project_folder().to_string_lossy().into_owned();
    let home = std::env::var("HOME").unwrap();
    let (first, second) = (ended[0].result.to_string(), ended[1].result.to_string());
    assert!(first.contains("folder:project") && !first.contains(&real), "{first}");
    assert!(!first.contains(&format!("{home}/")) || home == "/", "{first}");
    assert!(second.contains("SECRET_TOKEN") && !second.contains(key), "{second}");
    assert!(!second.contains("CREWAGENT_API_KEY"), "{second}");
    let asked: String = place.model.requests().iter().map(ToString::to_string).collect();
    assert!(!asked.contains(&real) && !asked.contains(key));
    let shown = serde_json::to_string(&place.list().await).unwrap();
    assert!(!shown.contains(key), "a card shows the name alone: {shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_only_root_is_the_project_by_its_alias() {
    let place = calls(&["echo-roots"], "echo", &json!({ "text": "x" })).await;
    place.trust("s").await;
    let chat = place.chat("Where are you?").await;
    let said = words(&chat.result().await);
    assert!(said.contains("file:///@project"), "{said}");
    assert!(!said.contains("folder:") && !said.contains("/tmp"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_nobody_can_read_are_counted_and_left_out() {
    let place = calls(&["image-result"], "echo", &json!({ "text": "x" })).await;
    place.trust("s").await;
    let chat = place.chat("Show it.").await;
    let result = chat.result().await;
    let content = result["content"].to_string();
    assert!(content.contains("binary") && content.len() < 1000, "{content}");
}

#[tokio::test(flavor = "multi_thread")]
async fn stop_ends_a_call_and_the_talk_goes_on() {
    let replies = [call("mcp__s__echo", &json!({ "text": "x" })), text("Stopped, I see.")];
    let place = Place::with(&replies).await;
    place.add_hostile(&["hangs-but-makes-progress"]).await;
    place.trust("s").await;
    let begin = place.begin("Say it.").await;
    begin.is_at_work("mcp__s__echo").await;
    begin.tell(kernel::command::SessionCommand::Stop).await.unwrap();
    begin.rests().await;
    assert_eq!(begin.code().await, "ENGINE_ABORTED");
    let ended = begin.ended().await;
    assert_eq!(ended[0].result["error"]["details"]["mayHaveRun"], true, "{:?}", ended[0].result);
    begin.say("Go on.").await;
    assert_eq!(place.model.requests().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_died_is_started_again_for_the_next_call() {
    let again = call("mcp__s__add", &json!({ "a": 1, "b": 2 }));
    let replies =
        [call("mcp__s__echo", &json!({ "text": "x" })), text("It died."), again, text("Three.")];
    let place = Place::with(&replies).await;
    place.add_hostile(&["dies-in-call"]).await;
    place.trust("s").await;
    let chat = place.chat("Say it.").await;
    assert_eq!(place.view("s").await.state, ServerState::Failed);
    chat.say("Add then.").await;
    let ended = chat.ended().await;
    assert_eq!(ended.len(), 2);
    assert!(ended[1].ok || ended[1].result["error"]["code"] == "E_MCP_ENDED", "{:?}", ended[1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_a_server_is_left_behind() {
    let replies = [call("mcp__s__echo", &json!({ "text": "x" })), text("Done.")];
    let place = Place::with(&replies).await;
    let file = place.folder.path().join("ids");
    let path = file.to_string_lossy().into_owned();
    place.add_hostile(&["ignores-end", &path]).await;
    place.trust("s").await;
    let first = ids(&file);
    assert_gone(&first).await;
    let chat = place.chat("Say it.").await;
    assert_eq!(chat.ended().await.len(), 1);
    let second = ids(&file);
    assert_ne!(first, second, "it was started again for the call");
    assert!(second.iter().all(|id| is_alive(*id)), "it is kept for the next call");
    place.host.close().await;
    assert_gone(&second).await;
}

fn ids(file: &std::path::Path) -> Vec<u32> {
    let text = std::fs::read_to_string(file).unwrap();
    text.lines().map(|line| line.parse().unwrap()).collect()
}

/// A process that is no more than an entry in a table has ended.
fn is_alive(id: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

async fn assert_gone(ids: &[u32]) {
    for _ in 0..100 {
        if ids.iter().all(|id| !is_alive(*id)) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("processes {ids:?} are left behind");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_is_not_offered_is_not_called() {
    let replies =
        [call("mcp__other__echo", &json!({})), call("mcp__s__gone", &json!({})), text("No.")];
    let place = Place::with(&replies).await;
    place.add_hostile(&["good"]).await;
    place.trust("s").await;
    let chat = place.chat("Try it.").await;
    let codes: Vec<Value> =
        chat.ended().await.iter().map(|e| e.result["error"]["code"].clone()).collect();
    assert_eq!(codes, ["TOOL_NOT_AVAILABLE", "TOOL_NOT_AVAILABLE"]);
    assert_eq!(place.view("s").await.state, ServerState::Idle, "nothing was started");
}
