//! What happened to the state document.

use serde::{Deserialize, Serialize};

use super::Author;
use crate::code::Failure;
use crate::ids::{CallId, NodeId};
use crate::path::AliasPath;

/// See [`Event::StateChanged`](super::Event::StateChanged).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct StateChanged {
    /// The whole new document.
    pub text: String,
    /// Its SHA-256.
    pub sha256: String,
    /// Who made the change.
    pub by: Author,
    /// Through which call.
    pub call_id: Option<CallId>,
    /// The current node afterwards.
    pub node_id: NodeId,
    /// Whether the workflow is complete afterwards.
    pub complete: bool,
    /// The files it newly lists as artifacts that this run did not write.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<AliasPath>,
    /// Whether the file does not say so yet, although the change is the person's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub to_be_written: bool,
}

/// See [`Event::StateMirrored`](super::Event::StateMirrored).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct StateMirrored {
    /// What is on disk now.
    pub sha256: String,
}

/// See [`Event::StateRejected`](super::Event::StateRejected).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct StateRejected {
    /// SHA-256 of the refused text; the host keeps the file aside under it.
    pub sha256: Option<String>,
    /// Why the edit was refused.
    pub failure: Failure,
}
