//! What becomes of the calls that the program was working on when it ended.
//!
//! A write that had begun is in doubt until the host has compared hashes. A call of which nothing
//! happened yet is worked on again when the person resumes the run. It may also be what ended the
//! program: one that was cut short as often as [`CALL_INTERRUPTIONS`] allows is given up, so that
//! a single call cannot end the program each time the run is resumed.

use std::sync::Arc;

use super::core::{Activity, CallStatus, Core, QueuedCall};
use crate::bounds::CALL_INTERRUPTIONS;
use crate::code::{ErrorCode, Failure};
use crate::event::{Phase, Reason};
use crate::tool::{EffectClass, ParsedCall};

impl QueuedCall {
    /// Whether the program ended so often during the call that it is not tried again.
    pub(super) const fn is_given_up(&self) -> bool {
        self.interruptions >= CALL_INTERRUPTIONS
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.status == CallStatus::Waiting
    }

    /// Whether a server is working on it.
    pub(super) fn is_at_a_server(&self) -> bool {
        let external = |call: &Arc<ParsedCall>| call.class == EffectClass::External;
        matches!(self.status, CallStatus::Began(_)) && self.call.parsed().is_ok_and(external)
    }

    fn only_reads(&self) -> bool {
        self.call.parsed().is_ok_and(|parsed| parsed.class == EffectClass::Read)
    }
}

impl Core {
    pub(super) fn interrupted(&mut self) {
        let tried = self.tried();
        for (place, queued) in self.queue.iter_mut().enumerate() {
            if place < tried || matches!(queued.status, CallStatus::Began(_)) {
                queued.interruptions = queued.interruptions.saturating_add(1);
            }
        }
        for queued in &mut self.queue {
            if let CallStatus::Began(began) = &queued.status {
                queued.status = CallStatus::InDoubt(began.clone());
            }
        }
        // Nobody is there any more whom an answer to a server would reach.
        let asked = self.server_question().is_some();
        self.widgets.retain(|_, open| !open.asked.widget.is_of_server());
        if self.phase == Phase::Running || asked {
            self.phase = Phase::WaitingUser;
            self.reason = Some(Reason::Interrupted);
            self.activity = Activity::Resting;
        }
    }

    /// How many of the calls at the head of the queue were being worked on without having begun:
    /// one, or all that only read.
    fn tried(&self) -> usize {
        let acts = self.phase == Phase::Running && self.activity == Activity::Acting;
        if !acts || self.unmirrored().is_some() {
            return 0;
        }
        let waiting = || self.queue.iter().take_while(|q| q.is_waiting());
        let reads = waiting().take_while(|q| q.only_reads()).count();
        reads.max(waiting().count().min(1))
    }
}

/// Why a call that the program ended on again and again is not run.
pub(super) fn not_tried_again() -> Failure {
    Failure::for_model(
        ErrorCode::Interrupted,
        "the call was not run: the runtime ended twice while it worked on it",
    )
    .with_action_for_model("Do it in another way, for example in smaller parts.")
}
