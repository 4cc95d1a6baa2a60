//! The ledger of what the runtime did to files, folded from `call_began` and `call_ended`: for
//! rewinds, and for the list of what a run changed.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::path::AliasPath;
use crate::restore::{PreImage, RestoreFile};

/// Per file: what it was before the first change after each entry of a node, and what the runtime
/// left there last. So it grows with files and nodes, not with calls; a decision's copy is cheap.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "FilesByPath", into = "FilesByPath")]
pub struct ChangedFiles(Arc<FilesByPath>);

type FilesByPath = BTreeMap<AliasPath, FileHistory>;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct FileHistory {
    before: Vec<BeforeCall>,
    ours: Vec<Option<String>>,
    /// What was known of it before the newest call there began.
    #[serde(default)]
    was: LastKnown,
    /// SHA-256 of what it was before the run's first change; `None` when there was no such file.
    first: Option<String>,
    /// The same after the last change that is known to have happened.
    now: Option<String>,
    /// Where the file that is there now was before the run; `None` when the run made it.
    origin: Option<AliasPath>,
}

/// What the runtime left in a file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct LastKnown {
    ours: Vec<Option<String>>,
    now: Option<String>,
    origin: Option<AliasPath>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct BeforeCall {
    /// Sequence number of the `call_began`.
    seq: u64,
    sha256: Option<String>,
}

/// What one call does to one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallFileChange {
    pub(crate) path: AliasPath,
    /// SHA-256; `None` when there is no such file.
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
    /// Where a file was that is moved here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<AliasPath>,
}

impl CallFileChange {
    /// The file.
    pub const fn path(&self) -> &AliasPath {
        &self.path
    }

    /// Whether there was no file before, and none that was moved here.
    pub const fn is_new(&self) -> bool {
        self.before.is_none() && self.after.is_some() && self.from.is_none()
    }

    /// A file that is not there afterwards.
    pub(crate) fn gone(file: &PreImage) -> Self {
        let before = Some(file.sha256.clone());
        Self { path: file.path.clone(), before, after: None, from: None }
    }
}

impl From<FilesByPath> for ChangedFiles {
    fn from(files: FilesByPath) -> Self {
        Self(Arc::new(files))
    }
}

impl From<ChangedFiles> for FilesByPath {
    fn from(files: ChangedFiles) -> Self {
        Arc::unwrap_or_clone(files.0)
    }
}

impl ChangedFiles {
    /// A call begins. `entries` are the sequence numbers at which nodes were last entered.
    pub(crate) fn began(&mut self, seq: u64, changes: Vec<CallFileChange>, entries: &[u64]) {
        let files = Arc::make_mut(&mut self.0);
        for CallFileChange { path, before, after, .. } in changes {
            let changed = files.entry(path.clone()).or_insert_with(|| FileHistory {
                first: before.clone(),
                now: before.clone(),
                origin: before.is_some().then_some(path),
                ..FileHistory::default()
            });
            changed.before.push(BeforeCall { seq, sha256: before.clone() });
            changed.forget(entries);
            // Whether it happens is not known yet.
            let ours = std::mem::replace(&mut changed.ours, vec![before, after]);
            let (now, origin) = (changed.now.clone(), changed.origin.clone());
            changed.was = LastKnown { ours, now, origin };
        }
    }

    /// A call ended and did this.
    pub(crate) fn happened(&mut self, changes: Vec<CallFileChange>) {
        let files = Arc::make_mut(&mut self.0);
        // A file that is moved takes with it where it was.
        let origins: Vec<Option<AliasPath>> = (changes.iter())
            .map(|change| files.get(change.from.as_ref()?)?.origin.clone())
            .collect();
        for (CallFileChange { path, before, after, .. }, moved) in changes.into_iter().zip(origins)
        {
            let has_its_first_bytes =
                after.is_some() && files.get(&path).is_some_and(|changed| after == changed.first);
            // A new file may have the bytes of one that was moved away.
            let is_back = has_its_first_bytes && !is_elsewhere(files, &path);
            let Some(changed) = files.get_mut(&path) else { continue };
            if is_back {
                changed.origin = Some(path);
            } else if before.is_none() || after.is_none() {
                changed.origin = moved.filter(|_| after.is_some());
            }
            changed.now.clone_from(&after);
            changed.ours = vec![after];
        }
    }

    /// What was about to be done is not known to have happened: what was there before may be somebody
    /// else's.
    pub(crate) fn did_not_happen(&mut self, changes: Vec<CallFileChange>) {
        let files = Arc::make_mut(&mut self.0);
        for CallFileChange { path, after, .. } in changes {
            if let Some(changed) = files.get_mut(&path) {
                changed.ours = vec![changed.now.clone(), after];
            }
        }
    }

    /// What was known of the file before the newest call there began.
    pub(crate) fn known_before(&self, path: &AliasPath) -> LastKnown {
        self.0.get(path).map(|changed| changed.was.clone()).unwrap_or_default()
    }

    /// A file is what it was when this was known of it: what was somebody else's is so again.
    pub(crate) fn is_known_as(&mut self, path: &AliasPath, known: LastKnown) {
        if let Some(changed) = Arc::make_mut(&mut self.0).get_mut(path) {
            LastKnown { ours: changed.ours, now: changed.now, origin: changed.origin } = known;
        }
    }

    /// What the run changed in all, file by file: what is again as it was is not in it.
    pub fn effects(&self) -> Vec<FileEffect> {
        let mut moved_away = BTreeSet::new();
        let mut effects: Vec<FileEffect> = self
            .0
            .iter()
            .filter_map(|(path, changed)| {
                let effect = self.effect(path, changed)?;
                moved_away.extend(effect.from.clone());
                Some(effect)
            })
            .collect();
        effects.retain(|effect| {
            effect.kind != EffectKind::Deleted || !moved_away.contains(&effect.path)
        });
        effects
    }

    /// The same as the changes that one call would have made.
    pub(crate) fn as_one_call(&self) -> Vec<CallFileChange> {
        let mut changes = Vec::new();
        for FileEffect { path, from, sha256_before: before, sha256: after, .. } in self.effects() {
            if let Some(from) = &from {
                let (path, before) = (from.clone(), before.clone());
                changes.push(CallFileChange { path, before, after: None, from: None });
            }
            let before = before.filter(|_| from.is_none());
            changes.push(CallFileChange { path, before, after, from });
        }
        changes
    }

    fn effect(&self, path: &AliasPath, changed: &FileHistory) -> Option<FileEffect> {
        if changed.now == changed.first {
            return None;
        }
        let gone = |at: &&AliasPath| self.0.get(*at).is_some_and(|there| there.now.is_none());
        let from = changed.origin.as_ref().filter(|at| *at != path).filter(gone);
        let from = from.filter(|_| changed.first.is_none());
        let kind = match (&changed.first, &changed.now, from) {
            (_, None, _) => EffectKind::Deleted,
            (None, Some(_), Some(_)) => EffectKind::Moved,
            (None, Some(_), None) => EffectKind::Created,
            (Some(_), Some(_), _) => EffectKind::Changed,
        };
        let from = from.filter(|_| kind == EffectKind::Moved);
        let before = match from {
            Some(from) => self.0.get(from).and_then(|there| there.first.clone()),
            None => changed.first.clone(),
        };
        Some(FileEffect {
            path: path.clone(),
            kind,
            from: from.cloned(),
            sha256_before: before,
            sha256: changed.now.clone(),
            lines: None,
            foreign: false,
            verified: false,
        })
    }

    /// Whether the runtime wrote what is at `path`, as far as is known.
    pub(crate) fn holds(&self, path: &AliasPath) -> bool {
        self.0.get(path).is_some_and(|changed| changed.ours.iter().any(Option::is_some))
    }

    /// Whether the runtime took what was at `path` away, and nothing of its own is there since.
    pub(crate) fn took(&self, path: &AliasPath) -> bool {
        self.0.get(path).is_some_and(|changed| changed.ours == [None])
    }

    /// What goes back when the file that is at `path` now is to be as it was before the run: one
    /// that was moved goes back to where it was. Nothing for one that the run did not change. What is
    /// at `path` goes whatever it is: the person says which bytes they mean.
    pub(crate) fn before_the_run(&self, path: &AliasPath) -> Vec<RestoreFile> {
        let Some(effect) = self.effects().into_iter().find(|effect| effect.path == *path) else {
            return Vec::new();
        };
        let file = |at: AliasPath| {
            let changed = self.0.get(&at)?;
            Some(RestoreFile {
                goal: changed.first.clone(),
                ours: changed.ours.clone(),
                overwrite: at == *path,
                path: at,
            })
        };
        effect.from.into_iter().chain([effect.path]).filter_map(file).collect()
    }

    /// What goes back when a node is rewound to that was entered at `entered`.
    pub(crate) fn since(&self, entered: u64) -> Vec<RestoreFile> {
        let first = |changed: &FileHistory| {
            changed.before.iter().find(|b| b.seq > entered).map(|b| b.sha256.clone())
        };
        let goals =
            self.0.iter().filter_map(|(path, changed)| Some((path, changed, first(changed)?)));
        goals
            // What is as it was by the runtime's own doing is not the rewind's matter.
            .filter(|(_, changed, goal)| changed.ours.iter().any(|ours| ours != goal))
            .map(|(path, changed, goal)| RestoreFile {
                path: path.clone(),
                goal,
                ours: changed.ours.clone(),
                overwrite: false,
            })
            .collect()
    }
}

/// Whether the file that was at `path` before the run is at another place.
fn is_elsewhere(files: &FilesByPath, path: &AliasPath) -> bool {
    let was_here = |changed: &FileHistory| changed.origin.as_ref() == Some(path);
    files.iter().any(|(at, changed)| at != path && changed.now.is_some() && was_here(changed))
}

/// What a run did to a file in all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct FileEffect {
    /// Which, where it is now, or where it was.
    pub path: AliasPath,
    /// What became of it.
    pub kind: EffectKind,
    /// Where it was before the run; with [`EffectKind::Moved`] only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub from: Option<AliasPath>,
    /// SHA-256 before the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub sha256_before: Option<String>,
    /// SHA-256 of what the run left there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub sha256: Option<String>,
    /// How many lines came and went, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub lines: Option<LineCount>,
    /// Someone else changed it since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub foreign: bool,
    /// A check since the run's last change says that it is as the run left it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub verified: bool,
}

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum EffectKind {
    /// It was not there before.
    Created,
    /// It has other bytes.
    Changed,
    /// It is not there any more.
    Deleted,
    /// It was elsewhere before; its bytes may be others too.
    Moved,
}

/// How many lines came and went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LineCount {
    /// Lines that came.
    pub added: u32,
    /// Lines that went.
    pub removed: u32,
}

impl FileHistory {
    /// Only the first change after an entry is ever gone back to.
    fn forget(&mut self, entries: &[u64]) {
        let mut from = 0;
        self.before.retain(|before| {
            let needed = entries.iter().any(|entry| (from..before.seq).contains(entry));
            if needed {
                from = before.seq;
            }
            needed
        });
    }
}

#[cfg(test)]
mod tests;
