//! Somebody swaps folders and files for links while tools work, and never wins.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::fixture::Fixture;

const OUTSIDE: &str = "OUTSIDE-CONTENT";

/// Swaps `project/dir` and `project/dir/file.md` between themselves and links to the outside, as
/// fast as it can, until told to stop. Also deletes and makes them.
fn swap(project: &Path, outside: &Path, done: &AtomicBool) -> u32 {
    let (dir, real) = (project.join("dir"), project.join("real"));
    let (file, kept) = (real.join("file.md"), real.join("kept.md"));
    let mut turn = 0_u32;
    while !done.load(Ordering::Relaxed) {
        turn = turn.wrapping_add(1);
        match turn % 6 {
            0 => drop(fs::rename(&dir, &real)),
            1 => drop(symlink(outside, &dir)),
            2 => drop(fs::remove_file(&dir).and_then(|()| fs::rename(&real, &dir))),
            3 => {
                let file = dir.join("file.md");
                drop(fs::rename(&file, dir.join("kept.md")));
                drop(symlink(outside.join("secret.txt"), &file));
            }
            4 => {
                let file = dir.join("file.md");
                drop(fs::remove_file(&file));
                drop(fs::hard_link(outside.join("shared.md"), &file));
                drop(fs::remove_file(&file));
                drop(fs::rename(dir.join("kept.md"), &file));
            }
            _ => {
                drop(fs::create_dir_all(&dir));
                drop(fs::write(dir.join("inside.md"), "inside"));
                drop(fs::rename(&kept, &file));
            }
        }
    }
    turn
}

fn calls() -> Vec<(&'static str, Value)> {
    vec![
        ("fs.read", json!({ "path": "@project/dir/file.md" })),
        ("fs.read", json!({ "path": "@project/dir/secret.txt", "expect_contains": ["OUTSIDE"] })),
        ("fs.list", json!({ "path": "@project", "depth": 5 })),
        ("fs.list", json!({ "path": "@project/dir" })),
        ("fs.search", json!({ "path": "@project", "pattern": "OUTSIDE" })),
        ("fs.glob", json!({ "pattern": "dir/**/*.txt", "expect_min_matches": 1 })),
        (
            "fs.write",
            json!({ "path": "@project/dir/file.md", "content": "inside", "verify_after_write": true }),
        ),
        ("fs.write", json!({ "path": "@project/dir/new/deep.md", "content": "inside" })),
        (
            "fs.apply_patch",
            json!({ "path": "@project/dir/secret.txt", "patch": "@@\n-OUTSIDE-CONTENT\n+x\n" }),
        ),
        ("fs.move", json!({ "from": "@project/dir/secret.txt", "to": "@project/stolen.txt" })),
        ("fs.move", json!({ "from": "@project/dir/file.md", "to": "@project/dir/moved.md" })),
        ("fs.move", json!({ "from": "@project/dir/moved.md", "to": "@project/dir/file.md" })),
        ("fs.move", json!({ "from": "@project/mine.md", "to": "@project/dir/planted.md" })),
        ("fs.delete", json!({ "path": "@project/dir/secret.txt" })),
        ("fs.delete", json!({ "path": "@project/dir/inner", "recursive": true })),
        ("fs.delete", json!({ "path": "@project/dir/new", "recursive": true })),
        ("fs.delete", json!({ "path": "@project/dir", "recursive": true })),
    ]
}

fn seconds() -> u64 {
    std::env::var("CREWAGENT_RACE_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(2)
}

/// Two seconds; `CREWAGENT_RACE_SECONDS` makes it longer. Prints what was tried.
#[test]
fn swapping_links_under_a_working_tool_wins_nothing() {
    let f = Fixture::new();
    f.put("outside/secret.txt", OUTSIDE).put("outside/inner/x.txt", OUTSIDE);
    // A second name of a file may be read, but never written through.
    f.put("outside/shared.md", "shared");
    f.put("outside/file.md", OUTSIDE).put("project/dir/file.md", "inside");
    let outside = f.real("outside");
    let state = |dir: &Path| {
        let mut names: Vec<String> = fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    let before = (state(&outside), state(&outside.join("inner")));
    let done = AtomicBool::new(false);
    let ends = Instant::now() + Duration::from_secs(seconds());
    let mut came_of: BTreeMap<String, u64> = BTreeMap::new();
    let swaps = std::thread::scope(|scope| {
        let swapping = scope.spawn(|| swap(&f.real("project"), &outside, &done));
        // Whatever fails, the thread is told to stop.
        let stop = Stop(&done);
        while Instant::now() < ends {
            drop(fs::write(f.real("project/mine.md"), "inside"));
            for (tool, args) in calls() {
                let result = f.call(tool, &args);
                let text = result.to_string();
                let code = result["error"]["code"].as_str().unwrap_or("ok");
                *came_of.entry(code.to_owned()).or_default() += 1;
                let told = args.to_string();
                assert!(!text.contains(OUTSIDE), "{tool} {told} read outside: {text}");
                assert!(
                    !text.contains("secret.txt") || told.contains("secret.txt"),
                    "{tool} {told} listed outside: {text}"
                );
                assert!(result["verification"]["passed"] != true || tool != "fs.glob", "{text}");
            }
        }
        drop(stop);
        swapping.join().unwrap()
    });
    let calls: u64 = came_of.values().sum();
    println!("{swaps} swaps in {} s, {calls} calls: {came_of:?}", seconds());
    assert!(came_of.contains_key("ok"), "no call ever worked, so nothing was tried");
    assert!(came_of.contains_key("E_SANDBOX_VIOLATION"), "no call ever met a link");
    assert_eq!(
        (state(&outside), state(&outside.join("inner"))),
        before,
        "something outside changed"
    );
    for file in ["outside/secret.txt", "outside/inner/x.txt", "outside/file.md"] {
        assert_eq!(f.get(file), OUTSIDE, "{file}");
    }
    assert_eq!(f.get("outside/shared.md"), "shared");
}

struct Stop<'s>(&'s AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
