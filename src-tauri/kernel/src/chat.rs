//! What any model is asked and answers, in no provider's words (spec 07).

mod message;
mod messages;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use message::{ChatMessage, MESSAGE_TOKENS, Role, ToolCall};
pub use messages::{MessageStretch, RequestMessages};

use crate::bounds::{
    ARGUMENT_BYTES, ARGUMENTS_IN_ALL, CALL_NAME_BYTES, CALLS_PER_REPLY, COUNTED_MODELS,
    REPLY_BYTES, size,
};
use crate::code::{ErrorCode, Failure};
use crate::phrase::models;
use crate::text::is_blank;

/// A tool as a model is told of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ToolSpec {
    /// Wire name, `[A-Za-z0-9_-]{1,64}`.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// JSON Schema of the arguments.
    #[cfg_attr(feature = "ts", ts(type = "unknown"))]
    pub parameters: Value,
}

/// One request to a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatRequest {
    /// The messages, in order, protocol-valid (see [`crate::context`]). A conversation is sent
    /// whole with every turn: those that were sent before are shared with the requests before.
    pub messages: RequestMessages,
    /// The tools on offer, shared by all requests: a schema is as long as many messages.
    pub tools: Vec<Arc<ToolSpec>>,
    /// Whether an answer in words alone is of no use: servers that can are told to have a tool
    /// called.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub must_call: bool,
    /// How long the answer may be; as the server thinks, where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
}

impl ChatRequest {
    /// A request that shares nothing with others yet.
    pub fn new(messages: impl IntoIterator<Item = ChatMessage>, tools: Vec<Arc<ToolSpec>>) -> Self {
        let messages = messages.into_iter().map(Arc::new).collect();
        Self { messages, tools, must_call: false, max_tokens: None }
    }
}

/// Why a model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// It was done, or called tools.
    #[default]
    Stop,
    /// It ran out of output tokens: the text is cut.
    Length,
    /// The provider withheld content.
    Filtered,
}

/// Tokens of one request, as the provider counts them, or estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Tokens of the request.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub prompt_tokens: u64,
    /// Tokens of the answer.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub completion_tokens: u64,
    /// True when the provider told nothing and the counts are ours.
    pub estimated: bool,
}

impl Usage {
    /// Adds what another request took.
    pub fn add(&mut self, other: &Self) {
        self.prompt_tokens += other.prompt_tokens;
        self.completion_tokens += other.completion_tokens;
        self.estimated |= other.estimated;
    }
}

/// Tokens that one model took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ModelUsage {
    /// Its name, as in [`Reply::model`]; `None` where nobody knows.
    pub model: Option<String>,
    /// Tokens of its requests and answers.
    pub usage: Usage,
}

impl ModelUsage {
    /// Adds what a request took to the model's own count. Those of more than [`COUNTED_MODELS`] are
    /// counted with the last.
    pub fn add(all: &mut Vec<Self>, model: Option<&str>, usage: &Usage) {
        let known = all.iter().position(|it| it.model.as_deref() == model);
        let at = known.or_else(|| (all.len() >= COUNTED_MODELS).then(|| all.len() - 1));
        match at.and_then(|at| all.get_mut(at)) {
            Some(counted) => counted.usage.add(usage),
            None => all.push(Self { model: model.map(str::to_owned), usage: *usage }),
        }
    }
}

/// A whole answer of a model. Half an answer is never one (law C).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Reply {
    /// The text.
    pub text: String,
    /// Reasoning the provider sent beside the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking: Option<String>,
    /// The calls, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ToolCall>,
    /// Why it stopped.
    #[serde(default)]
    pub finish: Finish,
    /// What it cost.
    #[serde(default)]
    pub usage: Usage,
    /// The model's name, as its server told it; else the one that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Milliseconds until it began, where it came in pieces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_token_ms: Option<u64>,
    /// Whether the model wrote its calls as text, and they were found there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repaired: bool,
}

impl Reply {
    /// Whether there is nothing in it for anybody: no call and no text that can be seen. Reasoning
    /// alone is no answer. One that was cut at the output limit is told as that, and is none.
    pub fn is_empty(&self) -> bool {
        self.finish != Finish::Length && self.calls.is_empty() && is_blank(&self.text)
    }

    /// Whether it is words that were cut at the output limit.
    pub fn is_cut_off(&self) -> bool {
        self.finish == Finish::Length && self.calls.is_empty()
    }

    /// What an empty reply is told as (spec 06).
    pub fn empty_failure(&self) -> Failure {
        let (message, action) = match (self.finish, &self.thinking) {
            (Finish::Filtered, _) => (models::answer_withheld(), models::say_otherwise()),
            (_, Some(_)) => (models::only_thought(), models::try_or_choose_another()),
            (_, None) => (models::answered_nothing(), models::try_or_choose_another()),
        };
        Failure::new(ErrorCode::LlmBadResponse, message).with_action(action)
    }

    /// Why a reply that asks for more than one reply may is not taken, if so.
    pub fn excess(&self) -> Option<Failure> {
        let thinking = self.thinking.as_deref().unwrap_or_default();
        let calls = self.calls.iter().map(|call| (call.name.as_str(), call.arguments.as_str()));
        excess([&self.text, thinking], calls)
    }
}

/// The same for a reply that is not whole yet: its text, what was thought for it, and the names and
/// arguments of its calls.
pub fn excess<'a>(
    texts: [&str; 2],
    named: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Option<Failure> {
    let (mut calls, mut longest, mut longest_name, mut in_all) = (0, 0, 0, 0);
    for (name, arguments) in named {
        calls += 1;
        longest = longest.max(arguments.len());
        longest_name = longest_name.max(name.len());
        in_all += name.len() + arguments.len();
    }
    let message = if texts.iter().any(|text| text.len() > REPLY_BYTES) {
        models::reply_too_long(size(REPLY_BYTES as u64))
    } else if calls > CALLS_PER_REPLY {
        models::too_many_calls(CALLS_PER_REPLY)
    } else if longest > ARGUMENT_BYTES {
        models::arguments_too_long(ARGUMENT_BYTES)
    } else if longest_name > CALL_NAME_BYTES {
        models::call_name_too_long(CALL_NAME_BYTES)
    } else if in_all > ARGUMENTS_IN_ALL {
        models::calls_too_long(size(ARGUMENTS_IN_ALL as u64))
    } else {
        return None;
    };
    let failure = Failure::new(ErrorCode::LlmBadResponse, message);
    Some(failure.with_action(models::try_or_choose_another()))
}
