//! What a person is shown before they allow a write.

use super::fixture::Fixture;
use kernel::code::ErrorCode;
use kernel::effect::{Permit, Preview};
use kernel::event::ChangeProposed;
use serde_json::json;

#[test]
fn a_preview_is_what_prepare_says_with_the_difference_and_changes_nothing() {
    let fixture = Fixture::new();
    fixture.put("project/a.md", "one\ntwo\n");
    let args = json!({ "path": "@project/a.md", "content": "one\nTWO\n" });
    let preview = fixture.host.preview(&fixture.permit("fs.write", &args, None)).unwrap();
    let prepared = fixture.prepare("fs.write", &args).unwrap();
    assert_eq!(preview.began.pre_hash, prepared.pre_hash);
    assert_eq!(preview.began.post_hash, prepared.post_hash);
    assert_eq!(preview.summary, "+1 −1 lines");
    assert!(preview.diff.contains("@project/a.md") && preview.diff.contains("-two\n+TWO\n"));
    assert_eq!(fixture.get("project/a.md"), "one\ntwo\n");
}

#[test]
fn what_was_previewed_is_what_is_written() {
    let fixture = Fixture::new();
    fixture.put("project/a.md", "one\r\ntwo\r\n");
    let patch = json!({ "operation": "replace", "old": "two", "new": "2\n3" });
    let args = json!({ "path": "@project/a.md", "patch": patch });
    let preview = fixture.host.preview(&fixture.permit("fs.apply_patch", &args, None)).unwrap();
    let post_hash = preview.began.post_hash.clone();
    let called = fixture.perform("fs.apply_patch", &args, Some(preview.began));
    assert_eq!(called.result["sha256After"].as_str(), post_hash.as_deref());
}

#[test]
fn a_new_file_is_shown_whole_and_not_made() {
    let fixture = Fixture::new();
    let args = json!({ "path": "@project/deep/new.md", "content": "a\nb\n" });
    let preview = fixture.host.preview(&fixture.permit("fs.write", &args, None)).unwrap();
    assert_eq!((preview.summary.as_str(), preview.began.pre_hash), ("new file, 2 lines", None));
    assert!(fixture.names("project").is_empty());
}

#[test]
fn a_write_that_cannot_be_is_refused_before_anybody_is_asked() {
    let fixture = Fixture::new();
    let refused = |path: &str| {
        let args = json!({ "path": path, "content": "x" });
        fixture.host.preview(&fixture.permit("fs.write", &args, None)).unwrap_err().code
    };
    assert_eq!(refused("@pkg/a.md"), ErrorCode::SandboxViolation);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(fixture.real("outside"), fixture.real("project/link")).unwrap();
        assert_eq!(refused("@project/link/a.md"), ErrorCode::SandboxViolation);
    }
}

#[test]
fn a_preview_shows_no_real_path() {
    let fixture = Fixture::new();
    let real = fixture.real("project/a.md").to_string_lossy().into_owned();
    fixture.put("project/a.md", format!("see {real}\n"));
    let args = json!({ "path": "@project/a.md", "content": "see nothing\n" });
    let preview = fixture.host.preview(&fixture.permit("fs.write", &args, None)).unwrap();
    assert!(!preview.diff.contains(&real), "{}", preview.diff);
    assert!(preview.diff.contains("-see ⟦folder:project⟧/a.md"), "{}", preview.diff);
}

#[test]
fn a_move_says_where_to_and_a_deletion_what_is_lost() {
    let fixture = Fixture::new();
    fixture.put("project/docs/a.md", "one\n").put("project/docs/b.md", "two\n");
    let preview = |tool: &str, args: serde_json::Value| {
        fixture.host.preview(&fixture.permit(tool, &args, None)).unwrap()
    };
    let moved = preview("fs.move", json!({ "from": "@project/docs/a.md", "to": "@project/c.md" }));
    assert_eq!(moved.summary, "moves it to @project/c.md; it holds 1 lines");
    let chinese = kernel::words::say(&moved.parts, kernel::words::Lang::Zh);
    assert_eq!(chinese, "移动到 @project/c.md；内容共 1 行");
    let deleted = preview("fs.delete", json!({ "path": "@project/docs", "recursive": true }));
    assert!(deleted.summary.starts_with("deletes 2 files, 8 B: "), "{}", deleted.summary);
    assert!(deleted.summary.contains("@project/docs/a.md"), "{}", deleted.summary);
    assert_eq!(fixture.names("project/docs"), ["a.md", "b.md"]);
}

#[test]
fn a_move_shows_what_will_lie_there() {
    let fixture = Fixture::new();
    fixture.put("project/artifacts/x.txt", "on: push\nrun: evil\n");
    fixture.put("project/d/a.md", "a").put("project/d/deep/b.md", "b");
    fixture.put("project/long.txt", "x\n".repeat(60_000)).put("project/image", [0xff, 0, 1]);
    let preview = |from: &str, to: &str| {
        let args = json!({ "from": format!("@project/{from}"), "to": format!("@project/{to}") });
        fixture.host.preview(&fixture.permit("fs.move", &args, None)).unwrap()
    };
    let hook = preview("artifacts/x.txt", ".github/workflows/x.yml");
    assert!(hook.diff.contains("+++ @project/.github/workflows/x.yml\n"), "{}", hook.diff);
    assert!(hook.diff.ends_with("+on: push\n+run: evil\n") && !hook.cut, "{}", hook.diff);
    let folder = preview("d", "e");
    assert!(folder.diff.ends_with("+@project/e/a.md\n+@project/e/deep/b.md\n"), "{}", folder.diff);
    assert_eq!(folder.summary, "moves it to @project/e; 2 files, as listed");
    let long = preview("long.txt", "Makefile");
    assert!(long.cut && long.diff.len() < 70_000);
    // Nobody saw it: a yes has to say so.
    let unseen = preview("image", ".husky/pre-push");
    assert!(unseen.cut && unseen.diff.is_empty());
    assert!(unseen.summary.ends_with("what it holds cannot be shown; 3 B"));
}

/// As it would be journaled.
fn change_of(permit: &Permit, preview: &Preview) -> ChangeProposed {
    let change = json!({
        "changeId": "c1", "tool": permit.tool().name, "args": permit.args().to_string(),
        "preHash": preview.began.pre_hash, "postHash": preview.began.post_hash,
        "path": permit.path(), "callId": permit.call_id(), "summary": preview.summary,
        "diff": preview.diff, "cut": preview.cut, "undoesCompletion": false,
    });
    serde_json::from_value(change).unwrap()
}

#[test]
fn a_long_move_and_a_long_deletion_are_opened_whole() {
    let fixture = Fixture::new();
    let long = "a line\n".repeat(20_000);
    fixture.put("project/long.txt", &long);
    let name = "n".repeat(150);
    for n in 0..600 {
        fixture.put(&format!("project/old/{name}{n}.md"), "x");
    }
    let whole = |tool: &str, args: serde_json::Value| {
        let permit = fixture.permit(tool, &args, None);
        let preview = fixture.host.preview(&permit).unwrap();
        assert!(preview.cut, "{}", preview.summary);
        let change = change_of(&permit, &preview);
        fixture.host.whole_diff(&permit, &change)
    };
    let to = "@project/AGENTS.md";
    let moved = whole("fs.move", json!({ "from": "@project/long.txt", "to": to })).unwrap();
    assert_eq!(moved.lines().filter(|line| *line == "+a line").count(), 20_000);
    let gone = whole("fs.delete", json!({ "path": "@project/old", "recursive": true })).unwrap();
    assert_eq!(gone.lines().filter(|line| line.starts_with("-@project/old/n")).count(), 600);
}
