//! Puts the pieces of one answer together. Pure: fed parsed events, it never waits.
//!
//! Lenient by experience: every odd case here is something a real server sends (spec 07).

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use kernel::bounds::{Fuel, MODEL_NAME_BYTES, REPARSED_BYTES};
use kernel::chat::{ChatRequest, Finish, Reply, Role, ToolCall, Usage, excess};
use kernel::code::Failure;
use kernel::effect::Signal;
use kernel::ids::CallId;
use kernel::text::prefix;
use kernel::tokens::estimate_tokens;
use serde_json::Value;
use tokio::time::Instant;

/// An answer being written.
#[derive(Debug)]
pub(super) struct ReplyAssembly {
    text: String,
    thinking: String,
    slots: Vec<Slot>,
    /// Whether it came in pieces: a whole message behind them repeats them.
    in_pieces: bool,
    finish: Option<Finish>,
    done: bool,
    usage: Option<Usage>,
    model: Option<String>,
    /// For finding out whether a call is whole.
    fuel: Fuel,
    excess: Option<Failure>,
    began: Option<Instant>,
}

impl Default for ReplyAssembly {
    fn default() -> Self {
        Self {
            text: String::new(),
            thinking: String::new(),
            slots: Vec::new(),
            in_pieces: false,
            finish: None,
            done: false,
            usage: None,
            model: None,
            fuel: Fuel::new(REPARSED_BYTES),
            excess: None,
            began: None,
        }
    }
}

/// A call being written.
#[derive(Debug, Default)]
struct Slot {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
    extra: Option<Value>,
}

/// What one event says of a call.
struct CallPiece<'a> {
    index: Option<u64>,
    id: &'a str,
    name: &'a str,
    arguments: &'a str,
}

/// A whole answer, and what the server wants to see again beside its calls, by call id.
#[derive(Debug)]
pub(super) struct Assembled {
    pub(super) reply: Reply,
    pub(super) extras: BTreeMap<String, Value>,
    /// When the first piece of it came, where it came in pieces.
    pub(super) began: Option<Instant>,
}

impl ReplyAssembly {
    /// Takes one event, or a whole completion: both hold `choices`.
    pub(super) fn push(&mut self, event: &Value) -> Vec<Signal> {
        if let Some(model) = event["model"].as_str().filter(|m| !m.is_empty()) {
            self.model = Some(prefix(model, MODEL_NAME_BYTES).to_owned());
        }
        self.take_usage(&event["usage"]);
        let choice = &event["choices"][0];
        // Groq and others put the usage beside the choice.
        self.take_usage(&choice["usage"]);
        let mut shown = Vec::new();
        self.take_part(&choice["delta"], false, &mut shown);
        self.in_pieces |= choice["delta"].is_object() && self.has_begun();
        // Some servers end a stream with all that they said before.
        self.take_part(&choice["message"], self.in_pieces, &mut shown);
        if let Some(reason) = choice["finish_reason"].as_str().filter(|r| !r.is_empty()) {
            self.finish = Some(finish(reason));
        }
        shown
    }

    /// Why the answer is not to be read on, if so: it asks for more than one reply may.
    pub(super) const fn excess(&self) -> Option<&Failure> {
        self.excess.as_ref()
    }

    /// The server said `[DONE]`.
    pub(super) fn done(&mut self) {
        self.done = true;
    }

    /// A piece of the answer came at this time.
    pub(super) fn came(&mut self, at: Instant) {
        if self.has_begun() {
            self.began.get_or_insert(at);
        }
    }

    fn has_begun(&self) -> bool {
        !self.text.is_empty() || !self.thinking.is_empty() || !self.slots.is_empty()
    }

    /// Whether the server has said why it stopped: only the usage can come now.
    pub(super) fn finished(&self) -> bool {
        self.finish.is_some()
    }

    /// Whether the answer is whole: neither `finish_reason` nor `[DONE]` means it was cut.
    pub(super) fn whole(&self) -> bool {
        self.finish.is_some() || (self.done && self.has_begun())
    }

    /// The reply, with call ids unique in the conversation of `request`.
    pub(super) fn into_reply(self, request: &ChatRequest) -> Assembled {
        let usage = self.usage.unwrap_or_else(|| estimate(request, &self));
        let mut ids = CallIds::of(request);
        let mut extras = BTreeMap::new();
        let mut calls = Vec::new();
        for slot in self.slots.into_iter().filter(|s| !s.name.is_empty()) {
            let id = ids.unique(&slot.id, "call");
            if let Some(extra) = slot.extra {
                extras.insert(id.as_str().to_owned(), extra);
            }
            let arguments =
                if slot.arguments.trim().is_empty() { "{}".into() } else { slot.arguments };
            calls.push(ToolCall { id, name: slot.name, arguments });
        }
        let reply = Reply {
            text: self.text,
            thinking: Some(self.thinking).filter(|t| !t.is_empty()),
            calls,
            finish: self.finish.unwrap_or_default(),
            usage,
            model: self.model,
            ..Reply::default()
        };
        Assembled { reply, extras, began: self.began }
    }

    /// Takes what a part of the answer says; `missing` alone where nothing of its kind was said.
    fn take_part(&mut self, part: &Value, missing: bool, shown: &mut Vec<Signal>) {
        let wanted = |nothing_yet: bool| nothing_yet || !missing;
        let (thinks, speaks) = (wanted(self.thinking.is_empty()), wanted(self.text.is_empty()));
        let calls = wanted(self.slots.is_empty());
        let thinking = ["reasoning_content", "reasoning"].iter().find_map(|f| words(&part[*f]));
        if let Some(more) = thinking.filter(|_| thinks) {
            self.thinking.push_str(&more);
            shown.push(Signal::Thinking(more));
        }
        for field in ["content", "refusal"] {
            if let Some(more) = words(&part[field]).filter(|_| speaks) {
                self.text.push_str(&more);
                shown.push(Signal::Text(more));
            }
        }
        if calls {
            self.take_calls(part);
        }
        self.weigh();
        if self.excess.is_some() {
            shown.clear();
        }
    }

    fn take_calls(&mut self, part: &Value) {
        match &part["tool_calls"] {
            Value::Array(calls) => calls.iter().for_each(|c| self.take_call(c)),
            call @ Value::Object(_) => self.take_call(call),
            _ => {}
        }
        if part["function_call"].is_object() {
            self.take_call(&serde_json::json!({ "index": 0, "function": part["function_call"] }));
        }
    }

    /// Finds out whether the answer asks for more than one reply may.
    fn weigh(&mut self) {
        if self.excess.is_none() {
            let calls = self.slots.iter().map(|s| (s.name.as_str(), s.arguments.as_str()));
            self.excess = excess([&self.text, &self.thinking], calls);
        }
    }

    fn take_call(&mut self, call: &Value) {
        if self.excess.is_some() {
            return;
        }
        let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
        let index = call["index"].as_u64().or_else(|| call["index"].as_str()?.parse().ok());
        let (id, name) = (text(&call["id"]), text(&call["function"]["name"]));
        let (arguments, whole) = match &call["function"]["arguments"] {
            Value::String(more) => (Cow::Borrowed(more.as_str()), false),
            object @ Value::Object(_) => (object.to_string().into(), true),
            _ => (Cow::default(), false),
        };
        let piece = CallPiece { index, id: &id, name: &name, arguments: &arguments };
        let at = self.slot(&piece);
        let slot = &mut self.slots[at];
        if slot.id.is_empty() {
            slot.id = id;
        }
        if slot.name.is_empty() {
            slot.name = name;
        } else if name != slot.name && slot.arguments.is_empty() {
            // A name in pieces.
            slot.name.push_str(&name);
        }
        if call["extra_content"].is_object() {
            slot.extra = Some(call["extra_content"].clone());
        }
        if whole {
            slot.arguments = arguments.into_owned();
        } else if !slot.has_whole(&arguments, &mut self.fuel) {
            slot.arguments.push_str(&arguments);
        }
        self.weigh();
    }

    /// Which call a piece belongs to; a new one when it can be none of those begun.
    fn slot(&mut self, piece: &CallPiece<'_>) -> usize {
        let CallPiece { index, id, name, .. } = *piece;
        let found = match index {
            // Some servers number every call 0: a new id with a name is a new call.
            Some(_) => self.slots.iter().rposition(|s| s.index == index).filter(|at| {
                let slot = &self.slots[*at];
                let other = !id.is_empty() && !slot.id.is_empty() && slot.id != id;
                !other || name.is_empty()
            }),
            None if !id.is_empty() => self.slots.iter().rposition(|s| s.id == id),
            None => self.slots.len().checked_sub(1).filter(|at| {
                let slot = &self.slots[*at];
                name.is_empty() || (name == slot.name && !slot.complete(&mut self.fuel))
            }),
        };
        let found = found.filter(|at| !self.slots[*at].is_over(piece, &mut self.fuel));
        found.unwrap_or_else(|| {
            self.slots.push(Slot { index, ..Slot::default() });
            self.slots.len() - 1
        })
    }

    fn take_usage(&mut self, usage: &Value) {
        let count = |field: &str| usage[field].as_u64().unwrap_or_default();
        let (prompt_tokens, completion_tokens) =
            (count("prompt_tokens"), count("completion_tokens"));
        // What is more is no count of the tokens of one answer.
        let is_count = u32::try_from(prompt_tokens.max(completion_tokens)).is_ok();
        if is_count && prompt_tokens + completion_tokens > 0 {
            self.usage = Some(Usage { prompt_tokens, completion_tokens, estimated: false });
        }
    }
}

impl Slot {
    /// Whether the arguments are a whole object, as far as there is fuel to look.
    fn complete(&self, fuel: &mut Fuel) -> bool {
        self.arguments.trim_end().ends_with('}')
            && fuel.spend(self.arguments.len()).is_ok()
            && serde_json::from_str::<Value>(&self.arguments).is_ok_and(|v| v.is_object())
    }

    /// Whether it is whole and `piece` the beginning of another call, whatever number and id that
    /// has: some servers give the same to all.
    fn is_over(&self, piece: &CallPiece<'_>, fuel: &mut Fuel) -> bool {
        let again = piece.name == self.name
            && (piece.arguments.trim().is_empty() || piece.arguments == self.arguments);
        !piece.name.is_empty() && !again && self.complete(fuel)
    }

    /// Some servers send the whole call again at the end.
    fn has_whole(&self, more: &str, fuel: &mut Fuel) -> bool {
        more.starts_with('{') && self.arguments == more && self.complete(fuel)
    }
}

/// Makes call ids that occur once in a conversation.
pub(super) struct CallIds<'a> {
    request: &'a ChatRequest,
    /// Those of the reply so far.
    given: BTreeSet<String>,
    made: usize,
}

impl<'a> CallIds<'a> {
    /// For the calls of the reply to `request`.
    pub(super) fn of(request: &'a ChatRequest) -> Self {
        Self { request, given: BTreeSet::new(), made: 0 }
    }

    /// Whether nobody has it; it is taken then.
    fn take(&mut self, id: &str) -> bool {
        let mut calls = self.request.messages.iter().flat_map(|m| &m.tool_calls);
        !calls.any(|call| call.id.as_str() == id) && self.given.insert(id.to_owned())
    }

    /// `wanted` when nobody has it, else a variant; a made-up one when it is empty.
    pub(super) fn unique(&mut self, wanted: &str, prefix: &str) -> CallId {
        let wanted = CallId::new(wanted);
        let base = if wanted.is_empty() {
            self.made += 1;
            let turns = self.request.messages.iter().filter(|m| m.role == Role::Assistant);
            format!("{prefix}_{}_{}", turns.count(), self.made)
        } else {
            wanted.as_str().to_owned()
        };
        let mut id = base.clone();
        let mut n = 1;
        while !self.take(&id) {
            n += 1;
            // The front is cut, not the number, when the id is at its longest.
            id = format!("{}_{n}", kernel::text::prefix(&base, 70));
        }
        CallId::new(&id)
    }
}

/// A text, or the texts of content parts; `None` when there is nothing to show.
fn words(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|p| p["text"].as_str()).collect(),
        _ => String::new(),
    };
    Some(text).filter(|t| !t.is_empty())
}

fn finish(reason: &str) -> Finish {
    match reason.to_ascii_lowercase().as_str() {
        "length" | "max_tokens" => Finish::Length,
        "content_filter" | "safety" | "sensitive" => Finish::Filtered,
        _ => Finish::Stop,
    }
}

fn estimate(request: &ChatRequest, answer: &ReplyAssembly) -> Usage {
    let asked = request.messages.iter().map(|m| {
        let calls = m.tool_calls.iter().map(|c| estimate_tokens(&c.arguments)).sum::<u64>();
        estimate_tokens(&m.content) + calls
    });
    let tools = request
        .tools
        .iter()
        .map(|t| estimate_tokens(&t.description) + estimate_tokens(&t.parameters.to_string()));
    let calls =
        answer.slots.iter().map(|s| estimate_tokens(&s.name) + estimate_tokens(&s.arguments));
    Usage {
        prompt_tokens: asked.sum::<u64>() + tools.sum::<u64>(),
        completion_tokens: estimate_tokens(&answer.text)
            + estimate_tokens(&answer.thinking)
            + calls.sum::<u64>(),
        estimated: true,
    }
}

#[cfg(test)]
mod tests;
