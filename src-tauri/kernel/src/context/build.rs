//! System layers, history and anchor, put together.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::history::{HistoryEntry, Seen, SeenEntry, UserInput};
use super::source::{MessageSource, SourcedMessage};
use crate::chat::ChatMessage;
use crate::code::{ErrorCode, Failure};
use crate::ids::{CallId, NodeId};
use crate::text::is_blank;

/// Where the run directive stands: before the entry with this index, or after the tool-call
/// group that spans it. A request has one anchor, the latest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AnchorAt(pub usize);

/// What a request is made of.
pub struct RequestParts<'a> {
    /// The system layers, in order.
    pub system: Vec<SourcedMessage>,
    /// What the model sees of the conversation so far.
    pub history: Seen<'a>,
    /// Of what was said before this message only the person's words are told; 0 for all of it.
    pub since: usize,
    /// The anchor's blocks, in order.
    pub anchor: Vec<SourcedMessage>,
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
    let length = parts.system.len() + parts.anchor.len() + parts.history.len();
    let mut out = Vec::with_capacity(length);
    place(parts, shell, |placed| out.push(placed.message))?;
    Ok(out)
}

/// The same, one message after the other, each with what it is.
///
/// # Errors
/// What `shell` fails with.
pub fn place(
    parts: RequestParts<'_>,
    shell: impl Fn(&str, Option<&NodeId>) -> Result<String, Failure>,
    mut to: impl FnMut(SourcedMessage),
) -> Result<(), Failure> {
    let seen = parts.history;
    let results = Results { seen, all: OnceCell::new() };
    parts.system.into_iter().for_each(&mut to);
    let mut anchor = Some(parts.anchor);
    let mut next = 0;
    while let Some(this) = seen.get(next) {
        let SeenEntry { at, entry, .. } = this;
        if at >= parts.anchor_at.0
            && let Some(blocks) = anchor.take()
        {
            blocks.into_iter().for_each(&mut to);
        }
        next += 1;
        if !this.is_of_step(parts.since) {
            continue;
        }
        match entry {
            HistoryEntry::User(input) => {
                let is_named = parts.names_nodes && at >= parts.turn_start;
                let message = words(this, input, is_named, &shell)?;
                let sourced = |message| SourcedMessage::of(MessageSource::UserInput, at, message);
                message.map(sourced).into_iter().for_each(&mut to);
            }
            HistoryEntry::Summary(message) => {
                to(SourcedMessage::of(MessageSource::Summary, at, Arc::clone(message)));
            }
            HistoryEntry::Assistant(reply) if reply.tool_calls.is_empty() => {
                if !reply.content.is_empty() {
                    to(SourcedMessage::of(MessageSource::Reply, at, Arc::clone(reply)));
                }
            }
            HistoryEntry::Assistant(reply) => {
                let from = next;
                while seen.get(next).is_some_and(|it| matches!(it.entry, HistoryEntry::Tool(_))) {
                    next += 1;
                }
                to(SourcedMessage::of(MessageSource::Reply, at, Arc::clone(reply)));
                if this.is_answered() {
                    (from..next).filter_map(|n| result(seen.get(n)?)).for_each(&mut to);
                    continue;
                }
                let calls = reply.tool_calls.iter();
                calls.map(|call| results.of(&call.id, from..next)).for_each(&mut to);
            }
            // Its group, which took it, came earlier; without a group it cannot be sent.
            HistoryEntry::Tool(_) => {}
        }
    }
    if let Some(blocks) = anchor.take() {
        blocks.into_iter().for_each(&mut to);
    }
    Ok(())
}

/// A person's words as they are sent; blank ones are not. `is_named`: the node may be told for which
/// they were said.
fn words(
    this: SeenEntry<'_>,
    input: &UserInput,
    is_named: bool,
    shell: impl Fn(&str, Option<&NodeId>) -> Result<String, Failure>,
) -> Result<Option<Arc<ChatMessage>>, Failure> {
    if let Some(sent) = this.sent_plain().filter(|_| !is_named) {
        return Ok(Some(Arc::clone(sent)));
    }
    if is_blank(&input.text) {
        return Ok(None);
    }
    let node = input.for_node.as_ref().filter(|_| is_named);
    Ok(Some(match node {
        None => this.plain(|| shell(&input.text, None))?,
        Some(_) => Arc::new(ChatMessage::user(shell(&input.text, node)?)),
    }))
}

/// The results of calls, wherever they stand.
struct Results<'a> {
    seen: Seen<'a>,
    all: OnceCell<BTreeMap<&'a CallId, SeenEntry<'a>>>,
}

impl<'a> Results<'a> {
    /// The result of a call, which stands among those that follow its reply. A write that finished
    /// after Stop has its result behind the person's next words; it is still the result of its
    /// call.
    fn of(&self, call: &CallId, following: Range<usize>) -> SourcedMessage {
        let mut near = following.rev().filter_map(|n| self.seen.get(n));
        let found = near.find(|seen| seen.entry.answers() == Some(call));
        let found = found.or_else(|| self.all.get_or_init(|| self.by_call()).get(call).copied());
        found.and_then(result).unwrap_or_else(|| {
            SourcedMessage::layer(MessageSource::MissingResult, interrupted(call.clone()))
        })
    }

    fn by_call(&self) -> BTreeMap<&'a CallId, SeenEntry<'a>> {
        self.seen.iter().filter_map(|seen| Some((seen.entry.answers()?, seen))).collect()
    }
}

/// The message that gives a result.
fn result(seen: SeenEntry<'_>) -> Option<SourcedMessage> {
    let message = Arc::clone(seen.entry.result()?);
    let source =
        if seen.shortened { MessageSource::ShortenedResult } else { MessageSource::Result };
    Some(SourcedMessage::of(source, seen.at, message))
}

pub(super) fn interrupted(call: CallId) -> ChatMessage {
    let message = "the call was interrupted and has no result";
    let failure = Failure::for_model(ErrorCode::Interrupted, message);
    ChatMessage::tool(call, failure.to_tool_result().to_string())
}
