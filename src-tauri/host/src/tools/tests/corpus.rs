//! Every path of `tests/fixtures/paths.json` through every tool and every argument that takes one:
//! nothing outside is read, written, moved, deleted, listed or named, and what should work does.

use kernel::code::Failure;
use kernel::tool::{EffectClass, find, parse_call};
use rstest::rstest;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::fixture::Fixture;

#[derive(Deserialize)]
struct Case {
    path: String,
    why: String,
    #[serde(default)]
    read: bool,
    #[serde(default)]
    write: bool,
    /// A folder tools may move and delete.
    #[serde(default)]
    folder: bool,
}

const CORPUS: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/paths.json"));
const OUTSIDE: &str = "OUTSIDE-CONTENT";

fn world() -> Fixture {
    let f = Fixture::in_memory();
    f.put("outside/secret.txt", OUTSIDE).put("outside/dir/inner.txt", OUTSIDE);
    f.put("outside/shared.md", "shared").put("outside-too/x.md", OUTSIDE);
    f.put("project/plain.md", "inside").put("project/docs/a.md", "inside");
    f.put("project/资料/设计.md", "inside").put("project/a b/c d.md", "inside");
    f.put("project/.env", "inside").put("project/.git/config", "inside");
    f.put("project/.crewagentignore", "private/\n").put("project/private/x.md", "inside");
    f.put("pkg/step.md", "inside").put("state/workflow.md", "inside").put("state/lease", "inside");
    f.put("state/logs/execution.jsonl", "inside");
    for (target, link) in [
        ("docs/a.md", "link_in.md"),
        ("docs", "link_dir"),
        ("../outside/secret.txt", "link_out.md"),
        ("../outside", "link_dirout"),
        ("loop_b", "loop_a"),
        ("loop_a", "loop_b"),
        ("nowhere.md", "dangling"),
        ("..", "docs/up"),
        ("../..", "docs/upup"),
        ("/", "link_root"),
        ("/dev/zero", "link_dev"),
        ("private/x.md", "link_private"),
        (".env", "link_env"),
        ("link_dirout/secret.txt", "link_chain"),
        ("../project/plain.md", "link_leave_and_return"),
    ] {
        symlink(target, f.real("project").join(link)).unwrap();
    }
    symlink(f.real("outside/secret.txt"), f.real("project/link_abs.md")).unwrap();
    symlink(f.real("project/plain.md"), f.real("project/link_abs_in.md")).unwrap();
    symlink("../../outside/secret.txt", f.real("pkg/link_out.md")).unwrap();
    symlink("../../outside/secret.txt", f.real("state/logs/link_out.md")).unwrap();
    symlink("../lease", f.real("state/logs/link_lease")).unwrap();
    fs::hard_link(f.real("outside/shared.md"), f.real("project/hard.md")).unwrap();
    let pipe = std::process::Command::new("mkfifo").arg(f.real("project/pipe")).status();
    assert!(pipe.unwrap().success());
    // The listener may go: its socket stays in the folder.
    drop(std::os::unix::net::UnixListener::bind(f.real("project/socket")).unwrap());
    f
}

fn snapshot(dir: &Path, into: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            snapshot(&path, into);
        } else {
            into.insert(path.display().to_string(), fs::read(&path).unwrap());
        }
    }
}

fn outside(f: &Fixture) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for folder in ["outside", "outside-too", "pkg", "state"] {
        let dir = f.real(folder);
        let mut found = BTreeMap::new();
        for entry in fs::read_dir(&dir).unwrap().map(Result::unwrap) {
            found.insert(entry.path().display().to_string(), Vec::new());
        }
        all.append(&mut found);
    }
    for folder in ["outside", "outside-too"] {
        snapshot(&f.real(folder), &mut all);
    }
    all.insert("pkg/step.md".to_owned(), fs::read(f.real("pkg/step.md")).unwrap());
    all.insert("lease".to_owned(), fs::read(f.real("state/lease")).unwrap());
    let names = fs::read_dir(f.temp.path()).unwrap().map(|e| e.unwrap().file_name());
    // What a call replaces is kept there.
    let beside = names.filter(|name| name != "checkpoints").count();
    all.insert("beside".to_owned(), beside.to_string().into_bytes());
    all
}

/// A call as it comes from a model: the path may be refused when it is parsed.
fn call(f: &Fixture, tool: &str, args: &Value) -> Value {
    let parsed: Result<_, Failure> = parse_call(tool, &args.to_string());
    match parsed {
        // Writes of the state document are the kernel's own work and never come here.
        Ok(parsed) if parsed.class == EffectClass::WriteState => json!({ "ok": false,
            "error": { "message": "not the host's" } }),
        Ok(_) => f.call(tool, args),
        Err(failure) => failure.to_tool_result(),
    }
}

const SHARES: usize = 4;

/// In shares, so that they can run side by side.
#[rstest]
fn no_path_leads_a_tool_outside(#[values(0, 1, 2, 3)] share: usize) {
    let cases: Vec<Case> = serde_json::from_str(CORPUS).unwrap();
    assert!(cases.len() >= 250, "{} cases", cases.len());
    let mut wrong: Vec<String> = Vec::new();
    let mut world = world_and_outside();
    for case in cases.iter().skip(share).step_by(SHARES) {
        for (tool, args, expected) in calls(case) {
            let (f, before) = &world;
            let result = call(f, tool, &args);
            let why = &case.why;
            let at = || format!("{tool} {args} ({why}): {result}");
            wrong.extend(check(case, &result, expected, f).map(|what| format!("{what}: {}", at())));
            if &outside(f) != before {
                wrong.push(format!("something outside changed: {}", at()));
            }
            let changes = find(tool).unwrap().class == EffectClass::WriteProject;
            if changes && result["ok"] == true {
                world = world_and_outside();
            }
        }
    }
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
}

fn world_and_outside() -> (Fixture, BTreeMap<String, Vec<u8>>) {
    let f = world();
    let before = outside(&f);
    (f, before)
}

/// The calls of a case, and whether they must work, where that is fixed.
fn calls(case: &Case) -> Vec<(&'static str, Value, Option<bool>)> {
    let path = &case.path;
    let replace =
        json!({ "path": path, "operation": "replace", "old": "i", "new": "o", "all": true });
    let diff = json!({ "path": path, "patch": "@@\n-inside\n+outside\n", "dryRun": true });
    // What may not be written may be neither moved nor deleted nor moved onto, folders aside.
    let gone = Some(false).filter(|_| !case.write && !case.folder);
    vec![
        ("fs.read", json!({ "path": path }), Some(case.read)),
        ("fs.read", json!({ "path": path, "expect_contains": ["e"] }), Some(case.read)),
        ("fs.list", json!({ "path": path, "depth": 5 }), None),
        ("fs.search", json!({ "path": path, "pattern": "e", "maxMatches": 1000 }), None),
        ("fs.search", json!({ "path": "@project", "pattern": "e", "globs": [path] }), None),
        ("fs.glob", json!({ "path": path, "pattern": "**", "expect_min_matches": 1 }), None),
        ("fs.glob", json!({ "pattern": path, "expect_min_matches": 1 }), None),
        ("fs.glob", json!({ "pattern": format!("{path}/**") }), None),
        (
            "fs.write",
            json!({ "path": path, "content": "new", "verify_after_write": true }),
            Some(case.write),
        ),
        ("fs.apply_patch", replace, None),
        ("fs.apply_patch", diff, None),
        ("fs.move", json!({ "from": path, "to": "@project/free.md" }), gone),
        ("fs.move", json!({ "from": "@project/plain.md", "to": path }), gone),
        ("fs.move", json!({ "from": "@project/docs", "to": path }), gone),
        ("fs.delete", json!({ "path": path }), gone),
        ("fs.delete", json!({ "path": path, "recursive": true }), gone),
    ]
}

/// What is wrong with a result, if anything.
fn check(case: &Case, result: &Value, expected: Option<bool>, f: &Fixture) -> Option<String> {
    let text = result.to_string();
    if text.contains(OUTSIDE) {
        return Some("it read outside".to_owned());
    }
    if text.contains(f.temp.path().to_str().unwrap()) {
        return Some("it names a real place".to_owned());
    }
    for name in ["secret.txt", "inner.txt", "outside-too"] {
        if text.contains(name) && !case.path.contains(name) {
            return Some(format!("it names {name}"));
        }
    }
    if let Some(expected) = expected
        && result["ok"] != expected
    {
        return Some(format!("ok is not {expected}"));
    }
    let silent =
        result["ok"] == false && result["error"]["message"].as_str().is_none_or(str::is_empty);
    silent.then(|| "it is refused without a word".to_owned())
}
