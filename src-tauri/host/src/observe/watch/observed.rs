//! A root being watched, for async code: what changed, batch by batch.

use kernel::code::{ErrorCode, Failure};
use kernel::phrase::{general, projects};
use notify_debouncer_full::DebounceEventResult;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::mpsc::{self, UnboundedReceiver};

use super::folders::{Changes, Folders, WatchScope};
use crate::real_path::RealPath;

/// How many roots are being watched. Goes down when the threads of one have ended.
#[derive(Debug, Clone, Default)]
pub(crate) struct Count(Arc<AtomicUsize>);

impl Count {
    #[cfg(test)]
    pub(crate) fn now(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    fn one_more(&self) -> CountGuard {
        self.0.fetch_add(1, Ordering::SeqCst);
        CountGuard(self.clone())
    }
}

struct CountGuard(Count);

impl Drop for CountGuard {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::SeqCst);
    }
}

struct Watched {
    folders: Folders,
    _counted: CountGuard,
}

/// Stops when dropped, and with [`Observed::stop`] also waits for that.
pub(crate) struct Observed {
    raw: UnboundedReceiver<DebounceEventResult>,
    /// `None` while it looks at the disk on another thread, and after its end.
    watched: Option<Watched>,
    /// From the beginning changes are seen late or not everywhere.
    pub(crate) limited: bool,
}

impl Observed {
    /// Begins to watch `root`. `PROJECT_ROOT_INVALID` and the like are the caller's to find out:
    /// here it is `WATCH_LIMITED`, what it is that cannot be watched is named by its alias.
    pub(crate) async fn begin(
        root: RealPath,
        scope: WatchScope,
        count: &Count,
    ) -> Result<Self, Failure> {
        let (sender, raw) = mpsc::unbounded_channel();
        let counted = count.one_more();
        let shown = root.shown_as();
        let begin = move || {
            // As some systems name it in what they tell.
            let real = root.as_path().canonicalize().map_err(notify::Error::io)?;
            Folders::begin(RealPath::new(real, shown), scope, sender)
        };
        let begun = tokio::task::spawn_blocking(begin).await.map_err(|_| ended())?;
        let folders = begun.map_err(|error| cannot_watch(shown, &error))?;
        let limited = folders.is_limited();
        Ok(Self { raw, watched: Some(Watched { folders, _counted: counted }), limited })
    }

    /// The next changes worth telling; `None` when it has ended. Everything that came in the
    /// meantime comes together.
    pub(crate) async fn next(&mut self) -> Option<Changes> {
        loop {
            let mut results = vec![self.raw.recv().await?];
            while let Ok(more) = self.raw.try_recv() {
                results.push(more);
            }
            let mut watched = self.watched.take()?;
            let digest = move || {
                let changes = watched.folders.digest(results);
                (watched, changes)
            };
            let (watched, changes) = tokio::task::spawn_blocking(digest).await.ok()?;
            self.watched = Some(watched);
            if !changes.is_empty() {
                return Some(changes);
            }
        }
    }

    /// Ends it and waits for its threads.
    pub(crate) async fn stop(mut self) {
        if let Some(watched) = self.watched.take() {
            let stop = move || {
                let Watched { folders, _counted } = watched;
                folders.stop();
            };
            _ = tokio::task::spawn_blocking(stop).await;
        }
    }
}

fn cannot_watch(shown: &str, error: &notify::Error) -> Failure {
    // The error's own words hold real paths.
    let why = match &error.kind {
        notify::ErrorKind::Io(e) => crate::failure::io_said(e),
        notify::ErrorKind::PathNotFound => projects::watch_not_there(),
        _ => projects::watch_refused(),
    };
    Failure::new(ErrorCode::WatchLimited, projects::cannot_be_watched(shown, why))
        .with_action(projects::changes_seen_later())
}

fn ended() -> Failure {
    Failure::new(ErrorCode::Internal, general::ended_early())
}
