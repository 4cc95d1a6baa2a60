//! What the runtime made of the model's last words: decisions, what is missing, facts and todos in
//! words.

use kernel::decision::{Decision, DecisionStatus, MissingFact, MissingKind, Obligation};
use kernel::engine::FactRecord;
use kernel::event::FactKind;
use kernel::phrase::{Phrase, printed};
use kernel::todo::{Todo, TodoStatus};
use kernel::wire::{JudgementRecord, RuntimeSnapshot, TodoList};
use serde_json::Value;

use crate::output::Output;
use crate::print::{StyledText, blocks, paint, rows};

/// The block that stands in place of words that were not accepted, or below those that stand.
pub(crate) fn decision(made: &Decision, out: &Output) -> StyledText {
    let summary = match &made.said {
        Some(phrase) => phrase.say(out.lang).unwrap_or_else(|| made.user_summary.clone()),
        None => made.user_summary.clone(),
    };
    let colour = match made.status {
        DecisionStatus::Failed | DecisionStatus::Incomplete => "31;1",
        _ => "33",
    };
    let head = format!("[Runtime Decision] {}", out.say(status(made.status)));
    let mut lines = vec![paint(colour, head).and(format!(" {summary}"))];
    lines.extend(made.missing_facts.iter().map(|fact| missing(fact, out).into()));
    if made.not_listed > 0 {
        lines.push(format!("  … {}", made.not_listed).into());
    }
    let calls = made.required_next_actions.iter();
    lines.extend(calls.map(|call| paint("2", format!("  → {} {}", call.tool, call.args))));
    rows(lines)
}

/// `runs show --decisions`: each judgement with its place and its time, the oldest first.
pub(crate) fn decisions(all: &[JudgementRecord], out: &Output) -> StyledText {
    if all.is_empty() {
        return out.say(printed::nothing_judged()).into();
    }
    let judgement = |it: &JudgementRecord| {
        let head = rows([paint("2", format!("#{}  {}", it.seq, it.at))]);
        let stands = it.overruled.then(|| rows([out.say(printed::let_stand())]));
        blocks([Some(head), Some(decision(&it.decision, out)), stands].into_iter().flatten())
    };
    blocks(all.iter().map(judgement))
}

fn status(status: DecisionStatus) -> Phrase {
    match status {
        DecisionStatus::Accepted => printed::decided_accepted(),
        DecisionStatus::Continue => printed::decided_continue(),
        DecisionStatus::Blocked => printed::decided_blocked(),
        DecisionStatus::Incomplete => printed::decided_incomplete(),
        DecisionStatus::Failed => printed::decided_failed(),
        DecisionStatus::Unrecognised => printed::decided_otherwise(),
    }
}

fn missing(fact: &MissingFact, out: &Output) -> String {
    let what = out.say(match fact.kind {
        MissingKind::VerificationPassed => printed::missing_check(&fact.target),
        MissingKind::FileExists => printed::missing_file(&fact.target),
        MissingKind::TodoTerminal => printed::missing_todo(&fact.target),
        MissingKind::CommandPassed => printed::missing_pass(&fact.target),
        MissingKind::CommandAnswered => printed::missing_answer(&fact.target),
        MissingKind::SubagentCompleted => printed::missing_subagent(&fact.target),
        MissingKind::ReportTaken => printed::missing_report(),
        MissingKind::UserConfirmed => printed::missing_confirmation(),
        MissingKind::Unrecognised => printed::missing_other(&fact.target),
    });
    let failed = fact.failed.as_ref().map(|failed| format!(" ({} ×{})", failed.code, failed.times));
    let expected: Vec<String> =
        fact.expected.iter().map(|text| Value::from(text.as_str()).to_string()).collect();
    let holds =
        if expected.is_empty() { String::new() } else { format!(": {}", expected.join(", ")) };
    format!("  ✗ {what}{holds}{}", failed.unwrap_or_default())
}

/// What would be missing if the turn ended now.
pub(crate) fn open(snapshot: &RuntimeSnapshot, out: &Output) -> Vec<String> {
    let line = |obligation: &Obligation| {
        let what = match obligation {
            Obligation::UnverifiedWrite { path } | Obligation::FailedVerification { path } => {
                printed::missing_check(path)
            }
            Obligation::MissingOutput { path, .. } => printed::missing_file(path),
            Obligation::OpenTodo { id, .. } | Obligation::FailedRequiredTodo { id } => {
                printed::missing_todo(id)
            }
            Obligation::FailedGate { hook, .. } => printed::missing_pass(hook),
            Obligation::UnansweredGate { hook } => printed::missing_answer(hook),
            Obligation::FailedSubagent { call_id } => printed::missing_subagent(call_id),
            Obligation::MissingReport => printed::missing_report(),
            Obligation::PostCompletionPending { .. } => printed::missing_confirmation(),
            Obligation::Unrecognised => printed::missing_other("?"),
        };
        format!("  ✗ {}", out.say(what))
    };
    snapshot.obligations.iter().map(line).collect()
}

/// `todos`: one todo a line.
pub(crate) fn todos(list: &TodoList, out: &Output) -> StyledText {
    if list.items.is_empty() {
        return rows([out.say(printed::no_todos())]);
    }
    rows(list.items.iter().map(|item| todo(item, out)))
}

/// A todo with how far it is.
pub(crate) fn todo(todo: &Todo, out: &Output) -> String {
    let mark = match todo.status {
        TodoStatus::Pending => '·',
        TodoStatus::InProgress => '▸',
        TodoStatus::Blocked => '‖',
        TodoStatus::Completed => '✓',
        TodoStatus::Failed => '✗',
        TodoStatus::Canceled => '−',
    };
    let optional = if todo.required {
        String::new()
    } else {
        format!(" {}", out.say(printed::todo_optional()))
    };
    let why = todo.failure_reason.as_ref().map(|why| format!(" ({why})"));
    format!("  {mark} {}  {}{optional}{}", todo.id, todo.content, why.unwrap_or_default())
}

/// `runs show --facts`: one fact a line, the oldest first.
pub(crate) fn facts(facts: &[FactRecord], snapshot: &RuntimeSnapshot, out: &Output) -> StyledText {
    let mut lines: Vec<String> = facts.iter().map(|record| fact(record, out)).collect();
    let open = open(snapshot, out);
    if !open.is_empty() {
        lines.push(out.say(printed::open_title()));
        lines.extend(open);
    }
    rows(lines)
}

fn fact(record: &FactRecord, out: &Output) -> String {
    let fact = &record.fact;
    let kind = out.say(match fact.kind {
        FactKind::FileRead => printed::fact_read(),
        FactKind::FileWritten => printed::fact_written(),
        FactKind::FileNoop => printed::fact_noop(),
        FactKind::FileDeleted => printed::fact_deleted(),
        FactKind::FileMoved => printed::fact_moved(),
        FactKind::FileListed => printed::fact_listed(),
        FactKind::Verification => printed::fact_checked(),
        FactKind::FileForeignChange => printed::fact_foreign(),
        FactKind::CommandExecuted => printed::fact_command(),
        FactKind::TodoCreated
        | FactKind::TodoUpdated
        | FactKind::TodoCompleted
        | FactKind::TodoFailed
        | FactKind::TodoConflict => printed::fact_todo(),
        FactKind::SubagentStarted => printed::fact_subagent_started(),
        FactKind::SubagentCompleted => printed::fact_subagent_completed(),
        FactKind::SubagentFailed => printed::fact_subagent_failed(),
        FactKind::StateChanged => printed::fact_state(),
        FactKind::UserConfirmed => printed::fact_confirmed(),
        FactKind::ToolError => printed::fact_error(),
        FactKind::Unrecognised => printed::fact_other(),
    });
    let path = fact.path.as_ref().map(ToString::to_string);
    let path = path.or_else(|| fact.todo.clone()).or_else(|| fact.hook.clone());
    let to = fact.to.as_ref().map(|to| format!(" → {to}"));
    let outcome = fact.outcome.as_ref().map(|outcome| format!(" {outcome}"));
    let parts = [path.map(|path| format!(" {path}")), to, outcome];
    let by = record.agent_path.iter().fold(String::new(), |by, agent| by + agent + ": ");
    format!("#{} {by}{kind}{}", record.seq, parts.into_iter().flatten().collect::<String>())
}
