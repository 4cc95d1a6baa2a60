//! `@state/workflow.md` on disk: the mirror of the accepted state document (spec 03, spec 08).

use cap_std::fs::Dir;
use kernel::code::{ErrorCode, Failure};
use kernel::effect::Mirror;
use kernel::path::AliasPath;
use std::io::{self, Read as _};
use tokio_util::sync::CancellationToken;

use super::access::open_checked;
use super::atomic;
use super::mounts::io_failure;
use super::stream::hash;
use crate::crash::{Point, point};
use crate::failure::io_words;

const NAME: &str = "workflow.md";
const MAX_BYTES: u64 = kernel::state_doc::MAX_BYTES;

/// The document's text; `None` when there is no file.
pub(super) fn read(state: &Dir) -> Result<Option<String>, Failure> {
    let path = AliasPath::state_document();
    let opened = match open_checked(state, NAME, &path) {
        Ok(opened) => opened,
        Err(f) if f.code == ErrorCode::NotFound => return Ok(None),
        Err(f) => return Err(f),
    };
    let mut bytes = Vec::new();
    opened.file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|e| io_failure(&path, &e))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Failure::new(ErrorCode::ReadLimit, format!("{path} is over 1 MiB"))
            .with_action("Shorten it; long notes belong into files of the project."));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| {
        Failure::new(ErrorCode::NotText, format!("{path} is not UTF-8 text"))
            .with_action("Save it as UTF-8, or delete it to get the accepted version back.")
    })
}

/// Brings the file up to `mirror`; returns the hash of a foreign version nobody was told of, which
/// stays where it is (empty for something that is no file).
pub(super) fn mirror(state: &Dir, mirror: &Mirror) -> Result<Option<String>, Failure> {
    atomic::sweep(state);
    let now = now(state)?;
    if matches!(&now, Now::Hash(hash) if *hash == mirror.sha256) {
        return Ok(None);
    }
    let known = match &now {
        Now::Nothing => true,
        Now::Hash(hash) => mirror.replaces.as_ref() == Some(hash),
        Now::Strange => false,
    };
    let found = match &now {
        Now::Hash(hash) => hash.as_str(),
        Now::Nothing | Now::Strange => "",
    };
    if !known && mirror.refused.as_deref() != Some(found) {
        return Ok(Some(found.to_owned()));
    }
    let write = || {
        if !known {
            put_aside(state)?;
        }
        let permissions = match &now {
            Now::Hash(_) if known => Some(state.symlink_metadata(NAME)?.permissions()),
            _ => None,
        };
        atomic::replace(state, NAME, mirror.text.as_bytes(), permissions)
    };
    write().map_err(|e| write_failed(&e))?;
    Ok(None)
}

enum Now {
    Nothing,
    Hash(String),
    /// A link, a folder, a pipe: kept aside like a foreign edit.
    Strange,
}

fn now(state: &Dir) -> Result<Now, Failure> {
    let path = AliasPath::state_document();
    match open_checked(state, NAME, &path) {
        Ok(opened) => {
            hash(opened.file, &path, &CancellationToken::new(), |_| Ok(())).map(Now::Hash)
        }
        Err(f) if f.code == ErrorCode::NotFound => Ok(Now::Nothing),
        Err(_) if state.symlink_metadata(NAME).is_ok_and(|m| !m.is_file()) => Ok(Now::Strange),
        Err(f) => Err(f),
    }
}

/// Renames what is there to the first free `workflow.md.rejected-<n>`.
fn put_aside(state: &Dir) -> io::Result<()> {
    for n in 1..=u32::MAX {
        let aside = format!("{NAME}.rejected-{n}");
        match state.symlink_metadata(&aside) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                point(Point::BeforeAside);
                state.rename(NAME, state, &aside)?;
                point(Point::AfterAside);
                return atomic::sync(state);
            }
            Err(e) => return Err(e),
            Ok(_) => {}
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

pub(super) fn write_failed(error: &io::Error) -> Failure {
    let message = format!("@state/workflow.md cannot be written: {}", io_words(error));
    let action = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "Free some disk space, then press Resume."
        }
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => {
            "Make the program's data folder writable, then press Resume."
        }
        _ => "Check the disk, then press Resume.",
    };
    Failure::new(ErrorCode::StoreWriteFailed, message).with_action(action)
}
