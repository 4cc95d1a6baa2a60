//! The nine acceptance criteria of the seed "acceptance facts and decisions", each by its sentence.
//! Where a criterion speaks of writes that nobody verified, `acceptance.verifyAfterWrite` is
//! `explicit`: that writes are read back by themselves (`auto`, the default) is an addition, which
//! never turns a success into a failure.

use super::*;
use kernel::event::FactKind;
use kernel::wire::{Frame, ItemBody};

#[test]
fn for_a_task_of_todos_only_no_verification_of_a_write_is_required() {
    let world = play(
        explicit(),
        &[
            calls([add("Ask for the topic")]),
            calls([todo(json!({ "action": "complete", "id": "t1" }))]),
            says("The todo is done."),
        ],
        &[],
    );
    assert_eq!(statuses(&world), [DecisionStatus::Accepted]);
    let kinds: Vec<FactKind> =
        ended(&world).iter().flat_map(|c| &c.facts).map(|f| f.kind).collect();
    assert_eq!(kinds, [FactKind::TodoCreated, FactKind::TodoCompleted]);
}

#[test]
fn a_write_with_verify_after_write_that_is_read_back_equal_is_performed_and_passed() {
    let verify = json!({ "path": NOTE, "content": "Rain.\n", "verify_after_write": true });
    let world = play(explicit(), &[calls([("fs_write", verify)]), says("Written.")], &[]);
    let check = &ended(&world)[0].result["verification"];
    assert_eq!((&check["performed"], &check["passed"]), (&json!(true), &json!(true)));
    assert_eq!(statuses(&world), [DecisionStatus::Accepted]);
}

#[test]
fn the_same_content_written_again_is_a_noop_write_and_opens_no_unverified_write() {
    let verify = json!({ "path": NOTE, "content": "Rain.\n", "verify_after_write": true });
    let said = [calls([("fs_write", verify)]), calls([write(NOTE, "Rain.\n")]), says("Written.")];
    let world = play(explicit(), &said, &[]);
    assert_eq!(ended(&world)[1].result["noop_write"], true);
    assert_eq!(statuses(&world), [DecisionStatus::Accepted]);
}

#[test]
fn an_unverified_write_of_known_content_requires_a_read_that_can_be_made_as_it_stands() {
    let (first, last) =
        obeyed(&explicit(), &[calls([write(NOTE, "Rain.\n")]), says("Done.")], |_| {});
    let action = &first.required_next_actions[0];
    let read = json!({
        "path": NOTE, "expect_contains": ["Rain.\n"],
        "verification_scope": "artifact:artifacts/note.md",
    });
    assert_eq!((action.tool.as_str(), &action.args), ("fs_read", &read));
    assert_eq!(last.status, DecisionStatus::Accepted);
}

#[test]
fn an_unverified_write_of_unknown_content_requires_a_glob_and_no_placeholder() {
    let long = "It rains. ".repeat(100);
    let (first, last) = obeyed(&explicit(), &[calls([write(NOTE, &long)]), says("Done.")], |_| {});
    let action = &first.required_next_actions[0];
    assert_eq!((action.tool.as_str(), &action.args["expect_min_matches"]), ("fs_glob", &json!(1)));
    assert!(!action.args.to_string().contains(['<', '…']), "{}", action.args);
    assert_eq!(last.status, DecisionStatus::Accepted);
}

#[test]
fn a_turn_without_calls_and_facts_after_continue_counts_as_no_progress_and_ends_incomplete() {
    let world = play(
        explicit(),
        &[calls([write(NOTE, "Rain.\n")]), says("Done."), says("It is done."), says("Done!")],
        &[],
    );
    let (goes_on, ends) = (DecisionStatus::Continue, DecisionStatus::Incomplete);
    assert_eq!(statuses(&world), [goes_on, goes_on, ends]);
    let last = decisions(&world).pop().unwrap();
    let reason: &str = last.stop_reason.into();
    assert_eq!(reason, "no_progress_after_final_intercept");
    assert_eq!(last.missing_facts[0].target, NOTE);
}

#[test]
fn a_final_that_is_not_accepted_is_shown_as_the_runtimes_decision_and_not_as_an_answer() {
    let lie = "I have written everything and verified it.";
    let world = play(explicit(), &[calls([write(NOTE, "Rain.\n")]), says(lie)], &[]);
    let (mut shown, mut messages) = (Vec::new(), Vec::new());
    let mut view = kernel::view::View::default();
    for frame in world.journal.iter().flat_map(|line| view.project(line)) {
        let Frame::Upsert { item } = frame else { continue };
        match item.body {
            ItemBody::Decision { decision, rejected, .. } => {
                shown.push((item.id, decision, rejected));
            }
            ItemBody::Message { text, .. } => messages.push(text),
            _ => {}
        }
    }
    assert!(!messages.iter().any(|text| text == lie), "{messages:?}");
    let rejected = world.events().find_map(|event| match event {
        Event::CandidateRejected(e) => Some(e.message_id.clone()),
        _ => None,
    });
    // It takes the place of the words that had been streamed under that id.
    assert_eq!(Some(&shown[0].0), rejected.as_ref());
    assert_eq!(shown[0].2.as_deref(), Some(lie));
    // Nor does the model read its own words again.
    let last = world.requests.last().unwrap();
    assert!(last.messages.iter().all(|message| !message.content.contains(lie)));
}

#[test]
fn a_client_knows_todos_and_the_decision_from_the_events_alone() {
    let world = play(explicit(), &[calls([add("Ask")]), says("Done.")], &[]);
    let mut todos = kernel::todo::Todos::default();
    let mut told = None;
    for event in world.events() {
        // As a program reads them that knows nothing but the JSON lines.
        let event: Event = serde_json::from_value(serde_json::to_value(event).unwrap()).unwrap();
        match event {
            Event::TodosUpdated(e) => todos.apply(&e.changed, &e.removed),
            Event::DecisionMade(e) => told = Some(e.decision),
            _ => {}
        }
    }
    let snapshot = kernel::snapshot::snapshot(&world.engine).unwrap();
    assert_eq!(snapshot.todos.items, todos.items());
    assert_eq!(snapshot.decision, told);
    assert_eq!(snapshot.obligations.len(), 1);
}

#[test]
fn without_the_new_arguments_reading_writing_and_globbing_stay_as_they_were() {
    let said = [
        calls([
            write("@project/docs/a.md", "one\n"),
            ("fs_read", json!({ "path": "@project/docs/a.md" })),
            ("fs_glob", json!({ "pattern": "docs/*.md" })),
        ]),
        says("Done?"),
    ];
    let world = play(explicit(), &said, &[]);
    for call in ended(&world) {
        assert!(call.ok && call.result.get("verification").is_none(), "{}", call.result);
    }
    // The default reads a write back and makes no failure of it.
    let world = play(usual(), &said, &[]);
    assert_eq!(ended(&world)[0].result["verification"]["passed"], true);
    assert_eq!(statuses(&world), [DecisionStatus::Accepted]);
}
