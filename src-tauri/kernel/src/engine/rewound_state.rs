//! What taking the run back to a step makes of the state document, and what it depends on (spec 03).
//! The document follows in the line that says what became of files, so that nothing is half told.

use serde_json::json;
use std::collections::BTreeSet;

use super::core::Core;
use super::draft::LineDraft;
use super::machine::ExecutionEngine;
use super::rewind_place::RewindPlace;
use super::subworkflows::accepted;
use crate::bounds::OVERWRITTEN_FILES;
use crate::code::{ErrorCode, Failure};
use crate::event::{Author, Event, PutBackEnded, RewindAsked, RewindEnded, StateChanged};
use crate::graph::Node;
use crate::ids::NodeId;
use crate::phrase::engine as said;
use crate::restore::Restore;
use crate::state_doc::{self, Accepted, StateDoc};
use crate::text::{canonical_json, sha256_hex};
use crate::time::Time;
use crate::tool::rewind::RewindTarget;

/// SHA-256 of all that a rewind depends on.
pub(super) fn seen(target: &RewindTarget, state: &str, restore: &Restore) -> String {
    let overwrite: BTreeSet<_> = target.overwrite.iter().collect();
    let mut all = json!({
        "nodeId": target.node_id, "keepFiles": target.keep_files, "overwrite": overwrite,
        "state": state, "files": restore.files, "conflicts": restore.conflicts,
    });
    if target.undo {
        all["undo"] = true.into();
    }
    sha256_hex(canonical_json(&all).as_bytes())
}

/// `BAD_REQUEST` when more files are named that go back all the same than anybody chooses.
pub(super) fn must_be_few(target: &RewindTarget) -> Result<(), Failure> {
    if target.overwrite.len() <= OVERWRITTEN_FILES {
        return Ok(());
    }
    let many = said::too_many_overwritten(OVERWRITTEN_FILES);
    Err(Failure::new(ErrorCode::BadRequest, many))
}

/// The state document of a run.
pub(super) fn known(core: &Core) -> Result<&StateDoc, Failure> {
    if core.run.is_none() {
        return Err(Failure::new(ErrorCode::NotNow, said::has_no_run()));
    }
    let unread = || Failure::new(ErrorCode::StateFileNotFound, said::state_unreadable());
    core.doc.as_deref().ok_or_else(unread)
}

/// What the person is told when it would do something else by now.
pub(super) fn look_again() -> Failure {
    Failure::new(ErrorCode::PreconditionFailed, said::going_back_is_not_as_seen())
        .with_action(said::look_at_it_again())
}

impl ExecutionEngine {
    /// The state document at the step again.
    pub(super) fn rewound_by_person(
        &self,
        target: &RewindTarget,
        reason: Option<&str>,
        now: Time,
    ) -> Result<Accepted, Failure> {
        let node = &target.node_id;
        let place = self.core.rewind_place(self.package(), node, target.undo)?;
        if target.undo {
            return Ok(place.unchanged());
        }
        let steps = state_doc::rewind_targets(place.doc, place.graph);
        if !steps.iter().any(|step| step.id == *node) {
            let listed = self.core.rewind_targets(self.package());
            let listed: Vec<&str> = listed.iter().map(|step| step.as_str()).collect();
            let failure = Failure::new(ErrorCode::InvalidTransition, said::no_way_back_to(node))
                .with_details(json!({ "to": node, "allowedTargets": listed }));
            return Err(failure.with_action(said::go_back_to_one_of(listed.join(", "))));
        }
        let back = place.rewound(node, reason, now)?;
        self.core.may_come_to(self.package(), place.graph.node(node), &back.doc, now)?;
        Ok(back)
    }
}

impl LineDraft<'_> {
    /// What becomes of files, when it is what the person saw.
    pub(super) fn goes_back_as_seen(
        &self,
        asked: &RewindAsked,
        restore: Restore,
    ) -> Result<Restore, Failure> {
        let state = known(&self.core)?.sha256();
        if seen(&asked.target, state, &restore) != asked.seen {
            return Err(look_again());
        }
        Ok(restore)
    }

    /// The files are back as far as they can be: the state document follows. Whether the run is back
    /// at the step.
    pub(super) fn end_rewind(&mut self, asked: &RewindAsked, mut files: PutBackEnded) -> bool {
        let node_id = asked.target.node_id.clone();
        let from = self.core.node.clone().unwrap_or_else(|| node_id.clone());
        let mut again = Vec::new();
        if files.failure.is_none() {
            match self.state_goes_back(asked) {
                Ok(steps) => again = steps,
                Err(failure) => files.failure = Some(failure),
            }
        }
        let went_back = files.failure.is_none();
        let (title, reason) = (self.title(&node_id), asked.reason.clone());
        let undone = asked.target.undo;
        let ended = RewindEnded { from, node_id, title, again, reason, undone, files };
        self.push(Event::RewindEnded(Box::new(ended)));
        went_back
    }

    /// The state document goes back. Which steps are to be done again.
    fn state_goes_back(&mut self, asked: &RewindAsked) -> Result<Vec<NodeId>, Failure> {
        known(&self.core)?;
        let (target, reason) = (&asked.target, asked.reason.as_deref());
        let RewindPlace { doc, graph, .. } =
            self.core.rewind_place(self.package(), &target.node_id, target.undo)?;
        let again = if target.undo {
            Vec::new()
        } else {
            state_doc::done_again(doc, graph, &target.node_id)
        };
        let new = self.engine.rewound_by_person(target, reason, self.now)?.doc;
        let complete = new.is_complete(graph);
        let changed = accepted(&new, Author::User, target.node_id.clone(), complete);
        let switch = self.way_back(&target.node_id, target.undo);
        self.state_becomes(StateChanged { to_be_written: true, switch, ..changed });
        Ok(again)
    }

    /// What a step is called.
    pub(super) fn title(&self, node: &NodeId) -> String {
        let place = self.core.rewind_place(self.package(), node, false).ok();
        let known = place.and_then(|place| place.graph.node(node));
        known.map_or(node.as_str(), Node::label).to_owned()
    }
}
