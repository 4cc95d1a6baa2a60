//! Steps that call workflows (format 1.2). When the run comes to one, the called workflow begins; when
//! that has ended, the step is completed and the ways from it are open. All of it is in the line that
//! led there, so that nothing lies between.

use super::core::Core;
use super::draft::LineDraft;
use crate::event::{Author, Event, StateChanged, WorkflowSwitch};
use crate::graph::Node;
use crate::ids::NodeId;
use crate::settings::OutputsPolicy;
use crate::state_doc::{self, Initial, StateDoc};

impl LineDraft<'_> {
    /// The document becomes this one, and what follows from it when steps call workflows.
    pub(super) fn state_becomes(&mut self, changed: StateChanged) {
        let entered = changed.enters(self.core.node.as_ref());
        self.push(Event::StateChanged(self.titled(changed)));
        self.follow_subworkflows(entered);
    }

    /// Begins the workflow that the step under way calls, if it was just entered, and comes back
    /// from the one that has ended. Each round leads in deeper, which is bounded, or out.
    pub(super) fn follow_subworkflows(&mut self, mut entered: bool) {
        loop {
            let next = match self.returns() {
                Some(back) => Some(back),
                None if entered => self.calls(),
                None => None,
            };
            let Some(changed) = next else { return };
            entered = changed.enters(None) && changed.switch != Some(WorkflowSwitch::Returned);
            self.push(Event::StateChanged(self.titled(changed)));
        }
    }

    /// What a rewind to `target` switches to; `None` when it stays in the workflow, at a step of its
    /// own.
    pub(super) fn way_back(&self, target: &NodeId) -> Option<WorkflowSwitch> {
        let depth = self.core.depth_of(target);
        let leaves = depth < self.core.nesting.depth();
        let calls = || self.graph().ok()?.node(target)?.called_workflow();
        (leaves || calls().is_some()).then_some(WorkflowSwitch::WentBack { depth })
    }

    /// With the title of the step, where the document is that of a workflow which was called.
    fn titled(&self, changed: StateChanged) -> StateChanged {
        let nesting = &self.core.nesting;
        let depth = match &changed.switch {
            Some(WorkflowSwitch::Called { .. }) => nesting.depth() + 1,
            Some(WorkflowSwitch::Returned) => nesting.depth().saturating_sub(1),
            Some(WorkflowSwitch::WentBack { depth }) => *depth,
            None => nesting.depth(),
        };
        let workflow = match &changed.switch {
            Some(WorkflowSwitch::Called { workflow_id }) => Some(workflow_id),
            _ => match nesting.callers().nth(depth) {
                Some(caller) => Some(&caller.workflow_id),
                None => self.core.active_workflow(),
            },
        };
        let workflow = workflow.filter(|_| depth > 0);
        let workflow = workflow.and_then(|id| self.package().workflow(id));
        let node = workflow.and_then(|workflow| workflow.graph.node(&changed.node_id));
        StateChanged { title: node.map(|node| node.label().to_owned()), ..changed }
    }

    /// The first document of the workflow that the step under way calls.
    fn calls(&self) -> Option<StateChanged> {
        let (core, package) = (&self.core, self.package());
        let (doc, graph) = (core.doc.as_ref()?, core.graph(package).ok()?);
        let node = graph.node(core.node.as_ref()?)?;
        let called = node.called_workflow()?;
        let done = doc.is_complete(graph) || doc.steps_completed().contains(&node.id);
        if done || !core.nesting.has_room_for(called, core.active_workflow()?) {
            return None;
        }
        let (run, workflow) = (core.run.as_ref()?, package.workflow(called)?);
        let initial = Initial {
            run_id: &run.run_id,
            workflow_id: &workflow.id,
            agent_id: &run.agent_id,
            variables: node.pass_context.then(|| doc.variables()),
            now: self.now,
        };
        let doc = StateDoc::initial(&workflow.state_template, &initial).ok()?;
        let node_id = doc.effective_node(&workflow.graph).ok()?;
        let switch = WorkflowSwitch::Called { workflow_id: workflow.id.clone() };
        Some(by_runtime(&doc, node_id, false, switch))
    }

    /// The document of the workflow that called the one which has ended.
    fn returns(&self) -> Option<StateChanged> {
        let (core, package) = (&self.core, self.package());
        let caller = core.nesting.callers().last()?;
        let doc = core.doc.as_ref().filter(|_| core.is_at_an_end(package))?;
        let (old, graph) = (caller.doc.as_ref()?, &package.workflow(&caller.workflow_id)?.graph);
        let completes = graph.node(&caller.node_id).is_some_and(|node| self.has_outputs(node));
        let new =
            state_doc::returned(old, graph, &caller.node_id, completes, doc.artifacts(), self.now);
        // What was parsed can be edited; were it not, the workflow goes on where it stood.
        let new = new.unwrap_or_else(|_| (**old).clone());
        let complete = core.nesting.depth() == 1 && new.is_complete(graph);
        Some(by_runtime(&new, caller.node_id.clone(), complete, WorkflowSwitch::Returned))
    }

    /// Whether what a step promises is there, as far as that is asked for.
    fn has_outputs(&self, node: &Node) -> bool {
        let evidence = self.evidence();
        let there = || node.checkable_outputs().iter().all(|path| evidence.is_there(path));
        self.env().limits.outputs != OutputsPolicy::Enforce || there()
    }
}

impl Core {
    /// Whether the workflow that is worked on has come to its end.
    fn is_at_an_end(&self, package: &crate::package::Package) -> bool {
        let graph = self.graph(package).ok();
        graph.zip(self.doc.as_ref()).is_some_and(|(graph, doc)| doc.is_complete(graph))
    }
}

fn by_runtime(
    doc: &StateDoc,
    node_id: NodeId,
    complete: bool,
    switch: WorkflowSwitch,
) -> StateChanged {
    let changed = accepted(doc, Author::Runtime, node_id, complete);
    StateChanged { switch: Some(switch), ..changed }
}

/// A version of the document that is accepted, in the workflow that is worked on.
pub(super) fn accepted(
    doc: &StateDoc,
    by: Author,
    node_id: NodeId,
    complete: bool,
) -> StateChanged {
    StateChanged {
        text: doc.text().to_string(),
        sha256: doc.sha256().to_owned(),
        by,
        call_id: None,
        node_id,
        complete,
        found: Vec::new(),
        to_be_written: false,
        switch: None,
        title: None,
    }
}
