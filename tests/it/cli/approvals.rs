//! Approvals through the program: asked, answered by a later process, and read back.

use host::host::{Host, HostOptions, ModelChoice};
use kernel::code::Failure;
use kernel::command::{Command, Query, SessionCommand};
use kernel::event::{Event, Line, Reason};
use kernel::ids::ConversationId;
use kernel::settings::ModelSettings;
use kernel::wire::{Answer, Frame, RuntimeSnapshot};
use serde_json::{Value, json};
use std::sync::Arc;
use support::program::{Done, Sandbox, Server, has_han, hello_branch, root};
use tokio::sync::mpsc::UnboundedReceiver;

const IDEA: &str = "A reading list app for my family.";

fn hello_linear() -> String {
    root().join("templates/packages/hello-linear").to_string_lossy().into_owned()
}

fn asking() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.run(&["settings", "set", "approval.writes", "ask", "--json"]).exits(0);
    sandbox
}

#[test]
fn a_write_waits_for_a_later_process_and_who_approved_it_can_be_read_back() {
    let sandbox = asking();
    let waits = sandbox.run(&["run", &hello_linear(), "--model", "demo", "--json"]).exits(3);
    assert_eq!(waits.finish()["reason"], "widget");
    assert!(sandbox.artifacts().is_empty(), "recorded answers allow nothing");
    let (run, conversation) = (sandbox.run_id(), format!("run-{}", sandbox.run_id()));
    let shown = sandbox.run(&["runs", "show", &run]).exits(0);
    for text in
        ["Allow fs.write to change @project/artifacts/brief.md?", "+# Shelf Life", "[folder]"]
    {
        assert!(shown.stdout.contains(text), "{text}: {shown:#?}");
    }

    let answer = |value: &str| {
        sandbox.run(&[
            "answer",
            &conversation,
            "--widget",
            "tool_approval",
            "--value",
            value,
            "--json",
        ])
    };
    answer(r#"{"confirmed":"yes"}"#).exits(5).error("WIDGET_VALUE_INVALID");
    let done = answer(r#"{"confirmed":true}"#).exits(0);
    assert_eq!(done.finish()["phase"], "completed");
    assert_eq!(sandbox.artifacts().len(), 1);

    let given = sandbox.run(&["runs", "show", &run, "--approvals", "--json"]).exits(0).json();
    let [given] = &given.as_array().unwrap()[..] else { panic!("one answer: {given:#}") };
    let proposed = sandbox.journal_events().into_iter().find(|e| e["event"] == "change_proposed");
    let proposed = proposed.unwrap()["data"].clone();
    assert_eq!(given["confirmed"], true);
    assert_eq!(given["bound"], true);
    assert_eq!(given["tool"], "fs.write");
    assert_eq!(given["path"], "@project/artifacts/brief.md");
    assert_eq!(given["summary"], proposed["summary"]);
    assert_eq!(given["spentBy"], proposed["callId"]);
    assert_eq!(given["calls"], json!([proposed["callId"]]));
    let diff = proposed["diff"].as_str().unwrap();
    assert_eq!(given["diffSha256"], kernel::text::sha256_hex(diff.as_bytes()));
    let words = sandbox.run(&["runs", "show", &run, "--approvals"]).exits(0).stdout;
    for text in
        ["allowed once, exactly as shown", "fs.write @project/artifacts/brief.md", "used by:"]
    {
        assert!(words.contains(text), "{text}: {words}");
    }
}

#[test]
fn plain_words_answer_an_approval_too() {
    for (word, files) in [("y", 1), ("folder", 1), ("no", 0), ("no, not into artifacts", 0)] {
        let sandbox = asking();
        let answers = sandbox.write("answers.json", json!([IDEA, word]).to_string());
        let args = ["run", &hello_linear(), "--model", "demo", "--answers", &answers, "--json"];
        let done = sandbox.run(&args);
        assert_eq!(sandbox.artifacts().len(), files, "{word}: {done:#?}");
        let of_write = |e: &Value| e["event"] == "call_ended" && e["data"]["tool"] == "fs.write";
        let ended = done.events().into_iter().filter(of_write);
        let codes: Vec<_> = ended.map(|e| e["data"]["result"]["error"]["code"].clone()).collect();
        assert_eq!(codes, [if files == 1 { json!(null) } else { json!("USER_REFUSED") }], "{word}");
        let says = format!("{done:?}").contains("not into artifacts");
        assert_eq!(says, word.contains(','), "{word}");
    }
}

#[test]
fn a_stopped_approval_is_closed_and_the_run_goes_on_later() {
    let sandbox = asking();
    sandbox.run(&["run", &hello_linear(), "--model", "demo", "--json"]).exits(3);
    let run = sandbox.run_id();
    let stopped = sandbox.run(&["stop", &run, "--json"]).exits(0).json();
    assert_eq!(stopped["run"]["reason"], "stopped");
    assert_eq!(stopped["widgets"], json!([]));
    assert!(sandbox.artifacts().is_empty());
}

#[test]
fn what_a_call_would_do_and_who_allowed_it_is_told_in_both_languages() {
    let sandbox = asking();
    let started = ["run", &hello_linear(), "--model", "demo"];
    let waits = sandbox.run(&[&started[..], &["--lang", "zh"]].concat()).exits(3);
    for text in ["允许 fs.write 修改 @project/artifacts/brief.md 吗？", "± 新文件，", "[n] 不允许"]
    {
        assert!(waits.stdout.contains(text), "{text}: {waits:#?}");
    }
    let proposed = sandbox.journal_events().into_iter().find(|e| e["event"] == "change_proposed");
    let proposed = proposed.unwrap()["data"].clone();
    assert_eq!(proposed["parts"][0]["key"], "new_file", "the journal has data, not words");
    let (run, conversation) = (sandbox.run_id(), format!("run-{}", sandbox.run_id()));
    let told = |command: &[&str], lang: &str| {
        sandbox.run(&[&["runs"], command, &["--lang", lang]].concat()).exits(0).stdout
    };
    let shown = ["show", run.as_str()];
    let folder = "对直接位于 @project/artifacts 中的文件都允许 fs.write";
    for (lang, texts) in [
        ("zh", ["允许 fs.write 修改", folder, "@project/artifacts/brief.md: 新文件，"]),
        ("en", ["Allow fs.write to change", "[n] no", "@project/artifacts/brief.md: new file, "]),
    ] {
        for text in texts {
            assert!(told(&shown, lang).contains(text), "{text}: {}", told(&shown, lang));
        }
    }

    let yes = r#"{"confirmed":true}"#;
    let answer = ["answer", &conversation, "--widget", "tool_approval", "--value", yes];
    sandbox.run(&answer).exits(0);
    let approvals = ["show", &run, "--approvals"];
    for text in ["允许一次，与所示完全一致", "新文件，", "用于：", "差异 sha256"]
    {
        assert!(told(&approvals, "zh").contains(text), "{text}: {}", told(&approvals, "zh"));
    }
    assert!(!told(&approvals, "en").chars().any(|c| has_han(&c.to_string())));
}

#[test]
fn what_a_move_brings_and_a_long_deletion_takes_is_shown_in_both_languages() {
    let sandbox = Sandbox::new();
    for folder in ["artifacts", "docs"] {
        std::fs::create_dir_all(sandbox.path("project").join(folder)).unwrap();
    }
    sandbox.write("project/artifacts/x.txt", "on: push\n");
    for n in 0..30 {
        sandbox.write(&format!("project/docs/{n}.md"), "x");
    }
    let (from, to) = ("@project/artifacts/x.txt", "@project/.github/workflows/x.yml");
    let server = Server::saying(&[json!({ "calls": [
        { "name": "fs_move", "arguments": { "from": from, "to": to } },
        { "name": "fs_delete", "arguments": { "path": "@project/docs", "recursive": true } },
    ] })]);
    let base_url = server.base_url();
    let model = ["--base-url", &base_url, "--model", "demo"];
    let approve = ["--approve", "auto", "--input", "go"];
    sandbox.run(&[&["run", &hello_branch()][..], &model, &approve].concat()).exits(3);
    let told = |lang: &str| {
        sandbox.run(&["runs", "show", &sandbox.run_id(), "--lang", lang]).exits(0).stdout
    };
    for (lang, text) in [
        ("en", "moves it to @project/.github/workflows/x.yml; it holds 1 lines"),
        ("en", "+on: push"),
        ("zh", "移动到 @project/.github/workflows/x.yml；内容共 1 行"),
        ("zh", "+on: push"),
    ] {
        assert!(told(lang).contains(text), "{text}: {}", told(lang));
    }
    assert!(!told("en").contains("[folder]"), "no folder is offered");
    sandbox.run(&["settings", "set", "approval.writes", "ask"]).exits(0);
    let conversation = format!("run-{}", sandbox.run_id());
    let no = ["answer", &conversation, "--value", r#"{"confirmed":false}"#];
    sandbox.run(&[&no[..], &model].concat()).exits(3);
    for (lang, text) in [
        ("en", "deletes 30 files, 30 B, as listed"),
        ("zh", "删除 30 个文件，共 30 B，见列表"),
        ("en", "-@project/docs/29.md"),
        ("zh", "-@project/docs/0.md"),
    ] {
        assert!(told(lang).contains(text), "{text}: {}", told(lang));
    }
}

/// A model that writes, rests, and writes again.
fn writing_twice() -> Server {
    let write = |text: &str| {
        let arguments = json!({ "path": "@project/docs/a.md", "content": text });
        json!({ "calls": [{ "name": "fs_write", "arguments": arguments }] })
    };
    Server::saying(&[
        write("one\n"),
        json!({ "text": "And now?" }),
        write("two\n"),
        json!({ "text": "Not allowed." }),
    ])
}

fn mini() -> String {
    root().join("tests/fixtures/packages/mini").to_string_lossy().into_owned()
}

/// A run whose model may write into `docs` without asking, and waits for the person.
fn allowed() -> (Sandbox, Server) {
    let server = writing_twice();
    let sandbox = asking();
    with_model(&sandbox, &server, &["run", &mini()]).exits(3);
    let for_folder = r#"{"confirmed":true,"forFolder":true}"#;
    let conversation = format!("run-{}", sandbox.run_id());
    let answer = ["answer", &conversation, "--widget", "tool_approval", "--value", for_folder];
    let done = with_model(&sandbox, &server, &answer).exits(3);
    assert_eq!(done.finish()["reason"], "answered");
    (sandbox, server)
}

fn with_model(sandbox: &Sandbox, server: &Server, command: &[&str]) -> Done {
    let base_url = server.base_url();
    let model = ["--base-url", &base_url, "--model", "demo", "--json"];
    sandbox.run(&[command, &model[..]].concat())
}

#[test]
fn a_folder_that_was_allowed_is_listed_and_taken_back() {
    let (sandbox, server) = allowed();
    let run = sandbox.run_id();
    let approvals = |more: &[&str]| sandbox.run(&[&["runs", "approvals", &run], more].concat());
    let listed = approvals(&["--json"]).exits(0).json();
    let [grant] = &listed["inForce"].as_array().unwrap()[..] else { panic!("{listed:#}") };
    assert_eq!((&grant["tool"], &grant["folder"]), (&json!("fs.write"), &json!("@project/docs")));
    for (lang, text) in [
        ("en", "in force while the program that asked runs: fs.write in @project/docs"),
        ("zh", "在询问它的程序运行期间有效：@project/docs 中的 fs.write"),
    ] {
        let words = approvals(&["--lang", lang]).exits(0).stdout;
        assert!(words.contains(text), "{words}");
    }
    let revoke = ["--revoke", "@project/docs", "--revoke", "@project/other", "--json"];
    approvals(&revoke).exits(5).error("APPROVAL_NOT_FOUND");
    approvals(&["--revoke", "/etc", "--json"]).exits(2).error("BAD_REQUEST");
    let still = approvals(&["--json"]).exits(0).json();
    assert_eq!(still, listed, "all or nothing");

    let taken = approvals(&["--revoke", "@project/./docs", "--json"]).exits(0).json();
    assert_eq!(taken, json!({ "inForce": [], "takenBack": [grant], "ended": [] }));
    assert!(approvals(&["--lang", "zh"]).exits(0).stdout.contains("没有已允许的文件夹"));
    approvals(&["--revoke", "@project/docs", "--json"]).exits(5).error("APPROVAL_NOT_FOUND");

    let say = ["say", &format!("run-{run}"), "Write it again."];
    let asked = with_model(&sandbox, &server, &say).exits(3);
    assert_eq!(asked.finish()["reason"], "widget", "it asks again");
    let file = sandbox.project().join("docs/a.md");
    assert_eq!(std::fs::read_to_string(file).unwrap(), "one\n");
}

#[test]
fn a_folder_that_was_allowed_is_not_shown_any_more_when_its_program_has_ended() {
    let (sandbox, _server) = allowed();
    let id = ConversationId::new(format!("run-{}", sandbox.run_id())).unwrap();
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let store = sandbox.path("store");
        let host = Host::open(HostOptions::new(store, "window")).await.unwrap();
        let mut frames = host.watch(&id).await.unwrap();
        let Some(Frame::Snapshot { status, .. }) = frames.recv().await else { panic!("nothing") };
        assert_eq!(status.grants, []);
        host.close().await;
    });
}

#[test]
fn taking_one_folder_back_says_which_others_ended_with_it() {
    let write = |file: &str| {
        let arguments = json!({ "path": format!("@project/{file}"), "content": "x\n" });
        json!({ "calls": [{ "name": "fs_write", "arguments": arguments }] })
    };
    let replies = [write("docs/a.md"), write("notes/b.md"), json!({ "text": "And now?" })];
    let (sandbox, server) = (asking(), Server::saying(&replies));
    let answers = sandbox.write("answers.json", json!(["folder", "folder"]).to_string());
    with_model(&sandbox, &server, &["run", &mini(), "--answers", &answers]).exits(3);
    let run = sandbox.run_id();
    let approvals = |more: &[&str]| {
        sandbox.run(&[&["runs", "approvals", &run, "--json"], more].concat()).exits(0).json()
    };
    let folders = |grants: &Value| -> Vec<String> {
        let of = |grant: &Value| grant["folder"].as_str().unwrap().to_owned();
        grants.as_array().unwrap().iter().map(of).collect()
    };
    assert_eq!(folders(&approvals(&[])["inForce"]), ["@project/docs", "@project/notes"]);
    let taken = approvals(&["--revoke", "@project/docs"]);
    assert_eq!(folders(&taken["takenBack"]), ["@project/docs"]);
    assert_eq!(folders(&taken["ended"]), ["@project/notes"], "its program has ended");
    assert_eq!(taken["inForce"], json!([]));
}

/// Waits until the run rests.
async fn rests(lines: &mut UnboundedReceiver<Result<Arc<Line>, Failure>>) -> Reason {
    loop {
        let line = lines.recv().await.expect("the conversation's task ended").unwrap();
        if let Some(Event::TurnFinished(e)) = line.events.last() {
            return e.reason;
        }
    }
}

/// In a program that lives: a folder is allowed there, and the run rests.
async fn allows_in(host: &Host, sandbox: &Sandbox) -> ConversationId {
    let path = sandbox.project().to_string_lossy().into_owned();
    let opened = host.submit(Command::OpenProject { path, create: true }).await.unwrap();
    let installed =
        host.submit(Command::InstallPackage { path: mini(), content_hash: None }).await.unwrap();
    let start = Command::StartRun {
        project_id: opened.project_id.unwrap(),
        package_id: installed.package_id.unwrap(),
        workflow_id: None,
        agent_id: None,
        input: None,
        demo: false,
        conversation_id: None,
    };
    let conversation_id = host.submit(start).await.unwrap().conversation_id.unwrap();
    let mut lines = host.follow(&conversation_id, 0).await.unwrap();
    assert_eq!(rests(&mut lines).await, Reason::Widget);
    let message_id = snapshot(host, &conversation_id).await.widget.unwrap().message_id;
    let value = json!({ "confirmed": true, "forFolder": true });
    let conversation = conversation_id.clone();
    let answer = SessionCommand::Answer { message_id, value, shown_ms: None }.to(conversation_id);
    host.submit(answer).await.unwrap();
    assert_eq!(rests(&mut lines).await, Reason::Answered);
    conversation
}

async fn snapshot(host: &Host, conversation_id: &ConversationId) -> RuntimeSnapshot {
    let query = Query::Snapshot { conversation_id: conversation_id.clone() };
    let Answer::Snapshot(snapshot) = host.query(query).await.unwrap() else { panic!("a snapshot") };
    *snapshot
}

#[test]
fn a_folder_that_is_allowed_in_a_program_that_lives_is_taken_back_from_another() {
    let (sandbox, server) = (asking(), writing_twice());
    let model = ModelSettings {
        base_url: server.base_url(),
        model: "demo".into(),
        provider: "custom".into(),
        ..ModelSettings::default()
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut options = HostOptions::new(sandbox.path("store"), "window");
    options.model = ModelChoice::Endpoint(model, None);
    let host = runtime.block_on(Host::open(options)).unwrap();
    let conversation = runtime.block_on(allows_in(&host, &sandbox));
    assert_eq!(runtime.block_on(snapshot(&host, &conversation)).grants.len(), 1);

    let run = sandbox.run_id();
    let revoke = ["runs", "approvals", &run, "--revoke", "@project/docs", "--json"];
    let taken = loop {
        let done = sandbox.run(&revoke);
        // The lease is given back a moment after the run rests.
        if done.code != Some(7) {
            break done.exits(0).json();
        }
    };
    assert_eq!(taken["takenBack"][0]["folder"], "@project/docs");
    assert_eq!(runtime.block_on(snapshot(&host, &conversation)).grants, []);

    let reason = runtime.block_on(async {
        let mut lines = host.follow(&conversation, u64::MAX >> 1).await.unwrap();
        let say = SessionCommand::Say { text: "Again.".into() }.to(conversation.clone());
        host.submit(say).await.unwrap();
        rests(&mut lines).await
    });
    assert_eq!(reason, Reason::Widget, "it asks again");
    let file = sandbox.project().join("docs/a.md");
    assert_eq!(std::fs::read_to_string(file).unwrap(), "one\n");
    runtime.block_on(host.close());
}
