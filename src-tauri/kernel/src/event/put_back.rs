//! The person puts a file back, or takes the run back to a step.

use serde::{Deserialize, Serialize};

use crate::code::Failure;
use crate::effect::{Began, PreImage};
use crate::facts::Fact;
use crate::ids::{CallId, NodeId};
use crate::path::AliasPath;
use crate::restore::{Conflict, Restore, Restored, RestoredFile};
use crate::tool::rewind::RewindTarget;

/// See [`Event::PutBackAsked`](super::Event::PutBackAsked).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PutBackAsked {
    /// What logs call it.
    pub call_id: CallId,
    /// The file, where it is now.
    pub path: AliasPath,
    /// SHA-256 of what the person saw there; absent when they saw that it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// See [`Event::RewindAsked`](super::Event::RewindAsked).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RewindAsked {
    /// What logs call it.
    pub call_id: CallId,
    /// The step, and what becomes of files.
    #[serde(flatten)]
    pub target: RewindTarget,
    /// Why, in the person's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// SHA-256 of all that the person saw.
    pub seen: String,
}

/// See [`Event::PutBackBegan`](super::Event::PutBackBegan) and
/// [`Event::RewindBegan`](super::Event::RewindBegan).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PutBackBegan {
    /// What was asked for.
    pub call_id: CallId,
    /// What becomes of each file: of one that was moved and is put back, what is where it was moved
    /// to, too.
    pub restore: Box<Restore>,
    /// What is replaced or removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pre_images: Vec<PreImage>,
}

impl From<&PutBackBegan> for Began {
    fn from(e: &PutBackBegan) -> Self {
        let (restore, pre_images) = (Some(e.restore.clone()), e.pre_images.clone());
        Self { pre_images, restore, ..Self::default() }
    }
}

/// See [`Event::PutBackEnded`](super::Event::PutBackEnded).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PutBackEnded {
    /// What was asked for.
    pub call_id: CallId,
    /// The files that are as they were: before the run, or when the step was entered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub restored: Vec<RestoredFile>,
    /// Those that were to be, and are not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Conflict>,
    /// Why nothing was done, or nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// What it proves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
}

impl PutBackEnded {
    /// What became of files, as the host says it.
    pub fn files(&self) -> Restored {
        Restored { restored: self.restored.clone(), conflicts: self.conflicts.clone() }
    }

    /// What kept a file from being put back.
    pub fn why_not(&self) -> Option<Failure> {
        self.failure.clone().or_else(|| self.conflicts.first().map(Conflict::failure))
    }
}

/// See [`Event::RewindEnded`](super::Event::RewindEnded).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RewindEnded {
    /// The step that the run was at.
    pub from: NodeId,
    /// The step that it was to go back to.
    pub node_id: NodeId,
    /// Its title.
    pub title: String,
    /// The steps that are to be done again, in the order of the graph.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub again: Vec<NodeId>,
    /// Why, in the person's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether it undid the rewind before it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undone: bool,
    /// What became of files. A failure says why the run stands where it stood; files that stayed as
    /// they are do not keep it from going back.
    #[serde(flatten)]
    pub files: PutBackEnded,
}
