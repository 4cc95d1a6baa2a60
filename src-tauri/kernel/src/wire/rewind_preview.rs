//! What taking a run back to a step would do, for a person who is about to.

use serde::{Deserialize, Serialize};

use crate::bounds::FILES_GONE_BACK;
use crate::engine::GoingBack;
use crate::ids::NodeId;
use crate::restore::{Conflict, FileChange, Restore};
use crate::tool::rewind::RewindTarget;

/// What would become of a run that the person takes back to a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RewindPreview {
    /// The step.
    pub node_id: NodeId,
    /// Its title.
    pub title: String,
    /// The steps that were completed, or are at work, and are to be done again, in the order of the
    /// graph.
    pub steps: Vec<NodeId>,
    /// The files that go back; the first
    /// [`FILES_GONE_BACK`](crate::bounds::FILES_GONE_BACK) by their paths.
    pub files: Vec<FileChange>,
    /// The files that stay as they are, each with its reason; as many at most.
    pub conflicts: Vec<Conflict>,
    /// How many files and conflicts there are beside; `seen` stands for them, too.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<usize>"))]
    pub more: usize,
    /// Whether the run would not be complete any more.
    pub undoes_completion: bool,
    /// SHA-256 of all that this depends on: what the command that does it is to say.
    pub seen: String,
}

impl RewindPreview {
    /// With what the disk says of files.
    pub fn of(going_back: GoingBack, mut restore: Restore) -> Self {
        let seen = going_back.seen(&restore);
        let beyond = |count: usize| count.saturating_sub(FILES_GONE_BACK);
        let more = beyond(restore.files.len()) + beyond(restore.conflicts.len());
        restore.files.sort_by(|a, b| a.path.cmp(&b.path));
        restore.files.truncate(FILES_GONE_BACK);
        restore.conflicts.truncate(FILES_GONE_BACK);
        Self {
            node_id: going_back.target.node_id,
            title: going_back.title,
            steps: going_back.again,
            files: restore.files,
            conflicts: restore.conflicts,
            more,
            undoes_completion: going_back.undoes_completion,
            seen,
        }
    }
}

/// The run being taken back to a step by the person: files are on their way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RewindUnderWay {
    /// The step, and what becomes of files.
    #[serde(flatten)]
    pub target: RewindTarget,
    /// Why, in the person's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub reason: Option<String>,
}

/// A rewind that can be undone: nothing came of it yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct UndoableRewind {
    /// The step where the run stood before it.
    pub node_id: NodeId,
    /// Its title.
    pub title: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}
