//! Where a line that was decided again differs from the recorded one.

use serde::Serialize;
use serde_json::{Value, json};

use crate::code::Failure;
use crate::event::{Event, Line};

/// Where two lines differ first.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// The sequence number of the event.
    pub seq: u64,
    /// Its name, as it was recorded; `line` when the lines themselves differ.
    pub event: String,
    /// JSON pointer into the event's data; empty for the whole of it.
    pub field: String,
    /// What the record says; `null` when it says nothing.
    pub recorded: Value,
    /// What the replay says; `null` when it says nothing.
    pub replayed: Value,
}

/// The first difference between a recorded line and the one decided again; `None` when they are
/// equal. No line at all, and a refusal, are differences too.
pub fn difference(
    recorded: &Line,
    replayed: Result<Option<&Line>, &Failure>,
) -> Option<Difference> {
    let of_line = |field: &str, recorded_value: Value, replayed: Value| Difference {
        seq: recorded.seq,
        event: recorded.events.first().map_or("line", Event::name).to_owned(),
        field: field.to_owned(),
        recorded: recorded_value,
        replayed,
    };
    let first = || recorded.events.first().map_or(Value::Null, |e| json!(e.name()));
    let line = match replayed {
        Ok(Some(line)) => line,
        Ok(None) => return Some(of_line("", first(), Value::Null)),
        Err(refused) => return Some(of_line("", first(), json!({ "refused": refused }))),
    };
    if (line.seq, line.turn) != (recorded.seq, recorded.turn) {
        let told = |line: &Line| json!({ "seq": line.seq, "turn": line.turn });
        let differs = of_line("", told(recorded), told(line));
        return Some(Difference { event: "line".to_owned(), ..differs });
    }
    let count = recorded.events.len().max(line.events.len());
    (recorded.seq..)
        .zip(0..count)
        .find_map(|(seq, at)| event_difference(seq, recorded.events.get(at), line.events.get(at)))
}

fn event_difference(
    seq: u64,
    recorded: Option<&Event>,
    replayed: Option<&Event>,
) -> Option<Difference> {
    if recorded == replayed {
        return None;
    }
    let name = |event: Option<&Event>| event.map_or(Value::Null, |e| json!(e.name()));
    let of = |field: String, recorded_value: Value, replayed_value: Value| Difference {
        seq,
        event: recorded.or(replayed).map_or("line", Event::name).to_owned(),
        field,
        recorded: recorded_value,
        replayed: replayed_value,
    };
    if name(recorded) != name(replayed) {
        return Some(of(String::new(), name(recorded), name(replayed)));
    }
    let data = |event: Option<&Event>| {
        let tagged = event.and_then(|e| serde_json::to_value(e).ok()).unwrap_or_default();
        tagged.get("data").cloned().unwrap_or_default()
    };
    let (recorded, mut replayed) = (data(recorded), data(replayed));
    forget_phrases(&recorded, &mut replayed);
    value_difference("", &recorded, &replayed).map(|(field, a, b)| of(field, a, b))
}

/// Older journals have English words only, not the phrases they are said from.
fn forget_phrases(recorded: &Value, replayed: &mut Value) {
    let (Some(recorded), Some(replayed)) = (recorded.as_object(), replayed.as_object_mut()) else {
        return;
    };
    for name in ["parts", "said", "advice"] {
        if !recorded.contains_key(name) {
            replayed.shift_remove(name);
        }
    }
    for (name, value) in replayed {
        if let Some(recorded) = recorded.get(name) {
            forget_phrases(recorded, value);
        }
    }
}

/// The first place, in the order of the record, where two JSON values differ.
fn value_difference(
    at: &str,
    recorded: &Value,
    replayed: &Value,
) -> Option<(String, Value, Value)> {
    let absent = Value::Null;
    match (recorded, replayed) {
        _ if recorded == replayed => None,
        (Value::Object(a), Value::Object(b)) => {
            let added = b.keys().filter(|key| !a.contains_key(*key));
            a.keys().chain(added).find_map(|key| {
                let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
                match (a.get(key), b.get(key)) {
                    (Some(a), Some(b)) => value_difference(&at, a, b),
                    (a, b) => Some((at, owned(a), owned(b))),
                }
            })
        }
        (Value::Array(a), Value::Array(b)) => (0..a.len().max(b.len())).find_map(|n| {
            let (a, b) = (a.get(n).unwrap_or(&absent), b.get(n).unwrap_or(&absent));
            value_difference(&format!("{at}/{n}"), a, b)
        }),
        (a, b) => Some((at.to_owned(), a.clone(), b.clone())),
    }
}

fn owned(value: Option<&Value>) -> Value {
    value.cloned().unwrap_or_default()
}

/// The field of an event that only the record knows: where a changed line whose decision is
/// otherwise repeated must have been changed.
pub fn taken_from_the_record(event: &Event) -> &'static str {
    match event {
        Event::ModelReplied(_) | Event::CandidateRejected(_) | Event::CandidateHeld(_) => "/reply",
        Event::HookEnded(_) => "/output",
        Event::ModelFailed(_) => "/failure",
        Event::UserSaid(_) | Event::StateChanged(_) => "/text",
        Event::WidgetAnswered(_) => "/value",
        Event::CallEnded(_) => "/result",
        Event::RunStarted(_) => "/state",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::ErrorCode;

    fn line(events: &Value) -> Line {
        let line = json!({
            "v": 1, "seq": 7, "at": "2026-01-01T00:00:00.000Z", "turn": 2, "events": events,
        });
        crate::event::upcast(&line.to_string()).unwrap()
    }

    fn mirrored(sha256: &str) -> Value {
        json!({ "event": "state_mirrored", "data": { "sha256": sha256 } })
    }

    #[test]
    fn equal_lines_do_not_differ() {
        let a = line(&json!([mirrored("a")]));
        assert_eq!(difference(&a, Ok(Some(&a.clone()))), None);
    }

    #[test]
    fn the_first_field_that_differs_is_named_with_both_values() {
        let (a, b) = (json!([mirrored("a"), mirrored("b")]), json!([mirrored("a"), mirrored("c")]));
        let found = difference(&line(&a), Ok(Some(&line(&b)))).unwrap();
        assert_eq!((found.seq, found.event.as_str()), (8, "state_mirrored"));
        assert_eq!(found.field, "/sha256");
        assert_eq!((found.recorded, found.replayed), (json!("b"), json!("c")));
    }

    #[test]
    fn an_event_too_many_or_too_few_and_another_one_are_differences() {
        let resumed = json!({ "event": "run_resumed", "data": {} });
        let (one, two) = (line(&json!([mirrored("a")])), line(&json!([mirrored("a"), resumed])));
        let more = difference(&one, Ok(Some(&two))).unwrap();
        assert_eq!(
            (more.seq, more.recorded, more.replayed),
            (8, Value::Null, json!("run_resumed"))
        );
        let fewer = difference(&two, Ok(Some(&one))).unwrap();
        assert_eq!((fewer.recorded, fewer.replayed), (json!("run_resumed"), Value::Null));
        let other = difference(&one, Ok(Some(&line(&json!([resumed]))))).unwrap();
        assert_eq!(other.replayed, json!("run_resumed"));
    }

    #[test]
    fn a_change_that_was_recorded_without_its_parts_does_not_differ_by_them() {
        let mut data = json!({
            "changeId": "c", "tool": "fs.move", "args": "{}", "preHash": "", "callId": "k",
            "summary": "moves it to @project/b.md", "diff": "", "undoesCompletion": false,
        });
        let proposed = |data: &Value| line(&json!([{ "event": "change_proposed", "data": data }]));
        let old = proposed(&data);
        data["parts"] = json!([{ "key": "moves", "values": { "to": "@project/b.md" } }]);
        let new = proposed(&data);
        assert_eq!(difference(&old, Ok(Some(&new))), None);
        data["parts"][0]["values"]["to"] = json!("@project/c.md");
        let other = difference(&new, Ok(Some(&proposed(&data)))).unwrap();
        assert_eq!(other.field, "/parts/0/values/to");
    }

    #[test]
    fn nothing_said_and_a_refusal_are_differences() {
        let recorded = line(&json!([mirrored("a")]));
        assert_eq!(difference(&recorded, Ok(None)).unwrap().replayed, Value::Null);
        let refused = Failure::for_model(ErrorCode::NotNow, "no");
        let found = difference(&recorded, Err(&refused)).unwrap();
        assert_eq!(found.replayed["refused"]["code"], "NOT_NOW");
    }

    #[test]
    fn a_pointer_goes_into_lists_and_escapes_names() {
        let (a, b) = (json!({ "x": [1, { "a/b~": 2 }] }), json!({ "x": [1, { "a/b~": 3 }] }));
        let found = value_difference("", &a, &b).unwrap();
        assert_eq!(found, ("/x/1/a~1b~0".into(), json!(2), json!(3)));
        let (a, b) = (json!({}), json!({ "new": true }));
        assert_eq!(value_difference("", &a, &b).unwrap().0, "/new");
    }
}
