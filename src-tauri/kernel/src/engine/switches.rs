//! How the small part of the state follows when a run comes from one of its workflows to another.

use std::sync::Arc;

use super::core::Core;
use super::nesting::{Caller, Entered, LeftDocument, Nesting, can_go_back_to};
use crate::event::WorkflowSwitch;
use crate::graph::{Graph, SaidInStep};
use crate::ids::{NodeId, WorkflowId};
use crate::package::Package;
use crate::state_doc::StateDoc;
use crate::tool::{CallStack, CallingStep};

impl Core {
    /// The document and the graph of the run's own workflow, also while another one is worked on.
    pub fn outermost<'a>(&'a self, package: &'a Package) -> Option<(&'a StateDoc, &'a Graph)> {
        let workflow = package.workflow(&self.run.as_ref()?.workflow_id)?;
        let doc = match self.nesting.callers.first() {
            Some(caller) => caller.doc.as_deref(),
            None => self.doc.as_deref(),
        };
        Some((doc?, &workflow.graph))
    }

    /// Where the run is among its workflows; `None` while none was called.
    pub(super) fn call_stack(&self) -> Option<CallStack> {
        let calling = |caller: &Caller| CallingStep {
            workflow_id: caller.workflow_id.clone(),
            node_id: caller.node_id.clone(),
        };
        let call_stack = self.nesting.callers().map(calling).collect();
        let active_workflow_id = self.nesting.active.clone()?;
        Some(CallStack { active_workflow_id, call_stack })
    }

    /// The same, when the model's last reply has led from one workflow to another.
    pub(super) fn switched(&self) -> Option<CallStack> {
        self.call_stack().filter(|_| self.nesting.switched_by == self.requests)
    }

    /// Folds a switch that leads to `node`; the document follows.
    pub(super) fn switch(&mut self, switch: Option<&WorkflowSwitch>, node: &NodeId) {
        let Some(switch) = switch else { return };
        match switch {
            WorkflowSwitch::Called { workflow_id } => self.called(workflow_id, node),
            WorkflowSwitch::Returned => {
                self.leave_to(self.nesting.callers.len().saturating_sub(1));
            }
            WorkflowSwitch::WentBack { depth } => self.leave_to(*depth),
            // The document of then was taken up already.
            WorkflowSwitch::Undone => {}
        }
        self.said = SaidInStep::default();
        self.nesting.switched_by = self.requests;
    }

    fn called(&mut self, workflow_id: &WorkflowId, entry: &NodeId) {
        let Some((caller, node_id)) = self.active_workflow().cloned().zip(self.node.take()) else {
            return;
        };
        let caller = Caller {
            workflow_id: caller,
            node_id,
            entry: self.nesting.entry.replace(entry.clone()),
            doc: self.doc.take(),
            entered: std::mem::take(&mut self.entered),
            walked: std::mem::take(&mut self.walked),
        };
        self.nesting.callers.push(Arc::new(caller));
        self.nesting.active = Some(workflow_id.clone());
    }

    /// The workflows below `depth` are left, and the one there is worked on as it was.
    fn leave_to(&mut self, depth: usize) {
        let Nesting { callers, active, left, entry, .. } = &mut self.nesting;
        if depth >= callers.len() {
            return;
        }
        let mut doc = self.doc.take();
        while callers.len() > depth
            && let Some(caller) = callers.pop()
        {
            let caller = Arc::unwrap_or_clone(caller);
            let ended = active.replace(caller.workflow_id);
            left.retain(|other| Some(&other.workflow_id) != ended.as_ref());
            left.extend(ended.map(|workflow_id| Arc::new(LeftDocument { workflow_id, doc })));
            doc = caller.doc;
            *entry = caller.entry;
            self.node = Some(caller.node_id);
            self.entered = caller.entered;
            self.walked = caller.walked;
        }
        self.doc = doc;
    }

    /// How deep the workflow lies that a rewind to `target` leads to: the innermost one that knows
    /// the step.
    pub fn depth_of(&self, target: &NodeId) -> usize {
        let active = self.nesting.callers.len();
        if self.node.as_ref() == Some(target)
            || can_go_back_to(target, self.doc.as_deref(), self.nesting.entry.as_ref())
        {
            return active;
        }
        self.nesting.depth_of(target).unwrap_or(active)
    }

    /// When a step was last entered that a rewind leads to; `None` when nobody knows.
    pub(super) fn entered_at(&self, target: &NodeId) -> Option<&Entered> {
        match self.nesting.callers.get(self.depth_of(target)) {
            Some(caller) => caller.entered.get(target),
            None => self.entered.get(target),
        }
    }
}
