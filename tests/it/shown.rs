//! What a click authorises was on the screen long enough to be read (spec 06
//! "Confirmation").

use crate::talk::{Talk, call, set_variable, write};
use kernel::code::ErrorCode;
use kernel::engine::{Input, Limits, SHOWN_AT_LEAST_MS};
use kernel::event::{Event, Phase};
use kernel::policy::ApproveWrites;
use kernel::time::Time;
use kernel::view::View;
use kernel::wire::{Frame, ItemBody};
use serde_json::{Value, json};

const NOTE: &str = "@project/docs/note.md";

fn approval() -> Talk {
    let mut talk = Talk::new(Limits { approve_writes: ApproveWrites::Ask, ..Limits::default() });
    talk.reply("I write.", &[write(NOTE, "one\n"), write("@project/docs/two.md", "two\n")]);
    talk
}

fn asked(widget: &Value) -> Talk {
    let mut talk = Talk::new(Limits::default());
    talk.reply("", &[call("ui_ask_user", widget)]);
    talk
}

fn shown(talk: &mut Talk, value: Value, shown_ms: u64) -> Result<(), ErrorCode> {
    let message_id = talk.waiting().message_id;
    let input = Input::Answer { message_id, value, shown_ms: Some(shown_ms), files: Vec::new() };
    talk.input(input).map_err(|refusal| refusal.0.code)
}

#[test]
fn what_was_shown_for_a_moment_only_authorises_nothing_and_still_waits() {
    let mut talk = approval();
    for value in [json!({ "confirmed": true }), json!({ "confirmed": true, "forFolder": true })] {
        for ms in [0, 1, SHOWN_AT_LEAST_MS - 1] {
            assert_eq!(shown(&mut talk, value.clone(), ms), Err(ErrorCode::WidgetTooSoon));
        }
    }
    assert!(talk.disk.is_empty() && talk.snapshot().approvals.is_empty());
    shown(&mut talk, json!({ "confirmed": true }), SHOWN_AT_LEAST_MS).unwrap();
    assert_eq!(talk.disk[NOTE], "one\n");
    assert_eq!(talk.disk.len(), 1, "the second write asks for itself");
    let answered = talk.events().find_map(|event| match event {
        Event::WidgetAnswered(e) => e.shown_ms,
        _ => None,
    });
    assert_eq!(answered, Some(SHOWN_AT_LEAST_MS), "the journal says how long it was shown");
}

#[test]
fn a_window_that_claims_more_than_the_question_has_been_there_is_not_believed() {
    let talk = approval();
    let message_id = talk.waiting().message_id;
    let asked = talk.journal.last().unwrap().at.millis();
    let yes = json!({ "confirmed": true });
    let input = Input::Answer { message_id, value: yes, shown_ms: Some(60_000), files: Vec::new() };
    let after = |ms: i64| talk.engine.decide(&input, Time::from_millis(asked + ms));
    let refusal = after(399).unwrap_err().0;
    assert_eq!(refusal.code, ErrorCode::WidgetTooSoon);
    assert_eq!(refusal.details.unwrap()["shownMs"], 399);
    assert!(after(400).unwrap().is_some());
    assert!(after(-5_000).unwrap().is_some(), "a clock that was set back says nothing");
}

#[test]
fn a_no_authorises_nothing_and_needs_not_to_have_been_read() {
    let mut talk = approval();
    shown(&mut talk, json!({ "confirmed": false }), 0).unwrap();
    assert!(talk.disk.is_empty());
    assert_eq!(talk.results()[0], "USER_REFUSED");
}

#[test]
fn it_holds_for_whatever_authorises_and_not_for_what_only_tells() {
    let confirm = json!({ "widgetId": "c", "type": "confirmation", "message": "Sure?" });
    let plan =
        json!({ "widgetId": "p", "type": "plan_review", "message": "Plan", "planContent": "1." });
    let choice = json!({ "widgetId": "s", "type": "selection", "message": "Which?",
                         "options": [{ "value": "a", "label": "A" }] });
    for (widget, value, result) in [
        (&confirm, json!({ "confirmed": true }), Err(ErrorCode::WidgetTooSoon)),
        (&confirm, json!({ "confirmed": false }), Ok(())),
        (&plan, json!({ "decision": "approve" }), Err(ErrorCode::WidgetTooSoon)),
        (&choice, json!(["a"]), Ok(())),
    ] {
        assert_eq!(shown(&mut asked(widget), value, 10), result, "{widget}");
    }
}

#[test]
fn the_confirmation_of_a_completed_run_has_to_be_seen_too() {
    let mut talk = Talk::completed(Limits::default());
    talk.say("Change it.");
    talk.reply("", &[set_variable("idea", "two")]);
    assert_eq!(talk.results().last().unwrap(), "STATE_CHANGE_REQUIRES_CONFIRMATION");
    let widget = json!({ "widgetId": "workflow_state_change_confirm", "type": "confirmation",
                         "message": "Change it?" });
    talk.reply("", &[call("ui_ask_user", &widget)]);
    let yes = json!({ "confirmed": true });
    assert_eq!(shown(&mut talk, yes.clone(), 120), Err(ErrorCode::WidgetTooSoon));
    shown(&mut talk, yes, 1_200).unwrap();
    talk.reply("", &[set_variable("idea", "two")]);
    assert_eq!(talk.results().last().unwrap(), "ok");
}

#[test]
fn an_answer_without_a_time_from_outside_a_window_is_taken() {
    let mut talk = approval();
    talk.answer(json!({ "confirmed": true }));
    assert_eq!(talk.disk[NOTE], "one\n");
}

#[test]
fn a_message_that_was_cut_is_still_its_agents() {
    let mut talk = Talk::new(Limits::default());
    talk.input(Input::Stop { partial: Some("I was about".into()) }).unwrap();
    assert_eq!(talk.engine.core().phase, Phase::WaitingUser);
    let mut view = View::default();
    let frames = talk.journal.iter().flat_map(|line| view.project(line));
    let cut = frames.filter_map(|frame| match frame {
        Frame::Upsert { item } => match item.body {
            ItemBody::Message { cut: true, agent, .. } => Some(agent),
            _ => None,
        },
        _ => None,
    });
    let agent = talk.engine.effective_agent().map(ToString::to_string);
    assert!(agent.is_some());
    assert_eq!(cut.last(), Some(agent));
}
