//! What the audit log says of a line of the journal (spec 08 "Logs").

use kernel::engine::ExecutionEngine;
use kernel::event::{CallEnded, Event, Line, PutBackEnded};
use kernel::ids::CallId;
use kernel::tool::{self, put_back, rewind};

use crate::tools::{AuditEntry, Logged};

/// On whose behalf files are brought back.
const PERSON: &str = "user";

/// The audit entries of a line: every call that ended, run or refused, and whatever the
/// person brought back, or could not (spec 08).
pub(crate) fn audit_entries(engine: &ExecutionEngine, line: &Line) -> Vec<AuditEntry> {
    let entry = |event: &Event| match event {
        Event::CallEnded(ended) => Some(of_call(engine, line, ended)),
        other => other.brought_back().map(|ended| of_person(engine, line, ended)),
    };
    line.events.iter().filter_map(entry).collect()
}

fn of_call(engine: &ExecutionEngine, line: &Line, ended: &CallEnded) -> AuditEntry {
    let replied = line.events.iter().find_map(|event| match event {
        Event::ModelReplied(e) => e.calls().iter().find(|c| c.id == ended.call_id),
        _ => None,
    });
    let queued = engine.core().queue.iter().map(|q| &q.call).find(|c| c.id == ended.call_id);
    AuditEntry {
        ts: line.at,
        call_id: ended.call_id.clone(),
        tool: ended.tool.clone(),
        agent: engine.effective_agent().map(ToString::to_string).unwrap_or_default(),
        call: replied.or(queued).cloned(),
        output: ended.result.clone(),
        duration_ms: ended.duration_ms,
    }
}

fn of_person(engine: &ExecutionEngine, line: &Line, ended: &PutBackEnded) -> AuditEntry {
    let (files, call) = (ended.files(), engine.call_of_person(line));
    let tool = call.as_ref().map_or(put_back::NAME, |call| call.tool_name());
    // Files that stay do not keep a run from going back.
    let why_not = if tool == rewind::NAME { ended.failure.clone() } else { ended.why_not() };
    let failed = why_not.map(|failure| rewind::Output::refused(&failure, &files));
    AuditEntry {
        ts: line.at,
        call_id: ended.call_id.clone(),
        tool: tool.to_owned(),
        agent: PERSON.to_owned(),
        call,
        output: failed.unwrap_or_else(|| tool::done(&files)),
        duration_ms: 0,
    }
}

/// The audit entries of calls that ended and are not in the log: the program died in between, or
/// the disk was full then. `engine` has folded nothing.
pub(crate) fn unlogged(
    mut engine: ExecutionEngine,
    lines: &[Line],
    logged: &Logged,
) -> Vec<AuditEntry> {
    let ended = |event: &'_ Event| match event {
        Event::CallEnded(ended) => Some(ended.call_id.clone()),
        other => other.brought_back().map(|ended| ended.call_id.clone()),
    };
    // What was done before the newest run began stands in another log.
    let begins = |line: &Line| line.events.iter().any(|e| matches!(e, Event::RunStarted(_)));
    let from = lines.iter().rposition(begins).unwrap_or(0);
    let ended: Vec<CallId> =
        lines[from..].iter().flat_map(|l| &l.events).filter_map(ended).collect();
    let missing = logged.missing(ended.iter());
    let mut entries = Vec::new();
    if !missing.is_empty() {
        for (at, line) in lines.iter().enumerate() {
            let of_line = if at < from { Vec::new() } else { audit_entries(&engine, line) };
            entries.extend(of_line.into_iter().filter(|e| missing.contains(&e.call_id)));
            engine.apply(line);
        }
    }
    entries
}
