//! The beginning and the end of a call as the journal has them, and what follows from an end.

use serde_json::{Value, json};

use super::core::{Activity, CallStatus, QueuedCall};
use super::draft::LineDraft;
use crate::code::{ErrorCode, Failure};
use crate::effect::{Began, Called};
use crate::event::{Author, CallBegan, CallEnded, Event, Fact, ModelFailed, Phase, Reason};
use crate::ids::{ChangeId, derived_uuid};
use crate::policy::ToolPolicy;
use crate::restore;
use crate::tool::rewind;
use crate::tool::{CallResult, ReceivedCall, ToolInput, facts_of};

impl LineDraft<'_> {
    /// What the effective agent may use, the state of this draft considered.
    pub(super) fn policy(&self) -> Option<ToolPolicy> {
        self.core.policy(self.package(), &self.env().limits)
    }

    /// The id of a change that is proposed now.
    pub(super) fn change_id(&self) -> ChangeId {
        let key = format!("change:{}", self.core.seq);
        let id = derived_uuid(self.conversation(), self.now, &key);
        ChangeId::new(id).unwrap_or_else(|_| unreachable!("a uuid is a valid id"))
    }

    pub(super) fn begin(&mut self, call: &ReceivedCall, began: Began) {
        self.push(Event::CallBegan(CallBegan {
            call_id: call.id.clone(),
            pre_hash: began.pre_hash,
            post_hash: began.post_hash,
            pre_images: began.pre_images,
            restore: began.restore,
        }));
    }

    /// Gives every call that has not begun a result that says it was not run, so that the
    /// protocol is closed, and gives up a candidate that waits for gates. A write that began keeps its
    /// place: its outcome is still wanted. Nobody waits any longer for what a server does.
    pub(super) fn close_queue(&mut self, code: ErrorCode, words: &str) {
        self.drop_held();
        let given_up = |q: &&QueuedCall| q.status == CallStatus::Waiting || q.is_at_a_server();
        let given_up: Vec<QueuedCall> = self.core.queue.iter().filter(given_up).cloned().collect();
        for QueuedCall { call, status, .. } in given_up {
            let failure = match status {
                CallStatus::Waiting => Failure::for_model(code, words),
                _ => cut_short(code),
            };
            let called = Called::at_once(failure.to_tool_result());
            let read = CallResult::of(&called.result);
            self.push_ended(&call, called, &read);
        }
    }

    /// Ends the request that is under way, if one is.
    pub(super) fn abort_request(&mut self, failure: &Failure, partial: Option<String>) {
        if self.core.activity == Activity::Thinking
            && self.core.held.is_none()
            && let Some(message_id) = self.core.reply_id(self.conversation())
        {
            let request = self.core.requests + 1;
            let failure = failure.clone();
            let agent_id = self.engine.effective_agent().cloned();
            let failed = ModelFailed { message_id, request, failure, partial, agent_id };
            self.push(Event::ModelFailed(failed));
        }
    }

    pub(super) fn end_refused(&mut self, call: &ReceivedCall, failure: &Failure) {
        self.end_at_once(call, failure.to_tool_result());
    }

    /// Records a result, what follows from it, and whether it was one time too many.
    pub(super) fn end(&mut self, call: &ReceivedCall, mut called: Called) {
        if let Some(failure) = called.skill.as_ref().and_then(|skill| self.no_room_for(skill)) {
            called = Called::at_once(failure.to_tool_result());
        }
        let skill = called.skill.take().filter(|skill| !self.core.has_at_work(skill));
        // What is undone is what it was, to the byte.
        let follow = !self.is_complete() && !undoes_a_rewind(call);
        let read = CallResult::of(&called.result);
        let made = self.made(call, &read);
        let foreign = self.noticed(call, &read);
        let facts = self.push_ended(call, called, &read);
        if let Some(skill) = skill {
            self.skill_came(*skill, Author::Model, Some(call.id.clone()));
        }
        self.changed_by_others(&foreign);
        if follow {
            self.follow_files(&facts, &made);
        }
        let Some(found) = self.core.loops.found().cloned() else { return };
        if self.core.phase != Phase::Running {
            return;
        }
        self.close_queue(
            ErrorCode::EngineLoopDetected,
            "the call was not run: the model repeats itself",
        );
        let failure = Failure::new(ErrorCode::EngineLoopDetected, found.words())
            .with_details(json!({ "tools": found.tools, "times": found.times }));
        self.finish(Phase::WaitingUser, Reason::Limit, Some(failure));
    }

    /// The same of a result that took no time outside.
    pub(super) fn end_at_once(&mut self, call: &ReceivedCall, result: Value) {
        self.end(call, Called::at_once(result));
    }

    /// Records a result, of which `read` is what the runtime reads.
    fn push_ended(&mut self, call: &ReceivedCall, called: Called, read: &CallResult) -> Vec<Fact> {
        let parsed = call.parsed().ok().map(AsRef::as_ref);
        let facts = facts_of(parsed, read);
        let mut result = called.result;
        if matches!(parsed.map(|p| &p.input), Some(ToolInput::Rewind(_))) {
            restore::shorten(&mut result);
        }
        self.push(Event::CallEnded(CallEnded {
            call_id: call.id.clone(),
            message_id: self.message_id(),
            tool: call.tool_name().to_owned(),
            ok: read.ok,
            result,
            full_output: called.full_output,
            duration_ms: called.duration_ms,
            facts: facts.clone(),
        }));
        facts
    }
}

fn undoes_a_rewind(call: &ReceivedCall) -> bool {
    let parsed = call.parsed().ok();
    parsed.and_then(|parsed| parsed.rewind()).is_some_and(rewind::Args::undoes)
}

/// A call that a server was working on when nobody waited for it any longer.
fn cut_short(code: ErrorCode) -> Failure {
    let words = "the call was ended before the server answered: it may have run all the same";
    Failure::for_model(code, words).with_details(json!({ "mayHaveRun": true }))
}
