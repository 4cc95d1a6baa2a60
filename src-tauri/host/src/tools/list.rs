//! `fs.list`

use cap_fs_ext::DirExt as _;
use cap_std::fs::Dir;
use kernel::bounds::LIST_DEPTH;
use kernel::code::Failure;
use kernel::path::AliasPath;
use kernel::tool::list::{Args, Output};
use std::collections::BinaryHeap;
use tokio_util::sync::CancellationToken;

use super::access::Access;
use super::mounts::{check_no_store, io_failure, resolve};
use super::stream::stopped;
use super::walk::{Room, WalkedKind, shown};

/// Entries in one answer.
const CAP: usize = 200;

/// `{ok, path, entries[], truncated?, hint?}`: names below `path`, folders with `/`, sorted. Over
/// the cap the entries nearest to `path` are kept, of one level the first by name; no more than
/// the cap is ever held.
pub(super) fn run(
    access: &mut Access<'_>,
    path: &AliasPath,
    args: &Args,
    cancel: &CancellationToken,
) -> Result<Output, Failure> {
    let depth = args.depth.unwrap_or(1).clamp(1, LIST_DEPTH);
    let (kept, seen) = names(access, path, depth, CAP, cancel)?;
    let truncated = seen > CAP;
    let hint = truncated.then(|| {
        format!(
            "{CAP} of {seen} entries are shown. List a folder further down, or find files with fs_glob or fs_search."
        )
    });
    Ok(Output { path: path.clone(), entries: kept, truncated, hint })
}

/// The names below `path` as [`run`] gives them, at most `cap`, and how many there are on the levels
/// that were looked at.
pub(super) fn names(
    access: &mut Access<'_>,
    path: &AliasPath,
    depth: u32,
    cap: usize,
    cancel: &CancellationToken,
) -> Result<(Vec<String>, usize), Failure> {
    let (dir, real) = access.open_folder(path)?;
    let (room, kept) = (Room::default(), Vec::new());
    let mut listing = Listing { access, cancel, top: real.clone(), cap, kept, seen: 0, room };
    let mut level = vec![(dir, real)];
    for _ in 0..depth {
        level = listing.level(&level)?;
        if level.is_empty() || listing.seen > cap {
            break;
        }
    }
    let Listing { mut kept, seen, .. } = listing;
    kept.sort();
    Ok((kept, seen))
}

struct Listing<'l, 'm> {
    access: &'l mut Access<'m>,
    cancel: &'l CancellationToken,
    top: AliasPath,
    /// How many entries are kept at most.
    cap: usize,
    kept: Vec<String>,
    /// Entries that may be shown, so far as the levels were looked at.
    seen: usize,
    room: Room,
}

/// An entry of a level; ordered by name.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct ListRow {
    shown: String,
    /// The folder of the level it lies in, and its name there.
    parent: usize,
    name: String,
    /// Can be gone into: a folder, no link.
    folder: bool,
}

impl Listing<'_, '_> {
    /// Lists one level; the folders of the next.
    fn level(&mut self, folders: &[(Dir, AliasPath)]) -> Result<Vec<(Dir, AliasPath)>, Failure> {
        let room = self.cap - self.kept.len();
        let mut first: BinaryHeap<ListRow> = BinaryHeap::new();
        for (parent, (dir, path)) in folders.iter().enumerate() {
            for entry in dir.entries().map_err(|e| io_failure(path, &e))? {
                if self.cancel.is_cancelled() {
                    return Err(stopped());
                }
                self.room.see(path)?;
                let entry = entry.map_err(|e| io_failure(path, &e))?;
                let Some((name, kind)) = shown(&entry, false) else { continue };
                let Some(row) = self.row(parent, path, name, kind)? else { continue };
                self.seen += 1;
                first.push(row);
                if first.len() > room {
                    first.pop();
                }
            }
        }
        let mut next = Vec::new();
        for row in first.into_sorted_vec() {
            let (dir, path) = &folders[row.parent];
            self.kept.push(row.shown);
            if row.folder
                && let (Ok(below), Ok(path)) =
                    (dir.open_dir_nofollow(&row.name), path.child(&row.name))
                && check_no_store(&below, &path).is_ok()
            {
                next.push((below, path));
            }
        }
        Ok(next)
    }

    /// `None` when the call may not see it.
    fn row(
        &mut self,
        parent: usize,
        path: &AliasPath,
        name: String,
        kind: WalkedKind,
    ) -> Result<Option<ListRow>, Failure> {
        let Ok(path) = path.child(&name) else { return Ok(None) };
        if !self.access.may_show(&path, kind == WalkedKind::Folder)? {
            return Ok(None);
        }
        let Some(is_folder) = self.kind_shown(&path, kind)? else { return Ok(None) };
        let skip = self.top.rel().len() + usize::from(!self.top.rel().is_empty());
        let slash = if is_folder { "/" } else { "" };
        let shown = format!("{}{slash}", &path.rel()[skip..]);
        Ok(Some(ListRow { shown, parent, name, folder: kind == WalkedKind::Folder }))
    }

    /// Whether the entry is shown as a folder; `None` when it is not shown. A link is shown when
    /// it stays inside and leads to something the call may read.
    fn kind_shown(&mut self, path: &AliasPath, kind: WalkedKind) -> Result<Option<bool>, Failure> {
        match kind {
            WalkedKind::File => return Ok(Some(false)),
            WalkedKind::Folder => return Ok(Some(true)),
            WalkedKind::Link => {}
        }
        let place = self.access.root(path).and_then(|root| resolve(root, path));
        let Ok(place) = place else { return Ok(None) };
        let Some(name) = &place.name else { return Ok(Some(true)) };
        let Ok(meta) = place.folder.symlink_metadata(name) else { return Ok(None) };
        let Ok(real) = AliasPath::new(path.mount(), &place.rel) else { return Ok(None) };
        let shown =
            (meta.is_dir() || meta.is_file()) && self.access.may_read(&real, meta.is_dir())?;
        Ok(shown.then(|| meta.is_dir()))
    }
}
