//! Whether a person can have read what their answer authorises (spec 06 "Confirmation"): for long
//! enough, and to its end.
//!
//! Dialogs follow each other at one place of the screen: a click meant for the last one must not
//! authorise the next. How long a dialog was shown is what the window says, and never longer than
//! it has been there. Who answers without a window, a terminal or a script, shows nothing and so
//! says nothing.

use serde_json::{Value, json};

use super::core::{Core, OpenWidget};
use super::input::Refusal;
use crate::code::{ErrorCode, Failure};
use crate::event::ChangeProposed;
use crate::phrase::{changes, engine as said};
use crate::time::Time;
use crate::whole;
use crate::widget::WHOLE;

/// What was shown for less than this, in milliseconds, nobody has read.
pub const SHOWN_AT_LEAST_MS: u64 = 400;

/// A yes to what was not read.
pub(super) fn refuse_unread(
    core: &Core,
    open: &OpenWidget,
    value: &Value,
    shown_ms: Option<u64>,
    now: Time,
) -> Result<(), Refusal> {
    refuse_too_soon(open, value, shown_ms, now)?;
    refuse_another_whole(core, open, value)
}

/// Who says that a change was opened whole names that very change. Only who opened it can.
fn refuse_another_whole(core: &Core, open: &OpenWidget, value: &Value) -> Result<(), Refusal> {
    let Some(named) = value.get(WHOLE).filter(|_| open.asked.widget.cut) else { return Ok(()) };
    let asked = |change: &&ChangeProposed| open.asked.change_id.as_ref() == Some(&change.change_id);
    let waiting = [core.approvals.asked(), core.confirm.pending()];
    let change = waiting.into_iter().flatten().find(asked);
    let is_it =
        |change: &ChangeProposed| whole::can_be_opened(change) && *named == whole::sha256(change);
    if change.is_some_and(is_it) {
        return Ok(());
    }
    Err(Refusal(Failure::new(ErrorCode::WidgetValueInvalid, said::another_whole())))
}

fn refuse_too_soon(
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

#[cfg(test)]
mod tests;
