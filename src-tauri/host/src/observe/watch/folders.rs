//! Which folders below a root are watched, and what of their changes is worth telling.
//!
//! On Linux every folder costs a watch, so the ignored ones get none; elsewhere the root is
//! watched as a whole and what is ignored is passed over. Blocking: it reads folders.

use cap_fs_ext::DirExt as _;
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use kernel::bounds::{POLLED_FOLDERS, WATCHED_FOLDERS};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use notify_debouncer_full::DebounceEventResult;
use std::collections::{BTreeSet, VecDeque};
use std::ops::Bound;
use std::path::{Path, PathBuf};

use super::backend::{Backend, Raw, is_limit};
use crate::real_path::RealPath;
use crate::tools::rules::IgnoreRules;

/// Folders nobody wants to hear of.
const PASSED_OVER: [&str; 2] = [".git", "node_modules"];
/// Files that say what is ignored: when one changes, the folders are gone through again.
const IGNORE_FILES: [&str; 3] = [".gitignore", ".ignore", ".crewagentignore"];
/// Names with a leading dot that matter all the same.
const SHOWN: [&str; 1] = [crate::projects::PROJECT_FILE];

/// What below the root is of interest.
#[derive(Debug, Clone)]
pub(crate) enum WatchScope {
    /// These files of the root itself.
    Files(Vec<String>),
    /// Everything but what is ignored and this folder (the store).
    Project(PathBuf),
    /// Everything, also what is ignored: a package being written.
    Tree,
}

/// What changed below a watched root.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Changes {
    /// Below the root, `/`-separated.
    pub(crate) paths: BTreeSet<String>,
    /// It is not known what else: look at everything again.
    pub(crate) rescan: bool,
    /// From here on changes are seen late or not everywhere.
    pub(crate) limited: bool,
}

impl Changes {
    pub(super) fn is_empty(&self) -> bool {
        self == &Self::default()
    }
}

/// The folders being watched. Stops when dropped.
pub(super) struct Folders<N: Watcher = RecommendedWatcher> {
    root: RealPath,
    scope: WatchScope,
    raw: Raw,
    /// `None` only after [`Folders::stop`].
    backend: Option<Backend<N>>,
    watched: BTreeSet<PathBuf>,
    limited: bool,
}

impl<N: Watcher> Folders<N> {
    /// Begins. An error when not even looking now and then is possible.
    pub(super) fn begin(root: RealPath, scope: WatchScope, raw: Raw) -> notify::Result<Self> {
        let (backend, limited) = match Backend::native(raw.clone()) {
            Ok(backend) => (backend, false),
            Err(error) if is_limit(&error) => (Backend::polling(raw.clone())?, true),
            Err(error) => return Err(error),
        };
        let (backend, watched) = (Some(backend), BTreeSet::new());
        let mut folders = Self { root, scope, raw, backend, watched, limited };
        folders.add_root()?;
        Ok(folders)
    }

    /// Whether changes are seen late or not everywhere.
    pub(super) fn is_limited(&self) -> bool {
        self.limited
    }

    /// Ends and waits for the threads.
    pub(super) fn stop(mut self) {
        if let Some(backend) = self.backend.take() {
            backend.stop();
        }
    }

    /// What of these events is worth telling; folders that came or went are taken into account.
    pub(super) fn digest(&mut self, results: Vec<DebounceEventResult>) -> Changes {
        let was_limited = self.limited;
        let mut changes = Changes::default();
        let mut touched = BTreeSet::new();
        for result in results {
            match result {
                Ok(events) => {
                    for event in events {
                        changes.rescan |= event.need_rescan();
                        // Reading is no change, and we read what changed.
                        if !matches!(event.kind, EventKind::Access(_)) {
                            touched.extend(event.event.paths);
                        }
                    }
                }
                Err(errors) => {
                    changes.rescan = true;
                    if errors.iter().any(is_limit) {
                        self.poll();
                    }
                }
            }
        }
        self.filter(touched, &mut changes);
        if changes.rescan {
            self.add_tree("");
        }
        changes.limited = self.limited && !was_limited;
        changes
    }

    fn filter(&mut self, touched: BTreeSet<PathBuf>, changes: &mut Changes) {
        let root = self.root.as_path().to_owned();
        let store = match &self.scope {
            WatchScope::Project(store) => Some(store.clone()),
            WatchScope::Files(_) | WatchScope::Tree => None,
        };
        let dir = open(&root);
        let mut ignored = Ignored::new(&self.scope, dir.as_ref());
        for path in touched {
            if store.as_ref().is_some_and(|store| path.starts_with(store)) {
                continue;
            }
            let Some(rel) = below(&root, &path) else { continue };
            if rel.is_empty() {
                // The root itself was moved, deleted or put back.
                changes.rescan |= !path.is_dir() || !self.watched.contains(&path);
                continue;
            }
            let is_dir = path.symlink_metadata().is_ok_and(|meta| meta.is_dir());
            if ignored.covers(&rel, is_dir) {
                continue;
            }
            changes.rescan |= ignored.is_rule(&rel);
            if is_dir {
                self.add_tree(&rel);
            } else {
                self.drop_tree(&path);
            }
            changes.paths.insert(rel);
        }
    }

    fn add_root(&mut self) -> notify::Result<()> {
        let root = self.root.as_path().to_owned();
        let whole = !cfg!(target_os = "linux") && !matches!(self.scope, WatchScope::Files(_));
        let mode = if whole { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
        self.add(&root, mode)?;
        self.add_tree("");
        Ok(())
    }

    /// Watches the folder `rel` and everything below it that is not ignored.
    fn add_tree(&mut self, rel: &str) {
        let root = self.root.as_path().to_owned();
        let polling = self.backend.as_ref().is_some_and(Backend::is_polling);
        let one_by_one = cfg!(target_os = "linux") || polling;
        if matches!(self.scope, WatchScope::Files(_)) || !one_by_one {
            return;
        }
        let Some(dir) = open(&root) else { return };
        let scope = self.scope.clone();
        let mut ignored = Ignored::new(&scope, Some(&dir));
        let mut queue = VecDeque::from([rel.to_owned()]);
        while let Some(rel) = queue.pop_front() {
            let Some(folder) = folder_at(&dir, &rel) else { continue };
            let most = if polling { POLLED_FOLDERS } else { WATCHED_FOLDERS };
            if self.watched.len() >= most {
                self.limited = true;
                return;
            }
            let path = if rel.is_empty() { root.clone() } else { root.join(&rel) };
            if let WatchScope::Project(store) = &scope
                && path.starts_with(store)
            {
                continue;
            }
            // A folder that vanished in between was told of by the one above it.
            if let Err(error) = self.add(&path, RecursiveMode::NonRecursive) {
                tracing::debug!(kind = ?error.kind, "a folder cannot be watched");
                continue;
            }
            for name in subfolders(&folder) {
                let below = if rel.is_empty() { name } else { format!("{rel}/{name}") };
                if !ignored.covers(&below, true) {
                    queue.push_back(below);
                }
            }
        }
    }

    fn add(&mut self, path: &Path, mode: RecursiveMode) -> notify::Result<()> {
        let Some(backend) = &mut self.backend else { return Ok(()) };
        match backend.watch(path, mode) {
            Ok(()) => {}
            Err(error) if is_limit(&error) && !backend.is_polling() => {
                self.poll();
                let Some(backend) = &mut self.backend else { return Ok(()) };
                backend.watch(path, mode)?;
            }
            Err(error) => return Err(error),
        }
        self.watched.insert(path.to_owned());
        Ok(())
    }

    fn drop_tree(&mut self, path: &Path) {
        // Paths are ordered by their segments, so a tree stands together.
        let from = self.watched.range::<Path, _>((Bound::Included(path), Bound::Unbounded));
        let gone: Vec<PathBuf> = from.take_while(|p| p.starts_with(path)).cloned().collect();
        for path in gone {
            self.watched.remove(&path);
            if let Some(backend) = &mut self.backend {
                backend.unwatch(&path);
            }
        }
    }

    /// The system allows no more watches: what is watched is looked at now and then instead.
    fn poll(&mut self) {
        if self.backend.as_ref().is_some_and(Backend::is_polling) {
            return;
        }
        match Backend::polling(self.raw.clone()) {
            Ok(polling) => {
                self.limited = true;
                // Its watches are what there are too many of.
                drop(self.backend.replace(polling));
                let watched = std::mem::take(&mut self.watched);
                for path in watched.into_iter().take(POLLED_FOLDERS) {
                    if let Err(error) = self.add(&path, RecursiveMode::NonRecursive) {
                        tracing::debug!(kind = ?error.kind, "a folder cannot be looked at");
                    }
                }
            }
            Err(error) => tracing::warn!(kind = ?error.kind, "folders cannot be looked at"),
        }
    }
}

/// What of a scope is passed over. Lives for one look: people edit these rules.
struct Ignored<'d> {
    scope: WatchScope,
    rules: Vec<IgnoreRules<'d>>,
}

impl<'d> Ignored<'d> {
    fn new(scope: &WatchScope, root: Option<&'d Dir>) -> Self {
        let rules = match (scope, root) {
            (WatchScope::Project(_), Some(dir)) => {
                vec![IgnoreRules::private(dir), IgnoreRules::search(dir)]
            }
            _ => Vec::new(),
        };
        Self { scope: scope.clone(), rules }
    }

    fn covers(&mut self, rel: &str, is_dir: bool) -> bool {
        match &self.scope {
            WatchScope::Files(names) => !names.iter().any(|name| name == rel),
            WatchScope::Tree => rel.split('/').any(|segment| PASSED_OVER.contains(&segment)),
            WatchScope::Project(_) => {
                if self.is_rule(rel) {
                    return false;
                }
                // What no list shows needs no telling.
                let hidden = |segment: &str| {
                    PASSED_OVER.contains(&segment)
                        || (segment.starts_with('.') && !SHOWN.contains(&segment))
                };
                // Rules that cannot be read hide everything, as for the tools.
                rel.split('/').any(hidden)
                    || self.rules.iter_mut().any(|rules| rules.cover(rel, is_dir).unwrap_or(true))
            }
        }
    }

    fn is_rule(&self, rel: &str) -> bool {
        let name = rel.rsplit('/').next().unwrap_or(rel);
        let hidden = |segment: &str| PASSED_OVER.contains(&segment);
        matches!(self.scope, WatchScope::Project(_))
            && IGNORE_FILES.contains(&name)
            && !rel.split('/').any(hidden)
    }
}

fn open(root: &Path) -> Option<Dir> {
    Dir::open_ambient_dir(root, ambient_authority()).ok()
}

/// The folder `rel` below `root`, no link followed.
fn folder_at(root: &Dir, rel: &str) -> Option<Dir> {
    let segments = rel.split('/').filter(|segment| !segment.is_empty());
    let mut dir = root.try_clone().ok()?;
    for segment in segments {
        dir = dir.open_dir_nofollow(segment).ok()?;
    }
    Some(dir)
}

fn subfolders(dir: &Dir) -> Vec<String> {
    let Ok(entries) = dir.entries() else { return Vec::new() };
    let folders = entries.flatten().filter(|e| e.file_type().is_ok_and(|kind| kind.is_dir()));
    folders.filter_map(|e| e.file_name().into_string().ok()).collect()
}

/// `path` below `root` as an alias path writes it; `None` for something else.
fn below(root: &Path, path: &Path) -> Option<String> {
    let rel = path.strip_prefix(root).ok()?;
    let segments: Option<Vec<&str>> = rel.iter().map(|segment| segment.to_str()).collect();
    Some(segments?.join("/"))
}

#[cfg(test)]
mod tests;
