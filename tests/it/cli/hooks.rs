//! Hooks at the command line: the person sees and trusts a project's commands before one of them is
//! run, and is told what each came to.

use serde_json::{Value, json};
use std::path::Path;
use support::program::{Done, Sandbox, Server, root};

const NOTE: &str = "@project/artifacts/note.md";

fn text(text: &str) -> Value {
    json!({ "text": text })
}

fn writes(content: &str) -> Value {
    let arguments = json!({ "path": NOTE, "content": content });
    json!({ "calls": [{ "name": "fs_write", "arguments": arguments }] })
}

struct Project {
    sandbox: Sandbox,
    server: Server,
}

impl Project {
    fn of(hooks: &Value, replies: &[Value]) -> Self {
        let project = Self { sandbox: Sandbox::new(), server: Server::saying(replies) };
        project.says(hooks);
        project
    }

    fn says(&self, hooks: &Value) {
        let file = json!({ "projectId": "p1", "hooks": hooks });
        std::fs::write(self.folder().join(".crewagent.json"), file.to_string()).unwrap();
    }

    fn folder(&self) -> std::path::PathBuf {
        self.sandbox.project()
    }

    fn hooks(&self, command: &[&str]) -> Done {
        self.sandbox.run(&[&["hooks"], command].concat())
    }

    fn conversation(&self) -> String {
        format!("run-{}", self.sandbox.run_id())
    }

    fn go_on(&self, command: &[&str]) -> Done {
        let base_url = self.server.base_url();
        self.sandbox.run(&[command, &["--base-url", &base_url, "--model", "demo"]].concat())
    }

    fn run(&self, more: &[&str]) -> Done {
        let base_url = self.server.base_url();
        let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
        let model = ["--base-url", &base_url, "--model", "demo", "--approve", "auto"];
        self.sandbox.run_with(
            &[&["run", &mini], more, &model].concat(),
            &[("CREWAGENT_API_KEY", "sk-0f3a9c81d2e4b5a6c7d8")],
        )
    }
}

#[cfg(unix)]
impl Project {
    fn starts(&self) -> support::program::Running {
        let base_url = self.server.base_url();
        let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
        let model = ["--base-url", &base_url, "--model", "demo", "--approve", "auto", "--json"];
        self.sandbox.start(&[&["run", &mini][..], &model].concat())
    }

    /// Nothing writes to `ticks` any more.
    fn is_still(&self) {
        let size = || std::fs::metadata(self.folder().join("ticks")).unwrap().len();
        std::thread::sleep(std::time::Duration::from_millis(200));
        let before = size();
        std::thread::sleep(std::time::Duration::from_millis(400));
        assert_eq!(size(), before, "the command has ended");
    }
}

fn heading() -> Value {
    let command = "grep -q '^# ' artifacts/note.md || { echo 'a heading is missing' >&2; exit 1; }";
    json!([{ "name": "heading", "at": "accept_gate", "command": command }])
}

fn said(event: &Value) -> (&str, &str) {
    (event["data"]["hook"].as_str().unwrap(), event["data"]["status"].as_str().unwrap())
}

#[test]
fn a_command_that_nobody_trusts_is_not_run_and_the_person_is_told() {
    let touch = json!([{ "name": "touch", "at": "run_start", "command": "touch touched" }]);
    let project = Project::of(&touch, &[text("Which topic?")]);
    let done = project.run(&[]).exits(3);
    assert!(done.stderr.contains("crewagent hooks trust"), "{}", done.stderr);
    assert!(!project.folder().join("touched").exists());
    let listed = project.hooks(&["list"]).exits(0).stdout;
    assert!(listed.contains("touch touched") && listed.contains("not trusted"), "{listed}");
    let refused = project.hooks(&["trust"]).exits(2);
    assert!(refused.stderr.contains("--yes"), "{}", refused.stderr);
}

#[test]
fn a_trusted_command_is_run_until_it_is_changed_or_not_trusted_any_more() {
    let hook = |file: &str| json!([{ "name": "touch", "at": "run_start", "command": format!("touch {file}") }]);
    let project = Project::of(&hook("one"), &[text("Which topic?")]);
    let trusted = project.hooks(&["trust", "touch", "--yes", "--json"]).exits(0).json();
    assert_eq!(trusted[0]["trusted"], true);
    project.run(&[]).exits(3);
    assert!(project.folder().join("one").exists());
    project.says(&hook("two"));
    assert_eq!(project.hooks(&["list", "--json"]).json()[0]["trusted"], false);
    project.run(&[]).exits(3);
    assert!(!project.folder().join("two").exists(), "it is another command");
    project.says(&hook("one"));
    project.hooks(&["untrust"]).exits(0);
    std::fs::remove_file(project.folder().join("one")).unwrap();
    project.run(&[]).exits(3);
    assert!(!project.folder().join("one").exists());
}

#[test]
fn work_that_the_persons_check_does_not_take_ends_with_its_words_and_exit_code_4() {
    let bad = || writes("Rain.\n");
    let project = Project::of(&heading(), &[bad(), text("Done."), text("Done!"), text("It is.")]);
    project.hooks(&["trust", "--yes"]).exits(0);
    let done = project.run(&[]).exits(4);
    for words in ["heading", "a heading is missing", "[Runtime Decision] incomplete."] {
        assert!(done.stdout.contains(words), "{words} in {}", done.stdout);
    }
    let told = project.server.last_request();
    assert!(told.contains("a heading is missing"), "the model is told: {told}");
    let chinese = project.sandbox.run(&["runs", "show", &project.sandbox.run_id(), "--lang", "zh"]);
    assert!(chinese.stdout.contains("检查 heading 没有通过"), "{}", chinese.stdout);
}

#[test]
fn a_check_that_passes_is_an_event_and_a_fact() {
    let project =
        Project::of(&heading(), &[writes("# Rain\n"), text("Done. Which topic is next?")]);
    project.hooks(&["trust", "--yes"]).exits(0);
    let events = project.run(&["--json"]).exits(3).events();
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert!(names.contains(&"candidate_held") && names.contains(&"hooks_due"), "{names:?}");
    let ended = events.iter().find(|event| event["event"] == "hook_ended").unwrap();
    assert_eq!(said(ended), ("heading", "passed"));
    let facts = ["runs", "show", &project.sandbox.run_id(), "--facts", "--json"];
    let facts = project.sandbox.run(&facts).json();
    let of_hook = |fact: &&Value| fact["hook"] == "heading";
    let kinds: Vec<&Value> =
        facts["facts"].as_array().unwrap().iter().filter(of_hook).map(|f| &f["kind"]).collect();
    assert_eq!(kinds, ["command_executed", "verification"]);
}

#[test]
fn a_check_that_takes_too_long_is_told_and_the_words_stand() {
    let slow = json!([
        { "name": "slow", "at": "accept_gate", "command": "sleep 60", "timeoutS": 1 }
    ]);
    let project = Project::of(&slow, &[writes("Rain.\n"), text("Done. Which topic is next?")]);
    project.hooks(&["trust", "--yes"]).exits(0);
    let done = project.run(&[]).exits(3);
    for words in ["did not end within 1 s", "could not check", "Which topic is next?"] {
        assert!(done.stdout.contains(words), "{words} in {}", done.stdout);
    }
}

#[test]
fn no_command_is_told_the_key_or_tells_a_real_path() {
    let tells = json!([{
        "name": "tells", "at": "run_start", "command": "echo \"$CREWAGENT_API_KEY\" in $PWD >&2",
    }]);
    let project = Project::of(&tells, &[text("Which topic?")]);
    project.hooks(&["trust", "--yes"]).exits(0);
    let done = project.run(&["--json"]).exits(3);
    let events = done.events();
    let ended = events.iter().find(|event| event["event"] == "hook_ended").unwrap();
    assert_eq!(ended["data"]["output"], "in @project");
}

#[test]
fn a_hook_that_cannot_be_understood_keeps_the_project_shut() {
    let project = Project::of(&json!([{ "name": "a", "at": "on_mondays", "command": "x" }]), &[]);
    let refused = project.hooks(&["list", "--json"]).exits(5).json();
    assert_eq!(refused["error"]["code"], "PROJECT_FILE_INVALID");
    assert_eq!(refused["error"]["details"]["key"], "hooks[0]");
    let unknown = Project::of(&heading(), &[]);
    let refused = unknown.hooks(&["trust", "nothing", "--yes"]).exits(2);
    assert!(refused.stderr.contains("heading"), "{}", refused.stderr);
}

/// Two gates, one of which does not agree while a file is there.
fn two() -> Value {
    json!([
        { "name": "a", "at": "accept_gate", "command": "exit 0" },
        { "name": "b", "at": "accept_gate", "command": "test ! -e block" },
    ])
}

fn blocked() -> Project {
    let done = || text("Done. Which topic is next?");
    let project = Project::of(&two(), &[writes("x"), done(), done(), done(), done(), done()]);
    std::fs::write(project.folder().join("block"), "").unwrap();
    project.hooks(&["trust", "--yes"]).exits(0);
    project.run(&[]).exits(4);
    project
}

#[test]
fn a_gate_that_said_no_is_asked_again_when_the_person_has_seen_to_it() {
    let project = blocked();
    std::fs::remove_file(project.folder().join("block")).unwrap();
    project.go_on(&["say", &project.conversation(), "I have seen to it."]).exits(3);
}

#[test]
fn a_gate_that_is_not_trusted_any_more_says_nothing_any_more() {
    let project = blocked();
    project.hooks(&["untrust", "b"]).exits(0);
    project.go_on(&["runs", "resume", &project.sandbox.run_id()]).exits(3);
}

#[test]
fn what_is_hidden_in_what_a_command_writes_is_hidden_where_it_is_cut_too() {
    let fill = "head -c 70000 /dev/zero | tr '\\0' x";
    let rest = "head -c 4085 /dev/zero | tr '\\0' x";
    for cut in [
        format!("printf sk-%s 0f3a9c81d2e4b5a6c7d8; {fill}"),
        format!("{fill}; printf sk-%s 0f3a9c81d2e4b5a6c7d8; {rest}"),
        format!("{fill}; pwd; {rest}"),
        "printf sk-%s 0f3a9c81d2e4b5a6c7d8; head -c 65528 /dev/zero | tr '\\0' x".to_owned(),
    ] {
        let command = format!("{cut}; exit 1");
        let tells = json!([{ "name": "tells", "at": "accept_gate", "command": command }]);
        let project = Project::of(&tells, &[writes("x"), text("Done."), text("Done.")]);
        project.hooks(&["trust", "--yes"]).exits(0);
        let events = project.run(&["--json"]).exits(4).events();
        let ended = events.iter().find(|event| event["event"] == "hook_ended").unwrap();
        let output = ended["data"]["output"].as_str().unwrap();
        let folder = project.folder();
        let above = folder.parent().unwrap().file_name().unwrap().to_string_lossy();
        for part in ["b5a6c7d8", &above[above.len() - 4..]] {
            assert!(!output.contains(part) && output.len() <= 4096, "{cut}: {part} in {output}");
        }
    }
}

#[test]
fn a_key_that_is_meant_for_hooks_and_misspelt_keeps_the_project_shut() {
    for key in ["Hooks", "hook", "HOOKS", "hoks"] {
        let project = Project::of(&json!([]), &[]);
        let mut file = json!({ "projectId": "p1" });
        file[key] = heading();
        std::fs::write(project.folder().join(".crewagent.json"), file.to_string()).unwrap();
        let refused = project.hooks(&["list", "--json"]).exits(5).json();
        assert_eq!(refused["error"]["details"]["key"], key);
    }
}

#[cfg(unix)]
const TICKS: &str = "while :; do echo x >> ticks; sleep 0.05; done";

#[test]
#[cfg(unix)]
fn a_hook_that_looks_on_does_not_keep_the_person_waiting() {
    let long = json!([{ "name": "long", "at": "run_start", "command": TICKS, "timeoutS": 600 }]);
    let project = Project::of(&long, &[text("Which topic?")]);
    project.hooks(&["trust", "--yes"]).exits(0);
    let mut running = project.starts();
    while let Some(event) = running.line() {
        if event["event"] == "turn_finished" {
            break;
        }
    }
    wait_for(&project.folder().join("ticks"));
    project.sandbox.run(&["stop", &project.sandbox.run_id()]).exits(0);
    let (_, code) = running.end();
    assert_eq!(code, Some(3));
    project.is_still();
}

#[test]
#[cfg(unix)]
fn a_program_that_is_told_to_end_takes_its_commands_with_it() {
    let long = json!([{ "name": "long", "at": "accept_gate", "command": TICKS }]);
    let project = Project::of(&long, &[writes("Rain.\n"), text("Done.")]);
    project.hooks(&["trust", "--yes"]).exits(0);
    let running = project.starts();
    wait_for(&project.folder().join("ticks"));
    running.signal("TERM");
    _ = running.end();
    project.is_still();
}

#[test]
#[cfg(unix)]
fn stop_ends_the_command_that_the_run_waits_for() {
    let long = json!([{ "name": "long", "at": "accept_gate", "command": TICKS }]);
    let project = Project::of(&long, &[writes("Rain.\n"), text("Done.")]);
    project.hooks(&["trust", "--yes"]).exits(0);
    let mut running = project.starts();
    while let Some(event) = running.line() {
        if event["event"] == "hooks_due" {
            break;
        }
    }
    wait_for(&project.folder().join("ticks"));
    project.sandbox.run(&["stop", &project.sandbox.run_id()]).exits(0);
    let (events, _) = running.end();
    let finished = events.iter().rev().find(|event| event["event"] == "turn_finished").unwrap();
    assert_eq!(finished["data"]["reason"], "stopped");
    project.is_still();
}

#[cfg(unix)]
fn wait_for(file: &Path) {
    for _ in 0..600 {
        if file.exists() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("the command was never run");
}
