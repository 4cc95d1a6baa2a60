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
    let head =
        "USER_INPUT\nThe user calls the prompt `args-prompt` of the server `s`, which says:\n\n";
    assert!(told.starts_with(head) && !told.contains("mcp__s__"), "{told}");
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
    assert!(told_last(&place).ends_with("\n\nGreet me."), "{}", told_last(&place));
}

#[rstest]
#[case::too_long("huge", "E_MCP_FLOOD")]
#[case::empty("empty", "E_MCP_GARBAGE")]
#[case::at_its_end("dies", "E_MCP_ENDED")]
#[case::refused("refuses", "MCP_PROMPT_ARGUMENTS")]
#[case::silent("never", "E_MCP_TIMEOUT")]
#[case::broken("fails", "E_MCP_TOOL_FAILED")]
#[tokio::test(flavor = "multi_thread")]
async fn a_hostile_prompt_is_refused_and_the_talk_goes_on(#[case] name: &str, #[case] code: &str) {
    let place = hostile("hostile-prompts", &[text("Hello."), text("Still here.")]).await;
    let chat = place.chat("Hi.").await;
    assert_eq!(refused(&chat, &format!("/mcp__s__{name}")).await, code);
    chat.say("/mcp__s__both").await;
    let told = told_last(&place);
    let shown = "[image/png, 3 bytes: this kind of content cannot be shown here]";
    assert!(told.ends_with(&format!("\n\nUser: Hello.\n\nAssistant: {shown}")), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_answers_no_question_of_the_runtime() {
    let destroy = call("mcp__s__wipe", &json!({ "what": "all" }));
    let place = hostile("hostile-prompts", &[text("Hello."), destroy, text("Hello.")]).await;
    let chat = place.chat("Hi.").await;
    chat.say("/mcp__s__forged").await;
    assert!(chat.question().await.is_some(), "what was said answered nothing: a tool asks");
    // While it asks, no prompt is fetched in place of an answer.
    let asked = place.model.requests().len();
    _ = chat.tell(SessionCommand::Say { text: "/mcp__s__forged".to_owned() }).await;
    chat.rests().await;
    assert!(chat.ended().await.iter().all(|call| !call.ok), "{:?}", chat.ended().await);
    assert!(place.model.requests().len() <= asked + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_that_cannot_be_used_ends_no_server() {
    let place = hostile("hostile-prompts", &[text("Hello.")]).await;
    let chat = place.chat("Hi.").await;
    for name in ["huge", "empty", "refuses", "fails"] {
        refused(&chat, &format!("/mcp__s__{name}")).await;
        assert_eq!(place.view("s").await.state, kernel::wire::ServerState::Running, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn stop_ends_a_prompt_that_is_waited_for() {
    let place = hostile("hostile-prompts", &[text("Hello."), text("Still here.")]).await;
    let chat = place.chat("Hi.").await;
    // Nothing of the conversation's own is at work, and nobody tells when the prompt is asked for.
    let stop = async {
        loop {
            tokio::time::sleep(std::time::Duration::from_millis(200)).await;
            _ = chat.tell(SessionCommand::Stop).await;
        }
    };
    let code = tokio::select! {
        code = refused(&chat, "/mcp__s__never") => code,
        () = stop => String::new(),
    };
    assert_eq!(code, "ENGINE_ABORTED", "it is not waited for to its end");
    chat.say("Are you there?").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_prompt_is_fetched_while_a_call_is_at_work() {
    let hang = call("mcp__s__echo", &json!({ "text": "x" }));
    let place = Place::with(&[hang]).await;
    place.add_hostile(&["hangs-in-call"]).await;
    place.trust("s").await;
    let program = installed("node_modules/@modelcontextprotocol/server-everything/dist/index.js");
    place.add("all", "node", &[&program]).await;
    place.trust("all").await;
    let chat = place.begin("Echo.").await;
    chat.is_at_work("mcp__s__echo").await;
    assert_eq!(refused(&chat, "/mcp__all__simple-prompt").await, "RUN_BUSY");
    chat.tell(SessionCommand::Stop).await.unwrap();
    chat.rests().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_prompt_that_is_called_wrong_leaves_no_conversation() {
    let place = everything(&[]).await;
    for input in ["/mcp__s__args-prompt", "/mcp__s__no-such-prompt"] {
        let (project_id, input) = (place.project.clone(), Some(input.to_owned()));
        let begin = kernel::command::Command::BeginConversation {
            project_id,
            with: kernel::mode::Mode::Chat,
            input,
        };
        let failure = place.host.submit(begin).await.unwrap_err();
        assert!(failure.code.as_str().starts_with("MCP_PROMPT_"), "{failure}");
    }
    let query =
        kernel::command::Query::Conversations { project_id: None, limit: None, after: None };
    let kernel::wire::Answer::Conversations(page) = place.host.query(query).await.unwrap() else {
        panic!("another answer");
    };
    assert!(page.conversations.is_empty(), "{page:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_listed_keeps_no_tool_from_being_used() {
    let place = hostile("prompts-never-listed", &[text("Hello.")]).await;
    assert!(place.view("s").await.prompts.is_empty());
    let hostile = hostile("hostile-prompts", &[]).await;
    let view = hostile.view("s").await;
    let names: Vec<&str> = view.prompts.iter().map(|it| it.name.as_str()).collect();
    let all = ["huge", "empty", "both", "forged", "dies", "refuses", "never", "fails"];
    assert_eq!(names, all);
    assert!(!view.prompts[0].description.contains('\u{200b}') && view.resources.is_empty());
}
