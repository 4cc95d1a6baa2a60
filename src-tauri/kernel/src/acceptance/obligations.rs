//! What is open, by the facts.

use std::collections::{BTreeMap, BTreeSet};

use super::{HARD_FAILURES, OpenObligation, WayOut};
use crate::bounds::REPORT_BYTES;
use crate::decision::{Obligation, TaskKind};
use crate::event::ChangeProposed;
use crate::facts::{Evidence, Fact, FactKind, FileEvidence};
use crate::hook::{GateAnswer, HookStatus};
use crate::ids::NodeId;
use crate::path::AliasPath;
use crate::phrase::decisions as said;
use crate::subagent::{Subagent, Subagents, TaskEnd, TaskReport, TaskType, Verdict};
use crate::text::{prefix, sha256_hex};
use crate::todo::{BlockedReason, Todo, TodoStatus, Todos};

/// What a candidate final is judged by.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// What the facts prove of files.
    pub evidence: &'a Evidence,
    /// The event up to which everything was accepted before.
    pub accepted: u64,
    /// The facts of this user turn, in order.
    pub turn: &'a [&'a Fact],
    /// The step that is being worked on, while its outputs are asked for.
    pub step: Option<PromisedFiles<'a>>,
    /// Whether the model may look at files.
    pub looks_at_files: bool,
    /// Whether the candidate leaves it to the person to go on: it asks them something, or answers
    /// their words with words.
    pub hands_over: bool,
    /// Whether it asks them something.
    pub asks: bool,
    /// Files that steps were completed with and that this turn has deleted, each with its step.
    pub deleted: &'a [(NodeId, AliasPath)],
    /// The todos of the run.
    pub todos: &'a Todos,
    /// The sub-agents that worked for it.
    pub subagents: &'a Subagents,
    /// What the gates of the person said last of the work as it is.
    pub gates: &'a [GateAnswer],
    /// A change of a completed run that waits, about which the person was not asked.
    pub unasked: Option<&'a ChangeProposed>,
}

/// A step, and the files it promises.
#[derive(Debug, Clone, Copy)]
pub struct PromisedFiles<'a> {
    /// The step.
    pub node: &'a NodeId,
    /// Those of its outputs that can be checked.
    pub outputs: &'a [AliasPath],
}

/// Per file, the error that its newest calls ended with, and how often in a row.
type Failures<'a> = BTreeMap<&'a AliasPath, (&'a str, usize)>;

/// Everything that is open, each with its one way out.
pub fn obligations<'a>(now: &Situation<'a>) -> Vec<OpenObligation<'a>> {
    let failures = failures(now.turn);
    let mut open: Vec<OpenObligation<'a>> = Vec::new();
    let mut missing: BTreeSet<&AliasPath> = BTreeSet::new();
    if let Some(PromisedFiles { node, outputs }) = now.step {
        for path in outputs.iter().filter(|path| !now.evidence.is_there(path)) {
            missing.insert(path);
            open.push(missing_output(now, &failures, node, path));
        }
    }
    let written = now.evidence.written_since(now.accepted);
    let doubtful =
        written.filter(|(path, known)| !missing.contains(path) && !now.evidence.is_verified(known));
    open.extend(doubtful.map(|(path, known)| doubtful_write(now, &failures, path, known)));
    open.extend(now.gates.iter().filter_map(|gate| open_gate(now, gate)));
    open.extend(now.deleted.iter().map(deleted_output));
    open.extend(now.subagents.open().map(|(one, times)| failed_subagent(now, one, times)));
    let todos = now.todos.items().iter().filter(|todo| !now.todos.is_settled(todo));
    open.extend(todos.filter_map(|todo| open_todo(todo, now.asks)));
    open.extend(now.unasked.map(unasked));
    open
}

fn missing_output<'a>(
    now: &Situation<'a>,
    failures: &Failures<'a>,
    node: &NodeId,
    path: &AliasPath,
) -> OpenObligation<'a> {
    let obligation = Obligation::MissingOutput { node: node.clone(), path: path.clone() };
    let waits = now.hands_over.then(|| WayOut::NeedsUser(said::step_waits_for_you(node)));
    let way_out = waits.unwrap_or_else(|| check(now, path, &[]));
    unless_failed(failures, path, OpenObligation { obligation, way_out, failures: None })
}

/// A file of the run that nobody can say is as it should be.
fn doubtful_write<'a>(
    now: &Situation<'a>,
    failures: &Failures<'a>,
    path: &AliasPath,
    known: &'a FileEvidence,
) -> OpenObligation<'a> {
    let failed = known.failed_check();
    let sought = failed.filter(|sought| !sought.is_empty());
    let way_out = check(now, path, sought.unwrap_or_else(|| known.known_text()));
    let path = path.clone();
    let obligation = match failed {
        Some(_) => Obligation::FailedVerification { path: path.clone() },
        None => Obligation::UnverifiedWrite { path: path.clone() },
    };
    unless_failed(failures, &path, OpenObligation { obligation, way_out, failures: None })
}

fn check<'a>(now: &Situation<'_>, path: &AliasPath, texts: &'a [String]) -> WayOut<'a> {
    if now.looks_at_files {
        WayOut::Check(texts)
    } else {
        WayOut::NeedsUser(said::look_at_file_yourself(path))
    }
}

/// What failed in the same way as often as it may, and did not work since, is not tried again.
fn unless_failed<'a>(
    failures: &Failures<'a>,
    path: &AliasPath,
    open: OpenObligation<'a>,
) -> OpenObligation<'a> {
    let Some(&(code, times)) = failures.get(path) else { return open };
    let way_out = match times {
        times if times >= HARD_FAILURES => WayOut::Blocked(said::failed_often(path, code, times)),
        _ => open.way_out,
    };
    OpenObligation { way_out, failures: Some((code, times)), ..open }
}

fn failures<'a>(turn: &[&'a Fact]) -> Failures<'a> {
    let mut failures = Failures::new();
    for fact in turn {
        let Some(path) = &fact.path else { continue };
        match fact.outcome.as_deref().filter(|_| fact.kind == FactKind::ToolError) {
            None => _ = failures.remove(path),
            Some(code) => {
                let before = failures.get(path).filter(|(known, _)| *known == code);
                let times = before.map_or(0, |(_, times)| *times);
                failures.insert(path, (code, times + 1));
            }
        }
    }
    failures
}

/// What a gate does not let pass. Any file that the run wrote may be what it complains about.
fn open_gate<'a>(now: &Situation<'a>, gate: &'a GateAnswer) -> Option<OpenObligation<'a>> {
    let hook = gate.hook.clone();
    let (obligation, way_out) = match gate.status {
        HookStatus::Blocked => {
            let output_sha256 = sha256_hex(gate.output.as_bytes());
            let mut written = now.evidence.written_since(now.accepted).map(|(path, _)| path);
            let file = written.next();
            let way_out = if now.looks_at_files {
                WayOut::Mend { file, output: &gate.output }
            } else {
                WayOut::NeedsUser(said::look_at_check_yourself(&gate.hook))
            };
            (Obligation::FailedGate { hook, output_sha256 }, way_out)
        }
        HookStatus::Unanswered => {
            let way_out = WayOut::NeedsUser(said::gate_needs_you(&gate.hook));
            (Obligation::UnansweredGate { hook }, way_out)
        }
        _ => return None,
    };
    Some(OpenObligation { obligation, way_out, failures: None })
}

/// A file that a step was completed with, and that the run has deleted since. That may be meant: the
/// person is told, and nobody is sent to bring it back.
fn deleted_output<'a>((node, path): &(NodeId, AliasPath)) -> OpenObligation<'a> {
    let obligation = Obligation::MissingOutput { node: node.clone(), path: path.clone() };
    let way_out = WayOut::NeedsUser(said::output_deleted(node, path));
    OpenObligation { obligation, way_out, failures: None }
}

/// A sub-agent that came to no good end. One that a person stopped is not begun anew.
fn failed_subagent<'a>(
    now: &Situation<'a>,
    subagent: &'a Subagent,
    times: usize,
) -> OpenObligation<'a> {
    let obligation = Obligation::FailedSubagent { call_id: subagent.call_id.clone() };
    let failed = said::subagent_failed(subagent.task_type.said(), &subagent.agent_id);
    let way_out = match (&subagent.args, subagent.end) {
        _ if now.asks => WayOut::NeedsUser(failed),
        (None, _) | (_, Some(TaskEnd::Stopped)) => WayOut::NeedsUser(failed),
        (Some(args), _) if times < HARD_FAILURES => WayOut::AskAgain(args),
        _ => WayOut::Blocked(failed),
    };
    OpenObligation { obligation, way_out, failures: None }
}

/// What is open when a sub-agent ends with these words and no report: they are a report that says no
/// more than they do.
pub fn missing_report(task: TaskType, words: &str) -> OpenObligation<'static> {
    let report = TaskReport {
        summary: prefix(words.trim(), REPORT_BYTES / 2).to_owned(),
        findings: Vec::new(),
        status: (task == TaskType::Verify).then_some(Verdict::Failed),
        patches: Vec::new(),
    };
    let way_out = WayOut::Report(report);
    OpenObligation { obligation: Obligation::MissingReport, way_out, failures: None }
}

/// A model that asks the person what to do about a failure has said the truth.
fn open_todo(todo: &Todo, asks: bool) -> Option<OpenObligation<'_>> {
    if !todo.required {
        return None;
    }
    let (id, revision) = (todo.id.clone(), todo.revision);
    let (obligation, way_out) = match todo.status {
        TodoStatus::Failed => {
            let why = todo.failure_reason.as_deref().unwrap_or("?");
            let failed = said::todo_failed(&todo.content, why);
            let way_out = if asks { WayOut::NeedsUser(failed) } else { WayOut::Blocked(failed) };
            (Obligation::FailedRequiredTodo { id }, way_out)
        }
        TodoStatus::Completed | TodoStatus::Canceled => return None,
        TodoStatus::Blocked if todo.blocked_reason.is_some_and(BlockedReason::needs_somebody) => {
            let way_out = WayOut::NeedsUser(said::todo_waits(&todo.content));
            (Obligation::OpenTodo { id, revision }, way_out)
        }
        TodoStatus::Pending | TodoStatus::InProgress | TodoStatus::Blocked => {
            (Obligation::OpenTodo { id, revision }, WayOut::Complete(todo))
        }
    };
    Some(OpenObligation { obligation, way_out, failures: None })
}

/// A change of a completed run that the model wanted, and did not ask about.
fn unasked(change: &ChangeProposed) -> OpenObligation<'_> {
    let obligation = Obligation::PostCompletionPending { change_id: change.change_id.clone() };
    OpenObligation { obligation, way_out: WayOut::Ask(change), failures: None }
}

/// What kind of work these facts are. A read or a check is never a write.
pub fn task_kind(turn: &[&Fact]) -> TaskKind {
    let any = |kinds: &[FactKind]| turn.iter().any(|fact| kinds.contains(&fact.kind));
    let written = any(&[FactKind::FileWritten, FactKind::FileMoved, FactKind::FileDeleted]);
    let todos = any(&[
        FactKind::TodoCreated,
        FactKind::TodoUpdated,
        FactKind::TodoCompleted,
        FactKind::TodoFailed,
    ]);
    let read = any(&[
        FactKind::FileRead,
        FactKind::FileListed,
        FactKind::FileNoop,
        FactKind::Verification,
        FactKind::CommandExecuted,
    ]);
    let helped = any(&[FactKind::SubagentCompleted, FactKind::SubagentFailed]);
    match (written, todos, read) {
        (true, true, _) => TaskKind::Mixed,
        (true, false, _) | (false, true, _) if helped => TaskKind::Mixed,
        _ if helped => TaskKind::Subagent,
        (true, false, _) => TaskKind::WorkspaceWrite,
        (false, true, _) => TaskKind::TodoState,
        (false, false, true) => TaskKind::ReadOnly,
        (false, false, false) => TaskKind::ChatAnswer,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Evidence;
    use serde_json::json;

    /// Sub-agents that ended so, one after the other, all of the same task.
    fn of_one_task(ends: &[TaskEnd]) -> Subagents {
        let mut known = Subagents::default();
        for (n, end) in ends.iter().enumerate() {
            let mut one: Subagent = serde_json::from_value(json!({
                "callId": format!("c{n}"), "conversationId": format!("task-{n}"),
                "agentId": "ann", "taskType": "review", "args": { "prompt": "Review it." },
            }))
            .unwrap();
            known.apply(one.clone());
            one.end = Some(*end);
            known.apply(one);
        }
        known
    }

    /// The way out of what they leave open, as one letter: again, user or blocked.
    fn way_out(ends: &[TaskEnd], asks: bool) -> Option<char> {
        let (evidence, todos, subagents) =
            (Evidence::default(), Todos::default(), of_one_task(ends));
        let found = obligations(&Situation {
            evidence: &evidence,
            accepted: 0,
            turn: &[],
            step: None,
            looks_at_files: true,
            hands_over: asks,
            asks,
            deleted: &[],
            todos: &todos,
            subagents: &subagents,
            gates: &[],
            unasked: None,
        });
        assert!(found.len() < 2, "one task is one obligation: {found:?}");
        found.first().map(|open| match &open.way_out {
            WayOut::AskAgain(args) if args["prompt"] == "Review it." => 'a',
            WayOut::NeedsUser(_) => 'u',
            WayOut::Blocked(_) => 'b',
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn a_failed_sub_agent_is_asked_for_again_until_it_failed_three_times() {
        use TaskEnd::{Completed, Failed, NoReport};
        assert_eq!(way_out(&[], false), None);
        assert_eq!(way_out(&[Failed], false), Some('a'));
        assert_eq!(way_out(&[Failed, NoReport], false), Some('a'));
        assert_eq!(way_out(&[Failed, NoReport, Failed], false), Some('b'));
        assert_eq!(way_out(&[Failed; 4], false), Some('b'));
        assert_eq!(way_out(&[Failed, Completed], false), None);
    }

    #[test]
    fn the_person_is_left_to_decide_about_one_they_stopped_or_are_asked_about() {
        use TaskEnd::{Failed, Stopped};
        assert_eq!(way_out(&[Stopped], false), Some('u'));
        assert_eq!(way_out(&[Failed], true), Some('u'));
        assert_eq!(way_out(&[Failed; 3], true), Some('u'));
    }

    #[test]
    fn a_blocked_todo_waits_for_the_person_only_when_somebody_else_has_to_act() {
        let left_open = |reason: &str| {
            let todo: Todo = serde_json::from_value(json!({
                "id": "t1", "content": "Sign it off", "status": "blocked", "required": true,
                "blockedReason": reason, "revision": 2,
            }))
            .unwrap();
            matches!(open_todo(&todo, false).unwrap().way_out, WayOut::NeedsUser(_))
        };
        for reason in ["permission_wait", "user_input_wait", "external_resource_wait"] {
            assert!(left_open(reason), "{reason}");
        }
        assert!(!left_open("internal_dependency"));
    }

    #[test]
    fn a_missing_output_is_told_with_its_step() {
        let (node, path) = (NodeId::new("write").unwrap(), "@project/note.md".parse().unwrap());
        let obligation = Obligation::MissingOutput { node: node.clone(), path };
        let way_out = WayOut::NeedsUser(said::step_waits_for_you(&node));
        let open = OpenObligation { obligation, way_out, failures: None };
        assert_eq!(open.missing().node, Some(node));
    }

    #[test]
    fn words_instead_of_a_report_are_offered_as_one_that_proves_nothing() {
        let report = |task, words: &str| match missing_report(task, words).way_out {
            WayOut::Report(report) => report,
            other => panic!("{other:?}"),
        };
        let said = report(TaskType::Verify, "  All is well. ");
        assert_eq!((said.summary.as_str(), said.status), ("All is well.", Some(Verdict::Failed)));
        assert_eq!(report(TaskType::Review, "x").status, None);
        assert_eq!(report(TaskType::Edit, "x").status, None);
        let long = report(TaskType::Review, &"x".repeat(REPORT_BYTES));
        assert_eq!(long.summary.len(), REPORT_BYTES / 2);
    }

    #[test]
    fn the_kind_of_work_follows_from_its_facts() {
        use FactKind::{FileRead, FileWritten, SubagentCompleted, SubagentFailed, TodoCreated};
        let kind = |kinds: &[FactKind]| {
            let facts: Vec<Fact> = kinds.iter().copied().map(Fact::new).collect();
            task_kind(&facts.iter().collect::<Vec<_>>())
        };
        assert_eq!(kind(&[]), TaskKind::ChatAnswer);
        assert_eq!(kind(&[FileRead]), TaskKind::ReadOnly);
        assert_eq!(kind(&[FileRead, FileWritten]), TaskKind::WorkspaceWrite);
        assert_eq!(kind(&[TodoCreated]), TaskKind::TodoState);
        assert_eq!(kind(&[TodoCreated, FileWritten]), TaskKind::Mixed);
        assert_eq!(kind(&[SubagentCompleted]), TaskKind::Subagent);
        assert_eq!(kind(&[SubagentFailed, FileRead]), TaskKind::Subagent);
        assert_eq!(kind(&[SubagentFailed, FileWritten]), TaskKind::Mixed);
        assert_eq!(kind(&[SubagentCompleted, TodoCreated]), TaskKind::Mixed);
    }
}
