//! Hooks of the person: which are to be run, and what they came to.

use serde::{Deserialize, Serialize};

use crate::chat::Reply;
use crate::code::Failure;
use crate::facts::Fact;
use crate::hook::{HookPoint, HookStatus, HookSubject};
use crate::ids::{AgentId, MessageId};

/// See [`Event::HooksDue`](super::Event::HooksDue).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct HooksDue {
    /// Where the run is.
    pub point: HookPoint,
    /// The hooks by their names. They are counted through the conversation, these from `first`.
    pub hooks: Vec<String>,
    /// The number of the first one.
    pub first: u64,
    /// What they are run for.
    pub subject: HookSubject,
}

/// See [`Event::HookEnded`](super::Event::HookEnded).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct HookEnded {
    /// Its number.
    pub number: u64,
    /// The hook.
    pub hook: String,
    /// Where the run was.
    pub point: HookPoint,
    /// What it was run for.
    pub subject: HookSubject,
    /// What it came to.
    pub status: HookStatus,
    /// The exit code of its command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// Why its command came to no end of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// What its command wrote; the end of it when it is long.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// How long it took, milliseconds.
    #[serde(default)]
    pub duration_ms: u64,
    /// What this proves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
}

/// See [`Event::CandidateHeld`](super::Event::CandidateHeld).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CandidateHeld {
    /// The message that it is going to be.
    pub message_id: MessageId,
    /// SHA-256 of the request as sent, for replays.
    pub request_sha256: String,
    /// The answer, which has no calls.
    pub reply: Reply,
    /// How long it took, milliseconds.
    pub duration_ms: u64,
    /// The agent that spoke.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<AgentId>,
}
