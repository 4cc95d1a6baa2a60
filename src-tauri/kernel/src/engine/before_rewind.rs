//! What a run was before it was taken back to a step, so that this can be undone.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

use super::document;
use super::nesting::{Entered, Nesting};
use crate::changed_files::{CallFileChange, LastKnown};
use crate::event::{Phase, Reason, RunEnded};
use crate::graph::SaidInStep;
use crate::ids::NodeId;
use crate::state_doc::StateDoc;

/// The run before its last rewind, while nothing came of that yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BeforeRewind {
    /// The step where it stood.
    pub node: NodeId,
    #[serde(with = "document")]
    pub(super) doc: Option<Arc<StateDoc>>,
    /// The workflows that were under way.
    pub nesting: Nesting,
    pub(super) entered: BTreeMap<NodeId, Entered>,
    pub(super) walked: Vec<(NodeId, NodeId)>,
    pub(super) ended: Option<RunEnded>,
    pub(super) phase: Phase,
    pub(super) reason: Option<Reason>,
    /// Whether its last turn had ended with the workflow at its end.
    pub(super) over: bool,
    /// What the person had said in the step.
    pub(super) said: SaidInStep,
    /// What the rewind did to files.
    pub(super) files: Vec<RewoundFile>,
    /// Where it undid another one: what that had done to files, until it is known which are back.
    #[serde(default)]
    pub(super) undone: Vec<RewoundFile>,
}

/// What a rewind did to a file, and what was known of it until then.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct RewoundFile {
    pub(super) change: CallFileChange,
    pub(super) known: LastKnown,
}

impl BeforeRewind {
    /// Where its steps were entered, those of the workflows that were under way, too.
    pub(super) fn entries(&self) -> impl Iterator<Item = &Entered> {
        self.entered.values().chain(self.nesting.entries())
    }

    /// How it rested; `None` when it was at work.
    pub(super) fn rest(&self) -> Option<(Phase, Reason)> {
        let reason = self.reason.filter(|_| self.phase != Phase::Running)?;
        Some((self.phase, reason))
    }
}
