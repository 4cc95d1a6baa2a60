//! Ctrl-C, Ctrl-D, and a run that another program stopped.

use super::{AtTerminal, asks, mini, says};
use host::llm::Fault;
use serde_json::json;
use support::program::{Sandbox, Server, hello_branch};

#[test]
fn ctrl_c_at_a_question_leaves_the_run_waiting() {
    for words in [true, false] {
        let (sandbox, server) = (Sandbox::new(), Server::faulty(Vec::new()));
        let mut person = AtTerminal::with_model(&sandbox, &server, &["run", &hello_branch()]);
        person.sees("achieve?");
        person.sees("> ");
        if !words {
            person.enters("A page.");
            person.sees("(number or value) > ");
        }
        person.types("half a li");
        person.presses_ctrl(b'c');
        let (all, code) = person.ends();
        assert_eq!(code, 130, "{all}");
        assert!(all.contains("runs resume"), "{all}");
        let shown = sandbox.run(&["runs", "show", &sandbox.run_id(), "--json"]).exits(0).json();
        assert_eq!(shown["run"]["phase"], "waiting-user");
        assert_eq!(shown["run"]["reason"], if words { "answered" } else { "widget" });
    }
}

#[test]
fn ctrl_c_while_the_model_writes_stops_the_turn_and_twice_ends_the_program() {
    for twice in [false, true] {
        let sandbox = Sandbox::new();
        let server = Server::faulty(vec![Fault::StallAfter(12)]);
        let mut person = AtTerminal::with_model(&sandbox, &server, &["run", &hello_branch()]);
        person.sees("Hi");
        let held = twice.then(|| {
            // The line that says "stopped" cannot be written now, so stopping takes long.
            let db = sandbox.database();
            db.execute_batch("BEGIN IMMEDIATE").unwrap();
            db
        });
        person.presses_ctrl(b'c');
        person.sees("press Ctrl-C again");
        if twice {
            person.presses_ctrl(b'c');
        } else {
            person.sees("Nothing was lost");
        }
        let (all, code) = person.ends();
        assert_eq!(code, 130, "{all}");
        drop(held);
        let resumed = sandbox.run(&["runs", "show", &sandbox.run_id(), "--json"]).exits(0).json();
        assert_ne!(resumed["run"]["phase"], "completed");
    }
}

#[test]
fn an_answer_to_what_is_not_asked_any_more_is_told() {
    let write = json!({ "path": "@project/docs/a.md", "content": "one\n" });
    let replies = [json!({ "calls": [{ "name": "fs_write", "arguments": write }] }), says("So.")];
    let (sandbox, server) = (Sandbox::new(), Server::saying(&replies));
    sandbox.run(&["settings", "set", "approval.writes", "ask"]).exits(0);
    let mut person = AtTerminal::with_model(&sandbox, &server, &["run", &mini()]);
    person.sees("(y/folder/n) > ");
    sandbox.run(&["stop", &sandbox.run_id()]).exits(0);
    person.enters("y");
    let (all, code) = person.ends();
    assert_eq!(code, 130, "{all}");
    assert!(all.contains("WIDGET_NOT_FOUND"), "{all}");
    assert!(!sandbox.project().join("docs/a.md").exists());
}

#[test]
fn ctrl_d_in_the_middle_of_a_form_submits_nothing() {
    let form = json!({
        "widgetId": "form", "type": "form", "message": "About it",
        "schema": { "type": "object", "properties": {
            "a": { "type": "string" }, "b": { "type": "string" },
        } },
    });
    let (sandbox, server) = (Sandbox::new(), Server::saying(&[asks(&form), says("Thanks.")]));
    let mut person = AtTerminal::with_model(&sandbox, &server, &["run", &mini()]);
    person.sees("  a (text, optional) > ");
    person.enters("x");
    person.sees("  b (text, optional) > ");
    person.presses_ctrl(b'd');
    let (all, code) = person.ends();
    assert_eq!(code, 3, "{all}");
    assert!(super::answered(&sandbox).is_empty());
}

#[test]
fn a_deletion_is_asked_about_until_it_is_yes_or_no() {
    let (sandbox, server) = (Sandbox::new(), Server::saying(&[says("Hello.")]));
    let base_url = server.base_url();
    let model = ["--base-url", &base_url, "--model", "demo"];
    sandbox.run(&[&["run", &mini()], &model[..]].concat()).exits(3);
    let run = sandbox.run_id();
    for (lang, wrong, sure, left) in
        [("en", "Type y or n.", "n", 1), ("zh", "请输入 y 或 n。", "y", 0)]
    {
        let delete = ["conversations", "delete", &run, "--lang", lang];
        let mut person = AtTerminal::start(&sandbox, &delete);
        person.sees("(y/n) > ");
        person.enters("yess");
        person.sees(wrong);
        person.enters(sure);
        person.ends();
        assert_eq!(sandbox.rows("conversations"), left);
    }
}
