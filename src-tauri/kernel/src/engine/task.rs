//! The conversation of a sub-agent: its one task, its request, its report and its end (spec 06
//! "Sub-agents").

use super::draft::LineDraft;
use super::input::{Refusal, refusal};
use super::rules::asks;
use crate::code::{ErrorCode, Failure};
use crate::event::{Event, Phase};
use crate::phrase::engine as said;
use crate::subagent::{TaskEnd, TaskStarted};
use crate::tool::{self, ReceivedCall, report};

impl LineDraft<'_> {
    /// Begins a sub-agent's conversation.
    pub(super) fn start_task(&mut self, task: &TaskStarted) -> Result<(), Refusal> {
        if self.core.run.is_some() || self.core.task.is_some() {
            return Err(refusal(ErrorCode::NotNow, said::has_a_run()));
        }
        self.push(Event::TaskStarted(Box::new(task.clone())));
        Ok(())
    }

    /// The time of a sub-agent is over.
    pub(super) fn time_up(&mut self) {
        let Some(task) = self.core.task.clone().filter(|_| self.core.phase == Phase::Running)
        else {
            return;
        };
        let words = said::time_was_over(task.assignment.timeout_s);
        let failure = Failure::new(ErrorCode::EngineAborted, words);
        self.abort_request(&failure, None);
        self.end_task(TaskEnd::TimedOut, None, Some(failure));
    }

    /// `agent.report`: the work is over, when the report is as the task asks for it.
    pub(super) fn take_report(&mut self, call: &ReceivedCall, input: &report::Input) {
        let Some(task) = self.core.task.clone() else { return };
        let report = match input.of(task.assignment.task_type) {
            Ok(report) => report.clone(),
            Err(failure) => return self.end_refused(call, &failure),
        };
        self.end_at_once(call, tool::done(&report::Output { taken: true }));
        if self.core.task_ended.is_none() {
            self.close_queue(
                ErrorCode::Interrupted,
                "the call was not run: the sub-agent's work is over",
            );
            self.end_task(TaskEnd::Completed, Some(report), None);
        }
    }

    /// Whether a call of a sub-agent would have to be shown to the person, whom it does not meet.
    pub(super) fn asks_in_vain(&self, call: &ReceivedCall) -> bool {
        let Some(task) = &self.core.task else { return false };
        let both = self.engine.rules().zip(call.parsed().ok());
        both.is_some_and(|(rules, parsed)| asks(&rules, parsed, task.artifacts_dir.as_deref()))
    }
}
