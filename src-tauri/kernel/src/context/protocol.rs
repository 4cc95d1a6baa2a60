//! What a server accepts.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use serde_json::Value;

use super::build::interrupted;
use crate::chat::{ChatMessage, RequestMessages, Role, ToolCall};
use crate::ids::CallId;
use crate::tool::sent_back;

/// Longest name of a tool that servers take.
const NAME_BYTES: usize = 64;

/// What is wrong with a request's protocol; empty when a server must accept it: system messages
/// first, every call answered once, directly and in order, ids unique, names of tools such as servers
/// take, arguments one JSON object.
pub fn protocol_errors<'a>(
    messages: impl IntoIterator<Item = &'a Arc<ChatMessage>>,
) -> Vec<String> {
    let mut errors = Vec::new();
    let mut seen: BTreeMap<&CallId, usize> = BTreeMap::new();
    let mut open: Vec<&CallId> = Vec::new();
    let mut past_system = false;
    for (index, message) in messages.into_iter().enumerate() {
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

/// What is known of the messages of a conversation that were checked already: a request is checked
/// from where it differs from the one before.
#[derive(Debug, Default)]
pub struct ProtocolCheck {
    /// The messages that were looked at last.
    messages: RequestMessages,
    /// The calls in order, each with the index of its message.
    calls: Vec<(usize, CallId)>,
    ids: BTreeSet<CallId>,
}

impl ProtocolCheck {
    /// Whether a server must accept a request. What is wrong with it [`protocol_errors`] says; one
    /// that is not accepted is not known afterwards.
    pub fn accepts(&mut self, messages: &RequestMessages) -> bool {
        let accepts = self.accepts_from(self.messages.same_beginning(messages), messages);
        if accepts {
            self.messages = messages.clone();
        } else {
            *self = Self::default();
        }
        accepts
    }

    fn accepts_from(&mut self, same: usize, messages: &RequestMessages) -> bool {
        // The last group is looked at whole: it may lack its results now.
        let before = |at: usize| messages.get(at.checked_sub(1)?);
        let mut from = same;
        while before(from).is_some_and(|it| it.role == Role::Tool) {
            from -= 1;
        }
        from -= usize::from(before(from).is_some_and(|it| !it.tool_calls.is_empty()));
        while let Some((_, id)) = self.calls.pop_if(|(at, _)| *at >= from) {
            self.ids.remove(&id);
        }
        let mut past_system = before(from).is_some_and(|it| it.role != Role::System);
        let mut open: VecDeque<&CallId> = VecDeque::new();
        for (at, message) in messages.iter().enumerate().skip(from) {
            let fits = match message.role {
                Role::System => !past_system && open.is_empty(),
                Role::User => open.is_empty(),
                Role::Assistant => open.is_empty() && self.takes_calls(at, &message.tool_calls),
                Role::Tool => {
                    let next = open.pop_front();
                    next.is_some() && next == message.tool_call_id.as_ref()
                }
            };
            past_system |= message.role != Role::System;
            open.extend(message.tool_calls.iter().map(|call| &call.id));
            if !fits {
                return false;
            }
        }
        open.is_empty()
    }

    fn takes_calls(&mut self, at: usize, calls: &[ToolCall]) -> bool {
        calls.iter().all(|call| {
            self.calls.push((at, call.id.clone()));
            self.ids.insert(call.id.clone()) && wrong_with(call).is_none()
        })
    }
}

/// The messages as a server must accept them, and how many of them had to be changed, added or left
/// out for that: none of what the engine builds. What a repair takes from a conversation is in the
/// journal.
pub fn repaired<'a>(
    messages: impl IntoIterator<Item = &'a Arc<ChatMessage>>,
) -> (Vec<Arc<ChatMessage>>, usize) {
    let mut out = Vec::new();
    let (mut changes, mut ids) = (0, BTreeSet::new());
    let mut rest = messages.into_iter().peekable();
    let mut past_system = false;
    while let Some(message) = rest.next() {
        match message.role {
            // It answers nothing.
            Role::Tool => changes += 1,
            Role::System if past_system => {
                changes += 1;
                out.push(Arc::new(ChatMessage { role: Role::User, ..(**message).clone() }));
            }
            Role::System | Role::User => out.push(Arc::clone(message)),
            Role::Assistant => {
                let mut results = Vec::new();
                while let Some(result) = rest.next_if(|next| next.role == Role::Tool) {
                    results.push(result);
                }
                changes += put_group(message, &results, &mut ids, &mut out);
            }
        }
        past_system |= message.role != Role::System;
    }
    (out, changes)
}

/// A reply with the results of its calls, each made to fit; how many were not.
fn put_group(
    reply: &Arc<ChatMessage>,
    results: &[&Arc<ChatMessage>],
    ids: &mut BTreeSet<CallId>,
    out: &mut Vec<Arc<ChatMessage>>,
) -> usize {
    let mut fitting = (**reply).clone();
    let mut answers = Vec::new();
    let mut taken = vec![false; results.len()];
    for call in &mut fitting.tool_calls {
        let answers_it = |(n, it): &(usize, &&Arc<ChatMessage>)| {
            !taken[*n] && it.tool_call_id.as_ref() == Some(&call.id)
        };
        let found = results.iter().enumerate().find(answers_it);
        let unique = if call.id.is_empty() || ids.contains(&call.id) {
            // No request has so many calls.
            let mut numbers = (0..=ids.len()).map(|n| CallId::new(&format!("repaired-{n}")));
            numbers.find(|id| !ids.contains(id)).unwrap_or_else(|| call.id.clone())
        } else {
            call.id.clone()
        };
        answers.push(match found {
            Some((n, result)) => {
                taken[n] = true;
                if call.id == unique {
                    Arc::clone(result)
                } else {
                    let tool_call_id = Some(unique.clone());
                    Arc::new(ChatMessage { tool_call_id, ..(***result).clone() })
                }
            }
            None => Arc::new(interrupted(unique.clone())),
        });
        ids.insert(unique.clone());
        call.id = unique;
        *call = sent_back(call.clone());
    }
    let same = |(a, b): (&Arc<ChatMessage>, &&Arc<ChatMessage>)| a == *b;
    let changed = answers.iter().zip(results).filter(|pair| !same(*pair)).count()
        + answers.len().abs_diff(results.len())
        + usize::from(fitting != **reply);
    out.push(if fitting == **reply { Arc::clone(reply) } else { Arc::new(fitting) });
    out.append(&mut answers);
    changed
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
