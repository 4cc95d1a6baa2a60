//! A search among the messages.

use serde::{Deserialize, Serialize};

use crate::ids::{ConversationId, ProjectId};

/// What a search looks for, and where.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SearchQuery {
    /// A person's words. Each piece between spaces must be there, in any order; the letters of a
    /// piece in this order. Quotes and operators are text: there is no syntax.
    pub text: String,
    /// Only in this project.
    #[serde(default)]
    pub project_id: Option<ProjectId>,
    /// Only in this conversation.
    #[serde(default)]
    pub conversation_id: Option<ConversationId>,
    /// How many messages; 30 when absent, 200 at most.
    #[serde(default)]
    pub limit: Option<u32>,
    /// How many messages of one conversation at most; of those that read alike, one then.
    #[serde(default)]
    pub per_conversation: Option<u32>,
    /// The `next` of the page before.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(type = "number | null"))]
    pub before: Option<i64>,
}
