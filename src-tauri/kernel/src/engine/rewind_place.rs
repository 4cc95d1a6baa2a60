//! Where a rewind leads: to a step of the workflow that is worked on, or of one that waits for it.

use serde_json::Value;

use super::core::Core;
use crate::code::{ErrorCode, Failure};
use crate::graph::Graph;
use crate::ids::{NodeId, WorkflowId};
use crate::package::Package;
use crate::phrase::engine as said;
use crate::state_doc::{self, Accepted, StateDoc};
use crate::time::Time;

/// The workflow of the step, as it stands.
pub(super) struct RewindPlace<'a> {
    /// Its document.
    pub(super) doc: &'a StateDoc,
    /// Its graph.
    pub(super) graph: &'a Graph,
    /// The variables when the step was last entered, where that is known.
    pub(super) then: Option<&'a Value>,
    /// The artifacts as the workflow has them that is worked on, where that is another one.
    artifacts: Option<&'a [String]>,
}

impl RewindPlace<'_> {
    /// The document at the step again.
    ///
    /// # Errors
    /// As [`state_doc::rewound`].
    pub(super) fn rewound(
        &self,
        target: &NodeId,
        reason: Option<&str>,
        now: Time,
    ) -> Result<Accepted, Failure> {
        let mut back = state_doc::rewound(self.doc, self.graph, target, self.then, reason, now)?;
        if let Some(artifacts) = self.artifacts
            && let Some(doc) = state_doc::with_artifacts(&back.doc, artifacts, now)?
        {
            back.doc = doc;
        }
        Ok(back)
    }

    /// The document as it is.
    pub(super) fn unchanged(&self) -> Accepted {
        Accepted::unchanged(self.doc.clone())
    }
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

    /// Where a rewind to `target` leads; where the run stood before the last one, when that is undone.
    ///
    /// # Errors
    /// `STATE_FILE_NOT_FOUND` when the document cannot be read, `ENGINE_PRECONDITION_FAILED` without a
    /// run, `E_INVALID_TRANSITION` when nothing can be undone.
    pub(super) fn rewind_place<'a>(
        &'a self,
        package: &'a Package,
        target: &NodeId,
        undo: bool,
    ) -> Result<RewindPlace<'a>, Failure> {
        if undo {
            return self.place_before(package, target);
        }
        let unread = || Failure::new(ErrorCode::StateFileNotFound, said::state_unreadable());
        let then = self.entered_at(target).and_then(|entered| entered.variables.as_ref());
        let Some(caller) = self.nesting.callers.get(self.depth_of(target)) else {
            let doc = self.doc.as_deref().ok_or_else(unread)?;
            return Ok(RewindPlace { doc, graph: self.graph(package)?, then, artifacts: None });
        };
        let doc = caller.doc.as_deref().ok_or_else(unread)?;
        let artifacts = self.doc.as_deref().map(StateDoc::artifacts);
        Ok(RewindPlace { doc, graph: graph_of(package, &caller.workflow_id)?, then, artifacts })
    }

    fn place_before<'a>(
        &'a self,
        package: &'a Package,
        target: &NodeId,
    ) -> Result<RewindPlace<'a>, Failure> {
        let nothing = || {
            Failure::new(ErrorCode::InvalidTransition, said::nothing_to_undo())
                .with_action(said::go_back_instead())
        };
        let before = self.before_rewind.as_ref().filter(|before| before.node == *target);
        let before = before.ok_or_else(nothing)?;
        let doc = before.doc.as_deref().ok_or_else(nothing)?;
        let workflow = self.workflow_before(before).ok_or_else(nothing)?;
        let graph = graph_of(package, &workflow)?;
        graph.node(target).ok_or_else(nothing)?;
        Ok(RewindPlace { doc, graph, then: None, artifacts: None })
    }
}

fn graph_of<'a>(package: &'a Package, workflow: &WorkflowId) -> Result<&'a Graph, Failure> {
    package.workflow(workflow).map(|workflow| &workflow.graph).ok_or_else(|| {
        Failure::new(ErrorCode::EnginePreconditionFailed, said::package_no_workflow(workflow))
    })
}
