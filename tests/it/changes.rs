//! The list of what a run changed, held against the folder: after any calls it is the difference
//! of the project before and after, file by file.

use crate::world::{Script, Scripted, Way, World, files};
use kernel::changed_files::FileEffect;
use kernel::engine::Limits;
use kernel::policy::ApproveWrites;
use kernel::snapshot::snapshot;
use kernel::text::sha256_hex;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

type Files = BTreeMap<String, String>;

/// The list says, of every file that differs, what it was and what it is, and of no other.
pub(crate) fn are_the_difference(effects: &[FileEffect], before: &Files, after: &Files) {
    let hashes = |files: &Files| -> Files {
        files.iter().map(|(path, text)| (path.clone(), sha256_hex(text.as_bytes()))).collect()
    };
    let mut told = hashes(before);
    for effect in effects {
        let was = effect.from.as_ref().unwrap_or(&effect.path);
        assert_eq!(told.remove(was.rel()), effect.sha256_before, "{effect:#?}");
        if let Some(sha256) = &effect.sha256 {
            let there = told.insert(effect.path.rel().to_owned(), sha256.clone());
            assert_eq!(there, None, "{effect:#?}");
        }
        assert_ne!(
            effect.sha256_before.as_ref(),
            effect.sha256.as_ref().filter(|_| effect.from.is_none())
        );
    }
    assert_eq!(told, hashes(after), "{effects:#?}");
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

pub(crate) fn call() -> impl Strategy<Value = Value> {
    let path = prop::sample::select(vec![
        "a",
        "b",
        "dir/a",
        "dir/deep/c",
        "dir",
        "new/dir",
        "artifacts/a",
    ]);
    (0..5u8, path.clone(), path, "[x-z]{1,2}\n").prop_map(|(kind, path, other, content)| {
        let (path, other) = (format!("@project/{path}"), format!("@project/{other}"));
        let (name, arguments) = match kind {
            0 | 1 => ("fs_write", json!({ "path": path, "content": content })),
            2 => ("fs_move", json!({ "from": path, "to": other })),
            3 => ("fs_delete", json!({ "path": path, "recursive": true })),
            _ => ("fs_write", json!({ "path": path, "content": content, "mode": "append" })),
        };
        json!({ "text": "", "calls": [{ "name": name, "arguments": arguments }] })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_list_is_the_difference_of_the_folder_before_and_after_a_run(
        calls in prop::collection::vec(call(), 1..14),
        there in prop::collection::btree_set(prop::sample::select(vec!["a", "dir/a", "dir/deep/c"]), 0..4),
    ) {
        let mut script = calls;
        script.push(json!({ "text": "That was it." }));
        let script: Vec<Scripted> = serde_json::from_value(Value::Array(script)).unwrap();
        let limits = Limits { approve_writes: ApproveWrites::Auto, ..Limits::default() };
        let package = root().join("tests/fixtures/packages/mini");
        let (script, way) = (Script::Replies(script), Way::Straight);
        let mut world = World::new(&package, script, Vec::new(), way, limits);
        for path in there {
            let file = world.project.join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, format!("old {path}\n")).unwrap();
        }
        let before = files(&world.project, &world.project);
        world.play(None, None);
        let after = files(&world.project, &world.project);
        are_the_difference(&snapshot(&world.engine).unwrap().changes, &before, &after);
    }
}
