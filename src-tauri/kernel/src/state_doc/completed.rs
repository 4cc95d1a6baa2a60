//! What a change does to `stepsCompleted`.

use std::collections::BTreeSet;

use super::StateDoc;
use crate::ids::NodeId;

/// The entries that come and go, in the order of their documents.
pub(super) struct CompletedChange<'d> {
    /// Those of the old document that the new one does not have.
    pub(super) lost: Vec<&'d NodeId>,
    /// Those of the new document that the old one does not have, as often as they are listed.
    pub(super) gained: Vec<&'d NodeId>,
}

impl<'d> CompletedChange<'d> {
    /// From one document to another. A list grows at its end: what both begin with is passed over.
    pub(super) fn between(old: &'d StateDoc, new: &'d StateDoc) -> Self {
        let (old, new) = (&old.steps_completed, &new.steps_completed);
        let same = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        Self { lost: without(&old[same..], new), gained: without(&new[same..], old) }
    }
}

/// The entries that are not among the others.
fn without<'d>(entries: &'d [NodeId], others: &[NodeId]) -> Vec<&'d NodeId> {
    match entries {
        [] => Vec::new(),
        [one] => {
            if others.contains(one) {
                Vec::new()
            } else {
                vec![one]
            }
        }
        more => {
            let others: BTreeSet<&NodeId> = others.iter().collect();
            more.iter().filter(|id| !others.contains(id)).collect()
        }
    }
}
