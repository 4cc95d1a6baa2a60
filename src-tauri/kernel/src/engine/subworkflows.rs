//! Steps that call workflows (format 1.2). When the run comes to one, the called workflow begins; when
//! that has ended, the step is completed and the ways from it are open. All of it is in the line that
//! led there, so that nothing lies between.

use super::core::Core;
use super::draft::LineDraft;
use crate::bounds::STATE_BYTES;
use crate::code::Failure;
use crate::event::{Author, Event, StateChanged, WorkflowSwitch};
use crate::graph::Node;
use crate::ids::NodeId;
use crate::package::Package;
use crate::path::AliasPath;
use crate::settings::OutputsPolicy;
use crate::state_doc::{self, StateDoc};

impl LineDraft<'_> {
    /// The document becomes this one, and what follows from it when steps call workflows. Which files
    /// are missing that steps promise which were completed with the workflows that they had called.
    pub(super) fn state_becomes(&mut self, changed: StateChanged) -> Vec<AliasPath> {
        let enters = changed.enters(self.core.node.as_ref());
        let was_done = self.core.has_completed(&changed.node_id);
        let by_hand = changed.by == Author::User && !changed.to_be_written;
        self.push(Event::StateChanged(self.titled(changed)));
        // Who comes to a step and ticks it off at once has done it themselves.
        let is_done = self.core.node.as_ref().map(|id| self.core.has_completed(id));
        let ticked = by_hand && !was_done && is_done == Some(true);
        // Who takes the tick away wants the work done again.
        let reopened = by_hand && !enters && was_done && is_done == Some(false);
        self.follow_subworkflows((enters && !ticked) || reopened)
    }

    /// Begins the workflow that the step under way calls, if it was just entered, and comes back
    /// from the one that has ended. Each round leads in deeper, which is bounded, or out.
    pub(super) fn follow_subworkflows(&mut self, mut entered: bool) -> Vec<AliasPath> {
        let mut missing = Vec::new();
        loop {
            let next = match self.returns() {
                Some((back, lacks)) => {
                    missing.extend(lacks);
                    Some(back)
                }
                None if entered => self.calls(),
                None => None,
            };
            let Some(changed) = next else { return missing };
            entered = changed.switch != Some(WorkflowSwitch::Returned);
            self.push(Event::StateChanged(self.titled(changed)));
        }
    }

    /// A run begins at no step whose workflow could not begin.
    pub(super) fn must_begin(&self) -> Result<(), Failure> {
        let (Some(doc), Ok(graph)) = (self.core.doc.as_ref(), self.graph()) else { return Ok(()) };
        let node = self.core.node.as_ref().and_then(|id| graph.node(id));
        self.core.may_come_to(self.package(), node, doc, self.now)
    }

    /// What a rewind to `target` switches to; `None` when it stays in the workflow, at a step of its
    /// own.
    pub(super) fn way_back(&self, target: &NodeId, undo: bool) -> Option<WorkflowSwitch> {
        if undo {
            return Some(WorkflowSwitch::Undone);
        }
        let depth = self.core.depth_of(target);
        let leaves = depth < self.core.nesting.depth();
        let calls = || self.graph().ok()?.node(target)?.called_workflow();
        (leaves || calls().is_some()).then_some(WorkflowSwitch::WentBack { depth })
    }

    /// With the title of the step, where the document is that of a workflow which was called.
    fn titled(&self, changed: StateChanged) -> StateChanged {
        let before = self.core.before_rewind.as_ref().map(|before| &before.nesting);
        let undone = changed.switch == Some(WorkflowSwitch::Undone);
        let nesting = before.filter(|_| undone).unwrap_or(&self.core.nesting);
        let depth = match &changed.switch {
            Some(WorkflowSwitch::Called { .. }) => nesting.depth() + 1,
            Some(WorkflowSwitch::Returned) => nesting.depth().saturating_sub(1),
            Some(WorkflowSwitch::WentBack { depth }) => *depth,
            Some(WorkflowSwitch::Undone) | None => nesting.depth(),
        };
        let workflow = match &changed.switch {
            Some(WorkflowSwitch::Called { workflow_id }) => Some(workflow_id),
            _ => match nesting.callers().nth(depth) {
                Some(caller) => Some(&caller.workflow_id),
                None => nesting.active.as_ref(),
            },
        };
        let workflow = workflow.filter(|_| depth > 0);
        let workflow = workflow.and_then(|id| self.package().workflow(id));
        let node = workflow.and_then(|workflow| workflow.graph.node(&changed.node_id));
        StateChanged { title: node.map(|node| node.label().to_owned()), ..changed }
    }

    /// The first document of the workflow that the step under way calls. Whoever let the run come
    /// here has made sure that it can begin.
    fn calls(&self) -> Option<StateChanged> {
        let (core, package) = (&self.core, self.package());
        let (doc, graph) = (core.doc.as_ref()?, core.graph(package).ok()?);
        let node = graph.node(core.node.as_ref()?).filter(|_| !doc.is_complete(graph))?;
        let begun = core.called_by(package, node, doc, self.now).ok().flatten()?;
        let called = &begun.workflow.id;
        let switch = WorkflowSwitch::Called { workflow_id: called.clone() };
        core.nesting
            .has_room_for(called, core.active_workflow()?)
            .then(|| by_runtime(&begun.doc, begun.entry, false, switch))
    }

    /// The document of the workflow that called the one which has ended, and the files that its step
    /// promises and that are not there.
    fn returns(&self) -> Option<(StateChanged, Vec<AliasPath>)> {
        let (core, package) = (&self.core, self.package());
        let caller = core.nesting.callers().last()?;
        let doc = core.doc.as_ref().filter(|_| core.is_at_an_end(package))?;
        let (old, graph) = (caller.doc.as_ref()?, &package.workflow(&caller.workflow_id)?.graph);
        let missing = graph.node(&caller.node_id).map(|node| self.missing_outputs(node))?;
        let completes = missing.is_empty() || self.env().limits.outputs != OutputsPolicy::Enforce;
        let back = |artifacts: &[String]| {
            let node = &caller.node_id;
            let new = state_doc::returned(old, graph, node, completes, artifacts, self.now).ok()?;
            (new.text().len() as u64 <= STATE_BYTES).then_some(new)
        };
        // What was parsed can be edited, and is seldom so long; were it not, the workflow goes on
        // where it stood.
        let new = back(doc.artifacts()).or_else(|| back(old.artifacts()));
        let new = new.unwrap_or_else(|| (**old).clone());
        let complete = core.nesting.depth() == 1 && new.is_complete(graph);
        let back = by_runtime(&new, caller.node_id.clone(), complete, WorkflowSwitch::Returned);
        Some((back, missing))
    }

    /// What of a step's outputs is not there, as far as that is asked for.
    fn missing_outputs(&self, node: &Node) -> Vec<AliasPath> {
        let evidence = self.evidence();
        let asked_for = self.env().limits.outputs != OutputsPolicy::Off;
        let promised = node.checkable_outputs().into_iter().filter(|_| asked_for);
        promised.filter(|path| !evidence.is_there(path)).collect()
    }
}

impl Core {
    /// Whether the workflow that is worked on has come to its end.
    fn is_at_an_end(&self, package: &Package) -> bool {
        let graph = self.graph(package).ok();
        graph.zip(self.doc.as_ref()).is_some_and(|(graph, doc)| doc.is_complete(graph))
    }

    fn has_completed(&self, node: &NodeId) -> bool {
        self.doc.as_ref().is_some_and(|doc| doc.steps_completed().contains(node))
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
