//! What was judged in a run, and what its person answered.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::change::ChangeView;
use crate::decision::Decision;
use crate::ids::MessageId;
use crate::time::Time;
use crate::widget::Widget;

/// What a journal tells of a run's evidence beside the facts, the newest first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct EvidenceView {
    /// The newest judgements, [`LISTED_JUDGEMENTS`](crate::bounds::LISTED_JUDGEMENTS) at most.
    pub judgements: Vec<JudgementRecord>,
    /// How many there are before them.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub earlier_judgements: usize,
    /// The newest answers, [`LISTED_ANSWERS`](crate::bounds::LISTED_ANSWERS) at most.
    pub answers: Vec<GivenAnswer>,
    /// How many there are before them.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub earlier_answers: usize,
}

/// What the runtime judged of words that the model would have ended a turn with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct JudgementRecord {
    /// The event's sequence number.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub seq: u64,
    /// When it was made.
    pub at: Time,
    /// The item that shows it in the conversation; of words that were accepted, their message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub item: Option<MessageId>,
    /// The judgement.
    pub decision: Decision,
    /// Whether the person let the words stand all the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub overruled: bool,
}

/// What the person answered to a question of the model, or of the runtime.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct GivenAnswer {
    /// The sequence number of the event that asked.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub seq: u64,
    /// When it was answered.
    pub at: Time,
    /// The item of the question in the conversation.
    pub item: MessageId,
    /// What was asked.
    pub widget: Widget,
    /// The change that it was about, without its diff.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub change: Option<Box<ChangeView>>,
    /// The answer.
    #[cfg_attr(feature = "ts", ts(type = "unknown"))]
    pub answer: Value,
}
