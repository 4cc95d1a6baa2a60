//! Where a conversation or a run comes from that did not begin here.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Phase, Reason};
use crate::code::Failure;
use crate::time::Time;

/// The store from which a conversation was taken over, and what it said of the conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConversationOrigin {
    /// Whose store it was: `electron`.
    pub store: String,
    /// When the conversation was taken over.
    pub imported_at: Time,
    /// When it began.
    pub created_at: Time,
    /// Its title; empty when it had none.
    pub title: String,
    /// What else was said of it (`entryType`, `activeType`, …), as it stood.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub meta: Value,
}

/// Where a run was before it came here, and how far it was there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RunOrigin {
    /// Where its conversation comes from.
    pub conversation: ConversationOrigin,
    /// For people: the workflow's name.
    pub title: String,
    /// When the run began.
    pub created_at: Time,
    /// Where it stands.
    pub phase: Phase,
    /// Why it stands there.
    pub reason: Option<Reason>,
    /// Why it can be read but not continued; absent for one that can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locked: Option<Failure>,
}
