//! What became of a conversation that was too long for its model (spec 04 "Compression").

use serde::{Deserialize, Serialize};

use crate::chat::Usage;
use crate::code::Failure;

/// What the model sees in the place of the older messages.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Compaction {
    /// The messages before this index are replaced.
    pub until: usize,
    /// By these, in order.
    pub parts: Vec<SeenPart>,
}

/// One message in the place of older ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SeenPart {
    /// The message with this index, as it is.
    Whole(usize),
    /// The result with this index, shortened.
    Shortened {
        /// Its index.
        at: usize,
        /// What is left of it.
        text: String,
    },
    /// Words of the runtime.
    Summary {
        /// The index of the first message that they stand for.
        at: usize,
        /// The words.
        text: String,
    },
}

/// How a compaction ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum CompactionStatus {
    /// The conversation is shorter.
    Effective,
    /// Nothing could be left out.
    Noop,
    /// It is shorter, and the model that was asked for a summary did not give one.
    FailedFallback,
}

/// A way of making a conversation shorter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Stage {
    /// Old results are shortened.
    Trim,
    /// Old calls become a list.
    Structural,
    /// Of the older messages the most telling stay.
    Select,
    /// The others are summed up.
    Summary,
    /// The calls of the present turn become a list.
    ActiveLoop,
}

/// How much a conversation takes in a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ContextSize {
    /// Messages of the conversation.
    pub messages: usize,
    /// About how many tokens the whole request has.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub tokens: u64,
}

/// What came of making a conversation shorter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Compacted {
    /// What the model sees from now on; `None` when that stays as it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compaction: Option<Compaction>,
    /// How it ended.
    pub status: CompactionStatus,
    /// The ways that were taken, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<Stage>,
    /// How much it was.
    pub before: ContextSize,
    /// How much it is.
    pub after: ContextSize,
    /// What the summary of a model cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Why there is no summary of a model, where one was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
}
