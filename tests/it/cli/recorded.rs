//! A run as a trace: `runs record`, and the trace played in the place of a package's demo.

use host::llm::Fault;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use support::program::{Sandbox, Server, copy, expected_artifacts, has_han, hello_branch, root};

/// A package that has this trace in the place of its demo.
fn with_trace(sandbox: &Sandbox, package: &str, trace: &Path) -> String {
    let folder = sandbox.path("recorded-package");
    copy(&root().join("templates/packages").join(package), &folder);
    fs::copy(trace, folder.join("assets/demo/demo.trace.json")).unwrap();
    folder.to_string_lossy().into_owned()
}

fn record(sandbox: &Sandbox, name: &str) -> (PathBuf, Value) {
    let file = sandbox.path(name);
    let path = file.to_string_lossy().into_owned();
    sandbox.run(&["runs", "record", &sandbox.run_id(), "-o", &path]).exits(0);
    let trace = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    (file, trace)
}

/// A real run of the bundled workflow, answered by a server.
fn played_against_a_server(sandbox: &Sandbox) {
    let server = Server::faulty(Vec::new());
    let answers = sandbox.answers_left();
    let model = ["--base-url", &server.base_url(), "--model", "demo"];
    let package = hello_branch();
    let run = [&["run", &package, "--answers", &answers][..], &model].concat();
    sandbox.run(&run).exits(0);
}

#[test]
fn a_recorded_run_plays_again_without_its_model_and_makes_the_same_files() {
    let sandbox = Sandbox::new();
    played_against_a_server(&sandbox);
    let (file, trace) = record(&sandbox, "run.trace.json");
    assert_eq!(trace["expect"]["phase"], "completed");
    let files: Vec<&str> =
        trace["expect"]["files"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(files, ["@project/artifacts/plan/roadmap.md", "@project/artifacts/plan/vision.md"]);
    let other = Sandbox::new();
    let package = with_trace(&other, "hello-branch", &file);
    let done = other.run(&["run", &package, "--model", "demo", "--json"]).exits(0);
    assert_eq!(done.finish()["phase"], "completed");
    assert_eq!(other.artifacts(), expected_artifacts());
    // Recorded once more it is the same.
    let (_, again) = record(&other, "again.trace.json");
    assert_eq!(again, trace);
}

#[test]
fn a_recording_holds_no_key_and_no_real_path() {
    let sandbox = Sandbox::new();
    let key = "sk-recorded-0123456789abcdef";
    sandbox.run_fed(&["settings", "set-key"], &format!("{key}\n")).exits(0);
    let text = format!("It lies in {} and opens with {key}.", sandbox.project().display());
    let server = Server::saying(&[json!({ "text": text }), json!({ "text": "Go on." })]);
    let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
    let model = ["--base-url", &server.base_url(), "--model", "demo"];
    let said = format!("See {}/notes.", sandbox.project().display());
    sandbox.run_told(&[&["run", &mini, "--input", &said][..], &model].concat(), &[]);
    let (file, trace) = record(&sandbox, "run.trace.json");
    let written = fs::read_to_string(file).unwrap();
    assert!(!written.contains(key), "{written}");
    sandbox.shows_no_real_path(&written);
    assert_eq!(trace["input"], "See @project/notes.");
}

#[test]
fn a_recording_has_its_errors_in_words() {
    let sandbox = Sandbox::new();
    let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
    let nobody = ["--base-url", "http://127.0.0.1:1/v1", "--model", "demo"];
    sandbox.run(&[&["run", &mini][..], &nobody].concat()).exits(6);
    let path = sandbox.path("run.trace.json").to_string_lossy().into_owned();
    let id = sandbox.run_id();
    sandbox.run(&["runs", "record", &id, "-o", &path, "--json"]).error("NOT_NOW");
    let zh = sandbox.run(&["runs", "record", &id, "-o", &path, "--lang", "zh"]);
    assert!(has_han(&zh.stderr) && !Path::new(&path).exists(), "{zh:#?}");
    sandbox.run(&["runs", "record", "none", "-o", &path, "--json"]).error("RUN_NOT_FOUND");
    let sandbox = Sandbox::new();
    played_against_a_server(&sandbox);
    record(&sandbox, "run.trace.json");
    let path = sandbox.path("run.trace.json").to_string_lossy().into_owned();
    let id = sandbox.run_id();
    sandbox.run(&["runs", "record", &id, "-o", &path, "--json"]).error("EXPORT_EXISTS");
    sandbox.run(&["runs", "record", &id, "-o", &path, "--force"]).exits(0);
}

#[test]
fn a_package_is_tested_by_its_traces_and_the_bundled_ones_pass() {
    let sandbox = Sandbox::new();
    for package in host::packages::bundled::list() {
        let done = sandbox.run(&["package", "test", package, "--json"]).exits(0);
        let all = done.json();
        let all = all.as_array().unwrap();
        assert!(!all.is_empty() && all.iter().all(|it| it["passed"] == true), "{package}: {all:?}");
    }
    assert_eq!(sandbox.rows("runs"), 0, "nothing is left of it");
    played_against_a_server(&sandbox);
    let (file, _) = record(&sandbox, "run.trace.json");
    let folder = with_trace(&sandbox, "hello-branch", &file);
    let done = sandbox.run(&["package", "test", &folder]).exits(0);
    assert!(done.stdout.starts_with("✓ demo.trace.json: 14 answers"), "{done:#?}");
    // Also when it is installed, by its name.
    sandbox.run(&["package", "test", "hello-branch", "--trace", "demo"]).exits(0);
}

#[test]
fn a_trace_that_does_not_hold_says_where_and_shows_both_sides() {
    let sandbox = Sandbox::new();
    played_against_a_server(&sandbox);
    let (file, trace) = record(&sandbox, "run.trace.json");
    let tested = |change: &dyn Fn(&mut Value), lang: &str| {
        let mut changed = trace.clone();
        change(&mut changed);
        fs::write(&file, changed.to_string()).unwrap();
        let folder = with_trace(&sandbox, "hello-branch", &file);
        sandbox.run(&["package", "test", &folder, "--lang", lang]).exits(4)
    };
    let asked = |it: &mut Value| it["turns"][1]["when"] = json!({ "lastContains": "a cake" });
    let done = tested(&asked, "en");
    for part in [
        "✗ demo.trace.json",
        "- expected\n    + what there was",
        "    -lastContains: a cake\n",
        "\n    +ok: true\n",
        "1 of 14",
    ] {
        assert!(done.stdout.contains(part), "{part}: {}", done.stdout);
    }
    let zh = tested(&asked, "zh");
    assert!(zh.stdout.contains("- 预期") && zh.stdout.contains("+ 实际"), "{}", zh.stdout);
    let ended = |it: &mut Value| {
        it["expect"] =
            json!({ "phase": "waiting-user", "node": "nowhere", "files": ["@project/x.md"] });
    };
    let done = tested(&ended, "en");
    for part in [
        "expected to be waiting-user, and is completed",
        "expected at the step nowhere",
        "not made: @project/x.md",
        "made, and not expected: @project/artifacts/plan/vision.md",
    ] {
        assert!(done.stdout.contains(part), "{part}: {}", done.stdout);
    }
    let unanswered = |it: &mut Value| _ = it["answers"].as_array_mut().unwrap().pop();
    assert!(tested(&unanswered, "en").stdout.contains("of 14 answers of the model were played"));
}

#[test]
fn a_package_without_traces_and_one_that_is_none_are_told() {
    let sandbox = Sandbox::new();
    let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
    sandbox.run(&["package", "test", &mini, "--json"]).error("DEMO_TRACE_INVALID");
    sandbox.run(&["package", "test", "nowhere", "--json"]).error("PACKAGE_NOT_FOUND");
    let other = ["package", "test", "hello-branch", "--trace", "other", "--json"];
    let failure = sandbox.run(&other).error("BAD_REQUEST");
    assert!(failure["message"].as_str().unwrap().contains("there is: demo"), "{failure}");
    let folder = sandbox.path("broken");
    copy(&root().join("templates/packages/hello-branch"), &folder);
    fs::write(folder.join("assets/demo/demo.trace.json"), "{").unwrap();
    let folder = folder.to_string_lossy().into_owned();
    let broken = sandbox.run(&["package", "test", &folder, "--json"]);
    assert_eq!(broken.code, Some(4), "{broken:#?}");
}

#[test]
fn a_run_that_asked_about_every_write_is_recorded_with_that_and_plays_again() {
    let sandbox = Sandbox::new();
    let yes = json!([
        { "widgetId": "tool_approval", "value": { "confirmed": true } },
    ]);
    let write = json!({ "name": "fs_write", "arguments": { "path": "@project/artifacts/n.md", "content": "Rain." } });
    let server = Server::saying(&[
        json!({ "text": "", "calls": [write] }),
        json!({ "text": "It is written. What else?" }),
    ]);
    let answers = sandbox.write("answers.json", yes.to_string());
    let package = hello_branch();
    let model = ["--base-url", &server.base_url(), "--model", "demo", "--approve", "ask"];
    let run = [&["run", &package, "--answers", &answers][..], &model].concat();
    sandbox.run(&run).exits(3);
    let (file, trace) = record(&sandbox, "run.trace.json");
    assert_eq!(trace["approveWrites"], "ask");
    let folder = with_trace(&sandbox, "hello-branch", &file);
    sandbox.run(&["package", "test", &folder]).exits(0);
    // One that cannot be played keeps no other from being played.
    let broken = Path::new(&folder).join("assets/demo/a.trace.json");
    let other = json!({ "schemaVersion": "1", "workflow": "no id!", "turns": trace["turns"] });
    fs::write(broken, other.to_string()).unwrap();
    let done = sandbox.run(&["package", "test", &folder, "--json"]).exits(4).json();
    let passed: Vec<bool> =
        done.as_array().unwrap().iter().map(|it| it["passed"] == true).collect();
    assert_eq!(passed, [false, true], "{done}");
}

#[test]
fn words_that_were_cut_to_the_end_are_a_turn_of_their_own() {
    let mut answers: Vec<Fault> =
        ["One,", "two,", "three,"].map(|text| Fault::RunsOn(text.to_owned())).into();
    answers.push(Fault::Says(json!({ "role": "assistant", "content": "What else?" })));
    let server = Server::faulty(answers);
    let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
    let sandbox = Sandbox::new();
    let model = ["--base-url", &server.base_url(), "--model", "demo"];
    sandbox.run(&[&["run", &mini][..], &model].concat()).exits(4);
    let run = format!("run-{}", sandbox.run_id());
    let say = ["say", &run, "Something else."];
    sandbox
        .run(&[&say[..], &["--base-url", &server.base_url(), "--model", "demo"]].concat())
        .exits(3);
    let (_, trace) = record(&sandbox, "run.trace.json");
    let texts: Vec<&Value> =
        trace["turns"].as_array().unwrap().iter().map(|it| &it["reply"]["text"]).collect();
    assert_eq!(texts, ["One,two,three,", "What else?"]);
}

/// A run on `mini` that a server answers, and what is said in it from then on.
struct Told {
    sandbox: Sandbox,
    server: Server,
}

impl Told {
    fn begin(answers: Vec<Fault>, exit: i32) -> Self {
        let told = Self { sandbox: Sandbox::new(), server: Server::faulty(answers) };
        told.asked(&["run", &mini()], exit);
        told
    }

    fn say(&self, words: &str, exit: i32) {
        let run = format!("run-{}", self.sandbox.run_id());
        self.asked(&["say", &run, words], exit);
    }

    fn asked(&self, command: &[&str], exit: i32) {
        let base_url = self.server.base_url();
        let model = ["--base-url", &base_url, "--model", "demo", "--approve", "ask"];
        self.sandbox.run(&[command, &model].concat()).exits(exit);
    }

    /// The recording, which plays and is the same when it is recorded once more.
    fn recording(&self) -> Value {
        let (file, trace) = record(&self.sandbox, "run.trace.json");
        let folder = self.sandbox.path("recorded-package");
        copy(&PathBuf::from(mini()), &folder);
        fs::create_dir_all(folder.join("assets/demo")).unwrap();
        fs::copy(file, folder.join("assets/demo/demo.trace.json")).unwrap();
        let folder = folder.to_string_lossy().into_owned();
        let done = self.sandbox.run(&["package", "test", &folder]);
        assert_eq!(done.code, Some(0), "{}\n{trace:#}", done.stdout);
        trace
    }
}

fn mini() -> String {
    root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned()
}

/// The n-th of many calls, each another one.
fn reads(n: usize) -> Fault {
    let arguments = json!({ "path": "@pkg/steps/ask.md", "start_line": n + 1 }).to_string();
    let function = json!({ "name": "fs_read", "arguments": arguments });
    let call = json!({ "id": format!("c{n}"), "type": "function", "function": function });
    Fault::Says(json!({ "role": "assistant", "content": "", "tool_calls": [call] }))
}

fn says(text: &str) -> Fault {
    Fault::Says(json!({ "role": "assistant", "content": text }))
}

#[test]
fn words_said_in_place_of_trying_again_leave_a_recording_that_plays() {
    let refuses = Fault::status(400, "no");
    let told = Told::begin(vec![refuses, says("What is it?"), says("And why?")], 6);
    told.say("Do go on.", 3);
    told.say("Because.", 3);
    let trace = told.recording();
    // The script is asked for its first answer before anybody could say the first words.
    assert_eq!(trace["answers"], json!([{ "text": "Because." }]));
    let expected: Vec<bool> = (trace["turns"].as_array().unwrap().iter())
        .map(|turn| turn["when"]["lastContains"] == "USER_INPUT")
        .collect();
    assert_eq!(expected, [false, true]);
}

#[test]
fn words_that_came_to_nothing_at_the_end_are_in_no_recording() {
    let told = Told::begin(vec![says("What is it?"), Fault::status(400, "no")], 3);
    told.say("Tea.", 6);
    let trace = told.recording();
    assert_eq!(
        (&trace["answers"], &trace["expect"]["phase"]),
        (&json!([]), &json!("waiting-user"))
    );
}

#[test]
fn words_that_were_said_at_a_limit_and_failed_at_first_are_played_there() {
    let mut answers: Vec<Fault> = (0..51).map(reads).collect();
    answers.extend([Fault::status(400, "no"), says("What is it?"), says("And why?")]);
    let told = Told::begin(answers, 4);
    told.say("Go on.", 6);
    told.say("Do go on.", 3);
    told.say("Tea.", 3);
    let trace = told.recording();
    assert_eq!(trace["answers"], json!([{ "text": "Go on." }, { "text": "Tea." }]));
}

#[test]
fn words_said_while_an_approval_waits_leave_a_recording_that_plays() {
    let arguments = json!({ "path": "@project/artifacts/n.md", "content": "Rain." }).to_string();
    let write = json!({ "id": "c1", "type": "function", "function": { "name": "fs_write", "arguments": arguments } });
    let writes = json!({ "role": "assistant", "content": "", "tool_calls": [write] });
    let told = Told::begin(vec![Fault::Says(writes), says("Then how?")], 3);
    told.say("Not like that.", 3);
    let trace = told.recording();
    assert_eq!(trace["answers"], json!([{ "text": "Not like that." }]));
    assert_eq!(trace["expect"]["files"], json!([]));
}

#[test]
fn a_run_that_came_to_its_limit_plays_to_its_end_again_whoever_let_it_go_on() {
    // The limit is at fifty, and once more after the person let the run go on.
    let mut answers: Vec<Fault> = (0..102).map(reads).collect();
    answers.push(says("What is it?"));
    let told = Told::begin(answers, 4);
    told.asked(&["runs", "resume", &told.sandbox.run_id()], 4);
    told.say("Go on.", 3);
    let trace = told.recording();
    assert_eq!(trace["answers"], json!([{ "text": "Go on." }]));
    assert_eq!(trace["turns"].as_array().unwrap().len(), 103);
}

fn calls(name: &str, arguments: &Value) -> Fault {
    let function = json!({ "name": name, "arguments": arguments.to_string() });
    let call = json!({ "id": "c", "type": "function", "function": function });
    Fault::Says(json!({ "role": "assistant", "content": "", "tool_calls": [call] }))
}

#[test]
fn words_said_later_than_the_approval_of_a_folder_are_in_the_recording() {
    let write = json!({ "path": "@project/docs/n.md", "content": "Rain." });
    let told =
        Told::begin(vec![calls("fs_write", &write), says("And?"), says("So?"), says("Ah.")], 3);
    let run = told.sandbox.run_id();
    let value = json!({ "confirmed": true, "forFolder": true }).to_string();
    told.asked(&["answer", &run, "--value", &value], 3);
    told.say("Two.", 3);
    told.say("Three.", 3);
    let answers = told.recording()["answers"].clone();
    assert_eq!(
        answers.as_array().unwrap()[1..],
        [json!({ "text": "Two." }), json!({ "text": "Three." })]
    );
}

#[test]
fn words_behind_words_that_were_not_accepted_play() {
    let write = json!({ "path": "@project/artifacts/n.md", "content": "Rain.", "verify_after_write": false });
    let mut answers = vec![says("What is it?"), calls("fs_write", &write)];
    answers.extend(["All done.", "Really done.", "Done!", "Then how?", "Ah.", "Oh."].map(says));
    let told = Told { sandbox: Sandbox::new(), server: Server::faulty(answers) };
    let base_url = told.server.base_url();
    let model = ["--base-url", &base_url, "--model", "demo"];
    told.sandbox.run(&[&["run", &mini()][..], &model].concat()).exits(3);
    let run = told.sandbox.run_id();
    told.sandbox.run(&[&["say", &run, "Tea."][..], &model].concat()).exits(4);
    told.sandbox.run(&[&["say", &run, "Not that."][..], &model].concat()).exits(4);
    let trace = told.recording();
    assert_eq!(trace["answers"], json!([{ "text": "Tea." }, { "text": "Not that." }]));
}

#[test]
fn a_recording_expects_files_where_they_were_moved_to() {
    let write = |path: &str| calls("fs_write", &json!({ "path": path, "content": "Rain." }));
    let moves = json!({ "from": "@project/d/a.md", "to": "@project/e/b.md" });
    let answers = vec![
        write("@project/d/a.md"),
        write("@project/d/c.md"),
        calls("fs_move", &moves),
        calls("fs_delete", &json!({ "path": "@project/d", "recursive": true })),
        says("And now?"),
    ];
    let told = Told { sandbox: Sandbox::new(), server: Server::faulty(answers) };
    let base_url = told.server.base_url();
    let model = ["--base-url", &base_url, "--model", "demo", "--approve", "auto"];
    told.sandbox.run(&[&["run", &mini()][..], &model].concat());
    assert_eq!(told.recording()["expect"]["files"], json!(["@project/e/b.md"]));
}

#[test]
fn files_that_the_run_read_and_did_not_make_are_named() {
    let read = calls("fs_read", &json!({ "path": "@project/mine.md" }));
    let sandbox = Sandbox::new();
    fs::write(sandbox.project().join("mine.md"), "Rain.").unwrap();
    let server = Server::faulty(vec![read, says("It rains?")]);
    let model = ["--base-url", &server.base_url(), "--model", "demo"];
    sandbox.run(&[&["run", &mini()][..], &model].concat()).exits(3);
    let out = sandbox.path("run.trace.json").to_string_lossy().into_owned();
    let done = sandbox.run(&["runs", "record", &sandbox.run_id(), "-o", &out]).exits(0);
    assert!(done.stderr.contains("@project/mine.md"), "{done:#?}");
    let again = ["runs", "record", &sandbox.run_id(), "-o", &out, "--force", "--lang", "zh"];
    let done = sandbox.run(&again).exits(0);
    assert!(done.stderr.lines().any(|line| line.contains("@project/mine.md") && has_han(line)));
}

/// The places of all texts of a demo.
fn texts(value: &Value, at: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    let mut into = |key: String, value: &Value| {
        at.push(key);
        texts(value, at, found);
        at.pop();
    };
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| into(key.clone(), value)),
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(nth, value)| into(nth.to_string(), value));
        }
        Value::String(_) => found.push(at.clone()),
        _ => {}
    }
}

/// Every text of a demo that says what it expects. A role is one of a few words: another one is no
/// trace.
fn expects(place: &[String]) -> bool {
    place.iter().any(|key| key == "when") && place.last().is_some_and(|key| key != "lastRole")
}

/// Every text of a demo that says to which step the run goes.
fn moves(place: &[String]) -> bool {
    place.ends_with(&["currentNodeId".to_owned(), "set".to_owned()])
}

#[test]
fn one_changed_word_of_what_a_bundled_demo_expects_turns_its_test_red_with_a_diff() {
    let sandbox = Sandbox::new();
    let mut changed = 0;
    for package in ["hello-linear", "hello-honest", "create-story-micro"] {
        let from = root().join("templates/packages").join(package);
        let folder = sandbox.path(package);
        copy(&from, &folder);
        let file = folder.join("assets/demo/demo.trace.json");
        let trace: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        let mut places = Vec::new();
        texts(&trace["turns"], &mut Vec::new(), &mut places);
        places.retain(|place| expects(place));
        // Some of them, from the first to the last.
        let each = places.len().div_ceil(12).max(1);
        for place in places.iter().step_by(each) {
            let mut other = trace.clone();
            let pointer = format!("/turns/{}", place.join("/"));
            let word = other.pointer_mut(&pointer).unwrap();
            *word = format!("{}x", word.as_str().unwrap()).into();
            fs::write(&file, other.to_string()).unwrap();
            let done = sandbox.run(&["package", "test", &folder.to_string_lossy()]);
            assert_ne!(done.code, Some(0), "{package} {pointer}: {}", done.stdout);
            assert!(done.stdout.contains("✗ "), "{package} {pointer}: {done:?}");
            changed += 1;
        }
    }
    assert!(changed > 10, "{changed}");
}

#[test]
fn one_changed_step_of_the_way_of_a_bundled_demo_turns_its_test_red() {
    let sandbox = Sandbox::new();
    let mut changed = 0;
    for package in host::packages::bundled::list() {
        let folder = sandbox.path(package);
        copy(&root().join("templates/packages").join(package), &folder);
        let file = folder.join("assets/demo/demo.trace.json");
        let trace: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        assert_eq!(trace["expect"]["phase"], "completed", "{package}");
        let mut places = Vec::new();
        // One of rules answers otherwise, and comes to its end.
        texts(&trace["turns"], &mut Vec::new(), &mut places);
        places.retain(|place| moves(place));
        // Of one demo the first is refused anyway, because it claims what is not so.
        for place in places.iter().skip(usize::from(package == "hello-honest")) {
            let mut other = trace.clone();
            *other.pointer_mut(&format!("/turns/{}", place.join("/"))).unwrap() = "nowhere".into();
            fs::write(&file, other.to_string()).unwrap();
            let done = sandbox.run(&["package", "test", &folder.to_string_lossy()]);
            assert_ne!(done.code, Some(0), "{package} {place:?}: {}", done.stdout);
            assert!(done.stdout.contains("✗ "), "{package} {place:?}: {done:?}");
            changed += 1;
        }
    }
    assert!(changed > 8, "{changed}");
}
