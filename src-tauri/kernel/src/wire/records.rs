//! Answers that only the command line asks for: messages as they are stored, what each agent may
//! do, what a run would be of. The window has frames and reports instead.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chat::Usage;
use crate::ids::{AgentId, CallId, MessageId, PackageId, RunId, WorkflowId};
use crate::mention::FileGiven;
use crate::path::AliasPath;
use crate::policy::{SystemTools, ToolPolicy};
use crate::settings::{ApprovalSettings, ConfirmationSettings};
use crate::time::Time;

/// One message of a conversation, with the field names of spec 08 "Messages".
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MessageRow {
    /// UUIDv7.
    pub id: MessageId,
    /// Sequence number of the event it comes from: the key for paging.
    pub seq: u64,
    /// `user`, `assistant` or `tool`.
    pub role: String,
    /// Raw text; prompts wrap it when they are built. A tool's result is its JSON.
    pub content: String,
    /// Reasoning the provider sent beside the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking: Option<String>,
    /// An assistant's calls, in the OpenAI shape.
    #[serde(rename = "tool_calls", skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Value>,
    /// The call a tool message answers, or a widget message comes from.
    #[serde(rename = "tool_call_id", skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<CallId>,
    /// `content`, `tool_start`, `tool_result` or `error`.
    pub part_type: String,
    /// Canonical tool name, on tool messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// How long the call took, in milliseconds.
    #[serde(rename = "duration", skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// The payload, with `submitted` and, once answered, `submittedValue`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub widget: Option<Value>,
    /// The files that went along with a person's words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileGiven>,
    /// Whose it is.
    #[serde(flatten)]
    pub origin: Origin,
    /// False for what is shown to the person only.
    pub include_in_context: bool,
    /// Where the whole output lies when `content` is a preview.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_output_path: Option<AliasPath>,
    /// When its line was decided.
    pub created_at: Time,
    /// How many model requests the conversation had made by then.
    pub turn: u64,
    /// Tokens of the answer, on a model's messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Tokens of the request and the answer, on a model's messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

/// Where messages come from: constant for one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Origin {
    /// `run` or `chat`.
    pub mode: String,
    /// The run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_id: Option<RunId>,
    /// Its workflow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workflow_id: Option<WorkflowId>,
    /// Its own agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<AgentId>,
}

/// A page of messages, oldest first.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MessagePage {
    /// The messages.
    pub messages: Vec<MessageRow>,
    /// Whether there are earlier ones: ask again with `before` = the first message's `seq`.
    pub earlier: bool,
}

/// What the system allows, and what of it is left for each agent (spec 05 "Limits").
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PolicyTable {
    /// What the settings allow.
    pub system: SystemTools,
    /// Which writes wait for the person.
    pub approval: ApprovalSettings,
    /// What a yes without a known change allows.
    pub confirmation: ConfirmationSettings,
    /// Every agent of the installed packages.
    pub agents: Vec<PolicyRow>,
}

/// What one agent may do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PolicyRow {
    /// Its package.
    pub package_id: PackageId,
    /// The agent.
    pub agent_id: AgentId,
    /// What is left of the system's policy.
    #[serde(flatten)]
    pub policy: ToolPolicy,
    /// The tools the model is offered, by wire name.
    pub tools: Vec<String>,
}

/// What a run would be of, before anything is made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunChoice {
    /// The workflow.
    pub workflow_id: WorkflowId,
    /// The agent.
    pub agent_id: AgentId,
    /// The hash of the package that was looked at.
    pub content_hash: String,
}
