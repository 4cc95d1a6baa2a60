//! A person's edit of the state document (spec 03 "Run state"): judged before every request, and
//! shown while the run waits.

use super::machine::ExecutionEngine;
use super::recorded::StateEdit;
use crate::code::{ErrorCode, Failure};
use crate::graph::Graph;
use crate::ids::NodeId;
use crate::phrase::engine as said;
use crate::state_doc::{self, StateDoc};
use crate::text::sha256_hex;
use crate::time::Time;

impl ExecutionEngine {
    /// What will become of `text`, found on disk in place of the accepted document, when the run
    /// goes on; `None` when it is the accepted one. The same judgement as the turn's own, and it
    /// records nothing: a person who is still editing saves more than once.
    pub fn judge_edit(&self, text: Option<&str>) -> Option<StateEdit> {
        let doc = self.core.doc.as_ref()?;
        if text.is_some_and(|text| sha256_hex(text.as_bytes()) == doc.sha256()) {
            return None;
        }
        let refused = match self.graph() {
            Ok(graph) => self.judged_edit(text, graph).err(),
            Err(failure) => Some(failure),
        };
        Some(StateEdit { refused })
    }
}

impl ExecutionEngine {
    /// The same as [`judged`], and whether the run may come where it stands.
    pub(super) fn judged_edit(
        &self,
        text: Option<&str>,
        graph: &Graph,
    ) -> Result<(StateDoc, NodeId), Failure> {
        let core = &self.core;
        let (doc, node_id) = judged(core.doc.as_deref(), text, graph)?;
        let moves = core.node.as_ref() != Some(&node_id);
        // Who takes a tick away wants the workflow begun that the step calls.
        let was_done =
            core.doc.as_ref().is_some_and(|old| old.steps_completed().contains(&node_id));
        let reopens = was_done && !doc.steps_completed().contains(&node_id);
        let node = graph.node(&node_id).filter(|_| moves || reopens);
        // How long it would be does not depend on when that is.
        core.may_come_to(self.package(), node, &doc, Time::from_millis(0))?;
        Ok((doc, node_id))
    }
}

/// The document a person's text is, and where it stands; or why it cannot be taken over.
fn judged(
    old: Option<&StateDoc>,
    text: Option<&str>,
    graph: &Graph,
) -> Result<(StateDoc, NodeId), Failure> {
    let text = text.ok_or_else(|| {
        Failure::new(ErrorCode::StateFileNotFound, said::state_missing_restored())
    })?;
    let doc = state_doc::check_user_edit(old, text, graph)?;
    let node_id = doc.effective_node(graph)?;
    Ok((doc, node_id))
}
