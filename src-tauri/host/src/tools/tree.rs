//! What lies at a path, whole: one file, or a folder with everything in it. For calls that move
//! or remove it: each part must be one that tools may change.

use cap_fs_ext::{DirExt as _, MetadataExt as _};
use cap_std::fs::{Dir, Metadata};
use kernel::bounds::{TREE_DEPTH, TREE_ENTRIES};
use kernel::code::{ErrorCode, Failure};
use kernel::path::AliasPath;
use kernel::text::hex;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use tokio_util::sync::CancellationToken;

use super::access::{Access, MovableEntry, hard_link, open_checked, special};
use super::mounts::{check_no_store, io_failure, refused};
use super::stream::hash;

/// What kind of thing an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ItemKind {
    File,
    Folder,
    Link,
}

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TreeItem {
    pub(super) path: AliasPath,
    pub(super) kind: ItemKind,
    pub(super) bytes: u64,
    /// Of a file's bytes, of a link's target; empty for a folder.
    pub(super) sha256: String,
}

/// All of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Survey {
    /// A file's own SHA-256; of a folder that of its listing with all hashes.
    pub(super) hash: String,
    /// Without the folder itself.
    pub(super) items: Vec<TreeItem>,
}

impl Survey {
    pub(super) fn count(&self, kind: ItemKind) -> usize {
        self.items.iter().filter(|item| item.kind == kind).count()
    }

    pub(super) fn bytes(&self) -> u64 {
        self.items.iter().map(|item| item.bytes).sum()
    }
}

/// One look at everything below an entry.
pub(super) struct Surveyor<'s, 'm> {
    pub(super) access: &'s mut Access<'m>,
    /// Where it will be: each part must be allowed there too.
    pub(super) to: Option<&'s AliasPath>,
}

impl Surveyor<'_, '_> {
    /// Looks at `name` of `folder`, which is known as `path`.
    pub(super) fn survey(
        &mut self,
        folder: &Dir,
        name: &str,
        path: &AliasPath,
    ) -> Result<Survey, Failure> {
        let meta = folder.symlink_metadata(name).map_err(|e| io_failure(path, &e))?;
        if !meta.is_dir() {
            let item = file(folder, name, path, self.access.cancel())?;
            return Ok(Survey { hash: item.sha256.clone(), items: vec![item] });
        }
        let above = folder.dir_metadata().map_err(|e| io_failure(path, &e))?;
        if above.dev() != meta.dev() {
            return Err(other_mount(path));
        }
        let mut items = Vec::new();
        let dir = folder.open_dir_nofollow(name).map_err(|e| io_failure(path, &e))?;
        self.level(&dir, path, self.to, &mut items, TREE_DEPTH)?;
        items.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Survey { hash: listing_hash(&items, path), items })
    }

    /// A folder, known as `path`, that will be `to`.
    fn level(
        &mut self,
        dir: &Dir,
        path: &AliasPath,
        to: Option<&AliasPath>,
        items: &mut Vec<TreeItem>,
        depth: usize,
    ) -> Result<(), Failure> {
        let io = |e: std::io::Error| io_failure(path, &e);
        check_no_store(dir, path)?;
        let dev = dir.dir_metadata().map_err(io)?.dev();
        for entry in dir.entries().map_err(io)? {
            let name = entry.map_err(io)?.file_name().into_string();
            let name = name.map_err(|_| unnameable(path))?;
            let below = path.child(&name).map_err(|_| unnameable(path))?;
            if items.len() >= TREE_ENTRIES || depth == 0 {
                return Err(too_many(path));
            }
            let meta = dir.symlink_metadata(&name).map_err(io)?;
            if meta.dev() != dev {
                return Err(other_mount(path));
            }
            let there = to.map(|to| to.child(&name)).transpose().map_err(|_| unnameable(path))?;
            self.may_change(path, &below, there.as_ref(), meta.is_dir())?;
            items.push(item(dir, &name, &below, &meta, self.access.cancel())?);
            if meta.is_dir() {
                let next = dir.open_dir_nofollow(&name).map_err(io)?;
                self.level(&next, &below, there.as_ref(), items, depth - 1)?;
            }
        }
        Ok(())
    }

    /// Under both names of what lies in `folder`. What is private is not named: only that there is
    /// something.
    fn may_change(
        &mut self,
        folder: &AliasPath,
        here: &AliasPath,
        there: Option<&AliasPath>,
        is_dir: bool,
    ) -> Result<(), Failure> {
        let mut names = std::iter::once(here).chain(there);
        names.try_for_each(|name| self.access.check_change(name, Some(is_dir))).map_err(|_| {
            refused(folder, "protected_inside", "it holds something that tools may not change")
                .with_action_for_model(
                    "Move or delete the files you made one by one, or ask the user.",
                )
        })
    }
}

fn item(
    dir: &Dir,
    name: &str,
    path: &AliasPath,
    meta: &Metadata,
    cancel: &CancellationToken,
) -> Result<TreeItem, Failure> {
    if meta.is_dir() {
        let sha256 = String::new();
        return Ok(TreeItem { path: path.clone(), kind: ItemKind::Folder, bytes: 0, sha256 });
    }
    if meta.is_symlink() {
        let target = dir.read_link_contents(name).map_err(|e| io_failure(path, &e))?;
        let sha256 = hex(&Sha256::digest(target.as_os_str().as_encoded_bytes()));
        return Ok(TreeItem { path: path.clone(), kind: ItemKind::Link, bytes: 0, sha256 });
    }
    file(dir, name, path, cancel)
}

fn file(
    dir: &Dir,
    name: &str,
    path: &AliasPath,
    cancel: &CancellationToken,
) -> Result<TreeItem, Failure> {
    let meta = dir.symlink_metadata(name).map_err(|e| io_failure(path, &e))?;
    if !meta.is_file() && !meta.is_symlink() {
        return Err(special(path));
    }
    let opened = open_checked(dir, name, path)?;
    let links = opened.file.metadata().map_err(|e| io_failure(path, &e))?.nlink();
    if links > 1 {
        return Err(hard_link(path));
    }
    let bytes = opened.len;
    let sha256 = hash(opened.file, path, cancel, |_| Ok(()))?;
    Ok(TreeItem { path: path.clone(), kind: ItemKind::File, bytes, sha256 })
}

fn listing_hash(items: &[TreeItem], path: &AliasPath) -> String {
    let mut sha = Sha256::new();
    sha.update(b"folder\n");
    for item in items {
        let rel = item.path.rel().strip_prefix(path.rel()).unwrap_or(item.path.rel());
        sha.update(format!("{:?} {} {} {rel}\n", item.kind, item.bytes, item.sha256));
    }
    hex(&sha.finalize())
}

/// Whether `entry` and `folder` are on one disk.
pub(super) fn same_mount(entry: &MovableEntry, folder: &Dir) -> bool {
    folder.dir_metadata().is_ok_and(|meta| meta.dev() == entry.meta.dev())
}

pub(super) fn other_mount(path: &AliasPath) -> Failure {
    refused(path, "other_mount", "another disk or folder is mounted there")
        .with_action_for_model("Copy the files with fs_read and fs_write, or ask the user.")
}

fn unnameable(path: &AliasPath) -> Failure {
    refused(path, "unnameable_inside", "it holds a file whose name no path can say")
        .with_action_for_model("Ask the user to do it.")
}

fn too_many(path: &AliasPath) -> Failure {
    let message = format!("{path} holds more than {TREE_ENTRIES} entries or too many levels");
    Failure::for_model(ErrorCode::WriteLimit, message)
        .with_details(json!({ "limit": TREE_ENTRIES }))
        .with_action_for_model("Do it folder by folder, or ask the user.")
}
