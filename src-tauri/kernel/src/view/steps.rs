//! Where one step of a run ends on the screen and another begins.

use super::items::{ItemPosition, put};
use super::state::View;
use crate::ids::{MessageId, NodeId};
use crate::state_doc::StateDoc;
use crate::wire::{Frame, ItemBody};

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

    /// A step begins, or begins again.
    pub(super) fn begins(
        &mut self,
        place: ItemPosition,
        node: Option<&NodeId>,
        out: &mut Vec<Frame>,
    ) {
        let before = std::mem::replace(&mut self.node, node.cloned());
        let Some(node) = node.cloned() else { return };
        let doc = before.as_ref().and_then(|_| StateDoc::parse(&self.document).ok());
        let after_completed =
            before.zip(doc).is_some_and(|(before, doc)| doc.steps_completed().contains(&before));
        let id = MessageId::new(format!("step-{}", place.seq)).ok();
        put(place, id, ItemBody::Step { node, after_completed }, out);
    }
}
