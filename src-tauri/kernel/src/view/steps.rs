//! Where one step of a run ends on the screen and another begins.

use super::items::{ItemPosition, put};
use super::state::View;
use crate::event::{StateChanged, WorkflowSwitch};
use crate::ids::{MessageId, NodeId};
use crate::state_doc::StateDoc;
use crate::wire::{Frame, ItemBody};

/// How a step begins.
#[derive(Default)]
struct Begun {
    /// The step before it is completed.
    completed: bool,
    /// The step before it waits for the workflow that this one is of.
    is_called: bool,
    title: Option<String>,
}

impl View {
    /// What follows belongs to another step than what came before.
    pub(super) fn enters(
        &mut self,
        place: ItemPosition,
        node: Option<&NodeId>,
        out: &mut Vec<Frame>,
    ) {
        if node != self.node.as_ref() {
            self.begins(place, node, out);
        }
    }

    /// The document has another version, with which a step may begin; `again` when it goes back.
    pub(super) fn stands_at(
        &mut self,
        place: ItemPosition,
        e: &StateChanged,
        again: bool,
        out: &mut Vec<Frame>,
    ) {
        let node = Some(&e.node_id);
        let moves = again || node != self.node.as_ref();
        let (completed, begins) = match &e.switch {
            None => (self.left_completed(), moves),
            // One that begins again where the run stood is told with the end of the rewind.
            Some(WorkflowSwitch::WentBack { .. } | WorkflowSwitch::Undone) => (false, moves),
            Some(WorkflowSwitch::Called { .. }) => (false, true),
            // The last step of the workflow that has ended.
            Some(WorkflowSwitch::Returned) => (true, true),
        };
        if begins {
            let is_called = matches!(e.switch, Some(WorkflowSwitch::Called { .. }));
            let begun = Begun { completed, is_called, title: e.title.clone() };
            self.begins_after(begun, place, node, out);
        }
    }

    /// A step begins, or begins again.
    pub(super) fn begins(
        &mut self,
        place: ItemPosition,
        node: Option<&NodeId>,
        out: &mut Vec<Frame>,
    ) {
        let completed = self.left_completed();
        self.begins_after(Begun { completed, ..Begun::default() }, place, node, out);
    }

    fn begins_after(
        &mut self,
        begun: Begun,
        place: ItemPosition,
        node: Option<&NodeId>,
        out: &mut Vec<Frame>,
    ) {
        let before = std::mem::replace(&mut self.node, node.cloned());
        let Some(node) = node.cloned() else { return };
        let Begun { completed, is_called, title } = begun;
        let after_completed = before.is_some() && completed;
        let id = MessageId::new(format!("step-{}", place.seq)).ok();
        put(place, id, ItemBody::Step { node, after_completed, is_called, title }, out);
    }

    /// Whether the document says that the step it was at is completed.
    fn left_completed(&self) -> bool {
        let doc = self.node.as_ref().and_then(|_| StateDoc::parse(&self.document).ok());
        let both = self.node.as_ref().zip(doc);
        both.is_some_and(|(before, doc)| doc.steps_completed().contains(before))
    }
}
