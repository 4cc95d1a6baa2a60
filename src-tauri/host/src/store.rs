//! RuntimeStore (spec 08): journals in SQLite, rows derived from them, one writer, many readers.
//!
//! A journal line is one row, appended and never changed; everything a client lists or pages is
//! written in the same transaction and can be made anew from the lines. All file access happens
//! on the writer's thread or on blocking threads, never in async code.
//!
//! Deliberately not here: what a snapshot of a journal says (the kernel), files of packages and
//! projects.

mod active;
mod conversations;
mod delete;
mod derive;
mod drafts;
mod existing;
mod import;
mod index;
mod inner;
mod instance;
mod journal;
mod journal_snapshots;
mod leases;
mod lists;
mod own_leases;
mod readers;
mod recalling;
mod recover;
mod rows;
mod salvage;
mod schema;
mod search;
mod server_accounts;
mod servers;
mod sizes;
mod sql;
mod sqlite_error;
mod stops;
mod terms;
mod trusted;
mod writer;

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use kernel::code::{ErrorCode, Failure};
use kernel::phrase::{models, projects, store};
use rusqlite::Connection;

use crate::file_lock::{lock_in_time, lock_within};
use crate::private;
use inner::{Inner, suspect_mark};
use instance::Instance;
use readers::Readers;
use schema::UnusableDatabase;
use writer::Writer;

pub(crate) use active::ListedConversation;
pub use inner::RuntimeStore;
pub use journal_snapshots::LastPage;
pub use leases::{Holder, Lease};
pub use lists::ProjectRow;
pub use recalling::Recalled;
pub use rows::NewRun;
pub(crate) use servers::ServerRow;
pub use sizes::{CheckpointLimits, Pruned};
pub use stops::StopRequest;

/// The database's file in the store's folder.
const DATABASE: &str = "store.db";

/// The file beside it that every transaction is written to first.
pub(crate) const WRITE_AHEAD_LOG: &str = "store.db-wal";

impl RuntimeStore {
    /// Opens the store below `root`, making what is missing. Blocks: not for async code.
    ///
    /// A damaged database is salvaged (see [`RuntimeStore::notices`]).
    ///
    /// # Errors
    /// `STORE_TOO_NEW` when a newer program wrote it, which then stays untouched; `STORE_BUSY` when
    /// another program is making it ready for ten seconds; `STORE_OPEN_FAILED` for all else.
    pub fn open(root: &Path) -> Result<Self, Failure> {
        private::folder(root).map_err(|e| sqlite_error::folder_failed(&e))?;
        // One process at a time makes, migrates or salvages the database.
        let opening = lock_opening(root)?;
        let file = root.join(DATABASE);
        close_database(&file).map_err(|e| sqlite_error::folder_failed(&e))?;
        let (db, notices) = open_database(root, &file)?;
        let instance = Instance::register(root).map_err(|e| sqlite_error::folder_failed(&e))?;
        drop(opening);
        Ok(Self {
            inner: Arc::new(Inner {
                readers: Arc::new(Readers::new(file)),
                writer: Writer::start(db, index_a_part)?,
                held: Arc::default(),
                instance: Arc::new(instance),
                notices,
                root: root.to_owned(),
            }),
        })
    }

    /// What the user must be told about this opening: a damaged database, and what was saved.
    pub fn notices(&self) -> &[Failure] {
        &self.inner.notices
    }

    /// The folder it lies in.
    pub(crate) fn root(&self) -> &Path {
        &self.inner.root
    }

    /// How many transactions were committed since the store was opened: for the doctor and tests.
    pub fn commits(&self) -> u64 {
        self.inner.writer.commits()
    }

    /// Held while a project's file is looked at and given an id: by one program at a time, so that
    /// several which open the folder agree. Blocks, for two seconds at most: not for async code.
    pub(crate) fn lock_projects(&self) -> Result<File, Failure> {
        let locked = || {
            let file = private::file(&self.inner.root.join("projects.lock"))?;
            lock_in_time(&file).map(|locked| locked.then_some(file))
        };
        locked().map_err(|e| sqlite_error::folder_failed(&e))?.ok_or_else(|| {
            Failure::new(ErrorCode::StoreWriteFailed, projects::projects_busy())
                .with_action(models::try_again())
        })
    }

    /// Waits until everything that was queued before is written: also what nobody waited for.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED` when the store cannot be written.
    pub async fn settle(&self) -> Result<(), Failure> {
        self.write(|_| Ok(())).await
    }
}

/// Lines indexed at a time: what a request that comes meanwhile has to wait for, some milliseconds.
const INDEXED_LINES: u32 = 256;

/// The writer's chore.
fn index_a_part(db: &Connection) -> Result<bool, rusqlite::Error> {
    index::catch_up(db, INDEXED_LINES).map(|left| left > 0)
}

/// How long a start waits for another program that makes the store ready.
const OPENING_PATIENCE: Duration = Duration::from_secs(10);

/// Held while one process makes, migrates, salvages or sweeps: no other can open the store.
fn lock_opening(root: &Path) -> Result<File, Failure> {
    let lock = || {
        let file = private::file(&root.join("open.lock"))?;
        lock_within(&file, OPENING_PATIENCE).map(|locked| locked.then_some(file))
    };
    lock().map_err(|e| sqlite_error::folder_failed(&e))?.ok_or_else(|| {
        let message = store::being_made_ready(OPENING_PATIENCE.as_secs());
        Failure::new(ErrorCode::StoreBusy, message)
    })
}

/// Made before the database library makes it, which takes the process's rights for new files. The
/// files beside it get the rights of this one.
fn close_database(file: &Path) -> std::io::Result<()> {
    private::file(file)?;
    for beside in [WRITE_AHEAD_LOG, "store.db-shm"] {
        let beside = file.with_file_name(beside);
        if beside.exists() {
            private::file(&beside)?;
        }
    }
    Ok(())
}

/// The writer's connection, and what to tell the user.
fn open_database(root: &Path, file: &Path) -> Result<(Connection, Vec<Failure>), Failure> {
    salvage::finish(file).map_err(|e| sqlite_error::folder_failed(&e))?;
    let mark = suspect_mark(root);
    let mut notices = Vec::new();
    let db = match schema::open_writer(file, mark.exists()) {
        Ok(db) => db,
        Err(UnusableDatabase::Failed(failure)) => return Err(failure),
        Err(UnusableDatabase::Damaged) if instance::any_alive(root) => {
            return Err(damaged_and_in_use());
        }
        Err(UnusableDatabase::Damaged) => {
            let notice = salvage::salvage(file)?;
            tracing::error!(%notice, "the store was damaged");
            notices.push(notice);
            schema::open_writer(file, false).map_err(|unusable| match unusable {
                UnusableDatabase::Failed(failure) => failure,
                UnusableDatabase::Damaged => damaged_and_in_use(),
            })?
        }
    };
    // Gone in the usual case; one that stays only costs the next start a check.
    let _ = fs::remove_file(mark);
    Ok((db, notices))
}

fn damaged_and_in_use() -> Failure {
    Failure::new(ErrorCode::StoreOpenFailed, store::damaged_and_in_use())
        .with_action(store::close_the_others())
}

#[cfg(test)]
pub(crate) mod tests;
