//! The request a model is sent: system layers, history, anchor, active loop (spec 04 "Context
//! builder"). Pure. Raw words are stored; their shells are put round them here.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::bounds::REQUEST_BYTES;
use crate::chat::{ChatMessage, Role};
use crate::code::{ErrorCode, Failure};
use crate::ids::{CallId, NodeId};
use crate::text::{is_blank, json_bytes};

/// One stored message, as the model may see it again. What is sent as it is stored is shared by
/// all requests that hold it.
#[derive(Debug, Clone, PartialEq)]
pub enum HistoryEntry {
    /// A person's input, raw.
    User {
        /// The words, or a widget submission.
        text: String,
        /// The node that was current, while the run was not complete.
        for_node: Option<NodeId>,
        /// As it is sent while it names no node.
        plain: Shelled,
    },
    /// A whole reply of the model, with its calls.
    Assistant(Arc<ChatMessage>),
    /// The result of one call, as JSON text.
    Tool(Arc<ChatMessage>),
}

impl HistoryEntry {
    /// A person's input.
    pub fn user(text: impl Into<String>, for_node: Option<NodeId>) -> Self {
        Self::User { text: text.into(), for_node, plain: Shelled::default() }
    }

    /// The call it is the result of.
    pub fn answers(&self) -> Option<&CallId> {
        self.result().and_then(|message| message.tool_call_id.as_ref())
    }

    fn result(&self) -> Option<&Arc<ChatMessage>> {
        match self {
            Self::Tool(message) => Some(message),
            Self::User { .. } | Self::Assistant(_) => None,
        }
    }

    /// How long the texts are that a model sees again, as JSON, in bytes.
    fn json_bytes(&self) -> usize {
        match self {
            Self::User { text, .. } => json_bytes(text),
            Self::Assistant(message) | Self::Tool(message) => {
                let calls = message.tool_calls.iter();
                let calls = calls.map(|call| json_bytes(&call.name) + json_bytes(&call.arguments));
                json_bytes(&message.content) + calls.sum::<usize>()
            }
        }
    }
}

/// A person's words in their shell, made when they are first sent: later requests send them again.
#[derive(Debug, Clone, Default)]
pub struct Shelled(OnceLock<Arc<ChatMessage>>);

impl Shelled {
    fn of(
        &self,
        shell: impl FnOnce() -> Result<String, Failure>,
    ) -> Result<Arc<ChatMessage>, Failure> {
        if let Some(made) = self.0.get() {
            return Ok(Arc::clone(made));
        }
        let made = Arc::new(ChatMessage::user(shell()?));
        Ok(Arc::clone(self.0.get_or_init(|| made)))
    }
}

/// It follows from the words, which are compared themselves.
impl PartialEq for Shelled {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The stored messages in order. How long they are is counted as they come: a conversation is
/// measured with every turn.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct History {
    entries: Vec<HistoryEntry>,
    json_bytes: usize,
}

impl History {
    /// Adds the newest message.
    pub fn push(&mut self, entry: HistoryEntry) {
        self.json_bytes += entry.json_bytes();
        self.entries.push(entry);
    }

    /// The messages, the oldest first.
    pub fn entries(&self) -> &[HistoryEntry] {
        &self.entries
    }

    /// How many there are: the index of the next one.
    pub fn next(&self) -> usize {
        self.entries.len()
    }

    /// Whether they are longer than a request may be, as the JSON that is sent.
    pub fn is_too_long(&self) -> bool {
        self.json_bytes > REQUEST_BYTES
    }
}

/// Where the run directive stands: before the entry with this index, or after the tool-call
/// group that spans it. A request has one anchor, the latest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AnchorAt(pub usize);

/// What a request is made of.
pub struct RequestParts<'a> {
    /// The system layers, in order.
    pub system: Vec<Arc<ChatMessage>>,
    /// The conversation so far.
    pub history: &'a [HistoryEntry],
    /// The anchor's blocks, in order.
    pub anchor: Vec<Arc<ChatMessage>>,
    /// Where they stand.
    pub anchor_at: AnchorAt,
    /// Index of the newest user input: only that one may name its node.
    pub turn_start: usize,
    /// False after completion: no node may be named anywhere.
    pub names_nodes: bool,
}

/// Builds the messages. `shell` puts `USER_INPUT` round a person's words, the same each time.
///
/// A tool-call group (assistant with calls, then every result in call order) is atomic: results
/// that are missing because the program was interrupted are made up as `E_INTERRUPTED`.
///
/// # Errors
/// What `shell` fails with.
pub fn build(
    parts: RequestParts<'_>,
    shell: impl Fn(&str, Option<&NodeId>) -> Result<String, Failure>,
) -> Result<Vec<Arc<ChatMessage>>, Failure> {
    let results = Results { history: parts.history, all: OnceCell::new() };
    let mut out = Vec::with_capacity(parts.system.len() + parts.anchor.len() + parts.history.len());
    out.extend(parts.system);
    let mut anchor = Some(parts.anchor);
    let mut at = 0;
    while at < parts.history.len() {
        if at >= parts.anchor_at.0
            && let Some(blocks) = anchor.take()
        {
            out.extend(blocks);
        }
        let entry = &parts.history[at];
        at += 1;
        match entry {
            HistoryEntry::User { text, .. } if is_blank(text) => {}
            HistoryEntry::User { text, for_node, plain } => {
                let named = parts.names_nodes && at > parts.turn_start;
                let node = for_node.as_ref().filter(|_| named);
                out.push(match node {
                    None => plain.of(|| shell(text, None))?,
                    Some(_) => Arc::new(ChatMessage::user(shell(text, node)?)),
                });
            }
            HistoryEntry::Assistant(reply) if reply.tool_calls.is_empty() => {
                if !reply.content.is_empty() {
                    out.push(Arc::clone(reply));
                }
            }
            HistoryEntry::Assistant(reply) => {
                let from = at;
                while matches!(parts.history.get(at), Some(HistoryEntry::Tool(_))) {
                    at += 1;
                }
                out.push(Arc::clone(reply));
                let result = |call| results.of(call, &parts.history[from..at]);
                out.extend(reply.tool_calls.iter().map(|call| result(&call.id)));
            }
            // Its group, which took it, came earlier; without a group it cannot be sent.
            HistoryEntry::Tool(_) => {}
        }
    }
    if let Some(blocks) = anchor.take() {
        out.extend(blocks);
    }
    Ok(out)
}

/// The results of calls, wherever they stand.
struct Results<'a> {
    history: &'a [HistoryEntry],
    all: OnceCell<BTreeMap<&'a CallId, &'a Arc<ChatMessage>>>,
}

impl<'a> Results<'a> {
    /// The result of a call, which stands among those that follow its reply. A write that finished
    /// after Stop has its result behind the person's next words; it is still the result of its
    /// call.
    fn of(&self, call: &CallId, following: &'a [HistoryEntry]) -> Arc<ChatMessage> {
        let is_it = |entry: &&HistoryEntry| entry.answers() == Some(call);
        let found = following.iter().rfind(is_it).and_then(HistoryEntry::result);
        let found = found.or_else(|| self.all.get_or_init(|| self.by_call()).get(call).copied());
        found.map_or_else(|| Arc::new(interrupted(call.clone())), Arc::clone)
    }

    fn by_call(&self) -> BTreeMap<&'a CallId, &'a Arc<ChatMessage>> {
        let results = self.history.iter().filter_map(HistoryEntry::result);
        results.filter_map(|result| Some((result.tool_call_id.as_ref()?, result))).collect()
    }
}

fn interrupted(call: CallId) -> ChatMessage {
    let message = "the call was interrupted and has no result";
    let failure = Failure::for_model(ErrorCode::Interrupted, message);
    ChatMessage::tool(call, failure.to_tool_result().to_string())
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::ToolCall;
    use proptest::prelude::*;

    fn reply(text: &str, calls: Vec<ToolCall>) -> HistoryEntry {
        let message = ChatMessage { tool_calls: calls, ..ChatMessage::assistant(text) };
        HistoryEntry::Assistant(Arc::new(message))
    }

    fn call(id: &str) -> ToolCall {
        ToolCall { id: CallId::new(id), name: "fs_read".into(), arguments: "{}".into() }
    }

    #[test]
    fn a_conversation_is_measured_as_what_is_sent() {
        let said = |text: String| HistoryEntry::user(text, None);
        let called = |arguments: String| reply("", vec![ToolCall { arguments, ..call("c") }]);
        let result = |content: String| {
            HistoryEntry::Tool(Arc::new(ChatMessage::tool(CallId::new("c"), content)))
        };
        let is_too_long = |entries: &[HistoryEntry]| {
            let mut history = History::default();
            for entry in entries {
                history.push(entry.clone());
            }
            history.is_too_long()
        };
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

    fn outline(history: &[HistoryEntry], anchor_at: usize, turn_start: usize) -> Vec<String> {
        let parts = RequestParts {
            system: vec![Arc::new(ChatMessage::system("S"))],
            history,
            anchor: vec![Arc::new(ChatMessage::user("ANCHOR"))],
            anchor_at: AnchorAt(anchor_at),
            turn_start,
            names_nodes: true,
        };
        let messages = build(parts, shell).unwrap();
        assert_eq!(protocol_errors(&messages), Vec::<String>::new());
        messages.iter().map(|m| m.content.clone()).collect()
    }

    fn user(text: &str) -> HistoryEntry {
        HistoryEntry::user(text, NodeId::new("n1").ok())
    }

    fn tool(id: &str) -> HistoryEntry {
        HistoryEntry::Tool(Arc::new(ChatMessage::tool(CallId::new(id), format!("result {id}"))))
    }

    #[test]
    fn the_anchor_stands_before_the_newest_input_and_only_that_input_names_its_node() {
        let history = [user("one"), reply("a", vec![]), user("two")];
        assert_eq!(outline(&history, 2, 2), ["S", "one", "a", "ANCHOR", "n1: two"]);
    }

    #[test]
    fn an_anchor_inside_a_group_stands_after_it() {
        let history = [user("go"), reply("", vec![call("c1"), call("c2")]), tool("c2"), tool("c1")];
        let got = outline(&history, 3, 0);
        assert_eq!(got, ["S", "n1: go", "", "result c1", "result c2", "ANCHOR"]);
    }

    #[test]
    fn a_missing_result_is_made_up_so_that_the_request_is_valid() {
        let history = [reply("", vec![call("c1")]), user("x")];
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
                    1 => reply("t", vec![]),
                    2 => reply("", vec![call(&format!("a{n}")), call(&format!("b{n}"))]),
                    _ => tool(&format!("a{}", n.saturating_sub(1))),
                });
            }
            let got = outline(&history, anchor, 0);
            prop_assert_eq!(got.iter().filter(|c| *c == "ANCHOR").count(), 1);
        }
    }
}
