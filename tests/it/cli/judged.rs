//! Answers that are not accepted, at the command line: what is printed, which exit code, and how the
//! person goes on.

use serde_json::{Value, json};
use support::program::{Done, Sandbox, Server, root};

const NOTE: &str = "@project/artifacts/note.md";

fn text(text: &str) -> Value {
    json!({ "text": text })
}

fn call(name: &str, arguments: &Value) -> Value {
    json!({ "name": name, "arguments": arguments })
}

fn state(update: &Value) -> Value {
    let patch = json!({ "operation": "updateFrontmatter", "update": update });
    call("fs_apply_patch", &json!({ "path": "@state/workflow.md", "patch": patch }))
}

fn to_writing() -> Value {
    json!({ "calls": [state(&json!({ "currentNodeId": { "set": "write" } }))] })
}

/// A run whose model says these things.
struct Run {
    sandbox: Sandbox,
    server: Server,
}

impl Run {
    fn of(replies: &[Value]) -> Self {
        Self { sandbox: Sandbox::new(), server: Server::saying(replies) }
    }

    fn crewagent(&self, command: &[&str]) -> Done {
        let base_url = self.server.base_url();
        self.sandbox.run(&[command, &["--base-url", &base_url, "--model", "demo"]].concat())
    }

    fn begin(&self, more: &[&str]) -> Done {
        let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
        self.crewagent(&[&["run", &mini], more].concat())
    }

    fn id(&self) -> String {
        self.sandbox.run_id()
    }
}

fn lie() -> Run {
    Run::of(&[to_writing(), text("The note is written."), text("It is."), text("Believe me.")])
}

#[test]
fn words_that_are_not_accepted_are_told_as_a_decision_with_what_is_missing_and_how_to_go_on() {
    let run = lie();
    let done = run.begin(&[]).exits(4);
    for words in ["[Runtime Decision] incomplete.", NOTE, "fs_glob"] {
        assert!(done.stdout.contains(words), "{words} in {}", done.stdout);
    }
    assert!(!done.stdout.contains("Believe me."), "{}", done.stdout);
    for command in ["runs resume", "runs accept", "say run-"] {
        assert!(done.stderr.contains(command), "{command} in {}", done.stderr);
    }
    let chinese = run.crewagent(&["runs", "resume", &run.id(), "--lang", "zh"]).exits(4);
    assert!(chinese.stdout.contains("[Runtime Decision] 未完成。"), "{}", chinese.stdout);
    assert!(chinese.stdout.contains("没有完成"), "{}", chinese.stdout);
}

#[test]
fn a_completed_run_whose_last_words_are_not_accepted_does_not_pass_for_done() {
    let add = call("todo_write", &json!({ "action": "add", "item": { "content": "Look" } }));
    let write = call("fs_write", &json!({ "path": NOTE, "content": "Rain.\n" }));
    let end = state(&json!({
        "currentNodeId": { "set": "done" }, "stepsCompleted": { "append": ["done"] },
    }));
    let run = Run::of(&[
        to_writing(),
        json!({ "calls": [add, write, end] }),
        text("Done."),
        text("It is."),
        text("Believe me."),
    ]);
    run.begin(&[]).exits(4);
    let snapshot = run.sandbox.run(&["snapshot", &format!("run-{}", run.id()), "--json"]);
    let at_rest = snapshot.json()["run"].clone();
    assert_eq!(
        (&at_rest["phase"], &at_rest["reason"]),
        (&json!("completed"), &json!("not_accepted"))
    );
}

#[test]
fn events_of_a_refused_answer_are_json_lines_and_the_turn_ends_with_the_decision() {
    let run = lie();
    let done = run.begin(&["--json"]).exits(4);
    let events = done.events();
    let count = |name: &str| events.iter().filter(|event| event["event"] == name).count();
    assert_eq!((count("candidate_rejected"), count("decision_made")), (3, 3));
    let last = &done.finish()["decision"];
    assert_eq!(
        (&last["status"], &last["missing_facts"][0]["target"]),
        (&json!("incomplete"), &json!(NOTE))
    );
}

#[test]
fn an_answer_is_let_stand_once_and_who_did_it_is_on_record() {
    let run = lie();
    run.begin(&[]).exits(4);
    let id = run.id();
    run.sandbox.run(&["runs", "accept", &id]).exits(3);
    let again = run.sandbox.run(&["runs", "accept", &id, "--json"]).exits(5);
    assert_eq!(again.json()["error"]["code"], "NOT_NOW");
    let conversation = format!("run-{id}");
    let shown = run.sandbox.run(&["conversations", "show", &conversation, "--json"]).exits(0);
    assert!(shown.stdout.contains("Believe me."), "{}", shown.stdout);
    let events = run.sandbox.journal_events();
    let accepted = events.iter().filter(|event| event["event"] == "candidate_accepted");
    assert_eq!(accepted.count(), 1);
}

#[test]
fn every_judgement_is_told_with_its_time_what_was_missing_and_whether_the_person_let_it_stand() {
    let run = lie();
    run.begin(&[]).exits(4);
    let id = run.id();
    run.sandbox.run(&["runs", "accept", &id]).exits(3);
    let show = ["runs", "show", &id, "--decisions"];
    let all = run.sandbox.run(&[&show[..], &["--json"]].concat()).exits(0).json();
    let all = all.as_array().unwrap();
    let of =
        |at: &str| -> Vec<Value> { all.iter().filter_map(|it| it.pointer(at).cloned()).collect() };
    assert_eq!(of("/decision/status"), ["continue", "continue", "incomplete"]);
    assert_eq!(of("/decision/missing_facts/0/target"), [NOTE; 3]);
    assert_eq!(of("/overruled"), [json!(true)]);
    let words = run.sandbox.run(&show).exits(0).stdout;
    assert_eq!(words.matches("[Runtime Decision] continue.").count(), 2, "{words}");
    let newest = all[2]["at"].as_str().unwrap();
    for part in [newest, "[Runtime Decision] incomplete.", NOTE, "You let the words stand"] {
        assert!(words.contains(part), "{part} in {words}");
    }
    let chinese = run.sandbox.run(&[&show[..], &["--lang", "zh"]].concat()).exits(0).stdout;
    assert!(chinese.contains("你仍让这些话生效"), "{chinese}");
    let both = run.sandbox.run(&[&show[..], &["--facts"]].concat());
    assert_ne!(both.code, Some(0), "one thing at a time");
}

#[test]
fn a_run_in_which_nothing_was_judged_says_so() {
    let run = Run::of(&[to_writing(), json!({ "calls": [call("ui_ask", &json!({}))] })]);
    run.begin(&["--max-turns", "1"]);
    let told = run.sandbox.run(&["runs", "show", &run.id(), "--decisions"]).exits(0).stdout;
    assert_eq!(told.trim(), "Nothing was judged yet.");
}

#[test]
fn a_model_that_is_let_try_again_is_told_what_is_missing() {
    let write = call("fs_write", &json!({ "path": NOTE, "content": "Rain.\n" }));
    let run = Run::of(&[
        to_writing(),
        text("The note is written."),
        text("It is."),
        text("Believe me."),
        json!({ "calls": [write] }),
        text("Here it is."),
    ]);
    run.begin(&[]).exits(4);
    run.crewagent(&["runs", "resume", &run.id()]).exits(3);
    assert!(run.sandbox.project().join("artifacts/note.md").exists());
}

#[test]
fn a_run_is_ended_where_it_stands_with_a_reason() {
    let run = Run::of(&[text("Which topic?")]);
    run.begin(&[]).exits(3);
    let id = run.id();
    let ended = ["runs", "end", &id, "--reason", "enough for today", "--json"];
    let snapshot = run.sandbox.run(&ended).exits(0).json();
    assert_eq!(snapshot["run"]["phase"], "completed");
    assert_eq!(snapshot["run"]["reason"], "ended_early");
    assert_eq!(snapshot["run"]["ended"]["reason"], "enough for today");
    let shown = run.sandbox.run(&["runs", "show", &id]).exits(0).stdout;
    assert!(shown.contains("You ended the run before its end: enough for today"), "{shown}");
    for name in [id.clone(), format!("run-{id}")] {
        let same = run.sandbox.run(&["snapshot", &name, "--json"]).exits(0).json();
        assert_eq!(same["run"], snapshot["run"], "{name}");
    }
    assert_eq!(snapshot["state"]["variables"]["workflowStatus"], "complete");
    let again = run.sandbox.run(&["runs", "end", &id, "--json"]).exits(5);
    assert_eq!(again.json()["error"]["code"], "NOT_NOW");
    let events = run.sandbox.journal_events();
    let reason = events.iter().find(|event| event["event"] == "run_ended").unwrap();
    assert_eq!(reason["data"]["reason"], "enough for today");
}

#[test]
fn todos_and_facts_are_listed_and_a_foreign_id_is_an_error() {
    let add = |content: &str| {
        call("todo_write", &json!({ "action": "add", "item": { "content": content } }))
    };
    let complete = call("todo_write", &json!({ "action": "complete", "id": "t1" }));
    let write = call("fs_write", &json!({ "path": NOTE, "content": "Rain.\n" }));
    let run = Run::of(&[
        json!({ "calls": [add("Ask for the topic"), complete, add("Write"), write] }),
        text("Done."),
    ]);
    run.begin(&["--approve", "auto"]).exits(4);
    let id = run.id();
    let todos = run.sandbox.run(&["todos", &id]).exits(0).stdout;
    assert!(todos.contains("✓ t1  Ask for the topic") && todos.contains("· t2  Write"), "{todos}");
    let list = run.sandbox.run(&["todos", &id, "--json"]).exits(0).json();
    assert_eq!((&list["summary"]["open"], &list["items"][0]["revision"]), (&json!(1), &json!(2)));
    let facts = run.sandbox.run(&["runs", "show", &id, "--facts"]).exits(0).stdout;
    assert!(
        facts.contains(&format!("written {NOTE}"))
            && facts.contains("todo t2: that it is finished"),
        "{facts}"
    );
    for foreign in [&["todos", "nobody"][..], &["snapshot", "run-nobody"]] {
        let refused = run.sandbox.run(&[foreign, &["--json"]].concat());
        let code = refused.json()["error"]["code"].clone();
        assert!(code == "RUN_NOT_FOUND" || code == "CONVERSATION_NOT_FOUND", "{code}");
    }
}
