//! Every adapter's error becomes a [`Failure`] here: a code, words without real paths, what to do.

use kernel::code::{ErrorCode, Failure};
use std::io;

/// An I/O error on something with a showable name (an alias path, `the store`, …).
pub fn io(code: ErrorCode, what: &str, error: &io::Error) -> Failure {
    Failure::new(code, format!("{what}: {}", io_words(error)))
}

/// The error in words, without the path that `std` may have put into it.
pub fn io_words(error: &io::Error) -> String {
    use io::ErrorKind as K;
    match error.kind() {
        K::NotFound => "not found".into(),
        K::PermissionDenied => "permission denied".into(),
        K::ReadOnlyFilesystem => "the disk is read only".into(),
        K::StorageFull => "the disk is full".into(),
        K::AlreadyExists => "already exists".into(),
        K::IsADirectory => "is a folder".into(),
        K::NotADirectory => "is not a folder".into(),
        kind => match error.raw_os_error() {
            Some(number) => format!("{kind} (os error {number})"),
            None => kind.to_string(),
        },
    }
}
