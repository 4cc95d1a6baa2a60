//! The request a model is sent: system layers, history, anchor, active loop (spec 04 "Context
//! builder"). Pure. Raw words are stored; their shells are put round them here.

use std::collections::BTreeMap;

use crate::bounds::REQUEST_BYTES;
use crate::chat::{ChatMessage, Role, ToolCall};
use crate::code::{ErrorCode, Failure};
use crate::ids::{CallId, NodeId};
use crate::text::json_bytes;

/// One stored message, as the model may see it again.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// A person's input, raw.
    User {
        /// The words, or a widget submission.
        text: String,
        /// The node that was current, while the run was not complete.
        for_node: Option<NodeId>,
    },
    /// A whole reply of the model.
    Assistant {
        /// Its text.
        text: String,
        /// Its calls.
        calls: Vec<ToolCall>,
    },
    /// The result of one call.
    Tool {
        /// The call that it answers.
        call_id: CallId,
        /// The result as JSON text.
        content: String,
    },
}

impl Entry {
    /// Its texts that a model sees again.
    fn texts(&self) -> impl Iterator<Item = &str> {
        let (text, calls) = match self {
            Self::User { text, .. } => (text, &[][..]),
            Self::Assistant { text, calls } => (text, calls.as_slice()),
            Self::Tool { content, .. } => (content, &[][..]),
        };
        let calls = calls.iter().flat_map(|call| [call.name.as_str(), call.arguments.as_str()]);
        std::iter::once(text.as_str()).chain(calls)
    }
}

/// Whether a conversation is longer than a request may be, as the JSON that is sent.
pub fn is_too_long(history: &[Entry]) -> bool {
    let texts = || history.iter().flat_map(Entry::texts);
    // A byte has six at most. Most conversations need no closer look.
    texts().map(str::len).sum::<usize>() > REQUEST_BYTES / 6
        && texts().map(json_bytes).sum::<usize>() > REQUEST_BYTES
}

/// Where the run directive stands: before the entry with this index, or after the tool-call
/// group that spans it. A request has one anchor, the latest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AnchorAt(pub usize);

/// What a request is made of.
pub struct Parts<'a> {
    /// The system layers, in order.
    pub system: Vec<ChatMessage>,
    /// The conversation so far.
    pub history: &'a [Entry],
    /// The anchor's blocks, in order.
    pub anchor: Vec<ChatMessage>,
    /// Where they stand.
    pub anchor_at: AnchorAt,
    /// Index of the newest user input: only that one may name its node.
    pub turn_start: usize,
    /// False after completion: no node may be named anywhere.
    pub names_nodes: bool,
}

/// Builds the messages. `shell` puts `USER_INPUT` round a person's words.
///
/// A tool-call group (assistant with calls, then every result in call order) is atomic: results
/// that are missing because the program was interrupted are made up as `E_INTERRUPTED`.
///
/// # Errors
/// What `shell` fails with.
pub fn build(
    parts: Parts<'_>,
    shell: impl Fn(&str, Option<&NodeId>) -> Result<String, Failure>,
) -> Result<Vec<ChatMessage>, Failure> {
    let results = results_by_call(parts.history);
    let mut out = parts.system;
    let mut anchor = Some(parts.anchor);
    let mut at = 0;
    while at < parts.history.len() {
        if at >= parts.anchor_at.0
            && let Some(blocks) = anchor.take()
        {
            out.extend(blocks);
        }
        match &parts.history[at] {
            Entry::User { text, for_node } => {
                let named = parts.names_nodes && at >= parts.turn_start;
                let node = for_node.as_ref().filter(|_| named);
                out.push(ChatMessage::user(shell(text, node)?));
                at += 1;
            }
            Entry::Assistant { text, calls } if calls.is_empty() => {
                if !text.is_empty() {
                    out.push(ChatMessage::assistant(text.clone()));
                }
                at += 1;
            }
            Entry::Assistant { text, calls } => {
                push_group(&mut out, &results, text, calls);
                at += 1;
                while matches!(parts.history.get(at), Some(Entry::Tool { .. })) {
                    at += 1;
                }
            }
            // Its group, which took it, came earlier; without a group it cannot be sent.
            Entry::Tool { .. } => at += 1,
        }
    }
    if let Some(blocks) = anchor.take() {
        out.extend(blocks);
    }
    Ok(out)
}

/// A write that finished after Stop has its result behind the person's next words; it is still
/// the result of its call.
fn results_by_call(history: &[Entry]) -> BTreeMap<&CallId, &str> {
    let mut results = BTreeMap::new();
    for entry in history {
        if let Entry::Tool { call_id, content } = entry {
            results.insert(call_id, content.as_str());
        }
    }
    results
}

fn push_group(
    out: &mut Vec<ChatMessage>,
    results: &BTreeMap<&CallId, &str>,
    text: &str,
    calls: &[ToolCall],
) {
    let mut assistant = ChatMessage::assistant(text.to_owned());
    assistant.tool_calls = calls.to_vec();
    out.push(assistant);
    for call in calls {
        let content = results.get(&call.id).map_or_else(interrupted, |c| (*c).to_owned());
        out.push(ChatMessage::tool(call.id.clone(), content));
    }
}

fn interrupted() -> String {
    Failure::for_model(ErrorCode::Interrupted, "the call was interrupted and has no result")
        .to_tool_result()
        .to_string()
}

/// What is wrong with a request's protocol; empty when a server must accept it: system messages
/// first, every call answered once, directly and in order, ids unique.
pub fn protocol_errors(messages: &[ChatMessage]) -> Vec<String> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn call(id: &str) -> ToolCall {
        ToolCall { id: CallId::new(id), name: "fs_read".into(), arguments: "{}".into() }
    }

    #[test]
    fn a_conversation_is_measured_as_what_is_sent() {
        let said = |text: String| Entry::User { text, for_node: None };
        let called = |arguments: String| {
            let call = ToolCall { arguments, ..call("c") };
            Entry::Assistant { text: String::new(), calls: vec![call] }
        };
        let result = |content| Entry::Tool { call_id: CallId::new("c"), content };
        for (escaped, unit) in [(1, "x"), (2, "\n"), (6, "\u{1}")] {
            let half = unit.repeat(REQUEST_BYTES / escaped / 2 - "fs_read".len());
            let most = [called(half.clone()), result(half.clone())];
            assert!(!is_too_long(&most), "{unit:?}");
            assert!(is_too_long(&[said("x".repeat(200)), called(half.clone()), result(half)]));
        }
    }

    #[expect(clippy::unnecessary_wraps, reason = "stands for a shell that can fail")]
    fn shell(text: &str, node: Option<&NodeId>) -> Result<String, Failure> {
        Ok(node.map_or_else(|| text.to_owned(), |n| format!("{n}: {text}")))
    }

    fn outline(history: &[Entry], anchor_at: usize, turn_start: usize) -> Vec<String> {
        let parts = Parts {
            system: vec![ChatMessage::system("S")],
            history,
            anchor: vec![ChatMessage::user("ANCHOR")],
            anchor_at: AnchorAt(anchor_at),
            turn_start,
            names_nodes: true,
        };
        let messages = build(parts, shell).unwrap();
        assert_eq!(protocol_errors(&messages), Vec::<String>::new());
        messages.into_iter().map(|m| m.content).collect()
    }

    fn user(text: &str) -> Entry {
        Entry::User { text: text.into(), for_node: NodeId::new("n1").ok() }
    }

    fn tool(id: &str) -> Entry {
        Entry::Tool { call_id: CallId::new(id), content: format!("result {id}") }
    }

    #[test]
    fn the_anchor_stands_before_the_newest_input_and_only_that_input_names_its_node() {
        let history =
            [user("one"), Entry::Assistant { text: "a".into(), calls: vec![] }, user("two")];
        assert_eq!(outline(&history, 2, 2), ["S", "one", "a", "ANCHOR", "n1: two"]);
    }

    #[test]
    fn an_anchor_inside_a_group_stands_after_it() {
        let history = [
            user("go"),
            Entry::Assistant { text: String::new(), calls: vec![call("c1"), call("c2")] },
            tool("c2"),
            tool("c1"),
        ];
        let got = outline(&history, 3, 0);
        assert_eq!(got, ["S", "n1: go", "", "result c1", "result c2", "ANCHOR"]);
    }

    #[test]
    fn a_missing_result_is_made_up_so_that_the_request_is_valid() {
        let history =
            [Entry::Assistant { text: String::new(), calls: vec![call("c1")] }, user("x")];
        let got = outline(&history, 1, 1);
        assert!(got[2].contains("E_INTERRUPTED"), "{got:?}");
    }

    proptest! {
        #[test]
        fn every_history_builds_a_request_a_server_accepts(
            kinds in proptest::collection::vec(0_u8..4, 0..40),
            anchor in 0_usize..45,
        ) {
            let mut history = Vec::new();
            for (n, kind) in kinds.iter().enumerate() {
                history.push(match kind {
                    0 => user("u"),
                    1 => Entry::Assistant { text: "t".into(), calls: vec![] },
                    2 => Entry::Assistant {
                        text: String::new(),
                        calls: vec![call(&format!("a{n}")), call(&format!("b{n}"))],
                    },
                    _ => tool(&format!("a{}", n.saturating_sub(1))),
                });
            }
            let got = outline(&history, anchor, 0);
            prop_assert_eq!(got.iter().filter(|c| *c == "ANCHOR").count(), 1);
        }
    }
}
