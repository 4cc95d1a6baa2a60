//! A JSON value in few bytes that is still JSON (spec 04 `STATE_SUMMARY`).

use serde_json::{Map, Value, json};

use crate::text::ellipsis;

/// What stands in place of something left out.
const GAP: &str = "…";

/// How much of a value is kept: bytes of a text, items of a list, members of an inner object,
/// levels below the top.
struct Keep {
    text: usize,
    items: usize,
    levels: usize,
}

/// Tried in order: long texts go first, then the length of lists, then depth.
const STAGES: &[Keep] = &[
    Keep { text: 400, items: 50, levels: 8 },
    Keep { text: 120, items: 12, levels: 5 },
    Keep { text: 40, items: 4, levels: 2 },
];

/// `value` as compact JSON of at most `max` bytes (at least 64), and whether something was left
/// out. Members keep their order; when not all fit, the last ones go and a member `…` counts them.
pub(super) fn bounded_json(value: &Value, max: usize) -> (String, bool) {
    let whole = value.to_string();
    if whole.len() <= max {
        return (whole, false);
    }
    let mut shrunk = value.clone();
    for keep in STAGES {
        shrunk = shrink(value, keep, keep.levels);
        let text = shrunk.to_string();
        if text.len() <= max {
            return (text, true);
        }
    }
    let Value::Object(map) = &shrunk else { return (json!(GAP).to_string(), true) };
    (first_members(map, max), true)
}

fn shrink(value: &Value, keep: &Keep, levels: usize) -> Value {
    match value {
        Value::String(text) => Value::String(ellipsis(text, keep.text)),
        Value::Array(_) | Value::Object(_) if levels == 0 => json!(GAP),
        Value::Array(items) => {
            let mut out: Vec<Value> =
                items.iter().take(keep.items).map(|v| shrink(v, keep, levels - 1)).collect();
            if items.len() > keep.items {
                out.push(json!(format!("{GAP} {} more", items.len() - keep.items)));
            }
            Value::Array(out)
        }
        Value::Object(map) => {
            map.iter().map(|(k, v)| (k.clone(), shrink(v, keep, levels - 1))).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// As many members as fit, in order; one that is too large alone is left out like the rest.
fn first_members(map: &Map<String, Value>, max: usize) -> String {
    // Room for `"…":"18446744073709551615 more"` and the braces.
    const RESERVE: usize = 40;
    let mut out = Map::new();
    let mut used = RESERVE;
    for (key, value) in map {
        let bytes = Value::from(key.as_str()).to_string().len() + value.to_string().len() + 2;
        if used + bytes <= max {
            used += bytes;
            out.insert(key.clone(), value.clone());
        }
    }
    let left_out = map.len() - out.len();
    if left_out > 0 {
        out.insert(GAP.to_owned(), json!(format!("{left_out} more")));
    }
    Value::Object(out).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_small_value_is_whole() {
        let value = json!({"b": 1, "a": [true, null]});
        assert_eq!(bounded_json(&value, 100), (r#"{"b":1,"a":[true,null]}"#.to_owned(), false));
    }

    #[test]
    fn long_texts_are_cut_before_members_are_dropped() {
        let value = json!({"long": "x".repeat(5000), "short": "kept"});
        let (text, cut) = bounded_json(&value, 500);
        let back: Value = serde_json::from_str(&text).unwrap();
        assert!(cut);
        assert_eq!(back["short"], "kept");
        assert!(back["long"].as_str().unwrap().ends_with(GAP));
    }

    #[test]
    fn members_that_do_not_fit_are_counted() {
        let map: Map<String, Value> =
            (0..500).map(|n| (format!("key{n:03}"), json!("value"))).collect();
        let (text, cut) = bounded_json(&Value::Object(map), 300);
        let back: Value = serde_json::from_str(&text).unwrap();
        let kept = back.as_object().unwrap().len() - 1;
        assert!(cut && kept > 3, "{text}");
        assert_eq!(back["key000"], "value");
        assert_eq!(back[GAP], format!("{} more", 500 - kept));
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            ".{0,80}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 64, 8, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..8).prop_map(Value::Array),
                proptest::collection::vec((".{0,12}", inner), 0..8)
                    .prop_map(|m| Value::Object(m.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn whatever_is_cut_stays_json_within_the_limit(value in any_json(), max in 64_usize..600) {
            let (text, cut) = bounded_json(&value, max);
            let back: Value = serde_json::from_str(&text).unwrap();
            prop_assert!(text.len() <= max, "{} > {max}", text.len());
            prop_assert_eq!(back == value, !cut);
        }
    }
}
