//! A demo that goes on with a model of the person's, and what is known of that model.

use host::host::{Host, HostOptions};
use host::llm::DemoServer;
use kernel::code::{ErrorCode, Failure};
use kernel::command::{Command, Query, RecordQuery, SessionCommand};
use kernel::event::{Event, Line, Phase, Reason};
use kernel::ids::ConversationId;
use kernel::trace::{Trace, TraceAnswer as Scripted};
use kernel::wire::{
    Answer, Frame, ItemBody, ModelTest, NoticeKind, RuntimeSnapshot, SettingsView, Speaker,
};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

/// No test waits longer for something that must come.
const PATIENCE: Duration = Duration::from_mins(1);

async fn a_host(folder: &Path) -> Arc<Host> {
    Host::open(HostOptions::new(folder.join("store"), "cli")).await.unwrap()
}

/// The demo of `hello-linear`, at its first question.
async fn a_demo(host: &Host, folder: &Path) -> ConversationId {
    let path = folder.join("project").to_string_lossy().into_owned();
    let play = Command::PlayDemo { path: Some(path), package: Some("hello-linear".into()) };
    let id = host.submit(play).await.unwrap().conversation_id.unwrap();
    until_rest(host, &id, 0).await;
    id
}

/// Waits until a turn that ended after `seq` has ended.
async fn until_rest(host: &Host, id: &ConversationId, seq: u64) -> Vec<Arc<Line>> {
    let mut following = host.follow(id, seq).await.unwrap();
    let ended = async {
        let mut lines = Vec::new();
        while let Some(line) = following.recv().await {
            lines.push(line.unwrap());
            let events = &lines.last().unwrap().events;
            if events.iter().any(|e| matches!(e, Event::TurnFinished(_))) {
                return lines;
            }
        }
        panic!("the journal ended");
    };
    tokio::time::timeout(PATIENCE, ended).await.expect("the turn never ended")
}

async fn snapshot(host: &Host, id: &ConversationId) -> RuntimeSnapshot {
    let query = Query::Snapshot { conversation_id: id.clone() };
    let Answer::Snapshot(snapshot) = host.query(query).await.unwrap() else { panic!() };
    *snapshot
}

/// Submits, and waits for the end of the turn it begins.
async fn turn(host: &Host, id: &ConversationId, command: Command) -> Vec<Arc<Line>> {
    let seq = snapshot(host, id).await.seq + 1;
    host.submit(command).await.unwrap();
    until_rest(host, id, seq).await
}

fn say(id: &ConversationId, text: &str) -> Command {
    SessionCommand::Say { text: text.into() }.to(id.clone())
}

fn use_model(id: &ConversationId) -> Command {
    SessionCommand::UseModel.to(id.clone())
}

/// Plays the rest of the demo with its own recorded answers.
async fn to_the_end(host: &Host, id: &ConversationId) {
    let query = RecordQuery::DemoAnswers { conversation_id: id.clone() };
    let Answer::DemoAnswers(answers) = host.query(query.into()).await.unwrap() else { panic!() };
    for answer in answers.unwrap() {
        let command = match answer {
            Scripted::Text { text } => say(id, &text),
            Scripted::Widget { value, .. } => SessionCommand::Answer {
                message_id: snapshot(host, id).await.widget.unwrap().message_id,
                value,
                shown_ms: None,
            }
            .to(id.clone()),
        };
        turn(host, id, command).await;
    }
}

/// A model that says the same to everything.
async fn a_model(text: &str) -> DemoServer {
    let turn = json!({ "reply": { "text": text } });
    let trace = json!({ "schemaVersion": "1", "turns": vec![turn; 40] }).to_string();
    DemoServer::start_with(Trace::parse(&trace).unwrap(), Vec::new()).await.unwrap()
}

async fn configure(host: &Host, base_url: &str, model: &str) {
    let patch = json!({ "model": { "baseUrl": base_url, "model": model } });
    host.submit(Command::Configure { patch }).await.unwrap();
}

async fn refusal(host: &Host, command: Command) -> Failure {
    host.submit(command).await.unwrap_err()
}

/// What the conversation shows: messages of the assistant, and kinds of notices.
async fn shown(host: &Arc<Host>, id: &ConversationId) -> (Vec<String>, Vec<NoticeKind>) {
    let mut frames = host.watch(id).await.unwrap();
    let Some(Frame::Snapshot { items, .. }) = frames.recv().await else { panic!() };
    let (mut texts, mut notices) = (Vec::new(), Vec::new());
    for item in items {
        match item.body {
            ItemBody::Message { by: Speaker::Assistant, text, .. } => texts.push(text),
            ItemBody::Notice { kind, .. } => notices.push(kind),
            _ => {}
        }
    }
    (texts, notices)
}

#[tokio::test]
async fn a_demo_goes_on_with_the_model_that_was_chosen_and_its_journal_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let host = a_host(folder.path()).await;
    let id = a_demo(&host, folder.path()).await;
    let server = a_model("This is a real answer.").await;
    configure(&host, &server.base_url(), "real").await;

    // Nothing changes by itself: a demo goes on as a demo until the person chooses.
    assert!(snapshot(&host, &id).await.run.demo);
    host.submit(use_model(&id)).await.unwrap();
    assert!(!snapshot(&host, &id).await.run.demo);
    assert_eq!(server.requests().len(), 0, "choosing asks nobody");
    let lines = turn(&host, &id, say(&id, "A garden page, please.")).await;
    let replied = lines.iter().flat_map(|l| &l.events).find_map(|e| match e {
        Event::ModelReplied(e) => Some(e.reply.text.clone()),
        _ => None,
    });
    assert_eq!(replied.as_deref(), Some("This is a real answer."));
    let (texts, notices) = shown(&host, &id).await;
    assert!(texts.len() > 1, "what the demo said is still there: {texts:?}");
    assert!(notices.contains(&NoticeKind::ModelSwitched), "{notices:?}");
    let asked = server.requests().pop().unwrap().to_string();
    assert!(asked.contains("A garden page, please."), "{asked}");
    host.close().await;

    // Another start of the program goes on from the journal.
    let again = a_host(folder.path()).await;
    assert!(!snapshot(&again, &id).await.run.demo);
    turn(&again, &id, say(&id, "And more.")).await;
    assert_eq!(server.requests().len(), 2);
    let run = snapshot(&again, &id).await.run.run_id;
    let file = folder.path().join("run.crewrun");
    let path = file.to_str().unwrap().to_owned();
    again.submit(Command::ExportRun { run_id: run, path, replace: false }).await.unwrap();
    let report = tokio::task::spawn_blocking(move || host::crewrun::replay_file(&file));
    let report = serde_json::to_value(report.await.unwrap().unwrap()).unwrap();
    assert_eq!(report["differences"], 0, "{report:#}");
    again.close().await;
}

#[tokio::test]
async fn a_demo_that_has_been_played_says_so_itself_and_the_words_wait_for_a_model() {
    let folder = tempfile::tempdir().unwrap();
    let host = a_host(folder.path()).await;
    let id = a_demo(&host, folder.path()).await;
    to_the_end(&host, &id).await;
    assert_eq!(snapshot(&host, &id).await.run.phase, Phase::Completed);
    let (before, _) = shown(&host, &id).await;

    turn(&host, &id, say(&id, "Make the first milestone smaller.")).await;
    let run = snapshot(&host, &id).await.run;
    assert_eq!((run.phase, run.reason), (Phase::WaitingUser, Some(Reason::Failed)));
    let (texts, notices) = shown(&host, &id).await;
    assert_eq!(texts, before, "no agent says what the runtime has to say");
    assert_eq!(notices.last(), Some(&NoticeKind::DemoOver));

    let server = a_model("Smaller it is.").await;
    configure(&host, &server.base_url(), "real").await;
    host.submit(use_model(&id)).await.unwrap();
    turn(&host, &id, SessionCommand::Resume.to(id.clone())).await;
    let (texts, _) = shown(&host, &id).await;
    assert_eq!(texts.last().map(String::as_str), Some("Smaller it is."));
    let asked = server.requests().pop().unwrap().to_string();
    assert!(asked.contains("Make the first milestone smaller."), "{asked}");
    host.close().await;
}

#[tokio::test]
async fn a_model_is_chosen_only_where_there_is_one_and_only_in_a_demo() {
    let folder = tempfile::tempdir().unwrap();
    let host = a_host(folder.path()).await;
    let id = a_demo(&host, folder.path()).await;
    let seq = snapshot(&host, &id).await.seq;
    assert_eq!(refusal(&host, use_model(&id)).await.code, ErrorCode::LlmNotConfigured);
    configure(&host, "http://127.0.0.1:9/v1", "").await;
    assert_eq!(refusal(&host, use_model(&id)).await.code, ErrorCode::LlmNotConfigured);
    let nobody = use_model(&"nobody".parse().unwrap());
    configure(&host, "http://127.0.0.1:9/v1", "real").await;
    assert_eq!(refusal(&host, nobody).await.code, ErrorCode::ConversationNotFound);
    assert_eq!(snapshot(&host, &id).await.seq, seq, "a refusal records nothing");
    host.submit(use_model(&id)).await.unwrap();
    assert_eq!(refusal(&host, use_model(&id)).await.code, ErrorCode::NotNow, "a second click");
    assert_eq!(snapshot(&host, &id).await.seq, seq + 1);
    host.close().await;
}

async fn settings(host: &Host) -> SettingsView {
    let Answer::Settings(view) = host.query(Query::Settings).await.unwrap() else { panic!() };
    *view
}

async fn test(host: &Host) -> Result<ModelTest, Failure> {
    host.query(Query::TestModel).await.map(|answer| match answer {
        Answer::ModelTest(test) => test,
        other => panic!("{other:?}"),
    })
}

#[tokio::test]
async fn what_a_test_found_holds_for_the_address_the_model_and_the_key_it_asked() {
    let folder = tempfile::tempdir().unwrap();
    let host = a_host(folder.path()).await;
    let server = a_model("OK").await;
    configure(&host, &server.base_url(), "real").await;
    assert_eq!(settings(&host).await.tested, None, "nobody asked yet");
    let found = test(&host).await.unwrap();
    assert!(found.answers);
    assert_eq!(settings(&host).await.tested.as_ref(), Some(&found));

    configure(&host, &server.base_url(), "another").await;
    assert_eq!(settings(&host).await.tested, None);
    configure(&host, "http://127.0.0.1:9/v1", "real").await;
    assert_eq!(settings(&host).await.tested, None);
    configure(&host, &server.base_url(), "real").await;
    assert_eq!(settings(&host).await.tested.as_ref(), Some(&found), "what was asked is back");
    let patch = json!({ "model": { "idleTimeoutS": 61 } });
    host.submit(Command::Configure { patch }).await.unwrap();
    assert!(settings(&host).await.tested.is_some(), "a time limit is not whom we asked");
    host.submit(Command::StoreApiKey { key: "sk-other-key".into() }).await.unwrap();
    assert_eq!(settings(&host).await.tested, None);
    host.close().await;
}

#[tokio::test]
async fn a_model_that_answered_is_known_with_what_was_set_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let host = a_host(folder.path()).await;
    let names = async |host: &Host| {
        settings(host).await.known.into_iter().map(|one| one.model).collect::<Vec<_>>()
    };
    let server = a_model("OK").await;
    configure(&host, "http://127.0.0.1:9/v1", "silent").await;
    assert!(!test(&host).await.unwrap().answers);
    configure(&host, &server.base_url(), "first").await;
    assert_eq!(names(&host).await, [""; 0], "none has answered");
    test(&host).await.unwrap();
    configure(&host, &server.base_url(), "second").await;
    test(&host).await.unwrap();
    assert_eq!(names(&host).await, ["second", "first"]);

    // What is set of it belongs to it, also when it is left for another one.
    let patch = json!({ "model": { "contextTokens": 9000, "tools": "step" } });
    host.submit(Command::Configure { patch }).await.unwrap();
    configure(&host, &server.base_url(), "first").await;
    let known = settings(&host).await.known;
    assert_eq!(known[0].context_tokens, Some(9000));
    assert_eq!(serde_json::to_value(known[0].tools).unwrap(), "step");
    // Its answer does not make its own what is left from the other one.
    test(&host).await.unwrap();
    let known = settings(&host).await.known;
    assert_eq!((known[0].model.as_str(), known[0].context_tokens), ("first", None));
    configure(&host, &server.base_url(), "second").await;
    test(&host).await.unwrap();
    host.close().await;
    let again = a_host(folder.path()).await;
    assert_eq!(names(&again).await, ["second", "first"], "after a restart");
}

#[tokio::test]
async fn a_model_that_answered_a_run_is_known_and_the_script_of_a_demo_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let host = a_host(folder.path()).await;
    let server = a_model("Here I am.").await;
    configure(&host, &server.base_url(), "real").await;
    let id = a_demo(&host, folder.path()).await;
    assert!(settings(&host).await.known.is_empty());
    host.submit(use_model(&id)).await.unwrap();
    turn(&host, &id, say(&id, "Go on.")).await;
    // The turn does not wait for it.
    let kept = async {
        while settings(&host).await.known.is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, kept).await.expect("it was never kept");
    host.close().await;
    let again = a_host(folder.path()).await;
    let known = settings(&again).await.known;
    assert_eq!(known.len(), 1);
    assert_eq!((known[0].model.as_str(), &known[0].base_url), ("real", &server.base_url()));
}

#[tokio::test]
async fn a_test_of_a_server_that_hangs_can_be_stopped_and_leaves_no_result() {
    let folder = tempfile::tempdir().unwrap();
    let host = a_host(folder.path()).await;
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}/v1", silent.local_addr().unwrap());
    configure(&host, &base_url, "silent").await;
    let asking = {
        let host = Arc::clone(&host);
        tokio::spawn(async move { test(&host).await })
    };
    let (_request, _) = silent.accept().await.unwrap();
    host.submit(Command::StopModelTest).await.unwrap();
    let stopped = tokio::time::timeout(PATIENCE, asking).await.unwrap().unwrap().unwrap_err();
    assert_eq!(stopped.code, ErrorCode::EngineAborted);
    assert_eq!(settings(&host).await.tested, None);
    // Nothing to stop is no mistake.
    host.submit(Command::StopModelTest).await.unwrap();
    host.close().await;
}

/// A server with a small model that says how small it is.
async fn small_model(tokens: u32) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut asked = Vec::new();
            while !is_whole(&asked) {
                let mut piece = vec![0; 64 * 1024];
                match socket.read(&mut piece).await {
                    Ok(n) if n > 0 => asked.extend_from_slice(&piece[..n]),
                    _ => break,
                }
            }
            let body: Value = if asked.starts_with(b"GET /v1/models") {
                json!({ "data": [{ "id": "small", "max_model_len": tokens }] })
            } else {
                json!({ "choices": [{ "message": { "content": "OK" }, "finish_reason": "stop" }] })
            };
            let body = body.to_string();
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\
                 content-length: {}\r\n\r\n",
                body.len()
            );
            _ = socket.write_all((head + &body).as_bytes()).await;
        }
    });
    base_url
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.to_lowercase().split("content-length: ").nth(1).map(|rest| {
        rest.lines().next().unwrap_or_default().trim().parse::<usize>().unwrap_or_default()
    });
    body.len() >= length.unwrap_or_default()
}

#[tokio::test]
async fn a_context_nobody_set_is_asked_of_the_server_before_the_first_request() {
    let folder = tempfile::tempdir().unwrap();
    let host = a_host(folder.path()).await;
    let id = a_demo(&host, folder.path()).await;
    configure(&host, &small_model(900).await, "small").await;
    host.submit(use_model(&id)).await.unwrap();
    let lines = turn(&host, &id, say(&id, "Hello.")).await;
    let failed = lines.iter().flat_map(|l| &l.events).find_map(|e| match e {
        Event::ModelFailed(e) => Some(e.failure.code),
        _ => None,
    });
    assert_eq!(failed, Some(ErrorCode::ContextStillTooLarge));
    let context = snapshot(&host, &id).await.context.unwrap();
    assert_eq!(context.budget, Some(900));
    host.close().await;
}
