//! Going through a folder by handles: sorted, no link followed, nothing with a leading dot unless
//! asked for, nothing the user keeps private, nothing an alias path cannot name.

use cap_fs_ext::DirExt as _;
use cap_std::fs::{Dir, DirEntry};
use kernel::bounds::{ENTRIES_HELD, ENTRIES_SEEN, WALK_DEPTH};
use kernel::code::{ErrorCode, Failure};
use kernel::path::AliasPath;
use serde_json::json;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

use super::access::Access;
use super::mounts::{STORE_FILES, io_failure};
use super::stream::stopped;

/// What a walk came across.
pub(super) struct WalkedEntry<'w> {
    /// The folder it lies in.
    pub(super) folder: &'w Arc<Dir>,
    /// Its name there.
    pub(super) name: &'w str,
    /// The path to show.
    pub(super) path: &'w AliasPath,
    /// File, folder, link.
    pub(super) kind: WalkedKind,
}

/// What an entry is. Pipes, sockets and devices are passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WalkedKind {
    File,
    Folder,
    Link,
}

/// One walk.
pub(super) struct FolderWalk<'w, 'm> {
    pub(super) access: &'w mut Access<'m>,
    pub(super) cancel: &'w CancellationToken,
    /// 1: only the folder's own entries.
    pub(super) depth: u32,
    /// With entries whose name begins with a dot.
    pub(super) hidden: bool,
}

/// What to do after an entry: go on (below it too, if it is a folder), pass it over, or end.
pub(super) type WalkStep = ControlFlow<(), bool>;

impl FolderWalk<'_, '_> {
    /// Visits everything below `dir`, a folder's entries in the order of their names.
    pub(super) fn visit(
        &mut self,
        dir: Dir,
        path: &AliasPath,
        each: &mut dyn FnMut(&mut Access<'_>, &WalkedEntry<'_>) -> Result<WalkStep, Failure>,
    ) -> Result<(), Failure> {
        let depth = self.depth.min(WALK_DEPTH);
        self.level(&Arc::new(dir), path, depth, &mut Room::default(), each).map(|_| ())
    }

    fn level(
        &mut self,
        dir: &Arc<Dir>,
        path: &AliasPath,
        depth: u32,
        room: &mut Room,
        each: &mut dyn FnMut(&mut Access<'_>, &WalkedEntry<'_>) -> Result<WalkStep, Failure>,
    ) -> Result<ControlFlow<()>, Failure> {
        self.access.enter(path, dir)?;
        let before = room.held;
        let entries = entries(dir, path, self.hidden, room)?;
        let holds = |file: &&str| entries.binary_search_by(|entry| (*entry.0).cmp(file)).is_ok();
        if STORE_FILES.iter().all(holds) {
            room.held = before;
            return Ok(ControlFlow::Continue(()));
        }
        for (name, kind) in entries {
            if self.cancel.is_cancelled() {
                return Err(stopped());
            }
            let Ok(path) = path.child(&name) else { continue };
            if !self.access.may_show(&path, kind == WalkedKind::Folder)? {
                continue;
            }
            let found = WalkedEntry { folder: dir, name: &name, path: &path, kind };
            let below = match each(self.access, &found)? {
                ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
                ControlFlow::Continue(below) => below && kind == WalkedKind::Folder && depth > 1,
            };
            // A folder that vanished or was swapped for a link since is passed over.
            let Some(next) = below.then(|| dir.open_dir_nofollow(&name).ok()).flatten() else {
                continue;
            };
            if self.level(&Arc::new(next), &path, depth - 1, room, each)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        room.held = before;
        Ok(ControlFlow::Continue(()))
    }
}

/// What is left of the entries that one call may hold and see.
pub(super) struct Room {
    held: usize,
    seen: usize,
}

impl Default for Room {
    fn default() -> Self {
        Self { held: ENTRIES_HELD, seen: ENTRIES_SEEN }
    }
}

impl Room {
    /// One entry of `folder` more is held.
    fn hold(&mut self, folder: &AliasPath) -> Result<(), Failure> {
        self.held = self.held.checked_sub(1).ok_or_else(|| too_many(folder, ENTRIES_HELD))?;
        self.see(folder)
    }

    /// One entry of `folder` more is looked at.
    pub(super) fn see(&mut self, folder: &AliasPath) -> Result<(), Failure> {
        self.seen = self.seen.checked_sub(1).ok_or_else(|| too_many(folder, ENTRIES_SEEN))?;
        Ok(())
    }
}

fn too_many(folder: &AliasPath, most: usize) -> Failure {
    let message = format!("at {folder} there were more than {most} entries to look at");
    Failure::for_model(ErrorCode::ReadLimit, message)
        .with_details(json!({ "limit": most }))
        .with_action_for_model("Name a folder further down.")
}

fn entries(
    dir: &Dir,
    path: &AliasPath,
    hidden: bool,
    room: &mut Room,
) -> Result<Vec<(String, WalkedKind)>, Failure> {
    let failed = |e: io::Error| io_failure(path, &e);
    let mut out = Vec::new();
    for entry in dir.entries().map_err(failed)? {
        room.hold(path)?;
        out.extend(shown(&entry.map_err(failed)?, hidden));
    }
    out.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    Ok(out)
}

/// An entry's name and kind; `None` for what tools do not show.
pub(super) fn shown(entry: &DirEntry, hidden: bool) -> Option<(String, WalkedKind)> {
    let name = entry.file_name().into_string().ok()?;
    if name.starts_with('.') && !hidden {
        return None;
    }
    let kind = entry.file_type().ok()?;
    let kind = if kind.is_symlink() {
        WalkedKind::Link
    } else if kind.is_dir() {
        WalkedKind::Folder
    } else if kind.is_file() {
        WalkedKind::File
    } else {
        return None;
    };
    Some((name, kind))
}
