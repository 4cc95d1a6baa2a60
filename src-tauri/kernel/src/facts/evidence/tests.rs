use super::*;
use serde_json::{Value, json};

const A: &str = "@project/a.md";

fn evidence(facts: &[Value]) -> Evidence {
    let mut evidence = Evidence::default();
    for (seq, fact) in (1..).zip(facts) {
        evidence.apply(seq, &serde_json::from_value(fact.clone()).unwrap());
    }
    evidence
}

fn path(text: &str) -> AliasPath {
    text.parse().unwrap()
}

fn written(sha256: &str) -> Value {
    json!({ "kind": "file_written", "path": A, "sha256": sha256 })
}

fn checked(check: &str, outcome: &str, sha256: &str) -> Value {
    json!({ "kind": "verification", "path": A, "sha256": sha256, "outcome": outcome,
            "scope": "artifact:a.md", "check": check, "expected": ["x"] })
}

fn is_verified(facts: &[Value]) -> bool {
    let evidence = evidence(facts);
    evidence.of(&path(A)).is_some_and(|known| evidence.is_verified(known))
}

#[test]
fn a_check_counts_for_the_bytes_it_saw() {
    assert!(is_verified(&[written("1"), checked("readback", "passed", "1")]));
    assert!(!is_verified(&[written("1"), checked("readback", "passed", "2"), written("1")]));
    assert!(!is_verified(&[checked("content", "passed", "1"), written("1")]), "it is older");
    assert!(!is_verified(&[written("1")]));
    let foreign = json!({ "kind": "file_foreign_change", "path": A, "sha256": "2" });
    assert!(!is_verified(&[written("1"), checked("content", "passed", "1"), foreign]));
}

#[test]
fn fail_pass_fail_is_a_failure() {
    let all = [
        written("1"),
        checked("content", "failed", "1"),
        checked("content", "passed", "1"),
        checked("content", "failed", "1"),
    ];
    assert!(is_verified(&all[..3]));
    assert!(!is_verified(&all));
    assert!(evidence(&all).of(&path(A)).unwrap().failed_check().is_some());
}

#[test]
fn that_a_file_is_there_does_not_answer_what_it_should_hold() {
    let failed = [written("1"), checked("content", "failed", "1")];
    for weaker in ["existence", "readback"] {
        let looked = [failed.as_slice(), &[checked(weaker, "passed", "1")]].concat();
        assert!(!is_verified(&looked), "{weaker}");
    }
    let rewritten =
        [failed.as_slice(), &[written("2"), checked("existence", "passed", "2")]].concat();
    assert!(is_verified(&rewritten));
}

#[test]
fn the_same_content_again_does_not_open_a_file_anew() {
    let noop = json!({ "kind": "file_noop", "path": A, "sha256": "1" });
    assert!(is_verified(&[written("1"), checked("readback", "passed", "1"), noop.clone()]));
    // Nor does it close one.
    assert!(!is_verified(&[written("1"), noop]));
}

#[test]
fn only_a_command_answers_for_all_files_and_only_for_what_came_before_it() {
    let command = json!({ "kind": "verification", "outcome": "passed", "scope": "workspace" });
    assert!(is_verified(&[written("1"), command.clone()]));
    assert!(!is_verified(&[command.clone(), written("1")]));
    assert!(!is_verified(&[written("1"), command.clone(), written("2")]));
    let foreign = json!({ "kind": "file_foreign_change", "path": A, "sha256": "2" });
    assert!(!is_verified(&[written("1"), command, foreign]));
    // A model that reads one file "for the workspace" has read one file.
    let read = json!({ "kind": "verification", "path": "@project/b.md", "sha256": "b",
        "outcome": "passed", "scope": "workspace", "check": "content" });
    assert!(!is_verified(&[written("1"), read]));
}

#[test]
fn what_is_known_of_a_file_moves_and_goes_with_it() {
    let moved = json!({ "kind": "file_moved", "path": "@project", "to": "@project/old" });
    let known = evidence(&[written("1"), checked("readback", "passed", "1"), moved]);
    assert!(!known.is_there(&path(A)));
    let there = known.of(&path("@project/old/a.md")).unwrap();
    assert!(known.is_verified(there));
    let gone = json!({ "kind": "file_deleted", "path": "@project/old" });
    let mut known = known;
    known.apply(9, &serde_json::from_value(gone).unwrap());
    assert!(!known.is_there(&path("@project/old/a.md")));
    assert_eq!(known.written_since(0).count(), 0);
}

#[test]
fn a_file_that_was_looked_for_in_vain_is_not_there() {
    let none =
        json!({ "kind": "verification", "path": A, "outcome": "failed", "check": "existence" });
    assert!(!evidence(&[written("1"), none]).is_there(&path(A)));
    let wrong = checked("content", "failed", "1");
    assert!(evidence(&[wrong]).is_there(&path(A)), "a file with other words is there");
}

#[test]
fn nobody_has_to_look_at_what_the_runtime_brought_back() {
    let back = json!({ "kind": "file_written", "path": A, "sha256": "0", "outcome": "restored" });
    let known = evidence(&[written("1"), back]);
    assert_eq!(known.written_since(0).count(), 0);
    assert!(known.is_there(&path(A)));
}
