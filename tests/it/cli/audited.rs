//! "Every tool call of a run, refused ones too, is one audit line without real paths or secrets"
//! (spec 05, spec 08): a long story with every way a call can end, told by many processes, two of
//! them killed in the middle of a write.

use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use support::program::{Done, Sandbox, Server, find, root};

/// A key of the settings: no pattern gives it away.
const KEY: &str = "correcthorse-0815-battery";
/// What files and arguments hold and nobody may read in a log.
const SECRETS: [&str; 4] =
    [KEY, "hunter2-is-the-word", "ghp_0123456789abcdefghij", "sk-proj-0123456789"];
const PASSWORD: &str = SECRETS[1];
const TOKEN: &str = SECRETS[2];

#[expect(clippy::needless_pass_by_value, reason = "json! makes them where they are used")]
fn call(name: &str, arguments: Value) -> Value {
    json!({ "name": name, "arguments": arguments })
}

fn calls(calls: &[Value]) -> Value {
    json!({ "calls": calls })
}

fn text(text: &str) -> Value {
    json!({ "text": text })
}

fn write(file: &str) -> Value {
    call("fs_write", json!({ "path": format!("@project/{file}"), "content": "the text\n" }))
}

fn state(update: &Value) -> Value {
    let patch = json!({ "operation": "updateFrontmatter", "update": update });
    call("fs_apply_patch", json!({ "path": "@state/workflow.md", "patch": patch }))
}

fn ask(id: &str) -> Value {
    let options = json!([{ "value": "tea", "label": "Tea" }]);
    json!({ "widgetId": id, "type": "selection", "message": "Which?", "options": options })
}

/// Everything that is refused or done at once, with secrets and real places wherever a model
/// could put them.
fn at_once(real: &str) -> Value {
    let long = format!("{} {real}/notes.md and {KEY}", "x".repeat(180));
    let said = json!({ "path": "@project/a.md", "content": format!("use {KEY}\ntoken={TOKEN}\n") });
    calls(&[
        call("fs_write", said),
        call("fs_write", json!({ "path": "@project/cut.md", "content": long })),
        call("fs_read", json!({ "path": "@project/places.md", "expect_contains": [KEY] })),
        call("fs_search", json!({ "path": "@project", "pattern": "sk-proj-0123456789" })),
        call("fs_read", json!({ "path": "@project/.env" })),
        call("fs_write", json!({ "path": "@project/.env", "contents": format!("P={PASSWORD}") })),
        call("fs_read", json!({ "path": format!("{real}/notes.md") })),
        call("fs_read", json!({ "path": "@project/../../etc/passwd" })),
        call("fs_write", json!({ "path": "@project/big.md", "content": "x".repeat(5_000) })),
        call("fs_read", json!({ "path": "@project/a.md", "lines": 3, "password": PASSWORD })),
        call(&format!("use_{KEY}"), json!({ "token": PASSWORD })),
        json!({ "name": "fs_write",
                "arguments": format!("{{\"path\":\"@project/.env\",\"content\":\"P={PASSWORD}") }),
        state(&json!({ "currentNodeId": { "set": "done" } })),
        call("fs_delete", json!({ "path": "@state/workflow.md" })),
    ])
}

/// What the model says, request by request.
fn replies(real: &str) -> Vec<Value> {
    let to_write = state(&json!({ "currentNodeId": { "set": "write" } }));
    let done =
        json!({ "currentNodeId": { "set": "done" }, "stepsCompleted": { "append": ["done"] } });
    let reopen = state(&json!({ "variables": { "set": { "workflowStatus": "open" } } }));
    let list = call("fs_list", json!({ "path": "@project" }));
    let confirm = json!({
        "widgetId": "workflow_state_change_confirm", "type": "confirmation", "message": "May I?",
    });
    vec![
        at_once(real),
        // A question, a call that comes too late, then a question in the text.
        calls(&[call("ui_ask_user", ask("called")), list.clone()]),
        text(&format!("```widget\n{}\n```", ask("fenced"))),
        text("```widget\n{ broken\n```"),
        text("Enough questions."),
        // Switched off.
        calls(std::slice::from_ref(&list)),
        text("No tools, then."),
        // Not allowed by the person; stopped while it waits for them.
        calls(&[write("refused.md")]),
        text("Then not."),
        calls(&[write("stopped.md"), list.clone()]),
        text("Stopped."),
        // Killed after the file was there, before, and with a stranger in between.
        calls(&[write("happened.md")]),
        text("It had happened."),
        calls(&[write("again.md")]),
        text("It is made now."),
        calls(&[write("foreign.md")]),
        text("Somebody else was there."),
        // Killed between two audit lines.
        calls(&[list.clone(), list]),
        text("Listed."),
        calls(&[to_write, write("artifacts/note.md"), state(&done)]),
        text("Goodbye."),
        calls(&[reopen]),
        // What is claimed is not accepted, so the person is asked.
        text("It is open again."),
        calls(&[call("ui_ask_user", confirm)]),
    ]
}

struct Story {
    sandbox: Sandbox,
    server: Server,
}

impl Story {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let real = sandbox.project().to_string_lossy().into_owned();
        let server = Server::saying(&replies(&real));
        let story = Self { sandbox, server };
        story.set("model.baseUrl", &story.server.base_url());
        story.set("model.model", "demo");
        let sandbox = &story.sandbox;
        sandbox.write("store/model-api-key", KEY);
        let keys = format!("{KEY}, {TOKEN}, sk-proj-0123456789, password: {PASSWORD}");
        sandbox.write("project/places.md", format!("see {real}/a.md, {keys}\n"));
        sandbox.write("project/.env", format!("PASSWORD={PASSWORD}\n"));
        story
    }

    fn set(&self, name: &str, value: &str) {
        self.sandbox.run(&["settings", "set", name, value, "--json"]).exits(0);
    }

    fn conversation(&self) -> String {
        format!("run-{}", self.sandbox.run_id())
    }

    fn say(&self, text: &str) -> Done {
        self.sandbox.run(&["say", &self.conversation(), text, "--json"])
    }

    fn answer(&self, widget: &str, value: &str) -> Done {
        let conversation = self.conversation();
        let answer = ["answer", &conversation, "--widget", widget, "--value", value, "--json"];
        self.sandbox.run(&answer)
    }

    fn resume(&self) -> Done {
        self.sandbox.run(&["runs", "resume", &self.sandbox.run_id(), "--json"])
    }

    /// Says something; the program is killed where it is armed, and the run goes on.
    fn killed_at(&self, point: &str, meanwhile: impl FnOnce(&Sandbox)) {
        let conversation = self.conversation();
        let say = ["say", &conversation, "Go on.", "--json"];
        let died = self.sandbox.run_with(&say, &[("CREWAGENT_CRASH_AT", point)]);
        assert_eq!(died.code, None, "it was not killed: {died:#?}");
        meanwhile(&self.sandbox);
        self.resume().exits(3);
    }

    fn tell(&self) {
        let mini = root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned();
        self.set("approval.writes", "auto");
        self.sandbox.run_told(&["run", &mini, "--json"], &[]).exits(3);
        self.answer("called", r#"["tea"]"#).exits(3);
        self.answer("fenced", r#"["tea"]"#).exits(3);
        self.set("tools.fsEnabled", "false");
        self.say("List them.").exits(3);
        self.set("tools.fsEnabled", "true");
        self.set("approval.writes", "ask");
        self.say("Write.").exits(3);
        self.answer("tool_approval", r#"{"confirmed":false}"#).exits(3);
        self.say("Write again.").exits(3);
        self.sandbox.run(&["stop", &self.sandbox.run_id(), "--json"]).exits(0);
        self.resume().exits(3);
        self.set("approval.writes", "auto");
        self.killed_at("file.after_rename", |_| {});
        self.killed_at("file.before_rename", |_| {});
        self.killed_at("file.before_rename", |sandbox| {
            sandbox.write("project/foreign.md", "somebody else's\n");
        });
        self.killed_at("runner.after_audit", |_| {});
        self.say("Finish.").exits(0);
        self.say("Reopen it.").exits(3);
    }

    fn log(&self) -> String {
        let file = find(&self.sandbox.path("store/projects"), "execution.jsonl").unwrap();
        std::fs::read_to_string(file).unwrap()
    }
}

fn code(result: &Value) -> String {
    result["error"]["code"].as_str().unwrap_or("ok").to_owned()
}

#[test]
fn every_way_a_call_can_end_is_one_audit_line_without_real_paths_or_secrets() {
    let story = Story::new();
    story.tell();
    let events = story.sandbox.journal_events();
    let of =
        |name: &'static str| events.iter().filter(move |e| e["event"] == name).map(|e| &e["data"]);
    let id = |value: &Value, key: &str| value[key].as_str().unwrap().to_owned();
    let made: BTreeSet<String> = of("model_replied")
        .flat_map(|data| data["reply"]["calls"].as_array().into_iter().flatten())
        .map(|call| id(call, "id"))
        .collect();
    let ended: BTreeMap<String, &Value> =
        of("call_ended").map(|data| (id(data, "callId"), data)).collect();
    assert_eq!(made, ended.keys().cloned().collect(), "every call has an end");

    let text = story.log();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut logged: Vec<String> = lines.iter().map(|line| id(line, "toolCallId")).collect();
    logged.sort();
    assert_eq!(logged, made.into_iter().collect::<Vec<_>>(), "one line for each call:\n{text}");
    for line in &lines {
        let keys: Vec<&str> = line.as_object().unwrap().keys().map(String::as_str).collect();
        let fields = "ts kind toolCallId toolName agentId input output durationMs";
        assert_eq!(keys, fields.split(' ').collect::<Vec<_>>());
        assert_eq!((&line["kind"], &line["agentId"]), (&json!("tool.exec"), &json!("ann")));
        serde_json::from_value::<kernel::time::Time>(line["ts"].clone()).unwrap();
        let end = ended[line["toolCallId"].as_str().unwrap()];
        assert_eq!(line["output"]["ok"], end["ok"], "{line}");
        assert_eq!(code(&line["output"]), code(&end["result"]));
        assert_eq!(line["durationMs"], end["durationMs"]);
    }

    let mut ends: BTreeMap<String, usize> = BTreeMap::new();
    for line in &lines {
        *ends.entry(code(&line["output"])).or_default() += 1;
    }
    let wanted = [
        ("ok", 0),
        ("ENGINE_ABORTED", 2),
        ("E_INTERRUPTED", 1),
        ("E_INVALID_ARGS", 2),
        ("E_INVALID_TRANSITION", 1),
        ("E_SANDBOX_VIOLATION", 3),
        ("E_SECRET_FILE", 1),
        ("E_WRITE_LIMIT", 1),
        ("NOT_NOW", 1),
        ("STATE_CHANGE_REQUIRES_CONFIRMATION", 1),
        ("TOOL_ARGS_INVALID_JSON", 2),
        ("TOOL_NOT_AVAILABLE", 2),
        ("USER_REFUSED", 1),
    ];
    for (code, count) in wanted {
        let found = ends.get(code).copied().unwrap_or_default();
        assert!(found == count || (count == 0 && found > 0), "{code}: {ends:?}");
    }
    assert_eq!(ends.len(), wanted.len(), "{ends:?}");

    story.sandbox.shows_no_real_path(&text);
    for secret in SECRETS {
        assert!(!text.contains(secret), "{secret} in {text}");
        // Nor most of it: a preview is cut, not what it hides.
        assert!(!text.contains(&secret[..10]), "{} in {text}", &secret[..10]);
    }
    for file in ["happened.md", "again.md"] {
        assert!(story.sandbox.project().join(file).exists(), "{file}");
    }
    for file in ["refused.md", "stopped.md"] {
        assert!(!story.sandbox.project().join(file).exists(), "{file}");
    }
}
