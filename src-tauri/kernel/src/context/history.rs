//! What was said, and what a model still sees of it.

use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

use super::compaction::{Compaction, SeenPart};
use crate::bounds::REQUEST_BYTES;
use crate::chat::{ChatMessage, MESSAGE_TOKENS, MessageStretch};
use crate::code::Failure;
use crate::ids::{CallId, NodeId};
use crate::text::json_bytes;
use crate::tokens::{TokenCount, Tokenizer};

/// One stored message, as the model may see it again. What is sent as it is stored is shared by
/// all requests that hold it.
#[derive(Debug, Clone, PartialEq)]
pub enum HistoryEntry {
    /// A person's input, raw.
    User(Arc<UserInput>),
    /// A whole reply of the model, with its calls.
    Assistant(Arc<ChatMessage>),
    /// The result of one call, as JSON text.
    Tool(Arc<ChatMessage>),
    /// What the runtime says of messages that it stands for.
    Summary(Arc<ChatMessage>),
    /// What the runtime tells of something that the person did beside the conversation.
    Note(Arc<ChatMessage>),
}

/// What a person said.
#[derive(Debug, PartialEq)]
pub struct UserInput {
    /// The words, or a widget submission.
    pub text: String,
    /// The node that was current, while the run was not complete.
    pub for_node: Option<NodeId>,
}

impl HistoryEntry {
    /// A person's input.
    pub fn user(text: impl Into<String>, for_node: Option<NodeId>) -> Self {
        Self::User(Arc::new(UserInput { text: text.into(), for_node }))
    }

    /// The call it is the result of.
    pub fn answers(&self) -> Option<&CallId> {
        self.result().and_then(|message| message.tool_call_id.as_ref())
    }

    pub(super) fn result(&self) -> Option<&Arc<ChatMessage>> {
        match self {
            Self::Tool(message) => Some(message),
            Self::User(_) | Self::Assistant(_) | Self::Summary(_) | Self::Note(_) => None,
        }
    }

    /// How long the texts are that a model sees again, as JSON, in bytes.
    fn json_bytes(&self) -> usize {
        match self {
            Self::User(input) => json_bytes(&input.text),
            Self::Assistant(message)
            | Self::Tool(message)
            | Self::Summary(message)
            | Self::Note(message) => {
                let calls = message.tool_calls.iter();
                let calls = calls.map(|call| json_bytes(&call.name) + json_bytes(&call.arguments));
                json_bytes(&message.content) + calls.sum::<usize>()
            }
        }
    }

    /// How many tokens it has in a request.
    pub fn tokens(&self, tokenizer: Tokenizer) -> u64 {
        match self {
            Self::User(input) => MESSAGE_TOKENS + tokenizer.count(&input.text),
            Self::Assistant(message)
            | Self::Tool(message)
            | Self::Summary(message)
            | Self::Note(message) => message.tokens(tokenizer),
        }
    }
}

/// What requests need of a message, found once: each request goes through all that it sends, so they
/// lie beside each other, and the messages themselves are not looked at.
#[derive(Debug, Clone, Default, PartialEq)]
struct Facts {
    /// How many tokens it has.
    tokens: TokenCount,
    /// A person's words as they are sent while they name no node.
    plain: Shelled,
    /// The results of a reply's calls follow it, in the order of the calls.
    is_answered: bool,
}

/// A person's words in their shell, made when they are first sent: later requests send them again.
#[derive(Debug, Clone, Default)]
struct Shelled(OnceLock<Arc<ChatMessage>>);

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

/// So many messages lie in a stretch that requests share.
const STRETCH: usize = 128;

/// What the messages of a stretch are sent as, made when they are first sent.
#[derive(Debug, Clone, Default)]
struct SentStretch(OnceLock<MessageStretch>);

/// It follows from the messages, which are compared themselves.
impl PartialEq for SentStretch {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A message at its place in the conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedEntry {
    /// Its index; that of the first message it stands for, when it stands for others.
    pub at: usize,
    /// The message.
    pub entry: HistoryEntry,
    /// Whether something of it is left out.
    pub shortened: bool,
    /// What counts its tokens.
    tokenizer: Tokenizer,
    facts: Facts,
}

impl PlacedEntry {
    /// How many tokens it has in a request.
    pub fn tokens(&self) -> u64 {
        self.facts.tokens.get_or_count(|| self.entry.tokens(self.tokenizer))
    }

    /// How it is kept.
    pub(super) fn part(&self) -> SeenPart {
        match &self.entry {
            HistoryEntry::Summary(message) => {
                SeenPart::Summary { at: self.at, text: message.content.clone() }
            }
            HistoryEntry::Tool(message) if self.shortened => {
                SeenPart::Shortened { at: self.at, text: message.content.clone() }
            }
            _ => SeenPart::Whole(self.at),
        }
    }
}

/// The stored messages in order, and what stands in the place of the older ones. Bytes are counted as
/// messages come. Tokens are counted when they are first asked for, each message once: a conversation
/// is measured with every turn, and a long one that is only read may never be.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct History {
    entries: Vec<HistoryEntry>,
    /// Those of each of them.
    facts: Vec<Facts>,
    /// What each [`STRETCH`] of them is sent as.
    stretches: Vec<SentStretch>,
    /// How many of the newest reply's calls have their results behind it, in the order of the calls,
    /// and nothing else.
    answers: Option<usize>,
    /// The model sees the messages from this one on as they are.
    until: usize,
    /// What it sees in the place of those before.
    in_place: Vec<PlacedEntry>,
    json_bytes: usize,
    /// How many tokens all that it sees has.
    tokens: TokenCount,
    tokenizer: Tokenizer,
}

impl History {
    /// Adds the newest message.
    pub fn push(&mut self, entry: HistoryEntry) {
        let (tokenizer, facts) = (self.tokenizer, Facts::default());
        self.json_bytes += entry.json_bytes();
        self.tokens.add(|| facts.tokens.get_or_count(|| entry.tokens(tokenizer)));
        self.follow(&entry);
        if self.entries.len().is_multiple_of(STRETCH) {
            self.stretches.push(SentStretch::default());
        }
        self.entries.push(entry);
        self.facts.push(facts);
    }

    /// Whether the newest reply has the results of its calls with this message.
    fn follow(&mut self, entry: &HistoryEntry) {
        let HistoryEntry::Tool(result) = entry else {
            self.answers = matches!(entry, HistoryEntry::Assistant(_)).then_some(0);
            return;
        };
        let Some(known) = self.answers.take() else { return };
        let at = self.entries.len() - 1 - known;
        let HistoryEntry::Assistant(reply) = &self.entries[at] else { return };
        let call = reply.tool_calls.get(known);
        // Of two calls with one id nobody knows which of the results is whose.
        let is_next = call.is_some_and(|call| {
            let before = reply.tool_calls.iter().take(known);
            result.tool_call_id.as_ref() == Some(&call.id)
                && before.clone().all(|it| it.id != call.id)
        });
        self.answers = is_next.then_some(known + 1);
        // One result more than there are calls, and nobody knows which of them counts.
        self.facts[at].is_answered = self.answers == Some(reply.tool_calls.len());
    }

    /// From now on tokens are counted like this. What was counted otherwise is counted anew.
    pub fn count_with(&mut self, tokenizer: Tokenizer) {
        if tokenizer == self.tokenizer {
            return;
        }
        self.tokenizer = tokenizer;
        self.tokens = TokenCount::default();
        self.facts.iter_mut().for_each(|facts| facts.tokens = TokenCount::default());
        for placed in &mut self.in_place {
            placed.tokenizer = tokenizer;
            placed.facts.tokens = TokenCount::default();
        }
    }

    /// What counts the tokens of the messages.
    pub fn tokenizer(&self) -> Tokenizer {
        self.tokenizer
    }

    /// The messages, the oldest first, whatever the model sees of them.
    pub fn entries(&self) -> &[HistoryEntry] {
        &self.entries
    }

    /// What the model sees, in order.
    pub fn seen(&self) -> Seen<'_> {
        Seen { history: self }
    }

    /// From now on the model sees the older messages like this.
    pub fn compact(&mut self, compaction: &Compaction) {
        let until = compaction.until.min(self.entries.len());
        self.in_place = compaction.parts.iter().filter_map(|part| self.placed(part)).collect();
        self.until = until;
        self.json_bytes = self.seen().iter().map(|seen| seen.entry.json_bytes()).sum();
        self.tokens = TokenCount::default();
    }

    fn placed(&self, part: &SeenPart) -> Option<PlacedEntry> {
        let whole = |at: usize| self.entries.get(at);
        let mut facts = Facts::default();
        let (at, entry) = match part {
            SeenPart::Whole(at) => {
                // Whether the results are kept too is another matter.
                facts = Facts { is_answered: false, ..self.facts.get(*at)?.clone() };
                (*at, whole(*at)?.clone())
            }
            SeenPart::Shortened { at, text } => {
                let call = whole(*at)?.answers()?.clone();
                let message = ChatMessage::tool(call, text.as_str());
                (*at, HistoryEntry::Tool(Arc::new(message)))
            }
            SeenPart::Summary { at, text } => {
                (*at, HistoryEntry::Summary(Arc::new(ChatMessage::user(text.as_str()))))
            }
        };
        let shortened = matches!(part, SeenPart::Shortened { .. });
        Some(PlacedEntry { at, entry, shortened, tokenizer: self.tokenizer, facts })
    }

    /// How many there are: the index of the next one.
    pub fn next(&self) -> usize {
        self.entries.len()
    }

    /// How many tokens the messages have that the model sees.
    pub fn tokens(&self) -> u64 {
        self.tokens.get_or_count(|| self.seen().iter().map(|seen| seen.tokens()).sum())
    }

    /// Whether what the model sees is longer than a request may be, as the JSON that is sent.
    pub fn is_too_long(&self) -> bool {
        self.json_bytes > REQUEST_BYTES
    }
}

impl FromIterator<HistoryEntry> for History {
    fn from_iter<I: IntoIterator<Item = HistoryEntry>>(entries: I) -> Self {
        let mut history = Self::default();
        history.extend(entries);
        history
    }
}

impl Extend<HistoryEntry> for History {
    fn extend<I: IntoIterator<Item = HistoryEntry>>(&mut self, entries: I) {
        for entry in entries {
            self.push(entry);
        }
    }
}

/// What a model sees of a conversation.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    history: &'a History,
}

/// One message of it, at its place in the conversation.
#[derive(Debug, Clone, Copy)]
pub struct SeenEntry<'a> {
    /// See [`PlacedEntry::at`].
    pub at: usize,
    /// The message.
    pub entry: &'a HistoryEntry,
    /// See [`PlacedEntry::shortened`].
    pub shortened: bool,
    tokenizer: Tokenizer,
    facts: &'a Facts,
}

impl<'a> From<&'a PlacedEntry> for SeenEntry<'a> {
    fn from(placed: &'a PlacedEntry) -> Self {
        let PlacedEntry { at, entry, shortened, tokenizer, facts } = placed;
        Self { at: *at, entry, shortened: *shortened, tokenizer: *tokenizer, facts }
    }
}

impl SeenEntry<'_> {
    /// How many tokens it has in a request.
    pub fn tokens(&self) -> u64 {
        self.facts.tokens.get_or_count(|| self.entry.tokens(self.tokenizer))
    }

    /// Whether it is a reply with calls whose results follow it, in the order of the calls.
    pub(super) fn is_answered(&self) -> bool {
        self.facts.is_answered
    }

    /// A person's words as they were sent before, naming no node.
    pub(super) fn sent_plain(&self) -> Option<&Arc<ChatMessage>> {
        self.facts.plain.0.get()
    }

    /// The same; put into their shell when they are first sent.
    pub(super) fn plain(
        &self,
        shell: impl FnOnce() -> Result<String, Failure>,
    ) -> Result<Arc<ChatMessage>, Failure> {
        self.facts.plain.of(shell)
    }

    /// Whether a model sees it that is shown one step of a workflow at a time, which began with the
    /// message `since`: what was said since then, and before it the person's words.
    pub fn is_of_step(&self, since: usize) -> bool {
        let lasts = matches!(
            self.entry,
            HistoryEntry::User(_) | HistoryEntry::Summary(_) | HistoryEntry::Note(_)
        );
        lasts || self.at >= since
    }
}

/// Messages of a conversation that are not in a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LeftOut {
    /// So many went when the conversation was made shorter: a summary may stand for them.
    pub by_shortening: usize,
    /// So many are of steps before, which the model is not told of.
    pub of_earlier_steps: usize,
}

impl<'a> Seen<'a> {
    /// What of the conversation is not in it, when what was said before the message `since` is left
    /// out but for the person's words.
    pub fn left_out(self, since: usize) -> LeftOut {
        let is_message = |it: &&PlacedEntry| !matches!(it.entry, HistoryEntry::Summary(_));
        let kept = self.before().iter().filter(is_message).count();
        LeftOut {
            by_shortening: self.history.until.saturating_sub(kept),
            of_earlier_steps: self.iter().filter(|it| !it.is_of_step(since)).count(),
        }
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.before().len() + self.from().len()
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The n-th of them.
    pub fn get(self, n: usize) -> Option<SeenEntry<'a>> {
        match self.before().get(n) {
            Some(placed) => Some(placed.into()),
            None => self.whole(n - self.before().len()),
        }
    }

    /// All of them, to be worked on elsewhere.
    pub fn to_vec(self) -> Vec<PlacedEntry> {
        let all = self.iter().map(|it| PlacedEntry {
            at: it.at,
            entry: it.entry.clone(),
            shortened: it.shortened,
            tokenizer: it.tokenizer,
            facts: it.facts.clone(),
        });
        all.collect()
    }

    /// All of them in order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = SeenEntry<'a>> {
        let placed = self.before().iter().map(SeenEntry::from);
        placed.chain((0..self.from().len()).filter_map(move |n| self.whole(n)))
    }

    /// What the messages from the n-th one on are sent as, and how many they are, where they are a
    /// stretch whose results are all known and that lies before the message `until`. `make` makes it
    /// when it is first sent.
    pub(super) fn stretch(
        self,
        n: usize,
        until: usize,
        make: impl FnOnce(usize) -> Result<MessageStretch, Failure>,
    ) -> Result<Option<(MessageStretch, usize)>, Failure> {
        let History { entries, stretches, .. } = self.history;
        let Some(at) = n.checked_sub(self.before().len()).map(|n| self.history.until + n) else {
            return Ok(None);
        };
        let end = at + STRETCH;
        if !at.is_multiple_of(STRETCH) || end > until || end >= entries.len() {
            return Ok(None);
        }
        let sent = &stretches[at / STRETCH].0;
        if let Some(made) = sent.get() {
            return Ok(Some((Arc::clone(made), STRETCH)));
        }
        if !self.is_settled(at) {
            return Ok(None);
        }
        let made = make(n + STRETCH)?;
        Ok(Some((Arc::clone(sent.get_or_init(|| made)), STRETCH)))
    }

    /// Whether every call of a stretch has its result right behind it, and no other can come.
    fn is_settled(self, from: usize) -> bool {
        let History { entries, facts, .. } = self.history;
        let stretch = from..from + STRETCH;
        let has_calls = |entry: &HistoryEntry| match entry {
            HistoryEntry::Assistant(reply) => !reply.tool_calls.is_empty(),
            _ => false,
        };
        let mut behind = entries[stretch.end..].iter();
        behind.any(|entry| !matches!(entry, HistoryEntry::Tool(_)))
            && stretch.into_iter().all(|at| facts[at].is_answered || !has_calls(&entries[at]))
    }

    /// What stands in the place of the older messages.
    fn before(self) -> &'a [PlacedEntry] {
        &self.history.in_place
    }

    /// The messages that it sees as they are.
    fn from(self) -> &'a [HistoryEntry] {
        &self.history.entries[self.history.until..]
    }

    /// The n-th of those.
    fn whole(self, n: usize) -> Option<SeenEntry<'a>> {
        let History { until, tokenizer, .. } = *self.history;
        let at = until + n;
        let (entry, facts) = (self.history.entries.get(at)?, self.history.facts.get(at)?);
        Some(SeenEntry { at, entry, shortened: false, tokenizer, facts })
    }
}
