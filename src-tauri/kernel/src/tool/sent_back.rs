//! A call as its model is told of it again. What a model wrote stays in the journal; servers refuse
//! every later request that repeats a name or arguments which they would not take themselves.

use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::{find, wire_name};
use crate::chat::ToolCall;

/// Longest name of a tool that servers take.
const NAME_BYTES: usize = 64;
/// What a call without a name is called.
const UNNAMED: &str = "unnamed";
/// The member that holds arguments which are no JSON object.
const UNREADABLE: &str = "unreadable";

/// The call with a name and arguments that servers take. One that was made as it should be stays
/// what it is, byte by byte.
#[must_use]
pub fn sent_back(call: ToolCall) -> ToolCall {
    let name = sent_name(&call.name).unwrap_or(call.name);
    let arguments = sent_arguments(&call.arguments).unwrap_or(call.arguments);
    ToolCall { id: call.id, name, arguments }
}

/// Another name, when servers would not take this one.
fn sent_name(written: &str) -> Option<String> {
    if let Some(tool) = find(written) {
        return Some(wire_name(tool.name)).filter(|name| name != written);
    }
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if (1..=NAME_BYTES).contains(&written.len()) && written.chars().all(fits) {
        return None;
    }
    let chars = written.trim().chars().take(NAME_BYTES);
    let name: String = chars.map(|c| if fits(c) { c } else { '_' }).collect();
    Some(if name.is_empty() { UNNAMED.to_owned() } else { name })
}

/// Other arguments, when these are no JSON object: the model sees what it wrote, as a text.
fn sent_arguments(written: &str) -> Option<String> {
    if is_object(written) {
        return None;
    }
    let written = written.trim();
    Some(if written.is_empty() {
        "{}".to_owned()
    } else {
        json!({ UNREADABLE: written }).to_string()
    })
}

/// Journals are read again, so a call is looked at without building a value, where that is enough:
/// escapes are not looked at then.
fn is_object(text: &str) -> bool {
    if !text.trim_start().starts_with('{') {
        return false;
    }
    if text.contains("\\u") {
        return serde_json::from_str::<Value>(text).is_ok();
    }
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::CallId;
    use rstest::rstest;

    fn told(name: &str, arguments: &str) -> (String, String) {
        let call = ToolCall {
            id: CallId::new("c"),
            name: name.to_owned(),
            arguments: arguments.to_owned(),
        };
        let ToolCall { name, arguments, .. } = sent_back(call);
        (name, arguments)
    }

    #[rstest]
    #[case("fs_read", "fs_read")]
    #[case("fs.read", "fs_read")]
    #[case(" fs.apply_patch\n", "fs_apply_patch")]
    #[case("fs_reed", "fs_reed")]
    #[case("no such tool!", "no_such_tool_")]
    #[case("über.tool", "_ber_tool")]
    #[case("", "unnamed")]
    fn a_name_is_one_that_servers_take(#[case] written: &str, #[case] name: &str) {
        assert_eq!(told(written, "{}").0, name);
        assert_eq!(told(&"x".repeat(70), "{}").0.len(), NAME_BYTES);
    }

    #[rstest]
    #[case(r#"{ "a" : 1 }"#, r#"{ "a" : 1 }"#)]
    #[case(r#" {"a":"\u00fc"}"#, r#" {"a":"\u00fc"}"#)]
    #[case("", "{}")]
    #[case(" \n", "{}")]
    #[case(r#"{"path": "#, r#"{"unreadable":"{\"path\":"}"#)]
    #[case("[1, 2]", r#"{"unreadable":"[1, 2]"}"#)]
    #[case(r#"{"a":"\ud800"}"#, r#"{"unreadable":"{\"a\":\"\\ud800\"}"}"#)]
    fn arguments_are_one_object(#[case] written: &str, #[case] arguments: &str) {
        assert_eq!(told("fs_read", written).1, arguments);
    }
}
