//! Starting runs (spec 03 "Run creation"), in a conversation of their own or in one that is there.

use kernel::code::{ErrorCode, Failure};
use kernel::command::Receipt;
use kernel::engine::{Input, StartRun};
use kernel::ids::{AgentId, ConversationId, PackageId, ProjectId, RunId, WorkflowId};
use kernel::phrase::projects;
use kernel::state_doc::{Initial, StateDoc};
use std::path::PathBuf;

use super::Sessions;
use super::conversation_ref::{ConversationRef, RunRef};
use crate::blocking::on_disk;
use crate::crash::{Point, point};
use crate::projects::{DEFAULT_ARTIFACTS_DIR, Project};
use crate::runs;

/// What a person says when they start a run.
pub(crate) struct RunRequest {
    pub(crate) package_id: PackageId,
    pub(crate) workflow_id: Option<WorkflowId>,
    pub(crate) agent_id: Option<AgentId>,
    pub(crate) input: Option<String>,
    pub(crate) demo: bool,
}

impl Sessions {
    /// Starts a run in a project that is opened for it.
    pub(crate) async fn start_run(
        &self,
        project_id: ProjectId,
        ask: RunRequest,
    ) -> Result<Receipt, Failure> {
        let project = self.open_project(&project_id).await?;
        let package_id = ask.package_id.clone();
        let started = self.start_in(project, ask).await;
        if started.is_err() {
            // What is read of a package that is being removed may look damaged in any way. Its row
            // goes first.
            self.store.package(&package_id).await?;
        }
        started
    }

    /// Starts a run in a conversation of the same project, whose run before is over.
    pub(crate) async fn join_run(
        &self,
        conversation: &ConversationId,
        project_id: &ProjectId,
        ask: RunRequest,
    ) -> Result<Receipt, Failure> {
        let of = self.conversation_ref(conversation).await?;
        if of.project_id != *project_id {
            let failure = Failure::new(ErrorCode::BadRequest, projects::of_another_project());
            return Err(failure.with_action(projects::begin_elsewhere()));
        }
        let project = self.open_project(project_id).await?;
        let start = self.start_of(&project, ask).await?;
        if start.demo {
            return Err(Failure::new(ErrorCode::NotNow, projects::demo_on_its_own())
                .with_action(projects::begin_elsewhere()));
        }
        let package_before = of.run.as_ref().map(|run| run.package_id.clone());
        let run = Some(RunRef::of(&start));
        let of = ConversationRef { run, agent_package: None, package_before, ..of };
        let folder = self.make_folder(&start).await?;
        let receipt = receipt(&start, conversation);
        let turned = self.turn(&of, Input::Start(start), false).await;
        folder.kept_when(turned).await?;
        Ok(receipt)
    }

    /// The project, with its folder for artifacts.
    pub(super) async fn open_project(&self, project_id: &ProjectId) -> Result<Project, Failure> {
        let row = self.store.project(project_id).await?;
        let project = self.library.projects.open_known(&row).await?;
        let opened = project.clone();
        on_disk(move || opened.ensure_artifacts_dir()).await?;
        Ok(project)
    }

    /// The state folder, the run row, the conversation row and the first line appear together or
    /// not at all: the folder comes first and is swept when the transaction fails.
    async fn start_in(&self, project: Project, ask: RunRequest) -> Result<Receipt, Failure> {
        let start = self.start_of(&project, ask).await?;
        let of = ConversationRef::of_run(project.project_id, RunRef::of(&start));
        let folder = self.make_folder(&start).await?;
        point(Point::BeforeRunRows);
        let receipt = receipt(&start, &of.conversation_id);
        folder.kept_when(self.begin(of, start).await).await?;
        Ok(receipt)
    }

    /// What the run begins with.
    async fn start_of(&self, project: &Project, ask: RunRequest) -> Result<StartRun, Failure> {
        let package = self.library.packages.load(&ask.package_id).await?;
        let (workflow, agent) =
            runs::resolve(&package, ask.workflow_id.as_ref(), ask.agent_id.as_ref())?;
        let run_id =
            RunId::new(self.ids.uuid()).map_err(|e| Failure::new(ErrorCode::Internal, e.says()))?;
        let initial = Initial {
            run_id: &run_id,
            workflow_id: &workflow.id,
            agent_id: &agent.id,
            variables: None,
            artifacts: &[],
            now: self.clock.now(),
        };
        let state = StateDoc::initial(&workflow.state_template, &initial)?;
        let start = StartRun {
            run_id,
            project_id: project.project_id.clone(),
            package_id: ask.package_id,
            content_hash: Some(package.content_hash.clone()),
            workflow_id: workflow.id.clone(),
            title: Some(workflow.display_name.clone()),
            agent_id: agent.id.clone(),
            artifacts_ask: project.artifacts_dir != DEFAULT_ARTIFACTS_DIR,
            artifacts_dir: project.artifacts_dir.clone(),
            state: state.text().to_string(),
            input: ask.input,
            files: Vec::new(),
            demo: ask.demo || self.library.preferences.always_demo(),
        };
        if !start.demo {
            self.library.preferences.model().known_context().await;
        }
        Ok(start)
    }

    async fn make_folder(&self, start: &StartRun) -> Result<StateFolder, Failure> {
        let folder = StateFolder {
            store: self.store.root().to_owned(),
            project_id: start.project_id.clone(),
            run_id: start.run_id.clone(),
        };
        let making = folder.clone();
        on_disk(move || making.make()).await?;
        Ok(folder)
    }
}

impl RunRef {
    fn of(start: &StartRun) -> Self {
        Self {
            run_id: start.run_id.clone(),
            package_id: start.package_id.clone(),
            workflow_id: start.workflow_id.clone(),
        }
    }
}

fn receipt(start: &StartRun, conversation: &ConversationId) -> Receipt {
    Receipt {
        project_id: Some(start.project_id.clone()),
        package_id: Some(start.package_id.clone()),
        run_id: Some(start.run_id.clone()),
        conversation_id: Some(conversation.clone()),
        ..Receipt::default()
    }
}

/// Where a run's state lies in the store.
#[derive(Clone)]
struct StateFolder {
    store: PathBuf,
    project_id: ProjectId,
    run_id: RunId,
}

impl StateFolder {
    fn make(&self) -> Result<(), Failure> {
        runs::create_state_dir(&self.store, &self.project_id, &self.run_id).map(drop)
    }

    /// Discards it when the run did not come to be.
    async fn kept_when(self, begun: Result<(), Failure>) -> Result<(), Failure> {
        if begun.is_err() {
            let discard =
                move || runs::discard_state_dir(&self.store, &self.project_id, &self.run_id);
            // The first failure is the one to tell.
            _ = on_disk(discard).await;
        }
        begun
    }
}
