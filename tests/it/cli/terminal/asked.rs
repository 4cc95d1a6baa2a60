//! Questions, asked until they are answered right.

use super::{AtTerminal, answered, asks, mini, says};
use serde_json::{Value, json};
use support::program::{Sandbox, Server, expected_artifacts, hello_branch};

fn kind() -> Value {
    json!({
        "widgetId": "kind", "type": "selection", "message": "Which kind?", "multi": true,
        "options": [
            { "value": "green", "label": "New", "description": "Nothing is there yet" },
            { "value": "brown", "label": "Old" },
            { "value": "grey", "label": "Unknown" },
        ],
    })
}

#[test]
fn a_typo_is_told_and_asked_again_and_the_run_goes_on() {
    let (sandbox, server) = (Sandbox::new(), Server::faulty(Vec::new()));
    let mut person = AtTerminal::with_model(&sandbox, &server, &["run", &hello_branch()]);
    person.sees("What should it achieve?");
    person.sees("> ");
    person.enters("");
    person.sees("Ctrl-D to leave");
    person.sees("> ");
    person.enters("A page for our garden.");
    person.sees("1. [greenfield] New project");
    person.sees("(number or value) > ");
    person.enters("greenfeld");
    person.sees("“greenfeld” is none of them. Type a number from 1 to");
    person.sees("> ");
    person.enters("1");
    person.sees("(y/n) > ");
    person.enters("yess");
    person.sees("Type y or n.");
    person.enters("y");
    let (all, code) = person.ends();
    assert_eq!(code, 0, "{all}");
    assert_eq!(sandbox.artifacts(), expected_artifacts());
    assert_eq!(answered(&sandbox), [json!(["greenfield"]), json!({ "confirmed": true })]);
    assert_eq!(all.matches("A page for our garden.").count(), 1, "typed once, shown once: {all}");
    assert!(!all.contains("{\"confirmed\""), "{all}");
}

#[test]
fn every_kind_of_question_is_answered_in_plain_words_in_both_languages() {
    let form = json!({
        "widgetId": "form", "type": "form", "message": "About it",
        "schema": { "type": "object", "required": ["age"], "properties": {
            "age": { "type": "integer", "minimum": 1, "maximum": 9, "title": "Age" },
            "note": { "type": "string" },
        } },
    });
    let feedback = json!({
        "widgetId": "fb", "type": "feedback", "message": "What of it?",
        "items": [{ "id": "a", "content": "First part" }, { "id": "b", "content": "Second part" }],
    });
    let plan = json!({
        "widgetId": "plan", "type": "plan_review", "message": "Shall I?", "planContent": "1. Dig",
    });
    let action = json!({
        "widgetId": "next", "type": "action_selection", "message": "And now?",
        "actions": [{ "id": "go", "label": "Go on", "description": "With all of it" }],
    });
    let replies =
        [asks(&kind()), asks(&form), asks(&feedback), asks(&plan), asks(&action), says("Thanks.")];
    for (lang, told) in [
        ("en", ["none of them", "whole number, 1 to 9, required", "does not fit", "y to approve"]),
        ("zh", ["不在选项中", "整数，1 到 9，必填", "不符合要求", "批准"]),
    ] {
        let (sandbox, server) = (Sandbox::new(), Server::saying(&replies));
        let args = ["run", &mini(), "--lang", lang];
        let mut person = AtTerminal::with_model(&sandbox, &server, &args);
        person.sees("1. [green] New: Nothing is there yet");
        person.sees("3. [grey] Unknown");
        person.sees("1,3");
        person.enters("1,4");
        person.sees(told[0]);
        person.enters("1,3");
        person.sees("? About it");
        person.sees(told[1]);
        person.sees("> ");
        person.enters("ten");
        person.sees(told[2]);
        person.enters("7");
        person.sees("note");
        person.sees("> ");
        person.enters("");
        person.sees(
            "First part (Enter: none) > "
                .replace(
                    "(Enter: none)",
                    if lang == "en" { "(Enter: none)" } else { "（回车：无）" },
                )
                .as_str(),
        );
        person.enters("Too long");
        person.sees("Second part");
        person.sees("> ");
        person.enters("");
        person.sees("1. Dig");
        person.sees(told[3]);
        person.sees("> ");
        person.enters("Deeper, please");
        person.sees("1. [go] Go on: With all of it");
        person.sees("> ");
        person.enters("go on");
        person.sees("Thanks.");
        person.sees("> ");
        person.presses_ctrl(b'd');
        let (all, code) = person.ends();
        assert_eq!(code, 3, "{all}");
        let expected = [
            json!(["green", "grey"]),
            json!({ "age": 7 }),
            json!({ "a": "Too long" }),
            json!({ "decision": "request_changes", "feedback": "Deeper, please" }),
            json!("go"),
        ];
        assert_eq!(answered(&sandbox), expected, "{all}");
    }
}

#[test]
fn a_call_that_needs_permission_shows_its_diff_and_takes_no_wrong_answer() {
    let write = json!({ "path": "@project/docs/a.md", "content": "one\n" });
    let replies = [json!({ "calls": [{ "name": "fs_write", "arguments": write }] }), says("So.")];
    for (word, file) in [("once", true), ("n", false)] {
        let (sandbox, server) = (Sandbox::new(), Server::saying(&replies));
        sandbox.run(&["settings", "set", "approval.writes", "ask"]).exits(0);
        let mut person = AtTerminal::with_model(&sandbox, &server, &["run", &mini()]);
        person.sees("+one");
        person.sees("(y/folder/n) > ");
        person.enters("sure");
        person.sees("Type y (this once), folder, or n.");
        person.enters(word);
        person.sees("So.");
        person.sees("> ");
        person.presses_ctrl(b'd');
        assert_eq!(person.ends().1, 3);
        assert_eq!(sandbox.project().join("docs/a.md").exists(), file, "{word}");
    }
}

#[test]
fn what_was_typed_before_a_question_is_no_answer_to_it() {
    let (sandbox, server) = (Sandbox::new(), Server::faulty(Vec::new()));
    let mut person = AtTerminal::with_model(&sandbox, &server, &["run", &hello_branch()]);
    person.sees("> ");
    // Typed ahead: the choice is not on the screen yet.
    person.types("A page.\r1\r");
    person.sees("(number or value) > ");
    person.presses_ctrl(b'd');
    let (all, code) = person.ends();
    assert_eq!(code, 3, "{all}");
    assert_eq!(answered(&sandbox), Vec::<Value>::new(), "{all}");
}

#[test]
fn a_run_that_waits_is_asked_about_again_when_it_is_resumed() {
    let (sandbox, server) = (Sandbox::new(), Server::saying(&[asks(&kind()), says("Thanks.")]));
    let mut person = AtTerminal::with_model(&sandbox, &server, &["run", &mini()]);
    person.sees("1,3");
    person.presses_ctrl(b'd');
    let (all, code) = person.ends();
    assert_eq!(code, 3, "{all}");
    assert!(all.contains("crewagent runs resume"), "{all}");
    let run = sandbox.run_id();
    let mut person = AtTerminal::with_model(&sandbox, &server, &["runs", "resume", &run]);
    person.sees("? Which kind?");
    person.sees("2. [brown] Old");
    person.sees("> ");
    person.enters("2");
    person.sees("Thanks.");
    person.presses_ctrl(b'd');
    assert_eq!(person.ends().1, 3);
    assert_eq!(answered(&sandbox), [json!(["brown"])]);
}

/// A run whose model writes one file, which the person is asked about.
fn asking_about_a_write() -> (Sandbox, Server) {
    let sandbox = Sandbox::new();
    sandbox.run(&["settings", "set", "approval.writes", "ask"]).exits(0);
    let write = json!({ "path": "@project/notes.md", "content": "a\n" });
    let calls = json!({ "calls": [{ "name": "fs_write", "arguments": write }] });
    (sandbox, Server::saying(&[calls, says("So.")]))
}

#[test]
fn what_was_typed_before_a_question_could_be_read_allows_nothing() {
    let (sandbox, server) = asking_about_a_write();
    let args = ["run", &mini(), "--input", "hello"];
    let mut person = AtTerminal::with_model(&sandbox, &server, &args);
    // Ahead of everything, and again as soon as the choices stand there.
    person.enters("y");
    person.sees("[y] this once, exactly as shown");
    person.enters("y");
    person.sees("(y/folder/n) > ");
    person.presses_ctrl(b'd');
    let (all, code) = person.ends();
    assert_eq!(code, 3, "{all}");
    assert!(!sandbox.path("project/notes.md").exists(), "{all}");
    assert_eq!(answered(&sandbox), Vec::<Value>::new());
}

#[test]
fn a_change_that_is_not_shown_whole_takes_a_word_of_its_own_in_both_languages() {
    for (lang, caution, wrong) in [
        ("en", "not all of the change is shown", "Type unseen to allow it all the same"),
        ("zh", "修改未完整显示", "请输入 unseen"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.run(&["settings", "set", "approval.writes", "ask"]).exits(0);
        // What is no text cannot be shown at all.
        std::fs::write(sandbox.path("project/notes.md"), [0xff, 0xfe]).unwrap();
        let write = json!({ "path": "@project/notes.md", "content": "a\n" });
        let calls = json!({ "calls": [{ "name": "fs_write", "arguments": write }] });
        let server = Server::saying(&[calls, says("So.")]);
        let args = ["run", &mini(), "--input", "hello", "--lang", lang, "--no-color"];
        let mut person = AtTerminal::with_model(&sandbox, &server, &args);
        person.sees(caution);
        let shown = person.sees("unseen/n");
        assert!(!shown.contains("[folder]") && !shown.contains("[y]"), "{shown}");
        person.enters("y");
        person.sees(wrong);
        person.enters("unseen");
        person.sees("So.");
        person.sees("> ");
        person.presses_ctrl(b'd');
        person.ends();
        assert_eq!(answered(&sandbox), [json!({ "confirmed": true, "unseen": true })]);
        assert_eq!(std::fs::read(sandbox.path("project/notes.md")).unwrap(), b"a\n");
        let run = sandbox.run_id();
        let told = sandbox.run(&["runs", "show", &run, "--approvals", "--lang", lang]).exits(0);
        assert!(!told.stdout.contains("exactly as shown") && !told.stdout.contains("完全一致"));
    }
}

#[test]
fn a_script_says_that_it_knows_what_is_not_shown() {
    let sandbox = Sandbox::new();
    sandbox.run(&["settings", "set", "approval.writes", "ask"]).exits(0);
    std::fs::write(sandbox.path("project/notes.md"), [0xff, 0xfe]).unwrap();
    let write = json!({ "path": "@project/notes.md", "content": "a\n" });
    let calls = json!({ "calls": [{ "name": "fs_write", "arguments": write }] });
    let run = |answers: &str| {
        let server = Server::saying(&[calls.clone(), says("So.")]);
        let file = sandbox.path("answers.yaml");
        std::fs::write(&file, answers).unwrap();
        let (file, base_url) = (file.to_string_lossy().into_owned(), server.base_url());
        let model = ["--base-url", &base_url, "--model", "demo", "--json"];
        let args = ["run", &mini(), "--input", "hello", "--answers", &file];
        sandbox.run(&[&args[..], &model].concat())
    };
    let refused = run("- y\n");
    assert!(refused.stdout.contains("WIDGET_VALUE_INVALID"), "{refused:#?}");
    assert_eq!(std::fs::read(sandbox.path("project/notes.md")).unwrap(), [0xff, 0xfe]);
    run("- unseen\n");
    assert_eq!(std::fs::read(sandbox.path("project/notes.md")).unwrap(), b"a\n");
}

/// A model that replaces a file of two thousand lines, which the person is asked about; the last of
/// the new ones hides a sequence.
fn asking_about_a_long_write(sandbox: &Sandbox) -> Server {
    sandbox.run(&["settings", "set", "approval.writes", "ask"]).exits(0);
    let numbered =
        |what: &str| (0..2_600).map(|n| [what, " line ", &n.to_string(), "\n"].concat()).collect();
    let (old, new): (String, String) = (numbered("old"), numbered("new"));
    std::fs::write(sandbox.path("project/notes.md"), old).unwrap();
    let write = json!({ "path": "@project/notes.md", "content": new + "\u{1b}[2Jlast\n" });
    let calls = json!({ "calls": [{ "name": "fs_write", "arguments": write }] });
    Server::saying(&[calls, says("So.")])
}

#[test]
fn a_long_change_is_printed_whole_and_then_a_plain_yes_allows_it_in_both_languages() {
    for (lang, word, end, recorded) in [
        ("en", "all", "That is all of the change.", "after all of the change was opened"),
        ("zh", "全部", "以上是全部修改", "已打开查看全部修改"),
    ] {
        let sandbox = Sandbox::new();
        let server = asking_about_a_long_write(&sandbox);
        let args = ["run", &hello_branch(), "--input", "hello", "--lang", lang, "--no-color"];
        let mut person = AtTerminal::with_model(&sandbox, &server, &args);
        person.sees("[all]");
        let shown = person.sees("all/unseen/n");
        assert!(!shown.contains("[y]"), "{shown}");
        person.enters("y");
        person.sees("all");
        person.sees("unseen/n");
        person.enters(word);
        person.sees("-old line 1300");
        person.sees("+new line 1300");
        let whole = person.sees(end);
        assert!(whole.contains("+␛[2Jlast"), "no sequence reaches the terminal: {whole:?}");
        person.sees("y/n");
        person.enters("folder");
        person.sees("y");
        person.sees("y/n");
        person.enters("y");
        person.sees("So.");
        person.sees("> ");
        person.presses_ctrl(b'd');
        person.ends();
        let given = answered(&sandbox);
        assert_eq!((given.len(), given[0]["confirmed"].as_bool()), (1, Some(true)));
        assert_eq!(given[0]["whole"].as_str().unwrap().len(), 64);
        let written = std::fs::read_to_string(sandbox.path("project/notes.md")).unwrap();
        assert!(written.starts_with("new line 0\n"));
        let run = sandbox.run_id();
        let told = sandbox.run(&["runs", "show", &run, "--approvals", "--lang", lang]).exits(0);
        assert!(told.stdout.contains(recorded), "{}", told.stdout);
    }
}

#[test]
fn what_was_opened_before_the_file_changed_is_asked_about_anew() {
    let sandbox = Sandbox::new();
    let server = asking_about_a_long_write(&sandbox);
    let args = ["run", &hello_branch(), "--input", "hello", "--no-color"];
    let mut person = AtTerminal::with_model(&sandbox, &server, &args);
    person.sees("all/unseen/n");
    person.enters("all");
    person.sees("y/n");
    std::fs::write(sandbox.path("project/notes.md"), "somebody's\n".repeat(4_000)).unwrap();
    person.enters("y");
    // Nothing is written; the change is another one now, and so is what was opened.
    person.sees("somebody's");
    person.sees("all/unseen/n");
    std::fs::write(sandbox.path("project/notes.md"), "once more\n").unwrap();
    person.enters("all");
    person.sees("E_PRECONDITION_FAILED");
    person.sees("asked about anew");
    person.sees("all/unseen/n");
    person.presses_ctrl(b'd');
    assert_eq!(person.ends().1, 3);
    let now = std::fs::read_to_string(sandbox.path("project/notes.md")).unwrap();
    assert_eq!(now, "once more\n");
}

#[test]
fn a_script_opens_a_long_change_and_says_yes() {
    let sandbox = Sandbox::new();
    let run = |answers: &str| {
        let server = asking_about_a_long_write(&sandbox);
        let file = sandbox.path("answers.yaml");
        std::fs::write(&file, answers).unwrap();
        let (file, base_url) = (file.to_string_lossy().into_owned(), server.base_url());
        let model = ["--base-url", &base_url, "--model", "demo", "--json"];
        let args = ["run", &hello_branch(), "--input", "hello", "--answers", &file];
        sandbox.run(&[&args[..], &model].concat())
    };
    let is_new = || {
        let now = std::fs::read_to_string(sandbox.path("project/notes.md")).unwrap();
        now.starts_with("new line 0\n")
    };
    assert!(run("- y\n").stdout.contains("WIDGET_VALUE_INVALID") && !is_new());
    assert!(run("- all\n").stdout.contains(r#"{"wholeChange":{"#) && !is_new(), "it waits");
    for yes in ["- y\n", "- { value: { confirmed: true } }\n"] {
        let opened = run(&format!("- all\n{yes}"));
        assert!(opened.stdout.contains("+new line 1300\\n") && is_new(), "{yes}");
    }
}

#[test]
fn of_what_is_no_text_there_is_nothing_to_open() {
    let sandbox = Sandbox::new();
    let server = asking_about_a_long_write(&sandbox);
    std::fs::write(sandbox.path("project/notes.md"), [0xff, 0xfe]).unwrap();
    let args = ["run", &hello_branch(), "--input", "hello", "--no-color"];
    let mut person = AtTerminal::with_model(&sandbox, &server, &args);
    let shown = person.sees("(unseen/n) > ");
    assert!(!shown.contains("[all]"), "{shown}");
    person.enters("all");
    person.sees("Type unseen");
    person.presses_ctrl(b'd');
    assert_eq!(person.ends().1, 3);
}
