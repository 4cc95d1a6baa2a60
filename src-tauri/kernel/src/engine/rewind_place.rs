//! Where a rewind leads: to a step of the workflow that is worked on, or of one that waits for it.

use serde_json::Value;

use super::core::Core;
use crate::code::{ErrorCode, Failure};
use crate::graph::Graph;
use crate::ids::NodeId;
use crate::package::Package;
use crate::phrase::engine as said;
use crate::state_doc::{self, StateDoc};

/// The workflow of the step, as it stands.
pub(super) struct RewindPlace<'a> {
    /// Its document.
    pub(super) doc: &'a StateDoc,
    /// Its graph.
    pub(super) graph: &'a Graph,
    /// The variables when the step was last entered, where that is known.
    pub(super) then: Option<&'a Value>,
}

impl Core {
    /// The steps that a rewind can lead to: those of the workflow that is worked on, and then of the
    /// ones that wait, from the innermost out. Of two with one id the first is meant.
    pub(super) fn rewind_targets<'a>(&'a self, package: &'a Package) -> Vec<&'a NodeId> {
        let active = self.doc.as_deref().zip(self.graph(package).ok());
        let callers = self.nesting.callers().rev().filter_map(|caller| {
            let workflow = package.workflow(&caller.workflow_id)?;
            Some((caller.doc.as_deref()?, &workflow.graph))
        });
        let mut targets: Vec<&NodeId> = Vec::new();
        for (doc, graph) in active.into_iter().chain(callers) {
            for step in state_doc::rewind_targets(doc, graph) {
                if !targets.contains(&&step.id) {
                    targets.push(&step.id);
                }
            }
        }
        targets
    }

    /// Where a rewind to `target` leads.
    ///
    /// # Errors
    /// `STATE_FILE_NOT_FOUND` when the document cannot be read, `ENGINE_PRECONDITION_FAILED` without a run.
    pub(super) fn rewind_place<'a>(
        &'a self,
        package: &'a Package,
        target: &NodeId,
    ) -> Result<RewindPlace<'a>, Failure> {
        let unread = || Failure::new(ErrorCode::StateFileNotFound, said::state_unreadable());
        let then = self.entered_at(target).and_then(|entered| entered.variables.as_ref());
        let Some(caller) = self.nesting.callers.get(self.depth_of(target)) else {
            let doc = self.doc.as_deref().ok_or_else(unread)?;
            return Ok(RewindPlace { doc, graph: self.graph(package)?, then });
        };
        let doc = caller.doc.as_deref().ok_or_else(unread)?;
        let name = &caller.workflow_id;
        let graph = package.workflow(name).map(|workflow| &workflow.graph).ok_or_else(|| {
            Failure::new(ErrorCode::EnginePreconditionFailed, said::package_no_workflow(name))
        })?;
        Ok(RewindPlace { doc, graph, then })
    }
}
