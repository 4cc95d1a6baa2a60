//! What a journal begins with, also one that was taken over.

use super::{ConversationOrigin, Event, Line, RunStarted};
use crate::code::Failure;
use crate::ids::{ConversationId, ProjectId};
use crate::subagent::TaskStarted;

/// What a journal begins with.
#[derive(Debug, Clone, Copy)]
pub struct Beginning<'l> {
    /// The conversation.
    pub conversation_id: &'l ConversationId,
    /// Its project.
    pub project_id: &'l ProjectId,
    /// Its run, when it has one.
    pub run: Option<&'l RunStarted>,
    /// The task, when it is a sub-agent's.
    pub task: Option<&'l TaskStarted>,
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
                task: None,
                origin: e.origin.as_ref().map(|origin| &origin.conversation),
            }),
            Event::TaskStarted(e) => Some(Beginning {
                conversation_id: &e.conversation_id,
                project_id: &e.project_id,
                run: None,
                task: Some(e),
                origin: None,
            }),
            Event::ConversationStarted(e) => Some(Beginning {
                conversation_id: &e.conversation_id,
                project_id: &e.project_id,
                run: None,
                task: None,
                origin: e.origin.as_ref(),
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
    /// Whether a demo began with it.
    pub fn is_demo(&self) -> bool {
        self.run.is_some_and(|run| run.demo) || self.task.is_some_and(|task| task.demo)
    }

    /// Why the conversation can be read but not continued.
    pub fn locked(&self) -> Option<&Failure> {
        self.run?.origin.as_ref()?.locked.as_ref()
    }
}
