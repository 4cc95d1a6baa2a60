//! What a completed run is shown and may change (spec 06 "Confirmation"), through the program: real
//! requests on loopback and the real `workflow.md`.

use serde_json::{Value, json};
use support::program::{Done, Sandbox, Server, find, root};

/// What no request of a completed run may hold: the active step, in whatever layer.
const STEP: [&str; 9] = [
    "currentNodeId:",
    "NODE_BRIEF",
    "forNodeId",
    "allowedNext",
    "STEP_FILE_CONTENT",
    "Current Step",
    "Available Transitions",
    "Unknown Step",
    "stepFile: @pkg",
];

fn set(name: &str, value: &str) -> Value {
    let update = json!({ "variables": { "set": { name: value } } });
    let patch = json!({ "operation": "updateFrontmatter", "update": update });
    let arguments = json!({ "path": "@state/workflow.md", "patch": patch });
    json!({ "name": "fs_apply_patch", "arguments": arguments })
}

/// From the start of the package to its completed end.
fn to_the_end() -> [Value; 3] {
    let update = |update: Value| {
        let patch = json!({ "operation": "updateFrontmatter", "update": update });
        let arguments = json!({ "path": "@state/workflow.md", "patch": patch });
        json!({ "name": "fs_apply_patch", "arguments": arguments })
    };
    let done =
        json!({ "currentNodeId": { "set": "done" }, "stepsCompleted": { "append": ["done"] } });
    let note = json!({ "path": "@project/artifacts/note.md", "content": "Rain.\n" });
    let write = json!({ "name": "fs_write", "arguments": note });
    [write, update(json!({ "currentNodeId": { "set": "write" } })), update(done)]
}

fn ask() -> Value {
    let arguments = json!({
        "widgetId": "workflow_state_change_confirm", "type": "confirmation", "message": "May I?",
    });
    json!({ "name": "ui_ask_user", "arguments": arguments })
}

/// A run that its model has completed, and what the model says from then on.
struct Completed {
    sandbox: Sandbox,
    server: Server,
}

impl Completed {
    fn then(replies: &[Value]) -> Self {
        let (sandbox, mini) = (Sandbox::new(), root().join("tests/fixtures/packages/mini"));
        let mut all = vec![json!({ "calls": to_the_end() }), json!({ "text": "Goodbye." })];
        all.extend(replies.iter().cloned());
        let completed = Self { sandbox, server: Server::saying(&all) };
        let done = completed.crewagent(&["run", &mini.to_string_lossy()]).exits(0);
        assert_eq!(done.finish()["phase"], "completed");
        completed
    }

    fn crewagent(&self, command: &[&str]) -> Done {
        let base_url = self.server.base_url();
        let model = ["--base-url", &base_url, "--model", "demo", "--json"];
        self.sandbox.run(&[command, &model[..]].concat())
    }

    fn say(&self, text: &str) -> Done {
        self.crewagent(&["say", &self.conversation(), text])
    }

    fn answer(&self, confirmed: bool) -> Done {
        let value = json!({ "confirmed": confirmed }).to_string();
        let widget = "workflow_state_change_confirm";
        let conversation = self.conversation();
        self.crewagent(&["answer", &conversation, "--widget", widget, "--value", &value])
    }

    fn conversation(&self) -> String {
        format!("run-{}", self.sandbox.run_id())
    }

    /// The state document on disk.
    fn document(&self) -> String {
        let file = find(&self.sandbox.path("store/projects"), "workflow.md").unwrap();
        std::fs::read_to_string(file).unwrap()
    }
}

/// What became of the calls: `ok` or the code.
fn results(done: &Done) -> Vec<Value> {
    let ended = done.events().into_iter().filter(|event| event["event"] == "call_ended");
    let code = |event: Value| event["data"]["result"]["error"]["code"].clone();
    ended.map(|event| if event["data"]["ok"] == true { json!("ok") } else { code(event) }).collect()
}

const REFUSED: &str = "STATE_CHANGE_REQUIRES_CONFIRMATION";

#[test]
fn seed_000_completed_requests_name_no_step_and_carry_the_post_run_protocol() {
    let run = Completed::then(&[json!({ "text": "It was about rain." })]);
    let before = run.document();
    run.say("What was it about?").exits(0);
    let request = run.server.last_request();
    for word in STEP {
        assert!(!request.contains(word), "{word} in {request}");
    }
    for word in ["RUN_DIRECTIVE", "Protocol after the run", "USER_INPUT", "What was it about?"] {
        assert!(request.contains(word), "{word} is missing in {request}");
    }
    assert_eq!(run.document(), before);
}

#[test]
fn seed_000_not_completed_requests_are_as_they_were() {
    let (sandbox, mini) = (Sandbox::new(), root().join("tests/fixtures/packages/mini"));
    let server = Server::saying(&[json!({ "text": "What about?" })]);
    let (package, base_url) = (mini.to_string_lossy().into_owned(), server.base_url());
    let run = ["run", &package, "--base-url", &base_url, "--model", "demo", "--json"];
    sandbox.run(&[&run[..], &["--input", "Begin."]].concat()).exits(3);
    let request = server.last_request();
    for word in
        ["currentNodeId: ask", "NODE_BRIEF", "forNodeId: ask", "stepFile: @pkg/steps/ask.md"]
    {
        assert!(request.contains(word), "{word} is missing in {request}");
    }
    assert!(!request.contains("Protocol after the run"));
}

#[test]
fn seed_000_completed_conversation_and_tools_go_on() {
    let write = json!({ "path": "@project/artifacts/notes.md", "content": "rain\n" });
    let run = Completed::then(&[
        json!({ "calls": [{ "name": "fs_write", "arguments": write }] }),
        json!({ "text": "Written." }),
    ]);
    let done = run.say("Write it down.").exits(0);
    assert_eq!(results(&done), ["ok"]);
    let written = run.sandbox.project().join("artifacts/notes.md");
    assert_eq!(std::fs::read_to_string(written).unwrap(), "rain\n");
}

#[test]
fn seed_000_completed_without_confirmation_the_patch_is_intercepted() {
    let run = Completed::then(&[
        json!({ "calls": [set("workflowStatus", "open")] }),
        json!({ "text": "It is open again." }),
        json!({ "calls": [ask()] }),
    ]);
    let before = run.document();
    let done = run.say("Reopen it.").exits(3);
    assert_eq!(results(&done), [REFUSED, "ok"], "what it claims is not accepted, so it asks");
    assert_eq!(run.document(), before);
    assert_eq!(run.sandbox.run(&["runs", "show", &run.sandbox.run_id()]).exits(0).code, Some(0));
}

#[test]
fn seed_000_completed_with_confirmation_one_patch_is_allowed_and_the_second_asks_again() {
    let run = Completed::then(&[
        json!({ "calls": [set("x", "1")] }),
        json!({ "calls": [ask()] }),
        json!({ "calls": [set("x", "1"), set("x", "2")] }),
        json!({ "text": "Twice." }),
        json!({ "calls": [ask()] }),
    ]);
    let asked = run.say("Set x.").exits(3);
    assert_eq!(results(&asked), [REFUSED, "ok"]);
    let before = run.document();
    let done = run.answer(true).exits(3);
    assert_eq!(results(&done), ["ok", REFUSED, "ok"]);
    let proposed = asked.events().into_iter().find(|e| e["event"] == "change_proposed").unwrap();
    let made = kernel::state_doc::diff(&before, &run.document()).text;
    assert_eq!(json!(made), proposed["data"]["diff"], "byte for byte what was shown");
}

#[test]
fn seed_000_completed_and_cancelled_nothing_runs() {
    let run = Completed::then(&[
        json!({ "calls": [set("x", "1")] }),
        json!({ "calls": [ask()] }),
        json!({ "calls": [set("x", "1")] }),
        json!({ "text": "Then not." }),
    ]);
    run.say("Set x.").exits(3);
    let before = run.document();
    assert_eq!(results(&run.answer(false).exits(0)), [REFUSED]);
    assert_eq!(run.document(), before);
}

#[test]
fn seed_000_a_change_that_reopens_the_run_brings_the_normal_profile_back() {
    let back = json!({ "targetNodeId": "ask", "confirmed": true });
    let reopen = json!({ "name": "workflow_rewind", "arguments": back });
    let run = Completed::then(&[
        json!({ "calls": [reopen] }),
        json!({ "calls": [ask()] }),
        json!({ "calls": [reopen] }),
        json!({ "text": "Open again." }),
    ]);
    run.say("Reopen it.").exits(3);
    assert_eq!(results(&run.answer(true).exits(3)), ["ok"]);
    let request = run.server.last_request();
    for word in ["currentNodeId: ask", "NODE_BRIEF", "allowedNext"] {
        assert!(request.contains(word), "{word} is missing in {request}");
    }
}
