//! Reading: a few read-only connections, used on blocking threads only.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use kernel::code::{ErrorCode, Failure};
use kernel::phrase::store;
use rusqlite::Connection;
use tokio::sync::Semaphore;

use super::{schema, sqlite_error};

/// Connections at most. Reads are short; more would only hold memory.
const CONNECTIONS: usize = 4;

/// The pool.
pub(super) struct Readers {
    file: PathBuf,
    idle: Mutex<Vec<Connection>>,
    free: Semaphore,
}

impl Readers {
    /// A pool on `file`; opens nothing yet.
    pub(super) fn new(file: PathBuf) -> Self {
        Self { file, idle: Mutex::default(), free: Semaphore::new(CONNECTIONS) }
    }

    /// Runs `work` in a read transaction, so that all it sees is one moment.
    pub(super) async fn read<T, F>(self: &Arc<Self>, work: F) -> Result<T, Failure>
    where
        F: FnOnce(&Connection) -> Result<T, Failure> + Send + 'static,
        T: Send + 'static,
    {
        let Ok(_permit) = self.free.acquire().await else { return Err(readers_ended()) };
        let pool = Arc::clone(self);
        tokio::task::spawn_blocking(move || pool.run(work))
            .await
            .unwrap_or_else(|_| Err(readers_ended()))
    }

    fn run<T>(&self, work: impl FnOnce(&Connection) -> Result<T, Failure>) -> Result<T, Failure> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let db = match idle {
            Some(db) => db,
            None => schema::open_reader(&self.file)
                .map_err(|e| sqlite_error::read_failed(store::the_database(), &e))?,
        };
        db.execute_batch("BEGIN")
            .map_err(|e| sqlite_error::read_failed(store::the_database(), &e))?;
        let result = work(&db);
        // A connection that cannot end its transaction is dropped instead of being used again.
        if db.execute_batch("COMMIT").is_ok() {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(db);
        }
        result
    }
}

fn readers_ended() -> Failure {
    Failure::new(ErrorCode::StoreReadFailed, store::closing()).with_action(store::start_again())
}
