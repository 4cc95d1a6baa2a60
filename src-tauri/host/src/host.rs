//! The one entrance for the window, the command line and tests (spec 02, spec 09 "IPC contract"):
//! `submit` a command, `query` a fact, `watch` a conversation.
//!
//! Four services do the work, each of which owns its fields: `Library`, `Sessions`,
//! `Transfer`, `Observe`. They call each other in this direction only: `observe` and `transfer`
//! know `sessions` and `library`, `sessions` knows `library`. What takes two of them that do not
//! know each other is put together here.

mod announced;
mod commands;
mod queries;

use kernel::code::{ErrorCode, Failure};
use kernel::event::Line;
use kernel::ids::ConversationId;
use kernel::import::{ImportEntry, ImportReport};
use kernel::outside::OpenIn;
use kernel::phrase::store;
use kernel::policy::ApproveWrites;
use kernel::wire::{Frame, Noticed, WatchTarget};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;
use tokio::sync::mpsc;

use crate::blocking::on_disk;
use crate::clock::{Clock, Ids, RandomIds, SystemClock};
use crate::export::ExportForm;
use crate::library::Library;
use crate::library::preferences::Choices;
use crate::mcp::Servers;
use crate::observe::Observe;
use crate::real_path::RealPath;
use crate::sessions::Sessions;
use crate::settings::SettingsStore;
use crate::store::{CheckpointLimits, RuntimeStore};
use crate::transfer::Transfer;

pub use announced::Announcement;

pub use crate::electron::ElectronImport;
pub use crate::mcp::Patience;
pub use crate::models::ModelChoice;
pub use crate::observe::OpenedOutside;

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
    /// How many model requests a turn has at most, when it is not the settings' to say.
    pub max_turns: Option<u32>,
    /// What opens files in other programs, where there is a desktop.
    pub desktop: Option<Arc<dyn Desktop>>,
    /// How long servers of the Model Context Protocol are waited for.
    pub patience: Patience,
    /// The person's home folder, where skills of theirs lie; without it they have none.
    pub home: Option<PathBuf>,
}

/// The desktop that the program runs on.
pub trait Desktop: Send + Sync {
    /// Opens a file or folder in another program. Returns when that was started. Blocks.
    ///
    /// # Errors
    /// When there is no such program.
    fn open(&self, file: &RealPath, open_in: OpenIn) -> io::Result<()>;

    /// Tells the person something by the desktop's own notifications, in place of what was told of
    /// the same conversation before. A click on it shows the conversation
    /// ([`Host::show`]). Does not wait for the desktop.
    ///
    /// # Errors
    /// When it is known that nothing is shown.
    fn announce(&self, announcement: Announcement) -> io::Result<()>;
}

impl HostOptions {
    /// The same for the person who started the program: with the skills in their home folder.
    #[must_use]
    pub fn of_person(self) -> Self {
        let home = directories::UserDirs::new().map(|dirs| dirs.home_dir().to_owned());
        Self { home, ..self }
    }

    /// The configured model, and everything else as the settings say.
    pub fn new(store: impl Into<PathBuf>, surface: &'static str) -> Self {
        let (store, model) = (store.into(), ModelChoice::Configured);
        let patience = Patience::default();
        Self {
            store,
            surface,
            model,
            approve_writes: None,
            max_turns: None,
            desktop: None,
            patience,
            home: None,
        }
    }
}

/// The running program without a surface.
pub struct Host {
    store: RuntimeStore,
    library: Arc<Library>,
    sessions: Arc<Sessions>,
    transfer: Transfer,
    observe: Observe,
    desktop: Option<Arc<dyn Desktop>>,
}

impl Host {
    /// Opens the store and brings what a crash left into order.
    ///
    /// # Errors
    /// As [`RuntimeStore::open`], and when what a crash left cannot be brought into order.
    pub async fn open(options: HostOptions) -> Result<Arc<Self>, Failure> {
        let root = options.store.clone();
        let opened = tokio::task::spawn_blocking(move || {
            crate::logs::hide_places(&root);
            RuntimeStore::open(&root)
        });
        let ended = |_| Failure::new(ErrorCode::Internal, store::not_opened());
        let store = opened.await.map_err(ended)??;
        Self::on(store, options).await
    }

    /// The same on a store that is open already: whoever opened it may go on reading it.
    ///
    /// # Errors
    /// When what a crash left cannot be brought into order.
    pub async fn on(store: RuntimeStore, options: HostOptions) -> Result<Arc<Self>, Failure> {
        let HostOptions {
            surface, model, approve_writes, max_turns, desktop, patience, home, ..
        } = options;
        let root = store.root().to_owned();
        let settings = on_disk(move || {
            crate::logs::hide_places(&root);
            Ok(SettingsStore::open(&root))
        });
        let settings = settings.await?;
        let (clock, ids): (Arc<dyn Clock>, Arc<dyn Ids>) =
            (Arc::new(SystemClock), Arc::new(RandomIds));
        store.recover().await?;
        prune_checkpoints(&store);
        let choices = Choices { model, approve_writes, max_turns };
        let servers = Servers::new(store.clone(), Arc::clone(&clock), patience);
        let library = Library::new(&store, settings, choices, servers, &clock, &ids);
        let library = Arc::new(library.of_person(home));
        library.projects.hide_from_logs().await?;
        let sessions =
            Sessions::new(store.clone(), Arc::clone(&library), Arc::clone(&clock), ids, surface)?;
        let transfer = Transfer::new(store.clone(), Arc::clone(&library), clock);
        let observe = Observe::new(store.clone(), Arc::clone(&sessions));
        Ok(Arc::new(Self { store, library, sessions, transfer, observe, desktop }))
    }

    /// Watches a conversation: everything first, then increments, until the receiver is dropped.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND`, or why one that was at work when the program ended cannot be told.
    pub async fn watch(
        &self,
        conversation: &ConversationId,
    ) -> Result<mpsc::UnboundedReceiver<Frame>, Failure> {
        self.observe.watch(conversation).await
    }

    /// Watches something beside the conversations: the files of a project, the settings, a
    /// package being written, the log. Until the receiver is dropped; nothing is watched before
    /// and after.
    ///
    /// # Errors
    /// `BAD_REQUEST` for a conversation, which has frames; when what is to be watched is not there.
    pub async fn notice(&self, target: WatchTarget) -> Result<mpsc::Receiver<Noticed>, Failure> {
        self.observe.notice(target).await
    }

    /// Shows what was opened outside the window to whoever follows the program, now or as soon as
    /// somebody does. Nothing is installed. A conversation or a package that is not there is told
    /// as that.
    pub async fn show(&self, opened: Vec<OpenedOutside>) {
        self.observe.show(opened).await;
    }

    /// Follows a conversation's journal from a sequence number on, until the receiver is dropped.
    /// A failure in between: the work stopped, and no line could say so (the disk is full).
    ///
    /// # Errors
    /// When the conversation cannot be opened here.
    pub async fn follow(
        &self,
        conversation: &ConversationId,
        from_seq: u64,
    ) -> Result<mpsc::UnboundedReceiver<Result<Arc<Line>, Failure>>, Failure> {
        self.sessions.follow(conversation, from_seq).await
    }

    /// Somebody wants to stop: no command waits any more for what a server says of its model, or for a
    /// server that is tested.
    pub fn hurry(&self) {
        self.library.preferences.model().hurry();
        self.library.servers.stop_tests();
    }

    /// Ends every conversation's task and gives the leases back. Nothing is lost: what was in
    /// flight is found again when the journal is opened next.
    pub async fn close(&self) {
        self.hurry();
        self.sessions.close().await;
        crate::process_group::end_all();
        // A resting run gives its lease back without waiting; another program may be waiting for it.
        if let Err(failure) = self.store.settle().await {
            tracing::warn!(code = %failure.code, "the store could not be written to its end");
        }
        self.library.servers.rest().await;
    }

    /// Writes a conversation to `out`, without real paths and keys; `out` comes back when all is
    /// written.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND`; `STORE_WRITE_FAILED` when `out` does not take it.
    pub async fn export<W: std::io::Write + Send + 'static>(
        &self,
        conversation: &ConversationId,
        form: ExportForm,
        out: W,
    ) -> Result<W, Failure> {
        self.transfer.export(conversation, form, out).await
    }

    /// Takes over the store of an Electron runtime, or looks at what that would do. Entries are
    /// also sent to `told` as they come. The old store is only read.
    ///
    /// # Errors
    /// `IMPORT_SOURCE_INVALID` when the folder is no such store; `STORE_WRITE_FAILED` ends the
    /// import, and what was done stays.
    pub async fn import_electron(
        &self,
        ask: ElectronImport,
        told: Option<mpsc::UnboundedSender<ImportEntry>>,
    ) -> Result<ImportReport, Failure> {
        let report = self.transfer.import_electron(ask, told).await?;
        if !report.dry_run {
            self.sessions.renew_limits();
        }
        Ok(report)
    }
}

/// Beside the start, which waits for nothing of it.
fn prune_checkpoints(store: &RuntimeStore) {
    let store = store.clone();
    tokio::spawn(async move {
        match store.prune_checkpoints(SystemTime::now(), CheckpointLimits::default()).await {
            Ok(pruned) if pruned.files > 0 => {
                tracing::info!(files = pruned.files, bytes = pruned.bytes, "checkpoints pruned");
            }
            Ok(_) => {}
            Err(failure) => tracing::warn!(code = %failure.code, "checkpoints were not pruned"),
        }
    });
}

#[cfg(test)]
mod tests;
