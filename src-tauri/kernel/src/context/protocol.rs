//! What a server accepts.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use crate::chat::{ChatMessage, Role, ToolCall};
use crate::ids::CallId;

/// Longest name of a tool that servers take.
const NAME_BYTES: usize = 64;

/// What is wrong with a request's protocol; empty when a server must accept it: system messages
/// first, every call answered once, directly and in order, ids unique, names of tools such as servers
/// take, arguments one JSON object.
pub fn protocol_errors(messages: &[Arc<ChatMessage>]) -> Vec<String> {
    let mut errors = Vec::new();
    let mut seen: BTreeMap<&CallId, usize> = BTreeMap::new();
    let mut open: Vec<&CallId> = Vec::new();
    let mut past_system = false;
    for (index, message) in messages.iter().enumerate() {
        if message.role != Role::Tool && !open.is_empty() {
            errors.push(format!("message {index} comes before {} was answered", open[0]));
            open.clear();
        }
        match message.role {
            Role::System if past_system => errors.push(format!("system message at {index}")),
            Role::System => {}
            Role::User => past_system = true,
            Role::Assistant => {
                past_system = true;
                for call in &message.tool_calls {
                    if let Some(before) = seen.insert(&call.id, index) {
                        errors.push(format!("{} at {index} was used at {before}", call.id));
                    }
                    open.push(&call.id);
                    errors.extend(
                        wrong_with(call).map(|what| format!("{} at {index}: {what}", call.id)),
                    );
                }
            }
            Role::Tool => {
                let id = message.tool_call_id.as_ref();
                if open.first().copied() == id && id.is_some() {
                    open.remove(0);
                } else {
                    errors.push(format!("tool message at {index} answers no open call"));
                }
            }
        }
    }
    errors.extend(open.into_iter().map(|id| format!("{id} is never answered")));
    errors
}

/// Why a server may refuse every request that tells of this call.
fn wrong_with(call: &ToolCall) -> Option<&'static str> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if call.id.is_empty() {
        return Some("it has no id");
    }
    if !(1..=NAME_BYTES).contains(&call.name.len()) || !call.name.bytes().all(fits) {
        return Some("its name is no name of a tool");
    }
    let is_object = serde_json::from_str::<Value>(&call.arguments).is_ok_and(|it| it.is_object());
    (!is_object).then_some("its arguments are no JSON object")
}
