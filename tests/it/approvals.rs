//! Calls that wait for the person (setting `approval.writes`).

use crate::talk::{Talk, call, code_of, set_variable, write};
use kernel::code::ErrorCode;
use kernel::engine::{Input, Limits};
use kernel::event::{Event, Phase, Reason};
use kernel::journal_snapshot::Page;
use kernel::policy::{ApproveWrites, SystemTools};
use kernel::view::View;
use kernel::wire::{CallState, ItemBody};
use serde_json::{Value, json};

const NOTE: &str = "@project/docs/note.md";

fn limits(approve_writes: ApproveWrites) -> Limits {
    Limits { approve_writes, ..Limits::default() }
}

fn asking() -> Talk {
    Talk::new(limits(ApproveWrites::Ask))
}

/// A write waits.
fn waiting() -> Talk {
    let mut talk = asking();
    talk.reply("I write.", &[write(NOTE, "one\n")]);
    talk
}

fn yes() -> Value {
    json!({ "confirmed": true })
}

fn for_folder() -> Value {
    json!({ "confirmed": true, "forFolder": true })
}

fn no() -> Value {
    json!({ "confirmed": false })
}

#[test]
fn while_the_person_decides_nothing_runs_and_the_dialog_shows_the_change() {
    let talk = waiting();
    assert!(talk.disk.is_empty() && talk.engine.wanted().is_empty());
    assert_eq!(talk.engine.core().reason, Some(Reason::Widget));
    let asked = talk.waiting();
    let change = asked.change.expect("the change is shown");
    assert_eq!((change.tool.as_str(), change.path.to_string().as_str()), ("fs.write", NOTE));
    assert!(change.diff.contains("one") && change.call_id.is_some());
    let grant = asked.widget.grant.expect("the folder is offered");
    assert_eq!(
        (grant.tool.as_str(), grant.folder.to_string().as_str()),
        ("fs.write", "@project/docs")
    );
}

#[test]
fn allowed_once_the_call_runs_and_the_next_one_asks_again() {
    let mut talk = waiting();
    talk.answer(yes());
    assert_eq!(talk.disk[NOTE], "one\n");
    talk.reply("", &[write(NOTE, "two\n")]);
    assert_eq!(talk.disk[NOTE], "one\n");
    assert!(talk.waiting().change.is_some());
    let given = &talk.snapshot().approvals[0];
    assert!(given.bound && given.folder.is_none() && given.spent_by.is_some());
}

#[test]
fn the_model_is_not_told_of_the_click_as_if_it_were_words() {
    let mut talk = waiting();
    talk.answer(yes());
    talk.reply("Written.", &[]);
    let sent = serde_json::to_string(&talk.requests.last().unwrap().messages).unwrap();
    assert!(!sent.contains("WIDGET_SUBMIT") && !sent.contains("tool_approval"), "{sent}");
}

#[test]
fn refused_the_model_is_told_and_the_rest_goes_on() {
    let mut talk = asking();
    talk.reply("", &[write(NOTE, "one\n"), set_variable("x", "1")]);
    talk.answer(no());
    assert_eq!(talk.results(), ["USER_REFUSED", "ok"]);
    assert!(talk.disk.is_empty() && talk.thinks());
    assert!(!talk.snapshot().approvals[0].confirmed);
}

#[test]
fn refused_with_words_the_model_is_told_what_is_wanted_instead() {
    let mut talk = waiting();
    talk.answer(json!({ "confirmed": false, "instead": "Not into docs." }));
    assert_eq!(talk.results(), ["USER_REFUSED"]);
    assert!(talk.disk.is_empty() && talk.thinks());
    talk.reply("Beside it, then.", &[]);
    let sent = serde_json::to_string(&talk.requests.last().unwrap().messages).unwrap();
    let told = r#"\"userSays\":\"Not into docs.\""#;
    assert!(sent.contains(told) && sent.contains("Do what the user says instead."), "{sent}");
    assert!(!sent.contains("WIDGET_SUBMIT"), "{sent}");
}

#[test]
fn a_file_that_changed_since_it_was_shown_is_shown_anew() {
    let mut talk = waiting();
    talk.disk.insert(NOTE.into(), "somebody else's\n".into());
    talk.answer(yes());
    assert_eq!(talk.disk[NOTE], "somebody else's\n");
    assert_eq!(talk.waiting().widget.widget_id, "tool_approval");
    talk.answer(yes());
    assert_eq!(talk.disk[NOTE], "one\n");
    assert_eq!(talk.results(), ["ok"]);
}

#[test]
fn an_allowed_folder_covers_the_same_tool_on_files_directly_in_it() {
    let mut talk = waiting();
    talk.answer(for_folder());
    let covered = write("@project/./docs//other.md", "x\n");
    talk.reply("", &[covered, write("@project/docs/deep/c.md", "x\n")]);
    assert_eq!(talk.results(), ["ok", "ok"]);
    assert_eq!(talk.waiting().change.unwrap().path.to_string(), "@project/docs/deep/c.md");
    talk.answer(no());
    for path in ["@project/docs.md", "@project/Docs/a.md", "@project/docs/../a.md"] {
        talk.reply("", &[write(path, "x\n")]);
        if talk.engine.core().reason == Some(Reason::Widget) {
            talk.answer(no());
        }
        assert_ne!(talk.results().last().unwrap(), "ok", "{path}");
    }
    let patch = json!({ "path": NOTE, "operation": "replace", "old": "one", "new": "two" });
    let patched = call("fs_apply_patch", &patch);
    assert_eq!(talk.snapshot().grants.len(), 1);
    let given = &talk.snapshot().approvals[0];
    assert_eq!(given.folder.as_ref().unwrap().to_string(), "@project/docs");
    assert_eq!(given.calls.len(), 2, "the call that asked, and the one that was covered");
    let parsed = kernel::tool::parse_call(&patched.0, &patched.1).unwrap();
    assert_ne!(parsed.tool().name, talk.snapshot().grants[0].tool);
}

#[test]
fn no_folder_is_offered_for_a_move_nor_for_a_file_that_decides_what_is_run() {
    let moved = call("fs_move", &json!({ "from": NOTE, "to": "@project/docs/b.md" }));
    for asked in [moved, write("@project/docs/.envrc", "x\n"), write("@project/AGENTS.md", "x\n")] {
        let mut talk = asking();
        talk.reply("", std::slice::from_ref(&asked));
        let waiting = talk.waiting();
        assert!(waiting.widget.grant.is_none(), "{asked:?}");
        let refused = talk.answer_to(waiting.message_id, for_folder());
        assert_eq!(code_of(refused), ErrorCode::WidgetValueInvalid, "{asked:?}");
        talk.answer(yes());
        assert!(talk.snapshot().grants.is_empty());
    }
}

#[test]
fn an_allowed_folder_is_not_another_one_of_its_name() {
    let mut talk = waiting();
    talk.answer(for_folder());
    let moved = |from: &str, to: &str| call("fs_move", &json!({ "from": from, "to": to }));
    let away = moved("@project/docs", "@project/old");
    let in_its_place = moved("@project/src", "@project/docs");
    talk.reply("", &[away, in_its_place, write(NOTE, "two\n")]);
    talk.answer(yes());
    talk.answer(yes());
    assert_eq!(talk.results(), ["ok", "ok", "ok"]);
    assert_eq!(talk.waiting().change.unwrap().path.to_string(), NOTE);
    assert!(talk.snapshot().grants.is_empty());
}

#[test]
fn a_folder_can_be_taken_back_also_while_the_run_works() {
    let mut talk = waiting();
    talk.answer(for_folder());
    let grant = talk.snapshot().grants[0].change_id.clone();
    talk.input(Input::Revoke(grant.clone())).unwrap();
    assert!(talk.snapshot().grants.is_empty() && talk.thinks());
    assert!(talk.snapshot().approvals[0].revoked_at.is_some());
    assert_eq!(code_of(talk.input(Input::Revoke(grant))), ErrorCode::ApprovalNotFound);
    talk.reply("", &[write(NOTE, "two\n")]);
    assert_eq!(talk.disk[NOTE], "one\n");
    assert!(talk.waiting().change.is_some());
}

#[test]
fn a_folder_is_allowed_until_the_run_is_complete() {
    let mut talk = waiting();
    talk.answer(for_folder());
    talk.ended_by_hand();
    talk.reply("Done.", &[]);
    assert_eq!(talk.engine.core().phase, Phase::Completed);
    assert!(talk.snapshot().grants.is_empty());
}

#[test]
fn a_question_survives_a_restart_and_what_was_allowed_does_not() {
    let mut talk = waiting();
    talk.restart();
    assert_eq!(talk.engine.core().reason, Some(Reason::Widget));
    talk.answer(for_folder());
    assert_eq!(talk.disk[NOTE], "one\n");
    talk.reply("Shall I go on?", &[]);
    talk.restart();
    assert!(talk.snapshot().grants.is_empty());
    assert_eq!(talk.engine.core().reason, Some(Reason::Answered), "at rest it stays as it was");
    talk.say("Go on.");
    talk.reply("", &[write(NOTE, "two\n")]);
    assert_eq!(talk.disk[NOTE], "one\n", "it asks again");
}

#[test]
fn killed_between_the_click_and_the_write_it_asks_again() {
    let mut talk = waiting();
    let message_id = talk.waiting().message_id;
    let now = kernel::time::Time::from_millis(1_767_300_000_000);
    let click = Input::Answer { message_id, value: yes(), shown_ms: None, files: Vec::new() };
    let line = talk.engine.decide(&click, now).unwrap().unwrap();
    talk.journal.push(line);
    talk.restart();
    talk.input(Input::Resume).unwrap();
    assert!(talk.disk.is_empty(), "the click died with the program");
    talk.answer(yes());
    assert_eq!(talk.disk[NOTE], "one\n");
}

#[test]
fn stop_new_words_and_another_answer_close_the_call_unrun() {
    let topic = json!({ "widgetId": "t", "type": "confirmation", "message": "Well?" });
    let stop: fn(&mut Talk) = |talk| talk.input(Input::Stop { partial: None }).unwrap();
    let words: fn(&mut Talk) = |talk| talk.say("No, something else.");
    let other: fn(&mut Talk) = |talk| {
        let older = talk.snapshot().widgets[0].message_id.clone();
        talk.answer_to(older, yes()).unwrap();
    };
    for (close, code) in
        [(stop, "ENGINE_ABORTED"), (words, "E_INTERRUPTED"), (other, "E_INTERRUPTED")]
    {
        let mut talk = asking();
        talk.reply("", &[call("ui_ask_user", &topic)]);
        talk.say("Later.");
        talk.reply("", &[write(NOTE, "one\n")]);
        let dialog = talk.waiting().message_id;
        close(&mut talk);
        assert_eq!(talk.results(), ["ok", code]);
        assert!(talk.disk.is_empty());
        assert!(talk.engine.core().approvals.asked().is_none());
        if talk.thinks() {
            talk.reply("Fine.", &[]);
        }
        assert_eq!(code_of(talk.answer_to(dialog, yes())), ErrorCode::WidgetNotFound);
        assert!(talk.disk.is_empty());
    }
}

#[test]
fn a_run_cannot_be_resumed_while_an_approval_waits() {
    let mut talk = waiting();
    assert_eq!(code_of(talk.input(Input::Resume)), ErrorCode::NotNow);
    let mut plain = Talk::new(Limits::default());
    plain.reply("Well?", &[]);
    let stopped = plain.input(Input::Stop { partial: None });
    assert_eq!(code_of(stopped), ErrorCode::NotNow, "nothing waits for an approval");
}

#[test]
fn a_value_the_dialog_did_not_offer_is_refused() {
    let mut talk = waiting();
    let id = talk.waiting().message_id;
    for value in [
        json!({ "confirmed": false, "forFolder": true }),
        json!({ "confirmed": true, "forFolder": false }),
        json!({ "confirmed": true, "forFolder": true, "more": 1 }),
        json!("yes"),
    ] {
        let refused = talk.answer_to(id.clone(), value);
        assert_eq!(code_of(refused), ErrorCode::WidgetValueInvalid);
    }
}

#[test]
fn a_write_that_changes_nothing_asks_nobody() {
    let mut talk = asking();
    talk.disk.insert(NOTE.into(), "one\n".into());
    talk.reply("", &[write(NOTE, "one\n")]);
    assert!(talk.thinks());
    assert_eq!(talk.results(), ["ok"]);
}

#[test]
fn only_what_lies_outside_the_artifacts_asks_when_the_setting_says_so() {
    let mut talk = Talk::new(limits(ApproveWrites::AskOutside));
    talk.reply("", &[write("@project/artifacts/deep/a.md", "x\n")]);
    assert_eq!(talk.results(), ["ok"]);
    talk.reply("", &[write("@project/artifacts.md", "x\n")]);
    assert!(talk.waiting().change.is_some());
    let mut auto = Talk::new(limits(ApproveWrites::Auto));
    auto.reply("", &[write("@project/artifacts.md", "x\n")]);
    assert_eq!(auto.results(), ["ok"]);
}

#[test]
fn changes_of_the_state_document_and_reads_need_no_approval() {
    let mut talk = asking();
    talk.reply("", &[set_variable("x", "1"), call("fs_list", &json!({ "path": "@project" }))]);
    assert!(talk.thinks());
    assert_eq!(talk.results(), ["ok", "ok"]);
}

#[test]
fn settings_that_change_while_it_waits_hold_from_then_on() {
    let mut talk = waiting();
    let tools = SystemTools { fs_enabled: false, ..SystemTools::default() };
    talk.engine.set_limits(Limits { tools, ..limits(ApproveWrites::Ask) });
    talk.answer(yes());
    assert_eq!(talk.results(), ["TOOL_NOT_AVAILABLE"]);
    let mut talk = waiting();
    talk.engine.set_limits(Limits::default());
    talk.answer(yes());
    assert_eq!(talk.results(), ["ok"]);
    let used = &talk.snapshot().approvals[0].calls;
    assert_eq!(used.len(), 1, "what ran on the click is said also when it was not needed any more");
}

#[test]
fn an_approval_does_not_reset_the_limit_of_turns() {
    let mut talk = Talk::new(Limits { max_turns: 2, ..limits(ApproveWrites::Ask) });
    talk.reply("", &[write(NOTE, "one\n")]);
    talk.answer(yes());
    talk.reply("", &[write(NOTE, "two\n")]);
    talk.answer(yes());
    assert_eq!(talk.engine.core().reason, Some(Reason::Limit));
}

#[test]
fn approving_a_write_does_not_confirm_a_change_of_the_state() {
    let mut talk = Talk::completed(limits(ApproveWrites::Ask));
    talk.say("Go on.");
    talk.reply("", &[write(NOTE, "one\n"), set_variable("x", "1")]);
    talk.answer(yes());
    assert_eq!(talk.results(), ["ok", "STATE_CHANGE_REQUIRES_CONFIRMATION"]);
}

#[test]
fn a_window_shows_the_call_waiting_and_the_question_closed_when_it_needs_no_answer() {
    let states = |talk: &Talk| {
        let (mut view, mut page) = (View::default(), Page::new(0));
        for line in &talk.journal {
            page.take(view.project(line));
        }
        let items = page.into_items();
        let call = items.iter().find_map(|i| match &i.body {
            ItemBody::Call { state, diff, .. } => Some((*state, diff.is_some())),
            _ => None,
        });
        let question = items.iter().find_map(|i| match &i.body {
            ItemBody::Question { answer, closed, change, .. } => {
                Some((answer.is_some(), *closed, change.is_some()))
            }
            _ => None,
        });
        (call.unwrap(), question.unwrap())
    };
    let mut talk = waiting();
    assert_eq!(states(&talk), ((CallState::Waiting, true), (false, false, true)));
    talk.say("No.");
    assert_eq!(states(&talk), ((CallState::Failed, true), (false, true, true)));
    let mut talk = waiting();
    talk.answer(yes());
    assert_eq!(states(&talk), ((CallState::Done, true), (true, false, true)));
}

#[test]
fn the_journal_says_which_call_used_which_click() {
    let mut talk = waiting();
    talk.answer(yes());
    let used =
        talk.journal.iter().find(|l| l.events.iter().any(|e| matches!(e, Event::CallBegan(_))));
    let names: Vec<&str> = used.unwrap().events.iter().map(Event::name).collect();
    assert_eq!(names, ["confirmation_spent", "call_began"]);
}
