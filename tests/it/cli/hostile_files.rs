//! Packages and exported runs that mean harm, at the real program: each is read to its end or
//! refused in words, in little memory, and nothing ends the program but itself.

use kernel::text::sha256_hex;
use rstest::rstest;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use super::exported::{exported, unzipped};
use super::measured::{MOST_KIB, Measured, measured};
use support::corpus::{self, Parts};
use support::program::Sandbox;

/// What looking at a package may take beside its largest file, and beside what the program takes
/// for the smallest one.
const INSPECT_KIB: u64 = 64 * 1024;

fn inspected(sandbox: &Sandbox, file: &Path) -> Measured {
    measured(sandbox, &["package", "inspect", &file.to_string_lossy(), "--json"])
}

/// All in one would take longer than a test may.
#[rstest]
fn looking_at_a_hostile_package_takes_little_memory(#[values(0, 1, 2, 3, 4, 5)] part: usize) {
    let sandbox = Sandbox::new();
    let smallest = Parts::mini().packed(&sandbox.path("work"));
    // The first one makes the store.
    inspected(&sandbox, &smallest).has_ended_well("the smallest package");
    let bare = inspected(&sandbox, &smallest).peak_kib;
    for hostile in corpus::packages(128).into_iter().skip(part).step_by(6) {
        let folder = tempfile::tempdir().unwrap();
        let seen = inspected(&sandbox, &(hostile.make)(folder.path()));
        seen.has_ended_well(hostile.name);
        let Some((peak, bare)) = seen.peak_kib.zip(bare) else { continue };
        let grown = peak.saturating_sub(bare);
        let most = INSPECT_KIB + hostile.largest / 1024;
        assert!(grown <= most, "{}: {grown} KiB, of {most} KiB", hostile.name);
        assert!(peak <= MOST_KIB, "{}: {peak} KiB", hostile.name);
    }
}

type Entries = BTreeMap<String, Vec<u8>>;

/// The export with another journal, whose hashes are right.
fn with_journal(entries: &Entries, change: impl FnOnce(&mut Vec<String>)) -> Entries {
    let mut entries = entries.clone();
    let journal = String::from_utf8(entries["journal.jsonl"].clone()).unwrap();
    let mut lines: Vec<String> = journal.lines().map(str::to_owned).collect();
    change(&mut lines);
    let mut header: Value = serde_json::from_slice(&entries["crewrun.json"]).unwrap();
    header["lines"] = lines.iter().map(|line| sha256_hex(line.as_bytes())).collect();
    entries.insert("crewrun.json".into(), header.to_string().into_bytes());
    entries.insert("journal.jsonl".into(), (lines.join("\n") + "\n").into_bytes());
    entries
}

/// The first reply with other calls.
fn with_calls(entries: &Entries, count: usize, name: &str, arguments: &Value) -> Entries {
    with_journal(entries, |lines| {
        let reply = lines.iter_mut().find(|line| line.contains("\"model_replied\"")).unwrap();
        let mut line: Value = serde_json::from_str(reply).unwrap();
        let arguments = arguments.to_string();
        let call =
            |n: usize| json!({ "id": format!("c{n}"), "name": name, "arguments": arguments });
        line["events"][0]["data"]["reply"]["calls"] = (0..count).map(call).collect();
        *reply = line.to_string();
    })
}

#[test]
fn replaying_a_hostile_run_takes_little_memory() {
    let sandbox = Sandbox::new();
    let run = ["run", "hello-linear", "--model", "demo", "--json"];
    sandbox.run(&run).exits(0);
    let honest = unzipped(&std::fs::read(exported(&sandbox)).unwrap());
    let with = |path: &str, bytes: Vec<u8>| {
        let mut entries = honest.clone();
        entries.insert(path.to_owned(), bytes);
        entries
    };
    let growth =
        json!({ "operation": "replace", "old": "a", "new": "b".repeat(131_072), "all": true });
    let braces = "{".repeat(20_000) + "a" + &"}".repeat(20_000);
    let tiny = format!(r#"{{"x":[{}0],"v""#, r#"{"a":0},"#.repeat(500_000));
    let hostile = [
        (
            "a line of tiny objects",
            with_journal(&honest, |lines| {
                lines[1] = lines[1].replacen(r#"{"v""#, &tiny, 1);
            }),
        ),
        ("3,000 calls", with_calls(&honest, 3_000, "fs_list", &json!({ "path": "@project" }))),
        (
            "a patch that grows",
            with_calls(
                &honest,
                1,
                "fs_apply_patch",
                &json!({ "path": "@state/workflow.md", "patch": growth }),
            ),
        ),
        (
            "a search with braces",
            with_calls(
                &honest,
                1,
                "fs_search",
                &json!({ "path": "@project", "pattern": "x", "globs": [braces] }),
            ),
        ),
        (
            "arguments of 2 MiB",
            with_calls(
                &honest,
                1,
                "fs_write",
                &json!({ "path": "@project/artifacts/a.md", "content": "x".repeat(2 << 20) }),
            ),
        ),
        (
            "a state document of 3 MiB",
            with_journal(&honest, |lines| {
                let mut line: Value = serde_json::from_str(&lines[0]).unwrap();
                let state = &mut line["events"][0]["data"]["state"];
                *state = json!(format!("{}{}", state.as_str().unwrap(), "x\n".repeat(3 << 19)));
                lines[0] = line.to_string();
            }),
        ),
        ("a huge file of before", with("preimages/0", vec![0; 100 << 20])),
        ("a header that is no end of brackets", with("crewrun.json", vec![b'['; 4 << 20])),
    ];
    for (name, entries) in hostile {
        let file = sandbox.path("work/hostile.crewrun");
        let mut zip = zip::ZipWriter::new(File::create(&file).unwrap());
        for (path, bytes) in &entries {
            zip.start_file(path.as_str(), zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap();
        let seen = measured(&sandbox, &["runs", "replay", &file.to_string_lossy(), "--json"]);
        assert!(seen.status.code().is_some_and(|code| code < 100), "{name}: {:?}", seen.status);
        let said: Value = serde_json::from_str(&seen.stdout).unwrap();
        assert!(said["error"]["code"].is_string() || said["lines"].is_u64(), "{name}: {said}");
        let limited = said["error"]["code"] == "ARCHIVE_LIMIT";
        assert!(!limited || !said.to_string().contains("package"), "{name}: {said}");
        let peak = seen.peak_kib.unwrap_or_default();
        assert!(peak <= MOST_KIB, "{name}: {peak} KiB");
    }
}
