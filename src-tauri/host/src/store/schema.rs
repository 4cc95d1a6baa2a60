//! The database's shape: migrations, and how every connection is set up.

use std::path::Path;
use std::time::Duration;

use kernel::code::{ErrorCode, Failure};
use kernel::phrase::store;
use rusqlite::{Connection, OpenFlags};
use rusqlite_migration::{M, Migrations};

use super::{index, sqlite_error};
use crate::crash::{Point, point};

/// Forward only; a released entry is never edited (spec 08).
const STEPS: &[M<'_>] = &[
    M::up(include_str!("migrations/0001.sql")),
    M::up(include_str!("migrations/0002.sql")),
    M::up(include_str!("migrations/0003.sql")),
    M::up(include_str!("migrations/0004.sql")),
    M::up(include_str!("migrations/0005.sql")),
    M::up(include_str!("migrations/0006.sql")),
    M::up(include_str!("migrations/0007.sql")),
    M::up(include_str!("migrations/0008.sql")),
    M::up(include_str!("migrations/0009.sql")),
    M::up(include_str!("migrations/0010.sql")),
    M::up(include_str!("migrations/0011.sql")),
    M::up(include_str!("migrations/0012.sql")),
    M::up(include_str!("migrations/0013.sql")),
    M::up(include_str!("migrations/0014.sql")),
    M::up(include_str!("migrations/0015.sql")),
    M::up(include_str!("migrations/0016.sql")),
];

/// All migrations, oldest first.
pub(super) const MIGRATIONS: Migrations<'_> = Migrations::from_slice(STEPS);

/// How long a connection waits for another process's transaction.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Prepared statements a connection keeps: more than there are.
const STATEMENTS: usize = 64;

/// Databases up to this size are checked whole at every start; larger ones only after a read
/// or write has met damage, because a start must stay fast (spec 08).
const CHECKED_AT_START: u64 = 16 * 1024 * 1024;

/// Why a database cannot be used as it is.
#[derive(Debug)]
pub(super) enum UnusableDatabase {
    /// The file is damaged: salvage it.
    Damaged,
    /// Anything else: tell the user.
    Failed(Failure),
}

impl From<rusqlite::Error> for UnusableDatabase {
    fn from(error: rusqlite::Error) -> Self {
        if sqlite_error::is_damage(&error) {
            Self::Damaged
        } else {
            Self::Failed(sqlite_error::open_failed(&error))
        }
    }
}

/// Opens `file` for the writer and brings it to the newest version. `suspect` forces the whole
/// file to be checked.
pub(super) fn open_writer(file: &Path, suspect: bool) -> Result<Connection, UnusableDatabase> {
    let size = std::fs::metadata(file).map_or(0, |m| m.len());
    let mut db = Connection::open(file)?;
    db.busy_timeout(BUSY_TIMEOUT)?;
    db.set_prepared_statement_cache_capacity(STATEMENTS);
    refuse_newer(&db)?;
    let mode: String = db.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if mode != "wal" {
        return Err(UnusableDatabase::Failed(
            Failure::new(ErrorCode::StoreOpenFailed, store::no_wal())
                .with_action(store::use_local_disk()),
        ));
    }
    // fullfsync matters on macOS alone, where a plain fsync does not reach the disk.
    db.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA foreign_keys = ON;
         PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;",
    )?;
    if suspect || size <= CHECKED_AT_START {
        check(&db)?;
    }
    point(Point::BeforeMigration);
    MIGRATIONS.to_latest(&mut db).map_err(migration_failed)?;
    index::ensure_version(&mut db)?;
    point(Point::AfterMigration);
    Ok(db)
}

/// A connection that can only read.
pub(super) fn open_reader(file: &Path) -> Result<Connection, rusqlite::Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(file, flags)?;
    db.busy_timeout(BUSY_TIMEOUT)?;
    db.set_prepared_statement_cache_capacity(STATEMENTS);
    db.execute_batch("PRAGMA query_only = ON; PRAGMA cell_size_check = ON;")?;
    Ok(db)
}

/// Looked at before anything is changed, so that a newer program's store stays untouched.
fn refuse_newer(db: &Connection) -> Result<(), UnusableDatabase> {
    let found: i64 = db.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let known = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
    if found <= known {
        return Ok(());
    }
    Err(UnusableDatabase::Failed(
        Failure::new(ErrorCode::StoreTooNew, store::too_new(found, known))
            .with_details(serde_json::json!({ "found": found, "known": known })),
    ))
}

fn check(db: &Connection) -> Result<(), UnusableDatabase> {
    let verdict: String = db.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if verdict == "ok" { Ok(()) } else { Err(UnusableDatabase::Damaged) }
}

fn migration_failed(error: rusqlite_migration::Error) -> UnusableDatabase {
    match error {
        rusqlite_migration::Error::RusqliteError { err, .. } => err.into(),
        other => {
            tracing::error!(error = %other, "the store could not be migrated");
            UnusableDatabase::Failed(
                Failure::new(ErrorCode::StoreOpenFailed, store::not_migrated())
                    .with_action(store::install_again()),
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_migration_applies_to_an_empty_database() {
        assert_eq!(MIGRATIONS.validate(), Ok(()));
    }
}
