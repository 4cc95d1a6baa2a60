//! What a task is made of: its tools with the folders of the run, its model, its package.

use kernel::code::{ErrorCode, Failure};
use kernel::engine::{Env, Limits};
use kernel::hook::HookRule;
use kernel::ids::{ConversationId, PackageId, ProjectId, RunId, WorkflowId};
use kernel::mark::Folder;
use kernel::package::Package;
use kernel::phrase::projects;
use kernel::project_hooks::Hook;
use kernel::prompt::PromptComposer;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::UnboundedSender;

use super::delegating::Delegation;
use super::runner::RunnerDeps;
use super::tasks::EffectRunner;
use super::watchers::Watchers;
use crate::blocking::on_disk;
use crate::clock::Clock;
use crate::hooks::{self, HookRunner};
use crate::library::Library;
use crate::library::projects::{check_is_still, hooks_of};
use crate::llm::DemoModel;
use crate::models::ModelSource;
use crate::real_path::RealPath;
use crate::redact::folders::{ProjectPlaces, private_folders};
use crate::redact::{Marks, Private};
use crate::runs;
use crate::store::{Holder, ProjectRow, RuntimeStore};
use crate::tools::{MountRoots, ToolHost};

/// Which run a conversation is: what its journal pins.
#[derive(Debug, Clone)]
#[expect(clippy::struct_field_names, reason = "five ids of five types, named as everywhere")]
pub(super) struct RunRef {
    pub(super) run_id: RunId,
    pub(super) conversation_id: ConversationId,
    pub(super) project_id: ProjectId,
    pub(super) package_id: PackageId,
    pub(super) workflow_id: WorkflowId,
}

/// Makes what a runner needs.
pub(super) struct RunnerFactory {
    store: RuntimeStore,
    library: Arc<Library>,
    composer: Arc<PromptComposer>,
    clock: Arc<dyn Clock>,
    watchers: Arc<Watchers>,
    surface: &'static str,
    /// How many hooks may be at work at once.
    hooks: Arc<Semaphore>,
    /// Who lets sub-agents work.
    delegations: UnboundedSender<Delegation>,
    /// The project folder each conversation was opened in.
    places: Mutex<BTreeMap<ConversationId, String>>,
}

impl RunnerFactory {
    pub(super) fn new(
        store: RuntimeStore,
        library: Arc<Library>,
        clock: Arc<dyn Clock>,
        watchers: Arc<Watchers>,
        surface: &'static str,
        delegations: UnboundedSender<Delegation>,
    ) -> Result<Self, Failure> {
        let composer = Arc::new(PromptComposer::new()?);
        let places = Mutex::default();
        let hooks = hooks::slots();
        Ok(Self { store, library, composer, clock, watchers, surface, hooks, delegations, places })
    }

    /// Who takes a lease.
    pub(super) fn holder(&self) -> Holder {
        Holder::this_process(self.surface)
    }

    /// The project folder a conversation was opened in last, by this program.
    pub(super) fn opened_in(&self, conversation: &ConversationId) -> Option<String> {
        let places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        places.get(conversation).cloned()
    }

    fn remember_place(&self, conversation: &ConversationId, location: &str) {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        places.insert(conversation.clone(), location.to_owned());
    }

    /// The run of a conversation. `NOT_NOW` for one without: it can only be read.
    pub(super) async fn run_of(&self, conversation: &ConversationId) -> Result<RunRef, Failure> {
        let parent = self.store.parent_of(conversation).await?;
        let of = parent.as_ref().unwrap_or(conversation);
        let run = self.store.run_of_conversation(of).await?.ok_or_else(|| {
            Failure::new(ErrorCode::NotNow, projects::no_run_to_go_on(conversation))
                .with_action(projects::only_readable())
        })?;
        Ok(RunRef {
            run_id: run.run_id,
            conversation_id: conversation.clone(),
            project_id: run.project_id,
            package_id: run.package_id,
            workflow_id: run.workflow_id,
        })
    }

    /// What a conversation is shown with when nothing acts on it: also one without a run, and one
    /// whose package is gone.
    pub(super) async fn read_env(&self, conversation: &ConversationId) -> Result<Env, Failure> {
        let run = self.store.run_of_conversation(conversation).await?;
        let package = match &run {
            Some(run) => self.known_package(&run.package_id).await?,
            None => Arc::new(Package::lost(no_package()?)),
        };
        let demo = self.store.plays_demo(conversation).await?;
        let hooks = match &run {
            Some(run) => self.rules_of(&run.project_id).await,
            None => Arc::default(),
        };
        let limits = Limits { hooks, ..self.library.preferences.limits(demo) };
        Ok(Env { package, composer: Arc::clone(&self.composer), limits })
    }

    /// The hooks of a project, for looking at one of its runs: none when the folder is gone.
    async fn rules_of(&self, project: &ProjectId) -> Arc<[HookRule]> {
        let Ok(project) = self.store.project(project).await else { return Arc::default() };
        let trusted = self.trusted(&project).await.unwrap_or_default();
        trusted.into_iter().map(|hook| hook.rule).collect()
    }

    /// The package, or what stands for one that is gone.
    pub(super) async fn known_package(&self, id: &PackageId) -> Result<Arc<Package>, Failure> {
        match self.library.packages.load(id).await {
            Err(failure) if shows_anyway(failure.code) => Ok(Arc::new(Package::lost(id.clone()))),
            other => other,
        }
    }

    /// Everything a task needs from the host. `demo`: as the run began.
    pub(super) async fn deps(&self, row: &RunRef, demo: bool) -> Result<RunnerDeps, Failure> {
        let project = self.store.project(&row.project_id).await?;
        self.deps_in(&project, row, demo).await
    }

    /// The same when the project is known. Reads nothing from the database.
    pub(super) async fn deps_in(
        &self,
        project: &ProjectRow,
        row: &RunRef,
        demo: bool,
    ) -> Result<RunnerDeps, Failure> {
        let tools = self.tools(project, row).await?;
        self.remember_place(&row.conversation_id, &project.location);
        let marks = Arc::new(self.private(&project.places(), row).marks);
        let model = self.model(row, demo).await?;
        let root = RealPath::new(Path::new(&project.location), "@project");
        let hooks = HookRunner::new(root, self.trusted(project).await?, Arc::clone(&self.hooks))
            .as_kept_in(self.store.clone(), row.project_id.clone());
        let env = self.env(&row.package_id, demo, hooks.rules()).await?;
        let effects = EffectRunner::new(
            model,
            tools,
            marks,
            Arc::clone(&env.composer),
            hooks,
            self.delegations.clone(),
        );
        Ok(RunnerDeps {
            conversation: row.conversation_id.clone(),
            env,
            store: self.store.clone(),
            watchers: Arc::clone(&self.watchers),
            clock: Arc::clone(&self.clock),
            holder: self.holder(),
            effects,
        })
    }

    /// The tools with the folders of a run.
    pub(super) async fn tools(
        &self,
        project: &ProjectRow,
        row: &RunRef,
    ) -> Result<ToolHost, Failure> {
        check_is_still(project).await?;
        let store = self.store.root();
        let pkg = self.library.packages.folder_of(&row.package_id);
        let roots = MountRoots {
            project: RealPath::new(Path::new(&project.location), "@project"),
            pkg: RealPath::new(&pkg, "@pkg"),
            state: runs::state_dir(store, &row.project_id, &row.run_id),
            store: RealPath::new(store, Folder::Store.alias()),
        };
        let private = self.private(&project.places(), row);
        let settings = Arc::clone(self.library.preferences.settings());
        on_disk(move || {
            settings.know_key();
            ToolHost::open(roots, private)
        })
        .await
    }

    /// The roots that no request, result or log of a run may show.
    fn private(&self, project: &ProjectPlaces, row: &RunRef) -> Private {
        let store = self.store.root();
        let pkg = self.library.packages.folder_of(&row.package_id);
        let state = runs::state_dir(store, &row.project_id, &row.run_id);
        Private::new(private_folders(store, project, &pkg, state.as_path()))
    }

    /// What hides them, and what hid them before the project was moved, the newest first.
    pub(super) async fn marks(&self, row: &RunRef) -> Result<(Marks, Vec<Marks>), Failure> {
        let places = self.store.project(&row.project_id).await?.places();
        let before = places.before().map(|places| self.private(&places, row).marks).collect();
        Ok((self.private(&places, row).marks, before))
    }

    /// What the requests of a run are built with. The settings they were built under stand in its
    /// journal.
    pub(super) async fn bare_env(&self, row: &RunRef) -> Result<Env, Failure> {
        let package = self.library.packages.load(&row.package_id).await?;
        Ok(Env { package, composer: Arc::clone(&self.composer), limits: Limits::default() })
    }

    /// The hooks of a project that the person trusts.
    pub(super) async fn trusted(&self, project: &ProjectRow) -> Result<Vec<Hook>, Failure> {
        let mut hooks = hooks_of(project).await?;
        if !hooks.is_empty() {
            let trusted = self.store.trusted_hooks(&project.project_id).await?;
            hooks.retain(|hook| trusted.contains(&hook.sha256()));
        }
        Ok(hooks)
    }

    async fn env(
        &self,
        package_id: &PackageId,
        demo: bool,
        hooks: Arc<[HookRule]>,
    ) -> Result<Env, Failure> {
        let preferences = &self.library.preferences;
        let limits = preferences.limits(demo || preferences.always_demo());
        let limits = Limits { hooks, ..limits };
        let package = self.library.packages.load(package_id).await?;
        Ok(Env { package, composer: Arc::clone(&self.composer), limits })
    }

    /// Runs that began as demos play their package's trace until the person chooses a model; the
    /// others ask whatever is configured when they think.
    async fn model(&self, row: &RunRef, demo: bool) -> Result<ModelSource, Failure> {
        let always_demo = self.library.preferences.always_demo();
        let configured = self.library.preferences.model();
        if !demo && !always_demo {
            return Ok(ModelSource { demo: None, always_demo, configured });
        }
        let trace = self.library.trace(&row.package_id, &row.workflow_id).await?;
        // People watch text being written; a script waits for nothing.
        let paced = self.surface == "window";
        let demo = if paced { DemoModel::new(trace) } else { DemoModel::unpaced(trace) };
        Ok(ModelSource { demo: Some(Arc::new(demo)), always_demo, configured })
    }
}

/// Stands where a conversation has no run, and so no package.
fn no_package() -> Result<PackageId, Failure> {
    PackageId::new("none").map_err(|e| Failure::new(ErrorCode::Internal, e.says()))
}

/// Whether a conversation is shown as it stands when this keeps it from being run.
pub(super) fn shows_anyway(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::RunBusy
            | ErrorCode::ProjectRootInvalid
            | ErrorCode::ProjectMismatch
            | ErrorCode::ProjectFileInvalid
            | ErrorCode::StateInitFailed
            | ErrorCode::PackageNotFound
            | ErrorCode::PackageInvalid
            | ErrorCode::ImportReadOnly
            | ErrorCode::NotNow
    )
}
