//! Where a conversation or a run comes from that did not begin here, and what a journal begins with
//! in either case.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Event, Line, Phase, Reason, RunStarted};
use crate::code::Failure;
use crate::ids::{ConversationId, ProjectId};
use crate::time::Time;

/// See [`Event::ConversationStarted`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ConversationStarted {
    /// The conversation.
    pub conversation_id: ConversationId,
    /// Its project.
    pub project_id: ProjectId,
    /// Where it was before.
    pub origin: ConversationOrigin,
}

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

/// What a journal begins with.
#[derive(Debug, Clone, Copy)]
pub struct Beginning<'l> {
    /// The conversation.
    pub conversation_id: &'l ConversationId,
    /// Its project.
    pub project_id: &'l ProjectId,
    /// Its run, when it has one.
    pub run: Option<&'l RunStarted>,
    /// The store from which it was taken over; absent when it began here.
    pub origin: Option<&'l ConversationOrigin>,
}

impl Line {
    /// What the journal begins with whose first line this is. `None` for any other line.
    pub fn beginning(&self) -> Option<Beginning<'_>> {
        match self.events.first()? {
            Event::RunStarted(e) => Some(Beginning {
                conversation_id: &e.conversation_id,
                project_id: &e.project_id,
                run: Some(e),
                origin: e.origin.as_ref().map(|origin| &origin.conversation),
            }),
            Event::ConversationStarted(e) => Some(Beginning {
                conversation_id: &e.conversation_id,
                project_id: &e.project_id,
                run: None,
                origin: Some(&e.origin),
            }),
            _ => None,
        }
    }

    /// Whether the line tells what another program did: nobody decided it here.
    pub fn is_taken_over(&self) -> bool {
        let of_a_message = matches!(self.events.first(), Some(Event::MessageImported(_)));
        of_a_message || self.beginning().is_some_and(|begin| begin.origin.is_some())
    }
}

impl Beginning<'_> {
    /// Why the conversation can be read but not continued.
    pub fn locked(&self) -> Option<&Failure> {
        self.run?.origin.as_ref()?.locked.as_ref()
    }
}
