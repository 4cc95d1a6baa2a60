//! Sub-agents as a window draws them.

use serde::{Deserialize, Serialize};

use crate::code::Failure;
use crate::ids::{AgentId, CallId, ConversationId};
use crate::subagent::{Subagent, TaskEnd, TaskType, Verdict};

/// A sub-agent that works, or worked, for a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SubagentView {
    /// The call that asked for it.
    pub call_id: CallId,
    /// Its own conversation.
    pub conversation_id: ConversationId,
    /// The agent that works on the task.
    pub agent_id: AgentId,
    /// The kind of work.
    pub task_type: TaskType,
    /// How it ended; absent while it works.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub end: Option<TaskEnd>,
    /// What a verification said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub verdict: Option<Verdict>,
    /// Why it handed in no report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub failure: Option<Failure>,
    /// How often its model answered so far.
    #[serde(default)]
    pub steps: u32,
    /// The tool it called last, while it works.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub doing: Option<String>,
}

impl From<&Subagent> for SubagentView {
    fn from(known: &Subagent) -> Self {
        Self {
            call_id: known.call_id.clone(),
            conversation_id: known.conversation_id.clone(),
            agent_id: known.agent_id.clone(),
            task_type: known.task_type,
            end: known.end,
            verdict: known.verdict,
            failure: known.failure.clone(),
            steps: known.steps,
            doing: None,
        }
    }
}
