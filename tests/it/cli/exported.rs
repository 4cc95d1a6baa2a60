//! `runs export` and `runs replay`: a run leaves the machine whole, without keys and real paths,
//! and comes out the same elsewhere.

use rstest::rstest;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Cursor, Read as _, Write as _};
use std::path::PathBuf;
use support::program::{Sandbox, Server, expected_artifacts, hello_branch};

/// Exports the only run of a sandbox.
pub(super) fn exported(sandbox: &Sandbox) -> PathBuf {
    let run = sandbox.run_id();
    let done = sandbox.run(&["runs", "export", &run, "-o", "run.crewrun", "--json"]).exits(0);
    let file = sandbox.path("work/run.crewrun");
    let bytes = std::fs::read(&file).unwrap();
    assert_eq!(done.json()["sha256"], kernel::text::sha256_hex(&bytes));
    assert_eq!(done.json()["lines"], sandbox.journal().len());
    file
}

/// Replays a file where nothing of the run is known.
fn replayed(file: &std::path::Path, exit: i32) -> Value {
    let elsewhere = Sandbox::new();
    std::fs::copy(file, elsewhere.path("work/run.crewrun")).unwrap();
    let done = elsewhere.run(&["runs", "replay", "run.crewrun", "--json"]).exits(exit);
    assert!(!elsewhere.path("store").exists(), "a replay needs no store");
    assert_eq!(std::fs::read_dir(elsewhere.project()).unwrap().count(), 0);
    done.json()
}

fn identical(sandbox: &Sandbox) -> Value {
    let report = replayed(&exported(sandbox), 0);
    assert_eq!(report["identical"], true, "{report:#}");
    assert_eq!(report["lines"], sandbox.journal().len());
    report
}

#[rstest]
#[case("hello-linear", 2)]
#[case("hello-branch", 3)]
#[case("create-story-micro", 7)]
fn a_demo_that_was_exported_comes_out_the_same_elsewhere(#[case] name: &str, #[case] files: u64) {
    let sandbox = Sandbox::new();
    sandbox.run(&["run", name, "--model", "demo"]).exits(0);
    let report = identical(&sandbox);
    assert_eq!(report["files"], files);
    assert_eq!(report["fromRecord"], json!([]), "{report:#}");
    let first = std::fs::read(sandbox.path("work/run.crewrun")).unwrap();
    let run = sandbox.run_id();
    sandbox.run(&["runs", "export", &run, "-o", "again.crewrun"]).exits(0);
    assert_eq!(std::fs::read(sandbox.path("work/again.crewrun")).unwrap(), first);
    let names: Vec<String> = unzipped(&first).into_keys().collect();
    for part in [
        "crewrun.json",
        "journal.jsonl",
        "facts.json",
        "decisions.json",
        "artifacts.json",
        "audit.jsonl",
        "package/bmad.json",
        "state/revisions/00000001.md",
    ] {
        assert!(names.iter().any(|name| name == part), "{part}: {names:?}");
    }
    sandbox.shows_no_real_path(
        &unzipped(&first)
            .into_values()
            .fold(String::new(), |all, bytes| all + &String::from_utf8_lossy(&bytes)),
    );
}

#[test]
fn artifacts_are_listed_as_they_were_written_and_as_they_are_now() {
    let sandbox = Sandbox::new();
    sandbox.run(&["run", &hello_branch(), "--model", "demo"]).exits(0);
    let changed = expected_artifacts().into_keys().next().unwrap();
    std::fs::write(sandbox.project().join(&changed), "mine").unwrap();
    let files = unzipped(&std::fs::read(exported(&sandbox)).unwrap());
    let artifacts: Vec<Value> = serde_json::from_slice(&files["artifacts.json"]).unwrap();
    assert_eq!(artifacts.len(), expected_artifacts().len());
    for artifact in artifacts {
        let path = artifact["path"].as_str().unwrap();
        let same = artifact["sha256"] == artifact["recordedSha256"];
        assert_eq!(same, path != format!("@project/{changed}"), "{artifact:#}");
    }
}

#[test]
fn a_run_that_was_killed_and_resumed_comes_out_the_same() {
    let (sandbox, server) = (Sandbox::new(), Server::slow(2));
    let (package, base_url) = (hello_branch(), server.base_url());
    let model = ["--base-url", &base_url, "--model", "demo", "--json"];
    let answers = sandbox.answers_left();
    let run = [&["run", &package, "--answers", &answers], &model[..]].concat();
    let mut running = sandbox.start(&run);
    for lines in [4, 9, 9] {
        running.lines(lines);
        running.signal("KILL");
        running.end();
        let (run, answers) = (sandbox.run_id(), sandbox.answers_left());
        let resume = [&["runs", "resume", &run, "--answers", &answers], &model[..]].concat();
        running = sandbox.start(&resume);
    }
    assert_eq!(running.end().1, Some(0));
    let interrupted = sandbox.journal_events();
    assert!(interrupted.iter().any(|e| e["event"] == "run_interrupted"));
    identical(&sandbox);
}

#[test]
fn a_run_stopped_by_a_limit_of_its_own_comes_out_the_same() {
    let sandbox = Sandbox::new();
    let package = hello_branch();
    sandbox.run(&["run", &package, "--model", "demo", "--max-turns", "3", "--json"]).exits(4);
    let run = sandbox.run_id();
    let answers = sandbox.answers_left();
    sandbox.run(&["runs", "resume", &run, "--answers", &answers, "--json"]).exits(0);
    let report = identical(&sandbox);
    assert_eq!(report["fromRecord"], json!([]), "{report:#}");
}

/// What another program did is the record's to say; what was decided here is decided again.
#[test]
fn a_run_taken_over_from_another_store_comes_out_the_same() {
    let sandbox = Sandbox::new();
    let folder = sandbox.path("elsewhere");
    std::fs::create_dir(&folder).unwrap();
    let old = support::old_store::Old::make(&folder);
    sandbox.run(&["migrate-electron", &old.data.to_string_lossy(), "--yes"]).exits(0);
    let project = old.project.to_string_lossy().into_owned();
    let export = |file: &str, force: &[&str]| {
        let command = ["runs", "export", "r-asked", "-o", file, "--project", &project, "--json"];
        sandbox.run(&[&command[..], force].concat()).exits(0);
        replayed(&sandbox.path("work").join(file), 0)
    };
    let untouched = export("untouched.crewrun", &[]);
    assert_eq!(untouched["identical"], true, "{untouched:#}");
    assert_eq!(untouched["requests"], 0);

    let resume = ["runs", "resume", "r-asked", "--model", "demo", "--project", &project, "--json"];
    sandbox.run(&resume).exits(0);
    let report = export("resumed.crewrun", &[]);
    assert_eq!(report["identical"], true, "{report:#}");
    assert!(report["requests"].as_u64().unwrap() > 2, "{report:#}");
    assert!(report["files"].as_u64().unwrap() > 1, "{report:#}");
    let whats: Vec<&Value> =
        report["fromRecord"].as_array().unwrap().iter().map(|taken| &taken["what"]).collect();
    assert_eq!(whats, [&json!("import")], "{report:#}");

    let mut files = unzipped(&std::fs::read(sandbox.path("work/resumed.crewrun")).unwrap());
    let journal = String::from_utf8(files["journal.jsonl"].clone()).unwrap();
    let said = "\"event\":\"message_imported\"";
    let at = journal.lines().position(|line| line.contains(said)).unwrap();
    let line = journal.lines().nth(at).unwrap();
    let changed = line.replacen("\"turn\":0,", "\"turn\":0 ,", 1);
    assert_ne!(line, changed);
    files.insert("journal.jsonl".into(), journal.replacen(line, &changed, 1).into_bytes());
    let file = PathBuf::from(sandbox.write("changed.crewrun", zipped(&files)));
    let report = replayed(&file, 4);
    assert_eq!(report["firstDifference"]["altered"], true, "{report:#}");
    assert_eq!(report["firstDifference"]["event"], "message_imported", "{report:#}");
}

/// Shown, allowed once, for the folder, refused.
#[rstest]
#[case::allowed("y")]
#[case::the_folder_allowed("folder")]
#[case::refused("no")]
fn a_run_with_approvals_comes_out_the_same(#[case] word: &str) {
    let sandbox = Sandbox::new();
    sandbox.run(&["settings", "set", "approval.writes", "ask", "--json"]).exits(0);
    let answers = json!(["A reading list app for my family.", word]).to_string();
    let answers = sandbox.write("answers.json", answers);
    sandbox.run(&["run", "hello-linear", "--model", "demo", "--answers", &answers, "--json"]);
    let events = sandbox.journal_events();
    let asked = events.iter().filter(|e| e["event"] == "change_proposed").count();
    assert!(asked > 0, "no write waited");
    let report = identical(&sandbox);
    assert_eq!(report["fromRecord"], json!([]), "{report:#}");
    // The state document, and what was allowed.
    assert_eq!(report["files"], if word == "no" { 1 } else { 2 }, "{report:#}");
}

#[test]
fn a_run_that_waits_can_be_exported_and_goes_on_afterwards() {
    let sandbox = Sandbox::new();
    let package = hello_branch();
    let said = sandbox.write("said.json", r#"["A page."]"#);
    sandbox.run(&["run", &package, "--model", "demo", "--answers", &said, "--json"]).exits(3);
    identical(&sandbox);
    let (run, answers) = (sandbox.run_id(), sandbox.answers_left());
    sandbox.run(&["runs", "resume", &run, "--answers", &answers, "--json"]).exits(0);
}

#[test]
fn one_changed_byte_of_a_reply_is_shown_where_it_is() {
    let sandbox = Sandbox::new();
    sandbox.run(&["run", &hello_branch(), "--model", "demo"]).exits(0);
    let mut files = unzipped(&std::fs::read(exported(&sandbox)).unwrap());
    let events = sandbox.journal_events();
    let reply = events.iter().filter(|e| e["event"] == "model_replied");
    let reply = reply.max_by_key(|e| e["data"]["reply"]["text"].as_str().unwrap().len()).unwrap();
    let text = reply["data"]["reply"]["text"].as_str().unwrap().split('\n').next().unwrap();
    let changed = format!("#{}", &text[1..]);
    let journal = String::from_utf8(files["journal.jsonl"].clone()).unwrap();
    assert!(journal.contains(text));
    files.insert("journal.jsonl".into(), journal.replacen(text, &changed, 1).into_bytes());
    let file = PathBuf::from(sandbox.write("changed.crewrun", zipped(&files)));

    let report = replayed(&file, 4);
    let first = &report["firstDifference"];
    assert_eq!(report["identical"], false);
    assert_eq!(first["seq"], reply["seq"], "{report:#}");
    assert_eq!(first["event"], "model_replied");
    assert_eq!((&first["field"], &first["altered"]), (&json!("/reply"), &json!(true)));
    let shown = sandbox.run(&["runs", "replay", &file.to_string_lossy()]).exits(4);
    assert!(shown.stdout.contains("first difference"), "{shown:#?}");
    assert!(shown.stdout.contains("/reply") && shown.stdout.contains("step "), "{shown:#?}");
    let zh = sandbox.run(&["runs", "replay", &file.to_string_lossy(), "--lang", "zh"]).exits(4);
    assert!(zh.stdout.contains("第一处不同"), "{zh:#?}");
}

#[test]
fn a_key_and_the_home_folder_do_not_leave_the_machine() {
    let home = Sandbox::new();
    let said = format!("It is in {}.", home.path("home/notes.md").display());
    let running =
        home.start(&["run", &hello_branch(), "--model", "demo", "--input", &said, "--json"]);
    assert_eq!(running.end().1, Some(3));
    let run = home.run_id();
    let export = ["runs", "export", &run, "-o", "run.crewrun", "--json"];
    let error = home.run(&export).exits(5).error("EXPORT_UNSAFE");
    assert_eq!(error["details"]["entry"], "journal.jsonl", "{error:#}");
    assert!(!home.path("work/run.crewrun").exists());

    let keyed = Sandbox::new();
    let key = "sk-planted-0123456789";
    let said = format!("My key is {key}.");
    keyed.run(&["run", &hello_branch(), "--model", "demo", "--input", &said, "--json"]).exits(3);
    let run = keyed.run_id();
    let export = ["runs", "export", &run, "-o", "run.crewrun", "--json"];
    let env = [("CREWAGENT_API_KEY", key)];
    let done = keyed.run_with(&export, &env).exits(5);
    assert_eq!(done.error("EXPORT_UNSAFE")["details"]["what"], "an API key");
    assert!(!done.stdout.contains("planted") && !keyed.path("work/run.crewrun").exists());
    let escapes = keyed.start(&[
        "say",
        &format!("run-{run}"),
        r"It is \u0073k-other-9876543210.",
        "--model",
        "demo",
        "--json",
    ]);
    drop(escapes.end());
    let other = [("CREWAGENT_API_KEY", "sk-other-9876543210")];
    let done = keyed.run_with(&export, &other).exits(5);
    assert_eq!(done.error("EXPORT_UNSAFE")["details"]["what"], "an API key");
    // To who does not have it, it is a word like others.
    keyed.run(&export).exits(0);
}

#[test]
fn a_file_that_is_there_is_replaced_only_when_asked_to() {
    let sandbox = Sandbox::new();
    sandbox.run(&["run", "hello-linear", "--model", "demo"]).exits(0);
    let run = sandbox.run_id();
    std::fs::write(sandbox.path("work/run.crewrun"), "mine").unwrap();
    let export = ["runs", "export", &run, "-o", "run.crewrun", "--json"];
    sandbox.run(&export).exits(5).error("EXPORT_EXISTS");
    assert_eq!(std::fs::read(sandbox.path("work/run.crewrun")).unwrap(), b"mine");
    sandbox.run(&[&export[..], &["--force"]].concat()).exits(0);
    sandbox.run(&["runs", "replay", "run.crewrun"]).exits(0);
    let left = std::fs::read_dir(sandbox.path("work")).unwrap().count();
    assert_eq!(left, 1, "no temporary file is left");
    sandbox.run(&["runs", "export", &run, "-o", "no/run.crewrun", "--json"]).exits(4);
    sandbox.run(&["runs", "export", "nobody", "-o", "x", "--json"]).exits(5).error("RUN_NOT_FOUND");
}

#[test]
fn a_file_kept_before_a_change_goes_along_and_the_change_is_made_again() {
    let sandbox = Sandbox::new();
    let artifact = expected_artifacts().into_keys().next().unwrap();
    let place = sandbox.project().join(&artifact);
    std::fs::create_dir_all(place.parent().unwrap()).unwrap();
    std::fs::write(&place, "from before\n").unwrap();
    sandbox.run(&["run", &hello_branch(), "--model", "demo"]).exits(0);
    let runs = sandbox.path("store/projects");
    let project = std::fs::read_dir(runs).unwrap().next().unwrap().unwrap().path();
    let checkpoints = project.join("runs").join(sandbox.run_id()).join("checkpoints");
    _ = std::fs::remove_dir_all(&checkpoints);
    let report = identical(&sandbox);
    assert_eq!(report["fromRecord"][0]["path"], format!("@project/{artifact}"), "{report:#}");

    std::fs::create_dir_all(&checkpoints).unwrap();
    let hash = kernel::text::sha256_hex(b"from before\n");
    let packed = zstd::encode_all(&b"from before\n"[..], 3).unwrap();
    std::fs::write(checkpoints.join(format!("{hash}.zst")), packed).unwrap();
    std::fs::remove_file(sandbox.path("work/run.crewrun")).unwrap();
    assert_eq!(identical(&sandbox)["fromRecord"], json!([]));
}

#[test]
fn what_is_no_export_ends_with_5() {
    let sandbox = Sandbox::new();
    sandbox.run(&["runs", "replay", "nothing.crewrun", "--json"]).exits(5).error("CREWRUN_INVALID");
    let text = sandbox.write("text.crewrun", "not a zip");
    sandbox.run(&["runs", "replay", &text, "--json"]).exits(5).error("ARCHIVE_INVALID");
    sandbox.run(&["run", "hello-linear", "--model", "demo"]).exits(0);
    let bytes = std::fs::read(exported(&sandbox)).unwrap();
    let half = sandbox.write("half.crewrun", &bytes[..bytes.len() / 2]);
    sandbox.run(&["runs", "replay", &half, "--json"]).exits(5).error("ARCHIVE_INVALID");
    let mut files = unzipped(&bytes);
    files.insert("../out.md".to_owned(), Vec::new());
    let climbs = sandbox.write("climbs.crewrun", zipped(&files));
    let done = sandbox.run(&["runs", "replay", &climbs, "--json"]).exits(5);
    let error = done.error("ARCHIVE_UNSAFE");
    let told = error["message"].as_str().unwrap();
    assert!(told.contains("the exported run's entry `../out.md`"), "{told}");
    assert!(error["action"].as_str().unwrap().contains("crewagent runs export"), "{error}");
}

pub(super) fn unzipped(bytes: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut files = BTreeMap::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        files.insert(entry.name().unwrap().into_owned(), bytes);
    }
    files
}

fn zipped(files: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive.start_file(name.as_str(), zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn no_export_takes_the_place_of_the_programs_own_data() {
    let sandbox = Sandbox::new();
    sandbox.run(&["run", "hello-linear", "--model", "demo"]).exits(0);
    let (run, own) = (sandbox.run_id(), sandbox.path("store/store.db"));
    let before = std::fs::read(&own).unwrap();
    let own = own.to_string_lossy().into_owned();
    let new = sandbox.path("store/new.json").to_string_lossy().into_owned();
    for out in [&own, &new] {
        for command in [
            &["runs", "export", &run, "-o", out, "--force", "--json"][..],
            &["runs", "record", &run, "-o", out, "--force", "--json"],
            &["conversations", "export", &run, "-o", out, "--json"],
        ] {
            let error = sandbox.run(command).error("BAD_REQUEST");
            assert!(error["message"].as_str().unwrap().contains("own data"), "{error}");
        }
    }
    assert_eq!(std::fs::read(&own).unwrap(), before);
    assert!(!sandbox.path("store/new.json").exists());
}

/// Nobody writes into the pipe: whoever opens it waits for ever.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_replaced_by_an_export_and_no_pipe_is_waited_for() {
    let sandbox = Sandbox::new();
    sandbox.run(&["run", "hello-linear", "--model", "demo"]).exits(0);
    let run = sandbox.run_id();
    let pipe = sandbox.path("work/pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    std::os::unix::fs::symlink(&pipe, sandbox.path("work/link")).unwrap();
    std::fs::create_dir(sandbox.path("work/folder")).unwrap();
    for out in ["pipe", "link", "folder"] {
        for command in [
            &["runs", "export", &run, "-o", out, "--force", "--json"][..],
            &["runs", "record", &run, "-o", out, "--force", "--json"],
            &["conversations", "export", &run, "-o", out, "--json"],
        ] {
            let error = sandbox.run(command).error("BAD_REQUEST");
            assert!(error["message"].as_str().unwrap().contains("and no file"), "{error}");
        }
    }
}
