//! What a server accepts.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::chat::{ChatMessage, Role};
use crate::ids::CallId;

/// What is wrong with a request's protocol; empty when a server must accept it: system messages
/// first, every call answered once, directly and in order, ids unique.
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
