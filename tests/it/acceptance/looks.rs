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
