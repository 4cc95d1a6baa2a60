//! What a task is made of: its tools with the folders of the run, its model, its package.

use kernel::code::{ErrorCode, Failure};
use kernel::engine::{Env, Limits};
use kernel::hook::HookRule;
use kernel::ids::{ConversationId, PackageId, ProjectId};
use kernel::mark::Folder;
use kernel::package::Package;
use kernel::project_hooks::Hook;
use kernel::prompt::PromptComposer;
use kernel::trace::Trace;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::UnboundedSender;

use super::conversation_ref::{self, ConversationRef, OpenedWith, package_of};
use super::delegating::Delegation;
use super::runner::RunnerDeps;
use super::tasks::EffectRunner;
use super::turn_limits::skills_now;
use super::watchers::Watchers;
use crate::blocking::on_disk;
use crate::clock::Clock;
use crate::hooks::{self, HookRunner};
use crate::library::Library;
use crate::library::projects::{check_is_still, hooks_of};
use crate::llm::DemoModel;
use crate::mcp::ServerClients;
use crate::models::ModelSource;
use crate::real_path::RealPath;
use crate::redact::folders::{ProjectPlaces, private_folders};
use crate::redact::{Marks, Private};
use crate::runs;
use crate::store::{Holder, ProjectRow, RuntimeStore};
use crate::tools::{MountRoots, ToolHost};

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
    /// What each conversation was opened with.
    opened: Mutex<BTreeMap<ConversationId, OpenedWith>>,
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
        let opened = Mutex::default();
        let hooks = hooks::slots();
        Ok(Self { store, library, composer, clock, watchers, surface, hooks, delegations, opened })
    }

    /// Who takes a lease.
    pub(super) fn holder(&self) -> Holder {
        Holder::this_process(self.surface)
    }

    /// What a conversation was opened with last, by this program.
    pub(super) fn opened_with(&self, conversation: &ConversationId) -> Option<OpenedWith> {
        self.opened().get(conversation).cloned()
    }

    /// It was closed again.
    pub(super) fn forget_place(&self, conversation: &ConversationId) {
        self.opened().remove(conversation);
    }

    fn opened(&self) -> MutexGuard<'_, BTreeMap<ConversationId, OpenedWith>> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a conversation is shown with when nothing acts on it: also one whose package is gone.
    pub(super) async fn read_env(&self, conversation: &ConversationId) -> Result<Env, Failure> {
        let of = conversation_ref::find(&self.store, conversation).await?;
        let mut packages = Vec::new();
        for id in of.packages() {
            packages.push(self.known_package(id).await?);
        }
        let demo = self.store.plays_demo(conversation).await?;
        let hooks = self.rules_of(&of.project_id).await;
        let servers = self.library.servers.offered(&of.project_id).await?;
        let limits = Limits { hooks, servers, ..self.library.preferences.limits(demo) };
        self.env_with(packages, limits)
    }

    fn env_with(&self, packages: Vec<Arc<Package>>, limits: Limits) -> Result<Env, Failure> {
        let mut packages = packages.into_iter();
        let package = match packages.next() {
            Some(package) => package,
            None => Arc::new(Package::lost(no_package()?)),
        };
        let (composer, others) = (Arc::clone(&self.composer), packages.collect());
        Ok(Env { package, others, composer, limits })
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
    pub(super) async fn deps(
        &self,
        row: &ConversationRef,
        demo: bool,
    ) -> Result<RunnerDeps, Failure> {
        let project = self.store.project(&row.project_id).await?;
        self.deps_in(&project, row, demo).await
    }

    /// The same when the project is known. Reads nothing from the database.
    pub(super) async fn deps_in(
        &self,
        project: &ProjectRow,
        row: &ConversationRef,
        demo: bool,
    ) -> Result<RunnerDeps, Failure> {
        let tools = self.tools(project, row).await?;
        let with = OpenedWith::of(project, row);
        self.opened().insert(row.conversation_id.clone(), with.clone());
        let marks = Arc::new(self.private(&project.places(), row).marks);
        let model = self.model(row, demo).await?;
        let root = project.root();
        let servers = Arc::clone(&self.library.servers);
        let clients = ServerClients::new(servers, row.project_id.clone(), root.clone());
        let hooks = HookRunner::new(root, self.trusted(project).await?, Arc::clone(&self.hooks))
            .as_kept_in(self.store.clone(), row.project_id.clone());
        let mut env = self.env(row, demo, hooks.rules()).await?;
        let tools = Arc::new(tools);
        if env.limits.tools.skills_enabled && !row.conversation_id.is_task() {
            env.limits.skills = skills_now(&tools).await.unwrap_or_default();
        }
        let effects = EffectRunner::new(
            model,
            tools,
            marks,
            Arc::clone(&env.composer),
            hooks,
            clients,
            self.delegations.clone(),
        );
        Ok(RunnerDeps {
            conversation: row.conversation_id.clone(),
            env,
            store: self.store.clone(),
            watchers: Arc::clone(&self.watchers),
            clock: Arc::clone(&self.clock),
            holder: self.holder(),
            opened_with: with,
            effects,
        })
    }

    /// The tools with the folders of a run.
    pub(super) async fn tools(
        &self,
        project: &ProjectRow,
        row: &ConversationRef,
    ) -> Result<ToolHost, Failure> {
        check_is_still(project).await?;
        let store = self.store.root();
        let pkg = row.package_id().map(|id| self.library.packages.folder_of(id));
        let roots = MountRoots {
            project: project.root(),
            pkg: pkg.map(|pkg| RealPath::new(pkg, "@pkg")),
            state: runs::state_dir(store, &row.project_id, row.state_in()),
            store: RealPath::new(store, Folder::Store.alias()),
        };
        let private = self.private(&project.places(), row);
        let skills = self.library.skill_places(Some(project.root()), row.package_id());
        let settings = Arc::clone(self.library.preferences.settings());
        let kept_in = runs::run_dir(store, &row.project_id, &row.kept_in);
        let begins = row.run.is_none().then(|| (store.to_owned(), row.clone()));
        on_disk(move || {
            settings.know_key();
            if let Some((store, row)) = begins {
                runs::ensure_state_dir(&store, &row.project_id, row.state_in())?;
            }
            ToolHost::open(roots, private)?.with_skills(skills).keeping_in(&kept_in)
        })
        .await
    }

    /// The roots that no request, result or log of a run may show.
    fn private(&self, project: &ProjectPlaces, row: &ConversationRef) -> Private {
        let store = self.store.root();
        let pkg = row.package_id().map(|id| self.library.packages.folder_of(id));
        let state = runs::state_dir(store, &row.project_id, row.state_in());
        Private::new(private_folders(store, project, pkg.as_deref(), state.as_path()))
    }

    /// What hides them, and what hid them before the project was moved, the newest first.
    pub(super) async fn marks(
        &self,
        row: &ConversationRef,
    ) -> Result<(Marks, Vec<Marks>), Failure> {
        let places = self.store.project(&row.project_id).await?.places();
        let before = places.before().map(|places| self.private(&places, row).marks).collect();
        Ok((self.private(&places, row).marks, before))
    }

    /// What the requests of a conversation are built with, from the first one on. The settings they
    /// were built under stand in its journal.
    pub(super) async fn bare_env(&self, row: &ConversationRef) -> Result<Env, Failure> {
        let mut ids: Vec<PackageId> = row.packages().cloned().collect();
        let named = self.store.fold_lines(&row.conversation_id, Vec::new(), |named, line| {
            line.events.iter().filter_map(package_of).for_each(|id| named.push(id.clone()));
            ControlFlow::Continue(())
        });
        for id in named.await? {
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        let mut packages = Vec::with_capacity(ids.len());
        for (at, id) in ids.iter().enumerate() {
            // What was talked about before may be told without its package.
            packages.push(match at {
                0 => self.library.packages.load(id).await?,
                _ => self.known_package(id).await?,
            });
        }
        self.env_with(packages, Limits::default())
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
        row: &ConversationRef,
        demo: bool,
        hooks: Arc<[HookRule]>,
    ) -> Result<Env, Failure> {
        let preferences = &self.library.preferences;
        let limits = preferences.limits(demo || preferences.always_demo());
        let mut packages = Vec::new();
        for id in row.packages() {
            packages.push(self.library.packages.load(id).await?);
        }
        let servers = self.library.servers.offered(&row.project_id).await?;
        self.env_with(packages, Limits { hooks, servers, ..limits })
    }

    /// Runs that began as demos play their package's trace until the person chooses a model; the
    /// others ask whatever is configured when they think.
    pub(super) async fn model(
        &self,
        row: &ConversationRef,
        demo: bool,
    ) -> Result<ModelSource, Failure> {
        let always_demo = self.library.preferences.always_demo();
        let configured = self.library.preferences.model();
        if !demo && !always_demo {
            return Ok(ModelSource { demo: None, always_demo, configured });
        }
        let trace = match (&row.run, self.library.preferences.trace()) {
            (_, Some(trace)) => Trace::clone(trace),
            (Some(run), None) => self.library.trace(&run.package_id, &run.workflow_id).await?,
            // No package has a script for a talk.
            (None, None) => return Ok(ModelSource { demo: None, always_demo: false, configured }),
        };
        // People watch text being written; a script waits for nothing.
        let paced = self.surface == "window";
        let demo = if paced { DemoModel::new(trace) } else { DemoModel::unpaced(trace) };
        Ok(ModelSource { demo: Some(Arc::new(demo)), always_demo, configured })
    }
}

/// Stands where a conversation has no package.
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
