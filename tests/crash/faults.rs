//! A disk that is full, broken, closed or slow; a database somebody keeps; a clock that goes
//! backwards. Each time: a clear error with alias paths only, the exit code of spec 11, no hang,
//! nothing half-written; and when the fault is lifted the run ends as if it had never been.

use rstest::rstest;
use serde_json::Value;
use std::sync::mpsc::channel;
use std::time::Duration;

use super::end::{End, Verdict, judge};
use super::faulty_disk::*;
use super::points::printed;
use super::story::{Act, Story, scripted, words};
use support::program::{Done, Sandbox, root};

/// Longer than any wait of the program is bounded to; a hang lasts longer.
const NO_HANG: Duration = Duration::from_mins(1);

/// Runs a command with a disk that may fail; panics when it hangs.
fn run(sandbox: &Sandbox, disk: &FaultyDisk, command: &[String]) -> Done {
    std::thread::scope(|scope| {
        let (sender, done) = channel();
        scope.spawn(move || sender.send(sandbox.run_with(&words(command), &disk.env())));
        done.recv_timeout(NO_HANG).expect("it hangs")
    })
}

/// What a process ended with: its error document's, or the failure of the turn.
fn failure(done: &Done) -> Value {
    let last = printed(&done.stdout).pop().unwrap_or_else(|| panic!("it says nothing: {done:#?}"));
    let failure = match last.get("error") {
        Some(error) => error.clone(),
        None => last["data"]["failure"].clone(),
    };
    assert!(failure["message"].as_str().is_some_and(|m| m.len() > 10), "{done:#?}");
    assert!(failure["action"].as_str().is_some_and(|m| m.len() > 5), "{done:#?}");
    failure
}

fn demo() -> Story {
    Story::new("demo", vec![Act::Run(root().join("templates/packages/hello-linear"))])
}

fn straight(story: &Story) -> End {
    let sandbox = Sandbox::in_memory();
    story.play(&sandbox, story.acts.len());
    End::of(&sandbox).with_audit_in_any_order()
}

/// The story's only act, with a fault from its `after`-th call on, and then without. False when
/// the fault was not met any more.
fn met(story: &Story, fault: Fault, codes: &[&str], exits: &[i32], straight: &End) -> bool {
    let sandbox = Sandbox::in_memory();
    let disk = FaultyDisk::new(&sandbox.path("home"));
    disk.fails(fault);
    let done = run(&sandbox, &disk, &story.command(&sandbox, 0));
    if disk.failed() == 0 {
        return false;
    }
    let told = format!("{fault:?}: {done:#?}");
    assert!(exits.contains(&done.code.expect(&told)), "{told}");
    if done.code != Some(0) {
        let code = failure(&done)["code"].as_str().unwrap().to_owned();
        assert!(codes.contains(&code.as_str()), "{told}");
    }
    disk.works();
    let mut shown = printed(&done.stdout);
    story.recover(&sandbox, 0, |done| shown.extend(printed(&done.stdout)));
    if matches!(story.acts[0], Act::Run(_)) {
        // Opened once more: what the audit log lacks is written then.
        sandbox.run(&["runs", "resume", &sandbox.run_id(), "--model", "demo", "--json"]).exits(0);
    }
    let mut verdict = Verdict::default();
    judge(&sandbox, &shown, &mut verdict);
    End::of(&sandbox).with_audit_in_any_order().compare(straight, &mut verdict);
    assert!(verdict.lost.is_empty() && verdict.doubled.is_empty(), "{fault:?}: {verdict:#?}");
    true
}

/// The fault from every `step`-th call on, as long as it is met.
fn at_every(step: usize, fault: Fault, codes: &[&str], exits: &[i32]) {
    let story = demo();
    let straight = straight(&story);
    let times = (0..).step_by(step);
    let met = times
        .take_while(|after| met(&story, Fault { after: *after, ..fault }, codes, exits, &straight));
    assert!(met.count() > 0, "{fault:?} was never met");
}

const FULL: Fault =
    Fault { place: "", kinds: WRITES | MAKES, error: ENOSPC, delay_ms: 0, after: 0 };
const BROKEN: Fault = Fault { place: "", kinds: CHANGES, error: EIO, delay_ms: 0, after: 0 };

#[rstest]
#[case::a_full_disk(Fault { place: "store.db", ..FULL }, 37)]
#[case::a_broken_disk(Fault { place: "store.db", ..BROKEN }, 41)]
#[case::a_log_that_cannot_be_flushed(Fault { place: "store.db-wal", kinds: FLUSHES, ..BROKEN }, 9)]
fn a_database_that_cannot_be_written_stops_the_work(#[case] fault: Fault, #[case] step: usize) {
    at_every(step, fault, &["STORE_WRITE_FAILED", "STORE_OPEN_FAILED"], &[0, 4]);
}

#[test]
fn a_database_that_may_not_be_opened_is_said() {
    let fault = Fault { place: "store.db", kinds: OPENS, error: EACCES, delay_ms: 0, after: 0 };
    let codes = ["STORE_OPEN_FAILED", "STORE_READ_FAILED", "STORE_WRITE_FAILED"];
    at_every(2, fault, &codes, &[0, 4]);
}

#[rstest]
#[case::a_full_disk(FULL)]
#[case::a_broken_disk(BROKEN)]
fn a_state_document_that_cannot_be_mirrored_stops_the_turn(#[case] fault: Fault) {
    // Its folder, the audit log aside.
    let fault = Fault { place: "/state/.crewagent.tmp", ..fault };
    at_every(1, fault, &["STORE_WRITE_FAILED"], &[4]);
}

#[rstest]
#[case::a_full_disk(FULL)]
#[case::a_closed_one(Fault { kinds: OPENS, error: EACCES, ..FULL })]
fn a_full_disk_under_the_audit_log_stops_nothing_and_its_lines_come_later(#[case] fault: Fault) {
    at_every(2, Fault { place: "execution.jsonl", ..fault }, &["STATE_INIT_FAILED"], &[0, 5]);
}

#[rstest]
#[case::a_full_disk(FULL)]
#[case::a_broken_disk(BROKEN)]
fn an_import_that_fails_leaves_nothing_and_works_later(#[case] fault: Fault) {
    at_every(6, Fault { place: "store/packages", ..fault }, &["STORE_WRITE_FAILED"], &[4]);
}

#[test]
fn settings_that_cannot_be_written_stay_as_they_were() {
    let sandbox = Sandbox::in_memory();
    let set =
        |value: &str| ["settings", "set", "engine.maxTurns", value, "--json"].map(str::to_owned);
    let get = ["settings", "get", "engine.maxTurns", "--json"];
    sandbox.run(&words(&set("7"))).exits(0);
    let disk = FaultyDisk::new(&sandbox.path("home"));
    for kinds in [WRITES, FLUSHES, RENAMES] {
        disk.fails(Fault { place: "store/.crewagent.tmp-", kinds, ..FULL });
        if kinds == RENAMES {
            disk.fails(Fault { place: "store/settings.json", kinds, ..FULL });
        }
        let done = run(&sandbox, &disk, &set("9")).exits(4);
        assert_eq!(failure(&done)["code"], "STORE_WRITE_FAILED");
        assert_eq!(sandbox.run(&get).exits(0).json(), 7);
    }
    disk.works();
    run(&sandbox, &disk, &set("9")).exits(0);
    assert_eq!(sandbox.run(&get).exits(0).json(), 9);
}

/// A run and a conversation that are exported, and a package that is packed, all into `out`.
fn written_for_the_person(sandbox: &Sandbox) -> [Vec<String>; 3] {
    sandbox.run(&["run", "hello-linear", "--model", "demo"]).exits(0);
    std::fs::create_dir(sandbox.path("work/out")).unwrap();
    let (run, package) = (sandbox.run_id(), root().join("templates/packages/hello-linear"));
    let commands: [&[&str]; 3] = [
        &["runs", "export", &run, "-o", "out/run.crewrun", "--force", "--json"],
        &["conversations", "export", &run, "-o", "out/talk.md", "--json"],
        &["package", "pack", package.to_str().unwrap(), "-o", "out/hello.bmad", "--json"],
    ];
    commands.map(|words| words.iter().map(|word| (*word).to_owned()).collect())
}

#[test]
fn what_is_written_for_the_person_is_not_done_before_its_folder_is_flushed() {
    let sandbox = Sandbox::in_memory();
    let disk = FaultyDisk::new(&sandbox.path("home"));
    for command in written_for_the_person(&sandbox) {
        // The file itself gets through.
        disk.fails(Fault { place: "work/out", kinds: FLUSHES, after: 1, ..BROKEN });
        let done = run(&sandbox, &disk, &command).exits(4);
        assert_eq!(failure(&done)["code"], "STORE_WRITE_FAILED");
        disk.works();
        run(&sandbox, &disk, &command).exits(0);
    }
}

/// As NFS refuses an exclusive lock on a file that is open for reading.
#[test]
fn what_another_program_is_writing_stays_where_nobody_can_ask_for_its_lock() {
    let sandbox = Sandbox::in_memory();
    let disk = FaultyDisk::new(&sandbox.path("home"));
    let commands = written_for_the_person(&sandbox);
    let [writing, left] = ["a", "b"].map(|name| {
        let name = sandbox.path("work/out").join(format!(".crewagent.tmp-{name}"));
        (std::fs::File::create(&name).unwrap(), name)
    });
    writing.0.lock().unwrap();
    drop(left.0);
    for command in &commands {
        disk.fails(Fault { place: ".crewagent.tmp-", kinds: LOCKS, error: EBADF, ..FULL });
        run(&sandbox, &disk, command).exits(0);
        assert!(disk.failed() > 0);
        assert!(writing.1.exists() && left.1.exists(), "{command:?}: nobody could ask");
    }
    disk.works();
    for command in &commands {
        std::fs::write(&left.1, "").unwrap();
        run(&sandbox, &disk, command).exits(0);
        assert!(writing.1.exists() && !left.1.exists(), "{command:?}: only what nobody holds goes");
    }
}

/// The model is told, and the file is as it was: whole, with nothing beside it.
#[rstest]
#[case::a_full_disk(FULL, "disk is full")]
#[case::a_broken_disk(BROKEN, "os error 5")]
#[case::one_that_cannot_flush(Fault { kinds: FLUSHES, ..BROKEN }, "os error 5")]
#[case::one_that_cannot_rename(Fault { kinds: RENAMES, ..BROKEN }, "os error 5")]
fn a_write_that_fails_is_told_and_leaves_the_file_as_it_was(
    #[case] fault: Fault,
    #[case] words: &str,
) {
    let sandbox = Sandbox::in_memory();
    let write = |content: &str| {
        serde_json::json!({ "name": "fs_write", "arguments": {
            "path": "@project/artifacts/note.md", "content": content,
        } })
    };
    let script = serde_json::json!([
        { "text": "I write.", "calls": [write("old\n")] },
        { "text": "What next?" },
        { "text": "I write again.", "calls": [write("new\n")] },
        { "text": "It did not work. What now?" },
        { "text": "Once more.", "calls": [write("new\n")] },
        { "text": "Now it did." },
    ]);
    let package = sandbox.path("work/package");
    scripted(&root().join("tests/fixtures/packages/mini"), &package, &script, &[]);
    let acts = vec![Act::Run(package), Act::Say("Again."), Act::Say("Once more.")];
    let story = Story::new("write", acts);
    let disk = FaultyDisk::new(&sandbox.path("home"));
    let note = sandbox.project().join("artifacts/note.md");
    let play = |act: usize| run(&sandbox, &disk, &story.command(&sandbox, act)).exits(3);
    play(0);
    disk.fails(Fault { place: "project/artifacts/", ..fault });
    let ended = play(1).events().into_iter().find(|e| e["event"] == "call_ended").unwrap();
    assert!(disk.failed() > 0);
    let error = &ended["data"]["result"]["error"];
    assert_eq!(error["code"], "E_IO", "{error:#}");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("@project/artifacts/note.md") && message.contains(words), "{message}");
    assert_eq!(std::fs::read_to_string(&note).unwrap(), "old\n");
    assert_eq!(std::fs::read_dir(note.parent().unwrap()).unwrap().count(), 1);
    disk.works();
    play(2);
    assert_eq!(std::fs::read_to_string(&note).unwrap(), "new\n");
}

/// Killed when it was written and no line said so; now the disk does not show the file.
#[test]
fn a_write_in_doubt_that_the_disk_does_not_show_may_have_happened() {
    let write = serde_json::json!({ "name": "fs_write", "arguments": {
        "path": "@project/artifacts/note.md", "content": "new\n",
    } });
    let script = serde_json::json!([
        { "text": "I write.", "calls": [write] },
        { "text": "I do not know whether it is there." },
    ]);
    let begun = (1..20).find_map(|time| {
        let sandbox = Sandbox::in_memory();
        let package = sandbox.path("work/package");
        scripted(&root().join("tests/fixtures/packages/mini"), &package, &script, &[]);
        let story = Story::new("in-doubt", vec![Act::Run(package)]);
        let at = format!("effect.after:{time}");
        sandbox.run_with(&words(&story.command(&sandbox, 0)), &[("CREWAGENT_CRASH_AT", &at)]);
        let last = sandbox.journal_events().pop().unwrap();
        let written = sandbox.project().join("artifacts/note.md").exists();
        (last["event"] == "call_began" && written).then_some((sandbox, story))
    });
    let (sandbox, story) = begun.expect("the write is an effect");
    let disk = FaultyDisk::new(&sandbox.path("home"));
    let place = "project/artifacts/note.md";
    disk.fails(Fault { place, kinds: OPENS, error: EIO, delay_ms: 0, after: 0 });
    run(&sandbox, &disk, &story.next(&sandbox, 0).unwrap()).exits(3);
    assert!(disk.failed() > 0);
    // It is settled while the conversation is opened: before what the command itself tells of, or then.
    let journal = sandbox.journal_events();
    let mut ended = journal.iter().filter(|event| event["event"] == "call_ended");
    let (Some(ended), None) = (ended.next(), ended.next()) else { panic!("{journal:#?}") };
    let error = &ended["data"]["result"]["error"];
    assert_eq!(
        (&error["code"], &error["details"]["mayHaveRun"]),
        (&"E_INTERRUPTED".into(), &true.into())
    );
    assert!(!journal.iter().any(|event| event["event"] == "call_reset"));
    let note = std::fs::read_to_string(sandbox.project().join("artifacts/note.md")).unwrap();
    assert_eq!(note, "new\n");
}

/// What is too long for a message belongs into a file beside the log. Without it the model still
/// has its result: cut, with words that say so, and no alias that leads nowhere.
#[rstest]
#[case::a_full_disk(FULL)]
#[case::a_broken_disk(BROKEN)]
#[case::one_that_cannot_write(Fault { kinds: WRITES, ..FULL })]
#[case::one_that_cannot_flush(Fault { kinds: FLUSHES, ..BROKEN })]
#[case::one_that_flushes_the_file_and_not_its_folder(Fault { kinds: FLUSHES, after: 1, ..BROKEN })]
#[case::one_that_cannot_rename(Fault { kinds: RENAMES, ..BROKEN })]
#[case::one_that_cannot_be_opened(Fault { kinds: OPENS, error: EACCES, ..FULL })]
fn a_long_result_that_cannot_be_kept_is_cut_and_says_so(#[case] fault: Fault) {
    let sandbox = Sandbox::in_memory();
    let long = format!("{}\n", "a long line of text ".repeat(20)).repeat(300);
    std::fs::write(sandbox.project().join("long.txt"), &long).unwrap();
    let read = serde_json::json!({ "name": "fs_read", "arguments": {
        "path": "@project/long.txt",
    } });
    let search = serde_json::json!({ "name": "fs_search", "arguments": {
        "path": "@project", "pattern": "long line", "maxMatches": 100,
    } });
    let script = serde_json::json!([
        { "text": "I begin." },
        { "text": "I look.", "calls": [read, search] },
        { "text": "That was long. What next?" },
        { "text": "I look again.", "calls": [read, search] },
        { "text": "Now all of it is kept." },
    ]);
    let package = sandbox.path("work/package");
    scripted(&root().join("tests/fixtures/packages/mini"), &package, &script, &[]);
    let acts = vec![Act::Run(package), Act::Say("Look."), Act::Say("Look again.")];
    let story = Story::new("spill", acts);
    let disk = FaultyDisk::new(&sandbox.path("home"));
    let play = |act: usize| run(&sandbox, &disk, &story.command(&sandbox, act)).exits(3);
    let mut shown = printed(&play(0).stdout);
    let kept = super::end::state_folder(&sandbox).join("logs/tool-results");

    disk.fails(Fault { place: "tool-results", ..fault });
    let done = play(1);
    assert!(disk.failed() > 0, "the fault was not met");
    let ended: Vec<Value> = results(&done);
    assert_eq!(ended.len(), 2, "{done:#?}");
    for ended in &ended {
        let result = &ended["result"];
        assert_eq!((&ended["ok"], &result["truncated"]), (&Value::Bool(true), &Value::Bool(true)));
        let hint = result["hint"].as_str().unwrap();
        assert!(hint.contains("could not be kept"), "{hint}");
        assert!(result["preview"].as_str().unwrap().len() > 100, "{result:#}");
        assert!(result.get("fullOutputPath").is_none() && ended["fullOutput"].is_null());
        assert!(!ended.to_string().contains("tool-results"), "an alias to nothing: {ended:#}");
    }
    shown.extend(printed(&done.stdout));

    disk.works();
    let done = play(2);
    for ended in results(&done) {
        let alias = ended["fullOutput"].as_str().unwrap().to_owned();
        assert_eq!(ended["result"]["fullOutputPath"], alias);
        let file = kept.join(alias.strip_prefix("@state/logs/tool-results/").unwrap());
        let whole: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        assert!(whole.get("content").is_some() || whole.get("matches").is_some());
    }
    shown.extend(printed(&done.stdout));
    for entry in std::fs::read_dir(&kept).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(!name.contains(".tmp"), "{name} was left lying about");
    }
    let mut verdict = Verdict::default();
    judge(&sandbox, &shown, &mut verdict);
    assert!(verdict.lost.is_empty() && verdict.doubled.is_empty(), "{verdict:#?}");
}

/// The calls that ended.
fn results(done: &Done) -> Vec<Value> {
    let ended = done.events().into_iter().filter(|e| e["event"] == "call_ended");
    ended.map(|event| event["data"].clone()).collect()
}

#[test]
fn a_slow_disk_takes_its_time_and_nothing_else_changes() {
    let fault = Fault { place: "store", kinds: FLUSHES, error: 0, delay_ms: 15, after: 0 };
    let story = demo();
    assert!(met(&story, fault, &[], &[0], &straight(&story)));
}

/// A journal keeps its order, a run its place and a dead program's lease its end, whatever the
/// clock says.
#[test]
fn a_clock_that_goes_backwards_changes_nothing() {
    let story = demo();
    let straight = straight(&story);
    let sandbox = Sandbox::in_memory();
    let disk = FaultyDisk::new(&sandbox.path("home"));
    let day = 24 * 3600 * 1000;
    let mut shown = Vec::new();
    let mut killed = 0;
    // Killed three times, each time a day earlier; what it held is held from the future.
    for (days, point) in
        [(0, "effect.after:4"), (-1, "effect.after:6"), (-2, "file.after_rename:1")]
    {
        disk.clock_is_off(days * day);
        let mut env = disk.env().to_vec();
        env.push(("CREWAGENT_CRASH_AT", point));
        let command = story.next(&sandbox, 0).unwrap();
        let done = sandbox.run_with(&words(&command), &env);
        killed += usize::from(done.code.is_none());
        shown.extend(printed(&done.stdout));
    }
    assert_eq!(killed, 3);
    disk.clock_is_off(-3 * day);
    let command = story.next(&sandbox, 0).unwrap();
    shown.extend(printed(&run(&sandbox, &disk, &command).exits(0).stdout));
    let mut verdict = Verdict::default();
    judge(&sandbox, &shown, &mut verdict);
    End::of(&sandbox).with_audit_in_any_order().compare(&straight, &mut verdict);
    assert!(verdict.lost.is_empty() && verdict.doubled.is_empty(), "{verdict:#?}");
    // Lists have no time to hide behind either.
    let listed = sandbox.run(&["runs", "list", "--json"]).exits(0).json();
    assert_eq!(listed[0]["phase"], "completed");
}

/// Another program keeps the database: for too long, and then not any more.
#[test]
fn a_locked_database_is_waited_for_a_while_and_then_said() {
    let sandbox = Sandbox::in_memory();
    sandbox.run(&["runs", "list", "--json"]).exits(0);
    let disk = FaultyDisk::new(&sandbox.path("home"));
    let story = demo();
    let db = sandbox.database();
    db.execute_batch("BEGIN IMMEDIATE").unwrap();
    let done = run(&sandbox, &disk, &story.command(&sandbox, 0));
    assert_eq!(done.code, Some(4), "{done:#?}");
    assert_eq!(failure(&done)["code"], "STORE_WRITE_FAILED");

    // Counts the program's looks at the database: it has come to where it waits.
    let looks = Fault { place: "store.db", kinds: OPENS, error: 0, delay_ms: 0, after: 0 };
    disk.fails(looks);
    std::thread::scope(|scope| {
        let running = scope.spawn(|| run(&sandbox, &disk, &story.command(&sandbox, 0)));
        while disk.failed() == 0 && !running.is_finished() {
            std::thread::yield_now();
        }
        db.execute_batch("ROLLBACK").unwrap();
        running.join().unwrap().exits(0);
    });
    let mut verdict = Verdict::default();
    judge(&sandbox, &[], &mut verdict);
    assert!(verdict.lost.is_empty() && verdict.doubled.is_empty(), "{verdict:#?}");
}
