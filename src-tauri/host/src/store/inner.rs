//! The open store: its writer, its readers, and work on their threads.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kernel::code::Failure;
use rusqlite::Connection;

use super::instance::Instance;
use super::own_leases::OwnLeases;
use super::readers::Readers;
use super::sqlite_error;
use super::writer::{self, Writer};

/// The store of one root folder. Cheap to clone; closed when the last clone is dropped, after
/// everything queued is written.
#[derive(Clone)]
pub struct RuntimeStore {
    pub(super) inner: Arc<Inner>,
}

/// Fields are dropped in this order: the writer closes last of the connections and so leaves no
/// log file behind, and the instance stays alive until all is written.
pub(super) struct Inner {
    pub(super) readers: Arc<Readers>,
    pub(super) writer: Writer,
    pub(super) held: Arc<OwnLeases>,
    pub(super) instance: Arc<Instance>,
    pub(super) notices: Vec<Failure>,
    pub(super) root: PathBuf,
}

impl std::fmt::Debug for RuntimeStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RuntimeStore")
    }
}

impl RuntimeStore {
    /// Runs `work` on the writer's thread, in a savepoint of its own. It may be called twice: what it
    /// does but through the connection must do no harm then.
    pub(super) async fn write<T, F>(&self, work: F) -> Result<T, Failure>
    where
        F: Fn(&Connection) -> Result<T, Failure> + Send + 'static,
        T: Send + 'static,
    {
        let answer = self.inner.writer.submit(work);
        let result = answer.await.unwrap_or_else(|_| Err(writer::stopped()));
        self.watch_damage(result).await
    }

    /// Runs `work` on a blocking thread, at one moment of the database.
    pub(super) async fn read<T, F>(&self, work: F) -> Result<T, Failure>
    where
        F: FnOnce(&Connection) -> Result<T, Failure> + Send + 'static,
        T: Send + 'static,
    {
        let result = self.inner.readers.read(work).await;
        self.watch_damage(result).await
    }

    /// Damage met while working makes the next start check the whole database.
    async fn watch_damage<T>(&self, result: Result<T, Failure>) -> Result<T, Failure> {
        if let Err(failure) = &result
            && sqlite_error::tells_damage(failure)
            && tokio::fs::write(suspect_mark(&self.inner.root), b"").await.is_err()
        {
            tracing::warn!("the store is damaged and could not be marked for a check");
        }
        result
    }
}

/// Says in the folder that the database may be damaged.
pub(super) fn suspect_mark(root: &Path) -> PathBuf {
    root.join("store.db.suspect")
}
