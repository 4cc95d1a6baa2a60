//! The ledger of what the runtime did to files, folded from `call_began` and `call_ended`.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

use super::RestoreFile;
use crate::effect::Began;
use crate::path::AliasPath;
use crate::tool::ParsedCall;

/// Per file: what it was before the first change after each entry of a node, and what the runtime
/// left there last. So it grows with files and nodes, not with calls; a decision's copy is cheap.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Files", into = "Files")]
pub struct ChangedFiles(Arc<Files>);

type Files = BTreeMap<AliasPath, Changed>;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Changed {
    before: Vec<Before>,
    ours: Vec<Option<String>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Before {
    /// Sequence number of the `call_began`.
    seq: u64,
    sha256: Option<String>,
}

/// What one call does to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) path: AliasPath,
    before: Option<String>,
    after: Option<String>,
}

impl From<Files> for ChangedFiles {
    fn from(files: Files) -> Self {
        Self(Arc::new(files))
    }
}

impl From<ChangedFiles> for Files {
    fn from(files: ChangedFiles) -> Self {
        Arc::unwrap_or_clone(files.0)
    }
}

impl ChangedFiles {
    /// A call begins. `entries` are the sequence numbers at which nodes were last entered.
    pub(crate) fn began(&mut self, seq: u64, changes: Vec<Change>, entries: &[u64]) {
        let files = Arc::make_mut(&mut self.0);
        for Change { path, before, after } in changes {
            let changed = files.entry(path).or_default();
            changed.before.push(Before { seq, sha256: before.clone() });
            changed.forget(entries);
            // Whether it happens is not known yet.
            changed.ours = vec![before, after];
        }
    }

    /// A call ended and did this.
    pub(crate) fn happened(&mut self, changes: Vec<Change>) {
        let files = Arc::make_mut(&mut self.0);
        for Change { path, after, .. } in changes {
            if let Some(changed) = files.get_mut(&path) {
                changed.ours = vec![after];
            }
        }
    }

    /// What goes back when a node is rewound to that was entered at `entered`.
    pub(crate) fn since(&self, entered: u64) -> Vec<RestoreFile> {
        let first = |changed: &Changed| {
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

impl Changed {
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

/// What a call that began does to files, by what was journaled of it.
pub(crate) fn changes_of(parsed: &ParsedCall, began: &Began) -> Vec<Change> {
    if let Some(restore) = &began.restore {
        let change = |file: &super::FileChange| Change {
            path: file.path.clone(),
            before: file.pre_hash.clone(),
            after: file.post_hash.clone(),
        };
        return restore.files.iter().map(change).collect();
    }
    let Some(path) = &parsed.path else { return Vec::new() };
    let gone = |path: &AliasPath, sha256: &str| Change {
        path: path.clone(),
        before: Some(sha256.to_owned()),
        after: None,
    };
    let images = began.pre_images.iter();
    match (parsed.tool.name, &parsed.to) {
        ("fs.delete", _) => images.map(|image| gone(&image.path, &image.sha256)).collect(),
        ("fs.move", Some(to)) => images
            .flat_map(|image| {
                let rest = image.path.rel().strip_prefix(path.rel()).unwrap_or_default();
                let rest = rest.trim_start_matches('/');
                let new = if rest.is_empty() { Some(to.clone()) } else { to.join(rest).ok() };
                let there = new.map(|path| Change {
                    path,
                    before: None,
                    after: Some(image.sha256.clone()),
                });
                [Some(gone(&image.path, &image.sha256)), there].into_iter().flatten()
            })
            .collect(),
        _ if began.pre_hash == began.post_hash => Vec::new(),
        _ => vec![Change {
            path: path.clone(),
            before: began.pre_hash.clone(),
            after: began.post_hash.clone(),
        }],
    }
}
