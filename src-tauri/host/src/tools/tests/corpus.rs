//! Every path of `tests/fixtures/paths.json` through every tool: nothing outside is read, written,
//! listed or named, and what should work does.

use kernel::code::Failure;
use kernel::tool::parse_call;
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
}

const CORPUS: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/paths.json"));
const OUTSIDE: &str = "OUTSIDE-CONTENT";

fn world() -> Fixture {
    let f = Fixture::new();
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
    let beside: Vec<_> = fs::read_dir(f.temp.path()).unwrap().map(|e| e.unwrap().path()).collect();
    all.insert("beside".to_owned(), format!("{}", beside.len()).into_bytes());
    all
}

/// A call as it comes from a model: the path may be refused when it is parsed.
fn call(f: &Fixture, tool: &str, args: &Value) -> Value {
    let parsed: Result<_, Failure> = parse_call(tool, &args.to_string());
    match parsed {
        Ok(_) => f.call(tool, args),
        Err(failure) => failure.to_tool_result(),
    }
}

#[test]
fn no_path_leads_a_tool_outside() {
    let cases: Vec<Case> = serde_json::from_str(CORPUS).unwrap();
    assert!(cases.len() >= 60, "{} cases", cases.len());
    let mut world = world_and_outside();
    for case in &cases {
        for (tool, args, expected) in calls(case) {
            let (f, before) = &world;
            let result = call(f, tool, &args);
            check(case, tool, &result, expected, f);
            assert_eq!(
                &outside(f),
                before,
                "{tool} {} ({}) changed something outside",
                case.path,
                case.why
            );
            let wrote = matches!(tool, "fs.write" | "fs.apply_patch") && result["ok"] == true;
            if wrote {
                world = world_and_outside();
            }
        }
    }
}

fn world_and_outside() -> (Fixture, BTreeMap<String, Vec<u8>>) {
    let f = world();
    let before = outside(&f);
    (f, before)
}

/// The calls of a case, and whether they must work, where that is fixed.
fn calls(case: &Case) -> Vec<(&'static str, Value, Option<bool>)> {
    let path = &case.path;
    let mut calls = vec![
        ("fs.read", json!({ "path": path }), Some(case.read)),
        ("fs.list", json!({ "path": path, "depth": 5 }), None),
        ("fs.search", json!({ "path": path, "pattern": "e", "maxMatches": 1000 }), None),
    ];
    let replace =
        json!({ "path": path, "operation": "replace", "old": "O", "new": "o", "all": true });
    // Writes of the state document are the kernel's own work and never come here.
    if !path.ends_with("/workflow.md") {
        calls.push(("fs.write", json!({ "path": path, "content": "new" }), Some(case.write)));
        calls.push(("fs.apply_patch", replace, None));
    }
    calls
}

fn check(case: &Case, tool: &str, result: &Value, expected: Option<bool>, f: &Fixture) {
    let Case { path, why, .. } = case;
    let text = result.to_string();
    assert!(!text.contains(OUTSIDE), "{tool} {path} ({why}) read outside: {text}");
    let real = f.temp.path().to_str().unwrap();
    assert!(!text.contains(real), "{tool} {path} ({why}) names a real place: {text}");
    for name in ["secret.txt", "inner.txt", "outside-too"] {
        assert!(!text.contains(name) || path.contains(name), "{tool} {path} ({why}): {text}");
    }
    if let Some(expected) = expected {
        assert_eq!(result["ok"], expected, "{tool} {path} ({why}): {text}");
    }
    if result["ok"] == false {
        assert!(result["error"]["message"].as_str().is_some_and(|m| !m.is_empty()));
    }
}
