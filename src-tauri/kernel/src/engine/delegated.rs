//! What follows from the end of a sub-agent, in the conversation that asked for it.

use super::draft::LineDraft;
use super::machine::ExecutionEngine;
use crate::changed_files::CallFileChange;
use crate::code::{ErrorCode, Failure};
use crate::effect::{Called, TaskResult};
use crate::event::{Event, SubagentUpdated};
use crate::facts::{Fact, FactKind};
use crate::ids::CallId;
use crate::path::{AliasPath, Mount};
use crate::phrase::general;
use crate::subagent::{Subagent, TaskEnd, TaskEnded, Verdict};
use crate::tool::{self, spawn};

/// What a verification of a sub-agent stands for: its word, which proves nothing of any file.
const SCOPE: &str = "subagent";

impl ExecutionEngine {
    /// What a sub-agent came to, once it has ended and nothing of it is at work any more.
    pub fn task_result(&self) -> Option<TaskResult> {
        let ended = self.core.task_ended.clone().filter(|_| self.core.rests_but_for_hooks())?;
        let steps = u32::try_from(self.core.requests).unwrap_or(u32::MAX);
        let usage = self.core.usage;
        let facts = self.record.facts.iter().map(|record| record.fact.clone()).collect();
        let changes = self.core.files.as_one_call();
        Some(TaskResult { ended, steps, usage, facts, changes, duration_ms: 0 })
    }
}

impl LineDraft<'_> {
    /// A sub-agent came to its end: what it did is the run's, and the call has its result.
    pub(super) fn delegated(&mut self, call: &CallId, result: TaskResult) {
        let Some(queued) = self.core.queue.iter().find(|q| q.call.id == *call).cloned() else {
            return;
        };
        let TaskResult { ended, steps, usage, mut facts, changes, duration_ms } = result;
        let verdict = ended.report.as_ref().and_then(|report| report.status);
        let outcome: &str = ended.end.into();
        let kind = match ended.end {
            TaskEnd::Completed => FactKind::SubagentCompleted,
            _ => FactKind::SubagentFailed,
        };
        facts.push(Fact { outcome: Some(outcome.to_owned()), ..Fact::new(kind) });
        facts.extend(verdict.map(verification));
        let Some(known) = self.core.subagents.of(call) else {
            let lost = Failure::new(ErrorCode::Internal, general::ended_early());
            self.end_refused(&queued.call, &lost);
            return self.advance();
        };
        let subagent = Subagent {
            end: Some(ended.end),
            verdict,
            failure: ended.failure.clone(),
            steps,
            args: None,
            // The person said something else instead.
            settled: queued.overtaken,
            ..known.clone()
        };
        let (made, follow) = (self.made_by_subagent(&changes), !self.is_complete());
        let result = result_of(&ended, steps, &changes);
        self.push(Event::SubagentUpdated(Box::new(SubagentUpdated {
            subagent,
            facts: facts.clone(),
            changes,
            usage,
        })));
        self.end(&queued.call, Called { duration_ms, ..Called::at_once(result) });
        if follow {
            self.follow_files(&facts, &made);
        }
        self.advance();
    }

    /// A sub-agent could not be begun.
    pub(super) fn not_delegated(&mut self, call: &CallId, failure: Failure) {
        let ended = TaskEnded { end: TaskEnd::Failed, report: None, failure: Some(failure) };
        self.delegated(call, TaskResult::without_work(ended));
    }

    /// The files that a sub-agent made below the artifacts folder.
    fn made_by_subagent(&self, changes: &[CallFileChange]) -> Vec<AliasPath> {
        let Some(run) = &self.core.run else { return Vec::new() };
        let Ok(folder) = AliasPath::new(Mount::Project, &run.artifacts_dir) else {
            return Vec::new();
        };
        let made = changes.iter().filter(|change| change.is_new()).map(CallFileChange::path);
        made.filter(|path| path.is_within(&folder)).cloned().collect()
    }
}

/// What a verification of a sub-agent said. It is no check of a file: those that the sub-agent made
/// are facts of their own.
fn verification(verdict: Verdict) -> Fact {
    let outcome = if verdict == Verdict::Passed { "passed" } else { "failed" };
    Fact {
        outcome: Some(outcome.to_owned()),
        scope: Some(SCOPE.to_owned()),
        ..Fact::new(FactKind::Verification)
    }
}

fn result_of(ended: &TaskEnded, steps: u32, changes: &[CallFileChange]) -> serde_json::Value {
    match &ended.report {
        Some(report) => {
            let (changed, changed_more) = spawn::changed(changes);
            tool::done(&spawn::Output { end: ended.end, steps, report, changed, changed_more })
        }
        None => spawn::without_report(ended, steps, changes).to_tool_result(),
    }
}
