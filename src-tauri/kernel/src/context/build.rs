//! System layers, history and anchor, put together.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::history::{HistoryEntry, Seen, SeenEntry, UserInput};
use super::source::{MessageSource, SourcedMessage};
use crate::chat::{ChatMessage, MessageStretch, RequestMessages};
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

/// Where the messages of a request go.
pub trait PlacedMessages {
    /// The next one.
    fn add(&mut self, message: SourcedMessage);

    /// Whether stretches of messages are taken as they were sent before, without what they are.
    fn takes_stretches(&self) -> bool;

    /// A stretch that comes next.
    fn add_stretch(&mut self, stretch: MessageStretch);
}

/// As they are sent.
impl PlacedMessages for RequestMessages {
    fn add(&mut self, message: SourcedMessage) {
        self.push(message.message);
    }

    fn takes_stretches(&self) -> bool {
        true
    }

    fn add_stretch(&mut self, stretch: MessageStretch) {
        self.share(stretch);
    }
}

/// Each with what it is.
impl PlacedMessages for Vec<SourcedMessage> {
    fn add(&mut self, message: SourcedMessage) {
        self.push(message);
    }

    fn takes_stretches(&self) -> bool {
        false
    }

    fn add_stretch(&mut self, _: MessageStretch) {}
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
) -> Result<RequestMessages, Failure> {
    let mut out = RequestMessages::default();
    place(parts, shell, &mut out)?;
    Ok(out)
}

/// The same, to where they go.
///
/// # Errors
/// What `shell` fails with.
pub fn place(
    parts: RequestParts<'_>,
    shell: impl Fn(&str, Option<&NodeId>) -> Result<String, Failure>,
    to: &mut impl PlacedMessages,
) -> Result<(), Failure> {
    let RequestParts { system, history: seen, since, anchor, .. } = parts;
    let anchor_at = parts.anchor_at.0;
    let names_from = if parts.names_nodes { parts.turn_start } else { usize::MAX };
    let talk = Talk { seen, since, names_from, shell, results: OnceCell::new() };
    for layer in system {
        to.add(layer);
    }
    let mut anchor = Some(anchor);
    let mut next = 0;
    while let Some(this) = seen.get(next) {
        if this.at >= anchor_at
            && let Some(blocks) = anchor.take()
        {
            for block in blocks {
                to.add(block);
            }
        }
        let until = if anchor.is_some() { anchor_at.min(names_from) } else { names_from };
        if to.takes_stretches()
            && let Some((stretch, length)) = talk.stretch(next, until)?
        {
            to.add_stretch(stretch);
            next += length;
            continue;
        }
        next = talk.one(this, next, to)?;
    }
    anchor.into_iter().flatten().for_each(|block| to.add(block));
    Ok(())
}

/// A conversation on its way into a request.
struct Talk<'a, S> {
    seen: Seen<'a>,
    /// See [`RequestParts::since`].
    since: usize,
    /// From this message on inputs may name their node.
    names_from: usize,
    shell: S,
    /// The results of calls, wherever they stand.
    results: OnceCell<BTreeMap<&'a CallId, SeenEntry<'a>>>,
}

impl<'a, S: Fn(&str, Option<&NodeId>) -> Result<String, Failure>> Talk<'a, S> {
    /// The stretch from the n-th message on, and how many it is of; `None` where there is none that
    /// is sent the same each time.
    fn stretch(&self, n: usize, until: usize) -> Result<Option<(MessageStretch, usize)>, Failure> {
        if self.since > 0 {
            return Ok(None);
        }
        self.seen.stretch(n, until, |end| {
            let (mut made, mut next) = (RequestMessages::default(), n);
            while let Some(this) = self.seen.get(next).filter(|_| next < end) {
                next = self.one(this, next, &mut made)?;
            }
            Ok(made.iter().cloned().collect())
        })
    }

    /// The n-th message, with the results of its calls; which one comes next.
    fn one(
        &self,
        this: SeenEntry<'a>,
        n: usize,
        to: &mut impl PlacedMessages,
    ) -> Result<usize, Failure> {
        let SeenEntry { at, entry, .. } = this;
        if !this.is_of_step(self.since) {
            return Ok(n + 1);
        }
        match entry {
            HistoryEntry::User(input) => {
                let message = self.words(this, input)?;
                let sourced = |message| SourcedMessage::of(MessageSource::UserInput, at, message);
                message.map(sourced).into_iter().for_each(|message| to.add(message));
            }
            HistoryEntry::Summary(message) => {
                to.add(SourcedMessage::of(MessageSource::Summary, at, Arc::clone(message)));
            }
            HistoryEntry::Note(message) => {
                to.add(SourcedMessage::of(MessageSource::PutBack, at, Arc::clone(message)));
            }
            HistoryEntry::Assistant(reply) if reply.tool_calls.is_empty() => {
                if !reply.content.is_empty() {
                    to.add(SourcedMessage::of(MessageSource::Reply, at, Arc::clone(reply)));
                }
            }
            HistoryEntry::Assistant(reply) => {
                to.add(SourcedMessage::of(MessageSource::Reply, at, Arc::clone(reply)));
                return Ok(self.results(this, reply, n + 1, to));
            }
            // Its group, which took it, came earlier; without a group it cannot be sent.
            HistoryEntry::Tool(_) => {}
        }
        Ok(n + 1)
    }

    /// The results of a reply's calls, of which those that came at once stand from the n-th message
    /// on; which message comes behind those.
    fn results(
        &self,
        this: SeenEntry<'a>,
        reply: &ChatMessage,
        n: usize,
        to: &mut impl PlacedMessages,
    ) -> usize {
        let mut end = n;
        while self.seen.get(end).is_some_and(|it| matches!(it.entry, HistoryEntry::Tool(_))) {
            end += 1;
        }
        if this.is_answered() {
            let results = (n..end).filter_map(|n| result(self.seen.get(n)?));
            results.for_each(|message| to.add(message));
        } else {
            let calls = reply.tool_calls.iter();
            calls.for_each(|call| to.add(self.result_of(&call.id, n..end)));
        }
        end
    }

    /// A person's words as they are sent; blank ones are not.
    fn words(
        &self,
        this: SeenEntry<'_>,
        input: &UserInput,
    ) -> Result<Option<Arc<ChatMessage>>, Failure> {
        let is_named = this.at >= self.names_from;
        if let Some(sent) = this.sent_plain().filter(|_| !is_named) {
            return Ok(Some(Arc::clone(sent)));
        }
        if is_blank(&input.text) {
            return Ok(None);
        }
        let node = input.for_node.as_ref().filter(|_| is_named);
        Ok(Some(match node {
            None => this.plain(|| (self.shell)(&input.text, None))?,
            Some(_) => Arc::new(ChatMessage::user((self.shell)(&input.text, node)?)),
        }))
    }

    /// The result of a call, which stands among those that follow its reply. A write that finished
    /// after Stop has its result behind the person's next words; it is still the result of its
    /// call.
    fn result_of(&self, call: &CallId, following: Range<usize>) -> SourcedMessage {
        let mut near = following.rev().filter_map(|n| self.seen.get(n));
        let found = near.find(|seen| seen.entry.answers() == Some(call));
        let found =
            found.or_else(|| self.results.get_or_init(|| self.by_call()).get(call).copied());
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
