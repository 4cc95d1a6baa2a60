//! Calls that small models write as text (spec 07): `<tool_call>` tags, `<function=name>` tags,
//! JSON in a fence, a name with its arguments, or the whole answer as JSON. Only names of offered tools count, so JSON that
//! is the answer stays the answer. Repaired calls carry an id that starts with `repaired_`.

use kernel::chat::{ChatRequest, Reply, ToolCall};
use serde_json::Value;

use super::assembly::CallIds;
use crate::json;

/// Moves calls written as text into `reply.calls`.
pub(super) fn repair(reply: &mut Reply, request: &ChatRequest) {
    if !reply.calls.is_empty() || request.tools.is_empty() {
        return;
    }
    let mut found = Vec::new();
    let rest = [tags, functions, fences, named, bare].into_iter().find_map(|form| {
        found.clear();
        let rest = form(&reply.text, request, &mut found);
        (!found.is_empty()).then_some(rest)
    });
    let Some(rest) = rest else { return };
    let mut ids = CallIds::of(request);
    rest.trim().clone_into(&mut reply.text);
    reply.repaired = true;
    reply.calls = found
        .into_iter()
        .map(|(name, arguments)| ToolCall { id: ids.unique("", "repaired"), name, arguments })
        .collect();
}

type FoundCalls = Vec<(String, String)>;

/// `<tool_call>{…}</tool_call>`; a missing end tag at the end of the text is forgiven.
fn tags(text: &str, request: &ChatRequest, found: &mut FoundCalls) -> String {
    blocks(text, "<tool_call>", "</tool_call>", |inner| calls_in(inner, request, found))
}

/// `<function=name>{…}</function>`
fn functions(text: &str, request: &ChatRequest, found: &mut FoundCalls) -> String {
    blocks(text, "<function=", "</function>", |inner| {
        let Some((name, arguments)) = inner.split_once('>') else { return false };
        let Some(name) = offered(name.trim().trim_matches('"'), request) else { return false };
        found.push((name, arguments.trim().to_owned()));
        true
    })
}

/// Fenced JSON.
fn fences(text: &str, request: &ChatRequest, found: &mut FoundCalls) -> String {
    blocks(text, "```", "```", |inner| {
        let start = inner.find(['{', '[', '\n']).unwrap_or(0);
        calls_in(&inner[start..], request, found)
    })
}

/// Nothing but a tool's name and its arguments, with or without parentheses.
fn named(text: &str, request: &ChatRequest, found: &mut FoundCalls) -> String {
    let call = || {
        let (name, rest) = text.trim().split_at(text.trim().find([' ', '\n', '(', '{'])?);
        let rest = rest.trim();
        let bare = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(rest);
        json::parse(bare.as_bytes()).ok().filter(Value::is_object)?;
        Some((offered(name, request)?, bare.to_owned()))
    };
    let call = call();
    let rest = if call.is_some() { String::new() } else { text.to_owned() };
    found.extend(call);
    rest
}

/// Nothing but JSON.
fn bare(text: &str, request: &ChatRequest, found: &mut FoundCalls) -> String {
    if calls_in(text, request, found) { String::new() } else { text.to_owned() }
}

/// `text` without the blocks that `take` accepts.
fn blocks(text: &str, open: &str, close: &str, mut take: impl FnMut(&str) -> bool) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(open) {
        let inner = &rest[start + open.len()..];
        let (inner, after) = inner.split_once(close).unwrap_or((inner, ""));
        out.push_str(&rest[..start]);
        if !take(inner) {
            out.push_str(&rest[start..rest.len() - after.len()]);
        }
        rest = after;
    }
    out + rest
}

/// Reads one call, several after another, or an array of them. All or nothing.
fn calls_in(text: &str, request: &ChatRequest, found: &mut FoundCalls) -> bool {
    let Ok(documents) = json::parse_all(text) else { return false };
    let mut values = Vec::new();
    for document in documents {
        match document {
            Value::Array(items) => values.extend(items),
            value => values.push(value),
        }
    }
    let calls: Option<FoundCalls> = values.iter().map(|v| call(v, request)).collect();
    match calls {
        Some(calls) if !calls.is_empty() => {
            found.extend(calls);
            true
        }
        _ => false,
    }
}

fn call(value: &Value, request: &ChatRequest) -> Option<(String, String)> {
    let call = if value["function"].is_object() { &value["function"] } else { value };
    let name = call["name"].as_str().or_else(|| call["function"].as_str())?;
    let name = offered(name, request)?;
    let arguments = call.get("arguments").or_else(|| call.get("parameters"));
    let arguments = match arguments {
        None | Some(Value::Null) => "{}".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Object(map)) => Value::Object(map.clone()).to_string(),
        Some(_) => return None,
    };
    Some((name, arguments))
}

/// The offered tool a model means; some write the dot that the wire name cannot have.
fn offered(name: &str, request: &ChatRequest) -> Option<String> {
    let wire = name.replace('.', "_");
    let tool = request.tools.iter().find(|t| t.name == name || t.name == wire)?;
    Some(tool.name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::chat::{ChatMessage, ToolSpec};
    use rstest::rstest;
    use serde_json::json;
    use std::sync::Arc;

    fn repaired(text: &str) -> Reply {
        let tool = |name: &str| {
            Arc::new(ToolSpec {
                name: name.into(),
                description: String::new(),
                parameters: json!({}),
            })
        };
        let tools = vec![tool("fs_read"), tool("fs_write")];
        let request = ChatRequest::new([ChatMessage::user("u")], tools);
        let mut reply = Reply { text: text.into(), ..Reply::default() };
        repair(&mut reply, &request);
        reply
    }

    #[rstest]
    #[case(
        "Look.\n<tool_call>\n{\"name\":\"fs_read\",\"arguments\":{\"p\":1}}\n</tool_call>",
        "Look."
    )]
    #[case("<tool_call>{\"name\":\"fs.read\",\"arguments\":\"{\\\"p\\\":1}\"}", "")]
    #[case("```json\n{\"name\":\"fs_read\",\"parameters\":{\"p\":1}}\n```\nDone", "Done")]
    #[case(
        "```\n[{\"type\":\"function\",\"function\":{\"name\":\"fs_read\",\"arguments\":{\"p\":1}}}]\n```",
        ""
    )]
    #[case("{\"name\": \"fs_read\", \"arguments\": {\"p\":1}}", "")]
    #[case("fs_read\n{\"p\":1}", "")]
    #[case("fs_read({\"p\":1})", "")]
    #[case("a <function=fs_read>{\"p\":1}</function> b", "a  b")]
    fn a_call_written_as_text_is_recognised(#[case] text: &str, #[case] rest: &str) {
        let reply = repaired(text);
        assert_eq!(reply.calls.len(), 1, "{text}");
        assert_eq!(reply.calls[0].name, "fs_read");
        assert_eq!(reply.calls[0].arguments, "{\"p\":1}");
        assert!(reply.calls[0].id.as_str().starts_with("repaired_"));
        assert_eq!(reply.text, rest);
    }

    #[test]
    fn several_calls_keep_their_order() {
        let text = "<tool_call>{\"name\":\"fs_read\"}</tool_call><tool_call>{\"name\":\"fs_write\"}</tool_call>";
        let names: Vec<String> = repaired(text).calls.into_iter().map(|c| c.name).collect();
        assert_eq!(names, ["fs_read", "fs_write"]);
    }

    #[test]
    fn what_holds_more_values_than_an_answer_may_is_no_call() {
        let text = format!("[{}]", vec![r#"{"name":"fs_read"}"#; 60_000].join(","));
        let reply = repaired(&text);
        assert_eq!((reply.text == text, reply.calls.len()), (true, 0));
    }

    #[rstest]
    #[case("```json\n{\"name\":\"Ann\",\"arguments\":{}}\n```")]
    #[case("{\"name\":\"rm_rf\",\"arguments\":{}}")]
    #[case("<tool_call>{broken</tool_call>")]
    #[case("```rust\nfn main() {}\n```")]
    #[case("Call fs_read with {\"p\":1}")]
    #[case("fs_read(1)")]
    #[case("rm_rf {}")]
    #[case("fs_read")]
    #[case("[]")]
    fn text_that_is_no_call_of_an_offered_tool_stays(#[case] text: &str) {
        let reply = repaired(text);
        assert_eq!((reply.text.as_str(), reply.calls.len()), (text, 0));
    }
}
