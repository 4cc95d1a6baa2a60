//! Starting runs (spec 03 "Run creation").

use kernel::code::{ErrorCode, Failure};
use kernel::command::Receipt;
use kernel::engine::StartRun;
use kernel::ids::{AgentId, ConversationId, PackageId, ProjectId, RunId, WorkflowId};
use kernel::state_doc::{Initial, StateDoc};
use std::path::PathBuf;

use super::Sessions;
use super::runner_factory::RunRef;
use crate::blocking::on_disk;
use crate::crash::{Point, point};
use crate::projects::{DEFAULT_ARTIFACTS_DIR, Project};
use crate::runs;

/// What a person says when they start a run.
pub(crate) struct StartRunRequest {
    pub(crate) project_id: ProjectId,
    pub(crate) package_id: PackageId,
    pub(crate) workflow_id: Option<WorkflowId>,
    pub(crate) agent_id: Option<AgentId>,
    pub(crate) input: Option<String>,
    pub(crate) demo: bool,
}

impl Sessions {
    /// Starts a run in a project that is opened for it.
    pub(crate) async fn start_run(&self, ask: StartRunRequest) -> Result<Receipt, Failure> {
        let row = self.store.project(&ask.project_id).await?;
        let project = self.library.projects.open_known(&row).await?;
        let opened = project.clone();
        on_disk(move || opened.ensure_artifacts_dir()).await?;
        let package_id = ask.package_id.clone();
        let started = self.start_in(project, ask).await;
        if started.is_err() {
            // What is read of a package that is being removed may look damaged in any way. Its row
            // goes first.
            self.store.package(&package_id).await?;
        }
        started
    }

    /// The state folder, the run row, the conversation row and the first line appear together or
    /// not at all: the folder comes first and is swept when the transaction fails.
    async fn start_in(&self, project: Project, ask: StartRunRequest) -> Result<Receipt, Failure> {
        let package = self.library.packages.load(&ask.package_id).await?;
        let (workflow, agent) =
            runs::resolve(&package, ask.workflow_id.as_ref(), ask.agent_id.as_ref())?;
        let run_id =
            RunId::new(self.ids.uuid()).map_err(|e| Failure::new(ErrorCode::Internal, e.says()))?;
        let initial = Initial {
            run_id: &run_id,
            workflow_id: &workflow.id,
            agent_id: &agent.id,
            now: self.clock.now(),
        };
        let state = StateDoc::initial(&workflow.state_template, &initial)?;
        let run = RunRef {
            conversation_id: ConversationId::of_run(&run_id),
            run_id: run_id.clone(),
            project_id: project.project_id.clone(),
            package_id: ask.package_id.clone(),
            workflow_id: workflow.id.clone(),
        };
        let start = StartRun {
            run_id,
            project_id: run.project_id.clone(),
            package_id: run.package_id.clone(),
            content_hash: Some(package.content_hash.clone()),
            workflow_id: run.workflow_id.clone(),
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
        let folder = StateFolder { store: self.store.root().to_owned(), run: run.clone() };
        let making = folder.clone();
        on_disk(move || making.make()).await?;
        point(Point::BeforeRunRows);
        if let Err(failure) = self.begin(run.clone(), start).await {
            // The first failure is the one to tell.
            _ = on_disk(move || folder.discard()).await;
            return Err(failure);
        }
        Ok(Receipt {
            project_id: Some(run.project_id),
            package_id: Some(run.package_id),
            run_id: Some(run.run_id),
            conversation_id: Some(run.conversation_id),
            ..Receipt::default()
        })
    }
}

/// Where a run's state lies in the store.
#[derive(Clone)]
struct StateFolder {
    store: PathBuf,
    run: RunRef,
}

impl StateFolder {
    fn make(&self) -> Result<(), Failure> {
        runs::create_state_dir(&self.store, &self.run.project_id, &self.run.run_id).map(drop)
    }

    fn discard(&self) -> Result<(), Failure> {
        runs::discard_state_dir(&self.store, &self.run.project_id, &self.run.run_id)
    }
}
