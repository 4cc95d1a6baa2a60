//! Projects whose folder was moved or copied: runs go where the person says, and nowhere else.

use host::host::{Host, HostOptions, ModelChoice};
use kernel::code::{ErrorCode, Failure};
use kernel::command::{Command, Copied, Query, SessionCommand};
use kernel::event::Phase;
use kernel::ids::{ConversationId, PackageId, ProjectId};
use kernel::settings::ModelSettings;
use kernel::wire::{Answer, Frame, ProjectView};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// No test waits longer for something that must come.
const PATIENCE: Duration = Duration::from_mins(1);

struct World {
    folder: tempfile::TempDir,
    host: Arc<Host>,
}

impl World {
    async fn new() -> Self {
        Self::with(ModelChoice::Configured).await
    }

    async fn with(model: ModelChoice) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options = HostOptions { model, ..HostOptions::new(folder.path().join("store"), "cli") };
        Self { host: Host::open(options).await.unwrap(), folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_string_lossy().into_owned()
    }

    async fn open(&self, name: &str) -> Result<ProjectId, Failure> {
        let open = Command::OpenProject { path: self.text(name), create: true };
        Ok(self.host.submit(open).await?.project_id.unwrap())
    }

    async fn open_as(&self, name: &str, copied: Copied) -> Result<ProjectId, Failure> {
        let open = Command::OpenCopiedProject { path: self.text(name), copied };
        Ok(self.host.submit(open).await?.project_id.unwrap())
    }

    async fn rebind(&self, project_id: &ProjectId, name: &str, adopt: bool) -> Result<(), Failure> {
        let path = self.text(name);
        let rebind = Command::RebindProject { project_id: project_id.clone(), path, adopt };
        self.host.submit(rebind).await.map(drop)
    }

    async fn hello_linear(&self) -> Result<PackageId, Failure> {
        let install = Command::InstallBundled { name: "hello-linear".into() };
        Ok(self.host.submit(install).await?.package_id.unwrap())
    }

    /// Starts `hello-linear` in a project of the list.
    async fn start(&self, project_id: ProjectId) -> Result<(), Failure> {
        let start = Command::StartRun {
            project_id,
            package_id: self.hello_linear().await?,
            workflow_id: None,
            agent_id: None,
            input: None,
            demo: true,
            conversation_id: None,
        };
        self.host.submit(start).await.map(drop)
    }

    /// The demo of `hello-linear` in a project of this name, at its first question.
    async fn a_run(&self, name: &str) -> (ProjectId, ConversationId) {
        let path = Some(self.text(name));
        let play = Command::PlayDemo { path, package: Some("hello-linear".into()) };
        let begun = self.host.submit(play).await.unwrap();
        let id = begun.conversation_id.unwrap();
        self.until(&id, Phase::WaitingUser).await;
        (begun.project_id.unwrap(), id)
    }

    async fn until(&self, id: &ConversationId, phase: Phase) {
        let mut frames = self.host.watch(id).await.unwrap();
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

    async fn view(&self, id: &ProjectId) -> ProjectView {
        let Answer::Projects(all) = self.host.query(Query::Projects).await.unwrap() else {
            panic!()
        };
        all.into_iter().find(|p| p.project_id == *id).unwrap()
    }

    fn id_in(&self, name: &str) -> Value {
        let text = std::fs::read_to_string(self.path(name).join(".crewagent.json")).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["projectId"].clone()
    }

    fn copy(&self, from: &str, to: &str) {
        copy(&self.path(from), &self.path(to));
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), &target).unwrap();
        }
    }
}

fn same(id: &ProjectId, location: &str, path: &Path) -> bool {
    !id.as_str().is_empty() && Path::new(location) == path.canonicalize().unwrap()
}

#[tokio::test]
async fn a_copy_does_not_take_the_runs_over_until_the_person_has_said_what_it_is() {
    let world = World::new().await;
    let (id, _) = world.a_run("garden").await;
    world.copy("garden", "garden copy");
    let refused = world.open("garden copy").await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::ProjectCopied);
    let details = refused.details.clone().unwrap();
    assert_eq!((&details["projectId"], &details["name"]), (&id.as_str().into(), &"garden".into()));
    assert!(!refused.to_string().contains(&*world.folder.path().to_string_lossy()), "{refused}");
    let view = world.view(&id).await;
    assert!(same(&id, &view.location, &world.path("garden")), "{view:?}");

    let copied = world.open_as("garden copy", Copied::Copy).await.unwrap();
    assert_ne!(copied, id);
    assert_eq!(world.id_in("garden copy"), copied.as_str());
    assert_eq!(world.id_in("garden"), id.as_str());
    assert_eq!(world.view(&copied).await.run_count, 0);
    assert_eq!(world.view(&id).await.run_count, 1);
    // From now on they are two projects, and nothing is asked any more.
    assert_eq!(world.open("garden copy").await.unwrap(), copied);
    assert_eq!(world.open("garden").await.unwrap(), id);
    world.host.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_a_project_and_its_copy_that_two_programs_open_at_once_one_is_asked_about() {
    let world = World::new().await;
    let other = Host::open(HostOptions::new(world.folder.path().join("store"), "cli"));
    let other = World { folder: tempfile::tempdir().unwrap(), host: other.await.unwrap() };
    for round in 0..20 {
        let names = ["one", "two"].map(|name| format!("{name}-{round}"));
        for folder in names.iter().map(|name| world.path(name)) {
            std::fs::create_dir(&folder).unwrap();
            let file = format!(r#"{{ "projectId": "garden-{round}" }}"#);
            std::fs::write(folder.join(".crewagent.json"), file).unwrap();
        }
        let of_other = Command::OpenProject { path: world.text(&names[1]), create: false };
        let (first, second) = tokio::join!(world.open(&names[0]), other.host.submit(of_other));
        let refused = [first.err(), second.err()].into_iter().flatten();
        let codes: Vec<ErrorCode> = refused.map(|failure| failure.code).collect();
        assert_eq!(codes, [ErrorCode::ProjectCopied], "round {round}");
    }
    other.host.close().await;
    world.host.close().await;
}

#[tokio::test]
async fn the_one_that_was_moved_takes_its_runs_along_and_they_work_there() {
    let world = World::new().await;
    let (id, conversation_id) = world.a_run("garden").await;
    world.copy("garden", "moved");
    assert_eq!(world.open_as("moved", Copied::Moved).await.unwrap(), id);
    let view = world.view(&id).await;
    assert!(same(&id, &view.location, &world.path("moved")), "{view:?}");
    // The run goes on in the new folder, though this program had it open in the old one.
    let say = SessionCommand::Say { text: "A garden.".into() }.to(conversation_id.clone());
    world.host.submit(say).await.unwrap();
    world.until(&conversation_id, Phase::Completed).await;
    assert!(world.path("moved/artifacts/brief.md").exists());
    assert!(!world.path("garden/artifacts/brief.md").exists());
    // The other one asks now.
    assert_eq!(world.open("garden").await.unwrap_err().code, ErrorCode::ProjectCopied);
    world.host.close().await;
}

#[tokio::test]
async fn another_program_that_has_the_run_open_goes_on_in_the_new_place_too() {
    let world = World::new().await;
    let (id, conversation_id) = world.a_run("garden").await;
    world.copy("garden", "moved");
    let options = HostOptions::new(world.folder.path().join("store"), "cli");
    let other = Host::open(options).await.unwrap();
    let path = world.text("moved");
    let moved = Command::OpenCopiedProject { path, copied: Copied::Moved };
    assert_eq!(other.submit(moved).await.unwrap().project_id, Some(id));
    other.close().await;
    let say = SessionCommand::Say { text: "A garden.".into() }.to(conversation_id.clone());
    world.host.submit(say).await.unwrap();
    world.until(&conversation_id, Phase::Completed).await;
    assert!(world.path("moved/artifacts/brief.md").exists());
    assert!(!world.path("garden/artifacts/brief.md").exists());
    world.host.close().await;
}

#[tokio::test]
async fn a_copy_asks_too_while_the_original_is_out_of_reach() {
    let world = World::new().await;
    let (id, _) = world.a_run("garden").await;
    world.copy("garden", "copy");
    // As when its disk is not connected.
    std::fs::rename(world.path("garden"), world.path("unmounted")).unwrap();
    let refused = world.open("copy").await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::ProjectCopied);
    assert_eq!(refused.details.clone().unwrap()["there"], false);
    assert!(refused.message.contains("not found there now"), "{refused}");
    let copied = world.open_as("copy", Copied::Copy).await.unwrap();
    assert_ne!(copied, id);
    std::fs::rename(world.path("unmounted"), world.path("garden")).unwrap();
    assert_eq!(world.open("garden").await.unwrap(), id);
    assert_eq!(world.view(&id).await.run_count, 1);
    // Another project where the old one was is not the old one.
    world.copy("garden", "second");
    world.copy("copy", "third");
    std::fs::rename(world.path("garden"), world.path("away")).unwrap();
    std::fs::rename(world.path("third"), world.path("garden")).unwrap();
    assert_eq!(world.open("second").await.unwrap_err().details.unwrap()["there"], false);
    world.host.close().await;
}

#[tokio::test]
async fn a_run_is_not_started_in_a_copy_of_a_third_project_which_keeps_its_folder() {
    let world = World::new().await;
    let garden = world.open("garden").await.unwrap();
    let (third, _) = world.a_run("third").await;
    std::fs::rename(world.path("garden"), world.path("away")).unwrap();
    world.copy("third", "garden");
    let refused = world.start(garden).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::ProjectMismatch);
    let view = world.view(&third).await;
    assert!(same(&third, &view.location, &world.path("third")), "{view:?}");
    world.host.close().await;
}

#[tokio::test]
async fn a_run_at_work_keeps_its_folder() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}/v1", silent.local_addr().unwrap());
    let settings = ModelSettings { base_url, model: "silent".into(), ..ModelSettings::default() };
    let world = World::with(ModelChoice::Endpoint(settings, None)).await;
    let id = world.open("garden").await.unwrap();
    let package_id = world.hello_linear().await.unwrap();
    let start = Command::StartRun {
        project_id: id.clone(),
        package_id,
        workflow_id: None,
        agent_id: None,
        input: None,
        demo: false,
        conversation_id: None,
    };
    let conversation_id = world.host.submit(start).await.unwrap().conversation_id.unwrap();
    let (_request, _) = silent.accept().await.unwrap();
    world.copy("garden", "copy");
    assert_eq!(world.open_as("copy", Copied::Moved).await.unwrap_err().code, ErrorCode::RunBusy);
    assert_eq!(world.rebind(&id, "copy", false).await.unwrap_err().code, ErrorCode::RunBusy);
    let view = world.view(&id).await;
    assert!(same(&id, &view.location, &world.path("garden")), "{view:?}");
    // A copy of its own disturbs nobody.
    assert_ne!(world.open_as("copy", Copied::Copy).await.unwrap(), id);
    // Moved away under it, the project is asked about, and its runs stay where they are at work.
    std::fs::rename(world.path("garden"), world.path("moved")).unwrap();
    assert_eq!(world.open("moved").await.unwrap_err().code, ErrorCode::ProjectCopied);
    assert_eq!(world.open_as("moved", Copied::Moved).await.unwrap_err().code, ErrorCode::RunBusy);
    let location = world.view(&id).await.location;
    assert!(Path::new(&location).ends_with("garden"), "{location}");
    world.host.submit(SessionCommand::Stop.to(conversation_id)).await.unwrap();
    world.host.close().await;
}

#[tokio::test]
async fn a_folder_under_another_name_or_in_another_place_is_still_one_folder() {
    let world = World::new().await;
    let id = world.open("garden").await.unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(world.path("garden"), world.path("link")).unwrap();
        assert_eq!(world.open("link").await.unwrap(), id);
    }
    // Moved as people move folders. The old one may be gone or out of reach: nobody can tell.
    std::fs::rename(world.path("garden"), world.path("elsewhere")).unwrap();
    assert!(!world.view(&id).await.exists);
    assert_eq!(world.open("elsewhere").await.unwrap_err().code, ErrorCode::ProjectCopied);
    assert_eq!(world.open_as("elsewhere", Copied::Moved).await.unwrap(), id);
    assert!(world.view(&id).await.exists);
    world.host.close().await;
}

#[tokio::test]
async fn no_project_is_made_in_the_programs_own_data() {
    let world = World::new().await;
    for name in ["store/new", "store/packages/new/deep"] {
        let refused = world.open(name).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::ProjectRootInvalid);
        assert!(!world.path(name).exists(), "a refusal makes nothing");
    }
    assert!(!world.path("store/packages/new").exists());
    world.host.close().await;
}

#[tokio::test]
async fn a_missing_project_is_found_again_only_in_its_own_folder() {
    let world = World::new().await;
    let (id, _) = world.a_run("garden").await;
    let other = world.open("other").await.unwrap();
    std::fs::create_dir(world.path("empty")).unwrap();
    std::fs::rename(world.path("garden"), world.path("elsewhere")).unwrap();

    let refused = world.rebind(&id, "other", false).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::ProjectMismatch);
    let details = refused.details.unwrap();
    assert_eq!(details["found"], "other");
    assert_eq!(
        (&details["foundId"], &details["foundName"]),
        (&other.as_str().into(), &"other".into())
    );
    // Saying yes to everything does not help here.
    assert_eq!(
        world.rebind(&id, "other", true).await.unwrap_err().code,
        ErrorCode::ProjectMismatch
    );
    let refused = world.rebind(&id, "empty", false).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::ProjectMismatch);
    assert_eq!(refused.details.unwrap()["found"], "none");
    assert!(!world.path("empty/.crewagent.json").exists(), "a refusal writes nothing");
    let missing = world.rebind(&id, "nowhere", true).await.unwrap_err();
    assert_eq!(missing.code, ErrorCode::ProjectRootInvalid);
    assert!(!world.view(&id).await.exists);

    world.rebind(&id, "elsewhere", false).await.unwrap();
    let view = world.view(&id).await;
    assert!(view.exists && view.run_count == 1, "{view:?}");
    world.host.close().await;
}

#[tokio::test]
async fn a_folder_of_no_project_becomes_the_missing_one_when_the_person_says_so() {
    let world = World::new().await;
    let (id, _) = world.a_run("garden").await;
    std::fs::remove_dir_all(world.path("garden")).unwrap();
    std::fs::create_dir(world.path("restored")).unwrap();
    world.rebind(&id, "restored", true).await.unwrap();
    assert_eq!(world.id_in("restored"), id.as_str());
    assert_eq!(world.view(&id).await.run_count, 1);
    world.host.close().await;
}

#[tokio::test]
async fn a_run_is_not_started_in_a_folder_that_became_another_project() {
    let world = World::new().await;
    let id = world.open("garden").await.unwrap();
    std::fs::rename(world.path("garden"), world.path("elsewhere")).unwrap();
    let another = world.open("garden").await.unwrap();
    assert_ne!(another, id);
    let refused = world.start(id).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::ProjectMismatch);
    assert_eq!(world.view(&another).await.run_count, 0);
    world.host.close().await;
}

#[tokio::test]
async fn a_run_goes_on_only_in_a_folder_that_still_has_its_projects_id() {
    let world = World::new().await;
    let (_, conversation_id) = world.a_run("garden").await;
    world.host.close().await;
    std::fs::rename(world.path("garden"), world.path("elsewhere")).unwrap();
    let options = HostOptions::new(world.path("store"), "cli");
    let world = World { host: Host::open(options).await.unwrap(), folder: world.folder };
    let third = world.open("third").await.unwrap();
    world.copy("third", "garden");
    let say = || SessionCommand::Say { text: "Write it.".into() }.to(conversation_id.clone());
    let refused = world.host.submit(say()).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::ProjectMismatch);
    assert_eq!(refused.details.unwrap()["foundId"], third.as_str());
    assert!(!world.path("garden/artifacts").exists());
    // It is still there to be read, and goes on in its own folder.
    world.until(&conversation_id, Phase::WaitingUser).await;
    std::fs::write(world.path("garden/.crewagent.json"), "{ oh").unwrap();
    let refused = world.host.submit(say()).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::ProjectFileInvalid);
    std::fs::remove_dir_all(world.path("garden")).unwrap();
    std::fs::rename(world.path("elsewhere"), world.path("garden")).unwrap();
    world.host.submit(say()).await.unwrap();
    world.host.close().await;
}

#[tokio::test]
async fn programs_that_open_a_copy_as_one_at_once_make_one_project_of_it() {
    for _ in 0..5 {
        let world = World::new().await;
        let (id, _) = world.a_run("garden").await;
        world.copy("garden", "copy");
        let options = || HostOptions::new(world.folder.path().join("store"), "cli");
        let others = [Host::open(options()).await.unwrap(), Host::open(options()).await.unwrap()];
        let open = |host: &Arc<Host>| {
            let (host, path) = (Arc::clone(host), world.text("copy"));
            let open = Command::OpenCopiedProject { path, copied: Copied::Copy };
            tokio::spawn(async move { host.submit(open).await.unwrap().project_id.unwrap() })
        };
        let opened = [&world.host, &others[0], &others[1], &world.host].map(open);
        for opened in opened {
            let copied = opened.await.unwrap();
            assert_eq!(world.id_in("copy"), copied.as_str());
            assert_ne!(copied, id);
        }
        let Answer::Projects(all) = world.host.query(Query::Projects).await.unwrap() else {
            panic!()
        };
        assert_eq!(all.len(), 2, "{all:?}");
        for host in others.iter().chain([&world.host]) {
            host.close().await;
        }
    }
}

#[tokio::test]
async fn a_file_without_an_id_gets_one_from_the_first_of_several_programs() {
    for _ in 0..5 {
        let world = World::new().await;
        std::fs::create_dir(world.path("garden")).unwrap();
        std::fs::write(world.path("garden/.crewagent.json"), r#"{"projectName":"Old"}"#).unwrap();
        let options = HostOptions::new(world.folder.path().join("store"), "cli");
        let other = Host::open(options).await.unwrap();
        let open = |host: &Arc<Host>| {
            let (host, path) = (Arc::clone(host), world.text("garden"));
            let open = Command::OpenProject { path, create: false };
            tokio::spawn(async move { host.submit(open).await.unwrap().project_id.unwrap() })
        };
        for opened in [&world.host, &other, &world.host, &other].map(open) {
            let id = opened.await.unwrap();
            assert_eq!(world.id_in("garden"), id.as_str());
        }
        other.close().await;
        world.host.close().await;
    }
}
