use super::*;
use crate::tool::{CallResult, facts_of, parse_call};
use serde_json::{Value, json};

fn facts(tool: &str, args: &Value, result: &Value) -> Vec<Fact> {
    let parsed = parse_call(tool, &args.to_string()).unwrap();
    facts_of(Some(&parsed), &CallResult::of(result))
}

fn path(text: &str) -> AliasPath {
    text.parse().unwrap()
}

fn checked(passed: bool, scope: &str) -> Value {
    json!({ "performed": true, "passed": passed, "scope": scope, "reason": "readback_match" })
}

#[test]
fn a_verified_write_is_two_facts_with_the_same_hash() {
    let args = json!({ "path": "@project/a.md", "content": "x" });
    let result = json!({ "ok": true, "path": "@project/a.md", "sha256After": "h",
        "verification": checked(true, "artifact:a.md") });
    let [written, verified] = facts("fs.write", &args, &result).try_into().unwrap();
    assert_eq!((written.kind, written.sha256.as_deref()), (FactKind::FileWritten, Some("h")));
    assert_eq!(verified.kind, FactKind::Verification);
    assert_eq!(
        (verified.path, verified.sha256.as_deref()),
        (Some(path("@project/a.md")), Some("h"))
    );
    assert_eq!(
        (verified.outcome.as_deref(), verified.scope.as_deref()),
        (Some("passed"), Some("artifact:a.md"))
    );
}

#[test]
fn a_failed_verification_is_a_fact_and_a_read_is_never_a_write() {
    let args = json!({ "path": "@project/a.md", "expect_contains": ["x"] });
    let result = json!({ "ok": true, "sha256": "h", "verification": checked(false, "workspace") });
    let kinds: Vec<_> =
        facts("fs.read", &args, &result).into_iter().map(|f| (f.kind, f.outcome)).collect();
    assert_eq!(
        kinds,
        [(FactKind::FileRead, None), (FactKind::Verification, Some("failed".to_owned()))]
    );
}

#[test]
fn a_glob_verifies_each_file_it_found_with_its_own_hash() {
    let args = json!({ "pattern": "*.md", "expect_min_matches": 1 });
    let mut check = checked(true, "workspace");
    check["files"] = json!([{ "path": "@project/a.md", "sha256": "1" }, { "path": "@project/b.md", "sha256": "2" }]);
    let found = facts("fs.glob", &args, &json!({ "ok": true, "verification": check }));
    let verified: Vec<_> = found.iter().filter(|f| f.kind == FactKind::Verification).collect();
    assert_eq!(verified.len(), 2);
    assert_eq!(
        (&verified[1].path, verified[1].sha256.as_deref()),
        (&Some(path("@project/b.md")), Some("2"))
    );
}

#[test]
fn a_glob_without_hits_proves_no_file() {
    let args = json!({ "pattern": "x.md", "expect_min_matches": 1 });
    let result =
        json!({ "ok": true, "paths": [], "verification": checked(false, "artifact:x.md") });
    let found = facts("fs.glob", &args, &result);
    assert_eq!(found[1].outcome.as_deref(), Some("failed"));
    assert_eq!((&found[1].path, &found[1].sha256), (&Some(path("@project/x.md")), &None));
    let plain =
        facts("fs.glob", &json!({ "pattern": "x.md" }), &json!({ "ok": true, "paths": [] }));
    assert_eq!(plain.iter().map(|f| f.kind).collect::<Vec<_>>(), [FactKind::FileListed]);
}

#[test]
fn moves_and_deletions_are_facts_of_their_own() {
    let args = json!({ "from": "@project/a", "to": "@project/b" });
    let found = facts("fs.move", &args, &json!({ "ok": true, "sha256": "h" }));
    assert_eq!(
        (found[0].kind, &found[0].path, &found[0].to),
        (FactKind::FileMoved, &Some(path("@project/a")), &Some(path("@project/b")))
    );
    let found = facts("fs.delete", &json!({ "path": "@project/a" }), &json!({ "ok": true }));
    assert_eq!((found[0].kind, &found[0].path), (FactKind::FileDeleted, &Some(path("@project/a"))));
}

#[test]
fn a_dry_run_proves_nothing_and_neither_does_a_claim_of_verification() {
    let args = json!({ "path": "@project/a", "operation": "replace", "old": "a", "new": "b", "dryRun": true });
    let result = json!({ "ok": true, "dryRun": true, "sha256After": "h", "verification": checked(true, "workspace") });
    assert_eq!(facts("fs.apply_patch", &args, &result), []);
    let ask = json!({ "widgetId": "w", "type": "feedback", "title": "t", "message": "m" });
    let claim = json!({ "ok": true, "verification": checked(true, "workspace") });
    assert_eq!(facts("ui.ask_user", &ask, &claim), []);
    let broken = json!({ "ok": true, "sha256": "h", "verification": { "passed": true } });
    assert_eq!(facts("fs.read", &json!({ "path": "@project/a" }), &broken).len(), 1);
}

#[test]
fn a_scope_is_written_one_way() {
    for (given, canonical) in [
        ("workspace", Some("workspace")),
        ("artifact:docs/a.md", Some("artifact:docs/a.md")),
        ("artifact: ./docs//a.md", Some("artifact:docs/a.md")),
        ("artifact:@project/docs/a.md", Some("artifact:docs/a.md")),
        ("artifact:@pkg/a.md", Some("artifact:@pkg/a.md")),
        ("artifact:../a.md", None),
        ("artifact:/etc/passwd", None),
        ("artifact:", None),
        ("a.md", None),
    ] {
        assert_eq!(
            VerificationScope::parse(given).map(|s| s.to_string()).as_deref(),
            canonical,
            "{given}"
        );
    }
}

#[test]
fn facts_and_begun_calls_of_older_journals_are_still_read() {
    let old = json!({ "kind": "file_written", "path": "@project/a", "sha256": "h" });
    let fact: Fact = serde_json::from_value(old.clone()).unwrap();
    assert_eq!(serde_json::to_value(fact).unwrap(), old, "and written the same");
    let began = json!({ "callId": "c", "preHash": null, "postHash": "h" });
    let event: crate::event::CallBegan = serde_json::from_value(began.clone()).unwrap();
    assert_eq!(event.pre_images, []);
    assert_eq!(serde_json::to_value(event).unwrap(), began);
}
