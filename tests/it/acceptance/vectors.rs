//! Situations in which an earlier implementation of the same chain went wrong, and what is right.

use super::*;
use kernel::decision::{MissingKind, TaskKind};
use kernel::event::FactKind;
use kernel::facts::{Evidence, Fact};

use DecisionStatus::{Accepted, Continue, Failed, Incomplete};

#[test]
fn vector_1_a_noop_write_that_is_verified_is_enough() {
    let verify = json!({ "path": NOTE, "content": "Rain.\n", "verify_after_write": true });
    let rain = |project: &Path| put(project, "artifacts/note.md", "Rain.\n");
    let said = [calls([to_writing(), ("fs_write", verify)]), says("The note is there.")];
    let world = play_in(explicit(), &said, &[], rain);
    assert_eq!(statuses(&world), [Accepted]);
}

#[test]
fn vector_2_the_check_of_a_long_file_passes_on_a_correct_one() {
    let (_, last) =
        obeyed(&explicit(), &[calls([write(NOTE, &"x".repeat(300))]), says("Done.")], |_| {});
    assert_eq!(last.status, Accepted);
}

#[test]
fn vector_3_the_check_asks_for_the_latest_content() {
    let said = [calls([write(NOTE, "one"), write(NOTE, "two")]), says("Done.")];
    let (first, last) = obeyed(&explicit(), &said, |_| {});
    assert_eq!(first.missing_facts[0].expected, ["two"]);
    assert_eq!(last.status, Accepted);
}

#[test]
fn vector_4_a_check_of_other_bytes_or_of_another_file_does_not_verify_a_rewrite() {
    let verify = json!({ "path": NOTE, "content": "one", "verify_after_write": true });
    let said = [
        calls([("fs_write", verify), write(NOTE, "two")]),
        calls([write("@project/b.md", "b"), read("@project/b.md", &["b"])]),
        says("All verified."),
    ];
    let decision = decisions(&play(explicit(), &said, &[])).remove(0);
    assert_eq!(decision.status, Continue);
    assert_eq!(decision.missing_facts.len(), 1);
    assert_eq!(decision.missing_facts[0].target, NOTE);
}

#[test]
fn vector_5_facts_about_todos_have_their_ids() {
    let world = play(explicit(), &[calls([add("a"), add("b")]), says("Done.")], &[]);
    let facts = ended(&world);
    let ids: Vec<_> = facts.iter().flat_map(|c| &c.facts).map(|f| f.todo.as_deref()).collect();
    assert_eq!(ids, [Some("t1"), Some("t2")]);
}

#[test]
fn vector_6_the_action_for_a_pending_todo_succeeds() {
    let (first, last) = obeyed(&explicit(), &[calls([add("Ask")]), says("Done.")], |_| {});
    assert_eq!(first.missing_facts[0].kind, MissingKind::TodoTerminal);
    assert_eq!(last.status, Accepted);
}

/// What becomes of a model that says it is done after so many writes that were refused.
fn after_refusals(times: usize) -> Decision {
    let attempt = |n: usize| {
        let stale =
            json!({ "path": NOTE, "content": format!("{n}"), "ifMatchSha256": "0".repeat(64) });
        calls([("fs_write", stale)])
    };
    let mut said = vec![calls([to_writing()])];
    said.extend((0..times).map(attempt));
    said.push(says("It is written."));
    decisions(&play(explicit(), &said, &[])).remove(0)
}

#[test]
fn what_was_refused_twice_may_be_tried_again_and_is_told_with_its_failures() {
    let decision = after_refusals(2);
    assert_eq!(decision.status, Continue);
    let failed = decision.missing_facts[0].failed.clone().expect("it is told how often it failed");
    assert_eq!((failed.code.as_str(), failed.times), ("E_PRECONDITION_FAILED", 2));
    assert_eq!(after_refusals(3).status, Failed);
}

#[test]
fn vector_7_what_is_refused_again_and_again_ends_the_turn() {
    let decision = after_refusals(5);
    let reason: &str = decision.stop_reason.into();
    assert_eq!((decision.status, reason), (Failed, "repeated_failure"));
    assert!(decision.user_summary.contains("5 times"), "{}", decision.user_summary);
    let failed = decision.missing_facts[0].failed.clone().expect("it is told how often it failed");
    assert_eq!((failed.code.as_str(), failed.times), ("E_PRECONDITION_FAILED", 5));
}

#[test]
fn vector_8_a_check_that_only_reads_asks_for_no_write() {
    for (text, holds) in [("abc", true), ("xyz", false)] {
        let said = [calls([read("@project/f.md", &[text])]), says("I have looked.")];
        let world = play_in(explicit(), &said, &[], |project| put(project, "f.md", "abc"));
        assert_eq!(statuses(&world), [Accepted], "{holds}");
        assert_eq!(decisions(&world)[0].task_kind, Some(TaskKind::ReadOnly));
    }
}

#[test]
fn vector_9_a_check_that_cannot_fail_is_refused() {
    let world = play(explicit(), &[calls([read("@project/f.md", &["  "])]), says("Done.")], &[]);
    assert_eq!(ended(&world)[0].result["error"]["code"], "E_INVALID_ARGS");
}

#[test]
fn vector_10_a_glob_without_hits_proves_no_file() {
    let glob = json!({ "pattern": "artifacts/note.md", "expect_min_matches": 1 });
    let said = [calls([to_writing(), ("fs_glob", glob)]), says("It is there.")];
    let decision = decisions(&play(explicit(), &said, &[])).remove(0);
    assert_eq!((decision.status, decision.missing_facts[0].target.as_str()), (Continue, NOTE));
}

#[test]
fn vector_11_a_command_that_passes_covers_the_edits_before_it() {
    let fact = |value: Value| serde_json::from_value::<Fact>(value).unwrap();
    let mut evidence = Evidence::default();
    let path = "@project/main.go";
    evidence.apply(1, &fact(json!({ "kind": "file_written", "path": path, "sha256": "1" })));
    let passed = json!({ "kind": "verification", "outcome": "passed", "scope": "workspace" });
    evidence.apply(2, &fact(passed));
    let known = evidence.of(&path.parse().unwrap()).unwrap();
    assert!(evidence.is_verified(known));
}

#[test]
fn vector_12_continue_always_says_what_is_missing_and_which_calls_prove_it() {
    let said = [
        calls([add("a"), write(NOTE, "x"), write("@project/b.md", "y")]),
        calls([todo(json!({ "action": "complete", "id": "t1" }))]),
        says("Done."),
    ];
    for decision in decisions(&play(explicit(), &said, &[])) {
        if decision.status == Continue {
            assert!(
                !decision.missing_facts.is_empty() && !decision.required_next_actions.is_empty()
            );
        }
        assert_eq!(decision.task_kind, Some(TaskKind::Mixed));
    }
}

#[test]
fn vector_13_every_unverified_file_is_named_at_once() {
    let said = [
        calls([
            write("@project/a.md", "a"),
            write("@project/b.md", "b"),
            write("@project/c.md", "c"),
        ]),
        calls([read("@project/b.md", &["b"])]),
        says("Done."),
    ];
    let decision = decisions(&play(explicit(), &said, &[])).remove(0);
    let targets: Vec<_> = decision.missing_facts.iter().map(|fact| fact.target.as_str()).collect();
    assert_eq!(targets, ["@project/a.md", "@project/c.md"]);
    assert_eq!(decision.required_next_actions.len(), 2);
}

#[test]
fn vector_14_of_fail_pass_fail_the_latest_counts() {
    let said = [
        calls([
            write(NOTE, "one\n"),
            read(NOTE, &["two"]),
            read(NOTE, &["one"]),
            read(NOTE, &["two"]),
        ]),
        says("Verified."),
    ];
    let decision = decisions(&play(explicit(), &said, &[])).remove(0);
    let reason: &str = decision.stop_reason.into();
    assert_eq!((decision.status, reason), (Continue, "failed_verification"));
    assert_eq!(decision.missing_facts[0].expected, ["two"]);
}

#[test]
fn vector_15_a_reason_that_this_program_does_not_know_is_read_and_proves_nothing() {
    let newer = json!({
        "status": "postponed", "stop_reason": "full_moon", "user_summary": "Later.",
        "obligations": [{ "kind": "moon", "phase": "full" }],
        "missing_facts": [{ "kind": "moonlight", "target": "sky" }],
        "task_kind": "astronomy", "lunar": true,
    });
    let decision: Decision = serde_json::from_value(newer).unwrap();
    assert_eq!(decision.status, DecisionStatus::Unrecognised);
    let fact: Fact = serde_json::from_value(json!({ "kind": "moonrise", "path": NOTE })).unwrap();
    assert_eq!(fact.kind, FactKind::Unrecognised);
    let mut evidence = Evidence::default();
    evidence.apply(1, &fact);
    assert!(!evidence.is_there(&NOTE.parse().unwrap()));
}

#[test]
fn vector_16_words_about_todos_are_no_todos() {
    let ask = [Step::Say("What did you change in the todo app?".to_owned())];
    let world = play(explicit(), &[says("Nothing yet?"), says("Nothing at all.")], &ask);
    assert_eq!(statuses(&world), [Accepted, Accepted]);
    assert_eq!(decisions(&world)[1].task_kind, Some(TaskKind::ChatAnswer));
}

#[test]
fn four_continues_in_a_turn_are_the_most_however_much_else_is_done() {
    let busy = |n: usize| calls([write(&format!("@project/{n}.md"), "x")]);
    let said: Vec<Said> = (0..8).flat_map(|n| [busy(n), says("Now everything is done.")]).collect();
    let statuses = statuses(&play(explicit(), &said, &[]));
    assert!(statuses.iter().filter(|status| **status == Continue).count() <= 4, "{statuses:?}");
    assert_eq!(statuses.last(), Some(&Incomplete));
}
