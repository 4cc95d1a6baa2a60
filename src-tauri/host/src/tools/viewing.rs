//! A file of the project for a person who opens it: as it is now, as it was before the run, and what
//! differs. Reads, and keeps nothing.

use cap_std::fs::File;
use kernel::bounds::{KEPT_FILE_BYTES, LISTED_ENTRIES, VIEWED_BYTES};
use kernel::changed_files::FileEffect;
use kernel::code::{ErrorCode, Failure};
use kernel::outside::{self, BEGINNING_BYTES, OpenIn, is_document};
use kernel::path::AliasPath;
use kernel::phrase::outside as said;
use kernel::policy::{SystemTools, ToolPolicy};
use kernel::text;
use kernel::whole;
use kernel::wire::{FileContent, FileDifference, FileView, FolderEntry, FolderView};
use std::io::Read as _;
use tokio_util::sync::CancellationToken;

use super::ToolHost;
use super::access::{Access, OpenedFile};
use super::list;
use super::mounts::{io_failure, no_such_place};
use crate::known_keys;
use crate::real_path::RealPath;

/// What is, or was, at a path, with all of its text.
enum WholeContent {
    Text(String),
    /// Text that is longer than is compared; its beginning.
    TooLong(String, u64),
    Other(FileContent),
}

impl ToolHost {
    /// Opens a file for a person. `effect` is what the run did to it, where it did something. Blocks.
    ///
    /// # Errors
    /// `STORE_READ_FAILED` when what was kept of it is damaged.
    pub(crate) fn view(
        &self,
        path: AliasPath,
        effect: Option<FileEffect>,
    ) -> Result<FileView, Failure> {
        let policy = ToolPolicy::merge(&SystemTools::default(), None);
        let mut access = Access::new(&self.mounts, &self.private.marks, &policy);
        let (now, sha256) = found(&mut access, &path)?;
        let change = effect.map(|effect| self.difference(effect, &now)).transpose()?;
        let is_document = now.is_there() && is_document(&path);
        Ok(FileView { path, now: now.shown(), sha256, is_document, change })
    }

    /// What lies right in a folder. Blocks.
    ///
    /// # Errors
    /// `ENOENT`; `E_SANDBOX_VIOLATION` for what is not shown; `E_IO` for what is no folder.
    pub(crate) fn folder(&self, path: &AliasPath) -> Result<FolderView, Failure> {
        let policy = ToolPolicy::merge(&SystemTools::default(), None);
        let mut access = Access::new(&self.mounts, &self.private.marks, &policy);
        let cancel = CancellationToken::new();
        let names = list::names(&mut access, path, 1, LISTED_ENTRIES, &cancel);
        let (names, seen) = names.map_err(|failure| not_opened(path, failure))?;
        let mut entries: Vec<FolderEntry> = names
            .iter()
            .filter_map(|name| {
                let path = path.child(name.trim_end_matches('/')).ok()?;
                Some(FolderEntry { path, is_folder: name.ends_with('/') })
            })
            .collect();
        entries.sort_by_key(|entry| !entry.is_folder);
        Ok(FolderView { entries, more: seen.saturating_sub(LISTED_ENTRIES) })
    }

    /// Where a file or folder is that a person opens in another program: one that they may be
    /// shown, by the name that it really has. Blocks.
    ///
    /// # Errors
    /// `ENOENT`; `E_SANDBOX_VIOLATION` for what is not shown; `NOT_OPENED` for what is no
    /// document, or might be run.
    pub(crate) fn outside(&self, path: &AliasPath, open_in: OpenIn) -> Result<RealPath, Failure> {
        let policy = ToolPolicy::merge(&SystemTools::default(), None);
        let mut access = Access::new(&self.mounts, &self.private.marks, &policy);
        let (at, can_run) = match access.open_file(path) {
            Ok(OpenedFile { file, resolved, .. }) => {
                let at = resolved.unwrap_or_else(|| path.clone());
                let can_run = !is_document(&at) || begins_like_a_program(path, file)?;
                (at, can_run)
            }
            // A folder is a program on some systems.
            Err(failure) => match access.open_folder(path) {
                Ok((_, at)) => (at, true),
                Err(_) => return Err(not_opened(path, failure)),
            },
        };
        if open_in == OpenIn::Program && can_run {
            let failure = Failure::new(ErrorCode::NotOpened, said::no_document(path));
            return Err(failure.with_action(said::show_it_in_its_folder()));
        }
        self.mounts.real(&at).ok_or_else(|| no_such_place(&at))
    }

    fn difference(
        &self,
        effect: FileEffect,
        now: &WholeContent,
    ) -> Result<FileDifference, Failure> {
        let before = self.before(&effect)?;
        let diff = match (before.whole(), now.whole()) {
            // One that is too long to be read is not shown.
            (Some(before), Some(now)) => whole::diff(&effect.path, before, now).ok(),
            _ => None,
        };
        Ok(FileDifference { before: before.shown(), diff: diff.as_deref().map(hidden), effect })
    }

    fn before(&self, effect: &FileEffect) -> Result<WholeContent, Failure> {
        let Some(sha256) = &effect.sha256_before else {
            return Ok(WholeContent::Other(FileContent::Nothing));
        };
        Ok(match self.checkpoints.read(sha256)? {
            None => WholeContent::Other(FileContent::NotKept),
            Some(bytes) => of_bytes(bytes),
        })
    }
}

/// What a person is told of what they cannot open.
fn not_opened(path: &AliasPath, failure: Failure) -> Failure {
    match failure.code {
        ErrorCode::NotFound => Failure::new(ErrorCode::NotFound, said::file_gone(path)),
        code @ (ErrorCode::SandboxViolation | ErrorCode::SecretFile) => {
            Failure::new(code, said::not_shown(path))
        }
        _ => failure,
    }
}

/// Some systems look at what is in a file, and not at its name.
fn begins_like_a_program(path: &AliasPath, file: File) -> Result<bool, Failure> {
    let mut beginning = Vec::new();
    file.take(BEGINNING_BYTES).read_to_end(&mut beginning).map_err(|e| io_failure(path, &e))?;
    Ok(outside::begins_like_a_program(&beginning))
}

/// What is at a path, and the hash of all of it where it was read whole.
fn found(
    access: &mut Access<'_>,
    path: &AliasPath,
) -> Result<(WholeContent, Option<String>), Failure> {
    let opened = match access.open_file(path) {
        Ok(opened) => opened,
        Err(failure) => {
            let is_folder = access.open_folder(path).is_ok();
            let content = match failure.code {
                ErrorCode::NotFound => FileContent::Nothing,
                _ if is_folder => FileContent::Folder,
                _ => FileContent::Refused,
            };
            return Ok((WholeContent::Other(content), None));
        }
    };
    let mut bytes = Vec::new();
    let read = opened.file.take(KEPT_FILE_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|e| io_failure(path, &e))?;
    if bytes.len() as u64 <= KEPT_FILE_BYTES {
        let sha256 = text::sha256_hex(&bytes);
        return Ok((of_bytes(bytes), Some(sha256)));
    }
    bytes.truncate(VIEWED_BYTES);
    let long = opened.len.max(KEPT_FILE_BYTES + 1);
    let content = match beginning(&bytes) {
        Some(text) => WholeContent::TooLong(text.to_owned(), long),
        None => WholeContent::Other(FileContent::NotText { bytes: long }),
    };
    Ok((content, None))
}

fn of_bytes(bytes: Vec<u8>) -> WholeContent {
    let len = bytes.len() as u64;
    match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => WholeContent::Text(text),
        Ok(_) | Err(_) => WholeContent::Other(FileContent::NotText { bytes: len }),
    }
}

/// The text that bytes begin with that end anywhere.
fn beginning(bytes: &[u8]) -> Option<&str> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(e) if e.error_len().is_none() => std::str::from_utf8(&bytes[..e.valid_up_to()]).ok()?,
        Err(_) => return None,
    };
    (!text.contains('\0')).then_some(text)
}

impl WholeContent {
    /// Whether there is a file that may be read.
    const fn is_there(&self) -> bool {
        match self {
            Self::Text(_) | Self::TooLong(..) | Self::Other(FileContent::NotText { .. }) => true,
            Self::Other(_) => false,
        }
    }

    fn whole(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Other(FileContent::Nothing) => Some(""),
            Self::TooLong(..) | Self::Other(_) => None,
        }
    }

    /// As much of it as a window holds, without the keys of the program.
    fn shown(self) -> FileContent {
        let (text, bytes) = match self {
            Self::Other(content) => return content,
            Self::TooLong(text, bytes) => (text, bytes),
            Self::Text(text) => {
                let bytes = text.len() as u64;
                (text, bytes)
            }
        };
        let text = hidden(&text);
        let cut = text.len() > VIEWED_BYTES || bytes > KEPT_FILE_BYTES;
        FileContent::Text { text: text::prefix(&text, VIEWED_BYTES).to_owned(), bytes, cut }
    }
}

/// The program's own keys are shown nowhere.
fn hidden(text: &str) -> String {
    known_keys::without_known(text).into_owned()
}
