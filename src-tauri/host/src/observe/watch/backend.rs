//! The system's own watching, and looking now and then where the system allows no more of it.
//! Debounced: a change is told once it has settled.

use notify::{Config, ErrorKind, PollWatcher, RecursiveMode, Watcher};
use notify_debouncer_full::{DebounceEventResult, Debouncer, NoCache, new_debouncer_opt};
use std::io;
use std::path::Path;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;

/// How long a change must have settled before it is told (spec 08 "Watching").
const SETTLE: Duration = Duration::from_millis(150);
/// How often is looked where the system does not tell.
const POLL_EVERY: Duration = Duration::from_secs(2);

/// Where settled changes go. Sent from a thread of the debouncer, which must not be kept.
pub(super) type Raw = UnboundedSender<DebounceEventResult>;

/// `N` is the system's way; a test gives one that is at its limit.
pub(super) enum Backend<N: Watcher> {
    Native(Debouncer<N, NoCache>),
    Polling(Debouncer<PollWatcher, NoCache>),
}

impl<N: Watcher> Backend<N> {
    pub(super) fn native(raw: Raw) -> notify::Result<Self> {
        Self::debouncer(raw).map(Self::Native)
    }

    pub(super) fn polling(raw: Raw) -> notify::Result<Self> {
        Self::debouncer(raw).map(Self::Polling)
    }

    fn debouncer<W: Watcher>(raw: Raw) -> notify::Result<Debouncer<W, NoCache>> {
        let config = Config::default().with_poll_interval(POLL_EVERY).with_follow_symlinks(false);
        // Nobody listens any more: then it is about to end.
        let tell = move |result: DebounceEventResult| _ = raw.send(result);
        new_debouncer_opt(SETTLE, None, tell, NoCache, config)
    }

    pub(super) fn watch(&mut self, folder: &Path, mode: RecursiveMode) -> notify::Result<()> {
        match self {
            Self::Native(debouncer) => debouncer.watch(folder, mode),
            Self::Polling(debouncer) => debouncer.watch(folder, mode),
        }
    }

    pub(super) fn unwatch(&mut self, folder: &Path) {
        let gone = match self {
            Self::Native(debouncer) => debouncer.unwatch(folder),
            Self::Polling(debouncer) => debouncer.unwatch(folder),
        };
        // The system lets go of a folder that is deleted by itself.
        if let Err(error) = gone {
            tracing::trace!(kind = ?error.kind, "a folder was not watched any more");
        }
    }

    pub(super) fn is_polling(&self) -> bool {
        matches!(self, Self::Polling(_))
    }

    /// Ends it and waits for its thread: at most a quarter of the settling time.
    pub(super) fn stop(self) {
        match self {
            Self::Native(debouncer) => debouncer.stop(),
            Self::Polling(debouncer) => debouncer.stop(),
        }
    }
}

/// Whether the system is at a limit, of watches or of open files: looking now and then still
/// works.
pub(super) fn is_limit(error: &notify::Error) -> bool {
    /// ENFILE, EMFILE, ENOSPC.
    const LIMITS: [i32; 3] = [23, 24, 28];
    match &error.kind {
        ErrorKind::MaxFilesWatch => true,
        ErrorKind::Io(e) => {
            e.kind() == io::ErrorKind::StorageFull
                || (cfg!(unix) && e.raw_os_error().is_some_and(|code| LIMITS.contains(&code)))
        }
        _ => false,
    }
}
