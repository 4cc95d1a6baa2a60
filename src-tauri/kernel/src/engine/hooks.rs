//! Hooks of the person in a run: what is told to them, and what follows from what they say (spec 06 "Hooks").

use serde_json::json;
use std::sync::Arc;

use super::draft::LineDraft;
use super::due;
use super::finals::Candidate;
use super::machine::ExecutionEngine;
use super::tool_calls::not_let_pass;
use crate::code::{ErrorCode, Failure};
use crate::effect::{HookCall, Outcome};
use crate::event::{Event, HookEnded};
use crate::hook::{self, DueHook, HookPoint, HookStatus};
use crate::ids::CallId;
use crate::phrase::engine as said;

/// The form of what a hook's command is told; counted up when a member goes or means something else.
const TOLD_VERSION: u32 = 1;

impl ExecutionEngine {
    /// What a hook's command is told.
    pub(super) fn hook_call(&self, number: u64) -> Option<HookCall> {
        let due = self.core.hooks.iter().find(|due| due.number == number)?;
        let run = self.core.run.as_ref().map(|run| &run.run_id);
        let workflow = due.subject.workflow_id.as_ref();
        let own = self.core.run.as_ref().map(|run| &run.workflow_id);
        let run = run.zip(workflow.or(own));
        let of_task = || {
            let task = self.core.task.as_ref()?;
            Some((&task.parent.run_id, &task.workflow_id))
        };
        let (run_id, workflow_id) = run.or_else(of_task).unzip();
        let mut told = json!({
            "version": TOLD_VERSION,
            "hook": due.hook,
            "point": due.point,
            "conversationId": self.conversation,
            "runId": run_id,
            "workflowId": workflow_id,
            "subject": due.subject,
        });
        match due.point {
            HookPoint::BeforeToolCall => {
                let queued = self.core.queue.iter().find(|queued| due.holds(&queued.call.id));
                told["arguments"] = json!(queued.and_then(|queued| queued.call.json()));
            }
            HookPoint::AcceptGate => {
                let written = self.record.evidence.written_since(self.record.accepted);
                told["written"] = json!(written.map(|(path, _)| path).collect::<Vec<_>>());
            }
            HookPoint::BeforeCompletionDecision => told["decision"] = json!(self.record.decision),
            HookPoint::AfterToolResult
            | HookPoint::RunStart
            | HookPoint::RunEnd
            | HookPoint::NodeEntered => {}
        }
        let is_gate = due.point == HookPoint::AcceptGate;
        let written = if is_gate { self.written() } else { Vec::new() };
        Some(HookCall { name: due.hook.clone(), told, written, policy: self.policy()? })
    }
}

impl LineDraft<'_> {
    /// Before the calls of a reply are worked on.
    pub(super) fn hooks_before_calls(&mut self) {
        let rules = Arc::clone(&self.env().limits.hooks);
        for queued in self.core.queue.clone() {
            let subject = due::before_call(&self.core, &queued.call);
            if let Some(due) = due::at(&self.core, &rules, HookPoint::BeforeToolCall, subject) {
                self.push(Event::HooksDue(due));
            }
        }
    }

    /// What came of a hook.
    pub(super) fn hook_outcome(&mut self, number: u64, outcome: Outcome) {
        let Some(due) = self.core.hooks.iter().find(|due| due.number == number).cloned() else {
            return;
        };
        let DueHook { hook, point, subject, .. } = due;
        let mut ended = HookEnded {
            number,
            hook,
            point,
            subject,
            status: HookStatus::Warned,
            exit_code: None,
            failure: None,
            output: String::new(),
            duration_ms: 0,
            facts: Vec::new(),
        };
        match outcome {
            Outcome::Hooked { result, foreign } => {
                self.changed_by_others(&foreign);
                ended.status = hook::status(point, result.exit_code);
                ended.exit_code = Some(result.exit_code);
                ended.output = result.output;
                ended.duration_ms = result.duration_ms;
            }
            Outcome::Failed { failure, .. } => {
                ended.status = hook::status_of_failure(point);
                ended.failure = Some(failure);
            }
            _ => return,
        }
        ended.facts = hook::facts(&ended.hook, point, ended.status);
        self.push(Event::HookEnded(Box::new(ended.clone())));
        match point {
            HookPoint::BeforeToolCall => self.call_may_go_on(&ended),
            HookPoint::AcceptGate => self.gate_ended(),
            _ => {}
        }
    }

    fn call_may_go_on(&mut self, ended: &HookEnded) {
        let of_call = |id: &CallId| ended.subject.call_id.as_ref() == Some(id);
        let queued = self.core.queue.iter().find(|queued| of_call(&queued.call.id)).cloned();
        if let Some(queued) = queued.filter(|_| ended.status == HookStatus::Blocked) {
            self.end_refused(&queued.call, &not_let_pass(ended));
        }
        // While a version of the state document is on its way to the disk no call makes the next one:
        // it goes on when that is there.
        if self.core.unmirrored().is_none() || self.core.mirror_blocked {
            self.advance();
        }
    }

    /// The last gate has answered: the candidate that waited for it is judged.
    fn gate_ended(&mut self) {
        if self.core.hooks.iter().any(|due| due.point == HookPoint::AcceptGate) {
            return;
        }
        let Some(held) = self.core.held.clone() else { return };
        self.judge_candidate(Candidate {
            message_id: held.message_id.clone(),
            reply: held.reply.clone(),
            request_sha256: held.request_sha256.clone(),
            duration_ms: held.duration_ms,
        });
    }

    /// Ends the hooks that are at work although the run rests; false when there are none.
    pub(super) fn stop_hooks(&mut self) -> bool {
        let at_work: Vec<u64> = self.core.hooks.iter().map(|due| due.number).collect();
        for number in &at_work {
            let failure = Failure::new(ErrorCode::EngineAborted, said::stopped_by_user());
            self.hook_outcome(*number, Outcome::failed(failure));
        }
        !at_work.is_empty()
    }

    /// The program ended while hooks were at work for which nothing waits: they may have come to their
    /// end or not, and are not run again. The others are, when the person goes on.
    pub(super) fn lose_hooks(&mut self) {
        let lost = |due: &&DueHook| !due.point.is_waited_for();
        let lost: Vec<u64> = self.core.hooks.iter().filter(lost).map(|due| due.number).collect();
        for number in lost {
            let failure = Failure::new(ErrorCode::Interrupted, said::hook_cut_short());
            self.hook_outcome(number, Outcome::failed(failure));
        }
    }
}
