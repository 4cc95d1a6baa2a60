//! What the program keeps is closed to others on the machine, what cannot be read is closed too, and
//! nobody's lock or pipe holds it up for ever.

use super::user_bytes::package;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::program::{Done, Sandbox};

/// The files below `folder` that others may read, or write.
fn open_to_others(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if entry.metadata().unwrap().permissions().mode() & 0o077 != 0 {
                found.push(path.to_string_lossy().into_owned());
            }
        }
    }
    found
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn under_a_common_umask_nobody_else_reads_the_store() {
    let sandbox = Sandbox::new();
    sandbox.write("project/secret.txt", "old bytes of a closed file");
    let file = sandbox.path("project/secret.txt");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let package = package(
        &sandbox,
        &[(
            "fs_write",
            json!({ "path": "@project/secret.txt", "content": "new", "mode": "overwrite" }),
        )],
    );
    let args = ["run", &package, "--model", "demo", "--approve", "auto", "--json"];
    let script = "umask 022; exec \"$0\" \"$@\"";
    let output = sandbox.in_shell(script, &args).stdout(Stdio::piped()).output().unwrap();
    assert!(output.status.code().is_some_and(|code| code == 0 || code == 3), "{output:?}");
    assert_eq!((fs::read_to_string(&file).unwrap().as_str(), mode(&file)), ("new", 0o600));

    let store = sandbox.path("store");
    assert_eq!(mode(&store), 0o700);
    // The log's files are made by day; their folder is closed instead, and packages are public.
    let logs = store.join("logs");
    assert_eq!(mode(&logs), 0o700);
    let mut others = open_to_others(&store);
    others.retain(|path| !Path::new(path).starts_with(&logs) && !path.contains("/packages/"));
    assert_eq!(others, Vec::<String>::new());
    let checkpoints = Command::new("find").arg(&store).args(["-name", "*.zst"]).output().unwrap();
    assert!(!checkpoints.stdout.is_empty(), "the old bytes are kept");
}

#[test]
fn a_store_that_an_older_version_left_open_is_closed_at_the_next_start() {
    let sandbox = Sandbox::new();
    sandbox.run(&["doctor"]).exits(0);
    let (store, database) = (sandbox.path("store"), sandbox.path("store/store.db"));
    fs::set_permissions(&store, fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(&database, fs::Permissions::from_mode(0o644)).unwrap();
    sandbox.run(&["doctor"]).exits(0);
    assert_eq!((mode(&store), mode(&database)), (0o700, 0o600));
}

#[test]
fn a_lock_that_another_program_keeps_is_waited_for_ten_seconds_and_then_told() {
    let sandbox = Sandbox::new();
    sandbox.run(&["doctor"]).exits(0);
    let lock = File::options().write(true).open(sandbox.path("store/open.lock")).unwrap();
    lock.lock().unwrap();
    let begun = Instant::now();
    let (en, zh) = std::thread::scope(|scope| {
        let en = scope.spawn(|| sandbox.run(&["runs", "list", "--json"]));
        let zh = scope.spawn(|| sandbox.run(&["runs", "list", "--lang", "zh"]));
        (en.join().unwrap(), zh.join().unwrap())
    });
    assert!(begun.elapsed() < Duration::from_mins(1), "{:?}", begun.elapsed());
    en.exits(7).error("STORE_BUSY");
    assert!(zh.exits(7).stderr.contains("另一个程序正在准备数据文件"));
    drop(lock);
    sandbox.run(&["runs", "list"]).exits(0);
}

#[test]
fn a_pipe_in_the_place_of_a_file_of_somebody_else_holds_nothing_up() {
    let sandbox = Sandbox::new();
    let pipe = |name: &str| {
        let path = sandbox.path(name).to_string_lossy().into_owned();
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    };
    let run = pipe("work/run.crewrun");
    sandbox.run(&["runs", "replay", &run, "--json"]).exits(5).error("CREWRUN_INVALID");
    let trace = pipe("work/demo.trace.json");
    sandbox.run(&["demo-model", "--trace", &trace, "--json"]).exits(2).error("BAD_REQUEST");
    let long = sandbox.write("work/long.trace.json", " ".repeat(2 << 20));
    sandbox.run(&["demo-model", "--trace", &long, "--json"]).exits(2).error("BAD_REQUEST");
    pipe("project/.crewagent.json");
    let folder = sandbox.project().to_string_lossy().into_owned();
    let open = ["projects", "open", &folder, "--json"];
    sandbox.run(&open).exits(5).error("PROJECT_FILE_INVALID");
    std::fs::remove_file(sandbox.path("store/settings.json")).ok();
    pipe("store/settings.json");
    let listed = sandbox.run(&["settings", "get", "approval.writes"]).exits(0);
    assert!(listed.stdout.contains("ask") && !listed.stdout.contains("outside"), "{listed:#?}");
}

#[test]
fn a_key_that_would_go_to_another_machine_in_the_clear_is_cautioned_about() {
    let sandbox = Sandbox::new();
    let set = |url: &str, lang: &str| {
        sandbox.run(&["settings", "set", "model.baseUrl", url, "--lang", lang]).exits(0).stderr
    };
    assert!(!set("http://llm.example/v1", "en").contains("unencrypted"), "there is no key yet");
    let kept = sandbox.run_fed(&["settings", "set-key"], "sk-test-0123").exits(0);
    assert!(kept.stderr.contains("llm.example unencrypted"), "{kept:#?}");
    assert!(set("http://llm.example/v2", "zh").contains("未加密"));
    sandbox.run_fed(&["settings", "set-key", "--forget"], "").exits(0);
    for safe in ["http://127.0.0.1:1/v1", "https://llm.example/v1"] {
        set(safe, "en");
        let kept = sandbox.run_fed(&["settings", "set-key"], "sk-test-0123").exits(0);
        assert!(!kept.stderr.contains("unencrypted"), "{safe}: {kept:#?}");
    }
}

/// What each start says of the settings.
fn told(sandbox: &Sandbox, lang: &str) -> Done {
    sandbox.run(&["runs", "list", "--lang", lang]).exits(0)
}

#[test]
fn a_guard_that_cannot_be_read_is_strict_and_each_start_says_so() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("store")).unwrap();
    for text in [
        r#"{"approval":{"writes":"Ask"}}"#,
        r#"{"approval":{"writes":"auto"},}"#,
        // The first of the two was meant, or the last.
        r#"{"approval":{"writes":"ask"},"approval":{}}"#,
        r#"{"approval":{"writes":"ask","writes":"auto"}}"#,
        // Names that are no setting, and may have been meant for this one.
        r#"{"approval":{"write":"ask"}}"#,
        r#"{"approval.writes":"ask"}"#,
        r#"{"Approval":{"Writes":"ask"},"approval":{"writes":"auto"}}"#,
    ] {
        sandbox.write("store/settings.json", text);
        let writes = sandbox.run(&["settings", "get", "approval.writes", "--json"]).exits(0);
        assert_eq!(writes.json(), "ask");
        assert!(writes.stderr.contains("strictest"), "{writes:#?}");
        for _ in 0..2 {
            assert!(told(&sandbox, "en").stderr.contains("strictest"));
            assert!(told(&sandbox, "zh").stderr.contains("最严格"));
        }
    }
    // A write waits for the person then, also where it was told to go unasked by the file.
    let call = ("fs_write", json!({ "path": "@project/artifacts/a.md", "content": "x" }));
    let package = package(&sandbox, &[call]);
    let run = sandbox.run(&["run", &package, "--model", "demo", "--json"]);
    assert_eq!(run.code, Some(3), "{run:#?}");
    assert!(!sandbox.path("project/artifacts/a.md").exists());
    sandbox.write("store/settings.json", "{}");
    assert!(!told(&sandbox, "en").stderr.contains("strictest"));
}

#[test]
fn a_name_that_is_no_setting_is_told_at_each_start() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("store")).unwrap();
    sandbox.write("store/settings.json", r#"{"engine":{"maxTurn":5},"fromTheFuture":1}"#);
    let english = told(&sandbox, "en").stderr;
    assert!(english.contains("“engine.maxTurn”") && english.contains("sets nothing"), "{english}");
    assert!(english.contains("settings.json"), "where to correct it: {english}");
    let chinese = told(&sandbox, "zh").stderr;
    assert!(chinese.contains("“fromTheFuture”") && chinese.contains("不起任何作用"), "{chinese}");
    let writes = sandbox.run(&["settings", "get", "approval.writes", "--json"]).exits(0);
    assert_eq!(writes.json(), "ask-outside");
}

#[test]
fn a_name_that_is_no_setting_is_removed_by_setting_it_to_null() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("store")).unwrap();
    let file = r#"{"approval":{"write":"ask","writes":"auto"},"approval.writes":"ask"}"#;
    sandbox.write("store/settings.json", file);
    let set = |name, value| sandbox.run(&["settings", "set", name, value, "--json"]);
    assert_eq!(set("approval.writes", "auto").exits(0).json(), "ask");
    let told = told(&sandbox, "en").stderr;
    assert!(told.contains("settings.json") && told.contains("null removes it"), "{told}");
    assert_eq!(set("approval.write", "null").exits(0).json(), Value::Null);
    set("approval.write", "null").exits(5).error("SETTING_INVALID");
    // The other has the name of a setting, which has its default again.
    assert_eq!(set("approval.writes", "null").exits(0).json(), "ask-outside");
    assert_eq!(set("approval.writes", "auto").exits(0).json(), "auto");
    assert!(!self::told(&sandbox, "en").stderr.contains("strictest"));
}

#[test]
fn all_of_an_unreadable_file_is_strict_the_switch_of_the_file_tools_too() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("store")).unwrap();
    for text in ["{ oh", r#"{"tools":[]}"#, r#"{"tools":{"fs_enabled":false}}"#] {
        sandbox.write("store/settings.json", text);
        let enabled = sandbox.run(&["settings", "get", "tools.fsEnabled", "--json"]).exits(0);
        assert_eq!(enabled.json(), false, "{text}");
    }
}

#[test]
fn a_project_whose_file_misnames_what_guards_it_is_not_opened() {
    let sandbox = Sandbox::new();
    for (file, key) in [
        (r#"{"projectId":"p","artifactsdir":"out"}"#, "artifactsdir"),
        (r#"{"projectId":"p","artifacts_dir":"out"}"#, "artifacts_dir"),
        (r#"{"projectId":"p","approval":{"writes":"ask"}}"#, "approval"),
        (r#"{"projectId":"p","approval.writes":"ask"}"#, "approval.writes"),
        (r#"{"projectId":"p","settings":{"approval":{"writes":"ask"}}}"#, "settings"),
        (r#"{"projectId":"p","x":[{"tools.fsEnabled":false}]}"#, "x"),
        (r#"{"projectId":"p","artifactsFolder":"out"}"#, "artifactsFolder"),
    ] {
        sandbox.write("project/.crewagent.json", file);
        let project = sandbox.project().display().to_string();
        let open = |lang| sandbox.run(&["projects", "open", &project, "--json", "--lang", lang]);
        let error = open("en").exits(5).error("PROJECT_FILE_INVALID");
        assert_eq!(error["details"]["key"], key);
        let action = error["action"].as_str().unwrap();
        assert!(action.contains("Correct or remove it") && !action.contains("afresh"), "{action}");
        open("zh").exits(5).error("PROJECT_FILE_INVALID");
    }
    let project = sandbox.project().display().to_string();
    let open = || sandbox.run(&["projects", "open", &project, "--json"]);
    // Which of the two is meant nobody knows.
    let twice = r#"{"projectId":"p","artifactsDir":"out","artifactsDir":"src"}"#;
    sandbox.write("project/.crewagent.json", twice);
    let error = open().exits(5).error("PROJECT_FILE_INVALID");
    assert!(error["message"].as_str().unwrap().contains("`artifactsDir` stands there twice"));
    let other = r#"{"projectId":"p","owner":"ann","schemaVersion":"2",
        "review":{"approved":true,"tools":["a"],"confirmed":"yes"}}"#;
    sandbox.write("project/.crewagent.json", other);
    open().exits(0);
}
