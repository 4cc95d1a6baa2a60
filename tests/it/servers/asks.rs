//! Servers that ask the person something while they work on a call.

use kernel::command::SessionCommand;
use kernel::wire::{Item, ItemBody};
use rstest::rstest;
use serde_json::{Value, json};

use super::{Chat, Place, call, installed, text, words};

async fn asking(scenario: &[&str], more: &[Value]) -> Place {
    let replies = [&[call("mcp__s__echo", &json!({ "text": "x" })), text("I see.")], more].concat();
    let place = Place::with(&replies).await;
    place.add_hostile(scenario).await;
    place.trust("s").await;
    place
}

impl Chat<'_> {
    async fn fill_in(&self, question: &Item, value: Value) -> Result<(), kernel::code::Failure> {
        let (message_id, shown_ms) = (question.id.clone(), None);
        self.tell(SessionCommand::Answer { message_id, value, shown_ms }).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_goes_to_the_server_and_to_no_model() {
    let place = asking(&["elicits"], &[]).await;
    let chat = place.chat("Ask me.").await;
    let question = chat.question().await.expect("the server asks");
    let ItemBody::Question { widget, .. } = &question.body else { unreachable!() };
    assert_eq!(widget.widget_id, "server_question");
    assert!(chat.ended().await.is_empty(), "the call goes on meanwhile");
    let age = json!({ "name": "Ann", "age": 200, "color": "red", "sure": true });
    let refused = chat.fill_in(&question, age).await.unwrap_err();
    assert_eq!(refused.code.as_str(), "WIDGET_VALUE_INVALID");
    let filled = json!({ "name": "Ann-4711", "age": 30, "color": "red", "sure": true });
    chat.fill_in(&question, filled.clone()).await.unwrap();
    chat.rests().await;
    let said = words(&chat.result().await);
    assert!(said.contains("accept") && said.contains("Ann-4711"), "{said}");
    let twice = chat.fill_in(&question, filled).await.unwrap_err();
    assert_eq!(twice.code.as_str(), "WIDGET_ALREADY_SUBMITTED");
    let last = place.asked_last();
    let users = last["messages"].as_array().unwrap().iter().filter(|m| m["role"] == "user").count();
    assert_eq!(users, 1, "the model is told by the result alone: {last}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_form_of_a_real_server_is_filled_in() {
    let ask = call("mcp__s__trigger-elicitation-request", &json!({}));
    let place = Place::with(&[ask, text("Thank you.")]).await;
    let program = installed("node_modules/@modelcontextprotocol/server-everything/dist/index.js");
    place.add("s", "node", &[&program]).await;
    place.trust("s").await;
    let chat = place.chat("Ask me.").await;
    let question = chat.question().await.expect("the server asks");
    chat.fill_in(&question, json!({ "name": "Ann", "integer": 7 })).await.unwrap();
    chat.rests().await;
    let said = words(&chat.result().await);
    assert!(said.contains("Name: Ann") && said.contains("Favorite Integer: 7"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn words_in_place_of_an_answer_end_the_call() {
    let place = asking(&["elicits"], &[]).await;
    let chat = place.chat("Ask me.").await;
    let question = chat.question().await.expect("the server asks");
    chat.say("I would rather not.").await;
    let ended = chat.ended().await;
    assert_eq!(ended[0].result["error"]["details"]["mayHaveRun"], true, "{:?}", ended[0].result);
    assert!(chat.question().await.is_none(), "nobody waits for it any more");
    let late = chat.fill_in(&question, json!({ "name": "Ann" })).await.unwrap_err();
    assert_eq!(late.code.as_str(), "WIDGET_NOT_FOUND");
}

#[tokio::test(flavor = "multi_thread")]
async fn stop_ends_a_call_whose_server_asks() {
    let place = asking(&["elicits-and-hangs"], &[]).await;
    let chat = place.chat("Ask me.").await;
    assert!(chat.question().await.is_some());
    chat.tell(SessionCommand::Stop).await.unwrap();
    assert_eq!(chat.code().await, "ENGINE_ABORTED");
    assert!(chat.question().await.is_none());
    chat.say("Go on.").await;
    assert_eq!(place.model.requests().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_does_not_answer_after_the_form_is_waited_for_in_vain() {
    let place = asking(&["elicits-and-hangs"], &[]).await;
    let chat = place.chat("Ask me.").await;
    let question = chat.question().await.expect("the server asks");
    let filled = json!({ "name": "Ann", "age": 30, "color": "red", "sure": true });
    chat.fill_in(&question, filled).await.unwrap();
    chat.rests().await;
    assert_eq!(chat.code().await, "E_MCP_TIMEOUT");
}

/// What cannot be drawn, or is asked at the wrong time, is answered for the person: nobody sees it.
#[rstest]
#[case::an_address(&["elicits-url"])]
#[case::nested(&["elicits-hostile-schema", "nested"])]
#[case::too_many_fields(&["elicits-hostile-schema", "many"])]
#[case::without_a_call(&["elicits-without-a-call"])]
#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_cannot_be_shown_is_declined(#[case] scenario: &[&str]) {
    let place = asking(scenario, &[]).await;
    let chat = place.chat("Ask me.").await;
    let said = words(&chat.result().await);
    assert!(!said.contains("accept"), "{said}");
    let items = chat.rests().await;
    assert!(!items.iter().any(|item| matches!(item.body, ItemBody::Question { .. })));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_hides_in_a_question_is_shown() {
    let place = asking(&["elicits-hostile-schema", "invisible"], &[]).await;
    let chat = place.chat("Ask me.").await;
    let shown = match chat.question().await {
        Some(question) => serde_json::to_string(&question.body).unwrap(),
        None => chat.result().await.to_string(),
    };
    for hidden in ['\u{1b}', '\u{202e}', '\u{200b}'] {
        assert!(!shown.contains(hidden), "{shown}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_asks_no_more_than_a_person_can_bear() {
    let place = asking(&["elicits-hundred-times"], &[]).await;
    let chat = place.chat("Ask me.").await;
    let filled = json!({ "name": "Ann", "age": 30, "color": "red", "sure": true });
    let mut asked = 0;
    while let Some(question) = chat.question().await {
        asked += 1;
        assert!(asked <= 10, "asked {asked} times");
        chat.fill_in(&question, filled.clone()).await.unwrap();
    }
    assert_eq!(asked, 10);
    assert!(chat.result().await["ok"].is_boolean());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_may_not_want_to_say() {
    let place = asking(&["elicits"], &[]).await;
    let chat = place.chat("Ask me.").await;
    let question = chat.question().await.expect("the server asks");
    chat.fill_in(&question, json!({ "$declined": true })).await.unwrap();
    chat.rests().await;
    let said = words(&chat.result().await);
    assert!(said.contains("decline"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_was_open_when_the_program_ended_is_over_and_nothing_goes_on_by_itself() {
    let mut place = asking(&["elicits-and-hangs"], &[]).await;
    let chat = place.chat("Ask me.").await;
    let question = chat.question().await.expect("the server asks");
    let id = chat.id.clone();
    place.host.close().await;
    place.host = super::open(place.folder.path(), &place.model).await;
    let chat = Chat { place: &place, id };
    let asked = place.model.requests().len();
    chat.rests().await;
    assert!(chat.question().await.is_none(), "nobody would get the answer");
    let filled = json!({ "name": "Ann", "age": 30, "color": "red", "sure": true });
    assert!(chat.fill_in(&question, filled).await.is_err());
    assert_eq!(chat.code().await, "E_INTERRUPTED");
    assert_eq!(place.model.requests().len(), asked, "the person says when it goes on");
    chat.tell(SessionCommand::Resume).await.unwrap();
    chat.rests().await;
    assert_eq!(place.model.requests().len(), asked + 1);
}
