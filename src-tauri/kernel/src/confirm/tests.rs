//! The token's whole life, event by event.

use super::*;
use crate::event::{
    ConfirmationSpent, Phase, RunInterrupted, RunResumed, StateRejected, TurnFinished, UserSaid,
    WidgetAnswered,
};
use crate::ids::{CallId, ChangeId, MessageId};
use crate::tool::find;
use crate::widget::{STATE_CHANGE_CONFIRM, WidgetKind};
use rstest::rstest;
use serde_json::{Value, json};

const TOOL: &str = "fs.apply_patch";
const ARGS: &str = r#"{"path":"@state/workflow.md"}"#;

fn change(id: &str) -> ChangeProposed {
    ChangeProposed {
        change_id: ChangeId::new(id).unwrap(),
        tool: TOOL.into(),
        args: ARGS.into(),
        pre_hash: "before".into(),
        post_hash: Some("after".into()),
        path: None,
        call_id: None,
        summary: String::new(),
        parts: Vec::new(),
        diff: String::new(),
        cut: false,
        undoes_completion: false,
        restore: None,
        back_to: None,
    }
}

fn answer(value: Value, confirms: Option<&str>) -> WidgetAnswered {
    WidgetAnswered {
        message_id: MessageId::new("m2").unwrap(),
        widget_message_id: MessageId::new("m1").unwrap(),
        widget_id: STATE_CHANGE_CONFIRM.into(),
        kind: WidgetKind::Confirmation,
        value,
        confirms: confirms.map(|id| ChangeId::new(id).unwrap()),
        call_id: None,
        for_node_id: None,
        shown_ms: None,
        files: Vec::new(),
    }
}

fn yes(confirms: Option<&str>) -> Event {
    Event::WidgetAnswered(answer(json!({"confirmed": true}), confirms))
}

fn at(millis: i64) -> Time {
    Time::from_millis(millis)
}

fn folded(events: &[Event]) -> Confirm {
    let mut confirm = Confirm::default();
    for (n, event) in events.iter().enumerate() {
        confirm.apply(event, at(i64::try_from(n).unwrap() * 1000));
    }
    confirm
}

fn allowed(confirm: &Confirm) -> bool {
    matches!(
        confirm.judge(find(TOOL).unwrap(), ARGS, "before", Unbound::Allow),
        ClickVerdict::Allowed { .. }
    )
}

#[test]
fn without_a_click_nothing_is_allowed() {
    assert!(!allowed(&Confirm::default()));
    let proposed = folded(&[Event::ChangeProposed(change("a"))]);
    assert!(!allowed(&proposed) && !proposed.has_token());
    assert_eq!(proposed.pending().unwrap().change_id.as_str(), "a");
}

#[test]
fn a_bound_click_allows_the_change_that_was_shown_as_of_when_it_was_shown() {
    let confirm =
        folded(&[Event::UserSaid(said()), Event::ChangeProposed(change("a")), yes(Some("a"))]);
    let ClickVerdict::Allowed { change: Some(shown) } =
        confirm.judge(find(TOOL).unwrap(), ARGS, "before", Unbound::Refuse)
    else {
        panic!("a bound click counts also where unbound ones are refused")
    };
    assert_eq!((shown.change, shown.at), (change("a"), at(1000)));
}

#[rstest]
#[case("fs.write", ARGS, "before")]
#[case(TOOL, "{}", "before")]
#[case(TOOL, ARGS, "other")]
fn a_bound_click_allows_nothing_else(#[case] tool: &str, #[case] args: &str, #[case] hash: &str) {
    let confirm = folded(&[Event::ChangeProposed(change("a")), yes(Some("a"))]);
    assert_eq!(
        confirm.judge(find(tool).unwrap(), args, hash, Unbound::Allow),
        ClickVerdict::Refused
    );
}

#[test]
fn another_proposal_does_not_take_the_click_over() {
    let events =
        [Event::ChangeProposed(change("a")), yes(Some("a")), Event::ChangeProposed(change("b"))];
    let confirm = folded(&events);
    let ClickVerdict::Allowed { change: Some(shown) } =
        confirm.judge(find(TOOL).unwrap(), ARGS, "before", Unbound::Allow)
    else {
        panic!("the confirmed change may still be made")
    };
    assert_eq!(shown.change.change_id.as_str(), "a");
    assert_eq!(confirm.pending().unwrap().change_id.as_str(), "b");
}

#[test]
fn a_click_on_a_change_that_no_longer_waits_is_ignored() {
    let confirm = folded(&[
        Event::ChangeProposed(change("a")),
        Event::ChangeProposed(change("b")),
        yes(Some("a")),
    ]);
    assert!(!confirm.has_token() && !allowed(&confirm) && confirm.pending().is_none());
}

#[test]
fn an_unbound_click_counts_as_the_setting_says() {
    let confirm = folded(&[yes(None)]);
    for tool in [TOOL, "fs.write"] {
        let judged = |unbound| confirm.judge(find(tool).unwrap(), "{}", "x", unbound);
        assert_eq!(judged(Unbound::Allow), ClickVerdict::Allowed { change: None });
        assert_eq!(judged(Unbound::Refuse), ClickVerdict::Refused);
    }
}

#[rstest]
#[case("workflow.rewind")]
#[case("fs.move")]
#[case("fs.delete")]
#[case("fs.read")]
fn an_unbound_click_allows_nothing_but_a_change_of_the_document(#[case] tool: &str) {
    let judged = folded(&[yes(None)]).judge(find(tool).unwrap(), "{}", "x", Unbound::Allow);
    assert_eq!(judged, ClickVerdict::Refused);
}

fn said() -> UserSaid {
    UserSaid {
        told: None,
        message_id: MessageId::new("m").unwrap(),
        text: "x".into(),
        for_node_id: None,
        files: Vec::new(),
    }
}

fn spent(id: Option<&str>) -> Event {
    Event::ConfirmationSpent(ConfirmationSpent {
        call_id: CallId::new("c1"),
        change_id: id.map(|id| ChangeId::new(id).unwrap()),
    })
}

fn finished(reason: Reason) -> Event {
    let phase = Phase::WaitingUser;
    Event::TurnFinished(TurnFinished { phase, reason, failure: None, decision: None })
}

#[rstest]
#[case::spent(spent(Some("a")), false)]
#[case::spent_unbound(spent(None), false)]
#[case::next_input(Event::UserSaid(said()), false)]
#[case::restart(Event::RunInterrupted(RunInterrupted { in_doubt: vec![], resting: true }), false)]
#[case::stop(finished(Reason::Stopped), false)]
#[case::edit(Event::StateRejected(StateRejected {
    sha256: None,
    failure: crate::code::Failure::for_model(crate::code::ErrorCode::Internal, ""),
}), false)]
#[case::cancel(Event::WidgetAnswered(answer(json!({"confirmed": false}), None)), false)]
#[case::another_widget(Event::WidgetAnswered(WidgetAnswered {
    widget_id: "other".into(), ..answer(json!({"confirmed": true}), None)
}), false)]
#[case::another_kind(Event::WidgetAnswered(WidgetAnswered {
    kind: WidgetKind::Form, ..answer(json!({"confirmed": true}), None)
}), false)]
#[case::an_approval(Event::WidgetAnswered(WidgetAnswered {
    call_id: Some(CallId::new("c")), ..answer(json!({"confirmed": true}), None)
}), false)]
#[case::approval_of_a_write_spent(spent(Some("write")), true)]
#[case::resume(Event::RunResumed(RunResumed {}), true)]
#[case::failure(finished(Reason::Failed), true)]
#[case::limit(finished(Reason::Limit), true)]
fn what_ends_a_click(#[case] event: Event, #[case] lives: bool) {
    let confirm = folded(&[Event::ChangeProposed(change("a")), yes(Some("a")), event]);
    assert_eq!(confirm.has_token(), lives);
    assert_eq!(allowed(&confirm), lives);
}

#[test]
fn an_unbound_click_is_not_spent_by_an_approval_of_a_write() {
    assert!(folded(&[yes(None), spent(Some("write"))]).has_token());
    assert!(!folded(&[yes(None), spent(None)]).has_token());
}

#[test]
fn a_write_that_waits_is_no_change_of_the_state() {
    let write = ChangeProposed { call_id: Some(CallId::new("c")), ..change("w") };
    assert!(folded(&[Event::ChangeProposed(write)]).pending().is_none());
}

#[test]
fn a_restart_keeps_the_question_and_loses_the_click() {
    let interrupted = Event::RunInterrupted(RunInterrupted { in_doubt: vec![], resting: false });
    let confirm = folded(&[Event::ChangeProposed(change("a")), interrupted]);
    assert!(confirm.pending().is_some());
}

#[test]
fn what_waits_is_known_with_the_time_it_was_computed_as_of() {
    let mut confirm = Confirm::default();
    assert_eq!(confirm.proposed(), None);
    confirm.apply(&Event::ChangeProposed(change("c1")), at(7));
    assert_eq!(
        confirm.proposed(),
        Some(&Proposed { change: change("c1"), at: at(7), asked: false })
    );
    confirm.apply(&yes(Some("c2")), at(8));
    assert_eq!(confirm.proposed(), None, "it was passed over");
}
