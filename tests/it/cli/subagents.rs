//! Sub-agents in the real program: their own conversations, what the run keeps of them, stopping and
//! going on.

mod trouble;

use serde_json::{Value, json};
use support::program::{Done, Running, Sandbox, Server, root};

fn spawn(kind: &str, prompt: &str) -> Value {
    json!({ "name": "agent_spawn", "arguments": { "task_type": kind, "prompt": prompt } })
}

fn says(text: &str, calls: &[Value]) -> Value {
    json!({ "text": text, "calls": calls })
}

fn report(report: &Value) -> Value {
    says("", &[json!({ "name": "agent_report", "arguments": report })])
}

fn writes(path: &str, content: &str) -> Value {
    json!({ "name": "fs_write", "arguments": { "path": path, "content": content } })
}

struct Project {
    sandbox: Sandbox,
    server: Server,
}

impl Project {
    fn of(replies: &[Value], subagents: &[(&str, Vec<Value>)]) -> Self {
        Self { sandbox: Sandbox::new(), server: Server::saying_with(replies, subagents) }
    }

    fn command(&self, more: &[&str]) -> Vec<String> {
        let base_url = self.server.base_url();
        let model = ["--base-url", &base_url, "--model", "demo"];
        more.iter().chain(&model).map(|word| (*word).to_owned()).collect()
    }

    fn go_on(&self, command: &[&str]) -> Done {
        let words = self.command(command);
        self.sandbox.run(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn run(&self, more: &[&str]) -> Done {
        let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
        self.go_on(&[&["run", &mini][..], more].concat())
    }

    fn starts(&self) -> Running {
        let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
        let words = self.command(&["run", &mini, "--json"]);
        self.sandbox.start(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// A run that dies after a sub-agent's file is written, before any line says so.
    fn dies_after_the_note(&self) {
        let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
        let words = self.command(&["run", &mini]);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let killed =
            self.sandbox.run_with(&words, &[("CREWAGENT_CRASH_AT", "file.after_rename:3")]);
        assert_eq!(killed.code, None, "{killed:#?}");
        assert!(note(self).exists() && self.tasks().len() == 1);
    }

    /// Waits until a sub-agent's file is there, and its model is asked again and thinks for a while.
    fn thinks_after_the_note(&self) {
        let began = std::time::Instant::now();
        while !note(self).exists() && began.elapsed().as_secs() < 20 {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        std::thread::sleep(std::time::Duration::from_millis(400));
    }

    /// One whose sub-agent writes a note and reports; then the run says this.
    fn of_a_note(last: &str) -> Self {
        let replies = vec![
            says("", &[writes("@project/artifacts/note.md", "Rain.\n")]),
            report(&json!({ "summary": "Written." })),
        ];
        Self::of(
            &[says("", &[spawn("edit", "Write the note.")]), says(last, &[])],
            &[("Write the note.", replies)],
        )
    }

    /// The conversations of sub-agents.
    fn tasks(&self) -> Vec<String> {
        let database = self.sandbox.database();
        let sql = "SELECT id FROM conversations WHERE parent IS NOT NULL ORDER BY created_at, id";
        let mut statement = database.prepare(sql).unwrap();
        let ids = statement.query_map([], |row| row.get(0)).unwrap();
        ids.map(Result::unwrap).collect()
    }

    fn ended(&self) -> Vec<Value> {
        let events = self.sandbox.journal_events();
        let ended = events.into_iter().filter(|event| {
            event["event"] == "subagent_updated" && !event["data"]["subagent"]["end"].is_null()
        });
        ended.collect()
    }
}

fn note(project: &Project) -> std::path::PathBuf {
    project.sandbox.project().join("artifacts/note.md")
}

#[test]
fn what_a_sub_agent_writes_is_the_runs_and_is_told_with_its_name() {
    let project = Project::of(
        &[
            says("A colleague writes it.", &[spawn("edit", "Write the note.")]),
            says("Which topic?", &[]),
        ],
        &[(
            "Write the note.",
            vec![
                says("", &[writes("@project/artifacts/note.md", "Rain.\n")]),
                report(&json!({ "summary": "Written.", "findings": ["It rains."] })),
            ],
        )],
    );
    let done = project.run(&[]).exits(3);
    assert_eq!(std::fs::read_to_string(note(&project)).unwrap(), "Rain.\n");
    assert!(done.stdout.contains("sub-agent ann begins: edit"), "{}", done.stdout);
    assert!(done.stdout.contains("has reported"), "{}", done.stdout);
    assert!(done.stdout.contains("± @project/artifacts/note.md"), "{}", done.stdout);
    let run = project.sandbox.run_id();
    let facts = project.sandbox.run(&["runs", "show", &run, "--facts"]).exits(0).stdout;
    assert!(facts.contains("ann: written @project/artifacts/note.md"), "{facts}");
    let snapshot = project.sandbox.run(&["snapshot", &run, "--json"]).exits(0).json();
    assert_eq!(snapshot["changes"][0]["path"], "@project/artifacts/note.md");
    assert_eq!(snapshot["state"]["artifacts"], json!(["artifacts/note.md"]));
    assert_eq!(snapshot["subagents"][0]["end"], "completed");
    let written = snapshot["facts"].as_array().unwrap();
    assert!(
        written
            .iter()
            .any(|fact| fact["kind"] == "file_written" && fact["agentPath"] == json!(["ann"]))
    );
    // Its request has its task and no tool to ask anybody, nor to let others work.
    assert!(project.server.last_request().contains("Which topic?") || project.server.asked() == 4);
    let listed = project.sandbox.run(&["conversations", "list", "--json"]).exits(0).json();
    let listed = listed["conversations"].as_array().unwrap();
    assert_eq!(listed.len(), 1, "the sub-agent's conversation is in no list: {listed:?}");
}

#[test]
fn a_sub_agent_is_talked_to_by_nobody_and_goes_with_its_run() {
    let project = Project::of(
        &[says("", &[spawn("review", "Read it.")]), says("Which topic?", &[])],
        &[("Read it.", vec![report(&json!({ "summary": "Fine." }))])],
    );
    project.run(&[]).exits(3);
    let task = project.tasks().remove(0);
    let refused = project.go_on(&["say", &task, "Hello?"]).exits(5);
    assert!(
        refused.stderr.contains("talks with the agent that asked for it"),
        "{}",
        refused.stderr
    );
    let shown = project.sandbox.run(&["conversations", "show", &task]).exits(0).stdout;
    assert!(shown.contains("Read it.") && shown.contains("agent.report"), "{shown}");
    let found = project.sandbox.run(&["search", "Fine", "--json"]);
    assert!(!found.stdout.contains(&task), "{}", found.stdout);
    let run = project.sandbox.run_id();
    project.sandbox.run(&["conversations", "delete", &run, "--yes"]).exits(0);
    assert_eq!(project.tasks(), Vec::<String>::new());
    assert_eq!(project.sandbox.rows("lines"), 0);
}

#[test]
fn a_change_the_person_would_have_to_see_is_not_made_by_a_sub_agent() {
    let project = Project::of(
        &[says("", &[spawn("edit", "Change it.")]), says("What now?", &[])],
        &[(
            "Change it.",
            vec![
                says("", &[writes("@project/elsewhere.md", "x")]),
                report(&json!({ "summary": "It may not.", "patches": ["Write elsewhere.md."] })),
            ],
        )],
    );
    project.run(&[]).exits(3);
    assert!(!project.sandbox.project().join("elsewhere.md").exists());
    let lines = project.sandbox.run(&["runs", "show", &project.sandbox.run_id(), "--facts"]).stdout;
    assert!(lines.contains("E_SANDBOX_VIOLATION"), "{lines}");
}

#[test]
fn a_sub_agent_that_hands_in_nothing_ends_and_its_claim_is_not_believed() {
    let talk = says("All is well, trust me.", &[]);
    let project = Project::of(
        &[
            says("", &[spawn("verify", "Verify it.")]),
            says("My colleague verified it.", &[]),
            says("It is verified, really.", &[]),
        ],
        &[("Verify it.", vec![talk.clone(), talk.clone(), talk])],
    );
    let done = project.run(&[]).exits(4);
    assert!(done.stdout.contains("without a report"), "{}", done.stdout);
    assert_eq!(project.ended()[0]["data"]["subagent"]["end"], "no_report");
    assert!(
        done.stdout.contains("agent_spawn") || done.stdout.contains("sub-agent"),
        "{}",
        done.stdout
    );
}

#[test]
fn a_verification_that_fails_is_not_talked_away() {
    let failed = report(
        &json!({ "summary": "It does not.", "status": "failed", "findings": ["No heading."] }),
    );
    let project = Project::of(
        &[
            says("", &[spawn("verify", "Verify it.")]),
            says("Everything is verified.", &[]),
            says("Everything is verified!", &[]),
        ],
        &[("Verify it.", vec![failed])],
    );
    let done = project.run(&[]).exits(4);
    assert!(done.stdout.contains("not as it should be"), "{}", done.stdout);
    let decisions = project.sandbox.journal_events();
    let told = decisions.iter().find(|event| event["event"] == "decision_made").unwrap();
    assert_eq!(told["data"]["decision"]["stop_reason"], "subagent_open");
    assert_eq!(told["data"]["decision"]["required_next_actions"][0]["tool"], "agent_spawn");
}

#[test]
fn stop_ends_the_sub_agent_and_keeps_what_it_did() {
    let slow = json!({ "text": "I think about it for a long while. ".repeat(200), "chunkMs": 50 });
    let project = Project::of(
        &[says("", &[spawn("edit", "Write it slowly.")]), says("What now?", &[])],
        &[(
            "Write it slowly.",
            vec![says("", &[writes("@project/artifacts/note.md", "Rain.\n")]), slow],
        )],
    );
    let running = project.starts();
    project.thinks_after_the_note();
    project.sandbox.run(&["stop", &project.sandbox.run_id()]).exits(0);
    let (_, code) = running.end();
    assert_eq!(code, Some(130));
    let ended = project.ended();
    assert_eq!(ended[0]["data"]["subagent"]["end"], "stopped", "{ended:?}");
    let facts = ended[0]["data"]["facts"].to_string();
    assert!(facts.contains("file_written"), "{facts}");
}

#[test]
fn the_time_and_the_requests_of_a_sub_agent_are_bounded() {
    let reads = || says("", &[json!({ "name": "fs_list", "arguments": { "path": "@project" } })]);
    let slow = json!({ "text": "I think about it for a long while. ".repeat(200), "chunkMs": 50 });
    let bounded = |prompt: &str, more: Value| {
        let mut call = spawn("review", prompt);
        call["arguments"].as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        call
    };
    let project = Project::of(
        &[
            says(
                "",
                &[
                    bounded("Look around.", json!({ "max_steps": 2 })),
                    bounded("Think.", json!({ "timeout_sec": 1 })),
                ],
            ),
            says("Neither came to an end. What now?", &[]),
        ],
        &[("Look around.", vec![reads(), reads(), reads()]), ("Think.", vec![slow])],
    );
    let done = project.run(&[]).exits(3);
    let mut ends: Vec<String> = (project.ended().iter())
        .map(|event| event["data"]["subagent"]["end"].as_str().unwrap().to_owned())
        .collect();
    ends.sort();
    assert_eq!(ends, ["max_steps", "timed_out"], "{}", done.stdout);
}

#[test]
fn a_sub_agent_goes_on_where_the_program_died() {
    let project = Project::of_a_note("Which topic?");
    project.dies_after_the_note();
    project.go_on(&["runs", "resume", &project.sandbox.run_id()]).exits(3);
    assert_eq!(std::fs::read_to_string(note(&project)).unwrap(), "Rain.\n");
    let ended = project.ended();
    assert_eq!(ended.len(), 1, "{ended:?}");
    assert_eq!(ended[0]["data"]["subagent"]["end"], "completed");
    assert_eq!(project.tasks().len(), 1);
}

#[test]
fn words_after_a_crash_stop_the_sub_agent_and_keep_what_it_did() {
    let project = Project::of_a_note("Then let us talk.");
    project.dies_after_the_note();
    let conversation = format!("run-{}", project.sandbox.run_id());
    let said = project.go_on(&["say", &conversation, "Leave it. Let us talk."]).exits(3);
    assert!(!said.stdout.contains("was to do failed"), "nobody asks again: {}", said.stdout);
    let ended = project.ended();
    assert_eq!(ended.len(), 1, "{ended:?}");
    assert_eq!(ended[0]["data"]["subagent"]["end"], "stopped");
    let facts = ended[0]["data"]["facts"].to_string();
    assert!(facts.contains("file_written"), "{facts}");
    let snapshot = project.sandbox.run(&["snapshot", &project.sandbox.run_id(), "--json"]);
    assert_eq!(snapshot.exits(0).json()["changes"][0]["path"], "@project/artifacts/note.md");
}
