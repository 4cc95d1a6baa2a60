//! The end of a turn: what became of the model's last words, and what it rests on.

use serde::{Deserialize, Serialize};

use super::phase::{Phase, Reason};
use crate::chat::Reply;
use crate::code::Failure;
use crate::decision::Decision;
use crate::facts::Fact;
use crate::ids::{AgentId, CallId, MessageId};
use crate::todo::Todo;

/// See [`Event::DecisionMade`](super::Event::DecisionMade).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct DecisionMade {
    /// The judgement.
    pub decision: Decision,
}

/// See [`Event::CandidateRejected`](super::Event::CandidateRejected). The judgement follows in the same line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CandidateRejected {
    /// The message it would have been: what is shown of it has this id.
    pub message_id: MessageId,
    /// Which request of the conversation it answers, from 1.
    pub request: u64,
    /// SHA-256 of the request as sent, for replays.
    pub request_sha256: String,
    /// The answer, which has no calls.
    pub reply: Reply,
    /// How long it took, milliseconds.
    pub duration_ms: u64,
    /// The agent that spoke.
    #[serde(default)]
    pub agent_id: Option<AgentId>,
}

/// See [`Event::CandidateAccepted`](super::Event::CandidateAccepted).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CandidateAccepted {
    /// The message that was rejected.
    pub message_id: MessageId,
    /// Its words.
    pub text: String,
    /// The agent that spoke.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<AgentId>,
}

/// See [`Event::FactsUpdated`](super::Event::FactsUpdated).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FactsUpdated {
    /// What was found out, in order.
    pub facts: Vec<Fact>,
}

/// See [`Event::TodosUpdated`](super::Event::TodosUpdated).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TodosUpdated {
    /// Through which call.
    pub call_id: CallId,
    /// The todos that are other than before, as they are now.
    pub changed: Vec<Todo>,
    /// The ids of those that are gone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
}

/// See [`Event::RunEnded`](super::Event::RunEnded).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[non_exhaustive]
pub struct RunEnded {
    /// Why, in the person's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub reason: Option<String>,
}

/// See [`Event::TurnFinished`](super::Event::TurnFinished).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TurnFinished {
    /// Where the run stands now.
    pub phase: Phase,
    /// Why the turn ended.
    pub reason: Reason,
    /// What went wrong, for `failed`, `limit`, `stopped` and `interrupted`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// The judgement this rests on, when there was a candidate final.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
}
