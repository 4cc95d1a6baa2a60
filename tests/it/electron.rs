//! The store of an Electron runtime is taken over (spec 08): the report, what is there afterwards,
//! and the old store untouched. Real folders, a real store, the demo model.

use host::host::{ElectronImport, Host, HostOptions, ModelChoice};
use host::settings::SettingsStore;
use host::store::RuntimeStore;
use kernel::code::ErrorCode;
use kernel::command::{Command, Copied, Query, SessionCommand};
use kernel::context::protocol_errors;
use kernel::engine::{Env, ExecutionEngine, Input, Limits};
use kernel::event::{Event, Line, Phase, Reason};
use kernel::ids::{ConversationId, RunId};
use kernel::import::{ImportEntry, ImportKind, ImportOutcome, ImportReport};
use kernel::package::Package;
use kernel::prompt::PromptComposer;
use kernel::wire::{Answer, CallState, Frame, Item, ItemBody, NoticeKind, Speaker};
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use support::old_store::{KEY, OTHER_KEY, Old};

/// An old store, and a new one beside it.
struct World {
    temp: tempfile::TempDir,
    old: Old,
}

impl World {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let old = Old::make(temp.path());
        Self { temp, old }
    }

    fn store(&self) -> PathBuf {
        self.temp.path().join("store")
    }

    /// The new store, as another program reads it.
    fn stored(&self) -> RuntimeStore {
        RuntimeStore::open(&self.store()).unwrap()
    }

    async fn host(&self) -> Arc<Host> {
        let model = ModelChoice::Demo;
        Host::open(HostOptions { model, ..HostOptions::new(self.store(), "cli") }).await.unwrap()
    }

    async fn import(&self, host: &Host, dry_run: bool) -> ImportReport {
        let path = self.old.data.clone();
        let ask = ElectronImport { path, dry_run, with_keys: false };
        host.import_electron(ask, None).await.unwrap()
    }
}

fn id(text: &str) -> ConversationId {
    text.parse().unwrap()
}

fn entry<'a>(report: &'a ImportReport, kind: ImportKind, id: &str) -> &'a ImportEntry {
    let found = report.entries.iter().find(|e| e.kind == kind && e.id.as_deref() == Some(id));
    found.unwrap_or_else(|| panic!("no entry for {id}: {report:#?}"))
}

async fn items(host: &std::sync::Arc<Host>, conversation: &str) -> Vec<Item> {
    let mut frames = host.watch(&id(conversation)).await.unwrap();
    match frames.recv().await {
        Some(Frame::Snapshot { items, .. }) => items,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_says_all_that_an_import_says_and_writes_nothing() {
    let world = World::new();
    let before = world.old.tree();
    let host = world.host().await;
    let dry = world.import(&host, true).await;
    assert!(dry.dry_run);
    assert!(world.stored().projects().await.unwrap().is_empty());
    assert!(world.stored().packages().await.unwrap().is_empty());
    assert!(world.stored().all_runs().await.unwrap().is_empty());
    assert!(
        !world.store().join("projects").exists() && !world.store().join("settings.json").exists()
    );

    let real = world.import(&host, false).await;
    assert_eq!(dry.entries, real.entries);
    assert_eq!(dry.totals, real.totals);
    assert!(world.old.tree() == before, "the old store and the project are only read");
    host.close().await;
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn every_entry_of_the_old_store_is_reported_by_itself() {
    let world = World::new();
    let host = world.host().await;
    let report = world.import(&host, false).await;
    let text = serde_json::to_string(&report).unwrap();
    let real = world.temp.path().to_string_lossy().into_owned();
    assert!(!text.contains(&real), "a real path is in the report");
    assert!(!text.contains(KEY) && !text.contains(OTHER_KEY), "a key is in the report");
    let rows: Vec<String> = report.entries.iter().map(told).collect();
    insta::assert_snapshot!("electron-report", rows.join("\n"));
    host.close().await;
}

/// Package ids here name content that may change; everything else must stay.
fn told(e: &ImportEntry) -> String {
    let word = |value: &dyn erased::Word| value.word();
    let new_id = match (e.kind, &e.new_id) {
        (ImportKind::Package, Some(id)) => format!(" -> {}", id.rsplit_once('-').unwrap().0),
        (_, Some(id)) => format!(" -> {id}"),
        _ => String::new(),
    };
    let count = e.messages.map(|n| format!(" ({n})")).unwrap_or_default();
    let reason = e.reason.as_deref().unwrap_or_default();
    let reason: Vec<&str> = (reason.split(' '))
        .map(|word| if word.starts_with("hello-branch-") { "hello-branch-…" } else { word })
        .collect();
    let why = e.code.map(|code| format!("\n    {code}: {}", reason.join(" ")));
    format!(
        "{} {} {}{new_id}{count} [{}]{}",
        word(&e.outcome),
        word(&e.kind),
        e.id.as_deref().unwrap_or("-"),
        e.file,
        why.unwrap_or_default()
    )
}

mod erased {
    pub(super) trait Word {
        fn word(&self) -> String;
    }
    impl<T: serde::Serialize> Word for T {
        fn word(&self) -> String {
            serde_json::to_value(self).unwrap().as_str().unwrap().to_owned()
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_import_finds_everything_there_and_doubles_nothing() {
    let world = World::new();
    let host = world.host().await;
    let first = world.import(&host, false).await;
    let messages = world.stored().messages(&id("c-chat"), None, 100).await.unwrap();
    let runs = world.stored().all_runs().await.unwrap();
    let again = world.import(&host, false).await;
    assert_eq!(again.totals.imported, 0, "{:#?}", again.entries);
    for e in &first.entries {
        let whole = matches!(
            e.kind,
            ImportKind::Package
                | ImportKind::Project
                | ImportKind::Run
                | ImportKind::Conversation
                | ImportKind::Setting
        );
        if e.outcome == ImportOutcome::Imported && whole {
            let mut now = again.entries.iter().filter(|n| n.kind == e.kind && n.id == e.id);
            assert!(now.any(|n| n.outcome == ImportOutcome::Already), "{e:?}");
        }
    }
    assert_eq!(world.stored().messages(&id("c-chat"), None, 100).await.unwrap(), messages);
    assert_eq!(world.stored().all_runs().await.unwrap(), runs);
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_that_was_cut_off_is_completed_by_the_next() {
    let world = World::new();
    let host = world.host().await;
    world.import(&host, false).await;
    // What a crash leaves between the folder of a run and its rows: the folder alone.
    let other = World::new();
    let from = world.store().join("projects/p-good/runs/r-asked");
    let to = other.store().join("projects/p-good/runs/r-asked");
    std::fs::create_dir_all(to.join("state/logs")).unwrap();
    std::fs::create_dir_all(other.store().join("projects/p-good/runs/.tmp-r-done/state")).unwrap();
    std::fs::write(to.join("state/workflow.md"), "half").unwrap();
    let second = other.host().await;
    let report = other.import(&second, false).await;
    let of_run = |e: &&ImportEntry| e.kind == ImportKind::Run && e.id.as_deref() == Some("r-asked");
    let outcomes: Vec<_> = report.entries.iter().filter(of_run).map(|e| e.outcome).collect();
    assert_eq!(
        outcomes,
        [ImportOutcome::Failed, ImportOutcome::Imported],
        "the second is a double"
    );
    let read = |root: &std::path::Path| std::fs::read(root.join("state/workflow.md")).unwrap();
    assert_eq!(read(&from), read(&to));
    assert!(!other.store().join("projects/p-good/runs/.tmp-r-done").exists());
    host.close().await;
    second.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_keep_their_fields_and_look_as_they_did() {
    let world = World::new();
    let host = world.host().await;
    world.import(&host, false).await;
    let page = world.stored().messages(&id("c-chat"), None, 100).await.unwrap();
    let ids: Vec<&str> = page.messages.iter().map(|m| m.id.as_str()).collect();
    let expected: Vec<String> = (1..=14).map(|n| format!("m{n}")).collect();
    assert_eq!(ids, expected);
    let row = |n: usize| serde_json::to_value(&page.messages[n - 1]).unwrap();
    assert_eq!(row(1)["content"], "What grows here?");
    assert_eq!(row(2)["tool_calls"][0]["function"]["name"], "fs.read");
    assert_eq!(row(3)["duration"], 12);
    assert_eq!(row(3)["tool_call_id"], "call_0");
    assert_eq!(row(4)["partType"], "thinking");
    assert_eq!(row(5)["agentId"], "analyst");
    assert_eq!(row(5)["content"], "read @project/bean.md");
    assert_eq!(
        (&row(7)["role"], &row(7)["createdAt"]),
        (&json!("system"), &json!("2025-03-02T08:07:00.000Z"))
    );
    assert_eq!(row(9)["fullOutputPath"], "@state/logs/tool-results/c-chat/m9.json");
    assert_eq!(row(11)["widget"]["submittedValue"], json!(["runner"]));
    assert_eq!(row(13)["includeInContext"], false);
    // The server repeated an id; the second call and its result have another, the same one.
    assert_ne!(row(8)["tool_calls"][0]["id"], "call_0");
    assert_eq!(row(8)["tool_calls"][0]["id"], row(9)["tool_call_id"]);

    let items = items(&host, "c-chat").await;
    let body = |n: &str| &items.iter().find(|i| i.id.as_str() == n).unwrap().body;
    assert!(matches!(body("m1"), ItemBody::Message { by: Speaker::User, .. }));
    assert!(matches!(
        body("call-call_0"),
        ItemBody::Call { state: CallState::Done, duration_ms: 12, .. }
    ));
    assert!(matches!(body("m4"), ItemBody::Message { thinking: Some(_), .. }));
    let timeout = |kind: &NoticeKind, f: &Option<kernel::code::Failure>| {
        *kind == NoticeKind::ModelError && f.as_ref().unwrap().code == ErrorCode::LlmTimeout
    };
    assert!(matches!(body("m6"), ItemBody::Notice { kind, failure, .. } if timeout(kind, failure)));
    assert!(matches!(body("call-call_1"), ItemBody::Call { state: CallState::Failed, .. }));
    assert!(matches!(body("call-nobody"), ItemBody::Call { state: CallState::Done, .. }));
    assert!(
        matches!(body("m11"), ItemBody::Question { answer: Some(a), .. } if *a == json!(["runner"]))
    );
    assert!(
        !items.iter().any(|i| ["m7", "m12"].contains(&i.id.as_str())),
        "summary and submission"
    );
    let result =
        world.store().join("projects/p-good/runs/chat-c-chat/state/logs/tool-results/c-chat");
    assert!(result.join("m9.json").is_file() && !result.join("outside.json").exists());
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chat_without_a_run_is_shown_and_goes_on() {
    let world = World::new();
    let host = world.host().await;
    world.import(&host, false).await;
    let conversation_id = id("c-chat");
    let say = SessionCommand::Say { text: "And now?".into() }.to(conversation_id.clone());
    let before = world.stored().lines(&conversation_id, 0).await.unwrap();
    host.submit(say).await.unwrap();
    let lines = world.stored().lines(&conversation_id, 0).await.unwrap();
    assert!(lines.len() > before.len(), "what was said stands behind what was taken over");
    let lines = before;
    let Event::ConversationStarted(began) = &lines[0].events[0] else { panic!() };
    let origin = began.origin.as_ref().unwrap();
    assert_eq!((origin.store.as_str(), origin.title.as_str()), ("electron", "About beans"));
    assert_eq!(origin.meta["selectedAgentId"], "analyst");
    assert_eq!(origin.meta["planPath"], "[old store]/projects/p-good/plans/c-chat/plan.md");
    assert_eq!(
        lines.last().unwrap().at.to_string(),
        "2025-03-02T09:30:00.000Z",
        "last active then"
    );
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_stand_where_their_state_document_says() {
    let world = World::new();
    let host = world.host().await;
    world.import(&host, false).await;
    let stands = async |run: &str| {
        let run = world.stored().run(&run.parse::<RunId>().unwrap()).await.unwrap();
        (run.phase, run.reason.unwrap())
    };
    for (run, phase, reason) in [
        ("r-fresh", Phase::WaitingUser, Reason::Interrupted),
        ("r-asked", Phase::WaitingUser, Reason::Answered),
        ("r-widget", Phase::WaitingUser, Reason::Widget),
        ("r-done", Phase::Completed, Reason::Completed),
        ("r-broke", Phase::WaitingUser, Reason::Failed),
        ("r-home", Phase::WaitingUser, Reason::Interrupted),
        ("r-odd", Phase::WaitingUser, Reason::Interrupted),
        ("r-lost", Phase::Failed, Reason::Failed),
        ("r-nonode", Phase::Failed, Reason::Failed),
    ] {
        assert_eq!(stands(run).await, (phase, reason), "{run}");
    }
    for (run, code) in [
        ("r-lost", "PACKAGE_NOT_FOUND"),
        ("r-agent", "AGENT_NOT_FOUND"),
        ("r-badstate", "E_INVALID_FRONTMATTER"),
        ("r-nonode", "E_INVALID_TRANSITION"),
        ("r-nostate", "ENOENT_STATE"),
        ("r-found", "PACKAGE_NOT_FOUND"),
    ] {
        let conversation_id = id(&format!("run-{run}"));
        let items = items(&host, conversation_id.as_str()).await;
        assert!(matches!(
            &items[0].body,
            ItemBody::Notice { kind: NoticeKind::Imported, failure: Some(_), .. }
        ));
        let failure = host.submit(SessionCommand::Resume.to(conversation_id)).await.unwrap_err();
        assert_eq!(failure.code, ErrorCode::ImportReadOnly, "{run}");
        let code = if code == "ENOENT_STATE" { "STATE_FILE_NOT_FOUND" } else { code };
        assert_eq!(failure.details.unwrap()["code"], code, "{run}");
    }
    let home = world.stored().run(&"r-home".parse().unwrap()).await.unwrap();
    assert_eq!(home.conversation_id, id("c-home"), "the run lives where it was started");
    host.close().await;
}

/// Waits until the conversation rests, and says where.
async fn rests(host: &Host, conversation: &ConversationId) -> (Phase, Option<Reason>) {
    let mut lines = host.follow(conversation, 0).await.unwrap();
    let mut stand = None;
    while let Some(line) = lines.recv().await {
        for event in &line.unwrap().events {
            match event {
                Event::TurnFinished(e) => stand = Some((e.phase, Some(e.reason))),
                Event::UserSaid(_) | Event::WidgetAnswered(_) | Event::RunResumed(_) => {
                    stand = None;
                }
                _ => {}
            }
        }
        let snapshot = Query::Snapshot { conversation_id: conversation.clone() };
        let Answer::Snapshot(now) = host.query(snapshot).await.unwrap() else { panic!() };
        if let Some(stand) = stand.filter(|(phase, _)| now.run.phase == *phase) {
            return stand;
        }
    }
    panic!("the conversation ended");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_waited_goes_on_to_its_end() {
    let world = World::new();
    let host = world.host().await;
    world.import(&host, false).await;
    let conversation_id = id("run-r-asked");
    let text = "Members see what is ripe.".to_owned();
    let say = SessionCommand::Say { text }.to(conversation_id.clone());
    host.submit(say).await.unwrap();
    assert_eq!(rests(&host, &conversation_id).await, (Phase::WaitingUser, Some(Reason::Widget)));
    for value in [json!(["greenfield"]), json!({ "confirmed": true })] {
        let query = Query::Snapshot { conversation_id: conversation_id.clone() };
        let Answer::Snapshot(now) = host.query(query).await.unwrap() else { panic!() };
        let message_id = now.widget.unwrap().message_id;
        let conversation_id = conversation_id.clone();
        host.submit(
            SessionCommand::Answer { message_id, value, shown_ms: None }
                .to(conversation_id.clone()),
        )
        .await
        .unwrap();
        rests(&host, &conversation_id).await;
    }
    let run = world.stored().run(&"r-asked".parse().unwrap()).await.unwrap();
    assert_eq!(run.phase, Phase::Completed);
    assert!(world.old.project.join("artifacts/plan/roadmap.md").is_file());
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_widget_is_still_answered_and_a_passed_one_is_not() {
    let world = World::new();
    let host = world.host().await;
    world.import(&host, false).await;
    let conversation_id = id("run-r-widget");
    let answer = SessionCommand::Answer {
        message_id: "a9".parse().unwrap(),
        value: json!(["greenfield"]),
        shown_ms: None,
    }
    .to(conversation_id.clone());
    host.submit(answer.clone()).await.unwrap();
    assert_eq!(rests(&host, &conversation_id).await, (Phase::WaitingUser, Some(Reason::Widget)));
    assert_eq!(host.submit(answer).await.unwrap_err().code, ErrorCode::WidgetAlreadySubmitted);
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_was_said_makes_a_request_that_a_server_accepts() {
    let world = World::new();
    let host = world.host().await;
    world.import(&host, false).await;
    let package = world.stored().run(&"r-fresh".parse().unwrap()).await.unwrap().package_id;
    let package: Package =
        host::packages::load_installed(&world.store().join("packages"), &package).unwrap();
    let env = Env {
        others: Vec::new(),
        package: Arc::new(package),
        composer: Arc::new(PromptComposer::new().unwrap()),
        limits: Limits::default(),
    };
    let of_run = world.stored().lines(&id("run-r-asked"), 0).await.unwrap();
    let began = &of_run[0].events[0];
    assert!(matches!(began, Event::RunStarted(e) if e.origin.is_some()));
    for conversation in ["c-chat", "c-bad", "c-cut", "run-r-asked", "run-r-widget"] {
        let mut lines = world.stored().lines(&id(conversation), 0).await.unwrap();
        // As if the conversation had a run that waits.
        lines[0].events[0] = began.clone();
        let mut engine = ExecutionEngine::replay(id(conversation), env.clone(), &lines);
        let now = lines.last().unwrap().at;
        let line = engine.decide(&Input::Say("Go on.".into()), now).unwrap().unwrap();
        engine.apply(&line);
        let wanted = engine.wanted();
        let kernel::effect::Effect::Think(think) = engine.effect(wanted.first().unwrap()).unwrap()
        else {
            panic!("{wanted:?}")
        };
        let messages = think.request.messages;
        assert_eq!(protocol_errors(&messages), Vec::<String>::new(), "{conversation}");
        let sent = serde_json::to_string(&messages).unwrap();
        assert!(!sent.contains("Hidden from the model") && !sent.contains("LLM_ERROR"));
    }
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_are_mapped_and_the_key_comes_only_when_asked_for() {
    let world = World::new();
    let host = world.host().await;
    let report = world.import(&host, false).await;
    let settings = SettingsStore::open(world.store()).settings();
    assert_eq!(settings.model.provider, "ollama");
    assert_eq!(settings.model.base_url, "http://127.0.0.1:11434/v1");
    assert_eq!(settings.model.first_byte_timeout_s, 90);
    assert_eq!(settings.engine.max_turns, 33);
    assert_eq!(settings.tools.max_read_bytes, 1_000_000);
    assert_eq!(entry(&report, ImportKind::Key, "llm.apiKey").outcome, ImportOutcome::Skipped);
    let wrong = entry(&report, ImportKind::Setting, "tools.fs.maxWriteBytes");
    assert_eq!(
        (wrong.outcome, wrong.code),
        (ImportOutcome::Failed, Some(ErrorCode::SettingInvalid))
    );
    assert!(!world.store().join("model-api-key").exists());
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_no_old_store_is_refused() {
    let world = World::new();
    let host = world.host().await;
    world.import(&host, false).await;
    for path in [world.old.project.clone(), world.store(), world.temp.path().join("nowhere")] {
        let ask = ElectronImport { path, dry_run: true, with_keys: false };
        let failure = host.import_electron(ask, None).await.unwrap_err();
        assert_eq!(failure.code, ErrorCode::ImportSourceInvalid);
        let real = world.temp.path().to_string_lossy().into_owned();
        assert!(!failure.to_string().contains(&real), "{failure}");
    }
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_conversation_is_a_journal_of_lines_of_a_hundred() {
    let world = World::new();
    world.old.long_conversation(1_001);
    let host = world.host().await;
    let report = world.import(&host, false).await;
    assert_eq!(entry(&report, ImportKind::Conversation, "c-long").messages, Some(1_001));
    let lines = world.stored().lines(&id("c-long"), 0).await.unwrap();
    let sizes: Vec<usize> = lines.iter().map(|line| line.events.len()).collect();
    assert_eq!(sizes, [1, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 1]);
    let page = world.stored().messages(&id("c-long"), None, 2).await.unwrap();
    assert_eq!(page.messages.last().unwrap().id.as_str(), "l1000");
    assert!(page.earlier);
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_whose_file_names_no_id_is_found_again_by_its_folder() {
    let world = World::new();
    let file = world.old.project.join(".crewagent.json");
    std::fs::write(&file, r#"{"schemaVersion":"1"}"#).unwrap();
    let host = world.host().await;
    world.import(&host, false).await;
    let path = world.old.project.to_string_lossy().into_owned();
    let opened = host.submit(Command::OpenProject { path, create: false }).await.unwrap();
    assert_eq!(opened.project_id.unwrap().as_str(), "p-good");
    assert!(std::fs::read_to_string(&file).unwrap().contains("p-good"));
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_of_a_project_that_moved_go_on_when_its_folder_is_opened_again() {
    let world = World::new();
    let moved = world.temp.path().join("moved");
    std::fs::rename(&world.old.project, &moved).unwrap();
    let host = world.host().await;
    let report = world.import(&host, false).await;
    let project = entry(&report, ImportKind::Project, "p-good");
    assert_eq!(project.code, Some(ErrorCode::ProjectRootInvalid));
    let conversation_id = id("run-r-asked");
    let text = "Members see what is ripe.".to_owned();
    let say = SessionCommand::Say { text }.to(conversation_id.clone());
    assert_eq!(host.submit(say.clone()).await.unwrap_err().code, ErrorCode::ProjectRootInvalid);
    assert!(items(&host, "run-r-asked").await.len() > 2, "it is shown all the same");
    let path = moved.to_string_lossy().into_owned();
    let open = Command::OpenProject { path: path.clone(), create: false };
    assert_eq!(host.submit(open).await.unwrap_err().code, ErrorCode::ProjectCopied);
    let moved = Command::OpenCopiedProject { path, copied: Copied::Moved };
    host.submit(moved).await.unwrap();
    host.submit(say).await.unwrap();
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_imported_chat_is_listed_found_exported_and_deleted_as_any_other() {
    let world = World::new();
    let host = world.host().await;
    world.import(&host, false).await;
    let conversation_id = id("c-chat");
    let query = Query::Conversations { project_id: None, limit: Some(100), after: None };
    let Answer::Conversations(page) = host.query(query).await.unwrap() else { panic!() };
    let chat = page.conversations.iter().find(|c| c.conversation_id == conversation_id).unwrap();
    assert_eq!((chat.title.as_str(), chat.message_count), ("About beans", 14));
    assert!(chat.runs.is_empty());

    let path = world.temp.path().join("messages.json");
    let export = Command::ExportConversation {
        conversation_id: conversation_id.clone(),
        format: kernel::command::ExportFormat::Messages,
        path: path.to_string_lossy().into_owned(),
        language: kernel::settings::Language::En,
    };
    host.submit(export).await.unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    let exported: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    assert_eq!(exported.len(), 14);
    assert_eq!(
        (&exported[3]["partType"], &exported[2]["duration"]),
        (&json!("thinking"), &json!(12))
    );

    let folder = world.store().join("projects/p-good/runs/chat-c-chat");
    assert!(folder.is_dir());
    host.submit(Command::DeleteConversation { conversation_id: conversation_id.clone() })
        .await
        .unwrap();
    assert!(!folder.exists() && !world.stored().has_conversation(&conversation_id).await.unwrap());
    host.close().await;
}

/// The lines of the first importer, journal by journal.
fn lines_of_the_first_importer() -> Vec<Vec<Line>> {
    let text = include_str!("../fixtures/journals/first-importer.jsonl");
    let mut journals: Vec<Vec<Line>> = Vec::new();
    for body in text.lines() {
        let line = kernel::event::upcast(body).unwrap();
        match journals.last_mut().filter(|_| line.seq > 1) {
            Some(journal) => journal.push(line),
            None => journals.push(vec![line]),
        }
    }
    journals
}

/// What two imports of one store say differently: when it was, where a package of today lies, and
/// in which words of the program of that day they tell why a run is locked.
fn as_imported_with(line: &mut Line, other: &Line) {
    match (&mut line.events[0], &other.events[0]) {
        (Event::RunStarted(e), Event::RunStarted(other)) => {
            e.package_id.clone_from(&other.package_id);
            let (origin, other) = (e.origin.as_mut().unwrap(), other.origin.as_ref().unwrap());
            origin.conversation.imported_at = other.conversation.imported_at;
            if let (Some(today), Some(then)) = (&mut origin.locked, &other.locked) {
                today.message.clone_from(&then.message);
            }
        }
        (Event::ConversationStarted(e), Event::ConversationStarted(other)) => {
            let (origin, other) = (e.origin.as_mut().unwrap(), other.origin.as_ref().unwrap());
            origin.imported_at = other.imported_at;
        }
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn journals_of_the_first_importer_are_read_as_they_are_written_today() {
    let world = World::new();
    let host = world.host().await;
    world.import(&host, false).await;
    let older = lines_of_the_first_importer();
    assert_eq!(older.len(), 4);
    for older in older {
        let conversation = older[0].beginning().unwrap().conversation_id.clone();
        let mut today = world.stored().lines(&conversation, 0).await.unwrap();
        as_imported_with(&mut today[0], &older[0]);
        assert_eq!(older, today, "{conversation}");
    }
    host.close().await;
}
