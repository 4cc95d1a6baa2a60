//! Every adapter's error becomes a [`Failure`] here: a code, words without real paths, what to do.

use kernel::code::{ErrorCode, Failure};
use kernel::phrase::{Part, Phrase, general};
use std::io;

use crate::plain_file::NotText;

/// An I/O error on something with a showable name: an alias path, a file's name, a phrase.
pub fn io(code: ErrorCode, what: impl Into<Part>, error: &io::Error) -> Failure {
    Failure::new(code, general::about(what, io_said(error)))
}

/// The error in English words.
pub fn io_words(error: &io::Error) -> String {
    io_said(error).english()
}

/// The error, without the path that `std` may have put into it.
pub fn io_said(error: &io::Error) -> Phrase {
    use io::ErrorKind as K;
    match error.kind() {
        K::NotFound => general::disk_not_found(),
        K::PermissionDenied => general::disk_permission_denied(),
        K::ReadOnlyFilesystem => general::disk_read_only(),
        K::StorageFull => general::disk_full(),
        K::AlreadyExists => general::disk_already_exists(),
        K::IsADirectory => general::disk_is_a_folder(),
        K::NotADirectory => general::disk_is_no_folder(),
        kind => match (kind, error.raw_os_error()) {
            (kind, Some(number)) => general::disk_other(format!("{kind} (os error {number})")),
            // What we ourselves make of a file.
            (K::FileTooLarge, None) => general::disk_file_too_large(),
            (K::Unsupported, None) => general::disk_is_no_plain_file(),
            (K::InvalidData, None) if is_no_text(error) => general::disk_is_no_text(),
            // What an archive is read with says of bytes that do not fit together.
            (K::InvalidData, None) => general::disk_is_damaged(),
            (kind, None) => general::disk_other(kind),
        },
    }
}

fn is_no_text(error: &io::Error) -> bool {
    matches!(error.get_ref(), Some(inner) if inner.is::<NotText>())
}
