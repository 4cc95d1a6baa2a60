//! What the window, the command line and tests use of the host (spec 02, spec 09 "IPC contract").
//!
//! `submit` a command, `query` a fact, `watch` a conversation. Commands are in `host/commands.rs`,
//! reads in `host/queries.rs`, the opening of conversations in `host/conversations.rs` and
//! `host/runners.rs`, their renaming, deletion and export in `host/housekeeping.rs`.

mod commands;
mod conversations;
mod exports;
mod feeds;
mod housekeeping;
mod models;
mod opened;
mod projects;
mod queries;
mod runners;
mod whole;

use kernel::code::{ErrorCode, Failure};
use kernel::command::{Command, Query, Receipt};
use kernel::engine::Limits;
use kernel::event::Line;
use kernel::ids::{ConversationId, PackageId, RunId};
use kernel::import::{ImportEntry, ImportReport};
use kernel::phrase::{general, store};
use kernel::policy::ApproveWrites;
use kernel::prompt::PromptComposer;
use kernel::settings::{ModelSettings, Settings, VerifyAfterWrite};
use kernel::trace::Trace;
use kernel::wire::{Answer, Frame, Noticed, Target};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{mpsc, oneshot};

use crate::clock::{Clock, Ids, RandomIds, SystemClock};
use crate::crewrun::Exported;
use crate::electron;
use crate::export::Form;
use crate::models::ConfiguredModel;
use crate::runner::Mail;
use crate::secrets::Secret;
use crate::settings::SettingsStore;
use crate::store::RuntimeStore;
use crate::watch::Watching;
use crate::watchers::Watchers;
use runners::Runners;

pub(crate) use commands::package_row;

pub use crate::electron::ElectronImport;

/// How a host is opened.
#[derive(Clone)]
pub struct HostOptions {
    /// The store's folder; made when it is missing.
    pub store: PathBuf,
    /// `window` or `cli`: what a second process is told when a run is busy.
    pub surface: &'static str,
    /// Which model answers.
    pub model: ModelChoice,
    /// Which writes wait for the person, when it is not the settings' to say.
    pub approve_writes: Option<ApproveWrites>,
}

impl HostOptions {
    /// The configured model, and everything else as the settings say.
    pub fn new(store: impl Into<PathBuf>, surface: &'static str) -> Self {
        let (store, model) = (store.into(), ModelChoice::Configured);
        Self { store, surface, model, approve_writes: None }
    }
}

/// Which model answers the runs of this host.
#[derive(Clone)]
pub enum ModelChoice {
    /// The one of the settings; runs that were started as demos play their trace.
    Configured,
    /// Every run plays its package's demo trace.
    Demo,
    /// This endpoint, whatever the settings say.
    Endpoint(ModelSettings, Option<Secret>),
}

/// The running program without a surface.
pub struct Host {
    options: HostOptions,
    store: RuntimeStore,
    settings: Arc<SettingsStore>,
    composer: Arc<PromptComposer>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    watchers: Arc<Watchers>,
    watching: Arc<Watching>,
    models: Arc<ConfiguredModel>,
    tests: models::Tests,
    opened: Arc<opened::Opened>,
    /// The project folder each conversation was opened in.
    places: Mutex<BTreeMap<ConversationId, String>>,
    /// 0: as the settings say.
    max_turns: AtomicU32,
    runners: Runners,
}

impl Host {
    /// Opens the store and brings what a crash left into order.
    ///
    /// # Errors
    /// `STORE_OPEN_FAILED`, `STORE_TOO_NEW` and `STORE_BUSY` as [`RuntimeStore::open`], and
    /// `STORE_WRITE_FAILED` when what a crash left cannot be brought into order.
    pub async fn open(options: HostOptions) -> Result<Arc<Self>, Failure> {
        let root = options.store.clone();
        let opened = tokio::task::spawn_blocking(move || {
            crate::logs::hide_places(&root);
            let store = RuntimeStore::open(&root)?;
            Ok::<_, Failure>((store, Arc::new(SettingsStore::open(&root))))
        });
        let ended = |_| Failure::new(ErrorCode::Internal, store::not_opened());
        let (store, settings) = opened.await.map_err(ended)??;
        let fixed = match &options.model {
            ModelChoice::Endpoint(model, key) => Some((model.clone(), key.clone())),
            ModelChoice::Configured | ModelChoice::Demo => None,
        };
        let models = Arc::new(ConfiguredModel::new(Arc::clone(&settings), fixed));
        let clock = Arc::new(SystemClock);
        store.recover(clock.now()).await?;
        housekeeping::prune_checkpoints(&store);
        hide_projects(&store).await?;
        Ok(Arc::new(Self {
            options,
            store,
            settings,
            composer: Arc::new(PromptComposer::new()?),
            clock,
            ids: Arc::new(RandomIds),
            watchers: Arc::default(),
            watching: Arc::default(),
            models,
            tests: models::Tests::default(),
            opened: Arc::default(),
            places: Mutex::default(),
            max_turns: AtomicU32::new(0),
            runners: Runners::default(),
        }))
    }

    /// Carries out a command. When this returns, what it did is durable.
    ///
    /// # Errors
    /// What keeps the command from being carried out, by its code; nothing is half done then.
    pub async fn submit(&self, command: Command) -> Result<Receipt, Failure> {
        commands::submit(self, command).await
    }

    /// Answers a read.
    ///
    /// # Errors
    /// What keeps it from being answered, by its code.
    pub async fn query(&self, query: Query) -> Result<Answer, Failure> {
        queries::answer(self, query).await
    }

    /// Watches a conversation: everything first, then increments, until the receiver is dropped.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND`, and what keeps the conversation from being opened.
    pub async fn watch(
        self: &Arc<Self>,
        conversation: &ConversationId,
    ) -> Result<mpsc::UnboundedReceiver<Frame>, Failure> {
        let (sender, receiver) = mpsc::unbounded_channel();
        conversations::watch(self, conversation, sender).await?;
        Ok(receiver)
    }

    /// Watches something beside the conversations: the files of a project, the settings, a
    /// package being written, the log. Until the receiver is dropped; nothing is watched before
    /// and after.
    ///
    /// # Errors
    /// `BAD_REQUEST` for a conversation, which has frames; what keeps the target from being
    /// watched.
    pub async fn notice(
        self: &Arc<Self>,
        target: Target,
    ) -> Result<mpsc::Receiver<Noticed>, Failure> {
        feeds::begin(self, target).await
    }

    /// Shows package files that were opened outside the window to whoever follows the program, now
    /// or as soon as somebody does. Nothing is installed.
    pub fn show_packages(&self, files: Vec<String>) {
        if !files.is_empty() {
            self.opened.add(files);
        }
    }

    /// How many folders (each with what is below it) are being watched on disk now.
    pub fn watched_roots(&self) -> usize {
        self.watching.count.now()
    }

    /// How many watch the frames of a conversation now.
    pub fn watchers_of(&self, conversation: &ConversationId) -> usize {
        self.watchers.count(conversation)
    }

    /// Follows a conversation's journal from a sequence number on, until the receiver is dropped.
    /// A failure in between: the work stopped, and no line could say so (the disk is full).
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND`, `RUN_BUSY` when another program works on it, and what keeps the
    /// conversation from being opened.
    pub async fn follow(
        &self,
        conversation: &ConversationId,
        from_seq: u64,
    ) -> Result<mpsc::UnboundedReceiver<Result<Line, Failure>>, Failure> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let mailbox = conversations::mailbox(self, conversation).await?;
        mailbox.send(Mail::Follow(from_seq, sender)).map_err(|_| crate::runner::gone())?;
        Ok(receiver)
    }

    /// Ends every conversation's task and gives the leases back. Nothing is lost: what was in
    /// flight is found again when the journal is opened next.
    pub async fn close(&self) {
        for mailbox in self.runners.close().await {
            let (done, closed) = oneshot::channel();
            if mailbox.send(Mail::Close(done)).is_ok() {
                _ = closed.await;
            }
        }
        // A resting run gives its lease back without waiting; another program may be waiting for it.
        if let Err(failure) = self.store.settle().await {
            tracing::warn!(code = %failure.code, "the store could not be written to its end");
        }
    }

    /// Writes a conversation to `out`, without real paths and keys; `out` comes back when all is
    /// written.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND`; `STORE_WRITE_FAILED` when `out` does not take it.
    pub async fn export<W: std::io::Write + Send + 'static>(
        &self,
        conversation: &ConversationId,
        form: Form,
        out: W,
    ) -> Result<W, Failure> {
        housekeeping::export(self, conversation, form, out).await
    }

    /// Takes over the store of an Electron runtime, or looks at what that would do. Entries are
    /// also sent to `told` as they come. The old store is only read.
    ///
    /// # Errors
    /// `IMPORT_SOURCE_INVALID` when the folder is no such store. What is wrong with single entries
    /// is in the report.
    pub async fn import_electron(
        &self,
        ask: ElectronImport,
        told: Option<mpsc::UnboundedSender<ImportEntry>>,
    ) -> Result<ImportReport, Failure> {
        let target = electron::Target {
            store: self.store.clone(),
            root: self.options.store.clone(),
            settings: Arc::clone(&self.settings),
            now: self.clock.now(),
        };
        let runtime = tokio::runtime::Handle::current();
        let report = on_disk(move || electron::import(&ask, target, runtime, told)).await?;
        if !report.dry_run {
            commands::forget_resting(self);
        }
        Ok(report)
    }

    /// The store.
    pub fn store(&self) -> &RuntimeStore {
        &self.store
    }

    /// The settings.
    pub fn settings(&self) -> &SettingsStore {
        &self.settings
    }

    /// Caps model requests in one user turn for this process, whatever the settings say.
    pub fn limit_turns(&self, max_turns: u32) {
        self.max_turns.store(max_turns, Ordering::Relaxed);
    }

    /// Writes a run to a `.crewrun` file, which [`crewrun::replay_file`](crate::crewrun) decides
    /// again. An existing file is replaced only when `replace` is true.
    ///
    /// # Errors
    /// `RUN_NOT_FOUND`, `EXPORT_EXISTS`, `EXPORT_UNSAFE` (a key or a real path would be in it),
    /// `EXPORT_TOO_LARGE`, `PACKAGE_INVALID`, `STORE_READ_FAILED`, `STORE_WRITE_FAILED`.
    pub async fn export_run(
        &self,
        run_id: &RunId,
        out: PathBuf,
        replace: bool,
    ) -> Result<Exported, Failure> {
        exports::export_run(self, run_id, out, replace).await
    }

    /// Installs a package that comes with the program.
    ///
    /// # Errors
    /// `PACKAGE_NOT_FOUND` for an unknown name, `STORE_WRITE_FAILED` when it cannot be installed.
    pub async fn install_bundled(&self, name: &str) -> Result<PackageId, Failure> {
        commands::install_bundled(self, name.to_owned()).await
    }

    /// Where an installed package lies.
    pub fn package_folder(&self, package: &PackageId) -> PathBuf {
        self.packages_folder().join(package.as_str())
    }

    /// Where installed packages lie.
    pub fn packages_folder(&self) -> PathBuf {
        conversations::packages_dir(self)
    }

    /// For a run that plays a demo: its trace, with the recorded answers that were given already
    /// left out.
    pub async fn demo_trace_left(&self, conversation: &ConversationId) -> Option<Trace> {
        conversations::demo_trace_left(self, conversation).await.ok().flatten()
    }

    /// The endpoint runs ask: the one named when the host was opened, else the settings'. Blocks:
    /// the key may have to be asked of the keychain.
    fn effective_model(
        settings: &SettingsStore,
        choice: &ModelChoice,
    ) -> (ModelSettings, Option<Secret>) {
        match choice {
            ModelChoice::Endpoint(model, key) => (model.clone(), key.clone()),
            ModelChoice::Configured | ModelChoice::Demo => settings.effective_model(),
        }
    }

    fn remember_place(&self, conversation: &ConversationId, location: &str) {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        places.insert(conversation.clone(), location.to_owned());
    }

    fn opened_in(&self, conversation: &ConversationId) -> Option<String> {
        let places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        places.get(conversation).cloned()
    }

    /// What the settings allow a turn that begins now.
    pub fn limits_now(&self) -> Limits {
        self.limits(&self.settings.settings(), false)
    }

    fn limits(&self, settings: &Settings, demo: bool) -> Limits {
        let endpoint = match &self.options.model {
            ModelChoice::Endpoint(model, _) => model,
            ModelChoice::Configured | ModelChoice::Demo => &settings.model,
        };
        Limits {
            tools: settings.tools.clone(),
            max_turns: match self.max_turns.load(Ordering::Relaxed) {
                0 => settings.engine.max_turns,
                capped => capped,
            },
            context_tokens: if demo { None } else { self.models.context_of(endpoint) },
            unbound: settings.confirmation.unbound,
            verify_after_write: settings.acceptance.verify_after_write == VerifyAfterWrite::Auto,
            approve_writes: self.options.approve_writes.unwrap_or(settings.approval.writes),
            ..Limits::default()
        }
    }
}

/// The folders of the known projects are in no log line.
async fn hide_projects(store: &RuntimeStore) -> Result<(), Failure> {
    let projects = store.projects().await?;
    let roots = projects.into_iter().map(|row| (PathBuf::from(row.location), "@project"));
    on_disk(move || {
        crate::logs::hide_roots(roots);
        Ok(())
    })
    .await
}

/// Disk work off the async threads.
async fn on_disk<T: Send + 'static>(
    act: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let ended = |_| Failure::new(ErrorCode::Internal, general::ended_early());
    tokio::task::spawn_blocking(act).await.map_err(ended)?
}
