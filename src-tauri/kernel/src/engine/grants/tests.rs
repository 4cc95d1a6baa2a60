//! What was allowed, event by event, and which calls that covers.

use super::super::rules::{CallRules, asks};
use super::*;
use crate::event::{
    ApprovalRevoked, CallEnded, ConfirmationSpent, Reason, RunInterrupted, TurnFinished,
};
use crate::ids::MessageId;
use crate::policy::{ApproveWrites, SystemTools, ToolPolicy};
use crate::tool::EffectClass;
use crate::widget::WidgetKind;
use rstest::rstest;
use serde_json::json;

fn change(id: &str, call: Option<&str>) -> ChangeProposed {
    ChangeProposed {
        change_id: ChangeId::new(id).unwrap(),
        tool: "fs.write".into(),
        args: "{}".into(),
        pre_hash: "before".into(),
        post_hash: Some("after".into()),
        path: Some(AliasPath::parse("@project/docs/a.md").unwrap()),
        call_id: call.map(CallId::new),
        summary: String::new(),
        parts: Vec::new(),
        diff: String::new(),
        cut: false,
        undoes_completion: false,
        restore: None,
        back_to: None,
    }
}

/// The dialog of `change` is shown for `call`.
fn asked(id: &str, call: &str) -> Event {
    Event::ChangeProposed(change(id, Some(call)))
}

fn answered(call: Option<&str>, confirms: Option<&str>, value: Value) -> Event {
    Event::WidgetAnswered(WidgetAnswered {
        message_id: MessageId::new("m2").unwrap(),
        widget_message_id: MessageId::new("m1").unwrap(),
        widget_id: widget::TOOL_APPROVAL.into(),
        kind: WidgetKind::Confirmation,
        value,
        confirms: confirms.map(|id| ChangeId::new(id).unwrap()),
        call_id: call.map(CallId::new),
        for_node_id: None,
        shown_ms: None,
        files: Vec::new(),
    })
}

fn yes(call: &str, confirms: &str) -> Event {
    answered(Some(call), Some(confirms), json!({ "confirmed": true }))
}

fn for_folder(call: &str, confirms: &str) -> Event {
    answered(Some(call), Some(confirms), json!({ "confirmed": true, "forFolder": true }))
}

fn ended(call: &str) -> Event {
    Event::CallEnded(CallEnded {
        call_id: CallId::new(call),
        message_id: MessageId::new("m3").unwrap(),
        tool: "fs.write".into(),
        ok: true,
        result: json!({ "ok": true }),
        full_output: None,
        duration_ms: 0,
        facts: vec![],
    })
}

/// A call ended that moved or deleted what lay at `path`.
fn gone(kind: FactKind, path: &str, to: Option<&str>) -> Event {
    let Event::CallEnded(ended) = ended("c8") else { unreachable!() };
    let path = Some(AliasPath::parse(path).unwrap());
    let to = to.map(|to| AliasPath::parse(to).unwrap());
    let facts = vec![Fact { path, to, ..Fact::new(kind) }];
    Event::CallEnded(CallEnded { facts, ..ended })
}

fn moved(from: &str, to: &str) -> Event {
    gone(FactKind::FileMoved, from, Some(to))
}

fn spent(change: &str) -> Event {
    Event::ConfirmationSpent(ConfirmationSpent {
        call_id: CallId::new("c1"),
        change_id: Some(ChangeId::new(change).unwrap()),
    })
}

fn finished(phase: Phase) -> Event {
    let reason = Reason::Answered;
    Event::TurnFinished(TurnFinished { phase, reason, failure: None, decision: None })
}

fn restarted() -> Event {
    Event::RunInterrupted(RunInterrupted { in_doubt: vec![], resting: true })
}

fn folded(events: &[Event]) -> Approvals {
    let mut approvals = Approvals::default();
    for event in events {
        approvals.apply(event, Time::from_millis(7));
    }
    approvals
}

fn call(tool: &str, args: &Value) -> ParsedCall {
    crate::tool::parse_call(tool, &args.to_string()).unwrap()
}

fn write_to(path: &str) -> ParsedCall {
    call("fs.write", &json!({ "path": path, "content": "x" }))
}

/// Whether the call `id`, a write of `@project/docs/a.md`, may begin.
fn allowed(approvals: &Approvals, id: &str) -> bool {
    approvals.permission(&CallId::new(id), &write_to("@project/docs/a.md")).is_some()
}

// ---- allowed once ------------------------------------------------------------------------------

#[test]
fn a_click_allows_the_call_it_was_about_and_no_other() {
    let approvals = folded(&[asked("a", "c1"), yes("c1", "a")]);
    assert!(allowed(&approvals, "c1") && !allowed(&approvals, "c2"));
    assert!(approvals.asked().is_none() && approvals.grants().is_empty());
}

#[rstest]
#[case::cancelled(answered(Some("c1"), None, json!({ "confirmed": false })))]
#[case::about_another_change(yes("c1", "b"))]
#[case::about_another_call(yes("c2", "a"))]
#[case::the_models_own_question(answered(None, Some("a"), json!({ "confirmed": true })))]
fn any_other_answer_allows_nothing_and_closes_the_question(#[case] answer: Event) {
    let approvals = folded(&[asked("a", "c1"), answer]);
    assert!(!allowed(&approvals, "c1") && approvals.grants().is_empty());
    assert!(approvals.asked().is_none());
}

#[test]
fn a_change_of_the_state_is_no_question_about_a_call() {
    let state = Event::ChangeProposed(change("s", None));
    assert!(folded(std::slice::from_ref(&state)).asked().is_none());
    let kept = folded(&[asked("a", "c1"), state.clone()]);
    assert_eq!(kept.asked().unwrap().change_id.as_str(), "a");
    assert!(allowed(&folded(&[asked("a", "c1"), yes("c1", "a"), state]), "c1"));
}

#[rstest]
#[case::its_call_ended(ended("c1"), false)]
#[case::another_call_ended(ended("c2"), true)]
#[case::used(spent("a"), false)]
#[case::another_was_used(spent("b"), true)]
#[case::shown_anew(asked("b", "c1"), false)]
#[case::restart(restarted(), false)]
#[case::another_answer(answered(None, None, json!("tea")), false)]
fn what_ends_an_approval(#[case] event: Event, #[case] lives: bool) {
    let approvals = folded(&[asked("a", "c1"), yes("c1", "a"), event]);
    assert_eq!(allowed(&approvals, "c1"), lives);
}

#[rstest]
#[case::its_call_ended(ended("c1"), false)]
#[case::another_call_ended(ended("c2"), true)]
#[case::restart(restarted(), true)]
fn a_question_lasts_as_long_as_its_call(#[case] event: Event, #[case] lives: bool) {
    assert_eq!(folded(&[asked("a", "c1"), event]).asked().is_some(), lives);
}

// ---- a folder ----------------------------------------------------------------------------------

#[test]
fn an_allowed_folder_says_by_which_dialog_and_since_when() {
    let approvals = folded(&[asked("a", "c1"), for_folder("c1", "a")]);
    let folder = AliasPath::parse("@project/docs").unwrap();
    let (change_id, tool) = (ChangeId::new("a").unwrap(), "fs.write".to_owned());
    let at = Time::from_millis(7);
    assert_eq!(approvals.grants(), [Grant { change_id, tool, folder, at }]);
}

#[rstest]
#[case::directly_in_it("fs.write", json!({ "path": "@project/docs/b.md", "content": "" }), true)]
#[case::below_it("fs.write", json!({ "path": "@project/docs/deep/b.md", "content": "" }), false)]
#[case::beside_it("fs.write", json!({ "path": "@project/b.md", "content": "" }), false)]
#[case::another_tool(
    "fs.apply_patch",
    json!({ "path": "@project/docs/a.md", "operation": "replace", "old": "a", "new": "b" }),
    false
)]
#[case::a_deletion("fs.delete", json!({ "path": "@project/docs/a.md" }), false)]
fn an_allowed_folder_covers_one_tool_on_files_directly_in_it(
    #[case] tool: &str,
    #[case] args: Value,
    #[case] covered: bool,
) {
    let approvals = folded(&[asked("a", "c1"), for_folder("c1", "a")]);
    let other = CallId::new("c9");
    assert_eq!(approvals.permission(&other, &call(tool, &args)).is_some(), covered);
}

#[rstest]
#[case("notes.md", true)]
#[case(".envrc", false)]
#[case("AGENTS.md", false)]
#[case("Makefile", false)]
#[case("package.json", false)]
#[case("Cargo.toml", false)]
fn the_projects_own_folder_covers_no_file_that_decides_what_is_run(
    #[case] name: &str,
    #[case] covered: bool,
) {
    let folder = AliasPath::parse("@project/").unwrap();
    let (change_id, at) = (ChangeId::new("a").unwrap(), Time::from_millis(0));
    let grant = Grant { change_id, tool: "fs.write".into(), folder, at };
    assert_eq!(covers(&grant, &write_to(&format!("@project/{name}"))), covered);
}

#[rstest]
#[case("fs.delete", json!({ "path": "@project/docs/a.md" }))]
#[case("fs.move", json!({ "from": "@project/docs/a.md", "to": "@project/b.md" }))]
fn what_does_more_than_write_one_file_is_never_covered_by_a_folder(
    #[case] tool: &str,
    #[case] args: Value,
) {
    let folder = AliasPath::parse("@project/docs").unwrap();
    let (change_id, at) = (ChangeId::new("a").unwrap(), Time::from_millis(0));
    let grant = Grant { change_id, tool: tool.to_owned(), folder, at };
    assert!(!covers(&grant, &call(tool, &args)), "also with a grant in its name");
}

#[rstest]
#[case::the_run_is_complete(finished(Phase::Completed), false)]
#[case::the_run_waits(finished(Phase::WaitingUser), true)]
#[case::taken_back(
    Event::ApprovalRevoked(ApprovalRevoked { change_id: ChangeId::new("a").unwrap() }),
    false
)]
#[case::another_taken_back(
    Event::ApprovalRevoked(ApprovalRevoked { change_id: ChangeId::new("b").unwrap() }),
    true
)]
#[case::restart(restarted(), false)]
#[case::used(spent("a"), true)]
#[case::another_question(asked("b", "c1"), true)]
#[case::it_was_moved(moved("@project/docs", "@project/old"), false)]
#[case::a_folder_above_it_was_moved(moved("@project/./", "@project/old"), false)]
#[case::another_took_its_name(moved("@project/src", "@project/docs"), false)]
#[case::it_was_moved_by_another_spelling(moved("@project/DOCS", "@project/old"), false)]
#[case::it_was_deleted(gone(FactKind::FileDeleted, "@project/docs", None), false)]
#[case::a_file_in_it_was_moved(moved("@project/docs/a.md", "@project/docs/b.md"), true)]
#[case::a_file_in_it_was_deleted(gone(FactKind::FileDeleted, "@project/docs/a.md", None), true)]
#[case::one_of_a_like_name_was_moved(moved("@project/docs2", "@project/doc"), true)]
#[case::a_file_in_it_was_written(gone(FactKind::FileWritten, "@project/docs", None), true)]
fn what_ends_an_allowed_folder(#[case] event: Event, #[case] lives: bool) {
    let approvals = folded(&[asked("a", "c1"), for_folder("c1", "a"), event]);
    assert_eq!(allowed(&approvals, "c9"), lives);
}

// ---- which calls ask ---------------------------------------------------------------------------

const INSIDE: &str = "@project/artifacts/a.md";
const OUTSIDE: &str = "@project/docs/a.md";

fn asking(approve_writes: ApproveWrites, parsed: &ParsedCall) -> bool {
    let policy = ToolPolicy::merge(&SystemTools::default(), None).asking(approve_writes);
    let outputs = vec![AliasPath::parse("@project/docs/declared.md").unwrap()];
    asks(
        &CallRules { policy, outputs, hooks: std::sync::Arc::default() },
        parsed,
        Some("artifacts"),
    )
}

#[rstest]
#[case::write_inside("fs.write", json!({ "path": INSIDE, "content": "" }), false)]
#[case::write_outside("fs.write", json!({ "path": OUTSIDE, "content": "" }), true)]
#[case::move_within("fs.move", json!({ "from": INSIDE, "to": "@project/artifacts/b.md" }), false)]
#[case::move_out("fs.move", json!({ "from": INSIDE, "to": OUTSIDE }), true)]
#[case::move_in("fs.move", json!({ "from": OUTSIDE, "to": INSIDE }), true)]
#[case::delete_inside("fs.delete", json!({ "path": INSIDE }), false)]
#[case::declared("fs.write", json!({ "path": "@project/docs/declared.md", "content": "" }), false)]
fn outside_means_every_path_a_call_names(
    #[case] tool: &str,
    #[case] args: Value,
    #[case] asked: bool,
) {
    let parsed = call(tool, &args);
    assert_eq!(asking(ApproveWrites::AskOutside, &parsed), asked);
    assert!(asking(ApproveWrites::Ask, &parsed) && !asking(ApproveWrites::Auto, &parsed));
}

#[test]
fn a_call_that_names_no_path_is_not_taken_to_stay_inside() {
    let rewind = call("workflow.rewind", &json!({ "targetNodeId": "a", "confirmed": true }));
    let nameless = ParsedCall { class: EffectClass::WriteProject, ..rewind };
    assert!(asking(ApproveWrites::AskOutside, &nameless));
}

#[test]
fn reading_needs_no_approval() {
    assert!(!asking(ApproveWrites::Ask, &call("fs.read", &json!({ "path": OUTSIDE }))));
}

#[rstest]
#[case("fs.write", json!({ "path": "@project/.envrc", "content": "" }))]
#[case("fs.write", json!({ "path": "@project/artifacts/.vscode/tasks.json", "content": "" }))]
#[case("fs.move", json!({ "from": INSIDE, "to": "@project/.github/workflows/a.yml" }))]
#[case("fs.move", json!({ "from": "@project/artifacts/x", "to": "@project/.github" }))]
#[case("fs.delete", json!({ "path": "@project/.husky", "recursive": true }))]
#[case("fs.write", json!({ "path": "⟦folder:project⟧/.envrc", "content": "" }))]
#[case("fs.move", json!({ "from": INSIDE, "to": "⟦folder:project⟧/.husky" }))]
#[case("fs.move", json!({ "from": "⟦folder:project⟧\\.husky", "to": INSIDE }))]
#[case("fs.delete", json!({ "path": " ⟦folder:project⟧/.husky", "recursive": true }))]
fn a_file_that_starts_by_itself_always_asks(#[case] tool: &str, #[case] args: Value) {
    for setting in [ApproveWrites::Auto, ApproveWrites::AskOutside, ApproveWrites::Ask] {
        assert!(asking(setting, &call(tool, &args)), "{setting:?}");
    }
}
