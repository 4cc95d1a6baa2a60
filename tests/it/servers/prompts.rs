//! Prompts of servers, which a person calls as commands, and resources, which are listed.

use kernel::command::SessionCommand;
use kernel::event::Event;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Chat, Place, call, installed, text};

/// The server that other people try everything with.
async fn everything(replies: &[Value]) -> Place {
    let place = Place::with(replies).await;
    let program = installed("node_modules/@modelcontextprotocol/server-everything/dist/index.js");
    place.add("s", "node", &[&program]).await;
    place.trust("s").await;
    place
}

async fn hostile(scenario: &str, replies: &[Value]) -> Place {
    let place = Place::with(replies).await;
    place.add_hostile(&[scenario]).await;
    place.trust("s").await;
    place
}

/// What the model was told last of what the person said.
fn told_last(place: &Place) -> String {
    let request = place.asked_last();
    let said = request["messages"].as_array().unwrap().iter().rfind(|it| it["role"] == "user");
    said.unwrap()["content"].as_str().unwrap().to_owned()
}

/// The code that words are refused with.
async fn refused(chat: &Chat<'_>, words: &str) -> String {
    let command = SessionCommand::Say { text: words.to_owned() };
    chat.tell(command).await.unwrap_err().code.as_str().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_tested_lists_its_prompts_and_resources() {
    let place = everything(&[]).await;
    let view = place.view("s").await;
    let called: Vec<&str> = view.prompts.iter().map(|it| it.called.as_str()).collect();
    assert!(called.contains(&"mcp__s__simple-prompt"), "{called:?}");
    let with_words = view.prompts.iter().find(|it| it.name == "args-prompt").unwrap();
    assert_eq!(with_words.usage(), "/mcp__s__args-prompt city=… [state=…]");
    assert!(view.resources.iter().all(|it| it.uri.starts_with("demo://")), "{:?}", view.resources);
    assert!(view.resources.len() >= 5, "{:?}", view.resources);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_is_said_in_place_of_the_words_that_call_it() {
    let place = everything(&[text("Hello."), text("It rains."), text("Again.")]).await;
    let chat = place.chat("Hi.").await;
    let said = "/mcp__s__args-prompt city=Albany state=\"New York\"";
    chat.say(said).await;
    let told = told_last(&place);
    assert!(told.contains("Albany") && told.contains("New York"), "{told}");
    assert!(!told.contains("mcp__s__"), "{told}");
    let lines = chat.lines().await;
    let events = lines.iter().flat_map(|line| &line.events);
    let person: Vec<&str> = events
        .filter_map(|event| match event {
            Event::UserSaid(e) => Some(e.text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(person, ["Hi.", said], "the journal keeps what the person wrote");
    chat.say("/mcp__s__simple-prompt and be kind").await;
    assert!(told_last(&place).ends_with("and be kind"), "{}", told_last(&place));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_can_be_the_first_words_of_a_chat() {
    let place = everything(&[text("Hello.")]).await;
    place.chat("/mcp__s__simple-prompt").await;
    assert!(!told_last(&place).contains("mcp__s__"), "{}", told_last(&place));
}

#[tokio::test(flavor = "multi_thread")]
async fn words_that_call_no_prompt_say_what_to_do_and_the_talk_goes_on() {
    let place = everything(&[text("Hello."), text("Still here.")]).await;
    let chat = place.chat("Hi.").await;
    for (words, code) in [
        ("/mcp__s__no-such-prompt", "MCP_PROMPT_UNKNOWN"),
        ("/mcp__nobody__simple-prompt", "MCP_PROMPT_UNKNOWN"),
        ("/mcp__s__args-prompt", "MCP_PROMPT_ARGUMENTS"),
        ("/mcp__s__args-prompt a b c", "MCP_PROMPT_ARGUMENTS"),
    ] {
        assert_eq!(refused(&chat, words).await, code, "{words}");
    }
    chat.say("Are you there?").await;
    assert_eq!(place.model.requests().len(), 2, "what was refused was said to nobody");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_of_a_server_that_is_not_trusted_or_switched_off_is_none() {
    let place = hostile("resources-and-prompts", &[text("Hello."), text("Hello.")]).await;
    let chat = place.chat("Hi.").await;
    let switch = |enabled| {
        place.servers(kernel::command::ServerCommand::Switch { name: super::named("s"), enabled })
    };
    switch(false).await.unwrap();
    assert_eq!(refused(&chat, "/mcp__s__greet").await, "MCP_PROMPT_UNKNOWN");
    switch(true).await.unwrap();
    chat.say("/mcp__s__greet").await;
    assert_eq!(told_last(&place), "USER_INPUT\nGreet me.");
}

#[rstest]
#[case::too_long("huge", "E_MCP_FLOOD")]
#[case::empty("empty", "E_MCP_GARBAGE")]
#[case::at_its_end("dies", "E_MCP_ENDED")]
#[case::refused("refuses", "MCP_PROMPT_ARGUMENTS")]
#[tokio::test(flavor = "multi_thread")]
async fn a_hostile_prompt_is_refused_and_the_talk_goes_on(#[case] name: &str, #[case] code: &str) {
    let place = hostile("hostile-prompts", &[text("Hello."), text("Still here.")]).await;
    let chat = place.chat("Hi.").await;
    assert_eq!(refused(&chat, &format!("/mcp__s__{name}")).await, code);
    chat.say("/mcp__s__both").await;
    let told = told_last(&place);
    let shown = "[image/png, 3 bytes: this kind of content cannot be shown here]";
    assert_eq!(told, format!("USER_INPUT\nUser: Hello.\n\nAssistant: {shown}"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_answers_no_question_of_the_runtime() {
    let destroy = call("mcp__s__wipe", &json!({ "what": "all" }));
    let place = hostile("hostile-prompts", &[destroy, text("Hello."), text("Hello.")]).await;
    let chat = place.chat("Wipe it.").await;
    assert!(chat.question().await.is_some(), "a destructive tool asks");
    // Other words than an answer leave the question unanswered.
    _ = chat.tell(SessionCommand::Say { text: "/mcp__s__forged".to_owned() }).await;
    chat.rests().await;
    assert!(chat.ended().await.iter().all(|call| !call.ok), "{:?}", chat.ended().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_listed_keeps_no_tool_from_being_used() {
    let place = hostile("prompts-never-listed", &[text("Hello.")]).await;
    assert!(place.view("s").await.prompts.is_empty());
    let hostile = hostile("hostile-prompts", &[]).await;
    let view = hostile.view("s").await;
    let names: Vec<&str> = view.prompts.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["huge", "empty", "both", "forged", "dies", "refuses"]);
    assert!(!view.prompts[0].description.contains('\u{200b}') && view.resources.is_empty());
}
