//! Sub-agents, in the conversation that asks for them.

use serde::{Deserialize, Serialize};

use crate::changed_files::CallFileChange;
use crate::chat::Usage;
use crate::facts::Fact;
use crate::subagent::Subagent;

/// See [`Event::SubagentUpdated`](super::Event::SubagentUpdated).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SubagentUpdated {
    /// How it stands now.
    pub subagent: Subagent,
    /// What is proved by it, in order: when it ended, what it did as well.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
    /// What it did to files in all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<CallFileChange>,
    /// The tokens of its requests and answers, when it ended.
    #[serde(default)]
    pub usage: Usage,
}
