//! What is shown while something goes on.

use super::{AtTerminal, mini, says};
use host::llm::Fault;
use kernel::event::Event;
use serde_json::json;
use support::program::{Sandbox, Server, hello_branch};

#[test]
fn text_is_shown_as_it_is_written() {
    // The reply never ends; its beginning is there.
    let (sandbox, server) = (Sandbox::new(), Server::faulty(vec![Fault::StallAfter(12)]));
    let mut person = AtTerminal::with_model(&sandbox, &server, &["run", &hello_branch()]);
    person.sees("Hi, I'm Ada.");
}

#[test]
fn the_wait_for_the_model_is_named_in_both_languages() {
    // Not a word ever comes: words that come at once are shown in place of the wait for them.
    let silent = vec![Fault::StallAfter(0), Fault::StallAfter(0)];
    let (sandbox, server) = (Sandbox::new(), Server::faulty(silent));
    for (lang, wait) in [("en", "waiting for the model"), ("zh", "等待模型")] {
        let args = ["run", &hello_branch(), "--lang", lang];
        AtTerminal::with_model(&sandbox, &server, &args).sees(wait);
    }
}

#[test]
fn a_reply_stands_there_once_when_it_is_whole() {
    let (sandbox, server) = (Sandbox::new(), Server::slow(1));
    let mut person = AtTerminal::with_model(&sandbox, &server, &["run", &hello_branch()]);
    person.sees("perfect.");
    person.sees("> ");
    person.presses_ctrl(b'd');
    let (all, code) = person.ends();
    assert_eq!(code, 3, "{all}");
    assert_eq!(all.matches("What should it achieve?").count(), 1, "{all}");
    assert_eq!(all.matches("where we stand first.").count(), 1, "{all}");
}

#[test]
fn a_reply_that_breaks_off_is_asked_for_again_and_stands_there_once() {
    let broken = vec![Fault::DropAfter(12), Fault::StallAfter(0)];
    let (sandbox, server) = (Sandbox::new(), Server::faulty(broken));
    let mut person = AtTerminal::with_model(&sandbox, &server, &["run", &hello_branch()]);
    person.sees("Hi, I'm Ada.");
    person.sees("retrying in");
    // The second try says nothing yet, and the words of the first are gone from the screen.
    person.sees("waiting for the model");
    drop(person);

    let (sandbox, server) = (Sandbox::new(), Server::faulty(vec![Fault::DropAfter(12)]));
    let base_url = server.base_url();
    let args = ["run", &hello_branch(), "--base-url", &base_url, "--model", "demo"];
    let done = sandbox.run(&args).exits(3);
    assert_eq!(done.stdout.matches("Hi, I'm Ada.").count(), 1, "{done:#?}");
    let failed = |event: &Event| matches!(event, Event::ModelFailed(_));
    let journal = sandbox.journal();
    assert!(!journal.iter().flat_map(|line| &line.events).any(failed), "the turn went on");
}

#[test]
fn a_try_again_is_counted_down_in_both_languages() {
    for (lang, said) in [("en", "retrying in"), ("zh", "秒后重试")] {
        let busy = Fault::Status { status: 429, retry_after: Some(2), body: String::new() };
        let (sandbox, server) = (Sandbox::new(), Server::faulty(vec![busy]));
        let args = ["run", &hello_branch(), "--lang", lang];
        let mut person = AtTerminal::with_model(&sandbox, &server, &args);
        person.sees(said);
        person.sees("Hi, I'm Ada.");
    }
}

#[test]
fn a_failed_call_is_named_with_its_path_and_its_code() {
    let read = json!({ "path": "@project/docs/none.md" });
    let replies = [json!({ "calls": [{ "name": "fs_read", "arguments": read }] }), says("No.")];
    let (sandbox, server) = (Sandbox::new(), Server::saying(&replies));
    let base_url = server.base_url();
    let model = ["--base-url", &base_url, "--model", "demo"];
    let done = sandbox.run(&[&["run", &mini()], &model[..]].concat()).exits(3);
    let line = done.stdout.lines().find(|line| line.contains("·")).unwrap_or_default().to_owned();
    assert!(line.contains("@project/docs/none.md") && line.contains("ENOENT"), "{done:#?}");
}

#[test]
fn a_fenced_question_is_not_shown_as_code() {
    let fenced = "Look:\n\n```widget\n{\"widgetId\":\"go\",\"type\":\"confirmation\",\"message\":\"Go on?\"}\n```\n";
    let (sandbox, server) = (Sandbox::new(), Server::saying(&[says(fenced), says("Fine.")]));
    let mut person = AtTerminal::with_model(&sandbox, &server, &["run", &mini()]);
    person.sees("? Go on?");
    person.sees("(y/n) > ");
    person.enters("y");
    person.sees("Fine.");
    person.presses_ctrl(b'd');
    let (all, _) = person.ends();
    assert!(all.contains("Look:") && !all.contains("```widget"), "{all}");
}

#[test]
fn control_characters_of_a_model_do_not_reach_the_terminal() {
    let text = "Clean \u{1b}[2J\u{1b}]0;title\u{7}and\rover";
    let (sandbox, server) = (Sandbox::new(), Server::saying(&[says(text)]));
    let mut person = AtTerminal::with_model(&sandbox, &server, &["run", &mini()]);
    person.sees("over");
    person.presses_ctrl(b'd');
    let (all, _) = person.ends();
    assert!(
        !all.contains("\u{1b}[2J") && !all.contains("\u{1b}]0") && !all.contains('\u{7}'),
        "{all:?}"
    );
}

#[test]
fn compact_typed_at_the_prompt_shortens_the_conversation_and_is_no_word() {
    for (lang, said) in [("en", "Nothing could be shortened"), ("zh", "没有可以为模型缩短的内容")]
    {
        let (sandbox, server) = (Sandbox::new(), Server::saying(&[says("What shall it be?")]));
        let args = ["run", &mini(), "--lang", lang];
        let mut person = AtTerminal::with_model(&sandbox, &server, &args);
        person.sees("> ");
        person.enters("/compact");
        person.sees(said);
        person.sees("> ");
        person.presses_ctrl(b'd');
        let (all, code) = person.ends();
        assert_eq!(code, 3, "{all}");
        assert_eq!(server.asked(), 1, "the model heard nothing of it");
    }
}
