//! What a rewind does to files, as it is told.

use super::*;
use rstest::rstest;

fn conflict(n: usize) -> Conflict {
    let path = AliasPath::parse(&format!("@project/{n}")).unwrap();
    Conflict { path, reason: ConflictReason::Changed, message: None }
}

fn restore(back: usize, gone: usize, stay: usize) -> Restore {
    let file = |n: usize| FileChange {
        path: AliasPath::parse(&format!("@project/f{n}")).unwrap(),
        pre_hash: Some("now".to_owned()),
        post_hash: (n < back).then(|| "then".to_owned()),
        replaces_others: false,
    };
    Restore {
        files: (0..back + gone).map(file).collect(),
        conflicts: (0..stay).map(conflict).collect(),
        as_of: None,
    }
}

#[rstest]
#[case(0, 0, 0, "")]
#[case(1, 0, 0, "1 file goes back")]
#[case(2, 1, 1, "2 files go back, 1 file is removed, 1 file stays as it is")]
#[case(0, 3, 2, "3 files are removed, 2 files stay as they are")]
fn a_restore_is_summed_up_in_one_line(
    #[case] back: usize,
    #[case] gone: usize,
    #[case] stay: usize,
    #[case] words: &str,
) {
    assert_eq!(restore(back, gone, stay).summary(), words);
}

#[test]
fn each_file_is_told_in_a_line_of_its_own() {
    let Restore { mut files, conflicts, .. } = restore(1, 1, 1);
    files[1].replaces_others = true;
    let told = [
        "@project/f0 goes back",
        "@project/f1 is removed, although someone else changed it",
        "@project/0 stays: someone else changed it",
    ];
    let said = lines(&files, &conflicts);
    assert_eq!(said.iter().map(Phrase::english).collect::<Vec<_>>(), told);
}

#[test]
fn other_bytes_other_files_and_other_reasons_are_not_what_was_shown() {
    let shown = restore(1, 1, 1);
    let later = Restore { as_of: Some(Time::from_millis(1)), ..shown.clone() };
    assert!(later.is_as_shown(&shown));
    let mut bytes = shown.clone();
    bytes.files[0].pre_hash = Some("newer".to_owned());
    let mut reason = shown.clone();
    reason.conflicts[0].reason = ConflictReason::NotKept;
    for other in [restore(1, 2, 1), restore(1, 1, 0), bytes, reason] {
        assert!(!other.is_as_shown(&shown), "{other:?}");
    }
}

#[test]
fn a_result_names_no_more_than_a_model_can_read() {
    let mut result = json!({});
    restore(150, 0, 101).describe(&mut result);
    assert_eq!(result["restored"].as_array().unwrap().len(), 100);
    assert_eq!((&result["restoredMore"], &result["conflictsMore"]), (&json!(50), &json!(1)));
}
