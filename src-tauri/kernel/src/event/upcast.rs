//! Reading lines, also with events under names that this program does not write (spec 06 "What
//! clients see"). Names are
//! additive, so a line that holds one of a newer program is still read: the event keeps its place
//! and its bytes, is shown to clients as it stands, and changes nothing here. The one name that
//! only older programs wrote is read as what is written today.

use serde::Deserialize;
use serde_json::Value;

use super::taken_over::{OLDER_BEGINNING, read_older_beginning};
use super::{Cause, Event, Line, cause};
use crate::limits::Limits;
use crate::time::Time;

/// A line whose events have not been looked at.
#[derive(Deserialize)]
struct RawLine {
    v: u16,
    seq: u64,
    at: Time,
    turn: u64,
    #[serde(default, deserialize_with = "cause::known")]
    cause: Option<Cause>,
    #[serde(default, deserialize_with = "cause::known")]
    settings: Option<Box<Limits>>,
    events: Vec<Value>,
}

/// Reads a line of any released format, also one with events or fields that only a newer program
/// knows, or that only an older one wrote.
///
/// # Errors
/// The line is no JSON, or lacks what a line or a known event of it must have.
pub fn upcast(body: &str) -> Result<Line, serde_json::Error> {
    // Format 1 is the first; later formats add their lifting here, one fixture journal each.
    serde_json::from_str(body).or_else(|why| with_other_names(body, why))
}

/// Reads a line that may hold events of an unknown or an older name. A known name with data that
/// does not fit stays an error: nothing damaged is taken for something new. Without another name
/// the line is damaged, and `why` says where.
fn with_other_names(body: &str, why: serde_json::Error) -> Result<Line, serde_json::Error> {
    let RawLine { v, seq, at, turn, cause, settings, events } = serde_json::from_str(body)?;
    let name = |event: &Value| event.get("event").and_then(Value::as_str).map(str::to_owned);
    if events.iter().all(|e| name(e).is_some_and(|name| Event::NAMES.contains(&name.as_str()))) {
        return Err(why);
    }
    let events = events.into_iter().map(event).collect::<Result<_, _>>()?;
    Ok(Line { v, seq, at, turn, cause, settings, events })
}

fn event(mut value: Value) -> Result<Event, serde_json::Error> {
    let name = value.get("event").and_then(Value::as_str);
    if name == Some(OLDER_BEGINNING) {
        return read_older_beginning(value["data"].take());
    }
    if name.is_none_or(|name| Event::NAMES.contains(&name)) {
        return serde_json::from_value(value);
    }
    serde_json::from_value(value).map(Event::Unrecognised)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn line(events: &Value) -> String {
        json!({ "v": 1, "seq": 7, "at": "2026-11-22T10:00:00Z", "turn": 2, "events": events })
            .to_string()
    }

    #[test]
    fn an_event_of_a_newer_program_keeps_its_place_and_its_content() {
        let newer = json!({ "event": "dreams_updated", "data": { "items": [1, { "a": null }] } });
        let body = line(&json!([{ "event": "run_resumed", "data": {} }, newer]));
        let read = upcast(&body).unwrap();
        assert_eq!(read.next_seq(), 9);
        assert_eq!(read.events[0].name(), "run_resumed");
        assert_eq!(read.events[1].name(), "dreams_updated");
        assert_eq!(serde_json::to_value(&read.events[1]).unwrap(), newer);
        assert_eq!(upcast(&serde_json::to_string(&read).unwrap()).unwrap(), read);
    }

    #[test]
    fn a_field_of_a_newer_program_is_left_out() {
        let body = line(&json!([{ "event": "run_resumed", "data": { "why": "because" } }]));
        assert_eq!(upcast(&body).unwrap().events[0].name(), "run_resumed");
    }

    #[test]
    fn a_known_event_that_is_damaged_is_not_taken_for_a_new_one() {
        for name in Event::NAMES {
            let body = line(&json!([{ "event": name, "data": { "nothing": "of it" } }]));
            let read = upcast(&body).map(|line| line.events);
            // Two of them need no data at all.
            let known = |events: &[Event]| !matches!(events, [Event::Unrecognised(_)]);
            assert!(read.as_deref().map_or(true, known), "{name}: {read:?}");
        }
        let damaged = line(&json!([{ "event": "state_mirrored", "data": {} }]));
        let why = upcast(&damaged).unwrap_err();
        assert!(why.to_string().contains("sha256"), "{why}");
        assert_ne!(why.column(), 0, "it says where");
        assert!(upcast(&line(&json!([{ "data": {} }]))).is_err());
        assert!(upcast(&line(&json!(["run_resumed"]))).is_err());
    }
}
