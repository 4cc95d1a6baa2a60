//! What a yes must have been: long enough in sight, and of a long change all of it.

use super::*;
use crate::event::{Event, WidgetAsked};
use crate::ids::{CallId, ChangeId, MessageId};
use crate::widget::Widget;
use rstest::rstest;

fn change(id: &str, call: Option<&str>) -> ChangeProposed {
    ChangeProposed {
        change_id: ChangeId::new(id).unwrap(),
        tool: "fs.write".into(),
        args: "{}".into(),
        pre_hash: "before".into(),
        post_hash: Some("after".into()),
        path: None,
        call_id: call.map(CallId::new),
        summary: String::new(),
        parts: Vec::new(),
        diff: "-a\n…\n+b\n".into(),
        cut: true,
        undoes_completion: false,
        restore: None,
        back_to: None,
    }
}

fn asking_about(change: &ChangeProposed) -> (Core, OpenWidget) {
    let mut core = Core::default();
    core.apply(&Event::ChangeProposed(change.clone()), Time::from_millis(0));
    let asked = WidgetAsked {
        message_id: MessageId::new("m1").unwrap(),
        call_id: CallId::new("call"),
        widget: Widget::approval("?".into(), None, &change.change_id, change.cut),
        change_id: Some(change.change_id.clone()),
    };
    (core, OpenWidget { asked, seq: 1, request: 1, at: Some(Time::from_millis(0)) })
}

fn code(core: &Core, open: &OpenWidget, value: &Value) -> Result<(), ErrorCode> {
    let later = Time::from_millis(5_000);
    refuse_unread(core, open, value, None, later).map_err(|refusal| refusal.0.code)
}

/// A call that waits, and a change of the state document.
#[rstest]
#[case(Some("call"))]
#[case(None)]
fn a_whole_is_the_one_of_the_change_that_is_asked_about(#[case] call: Option<&str>) {
    let shown = change("c1", call);
    let (core, open) = asking_about(&shown);
    let named = |whole: String| json!({ "confirmed": true, "whole": whole });
    assert_eq!(code(&core, &open, &named(whole::sha256(&shown))), Ok(()));
    let other = whole::sha256(&change("c2", call));
    assert_eq!(code(&core, &open, &named(other)), Err(ErrorCode::WidgetValueInvalid));
    assert_eq!(code(&core, &open, &json!({ "confirmed": true, "unseen": true })), Ok(()));
}

#[test]
fn nothing_waits_under_a_change_that_was_replaced() {
    let shown = change("c1", Some("call"));
    let (mut core, open) = asking_about(&shown);
    let newer = change("c2", Some("call"));
    core.apply(&Event::ChangeProposed(newer.clone()), Time::from_millis(1));
    for known in [&shown, &newer] {
        let value = json!({ "confirmed": true, "whole": whole::sha256(known) });
        assert_eq!(code(&core, &open, &value), Err(ErrorCode::WidgetValueInvalid));
    }
}

#[test]
fn a_change_without_a_diff_cannot_be_approved_as_seen_whole() {
    let shown = ChangeProposed { diff: String::new(), ..change("c1", Some("call")) };
    let (core, open) = asking_about(&shown);
    let value = json!({ "confirmed": true, "whole": whole::sha256(&shown) });
    assert_eq!(code(&core, &open, &value), Err(ErrorCode::WidgetValueInvalid));
}

#[test]
fn a_field_called_whole_means_nothing_in_other_questions() {
    let shown = ChangeProposed { cut: false, ..change("c1", Some("call")) };
    let (core, open) = asking_about(&shown);
    assert_eq!(code(&core, &open, &json!({ "confirmed": true, "whole": "milk" })), Ok(()));
}

#[rstest]
#[case(399, 5_000, false)]
#[case(400, 5_000, true)]
#[case(60_000, 399, false)]
#[case(60_000, 400, true)]
fn a_yes_was_in_sight_long_enough(#[case] said: u64, #[case] there: i64, #[case] counts: bool) {
    let (core, open) = asking_about(&ChangeProposed { cut: false, ..change("c1", Some("call")) });
    let now = Time::from_millis(there);
    let yes = refuse_unread(&core, &open, &json!({ "confirmed": true }), Some(said), now);
    let code = yes.map_err(|refusal| refusal.0.code);
    assert_eq!(code, if counts { Ok(()) } else { Err(ErrorCode::WidgetTooSoon) });
    let no = refuse_unread(&core, &open, &json!({ "confirmed": false }), Some(said), now);
    assert!(no.is_ok(), "a no authorises nothing");
}

#[test]
fn a_question_of_another_store_has_no_age() {
    let (core, open) = asking_about(&change("c1", Some("call")));
    let open = OpenWidget { at: None, ..open };
    let value = json!({ "confirmed": true, "unseen": true });
    assert!(refuse_unread(&core, &open, &value, Some(400), Time::from_millis(0)).is_ok());
}
