//! What is there whole or not at all, whenever the program is killed: an export under its name, the
//! settings.

use std::collections::BTreeMap;
use std::path::Path;

use support::program::{Sandbox, root};

/// How often each crash point is passed by a command.
fn passed(sandbox: &Sandbox, args: &[&str]) -> BTreeMap<String, usize> {
    let log = sandbox.write("passed.txt", "");
    sandbox.run_with(args, &[("CREWAGENT_CRASH_LOG", &log)]).exits(0);
    let mut passed = BTreeMap::new();
    for name in std::fs::read_to_string(&log).unwrap().lines() {
        *passed.entry(name.to_owned()).or_default() += 1;
    }
    passed
}

/// Every point, every time it is passed.
fn each(passed: &BTreeMap<String, usize>) -> impl Iterator<Item = String> {
    passed.iter().flat_map(|(name, times)| (1..=*times).map(move |time| format!("{name}:{time}")))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn an_export_that_is_killed_leaves_nothing_half_under_its_name() {
    let sandbox = Sandbox::in_memory();
    sandbox.run(&["run", "hello-linear", "--model", "demo"]).exits(0);
    let run = sandbox.run_id();
    let folder = sandbox.path("work/out");
    std::fs::create_dir(&folder).unwrap();
    let file = folder.join("run.crewrun");
    let export = ["runs", "export", &run, "-o", "out/run.crewrun", "--json"];
    let forced = [&export[..], &["--force"]].concat();
    let passed = passed(&sandbox, &export);
    let expected = std::fs::read(&file).unwrap();
    for name in ["file.before_temp", "file.before_rename", "file.after_rename"] {
        assert!(passed.contains_key(name), "{name}: {passed:?}");
    }
    for at in each(&passed) {
        std::fs::remove_file(&file).unwrap();
        let done = sandbox.run_with(&export, &[("CREWAGENT_CRASH_AT", &at)]);
        assert_eq!(done.code, None, "{at} is not passed");
        match std::fs::read(&file) {
            Ok(bytes) => {
                assert!(bytes == expected, "{at}: half an export");
                sandbox.run(&export).exits(5).error("EXPORT_EXISTS");
            }
            Err(_) => _ = sandbox.run(&export).exits(0),
        }
        assert!(std::fs::read(&file).unwrap() == expected, "{at}");
        assert_eq!(names(&folder), ["run.crewrun"], "{at}: nothing else stays");

        std::fs::write(&file, "the one before").unwrap();
        let done = sandbox.run_with(&forced, &[("CREWAGENT_CRASH_AT", &at)]);
        assert_eq!(done.code, None, "{at} is not passed");
        let now = std::fs::read(&file).unwrap();
        assert!(now == expected || now == b"the one before", "{at}: half an export");
        sandbox.run(&forced).exits(0);
        assert!(std::fs::read(&file).unwrap() == expected, "{at}");
        assert_eq!(names(&folder), ["run.crewrun"], "{at}: nothing else stays");
    }
}

#[test]
fn what_is_written_for_the_person_is_whole_and_what_a_kill_left_goes_with_the_next() {
    let sandbox = Sandbox::in_memory();
    sandbox.run(&["run", "hello-linear", "--model", "demo"]).exits(0);
    let (run, folder) = (sandbox.run_id(), sandbox.path("work/out"));
    std::fs::create_dir(&folder).unwrap();
    let package = root().join("templates/packages/hello-linear");
    let commands: [&[&str]; 2] = [
        &["conversations", "export", &run, "-o", "out/talk.md", "--json"],
        &["package", "pack", package.to_str().unwrap(), "-o", "out/hello.bmad", "--json"],
    ];
    for command in commands {
        let file = sandbox.path("work").join(command[4]);
        let passed = passed(&sandbox, command);
        let expected = std::fs::read(&file).unwrap();
        for name in ["file.before_rename", "file.after_rename"] {
            assert!(passed.contains_key(name), "{command:?}: {name}: {passed:?}");
        }
        for at in each(&passed) {
            std::fs::remove_file(&file).unwrap();
            let done = sandbox.run_with(command, &[("CREWAGENT_CRASH_AT", &at)]);
            assert_eq!(done.code, None, "{at} is not passed");
            let whole = std::fs::read(&file).map_or(true, |bytes| bytes == expected);
            assert!(whole, "{at}: half a file");
            sandbox.run(command).exits(0);
            assert!(std::fs::read(&file).unwrap() == expected, "{at}");
            let own = file.file_name().unwrap().to_string_lossy().into_owned();
            assert_eq!(names(&folder), [own], "{at}: nothing else stays");
        }
        std::fs::remove_file(&file).unwrap();
    }
}

#[test]
fn settings_are_the_old_or_the_new_ones_whenever_the_program_is_killed() {
    let set = |value: &'static str| ["settings", "set", "engine.maxTurns", value, "--json"];
    let sandbox = Sandbox::in_memory();
    sandbox.run(&set("7")).exits(0);
    let whole = names(&sandbox.path("store"));
    let passed = passed(&sandbox, &set("9"));
    for name in ["settings.before_rename", "settings.after_rename"] {
        assert!(passed.contains_key(name), "{name}: {passed:?}");
    }
    let mut seen = [0, 0];
    for at in each(&passed) {
        sandbox.run(&set("7")).exits(0);
        let done = sandbox.run_with(&set("9"), &[("CREWAGENT_CRASH_AT", &at)]);
        assert_eq!(done.code, None, "{at} is not passed");
        let text = std::fs::read_to_string(sandbox.path("store/settings.json")).unwrap();
        let kept: serde_json::Value = serde_json::from_str(&text).unwrap();
        let is_new = kept["engine"]["maxTurns"] == 9;
        assert!(is_new || kept["engine"]["maxTurns"] == 7, "{at}: {text}");
        seen[usize::from(is_new)] += 1;
        let get = ["settings", "get", "engine.maxTurns", "--json"];
        assert_eq!(sandbox.run(&get).exits(0).json(), kept["engine"]["maxTurns"], "{at}");
        sandbox.run(&set("9")).exits(0);
        assert_eq!(sandbox.run(&get).exits(0).json(), 9, "{at}");
        let left = names(&sandbox.path("store"));
        assert!(!left.iter().any(|name| name.contains(".tmp")), "{at}: {left:?} of {whole:?}");
    }
    assert!(seen.iter().all(|times| *times > 0), "the old ones and the new ones: {seen:?}");
}
