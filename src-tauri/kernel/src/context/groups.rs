//! The units of a conversation, of which none is ever cut in two: a person's words, a reply, a
//! reply with its calls and all their results.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::compaction::SeenPart;
use super::history::{HistoryEntry, PlacedEntry};
use crate::chat::{ChatMessage, MESSAGE_TOKENS, ToolCall};
use crate::ids::CallId;
use crate::path::Mount;
use crate::text::ellipsis;
use crate::tokens::Tokenizer;
use crate::tool::{self, CallResult, EffectClass, failure_of};

/// Most bytes of a text among the arguments of a call that is told in a line.
const ARGUMENT: usize = 80;
/// Most bytes of the arguments in such a line.
const ARGUMENTS: usize = 240;
/// Most bytes of an error's words in it.
const REASON: usize = 120;

/// What a unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A person's words.
    User,
    /// A reply without calls.
    Reply,
    /// A reply with calls.
    Group {
        /// Whether every call has its result.
        complete: bool,
    },
    /// What the person did beside the conversation.
    Note,
    /// Words of the runtime in the place of others.
    Summary,
}

/// One message of a unit, as it would be sent.
#[derive(Debug, Clone)]
pub(super) struct SeenMessage<'a> {
    pub(super) part: SeenPart,
    pub(super) tokens: u64,
    pub(super) entry: Option<&'a HistoryEntry>,
}

/// See the module.
#[derive(Debug, Clone)]
pub(super) struct TalkUnit<'a> {
    /// The index of its first message.
    pub(super) at: usize,
    pub(super) kind: Kind,
    pub(super) pieces: Vec<SeenMessage<'a>>,
}

impl<'a> TalkUnit<'a> {
    /// Words of the runtime in the place of others.
    pub(super) fn summary(at: usize, text: String, tokenizer: Tokenizer) -> Self {
        let tokens = MESSAGE_TOKENS + tokenizer.count(&text);
        let piece = SeenMessage { part: SeenPart::Summary { at, text }, tokens, entry: None };
        Self { at, kind: Kind::Summary, pieces: vec![piece] }
    }

    /// How many tokens it has.
    pub(super) fn tokens(&self) -> u64 {
        self.pieces.iter().map(|piece| piece.tokens).sum()
    }

    /// The words of a person, or of the runtime.
    pub(super) fn words(&self) -> &str {
        let piece = self.pieces.first();
        match (piece.map(|piece| &piece.part), piece.and_then(|piece| piece.entry)) {
            (Some(SeenPart::Summary { text, .. }), _) => text,
            (_, Some(HistoryEntry::User(input))) => &input.text,
            (
                _,
                Some(
                    HistoryEntry::Assistant(message)
                    | HistoryEntry::Summary(message)
                    | HistoryEntry::Note(message),
                ),
            ) => &message.content,
            _ => "",
        }
    }

    /// The calls of a group.
    pub(super) fn calls(&self) -> impl Iterator<Item = &'a ToolCall> + use<'a> {
        let reply = self.pieces.iter().find_map(|piece| match piece.entry {
            Some(HistoryEntry::Assistant(message)) => Some(message),
            _ => None,
        });
        reply.into_iter().flat_map(|message| &message.tool_calls)
    }

    /// The same, each with what came of it.
    pub(super) fn outcomes(&self) -> impl Iterator<Item = (&'a ToolCall, Option<CallOutcome>)> {
        let outcome = |id: &CallId| {
            let entries = self.pieces.iter().filter_map(|piece| piece.entry);
            let mut results = entries.filter(|entry| entry.answers() == Some(id));
            results.find_map(HistoryEntry::result).map(|result| CallOutcome::of(result))
        };
        self.calls().map(move |call| (call, outcome(&call.id)))
    }

    pub(super) fn is_complete_group(&self) -> bool {
        self.kind == Kind::Group { complete: true }
    }
}

/// What came of a call, as far as its result says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct CallOutcome {
    pub(super) ok: bool,
    /// The code and the words of an error.
    pub(super) error: Option<(String, String)>,
}

/// What is read of a result that tells of no error, as most do.
#[derive(Deserialize)]
struct DoneResult {
    ok: bool,
    error: Option<IgnoredAny>,
}

impl CallOutcome {
    fn of(result: &ChatMessage) -> Self {
        if let Ok(DoneResult { ok: true, error: None }) = serde_json::from_str(&result.content) {
            return Self { ok: true, error: None };
        }
        // A result that another program stored may be any text.
        let Ok(result) = serde_json::from_str::<Value>(&result.content) else {
            return Self { ok: true, error: None };
        };
        let error = failure_of(&result).map(|it| (it.code.to_string(), it.message));
        Self { ok: error.is_none() && CallResult::of(&result).ok, error }
    }

    /// `ok`, or the error in a few words.
    pub(super) fn in_words(&self) -> String {
        match &self.error {
            Some((code, message)) => {
                let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
                format!("error {code}: {}", ellipsis(&message, REASON))
            }
            None if self.ok => "ok".to_owned(),
            None => "error".to_owned(),
        }
    }
}

/// Where a call changes something; `None` for one that only looks or asks.
pub(super) fn changed_by(call: &ToolCall) -> Option<Mount> {
    match tool::find(&call.name)?.class {
        EffectClass::WriteProject if call.arguments.contains("@state/") => Some(Mount::State),
        EffectClass::WriteProject | EffectClass::External => Some(Mount::Project),
        EffectClass::WriteState => Some(Mount::State),
        EffectClass::Read | EffectClass::Session | EffectClass::Delegate => None,
    }
}

/// A call in a line: its name, the short of its arguments, and what came of it.
pub(super) fn call_line(call: &ToolCall, outcome: Option<&CallOutcome>) -> String {
    let outcome = outcome.map_or_else(|| "no result".to_owned(), CallOutcome::in_words);
    format!("{} {} → {outcome}", call.name, short_arguments(&call.arguments))
}

fn short_arguments(arguments: &str) -> String {
    // Most are short, and written as they would be here.
    let is_short = arguments.len() <= ARGUMENT;
    if is_short && !arguments.contains(|c: char| c.is_whitespace() || c == '\\') {
        return arguments.to_owned();
    }
    let short = match serde_json::from_str::<Value>(arguments) {
        Ok(mut value) => {
            shorten(&mut value);
            value.to_string()
        }
        Err(_) => arguments.split_whitespace().collect::<Vec<_>>().join(" "),
    };
    ellipsis(&short, ARGUMENTS)
}

fn shorten(value: &mut Value) {
    match value {
        Value::String(text) => *text = ellipsis(text, ARGUMENT),
        Value::Array(items) => items.iter_mut().for_each(shorten),
        Value::Object(members) => members.values_mut().for_each(shorten),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// What a model sees, as units. A result whose group is not there is left out: it cannot be sent.
pub(super) fn units(seen: &[PlacedEntry]) -> Vec<TalkUnit<'_>> {
    let results: BTreeMap<&CallId, usize> = (seen.iter().enumerate())
        .filter_map(|(n, placed)| Some((placed.entry.answers()?, n)))
        .collect();
    let mut units = Vec::new();
    for placed in seen {
        let kind = match &placed.entry {
            HistoryEntry::User(_) => Kind::User,
            HistoryEntry::Summary(_) => Kind::Summary,
            HistoryEntry::Note(_) => Kind::Note,
            HistoryEntry::Tool(_) => continue,
            HistoryEntry::Assistant(reply) if reply.tool_calls.is_empty() => Kind::Reply,
            HistoryEntry::Assistant(reply) => {
                units.push(group(placed, reply, &results, seen));
                continue;
            }
        };
        units.push(TalkUnit { at: placed.at, kind, pieces: vec![piece(placed)] });
    }
    units
}

fn group<'a>(
    placed: &'a PlacedEntry,
    reply: &ChatMessage,
    results: &BTreeMap<&CallId, usize>,
    seen: &'a [PlacedEntry],
) -> TalkUnit<'a> {
    let ids: BTreeSet<&CallId> = reply.tool_calls.iter().map(|call| &call.id).collect();
    let mut pieces = vec![piece(placed)];
    let found = reply.tool_calls.iter().filter_map(|call| results.get(&call.id));
    pieces.extend(found.map(|n| piece(&seen[*n])));
    let complete = pieces.len() == ids.len() + 1;
    TalkUnit { at: placed.at, kind: Kind::Group { complete }, pieces }
}

fn piece(placed: &PlacedEntry) -> SeenMessage<'_> {
    SeenMessage { part: placed.part(), tokens: placed.tokens(), entry: Some(&placed.entry) }
}
