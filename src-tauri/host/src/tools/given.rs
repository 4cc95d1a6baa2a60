//! The files that a person's words mention: a bounded beginning of each (spec 04 "Files that words
//! mention").

use kernel::bounds::{GIVEN_FILES, PREVIEW_BYTES};
use kernel::code::{ErrorCode, Failure};
use kernel::mark;
use kernel::mention::{GivenFile, Mention, NamedFiles, Withheld};
use kernel::path::AliasPath;
use std::collections::BTreeSet;
use std::io::Read as _;

use super::ToolHost;
use super::access::{Access, OpenedFile};
use super::mounts::io_failure;
use super::read::SNIFF_BYTES;
use crate::known_keys;

impl ToolHost {
    /// The files that a person's words mention, in the order of the mentions, with the beginnings of
    /// the first [`GIVEN_FILES`] under the limits of the agent that is spoken to. What is not there is
    /// no mention of a file. Blocks.
    pub fn given(&self, named: &NamedFiles) -> Vec<GivenFile> {
        let mut access = Access::new(&self.mounts, &self.private.marks, &named.policy);
        let mut seen = BTreeSet::new();
        let mut given: Vec<GivenFile> = Vec::new();
        for Mention { candidates } in &named.mentions {
            let shown = given.iter().filter(|file| file.withheld.is_none()).count();
            let file = if shown < GIVEN_FILES {
                candidates.iter().find_map(|path| look(&mut access, path))
            } else {
                let there = candidates.iter().find(|path| access.is_there(path));
                there.map(|path| GivenFile::withheld(path.clone(), Withheld::TooMany))
            };
            given.extend(file.filter(|file| seen.insert(file.path.clone())));
        }
        given
    }
}

/// `None` when there is nothing at `path`.
fn look(access: &mut Access<'_>, path: &AliasPath) -> Option<GivenFile> {
    let read = access.open_file(path).and_then(|opened| beginning(access, path, opened));
    let why = match read {
        Ok(file) => return Some(file),
        Err(failure) if failure.code == ErrorCode::NotFound => return None,
        Err(failure) if failure.code == ErrorCode::NotText => Withheld::NotText,
        Err(_) if access.open_folder(path).is_ok() => Withheld::Folder,
        // What is kept from the model is told of only where it is there.
        Err(_) if access.is_there(path) => Withheld::Refused,
        Err(_) => return None,
    };
    Some(GivenFile::withheld(path.clone(), why))
}

/// What a model is shown of a file: whole lines if there is one, and no half of a folder's name.
fn beginning(
    access: &Access<'_>,
    path: &AliasPath,
    opened: OpenedFile,
) -> Result<GivenFile, Failure> {
    let not_text = || Failure::for_model(ErrorCode::NotText, format!("{path} is not UTF-8 text"));
    let mut bytes = Vec::with_capacity(SNIFF_BYTES);
    let read = opened.file.take(SNIFF_BYTES as u64).read_to_end(&mut bytes);
    read.map_err(|e| io_failure(path, &e))?;
    if bytes.contains(&0) {
        return Err(not_text());
    }
    // A file may grow while it is read.
    let size = opened.len.max(bytes.len() as u64);
    let is_whole = size == bytes.len() as u64;
    let lens = access.lens(path);
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) if is_whole => text,
        Ok(text) => lens.uncut(text),
        // What is looked at ends inside a character.
        Err(e) if !is_whole && e.error_len().is_none() => {
            std::str::from_utf8(&bytes[..e.valid_up_to()]).map_err(|_| not_text())?
        }
        Err(_) => return Err(not_text()),
    };
    // Cut at last: half a key would not be known for one.
    let shown = lens.shown(text);
    let shown = known_keys::without_known(&shown);
    let most = usize::try_from(access.policy().max_read_bytes).unwrap_or(usize::MAX);
    let most = most.min(PREVIEW_BYTES);
    let cut = !is_whole || shown.len() > most;
    let mut preview = mark::ellipsis(&shown, most);
    if let Some(end) = preview.rfind('\n').filter(|_| cut) {
        preview.truncate(end + 1);
    }
    let (label, path) = (path.file_name().to_owned(), path.clone());
    Ok(GivenFile { label, path, preview, cut, bytes: size, withheld: None })
}
