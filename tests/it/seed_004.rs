//! The acceptance criteria of verification, which are known as `seed_004` (spec 05 "Verification"),
//! each by its name: what writes, reads and globs say of themselves, and which facts follow. A whole
//! engine, the real tools, real files.
//!
//! Deliberately not here: what is decided on facts (todos, continue, the final decision).

use crate::world::{Script, Scripted, Way, World};
use kernel::engine::Limits;
use kernel::event::{CallEnded, Event, Fact, FactKind};
use kernel::policy::ApproveWrites;
use kernel::text::sha256_hex;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const NOTE: &str = "@project/docs/note.md";

/// One call, as a model makes it.
type Call = (&'static str, Value);

fn mini() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/packages/mini")
}

/// A run in which the model makes these calls, one a reply, then says it is done.
/// Nobody is asked: these are about what a write proves, not about who allows it.
fn made_in(way: Way, limits: Limits, calls: &[Call], prepare: impl FnOnce(&Path)) -> World {
    let limits = Limits { approve_writes: ApproveWrites::Auto, ..limits };
    let mut script: Vec<Value> = calls
        .iter()
        .map(|(name, arguments)| json!({ "calls": [{ "name": name, "arguments": arguments }] }))
        .collect();
    // What it claims may be refused, until nobody asks it any more.
    let claim = json!({ "text": "I have written everything and verified it." });
    script.extend(std::iter::repeat_n(claim, 5));
    let script: Vec<Scripted> = serde_json::from_value(json!(script)).unwrap();
    let mut world = World::new(&mini(), Script::Replies(script), Vec::new(), way, limits);
    prepare(&world.project);
    world.play(None, None);
    world
}

/// The same where only what is asked for is verified (`acceptance.verifyAfterWrite: explicit`).
fn made(calls: &[Call]) -> Vec<CallEnded> {
    made_with(calls, |_| {})
}

fn made_with(calls: &[Call], prepare: impl FnOnce(&Path)) -> Vec<CallEnded> {
    let limits = Limits { verify_after_write: false, ..Limits::default() };
    ended(&made_in(Way::Straight, limits, calls, prepare))
}

fn ended(world: &World) -> Vec<CallEnded> {
    let ended = world.events().filter_map(|event| match event {
        Event::CallEnded(ended) => Some(ended.clone()),
        _ => None,
    });
    ended.collect()
}

fn write(content: &str, more: &Value) -> Call {
    let mut arguments = json!({ "path": NOTE, "content": content });
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    ("fs_write", arguments)
}

fn put(project: &Path, rel: &str, text: &str) {
    let file = project.join(rel);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
}

fn kinds(call: &CallEnded) -> Vec<FactKind> {
    call.facts.iter().map(|fact| fact.kind).collect()
}

/// The only verification among the facts of a call.
fn verified(call: &CallEnded) -> &Fact {
    let mut found = call.facts.iter().filter(|fact| fact.kind == FactKind::Verification);
    let fact = found.next().unwrap_or_else(|| panic!("nothing was verified: {call:#?}"));
    assert!(found.next().is_none(), "one file, one verification: {call:#?}");
    fact
}

fn outcome(call: &CallEnded) -> &str {
    verified(call).outcome.as_deref().unwrap()
}

// "Given a workspace file write with verify_after_write=true, when the content read back is equal,
// the tool yields VerificationPerformed=true and VerificationPassed=true."

#[test]
fn seed_004_verify_after_write_reads_back_and_yields_performed_and_passed() {
    let calls = made(&[write("one\n", &json!({ "verify_after_write": true }))]);
    let [written] = &calls[..] else { panic!("one call") };
    let told = &written.result["verification"];
    assert_eq!((&told["performed"], &told["passed"]), (&json!(true), &json!(true)));
    assert_eq!(kinds(written), [FactKind::FileWritten, FactKind::Verification]);
    let hash = Some(sha256_hex(b"one\n"));
    assert_eq!((outcome(written), &verified(written).sha256), ("passed", &hash));
    assert_eq!(written.facts[0].sha256, hash, "the verification is of what was written");
}

#[test]
fn seed_004_verify_after_write_holds_for_patches_and_for_text_that_is_appended() {
    let patch = json!({
        "path": NOTE, "operation": "replace", "old": "one", "new": "two",
        "verify_after_write": true,
    });
    let append = write("more\n", &json!({ "mode": "append", "verify_after_write": true }));
    let calls = made_with(&[("fs_apply_patch", patch), append], |project| {
        put(project, "docs/note.md", "one\n");
    });
    let hashes: Vec<_> = calls.iter().map(|call| verified(call).sha256.clone().unwrap()).collect();
    assert_eq!(hashes, [sha256_hex(b"two\n"), sha256_hex(b"two\nmore\n")]);
    assert!(calls.iter().all(|call| outcome(call) == "passed"));
}

#[test]
fn seed_004_verify_after_write_is_the_settings_default_and_an_argument_overrules_it() {
    let calls = [write("one\n", &json!({})), write("2\n", &json!({ "verify_after_write": false }))];
    let world = made_in(Way::Straight, Limits::default(), &calls, |_| {});
    let [by_setting, declined] = &ended(&world)[..] else { panic!("two calls") };
    assert_eq!(outcome(by_setting), "passed");
    assert_eq!(kinds(declined), [FactKind::FileWritten], "unverified is what it asked to be");
}

// "Given the same content is written to the same path again, the runtime recognises a noop_write
// and does not reopen unverified_write."

#[test]
fn seed_004_noop_write_does_not_count_as_a_write() {
    let calls = made(&[write("one\n", &json!({})), write("one\n", &json!({}))]);
    let [first, again] = &calls[..] else { panic!("two calls") };
    assert_eq!((kinds(first), first.result.get("noop_write")), (vec![FactKind::FileWritten], None));
    assert_eq!(kinds(again), [FactKind::FileNoop], "no file_written that would want verifying");
    assert_eq!(again.result["noop_write"], true);
    assert_eq!(again.result["bytesWritten"], 0);
}

#[test]
fn seed_004_noop_write_does_not_touch_the_file() {
    let mut before = None;
    let calls = [write("one\n", &json!({ "verify_after_write": true }))];
    let world = made_in(Way::Straight, Limits::default(), &calls, |project| {
        put(project, "docs/note.md", "one\n");
        let file = std::fs::File::open(project.join("docs/note.md")).unwrap();
        let long_ago = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1);
        file.set_modified(long_ago).unwrap();
        before = Some(long_ago);
    });
    let after = std::fs::metadata(world.project.join("docs/note.md")).unwrap().modified().unwrap();
    assert_eq!(Some(after), before);
}

#[test]
fn seed_004_noop_write_can_still_be_verified() {
    let again = write("one\n", &json!({ "verify_after_write": true }));
    let calls = made(&[write("one\n", &json!({})), again]);
    assert_eq!(kinds(&calls[1]), [FactKind::FileNoop, FactKind::Verification]);
    assert_eq!(
        (outcome(&calls[1]), &verified(&calls[1]).sha256),
        ("passed", &calls[0].facts[0].sha256)
    );
}

#[test]
fn seed_004_noop_write_does_not_hide_other_content_of_the_same_length() {
    let calls = made(&[write("one\n", &json!({})), write("two\n", &json!({}))]);
    assert_eq!(kinds(&calls[1]), [FactKind::FileWritten]);
    assert_eq!(calls[1].facts[0].sha256, Some(sha256_hex(b"two\n")));
}

#[test]
fn seed_004_noop_write_after_a_verified_one_leaves_the_verification_the_newest_word() {
    let verify = json!({ "verify_after_write": true });
    let calls = made(&[write("one\n", &verify), write("one\n", &json!({}))]);
    let facts: Vec<&Fact> = calls.iter().flat_map(|call| &call.facts).collect();
    let last = |kind| facts.iter().rposition(|fact| fact.kind == kind).unwrap();
    assert!(last(FactKind::Verification) > last(FactKind::FileWritten), "{facts:#?}");
    assert_eq!(facts[last(FactKind::Verification)].sha256, facts[last(FactKind::FileNoop)].sha256);
}

// "filesystem_read_file: expect_contains."

#[test]
fn seed_004_expect_contains_passes_iff_the_whole_file_holds_every_text() {
    let read = |tokens: Value| ("fs_read", json!({ "path": NOTE, "expect_contains": tokens }));
    let calls = [read(json!(["begin", "the end"])), read(json!(["begin", "absent"]))];
    let long = format!("begin\n{}\nthe end\n", "x".repeat(600 * 1024));
    let calls = made_with(&calls, |project| put(project, "docs/note.md", &long));
    let [there, not_there] = &calls[..] else { panic!("two calls") };
    assert_eq!(there.result["truncated"], true, "what is looked for lies beyond what is shown");
    assert_eq!(outcome(there), "passed");
    assert_eq!((not_there.ok, outcome(not_there)), (true, "failed"), "a fact, no tool error");
    assert_eq!(not_there.result["verification"]["missing"], json!(["absent"]));
    assert_eq!(verified(there).sha256, Some(sha256_hex(long.as_bytes())));
}

#[test]
fn seed_004_expect_contains_of_blank_texts_is_an_invalid_argument() {
    for tokens in [json!(["  "]), json!(["one", "\n"]), json!([])] {
        let read = ("fs_read", json!({ "path": NOTE, "expect_contains": tokens }));
        let calls = made_with(&[read], |project| put(project, "docs/note.md", "one\n"));
        assert_eq!(calls[0].result["error"]["code"], "E_INVALID_ARGS", "{tokens}");
        assert_eq!(kinds(&calls[0]), [FactKind::ToolError], "nothing was verified");
    }
}

// "filesystem_glob: expect_min_matches."

#[test]
fn seed_004_expect_min_matches_passes_when_enough_files_exist_and_names_each() {
    let glob = |min: u32| ("fs_glob", json!({ "pattern": "docs/*.md", "expect_min_matches": min }));
    let calls = made_with(&[glob(2), glob(3)], |project| {
        put(project, "docs/a.md", "a");
        put(project, "docs/b.md", "b");
    });
    let checks = |call: &CallEnded| -> Vec<(String, String, String)> {
        let facts = call.facts.iter().filter(|fact| fact.kind == FactKind::Verification);
        let row = |f: &Fact| {
            let path = f.path.as_ref().unwrap().to_string();
            (path, f.outcome.clone().unwrap(), f.sha256.clone().unwrap())
        };
        facts.map(row).collect()
    };
    let row = |file: &str, outcome: &str| {
        let hash = sha256_hex(file.as_bytes());
        (format!("@project/docs/{file}.md"), outcome.to_owned(), hash)
    };
    assert_eq!(checks(&calls[0]), [row("a", "passed"), row("b", "passed")]);
    assert_eq!(checks(&calls[1]), [row("a", "failed"), row("b", "failed")]);
}

#[test]
fn seed_004_expect_min_matches_of_zero_hits_fails_and_proves_no_file() {
    let glob = ("fs_glob", json!({ "pattern": "docs/*.md", "expect_min_matches": 1 }));
    let calls = made(&[glob]);
    assert_eq!((&calls[0].result["count"], outcome(&calls[0])), (&json!(0), "failed"));
    assert_eq!(verified(&calls[0]).sha256, None);
    assert!(!kinds(&calls[0]).contains(&FactKind::FileRead));
}

// "verification_scope."

#[test]
fn seed_004_verification_scope_is_the_file_itself_or_what_was_asked_for_and_no_real_path() {
    let verify = |scope: &str| {
        write(scope, &json!({ "verify_after_write": true, "verification_scope": scope }))
    };
    let calls = made(&[
        write("plain", &json!({ "verify_after_write": true })),
        verify("workspace"),
        verify("artifact:@project/docs/./note.md"),
    ]);
    let scopes: Vec<_> =
        calls.iter().map(|call| verified(call).scope.as_deref().unwrap()).collect();
    assert_eq!(scopes, ["artifact:docs/note.md", "workspace", "artifact:docs/note.md"]);
}

#[test]
fn seed_004_verification_scope_of_another_file_or_of_nothing_is_refused() {
    for scope in ["artifact:docs/other.md", "artifact:/etc/passwd", "everything", ""] {
        let more = json!({ "verify_after_write": true, "verification_scope": scope });
        let calls = made(&[write("one\n", &more)]);
        assert_eq!(calls[0].result["error"]["code"], "E_INVALID_ARGS", "{scope}");
    }
}

#[test]
fn seed_004_verification_scope_of_a_glob_holds_only_for_a_file_it_found() {
    let glob = |named: &str| {
        let scope = format!("artifact:docs/{named}");
        let check = json!({
            "pattern": "docs/*.md", "expect_min_matches": 1, "verification_scope": scope,
        });
        ("fs_glob", check)
    };
    let calls = made_with(&[glob("note.md"), glob("missing.md")], |project| {
        put(project, "docs/note.md", "one\n");
    });
    assert_eq!(calls[0].result["verification"]["passed"], true);
    assert_eq!(calls[1].result["verification"]["passed"], false, "{}", calls[1].result);
}

// "When the new verification arguments are not passed, reading, writing and globbing stay as they
// were."

#[test]
fn seed_004_without_the_new_arguments_results_and_facts_are_as_they_were() {
    let keys = |call: &CallEnded| {
        call.result.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ")
    };
    let calls = made(&[
        write("one\n", &json!({})),
        ("fs_read", json!({ "path": NOTE })),
        ("fs_glob", json!({ "pattern": "docs/*.md" })),
        ("fs_glob", json!({ "pattern": "nothing/*.md" })),
    ]);
    let [written, read, found, nothing] = &calls[..] else { panic!("four calls") };
    assert_eq!(keys(written), "ok path bytesWritten created sha256After diffstat");
    assert_eq!(keys(read), "ok path bytes sha256 totalLines truncated content");
    assert_eq!(keys(found), "ok path pattern paths count");
    assert_eq!(keys(nothing), keys(found), "nothing found is an answer, no error");
    let facts: Vec<FactKind> = calls.iter().flat_map(kinds).collect();
    let listed = FactKind::FileListed;
    assert_eq!(facts, [FactKind::FileWritten, FactKind::FileRead, listed, listed]);
}

// "required_next_actions are executable, never placeholders": what tools tell is enough to write
// the next call out in full, and doing it on a correct project proves the file.

/// A call that verifies a write, made of the write's own facts and arguments and nothing else.
fn next_action(written: &CallEnded, expected: Option<&str>) -> Call {
    let fact = &written.facts[0];
    let path = fact.path.as_ref().unwrap();
    let scope = format!("artifact:{}", path.rel());
    match expected {
        Some(text) => (
            "fs_read",
            json!({ "path": path, "expect_contains": [text], "verification_scope": scope }),
        ),
        None => (
            "fs_glob",
            json!({ "pattern": path, "expect_min_matches": 1, "verification_scope": scope }),
        ),
    }
}

#[test]
fn seed_004_next_action_for_known_content_is_a_read_that_passes_on_the_newest_content() {
    let writes = [write("one\n", &json!({})), write("two\n", &json!({}))];
    let newest = made(&writes).pop().unwrap();
    let mut calls = writes.to_vec();
    calls.push(next_action(&newest, Some("two")));
    let proof = made(&calls).pop().unwrap();
    assert_eq!((outcome(&proof), &verified(&proof).sha256), ("passed", &newest.facts[0].sha256));
    assert_eq!(verified(&proof).path, newest.facts[0].path);
}

#[test]
fn seed_004_next_action_for_unknown_content_is_a_glob_that_passes_on_a_correct_file() {
    let patch = json!({ "path": NOTE, "patch": "@@\n-one\n+two\n" });
    let prepare = |project: &Path| put(project, "docs/note.md", "one\n");
    let patched = made_with(&[("fs_apply_patch", patch.clone())], prepare).pop().unwrap();
    let calls = [("fs_apply_patch", patch), next_action(&patched, None)];
    let proof = made_with(&calls, prepare).pop().unwrap();
    assert_eq!((outcome(&proof), &verified(&proof).sha256), ("passed", &patched.facts[0].sha256));
    assert_eq!(verified(&proof).path, patched.facts[0].path);
}

#[test]
fn seed_004_next_action_a_refusal_names_can_be_made_as_it_stands() {
    let to_write = json!({ "currentNodeId": { "set": "write" } });
    let to_end =
        json!({ "currentNodeId": { "set": "done" }, "stepsCompleted": { "append": ["done"] } });
    let reopen = json!({ "variables": { "set": { "workflowStatus": "open" } } });
    let patch = |update: &Value| {
        let patch = json!({ "operation": "updateFrontmatter", "update": update });
        ("fs_apply_patch", json!({ "path": "@state/workflow.md", "patch": patch }))
    };
    let note = json!({ "path": "@project/artifacts/note.md", "content": "Rain." });
    let calls = [patch(&to_write), ("fs_write", note), patch(&to_end), patch(&reopen)];
    let refused = made(&calls).pop().unwrap();
    let mut ask = refused.result["error"]["details"]["ask"].clone();
    assert!(!ask.to_string().contains(['<', '…']), "a placeholder: {ask}");
    let tool = ask.as_object_mut().unwrap().remove("tool").unwrap();
    assert_eq!(tool, "ui_ask_user");
    let asked = [&calls[..], &[("ui_ask_user", ask)]].concat();
    let asked = made(&asked).pop().unwrap();
    assert!(asked.ok, "{}", asked.result);
}

#[test]
fn seed_004_next_action_in_the_words_of_a_refusal_is_no_placeholder() {
    let state = "@state/workflow.md";
    let calls: Vec<Call> = vec![
        ("fs_read", json!({ "path": "@project/missing.md" })),
        ("fs_read", json!({ "path": "@project/.env" })),
        ("fs_read", json!({ "path": "/etc/passwd" })),
        ("fs_read", json!({ "path": NOTE, "expect_contains": [""] })),
        ("fs_write", json!({ "path": "@pkg/x.md", "content": "x" })),
        write("x", &json!({ "ifMatchSha256": "0".repeat(64) })),
        write(&"x".repeat(5_000), &json!({})),
        ("fs_apply_patch", json!({ "path": NOTE, "patch": "no diff" })),
        ("fs_apply_patch", json!({ "path": NOTE, "operation": "replace", "old": "a", "new": "b" })),
        ("fs_move", json!({ "from": NOTE, "to": state })),
        ("fs_delete", json!({ "path": "@project/docs" })),
        ("fs_delete", json!({ "path": state })),
        ("workflow_rewind", json!({ "targetNodeId": "done", "confirmed": true })),
        ("no_such_tool", json!({})),
    ];
    let ended = made_with(&calls, |project| {
        put(project, "docs/note.md", "one\n");
        put(project, ".env", "KEY=1");
    });
    for call in &ended {
        let error = &call.result["error"];
        assert!(!call.ok, "{call:#?}");
        for text in [&error["message"], &error["action"]] {
            let text = text.as_str().unwrap_or_default();
            assert!(!text.contains("<expected") && !text.contains("TODO"), "{text}");
            assert!(!text.contains(['<', '>']), "{text}");
        }
    }
}

// What is behind the criteria: what counts as a fact, and of which file.

#[test]
fn seed_004_reads_checks_and_listings_are_never_a_write() {
    let calls = made_with(
        &[
            ("fs_read", json!({ "path": NOTE, "expect_contains": ["one"] })),
            ("fs_glob", json!({ "pattern": "**/*", "expect_min_matches": 1 })),
            ("fs_search", json!({ "path": "@project", "pattern": "one" })),
            ("fs_list", json!({ "path": "@project" })),
            ("fs_apply_patch", json!({ "path": NOTE, "patch": "@@\n-one\n+2\n", "dryRun": true })),
        ],
        |project| put(project, "docs/note.md", "one\n"),
    );
    let written = [FactKind::FileWritten, FactKind::FileMoved, FactKind::FileDeleted];
    let facts = calls.iter().flat_map(kinds).collect::<Vec<_>>();
    assert!(facts.iter().all(|kind| !written.contains(kind)), "{facts:?}");
    assert_eq!(kinds(&calls[4]), [], "a dry run proves nothing");
}

#[test]
fn seed_004_a_state_change_is_no_workspace_write() {
    let patch = json!({ "operation": "updateFrontmatter", "update": { "currentNodeId": { "set": "write" } } });
    let move_on = ("fs_apply_patch", json!({ "path": "@state/workflow.md", "patch": patch }));
    let asked = json!({ "widgetId": "w", "type": "confirmation", "message": "Shall I?" });
    let calls = made(&[move_on, ("ui_ask_user", asked)]);
    assert_eq!(kinds(&calls[0]), [FactKind::StateChanged]);
    assert_eq!(kinds(&calls[1]), []);
}

#[test]
fn seed_004_facts_name_one_file_one_way_however_it_was_spelt() {
    let spelt = json!({ "path": "@project/./docs//note.md", "content": "one\n" });
    let read = json!({ "path": "@project\\docs\\note.md", "expect_contains": ["one"] });
    let glob = json!({ "pattern": "./docs/note.md", "expect_min_matches": 1 });
    let calls = made(&[("fs_write", spelt), ("fs_read", read), ("fs_glob", glob)]);
    let verified = calls.iter().flat_map(|call| &call.facts);
    let files: Vec<String> = verified
        .filter(|fact| fact.kind != FactKind::FileListed)
        .map(|fact| fact.path.as_ref().unwrap().to_string())
        .collect();
    assert_eq!(files, [NOTE; 4]);
}

#[test]
fn seed_004_each_failure_is_a_fact_of_its_own() {
    let missing = ("fs_read", json!({ "path": "@project/missing.md" }));
    let calls = made(&[missing.clone(), missing]);
    let facts: Vec<&Fact> = calls.iter().flat_map(|call| &call.facts).collect();
    let row = |fact: &Fact| (fact.kind, fact.outcome.clone().unwrap());
    let one = (FactKind::ToolError, "ENOENT".to_owned());
    assert_eq!(facts.into_iter().map(row).collect::<Vec<_>>(), [one.clone(), one]);
}

#[test]
fn seed_004_fail_pass_fail_keeps_its_order() {
    let read = |text: &str| ("fs_read", json!({ "path": NOTE, "expect_contains": [text] }));
    let calls = made(&[
        write("one\n", &json!({})),
        read("two"),
        read("one"),
        write("two\n", &json!({})),
        read("one"),
    ]);
    let outcomes: Vec<&str> = [1, 2, 4].map(|n| outcome(&calls[n])).to_vec();
    assert_eq!(outcomes, ["failed", "passed", "failed"]);
    assert_ne!(verified(&calls[2]).sha256, calls[3].facts[0].sha256, "a rewrite outdates it");
}

#[test]
fn seed_004_words_of_the_model_are_no_fact() {
    let world = made_in(Way::Straight, Limits::default(), &[], |_| {});
    assert_eq!(kernel::snapshot::snapshot(&world.engine).unwrap().facts, []);
}

#[test]
fn seed_004_facts_are_the_same_after_a_restart_at_any_line() {
    let verify = json!({ "verify_after_write": true });
    let calls = [
        write("one\n", &verify),
        write("one\n", &verify),
        ("fs_glob", json!({ "pattern": "docs/*.md", "expect_min_matches": 1 })),
    ];
    let facts = |way: Way| {
        let world = made_in(way, Limits::default(), &calls, |_| {});
        let facts = kernel::snapshot::snapshot(&world.engine).unwrap().facts;
        facts.into_iter().map(|record| record.fact).collect::<Vec<_>>()
    };
    let straight = facts(Way::Straight);
    assert_eq!(straight.len(), 6);
    assert_eq!(facts(Way::Rebuilt), straight);
    assert_eq!(facts(Way::Crashed), straight);
}
