//! The store of an Electron runtime as that program wrote it: good entries of every kind, and broken
//! ones beside them.

use crate::program::{copy, root};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// What must never be printed, logged or exported.
pub const KEY: &str = "sk-fixture-0123456789abcdef";
/// The same for a server of tools.
pub const OTHER_KEY: &str = "mcp-secret-value";

/// Where the old store and its projects lie.
pub struct Old {
    /// The folder that holds `runtime-store`.
    pub data: PathBuf,
    /// The folder of its project.
    pub project: PathBuf,
}

impl Old {
    /// Makes everything below `root`.
    pub fn make(root: &Path) -> Self {
        let old = Self { data: root.join("old"), project: root.join("old-project") };
        fs::create_dir_all(old.project.join("artifacts")).unwrap();
        let file =
            json!({ "schemaVersion": "1", "projectId": "p-good", "artifactsDir": "artifacts" });
        fs::write(old.project.join(".crewagent.json"), file.to_string()).unwrap();
        old.settings();
        old.packages();
        old.projects(root);
        old.runs();
        old.conversations();
        old.others();
        old
    }

    /// The folder of the old store itself.
    pub fn store(&self) -> PathBuf {
        self.data.join("runtime-store")
    }

    fn write(&self, rel: &str, bytes: impl AsRef<[u8]>) {
        let path = self.store().join(rel);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn json(&self, rel: &str, value: &Value) {
        self.write(rel, serde_json::to_vec_pretty(value).unwrap());
    }

    /// With a byte order mark and the line endings of Windows.
    fn settings(&self) {
        let text = serde_json::to_string_pretty(&json!({
            "llm": {
                "provider": "ollama", "baseUrl": "http://127.0.0.1:11434/", "model": "qwen3:14b",
                "apiKey": KEY, "timeout": 90, "tokenBudget": 128_000,
                "requestOptions": { "thinking": { "type": "enabled" } },
            },
            "theme": "dark",
            "tools": {
                "fs": { "enabled": true, "maxReadBytes": 1_000_000, "maxWriteBytes": -1 },
                "terminal": { "enabled": true },
            },
            "mcp": { "servers": [{ "id": "s", "env": { "TOKEN": OTHER_KEY } }] },
            "engine": { "maxTurns": 33.0, "pythonTimeout": 60 },
            "skipSplashScreen": true,
            "language": "zh-CN",
        }));
        let text = text.unwrap().replace('\n', "\r\n");
        self.write("settings.json", format!("\u{feff}{text}"));
    }

    fn packages(&self) {
        self.json(
            "packages.json",
            &json!({
                "pkg-good": { "name": "hello-branch", "version": "1.0.0" },
                "pkg-broken": { "name": "broken" },
                "pkg-gone": { "name": "gone" },
                "../escape": { "name": "escape" },
                "pkg-number": 5,
                "pkg-link": { "name": "link" },
            }),
        );
        copy(
            &root().join("templates/packages/hello-branch"),
            &self.store().join("packages/pkg-good"),
        );
        copy(
            &root().join("tests/fixtures/packages/mini"),
            &self.store().join("packages/pkg-found"),
        );
        copy(
            &root().join("tests/fixtures/packages/mini"),
            &self.store().join("packages/pkg-broken"),
        );
        fs::remove_file(self.store().join("packages/pkg-broken/workflow.graph.json")).unwrap();
        link(&self.store().join("packages/pkg-good"), &self.store().join("packages/pkg-link"));
    }

    fn projects(&self, root: &Path) {
        self.json(
            "projects.json",
            &json!([
                { "projectId": "p-good", "projectName": "Garden", "projectRoot": self.project,
                  "lastOpenedAt": "2025-03-01T10:00:00.000Z" },
                { "projectId": "p-gone", "name": "Moved away", "projectRoot": root.join("gone") },
                { "projectId": "p-good", "projectName": "Again" },
                { "projectName": "No id" },
                { "projectId": "../up" },
                7,
            ]),
        );
    }

    fn runs(&self) {
        let run = |id: &str, phase: &str| {
            json!({
                "runId": id, "projectId": "p-good", "packageId": "pkg-good", "workflowRef": "",
                "activeAgentId": "analyst", "phase": phase,
                "createdAt": "2025-03-01T11:00:00.000Z", "lastUpdatedAt": "2025-03-01T12:00:00.000Z",
            })
        };
        let with = |id: &str, phase: &str, name: &str, value: &str| {
            let mut run = run(id, phase);
            run[name] = value.into();
            run
        };
        self.json(
            "projects/p-good/runsIndex.json",
            &json!([
                run("r-fresh", "waiting-user"), run("r-asked", "WaitingUser"),
                run("r-widget", "waiting-user"), run("r-done", "completed"),
                run("r-broke", "failed"), run("r-home", "running"), run("r-odd", "paused"),
                with("r-lost", "waiting-user", "packageId", "pkg-gone"),
                with("r-agent", "waiting-user", "activeAgentId", "nobody"),
                run("r-badstate", "waiting-user"), run("r-nonode", "waiting-user"),
                run("r-nostate", "waiting-user"), run("r-asked", "failed"),
                { "phase": "running" }, "run",
            ]),
        );
        let entry = "step-01-ask";
        for id in
            ["r-fresh", "r-asked", "r-widget", "r-broke", "r-home", "r-odd", "r-lost", "r-agent"]
        {
            self.state(id, entry, "[]");
        }
        self.state("r-done", "end-99", "[step-01-ask, end-99]");
        self.state("r-nonode", "no-such-node", "[]");
        self.write("projects/p-good/runs/r-badstate/state/workflow.md", "no front matter at all");
        self.write("projects/p-good/runs/r-nostate/state/logs/execution.jsonl", "");
        self.state("r-found", entry, "[]");
        self.write("projects/p-good/runs/r-asked/state/logs/execution.jsonl", audit("c1"));
        self.write("projects/p-good/runs/r-asked/state/notes.md", "the model's own");
    }

    fn state(&self, run: &str, node: &str, done: &str) {
        let text = format!(
            "---\r\nschemaVersion: \"1.1\"\r\nworkflowType: hello-branch\r\nrunId: {run}\r\n\
             activeAgentId: analyst\r\ncurrentNodeId: {node}\r\nstepsCompleted: {done}\r\n\
             variables: {{}}\r\ndecisionLog: []\r\nartifacts: []\r\n---\r\n# Plan\r\n"
        );
        self.write(&format!("projects/p-good/runs/{run}/state/workflow.md"), text);
    }

    fn conversations(&self) {
        let base = "projects/p-good/conversations";
        let entry = |id: &str, title: &str| {
            json!({
                "id": id, "title": title, "entryType": "chat", "activeType": "agent",
                "createdAt": "2025-03-02T08:00:00.000Z", "lastActiveAt": "2025-03-02T09:30:00.000Z",
                "selectedAgentId": "analyst",
            })
        };
        let mut home = entry("c-home", "With a run");
        home["runs"] = json!([{ "id": "r-home", "phase": "running" }]);
        let mut named = entry("c-chat", "First words");
        named["customTitle"] = json!("About beans");
        named["planPath"] = json!(self.store().join("projects/p-good/plans/c-chat/plan.md"));
        self.json(
            &format!("{base}/index.json"),
            &json!([
                named, home, entry("c-bad", "Broken messages"), entry("c-cut", "Cut off"),
                entry("c-notjson", "Not JSON"), entry("c-empty", "Nothing said"),
                entry("c-nofolder", "No folder"), entry("c-chat", "Again"),
                { "id": "..\\up", "title": "Bad id" }, "text",
            ]),
        );
        let messages =
            |id: &str, value: &Value| self.json(&format!("{base}/{id}/messages.json"), value);
        messages("c-chat", &self.chat());
        messages("c-home", &json!([said("h1", "user", "Please plan my garden.")]));
        messages("c-bad", &bad());
        let whole = serde_json::to_string(&json!([
            said("k1", "user", "One"),
            said("k2", "assistant", "Two"),
            said("k3", "user", "Three"),
        ]));
        let whole = whole.unwrap();
        self.write(&format!("{base}/c-cut/messages.json"), &whole[..whole.len() - 30]);
        self.write(&format!("{base}/c-notjson/messages.json"), "{\"id\": ");
        fs::create_dir_all(self.store().join(base).join("c-empty")).unwrap();
        messages("c-found", &json!([said("f1", "user", "Nobody listed me.")]));
        messages("run-r-asked", &asked());
        messages("run-r-widget", &widget());
        link(&self.store().join(base).join("c-chat"), &self.store().join(base).join("c-link"));
    }

    /// A chat with everything a chat can hold.
    fn chat(&self) -> Value {
        let at = |n: u32| format!("2025-03-02T08:{n:02}:00.000Z");
        let call = |id: &str, name: &str, args: &str| json!({ "id": id, "type": "function", "function": { "name": name, "arguments": args } });
        let real = format!("read {}/bean.md", self.project.to_string_lossy());
        json!([
            { "id": "m1", "role": "user", "content": "USER_INPUT\nWhat grows here?", "createdAt": at(1),
              "mode": "chat" },
            { "id": "m2", "role": "assistant", "content": null, "createdAt": at(2), "mode": "chat",
              "tool_calls": [call("call_0", "fs.read", "{\"path\":\"@project/bean.md\"}")] },
            { "id": "m3", "role": "tool", "content": "{\"ok\":true,\"path\":\"@project/bean.md\"}",
              "createdAt": at(3), "tool_call_id": "call_0", "toolName": "fs.read", "duration": 12 },
            { "id": "m4", "role": "assistant", "content": "Let me think.", "partType": "thinking",
              "createdAt": at(4) },
            { "id": "m5", "role": "assistant", "content": real, "createdAt": at(5), "agentId": "analyst" },
            { "id": "m6", "role": "assistant", "content": "LLM_ERROR\nLLM_TIMEOUT: no answer in 60 s",
              "partType": "error", "createdAt": at(6) },
            { "id": "m7", "role": "system", "content": "SUMMARY of what was said", "createdAt": at(7) },
            { "id": "m8", "role": "assistant", "content": "", "createdAt": at(8),
              "tool_calls": [call("call_0", "fs.list", "{\"path\":\"@project\"}"),
                             call("call_1", "fs.read", "not json")] },
            { "id": "m9", "role": "tool", "content": "{\"ok\":false,\"error\":{\"code\":\"ENOENT\"}}",
              "createdAt": at(9), "tool_call_id": "call_0", "toolName": "fs.list",
              "fullOutputPath": "@state/logs/tool-results/c-chat/m9.json" },
            { "id": "m10", "role": "tool", "content": "orphan", "createdAt": at(10),
              "tool_call_id": "nobody", "toolName": "fs.search" },
            { "id": "m11", "role": "assistant", "content": "", "createdAt": at(11), "widget": {
                "widgetId": "beans", "type": "selection", "message": "Which beans?", "multi": true,
                "options": [{ "value": "runner", "label": "Runner" }, { "value": "broad", "label": "Broad" }],
                "submitted": true, "submittedValue": ["runner"] } },
            { "id": "m12", "role": "user", "createdAt": at(12),
              "content": "WIDGET_SUBMIT\n{\"widgetId\":\"beans\",\"type\":\"selection\",\"value\":[\"runner\"]}" },
            { "id": "m13", "role": "assistant", "content": "Hidden from the model", "createdAt": at(13),
              "includeInContext": false },
            { "id": "m14", "role": "assistant", "content": "Runner beans it is.", "createdAt": at(14) },
        ])
    }

    fn others(&self) {
        let base = "projects/p-good";
        self.write(&format!("{base}/state/logs/tool-results/c-chat/m9.json"), "{\"ok\":false}");
        self.write(&format!("{base}/runs/chat-c-chat/state/logs/execution.jsonl"), audit("call_0"));
        let results = self.store().join(base).join("state/logs/tool-results/c-chat");
        link(&self.project.join(".crewagent.json"), &results.join("outside.json"));
        let gone = "projects/p-gone/conversations";
        self.json(&format!("{gone}/index.json"), &json!({ "not": "a list of conversations" }));
        self.json(&format!("{gone}/c-away/messages.json"), &json!([said("a1", "user", "Hello")]));
        self.write("projects/p-gone/runsIndex.json", "[{\"runId\": \"r-x\"");
        let found = "projects/p-found/conversations/c-there/messages.json";
        self.json(found, &json!([said("t1", "user", "My project is not listed.")]));
    }

    /// Every path below the old store with its content: what must not change.
    pub fn tree(&self) -> Vec<(String, Vec<u8>)> {
        let mut out = Vec::new();
        for top in [&self.data, &self.project] {
            let mut folders = vec![top.clone()];
            while let Some(folder) = folders.pop() {
                for entry in fs::read_dir(&folder).unwrap().flatten() {
                    let (path, kind) = (entry.path(), entry.file_type().unwrap());
                    let name = path.to_string_lossy().into_owned();
                    if kind.is_dir() {
                        folders.push(path.clone());
                        out.push((name, Vec::new()));
                    } else if kind.is_symlink() {
                        out.push((name, b"link".to_vec()));
                    } else {
                        out.push((name, fs::read(&path).unwrap()));
                    }
                }
            }
        }
        out.sort();
        out
    }

    /// Adds a conversation of `count` messages, a quarter of them calls with their results.
    pub fn long_conversation(&self, count: usize) {
        let mut text = String::from("[");
        for n in 0..count {
            let message = match n % 4 {
                0 => said(&format!("l{n}"), "user", "And the next bed?"),
                1 => json!({
                    "id": format!("l{n}"), "role": "assistant", "content": null,
                    "createdAt": "2025-03-03T08:00:00.000Z",
                    "tool_calls": [{ "id": format!("call-{n}"), "type": "function",
                        "function": { "name": "fs.read", "arguments": "{\"path\":\"@project/bed.md\"}" } }],
                }),
                2 => json!({
                    "id": format!("l{n}"), "role": "tool", "tool_call_id": format!("call-{}", n - 1),
                    "createdAt": "2025-03-03T08:00:00.000Z", "toolName": "fs.read", "duration": 3,
                    "content": format!("{{\"ok\":true,\"content\":\"{}\"}}", "soil ".repeat(60)),
                }),
                _ => said(&format!("l{n}"), "assistant", &"Dig it over in spring. ".repeat(20)),
            };
            if n > 0 {
                text.push(',');
            }
            text.push_str(&message.to_string());
        }
        text.push(']');
        self.write("projects/p-good/conversations/c-long/messages.json", text);
    }
}

/// A message with the least it can have.
fn said(id: &str, role: &str, content: &str) -> Value {
    json!({ "id": id, "role": role, "content": content, "createdAt": "2025-03-02T08:00:00.000Z" })
}

fn audit(call: &str) -> String {
    let line = json!({
        "ts": "2025-03-01T11:30:00.000Z", "kind": "tool.exec", "toolCallId": call,
        "toolName": "fs.read", "input": {}, "output": { "ok": true }, "durationMs": 4,
    });
    format!("{line}\n")
}

/// The first two turns of the demo: the question is asked, nobody has answered.
fn asked() -> Value {
    let mut messages = opening();
    messages.as_array_mut().unwrap().truncate(5);
    messages
}

/// The demo up to its first widget.
fn widget() -> Value {
    opening()
}

fn opening() -> Value {
    let at = |n: u32| format!("2025-03-01T11:{n:02}:00.000Z");
    let call = |id: &str, name: &str, args: Value| json!({ "id": id, "type": "function", "function": { "name": name, "arguments": args.to_string() } });
    let options = json!([
        { "value": "greenfield", "label": "New project" }, { "value": "brownfield", "label": "Existing" },
    ]);
    let question = json!({
        "widgetId": "project-type", "type": "selection", "message": "What kind of project is it?",
        "multi": false, "options": options,
    });
    let mut carried = question.clone();
    carried["submitted"] = json!(false);
    let mut messages = vec![
        json!({ "id": "a1", "role": "assistant", "content": "Hi, I'm Ada.", "tool_calls": [
            call("demo-0-0", "fs_read", json!({ "path": "@state/workflow.md" })),
            call("demo-0-1", "fs_read", json!({ "path": "@pkg/steps/step-01-ask.md" })) ] }),
        json!({ "id": "a2", "role": "tool", "content": "{\"ok\":true}", "tool_call_id": "demo-0-0" }),
        json!({ "id": "a3", "role": "tool", "content": "{\"ok\":true}", "tool_call_id": "demo-0-1" }),
        json!({ "id": "a4", "role": "assistant", "content": "What should it achieve?" }),
        json!({ "id": "a5", "role": "assistant", "content": "shown only", "includeInContext": false }),
        json!({ "id": "a6", "role": "user", "content": "Members see what is ripe." }),
        json!({ "id": "a7", "role": "assistant", "content": "One choice before I go on.",
            "tool_calls": [call("demo-2-0", "ui_ask_user", question)] }),
        json!({ "id": "a8", "role": "tool", "content": "{\"ok\":true}", "tool_call_id": "demo-2-0" }),
        json!({ "id": "a9", "role": "assistant", "content": "", "widget": carried, "includeInContext": false }),
    ];
    for (n, message) in messages.iter_mut().enumerate() {
        message["createdAt"] = at(u32::try_from(n).unwrap()).into();
        message["mode"] = "run".into();
    }
    Value::Array(messages)
}

/// One message wrong in each way.
fn bad() -> Value {
    let mut old = said("b1", "user", "Good");
    old["createdAt"] = json!("2025-03-02T09:00:00.000Z");
    let mut unsafe_id = said("../../x", "assistant", "An id like a path");
    unsafe_id["fullOutputPath"] = json!("/etc/passwd");
    json!([
        old,
        said("b2", "assistant", "Older than the one before"),
        said("b1", "user", "The same id"),
        unsafe_id,
        { "role": "user", "content": "No id, no time" },
        said("b5", "robot", "No such role"),
        { "id": "b6", "role": "user", "content": 7, "createdAt": "2025-03-02T09:00:00.000Z" },
        { "id": "b7", "role": "user", "content": null, "createdAt": "2025-03-02T09:00:00.000Z" },
        "text",
        { "id": "b8", "role": "assistant", "content": [{ "type": "text", "text": "In" }, { "text": "parts" }],
          "createdAt": "2025-03-02T09:00:00.000Z", "partType": "odd", "widget": "none", "runId": "../r",
          "tool_calls": [{ "id": "x" }] },
        { "id": "b9", "role": "tool", "content": "{}", "createdAt": "2025-03-02T09:01:00.000Z" },
        { "id": "b10", "role": "assistant", "content": "A widget nobody knows", "createdAt": "2025-03-02T09:02:00.000Z",
          "widget": { "widgetId": "w", "type": "hologram", "message": "?" } },
    ])
}

#[cfg(unix)]
fn link(to: &Path, at: &Path) {
    std::os::unix::fs::symlink(to, at).unwrap();
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) {}
