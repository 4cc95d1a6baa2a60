//! The demo server's side of the protocol: requests in, completions and events out.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use kernel::chat::{ChatMessage, ChatRequest, Role, ToolCall, ToolSpec};
use kernel::ids::CallId;
use kernel::trace::{MODEL_NAME, Played};
use serde_json::{Value, json};

use super::faults::Fault;

/// Longer than any limit of the adapter.
const FOR_EVER: Duration = Duration::from_hours(24);

/// One step of sending a body.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum SendStep {
    Bytes(Bytes),
    Wait(Duration),
    /// The connection breaks.
    Break,
}

/// Reads the body of `/chat/completions`. The error says which field is wrong.
pub(super) fn chat_request(body: &Value) -> Result<ChatRequest, String> {
    let messages = body["messages"].as_array().ok_or("`messages` must be an array")?;
    let messages = messages.iter().map(message).collect::<Result<Vec<_>, _>>()?;
    let tools = body["tools"].as_array().into_iter().flatten();
    let tool = |t: &Value| -> Result<Arc<ToolSpec>, String> {
        serde_json::from_value(t["function"].clone()).map_err(|e| format!("`tools`: {e}"))
    };
    Ok(ChatRequest::new(messages, tools.map(tool).collect::<Result<_, _>>()?))
}

fn message(value: &Value) -> Result<ChatMessage, String> {
    let role: Role = serde_json::from_value(value["role"].clone())
        .map_err(|e| format!("`messages[].role`: {e}"))?;
    let content = match &value["content"] {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|p| p["text"].as_str()).collect(),
        _ => String::new(),
    };
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    let calls = value["tool_calls"].as_array().into_iter().flatten().map(|call| ToolCall {
        id: CallId::new(&text(&call["id"])),
        name: text(&call["function"]["name"]),
        arguments: text(&call["function"]["arguments"]),
    });
    Ok(ChatMessage {
        role,
        content,
        tool_calls: calls.collect(),
        tool_call_id: value["tool_call_id"].as_str().map(CallId::new),
    })
}

/// A whole completion.
pub(super) fn completion(played: &Played) -> Value {
    let reply = &played.reply;
    let calls: Vec<Value> = reply.calls.iter().map(whole_call).collect();
    let mut message = json!({ "role": "assistant", "content": reply.text });
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    json!({
        "id": "chatcmpl-demo", "object": "chat.completion", "created": 0, "model": MODEL_NAME,
        "choices": [{ "index": 0, "message": message, "finish_reason": reason(played) }],
        "usage": usage(played),
    })
}

fn usage(played: &Played) -> Value {
    let usage = played.reply.usage;
    json!({
        "prompt_tokens": usage.prompt_tokens, "completion_tokens": usage.completion_tokens,
        "total_tokens": usage.prompt_tokens + usage.completion_tokens,
    })
}

fn reason(played: &Played) -> &'static str {
    if played.reply.calls.is_empty() { "stop" } else { "tool_calls" }
}

fn whole_call(call: &ToolCall) -> Value {
    json!({
        "id": call.id.as_str(), "type": "function",
        "function": { "name": call.name, "arguments": call.arguments },
    })
}

fn event(delta: &Value, finish: Option<&str>) -> Value {
    json!({
        "id": "chatcmpl-demo", "object": "chat.completion.chunk", "created": 0,
        "model": MODEL_NAME,
        "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }],
    })
}

/// The calls as deltas: the head of each, then its arguments in pieces.
fn call_deltas(played: &Played, fault: &Fault) -> Vec<Value> {
    let mut out = Vec::new();
    for (index, call) in played.reply.calls.iter().enumerate() {
        if *fault == Fault::NoIndex {
            out.push(json!({ "tool_calls": [whole_call(call)] }));
            continue;
        }
        let mut head = whole_call(call);
        head["index"] = index.into();
        head["function"]["arguments"] = "".into();
        out.push(json!({ "tool_calls": [head] }));
        let characters: Vec<char> = call.arguments.chars().collect();
        for piece in characters.chunks(7) {
            let piece: String = piece.iter().collect();
            out.push(
                json!({ "tool_calls": [{ "index": index, "function": { "arguments": piece } }] }),
            );
        }
    }
    out
}

/// The events of a streamed answer, as the fault will have them.
fn events(played: &Played, with_usage: bool, fault: &Fault) -> Vec<String> {
    let mut out = vec![event(&json!({ "role": "assistant", "content": "" }), None)];
    if let Fault::Huge(size) = fault {
        out.push(event(&json!({ "content": "x".repeat(*size) }), None));
    }
    out.extend(played.chunks.iter().map(|c| event(&json!({ "content": c }), None)));
    out.extend(call_deltas(played, fault).iter().map(|d| event(d, None)));
    if *fault != Fault::NoFinish {
        out.push(event(&json!({}), Some(reason(played))));
        if with_usage {
            let mut last = event(&json!({}), None);
            last["choices"] = json!([]);
            last["usage"] = usage(played);
            out.push(last);
        }
    }
    let mut out: Vec<String> = out.iter().map(Value::to_string).collect();
    match fault {
        Fault::ErrorEventAfter(n) => {
            let error = json!({ "error": { "message": "the engine fell over", "code": 500 } });
            out.truncate(*n);
            out.push(error.to_string());
        }
        Fault::BadJson => out.insert(1, "{\"choices\": [".into()),
        Fault::NoFinish | Fault::NoDone | Fault::NoFinalBlankLine => {}
        _ => out.push("[DONE]".into()),
    }
    out
}

/// A streamed answer, step by step.
pub(super) fn stream(
    played: &Played,
    with_usage: bool,
    fault: &Fault,
    pause: Duration,
) -> Vec<SendStep> {
    let ending = if *fault == Fault::Crlf { "\r\n" } else { "\n" };
    let events = events(played, with_usage, fault);
    let count = events.len();
    let mut out = Vec::new();
    if let Fault::SlowFirstByte(wait) = fault {
        out.push(SendStep::Wait(*wait));
    }
    for (n, event) in events.into_iter().enumerate() {
        match fault {
            Fault::DropAfter(after) if n == *after => {
                out.push(SendStep::Bytes(Bytes::from_static(b"data: {\"choices\": [{\"del")));
                // What is buffered leaves only when the body makes the server wait.
                out.push(SendStep::Wait(Duration::from_millis(10)));
                out.push(SendStep::Break);
                return out;
            }
            Fault::StallAfter(after) if n == *after => out.push(SendStep::Wait(FOR_EVER)),
            Fault::CommentsAfter(after) if n == *after => {
                for _ in 0..600 {
                    out.push(text(": still at work\n\n".into()));
                    out.push(SendStep::Wait(Duration::from_millis(100)));
                }
            }
            Fault::Comments => out.push(text(": keep-alive\n\n:\n\nevent: ping\nid: 7\n\n".into())),
            _ => {}
        }
        let last = n + 1 == count && *fault == Fault::NoFinalBlankLine;
        let end = if last { String::new() } else { ending.repeat(2) };
        out.push(text(format!("data: {event}{end}")));
        if !pause.is_zero() {
            out.push(SendStep::Wait(pause));
        }
    }
    match fault {
        Fault::Split(size) => split(&out, *size),
        _ => out,
    }
}

fn text(text: String) -> SendStep {
    SendStep::Bytes(Bytes::from(text))
}

/// The same bytes in pieces of `size`.
fn split(steps: &[SendStep], size: usize) -> Vec<SendStep> {
    let bytes = steps.iter().filter_map(|s| match s {
        SendStep::Bytes(bytes) => Some(bytes),
        SendStep::Wait(_) | SendStep::Break => None,
    });
    let all: Vec<u8> = bytes.flatten().copied().collect();
    all.chunks(size.max(1)).map(|c| SendStep::Bytes(Bytes::copy_from_slice(c))).collect()
}
