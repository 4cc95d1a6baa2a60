//! The list of artifacts follows what the run does to files (spec 03 "Artifacts"): a file made
//! below the artifacts folder is listed, one that is moved keeps its place, one that is gone is not
//! listed any more. Not after completion: then the document is the person's.

use super::draft::LineDraft;
use super::subworkflows::accepted;
use crate::effect::Began;
use crate::event::{Author, Fact, FactKind};
use crate::path::{AliasPath, Mount};
use crate::restore::RestoredFile;
use crate::state_doc;
use crate::tool::{CallResult, ReceivedCall};

impl LineDraft<'_> {
    /// The files that a call made below the artifacts folder: by `fs.write`, or by a rewind that
    /// brought them back. To be asked before the call's result is a line.
    pub(super) fn made(&self, call: &ReceivedCall, result: &CallResult) -> Vec<AliasPath> {
        let Some(run) = &self.core.run else { return Vec::new() };
        let Ok(folder) = AliasPath::new(Mount::Project, &run.artifacts_dir) else {
            return Vec::new();
        };
        let created = result.ok && result.created;
        let written = || call.parsed().ok()?.path().cloned();
        let mut made: Vec<AliasPath> = created.then(written).flatten().into_iter().collect();
        made.retain(|path| path.is_within(&folder));
        let queued = self.core.queue.iter().find(|queued| queued.call.id == call.id);
        let restored = result.restored.as_ref().map(|back| back.restored.as_slice());
        let began = queued.and_then(|queued| queued.status.began());
        made.extend(self.made_again(restored.unwrap_or_default(), began));
        made
    }

    /// The files below the artifacts folder that were gone and are back.
    pub(super) fn made_again(
        &self,
        restored: &[RestoredFile],
        began: Option<&Began>,
    ) -> Vec<AliasPath> {
        let folder = self.core.run.as_ref().map(|run| run.artifacts_dir.as_str());
        let folder = folder.and_then(|folder| AliasPath::new(Mount::Project, folder).ok());
        let restore = began.and_then(|began| began.restore.as_ref());
        let (Some(folder), Some(restore)) = (folder, restore) else { return Vec::new() };
        let was_gone = |path: &AliasPath| {
            restore.files.iter().any(|file| file.path == *path && file.pre_hash.is_none())
        };
        let back = restored.iter().filter(|file| !file.removed && was_gone(&file.path));
        back.map(|file| file.path.clone()).filter(|path| path.is_within(&folder)).collect()
    }

    /// Lets the list follow what a call did.
    pub(super) fn follow_files(&mut self, facts: &[Fact], made: &[AliasPath]) {
        let (Some(doc), Ok(graph)) = (self.core.doc.clone(), self.graph()) else { return };
        let mut artifacts = doc.artifacts().to_vec();
        for fact in facts {
            match (fact.kind, &fact.path, &fact.to) {
                (FactKind::FileDeleted, Some(gone), _) => {
                    artifacts.retain(|entry| below(entry, gone).is_none());
                }
                (FactKind::FileMoved, Some(from), Some(to)) => {
                    for entry in &mut artifacts {
                        if let Some(new) = below(entry, from).and_then(|rest| joined(to, &rest)) {
                            new.rel().clone_into(entry);
                        }
                    }
                }
                _ => {}
            }
        }
        // What went after completion was not followed; a run that is open again tells the truth.
        let gone = |entry: &String| {
            state_doc::artifact_path(entry).is_some_and(|path| self.core.files.took(&path))
        };
        artifacts.retain(|entry| !gone(entry));
        for path in made {
            let same = |entry: &String| below(entry, path).is_some_and(|rest| rest.is_empty());
            if !artifacts.iter().any(same) {
                artifacts.push(path.rel().to_owned());
            }
        }
        let Ok(Some(doc)) = state_doc::with_artifacts(&doc, &artifacts, self.now) else { return };
        let Ok(node_id) = doc.effective_node(graph) else { return };
        let complete = doc.is_complete(graph);
        self.state_becomes(accepted(&doc, Author::Runtime, node_id, complete));
    }
}

/// What is left of a listed path below `folder`; empty for the path itself.
fn below(entry: &str, folder: &AliasPath) -> Option<String> {
    let path = state_doc::artifact_path(entry)?;
    let rest = path.rel().strip_prefix(folder.rel()).filter(|_| path.is_within(folder))?;
    Some(rest.trim_start_matches('/').to_owned())
}

fn joined(folder: &AliasPath, rest: &str) -> Option<AliasPath> {
    if rest.is_empty() { Some(folder.clone()) } else { folder.join(rest).ok() }
}
