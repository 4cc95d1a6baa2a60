//! The bundled demo as a person plays it: both ways, with the change that asks, the step that is
//! left out and caught, and after going back.

use host::host::{Host, HostOptions, ModelChoice};
use kernel::code::ErrorCode;
use kernel::command::{Command, Query, SessionCommand};
use kernel::event::{Event, Line, Phase, Reason};
use kernel::ids::{ConversationId, NodeId};
use kernel::path::AliasPath;
use kernel::tool::rewind::RewindTarget;
use kernel::trace::Trace;
use kernel::widget::TOOL_APPROVAL;
use kernel::wire::{Answer, RuntimeSnapshot, WaitingWidget};
use rstest::rstest;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// No test waits longer for something that must come.
const PATIENCE: Duration = Duration::from_mins(1);

/// A demo that is being played.
struct Demo {
    host: Arc<Host>,
    id: ConversationId,
    project: PathBuf,
    _folder: tempfile::TempDir,
}

impl Demo {
    /// Begins one, in a project that holds these files.
    async fn begin(package: &str, files: &[(&str, Vec<u8>)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("project");
        std::fs::create_dir(&project).unwrap();
        for (path, bytes) in files {
            std::fs::write(project.join(path), bytes).unwrap();
        }
        let mut options = HostOptions::new(folder.path().join("store"), "cli");
        // Its own script, without the pauses that are made for a reader.
        let trace = host::packages::bundled::files(package).unwrap();
        let trace = String::from_utf8_lossy(&trace["assets/demo/demo.trace.json"]).into_owned();
        options.model = ModelChoice::Trace(Arc::new(Trace::parse(&trace).unwrap()));
        let host = Host::open(options).await.unwrap();
        let path = Some(project.to_str().unwrap().to_owned());
        let play = Command::PlayDemo { path, package: Some(package.into()) };
        let id = host.submit(play).await.unwrap().conversation_id.unwrap();
        let demo = Self { host, id, project, _folder: folder };
        demo.until_rest(0).await;
        demo
    }

    /// Begins one in the project that it brings along.
    async fn with_sample(package: &str) -> Self {
        let files = host::packages::bundled::sample_files(package).unwrap();
        let files: Vec<_> = files.iter().map(|(path, it)| (path.as_str(), it.clone())).collect();
        Self::begin(package, &files).await
    }

    async fn snapshot(&self) -> RuntimeSnapshot {
        let query = Query::Snapshot { conversation_id: self.id.clone() };
        let Answer::Snapshot(snapshot) = self.host.query(query).await.unwrap() else { panic!() };
        *snapshot
    }

    /// Waits until a turn that ended after `seq` has ended.
    async fn until_rest(&self, seq: u64) -> Vec<Arc<Line>> {
        let mut following = self.host.follow(&self.id, seq).await.unwrap();
        let ended = async {
            let mut lines = Vec::new();
            while let Some(line) = following.recv().await {
                lines.push(line.unwrap());
                let events = &lines.last().unwrap().events;
                if events.iter().any(|event| matches!(event, Event::TurnFinished(_))) {
                    return lines;
                }
            }
            panic!("the journal ended");
        };
        tokio::time::timeout(PATIENCE, ended).await.expect("the turn never ended")
    }

    async fn tell(&self, command: SessionCommand) -> Vec<Arc<Line>> {
        let seq = self.snapshot().await.seq + 1;
        self.host.submit(command.to(self.id.clone())).await.unwrap();
        self.until_rest(seq).await
    }

    async fn say(&self, text: &str) -> Vec<Arc<Line>> {
        self.tell(SessionCommand::Say { text: text.into() }).await
    }

    async fn waiting(&self) -> WaitingWidget {
        self.snapshot().await.widget.expect("a question waits")
    }

    async fn answer(&self, value: Value) -> Vec<Arc<Line>> {
        let message_id = self.waiting().await.message_id;
        self.tell(SessionCommand::Answer { message_id, value, shown_ms: None }).await
    }

    /// From the first question to the change that asks.
    async fn up_to_the_change(&self, kind: &str) -> Vec<Arc<Line>> {
        self.say("Ripe vegetables are thrown away.").await;
        let caught = self.answer(json!([kind])).await;
        assert_eq!(self.waiting().await.widget.widget_id, "write-roadmap");
        self.answer(json!({ "confirmed": true })).await;
        caught
    }

    fn file(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.project.join(path)).ok()
    }

    async fn is_complete(&self) {
        let now = self.snapshot().await;
        assert_eq!(
            (now.run.phase, now.state.current_node_id.as_str()),
            (Phase::Completed, "end-99")
        );
        assert_eq!(now.obligations, []);
    }
}

/// The codes of the calls that failed.
fn failures(lines: &[Arc<Line>]) -> Vec<String> {
    let events = lines.iter().flat_map(|line| &line.events);
    let ended = events.filter_map(|event| match event {
        Event::CallEnded(ended) if !ended.ok => Some(&ended.result["error"]["code"]),
        _ => None,
    });
    ended.map(|code| code.as_str().unwrap().to_owned()).collect()
}

#[rstest]
#[case::new_in_english("plan-a-project", "greenfield", "vision.md")]
#[case::existing_in_english("plan-a-project", "brownfield", "current-state.md")]
#[case::new_in_chinese("plan-a-project-zh", "greenfield", "vision.md")]
#[case::existing_in_chinese("plan-a-project-zh", "brownfield", "current-state.md")]
#[tokio::test(flavor = "multi_thread")]
async fn the_demo_goes_either_way_and_its_skipped_step_is_caught(
    #[case] package: &str,
    #[case] kind: &str,
    #[case] first: &str,
) {
    let demo = Demo::with_sample(package).await;
    let before = demo.file("README.md").unwrap();
    let caught = demo.up_to_the_change(kind).await;
    assert_eq!(failures(&caught), ["E_INVALID_TRANSITION"]);
    // The file outside the plan's folder is shown, and nothing happened to it yet.
    let waiting = demo.waiting().await;
    assert_eq!(waiting.widget.widget_id, TOOL_APPROVAL);
    assert!(waiting.change.is_some());
    assert_eq!(demo.file("README.md").unwrap(), before);
    let rest = demo.answer(json!({ "confirmed": true })).await;
    assert_eq!(failures(&rest), Vec::<String>::new());
    demo.is_complete().await;
    let plan = format!("artifacts/plan/{first}");
    assert!(demo.file("README.md").unwrap().contains(&format!("({plan})")));
    assert!(demo.file(&plan).is_some() && demo.file("artifacts/plan/roadmap.md").is_some());
    assert_eq!(demo.snapshot().await.state.artifacts, [plan, "artifacts/plan/roadmap.md".into()]);
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn whoever_refuses_the_change_keeps_the_file_and_the_demo_ends_well(
    #[values("plan-a-project", "plan-a-project-zh")] package: &str,
) {
    let demo = Demo::with_sample(package).await;
    let before = demo.file("README.md").unwrap();
    demo.up_to_the_change("greenfield").await;
    demo.answer(json!({ "confirmed": false })).await;
    demo.is_complete().await;
    assert_eq!(demo.file("README.md").unwrap(), before);
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn in_an_empty_folder_it_asks_about_no_file(
    #[values("plan-a-project", "plan-a-project-zh")] package: &str,
    #[values("greenfield", "brownfield")] kind: &str,
) {
    let demo = Demo::begin(package, &[]).await;
    demo.up_to_the_change(kind).await;
    demo.is_complete().await;
    assert_eq!(demo.file("README.md"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_says_no_to_the_roadmap_or_something_else_is_asked_again() {
    let demo = Demo::with_sample("plan-a-project").await;
    demo.say("Ripe vegetables are thrown away.").await;
    demo.say("And the beans, too.").await;
    assert_eq!(demo.waiting().await.widget.widget_id, "project-type");
    demo.answer(json!(["greenfield"])).await;
    demo.answer(json!({ "confirmed": false })).await;
    assert_eq!(demo.file("artifacts/plan/roadmap.md"), None);
    assert_eq!(demo.waiting().await.widget.widget_id, "write-roadmap");
}

#[tokio::test(flavor = "multi_thread")]
async fn after_going_back_the_demo_takes_the_other_way() {
    let demo = Demo::with_sample("plan-a-project").await;
    demo.up_to_the_change("greenfield").await;
    demo.answer(json!({ "confirmed": true })).await;
    demo.is_complete().await;
    let node_id = NodeId::new("step-01-ask").unwrap();
    let target = RewindTarget::of(node_id);
    let query = Query::RewindPreview { conversation_id: demo.id.clone(), target: target.clone() };
    let Answer::RewindPreview(preview) = demo.host.query(query).await.unwrap() else { panic!() };
    demo.tell(SessionCommand::Rewind { target, reason: None, seen: preview.seen }).await;
    assert_eq!(demo.file("artifacts/plan/vision.md"), None);
    demo.tell(SessionCommand::Resume).await;
    demo.up_to_the_change("brownfield").await;
    demo.answer(json!({ "confirmed": true })).await;
    demo.is_complete().await;
    assert!(demo.file("artifacts/plan/current-state.md").is_some());
    assert_eq!(demo.file("artifacts/plan/vision.md"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn words_after_its_end_are_answered_by_the_runtime() {
    let demo = Demo::begin("plan-a-project", &[]).await;
    demo.up_to_the_change("greenfield").await;
    let lines = demo.say("Please change a milestone.").await;
    let over = lines.iter().flat_map(|line| &line.events).any(|event| {
        matches!(event, Event::TurnFinished(it)
            if it.failure.as_ref().is_some_and(|f| f.code == ErrorCode::DemoOver))
    });
    assert!(over, "{lines:?}");
}

/// Every write asks.
async fn asking_for_all(demo: &Demo) {
    let patch = json!({ "approval": { "writes": "ask" } });
    demo.host.submit(Command::Configure { patch }).await.unwrap();
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn whoever_refuses_a_file_of_the_plan_is_told_that_it_is_not_written_and_can_go_on(
    #[values("greenfield", "brownfield")] kind: &str,
) {
    let demo = Demo::with_sample("plan-a-project").await;
    asking_for_all(&demo).await;
    demo.say("Ripe vegetables are thrown away.").await;
    demo.answer(json!([kind])).await;
    for file in ["first page", "roadmap.md"] {
        // The roadmap is agreed on before its file is asked about.
        if demo.waiting().await.widget.widget_id == "write-roadmap" {
            demo.answer(json!({ "confirmed": true })).await;
        }
        assert_eq!(demo.waiting().await.widget.widget_id, TOOL_APPROVAL, "{file}");
        demo.answer(json!({ "confirmed": false })).await;
        let now = demo.snapshot().await;
        assert_eq!(
            now.run.reason,
            Some(if file == "roadmap.md" { Reason::Widget } else { Reason::Answered }),
            "{file}"
        );
        if file == "roadmap.md" {
            assert_eq!(now.widget.unwrap().widget.widget_id, "write-roadmap");
            demo.answer(json!({ "confirmed": true })).await;
        } else {
            demo.say("Yes, please.").await;
        }
        demo.answer(json!({ "confirmed": true })).await;
    }
    demo.answer(json!({ "confirmed": true })).await;
    demo.is_complete().await;
}

#[rstest]
#[case::another_readme("README.md", "# Bees\n\nEverything about bees.\n")]
#[case::no_readme("notes.txt", "Bees.\n")]
#[case::a_name_like_it("OLD-README.md", "Not written yet.\n")]
#[tokio::test(flavor = "multi_thread")]
async fn in_a_folder_of_the_persons_own_it_claims_nothing_and_changes_nothing_there(
    #[case] name: &str,
    #[case] text: &str,
    #[values("greenfield", "brownfield")] kind: &str,
) {
    let demo = Demo::begin("plan-a-project", &[(name, text.into())]).await;
    demo.up_to_the_change(kind).await;
    demo.is_complete().await;
    assert_eq!(demo.file(name).unwrap(), text);
    if let Some(state) = demo.file("artifacts/plan/current-state.md") {
        assert!(!state.contains("README.md") && !state.contains("twenty-two"), "{state}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn stopped_at_its_last_step_it_ends_when_somebody_says_so() {
    let demo = Demo::begin("plan-a-project", &[]).await;
    demo.up_to_the_change("greenfield").await;
    let node_id = NodeId::new("end-99").unwrap();
    let target = RewindTarget { keep_files: true, ..RewindTarget::of(node_id) };
    let query = Query::RewindPreview { conversation_id: demo.id.clone(), target: target.clone() };
    let Answer::RewindPreview(preview) = demo.host.query(query).await.unwrap() else { panic!() };
    let back = SessionCommand::Rewind { target, reason: None, seen: preview.seen };
    demo.tell(back).await;
    assert_ne!(demo.snapshot().await.run.phase, Phase::Completed);
    demo.say("Go on, please.").await;
    demo.is_complete().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_of_its_files_are_put_back_at_once() {
    let demo = Demo::begin("plan-a-project", &[]).await;
    demo.up_to_the_change("greenfield").await;
    let put_back = async |name: &str| {
        let path = AliasPath::parse(&format!("@project/artifacts/plan/{name}")).unwrap();
        let bytes = demo.file(&format!("artifacts/plan/{name}")).unwrap();
        let sha256 = Some(kernel::text::sha256_hex(bytes.as_bytes()));
        demo.host.submit(SessionCommand::PutBack { path, sha256 }.to(demo.id.clone())).await
    };
    let (one, other) = tokio::join!(put_back("vision.md"), put_back("roadmap.md"));
    assert_eq!((one.map(drop), other.map(drop)), (Ok(()), Ok(())));
    assert_eq!(demo.file("artifacts/plan/vision.md"), None);
    assert_eq!(demo.file("artifacts/plan/roadmap.md"), None);
}
