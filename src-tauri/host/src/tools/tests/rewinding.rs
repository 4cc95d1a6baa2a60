//! Files going back with a rewind, on a real disk.

use kernel::effect::{Began, Permit, Settled};
use kernel::path::AliasPath;
use kernel::restore::{ConflictReason, Restore, RestoreFile, Restored};
use kernel::text::sha256_hex;
use serde::Deserialize as _;
use serde_json::{Value, json};
use std::fs;
use tokio_util::sync::CancellationToken;

use super::fixture::Fixture;

/// A file to go back: what it was, and what the runtime left; empty is no file.
fn file(rel: &str, goal: &str, ours: &str) -> RestoreFile {
    let hash = |text: &str| (!text.is_empty()).then(|| sha256_hex(text.as_bytes()));
    let path = AliasPath::parse(&format!("@project/{rel}")).unwrap();
    RestoreFile { path, goal: hash(goal), ours: vec![hash(ours)], overwrite: false }
}

fn permit(f: &Fixture, files: &[RestoreFile], began: Option<Began>) -> Permit {
    let args = json!({ "targetNodeId": "n", "confirmed": true });
    f.permit("workflow.rewind", &args, began).restoring(files.to_vec())
}

/// What is prepared is what was found by who only looked, which kept nothing.
fn prepare(f: &Fixture, files: &[RestoreFile]) -> Began {
    let kept = || fs::read_dir(f.real("checkpoints")).map_or(0, std::iter::Iterator::count);
    let before = kept();
    let looked = f.host.look_back(&permit(f, files, None)).unwrap();
    assert_eq!(kept(), before, "looking keeps nothing");
    let began = f.host.prepare(&permit(f, files, None)).unwrap();
    assert_eq!(&looked, found(&began));
    began
}

fn found(began: &Began) -> &Restore {
    began.restore.as_ref().unwrap()
}

fn perform(f: &Fixture, files: &[RestoreFile], began: &Began) -> Restored {
    let permit = permit(f, files, Some(began.clone()));
    restored(&f.host.perform(&permit, &CancellationToken::new()).result)
}

fn restored(result: &Value) -> Restored {
    assert_eq!(result["ok"], true, "{result}");
    Restored::deserialize(result).unwrap()
}

fn write(f: &Fixture, rel: &str, content: &str) {
    let path = format!("@project/{rel}");
    let r = f.call("fs.write", &json!({ "path": path, "content": content }));
    assert_eq!(r["ok"], true, "{r}");
}

fn reasons(restore: &[kernel::restore::Conflict]) -> Vec<(&str, ConflictReason)> {
    restore.iter().map(|c| (c.path.rel(), c.reason)).collect()
}

/// Written over, made, deleted, moved: one of each.
fn at_work(f: &Fixture) -> Vec<RestoreFile> {
    f.put("project/a", "old").put("project/gone", "gone").put("project/from", "moves");
    f.put("project/box/x", "x");
    write(f, "a", "new");
    write(f, "made/b", "made");
    f.call("fs.delete", &json!({ "path": "@project/gone" }));
    f.call("fs.move", &json!({ "from": "@project/from", "to": "@project/to" }));
    f.call("fs.move", &json!({ "from": "@project/box", "to": "@project/chest" }));
    vec![
        file("a", "old", "new"),
        file("box/x", "x", ""),
        file("chest/x", "", "x"),
        file("from", "moves", ""),
        file("gone", "gone", ""),
        file("made/b", "", "made"),
        file("to", "", "moves"),
    ]
}

fn is_back(f: &Fixture) {
    for (rel, text) in [("a", "old"), ("gone", "gone"), ("from", "moves"), ("box/x", "x")] {
        assert_eq!(f.get(&format!("project/{rel}")), text, "{rel}");
    }
    for rel in ["made/b", "to", "chest/x"] {
        assert!(!f.real(&format!("project/{rel}")).exists(), "{rel}");
    }
    let left = f.names("project").into_iter().filter(|name| name.starts_with('.'));
    assert_eq!(left.collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn what_was_written_made_deleted_and_moved_is_as_it_was() {
    let f = Fixture::new();
    let files = at_work(&f);
    let began = prepare(&f, &files);
    assert_eq!(f.get("project/a"), "new", "preparing changes nothing");
    assert_eq!((found(&began).files.len(), found(&began).conflicts.len()), (7, 0));
    let done = perform(&f, &files, &began);
    is_back(&f);
    assert_eq!(done.restored.len(), 7);
    assert!(done.conflicts.is_empty());
    let removed = done.restored.iter().filter(|file| file.removed).map(|file| file.path.rel());
    assert_eq!(removed.collect::<Vec<_>>(), ["chest/x", "made/b", "to"]);
}

#[test]
fn what_a_rewind_takes_away_can_be_brought_back() {
    let f = Fixture::new();
    let files = at_work(&f);
    let began = prepare(&f, &files);
    perform(&f, &files, &began);
    for image in &began.pre_images {
        assert!(image.kept && f.host.checkpoints().read(&image.sha256).unwrap().is_some());
    }
    let undo = [file("a", "new", "old"), file("made/b", "made", ""), file("gone", "", "gone")];
    perform(&f, &undo, &prepare(&f, &undo));
    assert_eq!((f.get("project/a"), f.get("project/made/b")), ("new".into(), "made".into()));
    assert!(!f.real("project/gone").exists());
}

#[test]
fn a_file_someone_else_changed_stays_whether_before_or_while_it_is_prepared() {
    let f = Fixture::new();
    let files = at_work(&f);
    f.put("project/a", "by hand").put("project/gone", "made anew");
    let began = prepare(&f, &files);
    let changed = [("a", ConflictReason::Changed), ("gone", ConflictReason::Changed)];
    assert_eq!(reasons(&found(&began).conflicts), changed);
    f.put("project/to", "by hand too").put("project/from", "and this");
    let done = perform(&f, &files, &began);
    let all: Vec<&str> = reasons(&done.conflicts).into_iter().map(|(rel, _)| rel).collect();
    assert_eq!(all, ["a", "from", "gone", "to"]);
    for (rel, text) in [("a", "by hand"), ("gone", "made anew"), ("to", "by hand too")] {
        assert_eq!(f.get(&format!("project/{rel}")), text);
    }
    assert_eq!(f.get("project/box/x"), "x", "the others go back");
}

#[test]
fn what_someone_else_changed_goes_back_when_the_person_wants_it_and_is_kept() {
    let f = Fixture::new();
    let mut files = at_work(&f);
    files[0].overwrite = true;
    files[4].overwrite = true;
    f.put("project/a", "by hand").put("project/gone", "made anew");
    let began = prepare(&f, &files);
    assert!(found(&began).conflicts.is_empty());
    let theirs = found(&began).files.iter().filter(|file| file.replaces_others);
    assert_eq!(theirs.map(|file| file.path.rel()).collect::<Vec<_>>(), ["a", "gone"]);
    f.put("project/gone", "made anew again");
    let done = perform(&f, &files, &began);
    assert_eq!(reasons(&done.conflicts), [("gone", ConflictReason::Changed)], "not what was shown");
    assert_eq!(f.get("project/a"), "old");
    let kept = f.host.checkpoints().read(&sha256_hex(b"by hand")).unwrap();
    assert_eq!(kept.as_deref(), Some(&b"by hand"[..]));
}

#[test]
fn two_names_of_one_file_are_left_alone() {
    let f = Fixture::new();
    f.put("project/a", "x");
    let one = file("a", "", "x");
    let began = prepare(&f, &[one.clone(), one]);
    assert_eq!(reasons(&found(&began).conflicts), [("a", ConflictReason::Failed); 2]);
    assert_eq!(f.get("project/a"), "x");
}

#[test]
fn what_is_as_it_was_already_is_not_named() {
    let f = Fixture::new();
    let files = at_work(&f);
    f.put("project/a", "old");
    let began = prepare(&f, &files);
    assert!(found(&began).files.iter().all(|file| file.path.rel() != "a"));
    assert!(found(&began).conflicts.is_empty());
}

#[test]
fn what_may_not_be_written_and_what_was_not_kept_is_named_with_its_reason() {
    let mut f = Fixture::new();
    f.policy.allow_secret_files = true;
    f.put("project/.env", "KEY=1").put("project/private/a", "old").put("project/b", "old");
    write(&f, ".env", "KEY=2");
    write(&f, "private/a", "new");
    write(&f, "b", "new");
    f.put("project/.crewagentignore", "private/\n").put("project/.git/config", "mine");
    let files = [
        file(".env", "KEY=1", "KEY=2"),
        file(".git/config", "", "mine"),
        file("b", "old", "new"),
        file("private/a", "old", "new"),
    ];
    let began = prepare(&f, &files);
    let expected = [
        (".env", ConflictReason::NotKept),
        (".git/config", ConflictReason::NotAllowed),
        ("private/a", ConflictReason::NotAllowed),
    ];
    assert_eq!(reasons(&found(&began).conflicts), expected);
    perform(&f, &files, &began);
    assert_eq!((f.get("project/.env"), f.get("project/b")), ("KEY=2".into(), "old".into()));
    assert_eq!(
        (f.get("project/private/a"), f.get("project/.git/config")),
        ("new".into(), "mine".into())
    );

    f.policy.fs_enabled = false;
    let off = prepare(&f, &[file("b", "new", "old")]);
    assert_eq!(reasons(&found(&off).conflicts), [("b", ConflictReason::NotAllowed)]);
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    let f = Fixture::new();
    f.put("project/d/a", "old");
    write(&f, "d/a", "new");
    fs::rename(f.real("project/d"), f.real("outside/d")).unwrap();
    std::os::unix::fs::symlink(f.real("outside/d"), f.real("project/d")).unwrap();
    let began = prepare(&f, &[file("d/a", "old", "new")]);
    assert_eq!(reasons(&found(&began).conflicts), [("d/a", ConflictReason::NotAllowed)]);
    assert_eq!(f.get("outside/d/a"), "new");
}

#[test]
fn a_damaged_checkpoint_is_reported_and_the_file_stays() {
    let f = Fixture::new();
    f.put("project/a", "old");
    write(&f, "a", "new");
    let files = [file("a", "old", "new")];
    let began = prepare(&f, &files);
    fs::write(f.real(&format!("checkpoints/{}.zst", sha256_hex(b"old"))), "no zstd").unwrap();
    let done = perform(&f, &files, &began);
    assert_eq!(reasons(&done.conflicts), [("a", ConflictReason::Failed)]);
    assert_eq!(f.get("project/a"), "new");
}

fn settled(f: &Fixture, files: &[RestoreFile], began: &Began) -> Settled {
    f.host.settle(&permit(f, files, Some(began.clone())), began)
}

#[test]
fn many_files_go_back_together_and_each_by_itself() {
    const FILES: usize = 60;
    let f = Fixture::new();
    let name = |n: usize| format!("more/{}/{n}.md", n % 7);
    let before = |n: usize| if n.is_multiple_of(3) { String::new() } else { format!("before {n}") };
    let after = |n: usize| format!("after {}", n / 2);
    let files: Vec<RestoreFile> =
        (0..FILES).map(|n| file(&name(n), &before(n), &after(n))).collect();
    for n in 0..FILES {
        if !before(n).is_empty() {
            f.put(&format!("project/{}", name(n)), before(n));
        }
        write(&f, &name(n), &after(n));
    }
    f.put(&format!("project/{}", name(31)), "somebody else's");
    let began = prepare(&f, &files);
    assert_eq!(found(&began).files.len(), FILES - 1);
    let done = perform(&f, &files, &began);
    assert_eq!(reasons(&done.conflicts), [(name(31).as_str(), ConflictReason::Changed)]);
    assert!(done.restored.is_sorted_by_key(|file| file.path.clone()));
    assert_eq!(done.restored.len(), FILES - 1);
    for n in (0..FILES).filter(|n| *n != 31) {
        let text = fs::read_to_string(f.real("project").join(name(n))).unwrap_or_default();
        assert_eq!(text, before(n), "{n}");
    }
    // What was taken away was kept.
    let again: Vec<RestoreFile> =
        (0..FILES).map(|n| file(&name(n), &after(n), &before(n))).collect();
    let began = prepare(&f, &again);
    assert_eq!(perform(&f, &again, &began).restored.len(), FILES - 1);
    assert_eq!(fs::read_to_string(f.real("project").join(name(12))).unwrap(), after(12));
}

#[test]
fn a_rewind_of_which_no_file_is_done_did_not_happen() {
    let f = Fixture::new();
    let files = at_work(&f);
    let began = prepare(&f, &files);
    assert_eq!(settled(&f, &files, &began), Settled::NotHappened);
    assert_eq!(f.get("project/a"), "new");
}

#[test]
fn a_rewind_cut_off_in_the_middle_is_finished_and_nothing_is_done_twice() {
    for done_by_then in 1..=7 {
        let f = Fixture::new();
        let files = at_work(&f);
        let whole = prepare(&f, &files);
        let restore = found(&whole).clone();
        // In the order in which they are brought back.
        let (back, gone): (Vec<_>, Vec<_>) =
            restore.files.iter().cloned().partition(|file| file.post_hash.is_some());
        let first: Vec<_> = back.into_iter().chain(gone).take(done_by_then).collect();
        let part = Restore { files: first, ..restore };
        perform(&f, &files, &Began { restore: Some(Box::new(part)), ..whole.clone() });
        let Settled::Happened(result) = settled(&f, &files, &whole) else {
            panic!("{done_by_then} done")
        };
        is_back(&f);
        assert_eq!(restored(&result).restored.len(), 7, "{done_by_then}");
    }
}

#[test]
fn a_file_someone_changes_after_the_crash_stays_as_they_left_it() {
    let f = Fixture::new();
    let files = at_work(&f);
    let began = prepare(&f, &files);
    let part = Restore { files: found(&began).files[..1].to_vec(), conflicts: vec![], as_of: None };
    perform(&f, &files, &Began { restore: Some(Box::new(part)), ..began.clone() });
    f.put("project/to", "by hand");
    let Settled::Happened(result) = settled(&f, &files, &began) else { panic!("one is done") };
    assert_eq!(reasons(&restored(&result).conflicts), [("to", ConflictReason::Changed)]);
    assert_eq!(f.get("project/to"), "by hand");
}
