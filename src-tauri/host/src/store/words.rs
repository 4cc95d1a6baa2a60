//! SQLite's errors in words. Its own messages may hold the real path of the database file, so
//! they are never shown: the words come from the error codes.

use kernel::code::{ErrorCode, Failure};
use rusqlite::ErrorCode as Sql;

/// What happened, and what to do, for one SQLite error.
fn words(error: &rusqlite::Error) -> (String, &'static str) {
    let Some(code) = error.sqlite_error_code() else {
        return match error {
            rusqlite::Error::QueryReturnedNoRows => {
                ("there is no such entry".into(), "Refresh the list.")
            }
            _ => ("an entry has a shape this program does not know".into(), "Update the program."),
        };
    };
    let (what, action) = match code {
        Sql::DiskFull => ("the disk is full", "Free some space, then try again."),
        Sql::ReadOnly => ("it is read only", "Make the store's folder writable, then try again."),
        Sql::PermissionDenied => {
            ("permission denied", "Give your account access to the store's folder.")
        }
        Sql::CannotOpen => (
            "its database file cannot be opened",
            "Check that the store's folder is there and yours.",
        ),
        Sql::DatabaseBusy | Sql::DatabaseLocked => (
            "another program kept it busy for too long",
            "Try again; close other copies of the program if it happens again.",
        ),
        Sql::SystemIoFailure => {
            ("the disk reported an error", "Check the disk and its connection, then try again.")
        }
        Sql::DatabaseCorrupt | Sql::NotADatabase => {
            ("its database is damaged", "Restart the program: what can be read is saved then.")
        }
        Sql::ConstraintViolation => {
            ("an entry does not fit those already there", "Refresh the list and try again.")
        }
        Sql::OutOfMemory | Sql::TooBig => ("an entry is too large", "Try again with less text."),
        _ => {
            ("an unexpected database error", "Try again; restart the program if it happens again.")
        }
    };
    let number = match error {
        rusqlite::Error::SqliteFailure(e, _) => e.extended_code,
        _ => 0,
    };
    (format!("{what} (SQLite {number})"), action)
}

fn failure(code: ErrorCode, what: &str, error: &rusqlite::Error) -> Failure {
    let (words, action) = words(error);
    let failure = Failure::new(code, format!("{what}: {words}")).with_action(action);
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
    failure(ErrorCode::StoreOpenFailed, "the store could not be opened", error)
}

/// `STORE_WRITE_FAILED`; `what` completes "could not be written".
pub(super) fn write_failed(what: &str, error: &rusqlite::Error) -> Failure {
    failure(
        ErrorCode::StoreWriteFailed,
        &format!("{what} could not be written to the store"),
        error,
    )
}

/// `STORE_READ_FAILED`.
pub(super) fn read_failed(what: &str, error: &rusqlite::Error) -> Failure {
    failure(ErrorCode::StoreReadFailed, &format!("{what} could not be read from the store"), error)
}

/// True for the errors that mean the file itself is broken.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(Sql::DatabaseCorrupt | Sql::NotADatabase))
}

/// The folder could not be used.
pub(super) fn folder_failed(error: &std::io::Error) -> Failure {
    crate::failure::io(ErrorCode::StoreOpenFailed, "the store's folder", error).with_action(
        "Make the folder writable, or choose another one with --store or CREWAGENT_STORE.",
    )
}
