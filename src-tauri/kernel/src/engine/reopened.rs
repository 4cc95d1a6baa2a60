//! What is said when a journal is opened again whose program ended at work.

use super::core::{CallStatus, QueuedCall};
use super::draft::LineDraft;
use super::interruptions::not_tried_again;
use crate::effect::{Outcome, Settled};
use crate::event::{Event, Phase, RunInterrupted};
use crate::tool::ReceivedCall;

impl LineDraft<'_> {
    pub(super) fn reopened(&mut self) {
        let in_doubt: Vec<_> = (self.core.queue.iter())
            .filter(|q| matches!(q.status, CallStatus::Began(_)))
            .map(|q| q.call.id.clone())
            .collect();
        self.lose_hooks();
        let resting = self.core.phase != Phase::Running;
        let began = self.core.by_person.as_ref().is_some_and(|it| it.status.began().is_some());
        let dies = self.core.confirm.has_token() || !self.core.approvals.grants().is_empty();
        // A click of which nothing came is told, and not carried out by itself.
        if let Some(it) = self.core.by_person.clone().filter(|it| it.status.began().is_none()) {
            self.outcome_for_person(&it, Outcome::Settled(Settled::NotHappened));
        }
        if !resting || !in_doubt.is_empty() || began || dies {
            self.push(Event::RunInterrupted(RunInterrupted { in_doubt, resting }));
            self.give_up();
        }
    }

    fn give_up(&mut self) {
        let given_up = |q: &&QueuedCall| q.is_waiting() && q.is_given_up();
        let calls: Vec<ReceivedCall> =
            self.core.queue.iter().filter(given_up).map(|q| q.call.clone()).collect();
        for call in calls {
            self.end_refused(&call, &not_tried_again());
        }
    }
}
