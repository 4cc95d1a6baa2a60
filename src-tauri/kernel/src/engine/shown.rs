//! Whether a person can have read what their answer authorises (law 4, spec 06 "Confirmation").
//!
//! Dialogs follow each other at one place of the screen: a click meant for the last one must not
//! authorise the next. How long a dialog was shown is what the window says, and never longer than
//! it has been there. Who answers without a window, a terminal or a script, shows nothing and so
//! says nothing.

use serde_json::{Value, json};

use super::core::OpenWidget;
use super::input::Refusal;
use crate::code::{ErrorCode, Failure};
use crate::phrase::changes;
use crate::time::Time;

/// What was shown for less than this, in milliseconds, nobody has read.
pub const SHOWN_AT_LEAST_MS: u64 = 400;

pub(super) fn refuse_unread(
    open: &OpenWidget,
    value: &Value,
    shown_ms: Option<u64>,
    now: Time,
) -> Result<(), Refusal> {
    // A no authorises nothing, and a question that never fits into the window must have a way out.
    let authorises = open.asked.widget.kind.authorises() && value["confirmed"] != json!(false);
    let Some(said) = shown_ms.filter(|_| authorises) else {
        return Ok(());
    };
    let shown = said.min(there_for(open.at, now));
    if shown >= SHOWN_AT_LEAST_MS {
        return Ok(());
    }
    let words = changes::shown_too_briefly(&open.asked.widget.widget_id, shown);
    let details = json!({ "shownMs": shown, "atLeastMs": SHOWN_AT_LEAST_MS });
    Err(Refusal(Failure::new(ErrorCode::WidgetTooSoon, words).with_details(details)))
}

/// How long ago it was asked. A clock that was set back says nothing.
fn there_for(asked_at: Option<Time>, now: Time) -> u64 {
    let age = asked_at.map(|at| now.millis().saturating_sub(at.millis()));
    age.and_then(|age| u64::try_from(age).ok()).unwrap_or(u64::MAX)
}
