//! A message of a request, and what is in it.

use serde::{Deserialize, Serialize};

use crate::ids::CallId;
use crate::tokens::Tokenizer;

/// Who speaks in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Role {
    /// The runtime's layers.
    System,
    /// The person, and the runtime's user-side blocks.
    User,
    /// The model.
    Assistant,
    /// A tool's result.
    Tool,
}

/// One message of a request, in the OpenAI chat shape.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ChatMessage {
    /// The role of the speaker.
    pub role: Role,
    /// The text; empty for an assistant that only called tools.
    pub content: String,
    /// The calls of an assistant message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<ToolCall>>"))]
    pub tool_calls: Vec<ToolCall>,
    /// On a tool message: the call it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub tool_call_id: Option<CallId>,
}

impl ChatMessage {
    /// A system layer.
    pub fn system(content: impl Into<String>) -> Self {
        Self::of(Role::System, content)
    }

    /// A user message.
    pub fn user(content: impl Into<String>) -> Self {
        Self::of(Role::User, content)
    }

    /// An assistant message without calls.
    pub fn assistant(content: impl Into<String>) -> Self {
        Self::of(Role::Assistant, content)
    }

    /// The result of one call.
    pub fn tool(call: CallId, content: impl Into<String>) -> Self {
        Self { tool_call_id: Some(call), ..Self::of(Role::Tool, content) }
    }

    fn of(role: Role, content: impl Into<String>) -> Self {
        Self { role, content: content.into(), tool_calls: Vec::new(), tool_call_id: None }
    }
}

/// About how many tokens a message has besides its texts.
pub const MESSAGE_TOKENS: u64 = 4;

impl ChatMessage {
    /// How many tokens it has by this tokenizer.
    pub fn tokens(&self, tokenizer: Tokenizer) -> u64 {
        let calls = self.tool_calls.iter();
        let calls = calls.map(|it| tokenizer.count(&it.name) + tokenizer.count(&it.arguments));
        MESSAGE_TOKENS + tokenizer.count(&self.content) + calls.sum::<u64>()
    }
}

/// One call a model made. The arguments stay the text the model wrote: the kernel parses them
/// once and answers invalid JSON with a result the model can repair from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ToolCall {
    /// The model's id for the call, unique in the conversation.
    pub id: CallId,
    /// The tool's name as written: dotted (`fs.read`) or wire form (`fs_read`).
    pub name: String,
    /// The arguments as text.
    pub arguments: String,
}
