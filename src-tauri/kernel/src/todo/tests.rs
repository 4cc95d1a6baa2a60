use super::*;
use proptest::prelude::*;
use rstest::rstest;

fn new(content: &str) -> NewTodo {
    NewTodo { content: content.to_owned(), ..NewTodo::default() }
}

fn done(todos: &mut Todos, command: &TodoCommand) -> Result<TodoChange, TodoRefusal> {
    let change = todos.change(command, None)?;
    todos.apply(&change.changed, &change.removed);
    Ok(change)
}

fn set(id: &str, status: TodoStatus) -> TodoCommand {
    TodoCommand::SetStatus {
        id: id.to_owned(),
        status,
        blocked: None,
        reason: Some("because".to_owned()),
        artifacts: Vec::new(),
    }
}

fn with(contents: &[&str]) -> Todos {
    let mut todos = Todos::default();
    for content in contents {
        done(&mut todos, &TodoCommand::Add(new(content))).unwrap();
    }
    todos
}

use TodoStatus::{Blocked, Canceled, Completed, Failed, InProgress, Pending};

#[test]
fn todos_without_a_name_get_one_each_and_are_required() {
    let todos = with(&["a", "b"]);
    let ids: Vec<_> =
        todos.items().iter().map(|t| (t.id.as_str(), t.required, t.revision)).collect();
    assert_eq!(ids, [("t1", true, 1), ("t2", true, 1)]);
    assert_eq!(
        todos.summary(),
        TodoSummary { total: 2, required: 2, open: 2, changes: 2, ..TodoSummary::default() }
    );
}

#[rstest]
#[case(Pending, Completed, Some(vec![Pending, InProgress, Completed]))]
#[case(Pending, InProgress, Some(vec![Pending, InProgress]))]
#[case(InProgress, Completed, Some(vec![InProgress, Completed]))]
#[case(Blocked, Completed, Some(vec![Blocked, InProgress, Completed]))]
#[case(Blocked, Pending, Some(vec![Blocked, Pending]))]
#[case(InProgress, Pending, None)]
#[case(Completed, Pending, None)]
#[case(Failed, Completed, None)]
#[case(Canceled, InProgress, None)]
fn a_status_takes_the_steps_of_the_table(
    #[case] from: TodoStatus,
    #[case] to: TodoStatus,
    #[case] way: Option<Vec<TodoStatus>>,
) {
    assert_eq!(from.way_to(to), way);
}

#[test]
fn completing_a_todo_is_one_change_that_tells_its_steps() {
    let mut todos = with(&["a"]);
    let change = done(&mut todos, &set("t1", Completed)).unwrap();
    assert_eq!(change.transition_path, [Pending, InProgress, Completed]);
    assert_eq!(todos.get("t1").map(|t| (t.status, t.revision)), Some((Completed, 2)));
    // Once more: nothing to do, and no conflict with oneself.
    let again = todos.change(&set("t1", Completed), Some(2)).unwrap();
    assert!(again.is_noop());
}

#[test]
fn a_conflict_names_the_one_todo_with_its_revision_and_status() {
    let mut todos = with(&["a", "b"]);
    done(&mut todos, &set("t1", InProgress)).unwrap();
    let Err(TodoRefusal::Conflict(todo)) = todos.change(&set("t1", Failed), Some(1)) else {
        panic!("a conflict");
    };
    assert_eq!((todo.id.as_str(), todo.revision, todo.status), ("t1", 2, InProgress));
    // Of two that saw the same, the second loses nothing of the first.
    assert!(todos.change(&set("t1", Failed), Some(2)).is_ok());
}

#[test]
fn a_plan_leaves_what_has_ended_and_cancels_what_it_leaves_out() {
    let mut todos = with(&["a", "b", "c"]);
    done(&mut todos, &set("t1", Completed)).unwrap();
    let items = vec![
        NewTodo { id: Some("t1".to_owned()), ..new("other words") },
        NewTodo { id: Some("t2".to_owned()), required: Some(false), ..new("b, better") },
        new("d"),
    ];
    let plan = |reason: Option<&str>| TodoCommand::Plan {
        items: items.clone(),
        reason: reason.map(str::to_owned),
    };
    let Err(TodoRefusal::Invalid(why)) = todos.change(&plan(None), None) else {
        panic!("a reason is needed");
    };
    assert!(why.contains("t3"), "{why}");
    done(&mut todos, &plan(Some("not needed"))).unwrap();
    let now: Vec<_> =
        todos.items().iter().map(|t| (t.content.as_str(), t.status, t.required)).collect();
    assert_eq!(
        now,
        [
            ("a", Completed, true),
            ("b, better", Pending, true),
            ("c", Canceled, true),
            ("d", Pending, true)
        ]
    );
    assert_eq!(todos.get("t3").unwrap().failure_reason.as_deref(), Some("not needed"));
}

#[test]
fn a_required_todo_is_canceled_with_a_reason_and_never_removed() {
    let mut todos = with(&["a"]);
    let silent = TodoCommand::SetStatus {
        id: "t1".to_owned(),
        status: Canceled,
        blocked: None,
        reason: Some("  ".to_owned()),
        artifacts: Vec::new(),
    };
    assert!(matches!(todos.change(&silent, None), Err(TodoRefusal::Invalid(_))));
    let remove = TodoCommand::Remove { id: "t1".to_owned() };
    assert!(matches!(todos.change(&remove, None), Err(TodoRefusal::Invalid(_))));
    done(&mut todos, &set("t1", Canceled)).unwrap();
    assert_eq!(todos.summary().open, 0);
}

#[test]
fn what_waits_for_another_todo_is_not_begun_before_it() {
    let mut todos = with(&["a"]);
    let after = NewTodo { dependencies: vec!["t1".to_owned()], ..new("b") };
    done(&mut todos, &TodoCommand::Add(after)).unwrap();
    let refused = todos.change(&set("t2", Completed), None);
    let open = vec!["t1".to_owned()];
    assert_eq!(refused, Err(TodoRefusal::Dependencies { id: "t2".to_owned(), open }));
    done(&mut todos, &set("t1", Completed)).unwrap();
    done(&mut todos, &set("t2", Completed)).unwrap();
}

#[test]
fn todos_wait_for_no_circle_and_for_nothing_unknown() {
    let mut todos = with(&["a", "b"]);
    let needs = |id: &str, on: &str| TodoCommand::Update {
        id: id.to_owned(),
        patch: TodoPatch { dependencies: Some(vec![on.to_owned()]), ..TodoPatch::default() },
    };
    done(&mut todos, &needs("t1", "t2")).unwrap();
    for (id, on) in [("t2", "t1"), ("t2", "t2"), ("t2", "t9")] {
        assert!(matches!(todos.change(&needs(id, on), None), Err(TodoRefusal::Invalid(_))), "{on}");
    }
}

#[test]
fn there_are_not_more_todos_than_a_run_may_have() {
    let mut todos = with(&vec!["x"; TODOS]);
    let more = done(&mut todos, &TodoCommand::Add(new("one more")));
    assert!(matches!(more, Err(TodoRefusal::Invalid(_))));
}

fn command() -> impl Strategy<Value = TodoCommand> {
    let id = prop_oneof![Just("t1"), Just("t2"), Just("t3"), Just("x")];
    let status = prop_oneof![
        Just(Pending),
        Just(InProgress),
        Just(Blocked),
        Just(Completed),
        Just(Failed),
        Just(Canceled)
    ];
    let ids = proptest::collection::vec(prop_oneof![Just("t1"), Just("t2"), Just("t4")], 0..2);
    let item =
        (proptest::option::of(id.clone()), ids, any::<bool>()).prop_map(|(id, deps, required)| {
            NewTodo {
                id: id.map(str::to_owned),
                content: "c".to_owned(),
                required: Some(required),
                dependencies: deps.into_iter().map(str::to_owned).collect(),
            }
        });
    prop_oneof![
        item.clone().prop_map(TodoCommand::Add),
        (proptest::collection::vec(item, 1..4), proptest::option::of(Just("r".to_owned())))
            .prop_map(|(items, reason)| TodoCommand::Plan { items, reason }),
        (id.clone(), status).prop_map(|(id, status)| set(id, status)),
        id.prop_map(|id| TodoCommand::Remove { id: id.to_owned() }),
    ]
}

proptest! {
    /// Nothing that has ended changes, no duty is lost, and every change follows the table.
    #[test]
    fn no_commands_lose_a_required_todo_or_change_one_that_has_ended(
        commands in proptest::collection::vec(command(), 0..30),
    ) {
        let mut todos = Todos::default();
        for command in &commands {
            let before = todos.clone();
            let done = done(&mut todos, command);
            if done.is_err() {
                prop_assert_eq!(&todos, &before);
            }
            for old in before.items() {
                let new = todos.get(&old.id);
                if old.status.is_terminal() && (old.required || new.is_some()) {
                    prop_assert_eq!(new, Some(old));
                }
                if old.required {
                    let new = new.expect("a required todo stays");
                    prop_assert!(new.required);
                    prop_assert!(old.status.way_to(new.status).is_some());
                }
            }
            let ids: std::collections::BTreeSet<_> = todos.items().iter().map(|t| &t.id).collect();
            prop_assert_eq!(ids.len(), todos.items().len());
        }
    }
}
