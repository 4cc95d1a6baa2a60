//! A folder that stands where a file comes back to. It goes when all that lies in it goes.

use cap_fs_ext::DirExt as _;
use cap_std::fs::Dir;
use kernel::code::{ErrorCode, Failure};
use kernel::path::AliasPath;
use std::io;

use super::access::{Access, MovableEntry};
use super::mounts::io_failure;
use super::tree::{ItemKind, Survey, Surveyor};
use crate::atomic;

/// Whether a folder is at `path` in which nothing will be left but folders, and something goes.
pub(super) fn will_be_empty(
    access: &mut Access<'_>,
    path: &AliasPath,
    goes: impl Fn(&AliasPath) -> bool,
) -> bool {
    let Ok((_, survey)) = folder(access, path) else { return false };
    let mut files = survey.items.iter().filter(|item| item.kind != ItemKind::Folder).peekable();
    files.peek().is_some() && files.all(|item| goes(&item.path))
}

/// Removes the folder at `path`, in which nothing is left but folders.
pub(super) fn remove_empty(access: &mut Access<'_>, path: &AliasPath) -> Result<(), Failure> {
    let (entry, survey) = folder(access, path)?;
    if survey.items.len() > survey.count(ItemKind::Folder) {
        let message = format!("{path} is a folder with files");
        return Err(Failure::for_model(ErrorCode::NotEmpty, message));
    }
    remove(&entry.folder, &entry.name)
        .and_then(|()| atomic::sync(&entry.folder))
        .map_err(|e| io_failure(path, &e))
}

fn folder(access: &mut Access<'_>, path: &AliasPath) -> Result<(MovableEntry, Survey), Failure> {
    let entry = access.locate_entry(path)?;
    if !entry.meta.is_dir() {
        return Err(io_failure(path, &io::ErrorKind::NotADirectory.into()));
    }
    let survey = Surveyor { access, to: None }.survey(&entry.folder, &entry.name, path)?;
    Ok((entry, survey))
}

/// Removes folders one by one: whatever came into one of them meanwhile stays. They are no deeper
/// than a survey goes.
fn remove(parent: &Dir, name: &str) -> io::Result<()> {
    let folder = parent.open_dir_nofollow(name)?;
    for entry in folder.entries()? {
        let name = entry?.file_name();
        let name = name.to_str().ok_or(io::ErrorKind::InvalidFilename)?;
        remove(&folder, name)?;
    }
    parent.remove_dir(name)
}
