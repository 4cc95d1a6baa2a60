//! What taking the run back to a step would do, for a person who is about to. Nothing is decided and
//! nothing recorded here.

use super::ExecutionEngine;
use super::by_person::rewind_call;
use super::rewind_place::RewindPlace;
use super::rewound_state::{known, must_be_few, seen};
use crate::code::Failure;
use crate::effect::Permit;
use crate::ids::{CallId, NodeId};
use crate::restore::Restore;
use crate::state_doc;
use crate::time::Time;
use crate::tool::rewind::RewindTarget;

/// What taking the run back to a step would do, but for what the disk says of files.
#[derive(Debug, Clone)]
pub struct GoingBack {
    /// The step, and what becomes of files.
    pub target: RewindTarget,
    /// The step's title.
    pub title: String,
    /// The steps that are to be done again, in the order of the graph.
    pub again: Vec<NodeId>,
    /// Whether the run would not be complete any more.
    pub undoes_completion: bool,
    /// By which the host finds out what becomes of files; `None` when none goes back.
    pub permit: Option<Box<Permit>>,
    /// SHA-256 of the state document.
    state: String,
}

impl GoingBack {
    /// SHA-256 of all that it depends on, with what the disk says of files.
    pub fn seen(&self, restore: &Restore) -> String {
        seen(&self.target, &self.state, restore)
    }
}

impl ExecutionEngine {
    /// What taking the run back to a step would do now.
    ///
    /// # Errors
    /// `BAD_REQUEST` when it names too many files, `NOT_NOW` without a run, `STATE_FILE_NOT_FOUND` when its state document cannot be read,
    /// `E_INVALID_TRANSITION` for a step that it cannot go back to.
    pub fn going_back(&self, target: &RewindTarget) -> Result<GoingBack, Failure> {
        must_be_few(target)?;
        let now = known(&self.core)?;
        let complete = self.graph().is_ok_and(|graph| now.is_complete(graph));
        let state = now.sha256().to_owned();
        let RewindPlace { doc, graph, .. } =
            self.core.rewind_place(self.package(), &target.node_id, target.undo)?;
        // When it happens says nothing of what happens.
        let at = doc.updated_at().unwrap_or(Time::from_millis(0));
        let after = self.rewound_by_person(target, None, at)?.doc;
        let call = rewind_call(target, None);
        let restores = !self.core.to_restore(&call).is_empty();
        let policy = self.known_policy()?.without_skills_at_work();
        let permit = restores.then(|| self.permit_for(CallId::new(""), call, None, policy));
        Ok(GoingBack {
            target: target.clone(),
            title: graph.label(&target.node_id).to_owned(),
            again: if target.undo {
                Vec::new()
            } else {
                state_doc::done_again(doc, graph, &target.node_id)
            },
            undoes_completion: complete && !after.is_complete(graph),
            permit: permit.map(Box::new),
            state,
        })
    }
}
