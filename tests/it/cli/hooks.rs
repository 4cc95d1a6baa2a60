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

    fn run(&self, more: &[&str]) -> Done {
        let base_url = self.server.base_url();
        let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
        let model = ["--base-url", &base_url, "--model", "demo", "--approve", "auto"];
        self.sandbox.run_with(
            &[&["run", &mini], more, &model].concat(),
            &[("CREWAGENT_API_KEY", "sk-not-for-hooks")],
        )
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

#[test]
#[cfg(unix)]
fn stop_ends_the_command_that_the_run_waits_for() {
    let ticks = "while :; do echo x >> ticks; sleep 0.05; done";
    let long = json!([{ "name": "long", "at": "accept_gate", "command": ticks }]);
    let project = Project::of(&long, &[writes("Rain.\n"), text("Done.")]);
    project.hooks(&["trust", "--yes"]).exits(0);
    let base_url = project.server.base_url();
    let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
    let model = ["--base-url", &base_url, "--model", "demo", "--approve", "auto", "--json"];
    let mut running = project.sandbox.start(&[&["run", &mini][..], &model].concat());
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
    let size = || std::fs::metadata(project.folder().join("ticks")).unwrap().len();
    let before = size();
    std::thread::sleep(std::time::Duration::from_millis(400));
    assert_eq!(size(), before, "the command has ended");
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
