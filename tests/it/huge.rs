//! Changes too large to be compared exactly do not hold a run up, and its conversation opens again.

use crate::talk::{Talk, call, code_of, set_variable, write};
use kernel::code::ErrorCode;
use kernel::engine::{Limits, WholeChangeSource};
use kernel::event::{ChangeProposed, Event};
use kernel::ids::MessageId;
use kernel::journal_snapshot::Page;
use kernel::policy::ApproveWrites;
use kernel::view::View;
use kernel::whole;
use kernel::widget::STATE_CHANGE_CONFIRM;
use kernel::wire::ItemBody;
use serde_json::json;

const STATE: &str = "@state/workflow.md";

fn numbered(sign: &str, lines: usize) -> String {
    (0..lines).map(|n| [sign, &n.to_string(), "\n"].concat()).collect()
}

fn replaced(old: &str, new: &str) -> (String, String) {
    let patch = json!({ "operation": "replace", "old": old, "new": new });
    call("fs_apply_patch", &json!({ "path": STATE, "patch": patch }))
}

#[test]
fn a_huge_change_of_the_state_document_is_shown_cut_and_the_conversation_opens_again() {
    let mut talk = Talk::of_large_files(Limits::default());
    let (first, second) = (numbered("", 60_000), numbered("n", 60_000));
    let note = "One note about one topic.\n";
    talk.reply("", &[replaced(note, &first)]);
    talk.reply("", &[replaced(&first, &second)]);
    talk.reply("", &[replaced(&second, note)]);
    assert_eq!(talk.results(), ["ok", "ok", "ok"]);
    let (mut view, mut page) = (View::default(), Page::new(0));
    for line in &talk.journal {
        page.take(view.project(line));
    }
    let diffs = page.into_items().into_iter().filter_map(|item| match item.body {
        ItemBody::Call { diff, .. } => diff,
        _ => None,
    });
    let diffs: Vec<String> = diffs.collect();
    assert_eq!(diffs.len(), 3);
    for diff in diffs {
        assert!(diff.len() < 70_000 && diff.contains("\n…\n"), "{} bytes", diff.len());
    }
}

#[test]
fn a_huge_change_that_waits_for_a_click_says_that_it_is_not_shown_whole() {
    let mut talk = Talk::of_large_files(Limits::default());
    talk.ended_by_hand();
    talk.reply("Goodbye.", &[]);
    talk.say("Go on.");
    let note = "One note about one topic.\n";
    talk.reply("", &[replaced(note, &numbered("", 60_000))]);
    assert_eq!(talk.results(), ["STATE_CHANGE_REQUIRES_CONFIRMATION"]);
    let pending = &talk.last_result()["error"]["details"]["pendingChange"];
    let words = "text changed; the diff is too long to be shown at once";
    assert_eq!(pending["summary"], words);
    let diff = pending["diff"].as_str().unwrap();
    assert!(diff.contains("\n+0\n+1\n") && diff.contains("\n…\n"), "{diff}");
    assert!(diff.contains("\n+59998\n+59999\n"), "{diff}");
    // A yes that does not know this is none.
    let ask = json!({ "widgetId": STATE_CHANGE_CONFIRM, "type": "confirmation", "message": "?" });
    talk.reply("", &[call("ui_ask_user", &ask)]);
    let waiting = talk.waiting();
    assert!(waiting.widget.cut && waiting.change.is_some());
    let yes = json!({ "confirmed": true });
    let refused = talk.answer_to(waiting.message_id.clone(), yes);
    assert_eq!(code_of(refused), ErrorCode::WidgetValueInvalid);
    talk.answer(json!({ "confirmed": true, "unseen": true }));
    talk.reply("", &[replaced(note, &numbered("", 60_000))]);
    assert_eq!(talk.results().last().unwrap(), "ok");
}

#[test]
fn a_huge_change_of_the_state_document_is_opened_whole_and_then_allowed_as_it_is_shown() {
    let mut talk = Talk::of_large_files(Limits::default());
    talk.ended_by_hand();
    talk.reply("Goodbye.", &[]);
    talk.say("Go on.");
    let (note, large) = ("One note about one topic.\n", numbered("", 60_000));
    talk.reply("", &[replaced(note, &large)]);
    let ask = json!({ "widgetId": STATE_CHANGE_CONFIRM, "type": "confirmation", "message": "?" });
    talk.reply("", &[call("ui_ask_user", &ask)]);
    let lines = talk.journal.len();
    let change = talk.waiting().change.unwrap();
    let waiting = talk.engine.waiting_change(&change.id).unwrap();
    let WholeChangeSource::Diff(whole) = waiting.found else {
        panic!("the engine knows both versions")
    };
    let added: String = large.lines().map(|line| ["+", line, "\n"].concat()).collect();
    assert!(whole.contains(&added) && !whole.contains('…') && whole.contains("\n-One note"));
    assert_eq!(talk.journal.len(), lines, "looking writes nothing");
    // A restart between opening and answering changes nothing.
    talk.restart();
    talk.answer(json!({ "confirmed": true, "whole": whole::sha256(&waiting.change) }));
    talk.reply("", &[replaced(note, &large)]);
    assert_eq!(talk.results().last().unwrap(), "ok");
    let given = talk.snapshot().approvals.pop().unwrap();
    assert!(given.bound && given.whole && !given.unseen);
    let none = talk.engine.waiting_change(&change.id).unwrap_err();
    assert_eq!(none.code, ErrorCode::WidgetNotFound, "it waits no more");
}

/// The run is opened again from a journal whose proposals say something else.
fn reopened_with(talk: &mut Talk, say: fn(&mut ChangeProposed)) {
    for event in talk.journal.iter_mut().flat_map(|line| &mut line.events) {
        if let Event::ChangeProposed(change) = event {
            say(change);
        }
    }
    talk.restart();
}

#[test]
fn a_change_of_the_state_document_that_would_be_another_one_now_is_not_opened() {
    for say in [
        (|change| change.pre_hash = "another".into()) as fn(&mut ChangeProposed),
        |change| change.post_hash = Some("another".into()),
        |change| change.post_hash = None,
    ] {
        let mut talk = Talk::completed(Limits::default());
        talk.say("Go on.");
        talk.reply("", &[set_variable("x", "1")]);
        let ask =
            json!({ "widgetId": STATE_CHANGE_CONFIRM, "type": "confirmation", "message": "?" });
        talk.reply("", &[call("ui_ask_user", &ask)]);
        let change = talk.waiting().change.unwrap();
        assert!(talk.engine.waiting_change(&change.id).is_ok());
        reopened_with(&mut talk, say);
        let refused = talk.engine.waiting_change(&change.id).unwrap_err();
        assert_eq!(refused.code, ErrorCode::PreconditionFailed);
    }
}

#[test]
fn a_write_of_what_is_no_text_has_nothing_to_open() {
    let limits = Limits { approve_writes: ApproveWrites::Ask, ..Limits::default() };
    let mut talk = Talk::new(limits);
    long_write_waits(&mut talk, "a line\n");
    let change = talk.waiting().change.unwrap();
    reopened_with(&mut talk, |change| change.diff.clear());
    let refused = talk.engine.waiting_change(&change.id).unwrap_err();
    assert_eq!(refused.code, ErrorCode::NotText);
}

/// A long write that waits: what names it once it was opened, and where it was asked.
fn long_write_waits(talk: &mut Talk, line: &str) -> (String, MessageId) {
    talk.reply("", &[write("@project/notes.md", &line.repeat(500))]);
    let waiting = talk.waiting();
    assert!(waiting.widget.cut);
    let change = waiting.change.unwrap();
    let opened = talk.engine.waiting_change(&change.id).unwrap();
    assert!(matches!(opened.found, WholeChangeSource::Call(_)));
    (whole::sha256(&opened.change), waiting.message_id)
}

#[test]
fn a_yes_to_a_long_write_names_the_very_change_that_was_opened() {
    let limits = Limits { approve_writes: ApproveWrites::Ask, ..Limits::default() };
    let mut talk = Talk::new(limits);
    let (other, asked) = long_write_waits(&mut talk, "another line\n");
    talk.answer_to(asked, json!({ "confirmed": false })).unwrap();
    let (whole, asked) = long_write_waits(&mut talk, "a line\n");
    for value in [
        json!({ "confirmed": true }),
        json!({ "confirmed": true, "whole": other }),
        json!({ "confirmed": true, "whole": whole.to_uppercase() }),
        json!({ "confirmed": true, "whole": "" }),
        json!({ "confirmed": true, "whole": true }),
        json!({ "confirmed": true, "whole": null }),
        json!({ "confirmed": true, "whole": [whole] }),
        json!({ "confirmed": true, "whole": whole, "unseen": true }),
        json!({ "confirmed": true, "whole": whole, "forFolder": true }),
        json!({ "confirmed": false, "whole": whole }),
    ] {
        let refused = talk.answer_to(asked.clone(), value.clone());
        assert_eq!(code_of(refused), ErrorCode::WidgetValueInvalid, "{value}");
    }
    talk.restart();
    talk.answer_to(asked, json!({ "confirmed": true, "whole": whole })).unwrap();
    assert_eq!(talk.results().last().unwrap(), "ok");
    assert_eq!(talk.disk["@project/notes.md"], "a line\n".repeat(500));
    let given = talk.snapshot().approvals.pop().unwrap();
    assert!(given.whole && !given.unseen && given.folder.is_none());
    // It was worth one change, and one that is shown whole has nothing to be opened.
    let (again, asked) = long_write_waits(&mut talk, "third\n");
    let spent = talk.answer_to(asked.clone(), json!({ "confirmed": true, "whole": whole }));
    assert_eq!(code_of(spent), ErrorCode::WidgetValueInvalid);
    talk.answer_to(asked, json!({ "confirmed": false })).unwrap();
    talk.reply("", &[write("@project/notes.md", "short\n")]);
    let asked = talk.waiting().message_id;
    let refused = talk.answer_to(asked, json!({ "confirmed": true, "whole": again }));
    assert_eq!(code_of(refused), ErrorCode::WidgetValueInvalid);
}

#[test]
fn a_write_that_is_not_shown_whole_offers_no_folder_and_no_yes_as_shown() {
    let limits = Limits { approve_writes: ApproveWrites::Ask, ..Limits::default() };
    let mut talk = Talk::new(limits);
    talk.reply("", &[write("@project/notes.md", &"a line\n".repeat(500))]);
    let waiting = talk.waiting();
    assert!(waiting.widget.cut && waiting.widget.grant.is_none(), "{:?}", waiting.widget);
    for value in [
        json!({ "confirmed": true }),
        json!({ "confirmed": true, "forFolder": true }),
        json!({ "confirmed": true, "unseen": true, "forFolder": true }),
        json!({ "confirmed": true, "unseen": false }),
        json!({ "confirmed": false, "unseen": true }),
    ] {
        let refused = talk.answer_to(waiting.message_id.clone(), value.clone());
        assert_eq!(code_of(refused), ErrorCode::WidgetValueInvalid, "{value}");
    }
    talk.answer(json!({ "confirmed": true, "unseen": true }));
    assert_eq!(talk.results().last().unwrap(), "ok");
    // One that is shown whole is asked about as ever.
    talk.reply("", &[write("@project/notes.md", "short\n")]);
    let waiting = talk.waiting();
    assert!(!waiting.widget.cut && waiting.widget.grant.is_some());
    let refused = talk.answer_to(waiting.message_id, json!({ "confirmed": true, "unseen": true }));
    assert_eq!(code_of(refused), ErrorCode::WidgetValueInvalid);
    talk.answer(json!({ "confirmed": true }));
}

#[test]
fn versions_of_a_large_state_document_do_not_fill_the_disk_in_one_turn() {
    let mut talk = Talk::of_large_files(Limits::default());
    let large = numbered("", 120_000);
    talk.reply("", &[replaced("One note about one topic.\n", &large)]);
    assert_eq!(talk.results(), ["ok"]);
    let changes: Vec<_> = (0..40).map(|n| set_variable("topic", &n.to_string())).collect();
    talk.reply("", &changes);
    let results = talk.results();
    let done = results.iter().filter(|result| **result == "ok").count();
    assert_eq!(done, (16 << 20) / large.len(), "{results:?}");
    assert_eq!(*results.last().unwrap(), "E_WRITE_LIMIT");
    talk.reply("That is all.", &[]);
    talk.say("Go on.");
    talk.reply("", &[set_variable("topic", "again")]);
    assert_eq!(*talk.results().last().unwrap(), "ok", "a new turn of the user may change it again");
}
