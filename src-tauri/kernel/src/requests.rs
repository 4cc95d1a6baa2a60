//! What was asked of a model: the requests that a journal tells of, and one of them built again.
//!
//! A request is a function of package, templates and journal, so none is stored: it is built again
//! from the lines before it, and its hash says whether that gives what was sent.

mod compared;
mod rebuilt;
mod sent;

use serde::{Deserialize, Serialize};
use std::sync::Arc;

use crate::chat::{ChatMessage, ToolSpec, Usage};
use crate::code::Failure;
use crate::context::{LeftOut, MessageSource};
use crate::phrase::{Phrase, requests as said};
use crate::time::Time;

pub use compared::{compared, compared_tools};
pub use rebuilt::{Built, Rebuilding, RebuiltRequest};
pub use sent::{SentRequest, SentRequests};

/// What a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum RequestPurpose {
    /// The next words or calls of the conversation.
    Reply,
    /// A summary of older messages.
    Summary,
}

/// What came of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum RequestEnd {
    /// An answer with so many calls.
    Replied {
        /// How many calls it made.
        calls: usize,
    },
    /// Last words that were not accepted.
    NotAccepted,
    /// The server refused it as longer than the model reads.
    TooLong {
        /// In its words.
        failure: Failure,
    },
    /// No answer, or none that could be used.
    Failed {
        /// What went wrong.
        failure: Failure,
    },
}

/// One request of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RequestRow {
    /// The how many-th of the conversation it is, from 1.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub number: u64,
    /// The sequence number of the line that says what came of it.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub seq: u64,
    /// When it came to its end.
    pub at: Time,
    /// What it asks for.
    pub purpose: RequestPurpose,
    /// What came of it.
    pub end: RequestEnd,
    /// The model's own name for itself, when it told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub model: Option<String>,
    /// Tokens of the request and the answer, when there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub usage: Option<Usage>,
    /// How long the answer took, milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional, type = "number"))]
    pub duration_ms: Option<u64>,
    /// How long it took until the answer began, milliseconds, where it came in pieces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional, type = "number"))]
    pub first_token_ms: Option<u64>,
    /// Whether the model wrote its calls as text, and they were found there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub repaired: bool,
}

impl RequestRow {
    /// What came of it, in words.
    pub fn said(&self) -> Phrase {
        match (&self.end, self.purpose) {
            (RequestEnd::Replied { .. }, RequestPurpose::Summary) => said::summed_up(),
            (RequestEnd::Replied { calls: 0 }, RequestPurpose::Reply) => said::answered_in_words(),
            (RequestEnd::Replied { calls }, RequestPurpose::Reply) => {
                said::answered_with_calls(calls)
            }
            (RequestEnd::NotAccepted, _) => said::words_not_accepted(),
            (RequestEnd::TooLong { failure }, _) => said::refused_as_too_long(failure.to_part()),
            (RequestEnd::Failed { failure }, _) => said::came_to_nothing(failure.to_part()),
        }
    }
}

/// The requests of a conversation, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RequestList {
    /// The newest of them.
    pub requests: Vec<RequestRow>,
    /// How many there are before those.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub earlier: u64,
}

/// One message of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RequestMessage {
    /// What it is.
    pub source: MessageSource,
    /// How many tokens it has; see [`RequestView::estimated`].
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub tokens: u64,
    /// Whether the request before did not have it.
    pub is_new: bool,
    /// As it was sent.
    pub message: Arc<ChatMessage>,
}

/// One tool on offer in a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RequestTool {
    /// How many tokens it has; see [`RequestView::estimated`].
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub tokens: u64,
    /// Whether the request before did not offer it like this.
    pub is_new: bool,
    /// As the model is told of it.
    pub tool: Arc<ToolSpec>,
}

/// A request as the model saw it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RequestView {
    /// Which, and what came of it.
    pub row: RequestRow,
    /// SHA-256 of what is shown.
    pub sha256: String,
    /// Whether that is the hash of what was sent. `None` where the journal has none: no answer came,
    /// or only a summary was asked for.
    pub is_as_sent: Option<bool>,
    /// The request it is compared with, when there is one before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional, type = "number"))]
    pub before: Option<u64>,
    /// Its messages, in order.
    pub messages: Vec<RequestMessage>,
    /// Messages that the request before had and this one has not.
    pub gone: Vec<RequestMessage>,
    /// The tools on offer.
    pub tools: Vec<RequestTool>,
    /// Names of the tools that the request before offered and this one does not.
    pub gone_tools: Vec<String>,
    /// Messages of the conversation that are not in it.
    pub left_out: LeftOut,
    /// How the conversation was made shorter last, in words. Empty when it is whole.
    pub shortened: Vec<Phrase>,
    /// Whether the server was told to have a tool called.
    pub must_call: bool,
    /// How long the answer may be, in tokens; `None` when the server was not told.
    pub max_tokens: Option<u32>,
    /// Whether the numbers of tokens are estimates: nobody knows the model's tokenizer.
    pub estimated: bool,
}
