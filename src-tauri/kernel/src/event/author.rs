//! Who does something in a conversation.

use serde::{Deserialize, Serialize};

/// Who changed the state document, or wanted a skill to be at work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Author {
    /// The model, through the guard.
    Model,
    /// A person, with an editor.
    User,
    /// The runtime: creation, artifact recording, rewind.
    Runtime,
}
