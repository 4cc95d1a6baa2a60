//! What is believed of files on the disk is looked at again before a judgement builds on it.

use super::*;
fn the_code_of_the_last_call(world: &World) -> Option<String> {
    ended(world).last().unwrap().result["error"]["code"].as_str().map(str::to_owned)
}

#[test]
fn a_step_is_not_completed_when_its_file_was_taken_away_meanwhile() {
    let taken = calls([to_the_end()]).meanwhile("artifacts/note.md", None);
    let said = [calls([to_writing(), write(NOTE, "Rain.\n")]), taken];
    let world = play(usual(), &said, &[]);
    assert_eq!(the_code_of_the_last_call(&world).as_deref(), Some("E_OUTPUTS_MISSING"));
}

#[test]
fn a_file_that_was_only_read_is_looked_at_again_before_its_step_is_completed() {
    let taken = calls([to_the_end()]).meanwhile("artifacts/note.md", None);
    let said = [calls([to_writing(), read(NOTE, &["Rain."])]), taken];
    let there = |project: &Path| put(project, "artifacts/note.md", "Rain.\n");
    let world = play_in(usual(), &said, &[], there);
    assert_eq!(the_code_of_the_last_call(&world).as_deref(), Some("E_OUTPUTS_MISSING"));
}

#[test]
fn a_file_of_an_earlier_turn_is_looked_at_again_before_its_step_is_completed() {
    let taken = calls([to_the_end()]).meanwhile("artifacts/note.md", None);
    let begun = calls([to_writing(), write(NOTE, "Rain.\n")]);
    let said = [begun, says("Shall I go on?"), taken];
    let world = play(usual(), &said, &[Step::Say("Go on.".into())]);
    assert_eq!(statuses(&world)[0], DecisionStatus::Accepted);
    assert_eq!(the_code_of_the_last_call(&world).as_deref(), Some("E_OUTPUTS_MISSING"));
}

/// The project's folder of artifacts is a link to another folder of it.
#[cfg(unix)]
fn linked(project: &Path) {
    std::fs::create_dir_all(project.join("real")).unwrap();
    _ = std::fs::remove_dir_all(project.join("artifacts"));
    std::os::unix::fs::symlink("real", project.join("artifacts")).unwrap();
}

#[cfg(unix)]
const ITSELF: &str = "@project/real/note.md";

#[test]
#[cfg(unix)]
fn a_file_that_is_deleted_under_its_own_name_is_gone_under_the_name_of_a_link_too() {
    let delete = ("fs_delete", json!({ "path": ITSELF }));
    for check in [read(NOTE, &[]), ("fs_glob", glob_of("artifacts/note.md"))] {
        let begun = calls([to_writing(), write(ITSELF, "Rain.\n"), check]);
        let said = [begun, calls([delete.clone(), to_the_end()]), says("Done.")];
        let world = play_in(usual(), &said, &[], linked);
        assert_eq!(the_code_of_the_last_call(&world).as_deref(), Some("E_OUTPUTS_MISSING"));
    }
}

#[test]
#[cfg(unix)]
fn an_output_that_a_link_leads_to_is_there() {
    let begun = calls([to_writing(), write(ITSELF, "Rain.\n"), read(NOTE, &["Rain."])]);
    let world = play_in(usual(), &[begun, calls([to_the_end()]), says("Done.")], &[], linked);
    assert_eq!(statuses(&world), [DecisionStatus::Accepted]);
}

fn glob_of(pattern: &str) -> Value {
    json!({ "pattern": pattern, "expect_min_matches": 1 })
}

#[test]
fn the_person_is_told_that_the_file_of_a_completed_step_was_deleted() {
    let written = calls([to_writing(), write(NOTE, "Rain.\n"), to_the_end()]);
    let deleted = calls([("fs_delete", json!({ "path": NOTE }))]);
    let world = play(usual(), &[written, deleted, says("The note is ready.")], &[]);
    let decision = &decisions(&world)[0];
    assert_eq!(decision.status, DecisionStatus::Blocked);
    assert_eq!(decision.missing_facts[0].target, NOTE);
    assert!(decision.user_summary.contains("deleted since"), "{}", decision.user_summary);
}

#[test]
fn a_file_of_a_completed_step_may_be_moved_on() {
    let written = calls([to_writing(), write(NOTE, "Rain.\n"), to_the_end()]);
    let to = json!({ "from": NOTE, "to": "@project/artifacts/rain.md" });
    let world = play(usual(), &[written, calls([("fs_move", to)]), says("Done.")], &[]);
    assert_eq!(statuses(&world), [DecisionStatus::Accepted]);
}

fn a_failed_todo() -> Said {
    let fail = todo(json!({ "action": "fail", "id": "t1", "reason": "nobody has the key" }));
    calls([add("Reach the archive"), fail])
}

#[test]
fn a_failure_that_the_person_lets_stand_holds_nothing_up_any_more() {
    let said = [a_failed_todo(), says("Everything went well."), says("It rains.")];
    let steps = [Step::AcceptAnyway, Step::Say("And the weather?".into())];
    let world = play(usual(), &said, &steps);
    assert_eq!(statuses(&world), [DecisionStatus::Failed, DecisionStatus::Accepted]);
}

#[test]
fn a_model_that_asks_what_to_do_about_a_failure_may_say_so() {
    let asks = says("The archive cannot be reached: nobody has the key. What now?");
    let world = play(usual(), &[a_failed_todo(), asks], &[]);
    assert_eq!(statuses(&world), [DecisionStatus::Blocked]);
}
