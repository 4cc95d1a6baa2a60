//! Deleting and exporting in the program that also runs the conversation.

use host::host::{Host, HostOptions, ModelChoice};
use kernel::code::ErrorCode;
use kernel::command::{Command, ExportFormat, Query, SessionCommand};
use kernel::event::Phase;
use kernel::ids::{ConversationId, ProjectId};
use kernel::settings::{Language, ModelSettings};
use kernel::wire::{Answer, Frame};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;

/// No test waits longer for something that must come.
const PATIENCE: Duration = Duration::from_mins(1);

async fn host(folder: &Path, model: ModelChoice) -> Arc<Host> {
    let options = HostOptions { model, ..HostOptions::new(folder.join("store"), "cli") };
    Host::open(options).await.unwrap()
}

/// A demo's run, asked by the host's model.
async fn start(host: &Host, folder: &Path) -> (ProjectId, ConversationId) {
    let install = Command::InstallBundled { name: "hello-branch".into() };
    let package_id = host.submit(install).await.unwrap().package_id.unwrap();
    let path = folder.join("project").to_string_lossy().into_owned();
    let opened = host.submit(Command::OpenProject { path, create: true }).await.unwrap();
    let project_id = opened.project_id.unwrap();
    let start = Command::StartRun {
        project_id: project_id.clone(),
        package_id,
        workflow_id: None,
        agent_id: None,
        input: None,
        demo: false,
        conversation_id: None,
    };
    (project_id, host.submit(start).await.unwrap().conversation_id.unwrap())
}

async fn until(frames: &mut UnboundedReceiver<Frame>, phase: Phase) {
    let waiting = async {
        while let Some(frame) = frames.recv().await {
            let (Frame::Snapshot { status, .. } | Frame::Status { status }) = frame else {
                continue;
            };
            if status.run.is_some_and(|run| run.phase == phase) {
                return;
            }
        }
        panic!("the frames ended");
    };
    tokio::time::timeout(PATIENCE, waiting).await.expect("the phase never came");
}

#[tokio::test]
async fn a_conversation_at_rest_in_this_program_is_deleted_under_its_watchers() {
    let folder = tempfile::tempdir().unwrap();
    let host = host(folder.path(), ModelChoice::Demo).await;
    let (_, conversation_id) = start(&host, folder.path()).await;
    let mut frames = host.watch(&conversation_id).await.unwrap();
    until(&mut frames, Phase::WaitingUser).await;

    let delete = Command::DeleteConversation { conversation_id: conversation_id.clone() };
    host.submit(delete.clone()).await.unwrap();
    let ended = async { while frames.recv().await.is_some() {} };
    tokio::time::timeout(PATIENCE, ended).await.expect("the watch goes on");
    assert_eq!(host.submit(delete).await.unwrap_err().code, ErrorCode::ConversationNotFound);
    let say = SessionCommand::Say { text: "Hello?".into() }.to(conversation_id.clone());
    assert_eq!(host.submit(say).await.unwrap_err().code, ErrorCode::ConversationNotFound);
    let snapshot = host.query(Query::Snapshot { conversation_id }).await.unwrap_err();
    assert_eq!(snapshot.code, ErrorCode::ConversationNotFound);
    host.close().await;
}

/// Two programs on one store; the removal comes sooner or later in the course of the start.
#[tokio::test(flavor = "multi_thread")]
async fn a_package_is_removed_or_a_run_of_it_begins_and_never_both() {
    let (mut begun, mut wait) = (0, Duration::ZERO);
    // Sooner or later the removal comes too late.
    while begun < 3 {
        let folder = tempfile::tempdir().unwrap();
        let one = host(folder.path(), ModelChoice::Demo).await;
        let two = host(folder.path(), ModelChoice::Demo).await;
        let install = Command::InstallBundled { name: "hello-branch".into() };
        let package_id = one.submit(install).await.unwrap().package_id.unwrap();
        let path = folder.path().join("project").to_string_lossy().into_owned();
        let opened = one.submit(Command::OpenProject { path, create: true }).await.unwrap();
        let project_id = opened.project_id.unwrap();
        let start = Command::StartRun {
            project_id: project_id.clone(),
            package_id: package_id.clone(),
            workflow_id: None,
            agent_id: None,
            input: None,
            demo: true,
            conversation_id: None,
        };
        let remove = Command::RemovePackage { package_id: package_id.clone() };
        let (starting, removing) = (Arc::clone(&one), Arc::clone(&two));
        let starting = tokio::spawn(async move { starting.submit(start).await });
        let removing = tokio::spawn(async move {
            tokio::time::sleep(wait).await;
            removing.submit(remove).await
        });
        let (started, removed) = (starting.await.unwrap(), removing.await.unwrap());
        let store = folder.path().join("store");
        let is_there = store.join("packages").join(package_id.as_str()).is_dir();
        let Answer::Packages(listed) = one.query(Query::Packages).await.unwrap() else {
            panic!("the list of packages");
        };
        match started {
            Ok(_) => {
                begun += 1;
                assert_eq!(removed.unwrap_err().code, ErrorCode::PackageInUse);
                assert!(is_there && listed.len() == 1);
            }
            Err(refused) => {
                assert_eq!(refused.code, ErrorCode::PackageNotFound, "{refused}");
                removed.unwrap();
                assert!(!is_there && listed.is_empty());
                let runs = store.join("projects").join(project_id.as_str()).join("runs");
                let left = std::fs::read_dir(runs).map_or(0, Iterator::count);
                assert_eq!(left, 0, "the folder of a run that never began");
            }
        }
        one.close().await;
        two.close().await;
        wait += Duration::from_millis(2);
    }
}

#[tokio::test]
async fn a_conversation_at_work_is_not_deleted_until_it_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    // A model that takes the request and never answers.
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}/v1", silent.local_addr().unwrap());
    let settings = ModelSettings { base_url, model: "silent".into(), ..ModelSettings::default() };
    let host = host(folder.path(), ModelChoice::Endpoint(settings, None)).await;
    let (project_id, conversation_id) = start(&host, folder.path()).await;
    let mut frames = host.watch(&conversation_id).await.unwrap();
    let (_request, _) = silent.accept().await.unwrap();

    let delete = Command::DeleteConversation { conversation_id: conversation_id.clone() };
    for command in [delete.clone(), Command::DeleteProjectData { project_id: project_id.clone() }] {
        assert_eq!(host.submit(command).await.unwrap_err().code, ErrorCode::RunBusy);
    }
    host.submit(SessionCommand::Stop.to(conversation_id)).await.unwrap();
    until(&mut frames, Phase::WaitingUser).await;
    host.submit(Command::DeleteProjectData { project_id: project_id.clone() }).await.unwrap();
    let left = Query::Conversations { project_id: Some(project_id), limit: None, after: None };
    let Answer::Conversations(left) = host.query(left).await.unwrap() else { panic!() };
    assert!(left.conversations.is_empty());
    let Answer::Projects(projects) = host.query(Query::Projects).await.unwrap() else { panic!() };
    assert_eq!(projects.len(), 1, "the project stays in the list");
    host.close().await;
}

#[tokio::test]
async fn an_export_replaces_its_file_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let host = host(folder.path(), ModelChoice::Demo).await;
    let (_, conversation_id) = start(&host, folder.path()).await;
    let mut frames = host.watch(&conversation_id).await.unwrap();
    until(&mut frames, Phase::WaitingUser).await;
    let file = folder.path().join("talk.json");
    std::fs::write(&file, "before").unwrap();
    let export = |conversation_id, path: &Path| Command::ExportConversation {
        conversation_id,
        format: ExportFormat::Messages,
        path: path.to_string_lossy().into_owned(),
        language: Language::En,
    };
    let nobody = export("none".parse().unwrap(), &file);
    assert_eq!(host.submit(nobody).await.unwrap_err().code, ErrorCode::ConversationNotFound);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "before");

    host.submit(export(conversation_id.clone(), &file)).await.unwrap();
    let written = std::fs::read_to_string(&file).unwrap();
    assert!(!written.contains(&*folder.path().to_string_lossy()));
    let messages: Vec<serde_json::Value> = serde_json::from_str(&written).unwrap();
    assert!(messages.len() > 2);
    let missing = folder.path().join("missing/talk.json");
    let failure = host.submit(export(conversation_id, &missing)).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::StoreWriteFailed);
    assert!(!failure.message.contains(&*folder.path().to_string_lossy()), "{failure}");
    let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().flatten().collect();
    assert_eq!(names.len(), 3, "no temporary file is left: {names:?}");
    host.close().await;
}

#[tokio::test]
async fn a_person_who_writes_is_offered_files_of_their_project_whether_or_not_its_run_works() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("project");
    let first = host(folder.path(), ModelChoice::Demo).await;
    let (_, conversation_id) = start(&first, folder.path()).await;
    std::fs::create_dir(project.join("docs")).unwrap();
    std::fs::write(project.join("docs/Rain notes.md"), "It rains.\n").unwrap();
    std::fs::write(project.join(".env"), "RAIN=1\n").unwrap();
    let files = async |host: &Host, matching: &str| {
        let (conversation_id, matching) = (conversation_id.clone(), matching.to_owned());
        host.query(Query::Files { conversation_id, matching }).await
    };
    let found = vec!["@project/docs/Rain notes.md".parse().unwrap()];
    assert_eq!(files(&first, "rain").await.unwrap(), Answer::Files(found.clone()));
    first.close().await;
    let again = host(folder.path(), ModelChoice::Demo).await;
    assert_eq!(files(&again, "rain").await.unwrap(), Answer::Files(found));
    assert_eq!(files(&again, "env").await.unwrap(), Answer::Files(Vec::new()));
    std::fs::remove_dir_all(&project).unwrap();
    assert_eq!(files(&again, "rain").await.unwrap_err().code, ErrorCode::ProjectRootInvalid);
    let conversation_id = ConversationId::new("run-none").unwrap();
    let none = Query::Files { conversation_id, matching: String::new() };
    assert!(again.query(none).await.is_err());
    again.close().await;
}
