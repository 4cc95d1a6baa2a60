//! SQLite's errors as failures. Its own messages may hold the real path of the database file, so
//! they are never shown: the words come from the error codes.

use kernel::code::{ErrorCode, Failure};
use kernel::phrase::{Phrase, general, store};
use rusqlite::ErrorCode as Sql;

/// What happened, and what to do, for one SQLite error.
fn phrases(error: &rusqlite::Error) -> (Phrase, Phrase) {
    let Some(code) = error.sqlite_error_code() else {
        return match error {
            rusqlite::Error::QueryReturnedNoRows => {
                (store::sql_no_entry(), general::refresh_the_list())
            }
            _ => (store::sql_unknown_shape(), general::update_the_program()),
        };
    };
    let (what, action) = match code {
        Sql::DiskFull => (store::sql_disk_full(), general::free_some_space()),
        Sql::ReadOnly => (store::sql_read_only(), store::sql_make_writable()),
        Sql::PermissionDenied => (store::sql_denied(), store::sql_give_access()),
        Sql::CannotOpen => (store::sql_cannot_open(), store::sql_check_folder()),
        Sql::DatabaseBusy | Sql::DatabaseLocked => (store::sql_busy(), store::sql_try_and_close()),
        Sql::SystemIoFailure => (store::sql_io(), store::sql_check_disk()),
        Sql::DatabaseCorrupt | Sql::NotADatabase => (store::sql_damaged(), store::sql_restart()),
        Sql::ConstraintViolation => (store::sql_constraint(), store::sql_refresh()),
        Sql::OutOfMemory | Sql::TooBig => (store::sql_too_large(), store::sql_less_text()),
        _ => (store::sql_unexpected(), store::sql_try_and_restart()),
    };
    let number = match error {
        rusqlite::Error::SqliteFailure(e, _) => e.extended_code,
        _ => 0,
    };
    (store::sql_numbered(what, number), action)
}

fn failure(code: ErrorCode, what: Phrase, error: &rusqlite::Error) -> Failure {
    let (happened, action) = phrases(error);
    let failure = Failure::new(code, general::about(what, happened)).with_action(action);
    if is_damage(error) {
        failure.with_details(serde_json::json!({ "damaged": true }))
    } else {
        failure
    }
}

/// True for a failure made from an error that means the database file is broken.
pub(super) fn tells_damage(failure: &Failure) -> bool {
    failure.details.as_ref().is_some_and(|d| d["damaged"] == true)
}

/// `STORE_OPEN_FAILED`.
pub(super) fn open_failed(error: &rusqlite::Error) -> Failure {
    failure(ErrorCode::StoreOpenFailed, store::not_opened(), error)
}

/// `STORE_WRITE_FAILED`; `what` completes "could not be written".
pub(super) fn write_failed(what: Phrase, error: &rusqlite::Error) -> Failure {
    failure(ErrorCode::StoreWriteFailed, store::not_written(what), error)
}

/// `STORE_READ_FAILED`.
pub(super) fn read_failed(what: Phrase, error: &rusqlite::Error) -> Failure {
    failure(ErrorCode::StoreReadFailed, store::not_read(what), error)
}

/// True for the errors that mean the file itself is broken.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(Sql::DatabaseCorrupt | Sql::NotADatabase))
}

/// The folder could not be used.
pub(super) fn folder_failed(error: &std::io::Error) -> Failure {
    crate::failure::io(ErrorCode::StoreOpenFailed, store::the_stores_folder(), error)
        .with_action(store::folder_action())
}
