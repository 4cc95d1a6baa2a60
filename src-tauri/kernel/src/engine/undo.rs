//! A rewind can be undone until the run does anything more: then the state document is what it was, to
//! the byte, and so are the files that went back.

use std::sync::Arc;

use super::before_rewind::{BeforeRewind, RewoundFile};
use super::core::Core;
use crate::changed_files::CallFileChange;
use crate::event::{Author, StateChanged, WorkflowSwitch};
use crate::graph::SaidInStep;
use crate::ids::WorkflowId;
use crate::path::AliasPath;
use crate::restore::{Restore, RestoreFile};

impl Core {
    /// The workflow in which the run stood before its last rewind.
    pub fn workflow_before(&self, before: &BeforeRewind) -> Option<WorkflowId> {
        let own = self.run.as_ref().map(|run| &run.workflow_id);
        before.nesting.active.as_ref().or(own).cloned()
    }

    /// The files that go back when the last rewind is undone.
    pub(super) fn files_before_the_rewind(&self) -> Vec<RestoreFile> {
        let before = self.before_rewind.iter().flat_map(|before| &before.files);
        let file = |RewoundFile { change, .. }: &RewoundFile| RestoreFile {
            path: change.path.clone(),
            goal: change.before.clone(),
            ours: vec![change.after.clone()],
            overwrite: false,
        };
        before.map(file).collect()
    }

    /// Remembers what the run is before a rewind changes the document, and takes up again what it was
    /// when that is undone. Any other change of the document by somebody lets nothing be undone.
    /// Returns what the person has said in the step that a rewind leads to; `None` for other changes.
    pub(super) fn before_the_document_changes(&mut self, e: &StateChanged) -> Option<SaidInStep> {
        if !self.is_of_a_rewind(e) {
            if e.by != Author::Runtime {
                self.before_rewind = None;
            }
            return None;
        }
        let now = self.node.clone().map(|node| {
            Arc::new(BeforeRewind {
                node,
                doc: self.doc.clone(),
                nesting: self.nesting.clone(),
                entered: self.entered.clone(),
                walked: self.walked.clone(),
                ended: self.ended.clone(),
                phase: self.phase,
                reason: self.reason,
                over: self.over,
                said: self.said.clone(),
                files: Vec::new(),
                undone: Vec::new(),
            })
        });
        let before = std::mem::replace(&mut self.before_rewind, now);
        let undone = before.filter(|_| e.switch == Some(WorkflowSwitch::Undone));
        let Some(before) = undone.map(Arc::unwrap_or_clone) else {
            return Some(SaidInStep::default());
        };
        if let Some(now) = &mut self.before_rewind {
            Arc::make_mut(now).undone = before.files;
        }
        self.node = Some(before.node);
        self.doc = before.doc;
        self.nesting = before.nesting;
        self.entered = before.entered;
        self.walked = before.walked;
        self.ended = before.ended;
        self.over = before.over;
        Some(before.said)
    }

    fn is_of_a_rewind(&self, e: &StateChanged) -> bool {
        let by_person = || self.by_person.as_ref().is_some_and(|it| it.is_rewind());
        let Some(call) = &e.call_id else {
            return e.by == Author::User && e.to_be_written && by_person();
        };
        let queued = self.queue.iter().find(|queued| queued.call.id == *call);
        let parsed = queued.and_then(|queued| queued.call.parsed().ok());
        parsed.is_some_and(|parsed| parsed.rewind().is_some())
    }

    /// A rewind did this to files, of what was prepared; nothing was where they are kept. Those that
    /// are what they were before a rewind that is undone, be it by somebody's hand, are known as they
    /// were then.
    pub(super) fn rewound_files(&mut self, changes: &[CallFileChange], prepared: &Restore) {
        let Some(before) = &mut self.before_rewind else { return };
        let before = Arc::make_mut(before);
        let file = |change: &CallFileChange| RewoundFile {
            known: self.files.known_before(&change.path),
            change: change.clone(),
        };
        before.files = changes.iter().map(file).collect();
        let did = |path: &AliasPath| changes.iter().any(|it| it.path == *path);
        let is_other = |path: &AliasPath| {
            prepared.files.iter().any(|it| it.path == *path)
                || prepared.conflicts.iter().any(|it| it.path == *path)
        };
        for RewoundFile { change, known } in std::mem::take(&mut before.undone) {
            if did(&change.path) || !is_other(&change.path) {
                self.files.is_known_as(&change.path, known);
            }
        }
    }
}
