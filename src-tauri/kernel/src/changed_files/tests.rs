//! What a rewind brings back and what a run changed, by what the journal tells.

use super::*;
use crate::restore::{Began, FileChange, PreImage, Restore};
use crate::tool::parse_call;
use serde_json::json;

fn hash(text: &str) -> Option<String> {
    Some(text.to_owned()).filter(|text| !text.is_empty())
}

fn image(path: &str, sha256: &str) -> PreImage {
    let path = AliasPath::parse(path).unwrap();
    PreImage { path, sha256: sha256.to_owned(), bytes: 1, kept: true }
}

/// What a call does; hashes are any words, the empty one is no file.
fn write(path: &str, before: &str, after: &str) -> Vec<CallFileChange> {
    let args = json!({ "path": path, "content": "" }).to_string();
    let began = Began { pre_hash: hash(before), post_hash: hash(after), ..Began::default() };
    parse_call("fs.write", &args).unwrap().changes(&began)
}

fn moved(from: &str, to: &str, images: Vec<PreImage>) -> Vec<CallFileChange> {
    let args = json!({ "from": from, "to": to }).to_string();
    let began = Began { pre_images: images, ..Began::default() };
    parse_call("fs.move", &args).unwrap().changes(&began)
}

fn deleted(path: &str, images: Vec<PreImage>) -> Vec<CallFileChange> {
    let args = json!({ "path": path, "recursive": true }).to_string();
    let began = Began { pre_images: images, ..Began::default() };
    parse_call("fs.delete", &args).unwrap().changes(&began)
}

/// Nodes entered at 1 and 10.
const ENTRIES: &[u64] = &[1, 10];

fn folded(calls: Vec<(u64, Vec<CallFileChange>)>) -> ChangedFiles {
    let mut files = ChangedFiles::default();
    for (seq, changes) in calls {
        files.began(seq, changes.clone(), ENTRIES);
        files.happened(changes);
    }
    files
}

/// `path: goal, ours`, with `-` for no file.
fn told(files: &ChangedFiles, entered: u64) -> Vec<String> {
    let word = |hash: &Option<String>| hash.clone().unwrap_or_else(|| "-".to_owned());
    let line = |file: RestoreFile| {
        let ours: Vec<String> = file.ours.iter().map(word).collect();
        format!("{}: {} {}", file.path.rel(), word(&file.goal), ours.join("|"))
    };
    files.since(entered).into_iter().map(line).collect()
}

#[test]
fn a_file_goes_back_to_what_it_was_before_the_first_change_since_then() {
    let a = "@project/a";
    let files = folded(vec![
        (2, write(a, "", "one")),
        (3, write(a, "one", "two")),
        (11, write(a, "two", "three")),
        (12, write(a, "three", "four")),
    ]);
    assert_eq!(told(&files, 1), ["a: - four"]);
    assert_eq!(told(&files, 10), ["a: two four"]);
    assert!(told(&files, 12).is_empty());
}

#[test]
fn changes_before_the_run_and_changes_undone_are_not_listed() {
    let files = folded(vec![
        (2, write("@project/early", "", "x")),
        (11, write("@project/b", "", "x")),
        (12, deleted("@project/b", vec![image("@project/b", "x")])),
        (13, write("@project/same", "x", "x")),
    ]);
    assert!(told(&files, 10).is_empty());
}

#[test]
fn moved_files_are_gone_there_and_new_here_also_in_folders() {
    let images = vec![image("@project/box/x", "x"), image("@project/box/deep/y", "y")];
    let files = folded(vec![
        (11, moved("@project/box", "@project/chest", images)),
        (12, moved("@project/a", "@project/b", vec![image("@project/a", "a")])),
    ]);
    assert_eq!(
        told(&files, 10),
        ["a: a -", "b: - a", "box/deep/y: y -", "box/x: x -", "chest/deep/y: - y", "chest/x: - x"]
    );
}

#[test]
fn a_call_that_did_not_say_whether_it_happened_leaves_either() {
    let a = "@project/a";
    let mut files = folded(vec![(11, write(a, "", "one"))]);
    files.began(12, write(a, "one", "two"), ENTRIES);
    assert_eq!(told(&files, 10), ["a: - one|two"]);
}

#[test]
fn a_persons_edit_that_was_overwritten_is_not_what_it_goes_back_to() {
    let a = "@project/a";
    let files = folded(vec![(11, write(a, "old", "one")), (12, write(a, "theirs", "two"))]);
    assert_eq!(told(&files, 10), ["a: old two"]);
}

#[test]
fn a_rewind_is_a_change_like_any_other() {
    let change = FileChange {
        path: AliasPath::parse("@project/a").unwrap(),
        pre_hash: hash("two"),
        post_hash: hash("one"),
        replaces_others: false,
    };
    let restore = Some(Box::new(Restore { files: vec![change], ..Restore::default() }));
    let args = json!({ "targetNodeId": "n", "confirmed": true }).to_string();
    let call = parse_call("workflow.rewind", &args).unwrap();
    let rewind = call.changes(&Began { restore, ..Began::default() });
    let files = folded(vec![(2, write("@project/a", "one", "two")), (11, rewind)]);
    assert_eq!(told(&files, 10), ["a: two one"]);
}

#[test]
fn it_grows_with_nodes_and_files_and_not_with_calls() {
    let calls = (11..500).map(|n| (n, write("@project/a", &format!("{}", n - 1), &format!("{n}"))));
    let files = folded(calls.collect());
    assert!(serde_json::to_string(&files).unwrap().len() < 200);
    let text = serde_json::to_string(&files).unwrap();
    assert_eq!(serde_json::from_str::<ChangedFiles>(&text).unwrap(), files);
}

// ---- what a run changed ------------------------------------------------------------------------

/// `kind path`, with where a file came from.
fn effects(files: &ChangedFiles) -> Vec<String> {
    let line = |effect: FileEffect| {
        let from = effect.from.map(|from| format!(" from {}", from.rel())).unwrap_or_default();
        format!("{:?} {}{from}", effect.kind, effect.path.rel())
    };
    files.effects().into_iter().map(line).collect()
}

#[test]
fn the_list_is_what_is_different_in_the_end() {
    let (a, b, c) = ("@project/a", "@project/b", "@project/c");
    for (calls, expected) in [
        (vec![write(a, "", "one"), write(a, "one", "two")], vec!["Created a"]),
        (vec![write(a, "old", "one")], vec!["Changed a"]),
        (vec![write(a, "old", "one"), write(a, "one", "old")], vec![]),
        (vec![write(a, "", "one"), deleted(a, vec![image(a, "one")])], vec![]),
        (vec![deleted(a, vec![image(a, "old")])], vec!["Deleted a"]),
        (vec![moved(a, b, vec![image(a, "old")])], vec!["Moved b from a"]),
        (vec![moved(a, b, vec![image(a, "old")]), write(b, "old", "new")], vec!["Moved b from a"]),
        (vec![moved(a, b, vec![image(a, "old")]), moved(b, a, vec![image(b, "old")])], vec![]),
        (vec![write(a, "", "one"), moved(a, b, vec![image(a, "one")])], vec!["Created b"]),
        (
            vec![moved(a, b, vec![image(a, "old")]), write(a, "", "new")],
            vec!["Changed a", "Created b"],
        ),
        (
            vec![deleted(b, vec![image(b, "b")]), moved(a, b, vec![image(a, "old")])],
            vec!["Deleted a", "Changed b"],
        ),
        (
            vec![
                moved(a, b, vec![image(a, "old")]),
                write(a, "", "old"),
                moved(a, c, vec![image(a, "old")]),
            ],
            vec!["Moved b from a", "Created c"],
        ),
    ] {
        let calls = calls.into_iter().zip(2..).map(|(call, seq)| (seq, call)).collect();
        assert_eq!(effects(&folded(calls)), expected);
    }
}

#[test]
fn a_call_that_failed_or_is_under_way_is_no_change() {
    let mut files = ChangedFiles::default();
    files.began(2, write("@project/a", "", "one"), ENTRIES);
    assert_eq!(effects(&files), Vec::<String>::new());
    files.happened(write("@project/a", "", "one"));
    files.began(3, write("@project/a", "one", "two"), ENTRIES);
    assert_eq!(files.effects()[0].sha256, hash("one"));
}

proptest::proptest! {
    /// The list, read as a difference of two folders, is that difference.
    #[test]
    fn the_list_is_the_difference_of_the_folder_before_and_after(
        there in proptest::collection::btree_map("[a-d]", "[x-z]", 0..4),
        calls in proptest::collection::vec((0..3u8, "[a-d]", "[a-d]", "[x-z]"), 0..20),
    ) {
        let alias = |name: &str| format!("@project/{name}");
        let (mut disk, mut files) = (there.clone(), ChangedFiles::default());
        for ((kind, name, other, content), seq) in calls.into_iter().zip(2..) {
            let old = disk.get(&name).cloned();
            let change = match (kind, &old) {
                (0, _) => {
                    disk.insert(name.clone(), content.clone());
                    write(&alias(&name), old.as_deref().unwrap_or_default(), &content)
                }
                (1, Some(old)) => {
                    disk.remove(&name);
                    deleted(&alias(&name), vec![image(&alias(&name), old)])
                }
                (2, Some(old)) if !disk.contains_key(&other) => {
                    disk.remove(&name);
                    disk.insert(other.clone(), old.clone());
                    moved(&alias(&name), &alias(&other), vec![image(&alias(&name), old)])
                }
                _ => continue,
            };
            files.began(seq, change.clone(), ENTRIES);
            files.happened(change);
        }
        let mut told = there.clone();
        for effect in files.effects() {
            if let Some(from) = &effect.from {
                let before = told.remove(from.rel());
                proptest::prop_assert_eq!(before, effect.sha256_before.clone());
            }
            let before = match &effect.sha256 {
                Some(sha256) => told.insert(effect.path.rel().to_owned(), sha256.clone()),
                None => told.remove(effect.path.rel()),
            };
            if effect.from.is_none() {
                proptest::prop_assert_eq!(before, effect.sha256_before);
            }
        }
        proptest::prop_assert_eq!(told, disk);
    }
}
