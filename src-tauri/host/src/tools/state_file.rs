//! `@state/workflow.md` on disk: the mirror of the accepted state document (spec 03, spec 08).
//!
//! The engine knows the document with marks: its journal holds no real folder. The file has the
//! real names, for people and their programs, as long as it is no longer than a document may be.

use cap_fs_ext::DirExt as _;
use cap_std::fs::Dir;
use kernel::bounds::STATE_BYTES;
use kernel::code::{ErrorCode, Failure};
use kernel::effect::{Mirror, StateCopy};
use kernel::path::AliasPath;
use kernel::phrase::engine as said;
use kernel::state_doc::too_long;
use kernel::text::sha256_hex;
use std::borrow::Cow;
use std::io::{self, Read as _};
use tokio_util::sync::CancellationToken;

use super::access::open_checked;
use super::mounts::io_failure;
use super::stream::hash;
use crate::atomic;
use crate::crash::{Point, point};
use crate::failure::io_said;
use crate::redact::Marks;

const NAME: &str = "workflow.md";

/// The document as it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateText {
    /// As the engine knows it, with marks.
    pub text: String,
    /// SHA-256 of `text`.
    pub sha256: String,
    /// SHA-256 of the file.
    pub raw_sha256: String,
}

impl StateText {
    pub(super) fn of(marks: &Marks, raw: &str) -> Self {
        let raw_sha256 = sha256_hex(raw.as_bytes());
        match marks.shown(raw) {
            Cow::Borrowed(text) => {
                Self { text: text.to_owned(), sha256: raw_sha256.clone(), raw_sha256 }
            }
            Cow::Owned(text) => Self { sha256: sha256_hex(text.as_bytes()), text, raw_sha256 },
        }
    }

    /// Whether it is the text with this hash. A document may name a folder without a mark, one that
    /// a package brought along, and a file may have kept its marks.
    pub fn is(&self, sha256: &str) -> bool {
        self.sha256 == sha256 || self.raw_sha256 == sha256
    }
}

/// The document's text; `None` when there is no file.
pub(super) fn read(state: &Dir) -> Result<Option<String>, Failure> {
    let path = AliasPath::state_document();
    let opened = match open_checked(state, NAME, &path) {
        Ok(opened) => opened,
        Err(f) if f.code == ErrorCode::NotFound => return Ok(None),
        // What the model reads of links and pipes; here a person has to mend it.
        Err(f) if f.said.is_none() => {
            return Err(Failure::new(f.code, said::state_no_plain_file(&path))
                .with_action(said::save_or_delete()));
        }
        Err(f) => return Err(f),
    };
    // Read at once, not piece by piece; the last byte is for finding the end.
    let mut bytes =
        Vec::with_capacity(usize::try_from(opened.len.min(STATE_BYTES)).unwrap_or(0) + 1);
    opened.file.take(STATE_BYTES + 1).read_to_end(&mut bytes).map_err(|e| io_failure(&path, &e))?;
    if bytes.len() as u64 > STATE_BYTES {
        return Err(too_long(STATE_BYTES));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| {
        Failure::new(ErrorCode::NotText, said::state_not_text(&path))
            .with_action(said::save_or_delete())
    })
}

/// A document as the file has it: with the real names, unless they make it longer than a document
/// may be, or could be read there. Then it keeps its marks, and can be read again and mended.
pub(super) fn on_disk<'t>(marks: &Marks, text: &'t str) -> Cow<'t, str> {
    let most = usize::try_from(STATE_BYTES).unwrap_or(usize::MAX);
    let real = marks.restored_as_far(text, most).filter(|real| !marks.lays_bare("", text, real));
    real.unwrap_or(Cow::Borrowed(text))
}

/// Brings the file up to `mirror`, and then its copies; returns the hash of a foreign version nobody
/// was told of, which stays where it is (empty for something that is no file).
pub(super) fn mirror(
    state: &Dir,
    marks: &Marks,
    mirror: &Mirror,
) -> Result<Option<String>, Failure> {
    atomic::sweep(state);
    let edit = mirror_document(state, marks, mirror)?;
    if edit.is_none() {
        for copy in &mirror.copies {
            point(Point::BeforeStateCopy);
            write_copy(state, marks, copy).map_err(|e| write_failed(&copy.path, &e))?;
        }
    }
    Ok(edit)
}

/// Writes a file beside the document, unless it says this already. What has no place there, a folder
/// or a link, is kept aside: it keeps no run from going on.
fn write_copy(state: &Dir, marks: &Marks, copy: &StateCopy) -> io::Result<()> {
    let rel = copy.path.rel();
    let (folder, name) = rel.rsplit_once('/').map_or((None, rel), |(f, n)| (Some(f), n));
    let opened = folder.map(|folder| own_folder(state, folder)).transpose()?;
    let folder = opened.as_ref().unwrap_or(state);
    atomic::sweep(folder);
    let text = on_disk(marks, &copy.text);
    let known = open_checked(folder, name, &copy.path).ok().and_then(|opened| {
        let mut bytes = Vec::new();
        opened.file.take(text.len() as u64 + 1).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    });
    if known.is_some_and(|bytes| bytes == text.as_bytes()) {
        return Ok(());
    }
    if folder.symlink_metadata(name).is_ok_and(|there| !there.is_file()) {
        put_aside(folder, name)?;
    }
    atomic::replace(folder, name, text.as_bytes(), atomic::for_its_owner())
}

/// A folder of the run's own, made where there is none. Links are not followed.
fn own_folder(state: &Dir, rel: &str) -> io::Result<Dir> {
    let mut folder = state.try_clone()?;
    for name in rel.split('/') {
        if folder.symlink_metadata(name).is_ok_and(|there| !there.is_dir()) {
            put_aside(&folder, name)?;
        }
        match folder.create_dir(name) {
            Err(e) if e.kind() != io::ErrorKind::AlreadyExists => return Err(e),
            Ok(()) | Err(_) => {}
        }
        folder = folder.open_dir_nofollow(name)?;
    }
    Ok(folder)
}

fn mirror_document(state: &Dir, marks: &Marks, mirror: &Mirror) -> Result<Option<String>, Failure> {
    let text = on_disk(marks, &mirror.text);
    let now = now(state, marks)?;
    let is = |raw: &str| raw == sha256_hex(text.as_bytes());
    if matches!(&now, CurrentStateFile::Hash { raw, shown } if is(raw) || *shown == mirror.sha256) {
        return Ok(None);
    }
    let known = match &now {
        CurrentStateFile::Nothing => true,
        CurrentStateFile::Hash { raw, shown } => {
            mirror.replaces.as_ref().is_some_and(|replaces| [raw, shown].contains(&replaces))
        }
        CurrentStateFile::Strange => false,
    };
    let found = match &now {
        CurrentStateFile::Hash { shown, .. } => shown.as_str(),
        CurrentStateFile::Nothing | CurrentStateFile::Strange => "",
    };
    if !known && mirror.refused.as_deref() != Some(found) {
        return Ok(Some(found.to_owned()));
    }
    let write = || {
        if !known {
            put_aside(state, NAME)?;
        }
        let permissions = match &now {
            CurrentStateFile::Hash { .. } if known => {
                Some(state.symlink_metadata(NAME)?.permissions())
            }
            _ => atomic::for_its_owner(),
        };
        atomic::replace(state, NAME, text.as_bytes(), permissions)
    };
    write().map_err(|e| write_failed(&AliasPath::state_document(), &e))?;
    Ok(None)
}

enum CurrentStateFile {
    Nothing,
    Hash {
        /// SHA-256 of the file.
        raw: String,
        /// The same of what is shown of it.
        shown: String,
    },
    /// A link, a folder, a pipe: kept aside like a foreign edit.
    Strange,
}

fn now(state: &Dir, marks: &Marks) -> Result<CurrentStateFile, Failure> {
    let path = AliasPath::state_document();
    match open_checked(state, NAME, &path) {
        Ok(opened) => {
            let mut bytes = Vec::new();
            let raw = hash(opened.file, &path, &CancellationToken::new(), |chunk| {
                if bytes.len() as u64 <= STATE_BYTES {
                    bytes.extend_from_slice(chunk);
                }
                Ok(())
            })?;
            let text = std::str::from_utf8(&bytes).ok().filter(|t| t.len() as u64 <= STATE_BYTES);
            let shown = text.map_or_else(|| raw.clone(), |t| sha256_hex(marks.shown(t).as_bytes()));
            Ok(CurrentStateFile::Hash { raw, shown })
        }
        Err(f) if f.code == ErrorCode::NotFound => Ok(CurrentStateFile::Nothing),
        Err(_) if state.symlink_metadata(NAME).is_ok_and(|m| !m.is_file()) => {
            Ok(CurrentStateFile::Strange)
        }
        Err(f) => Err(f),
    }
}

/// Renames what is there to the first free name of the form `workflow.md.rejected-<n>`.
fn put_aside(state: &Dir, name: &str) -> io::Result<()> {
    for n in 1..=u32::MAX {
        let aside = format!("{name}.rejected-{n}");
        match state.symlink_metadata(&aside) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                point(Point::BeforeAside);
                state.rename(name, state, &aside)?;
                point(Point::AfterAside);
                return atomic::sync(state);
            }
            Err(e) => return Err(e),
            Ok(_) => {}
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

pub(super) fn write_failed(path: &AliasPath, error: &io::Error) -> Failure {
    let message = said::state_not_written(path, io_said(error));
    let action = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => said::free_and_resume(),
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => {
            said::writable_and_resume()
        }
        _ => said::check_disk_and_resume(),
    };
    Failure::new(ErrorCode::StoreWriteFailed, message).with_action(action)
}
