//! Calls: which the kernel answers itself, what an outcome of the host means, what a result
//! proves.

use serde_json::json;

use super::core::CallStatus;
use super::draft::LineDraft;
use super::interruptions::not_tried_again;
use crate::code::{ErrorCode, Failure};
use crate::effect::{Called, Outcome, Settled};
use crate::event::{CallReset, Event, HookEnded};
use crate::ids::CallId;
use crate::tool::{EffectClass, ReceivedCall};

impl LineDraft<'_> {
    /// What the host reports of a call.
    pub(super) fn call_outcome(&mut self, id: &CallId, outcome: Outcome) {
        let Some(queued) = self.core.queue.iter().find(|q| q.call.id == *id).cloned() else {
            return;
        };
        let asked = self.core.server_question().is_some_and(|open| open.asked.call_id == *id);
        let rewinds = queued.status.began().is_some_and(|began| began.restore.is_some());
        let in_doubt = matches!(queued.status, CallStatus::InDoubt(_));
        match outcome {
            Outcome::Prepared(began) if began.restore.is_some() => {
                self.rewind_prepared(&queued.call, began);
            }
            Outcome::Called(result) if rewinds => self.rewound(&queued.call, result),
            Outcome::Settled(Settled::Happened(result)) if rewinds => {
                self.rewound(&queued.call, Called::at_once(result));
            }
            // Whatever the host believes: what left no trace is never run a second time.
            Outcome::Settled(_) if in_doubt && !rewinds && !leaves_hashes(&queued.call) => {
                self.end_refused(&queued.call, &may_have_run());
            }
            Outcome::Settled(Settled::Unknown) => {
                self.end_refused(&queued.call, &may_have_run());
            }
            // Not even looked: the tool is gone, or a task of the host died.
            Outcome::Failed { .. } if in_doubt => self.end_refused(&queued.call, &may_have_run()),
            Outcome::Prepared(began) => self.prepared(&queued.call, began),
            Outcome::Previewed(preview) => self.previewed(&queued.call, preview),
            Outcome::Looked(missing) => {
                self.missing = missing;
                let policy = self.policy();
                self.answer_call(&queued.call, policy.as_ref());
                self.missing.clear();
            }
            Outcome::Called(result) => self.end(&queued.call, result),
            Outcome::Settled(Settled::Happened(result)) => self.end_at_once(&queued.call, result),
            Outcome::Settled(Settled::NotHappened) if queued.overtaken => {
                let words = "the call was not run: the program ended, and the user went on since";
                let failure = Failure::for_model(ErrorCode::Interrupted, words);
                self.end_refused(&queued.call, &failure);
            }
            Outcome::Settled(Settled::NotHappened) if queued.is_given_up() => {
                self.end_refused(&queued.call, &not_tried_again());
            }
            Outcome::Settled(Settled::NotHappened) => {
                self.push(Event::CallReset(CallReset { call_id: id.clone() }));
            }
            Outcome::Settled(Settled::Foreign(now)) => {
                self.end_refused(&queued.call, &foreign_edit(&queued.status, now.as_ref()));
            }
            Outcome::Failed { failure, .. } => self.end_refused(&queued.call, &failure),
            Outcome::Replied { .. }
            | Outcome::Hooked { .. }
            | Outcome::Delegated(_)
            | Outcome::Compacted(_)
            | Outcome::StateDrifted(_)
            | Outcome::Mirrored
            | Outcome::StateEdited(_) => {}
        }
        self.go_on_without_answer(asked);
        self.advance();
    }
}

/// Whether a call changes a file and nothing else, so that hashes tell what became of it. One
/// whose tool this program does not know may have done anything.
fn leaves_hashes(call: &ReceivedCall) -> bool {
    call.parsed().is_ok_and(|parsed| parsed.class == EffectClass::WriteProject)
}

/// A call that began before the program ended, and of which nothing tells whether it happened
/// (spec 05 "Effects journal").
fn may_have_run() -> Failure {
    Failure::for_model(
        ErrorCode::Interrupted,
        "the runtime ended while the call was running: it may have run, and it was not run again",
    )
    .with_details(json!({ "mayHaveRun": true }))
    .with_action_for_model("Find out what it did, or ask the user, before you call it again.")
}

fn foreign_edit(status: &CallStatus, now: Option<&String>) -> Failure {
    let began = status.began();
    Failure::for_model(
        ErrorCode::Interrupted,
        "the runtime ended while the file was being written, and someone changed the file since",
    )
    .with_details(json!({
        "expectedSha256": began.and_then(|b| b.post_hash.clone()),
        "previousSha256": began.and_then(|b| b.pre_hash.clone()),
        "actualSha256": now,
    }))
    .with_action_for_model("Read the file, then decide whether to write it again.")
}

/// A call that a hook of the person did not let pass.
pub(super) fn not_let_pass(ended: &HookEnded) -> Failure {
    let why = if ended.output.is_empty() { "it gave no reason" } else { ended.output.as_str() };
    Failure::for_model(
        ErrorCode::HookBlocked,
        format!("the user's own check `{}` did not let the call pass: {why}", ended.hook),
    )
    .with_action_for_model(
        "Do what it says, or go on in another way. Do not send the same call again.",
    )
}
