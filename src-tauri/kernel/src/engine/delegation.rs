//! Sub-agents in the state of the conversation that asks for them: which calls have one at work, and
//! what events make of them.

use std::sync::Arc;

use super::core::{CallStatus, Core, QueuedCall};
use crate::bounds::SUBAGENTS_AT_ONCE;
use crate::event::{Event, SubagentUpdated};
use crate::tool::{ReceivedCall, ToolInput};

impl Core {
    /// How many calls at the head of the queue have a sub-agent at work.
    pub(super) fn delegated(&self) -> usize {
        let at_work =
            |status: &CallStatus| matches!(status, CallStatus::Delegated | CallStatus::Recalled);
        self.queue.iter().take_while(|queued| at_work(&queued.status)).count()
    }

    /// Whether a call may have its sub-agent work beside those that are at work: those that only read
    /// do not get in each other's way.
    pub(super) fn may_work_beside(&self, call: &ReceivedCall) -> bool {
        let reads = |call: &ReceivedCall| {
            let parsed = call.parsed().ok().map(|parsed| &parsed.input);
            matches!(parsed, Some(ToolInput::Spawn(input)) if !input.args.task_type.edits())
        };
        let at_work = self.delegated();
        let mut others = self.queue.iter().take(at_work);
        at_work < SUBAGENTS_AT_ONCE && reads(call) && others.all(|other| reads(&other.call))
    }

    /// Nobody waits any more for what sub-agents do: they are to come to an end.
    pub(super) fn recall(&mut self) {
        for queued in &mut self.queue {
            if queued.status == CallStatus::Delegated {
                queued.status = CallStatus::Recalled;
            }
        }
    }

    /// Folds what an event means for sub-agents, and for a sub-agent's own conversation.
    pub(super) fn apply_to_subagents(&mut self, event: &Event, seq: u64) {
        match event {
            Event::SubagentUpdated(e) => self.subagent_updated(e, seq),
            Event::TaskStarted(e) => self.task = Some(Arc::new((**e).clone())),
            Event::TaskEnded(e) => self.task_ended = Some((**e).clone()),
            Event::UserSaid(_) | Event::CandidateAccepted(_) => self.subagents.settle(),
            Event::WidgetAnswered(e) if !e.is_of_call() => self.subagents.settle(),
            Event::TurnFinished(_) => self.recall(),
            _ => {}
        }
    }

    fn subagent_updated(&mut self, e: &SubagentUpdated, seq: u64) {
        if e.subagent.end.is_none() {
            let of_it = |queued: &&mut QueuedCall| queued.call.id == e.subagent.call_id;
            if let Some(queued) = self.queue.iter_mut().find(of_it) {
                queued.status = CallStatus::Delegated;
            }
            self.turn_subagents = self.turn_subagents.saturating_add(1);
        } else if !e.changes.is_empty() {
            let entries = self.entries();
            self.before_rewind = None;
            self.files.began(seq, e.changes.clone(), &entries);
            self.files.happened(e.changes.clone());
        }
        self.usage.add(&e.usage);
        self.subagents.apply(e.subagent.clone());
    }
}
