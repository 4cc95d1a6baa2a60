//! Candidate last words that wait for the gates of the person.

use super::draft::LineDraft;
use super::due;
use crate::code::{ErrorCode, Failure};
use crate::event::{CandidateHeld, Event, ModelFailed};
use crate::hook::HookPoint;
use crate::phrase::engine as said;

impl LineDraft<'_> {
    /// Lets a candidate wait for the gates.
    pub(super) fn hold(&mut self, held: CandidateHeld) {
        self.push(Event::CandidateHeld(Box::new(held)));
        let (rules, subject) = (&self.env().limits.hooks, due::subject(&self.core));
        if let Some(due) = due::at(&self.core, rules, HookPoint::AcceptGate, subject) {
            self.push(Event::HooksDue(due));
        }
    }

    /// A candidate that waits for the gates is given up: its words stay as far as they were shown.
    pub(super) fn drop_held(&mut self) {
        let Some(held) = self.core.held.clone() else { return };
        let failure = Failure::new(ErrorCode::EngineAborted, said::stopped_by_user());
        self.push(Event::ModelFailed(ModelFailed {
            message_id: held.message_id.clone(),
            request: self.core.requests + 1,
            failure,
            partial: Some(held.reply.text.clone()),
            agent_id: held.agent_id.clone(),
        }));
    }
}
