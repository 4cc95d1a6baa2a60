//! The loop detector (spec 06): three identical failing calls in a row, or the same call with the
//! same result five times. A success with another result, or another call, starts again.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chat::ToolCall;
use crate::text::{canonical_json, sha256_hex};

const FAILING: u32 = 3;
const UNCHANGED: u32 = 5;

/// What the last calls looked like.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct LoopDetector {
    call: String,
    result: String,
    failing: u32,
    unchanged: u32,
    name: String,
}

/// What was noticed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Loop {
    /// The tool, as the model wrote it.
    pub(super) tool: String,
    /// How often.
    pub(super) times: u32,
}

impl LoopDetector {
    /// Notes a call that has its result.
    pub(super) fn note(&mut self, call: &ToolCall, ok: bool, result: &Value) {
        let args = serde_json::from_str(&call.arguments)
            .map_or_else(|_| call.arguments.clone(), |value: Value| canonical_json(&value));
        let print = format!("{} {args}", call.name);
        let result = sha256_hex(canonical_json(result).as_bytes());
        let same_call = print == self.call;
        self.failing = match (ok, same_call) {
            (true, _) => 0,
            (false, true) => self.failing + 1,
            (false, false) => 1,
        };
        self.unchanged = if same_call && result == self.result { self.unchanged + 1 } else { 1 };
        self.call = print;
        self.result = result;
        self.name.clone_from(&call.name);
    }

    /// Whether the limit was reached by the last call.
    pub(super) fn found(&self) -> Option<Loop> {
        let times = if self.failing >= FAILING {
            self.failing
        } else if self.unchanged >= UNCHANGED {
            self.unchanged
        } else {
            return None;
        };
        Some(Loop { tool: self.name.clone(), times })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::CallId;
    use serde_json::json;

    fn call(args: &str) -> ToolCall {
        ToolCall { id: CallId::new("c"), name: "fs_read".into(), arguments: args.into() }
    }

    #[test]
    fn three_identical_failures_in_a_row_are_a_loop_whatever_the_order_of_keys() {
        let mut d = LoopDetector::default();
        d.note(&call(r#"{"a":1,"b":2}"#), false, &json!({"n": 1}));
        d.note(&call(r#"{"b":2,"a":1}"#), false, &json!({"n": 2}));
        assert_eq!(d.found(), None);
        d.note(&call(r#"{"a":1, "b":2}"#), false, &json!({"n": 3}));
        assert_eq!(d.found().map(|l| l.times), Some(3));
    }

    #[test]
    fn a_success_or_another_call_starts_again() {
        let mut d = LoopDetector::default();
        for ok in [false, false, true, false, false] {
            d.note(&call("{}"), ok, &json!(ok));
        }
        assert_eq!(d.found(), None);
        d.note(&call(r#"{"x":1}"#), false, &json!(null));
        assert_eq!(d.found(), None);
    }

    #[test]
    fn the_same_answer_five_times_is_a_loop_too() {
        let mut d = LoopDetector::default();
        for _ in 0..4 {
            d.note(&call("{}"), true, &json!("same"));
            assert_eq!(d.found(), None);
        }
        d.note(&call("{}"), true, &json!("same"));
        assert_eq!(d.found().map(|l| l.times), Some(5));
    }
}
