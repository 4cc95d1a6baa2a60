//! The settings that what is decided depends on.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

use crate::hook::HookRule;
use crate::mcp::ServerTools;
use crate::policy::{AgentTools, ApproveWrites, SystemTools, ToolPolicy};
use crate::settings::{OutputsPolicy, ToolOffer, Unbound};
use crate::skill::OfferedSkill;
use crate::tokens::Tokenizer;

/// The settings the engine reads. A line of the journal has them when they are not those of the
/// line before, because what is decided depends on them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Limits {
    /// The system's switches and limits for tools.
    pub tools: SystemTools,
    /// Model requests in one user turn.
    pub max_turns: u32,
    /// Whether the model goes on with the next step by itself.
    pub autopilot: bool,
    /// Context of the model in tokens, when it is known.
    pub context_tokens: Option<u32>,
    /// What counts the tokens of a request, by the model's name. Programs that did not know this
    /// setting estimated them.
    #[serde(skip_serializing_if = "Tokenizer::is_estimate")]
    pub tokenizer: Tokenizer,
    /// Which tools the model is offered.
    #[serde(skip_serializing_if = "ToolOffer::is_all")]
    pub offer: ToolOffer,
    /// What an unbound confirmation is worth.
    pub unbound: Unbound,
    /// Whether a write that does not say so is read back.
    pub verify_after_write: bool,
    /// Which writes wait for the person.
    pub approve_writes: ApproveWrites,
    /// Whether a step may be completed without the files that it promises. Programs that did not
    /// know this setting did not look.
    #[serde(default = "nobody_looks")]
    pub outputs: OutputsPolicy,
    /// The hooks of the project that the person trusts.
    #[serde(default, skip_serializing_if = "<[HookRule]>::is_empty")]
    pub hooks: Arc<[HookRule]>,
    /// The servers that the person trusts in the project, with the tools that they offer.
    #[serde(default, skip_serializing_if = "<[ServerTools]>::is_empty")]
    pub servers: Arc<[ServerTools]>,
    /// The skills of the project and of the person, of each name one.
    #[serde(default, skip_serializing_if = "<[OfferedSkill]>::is_empty")]
    pub skills: Arc<[OfferedSkill]>,
}

const fn nobody_looks() -> OutputsPolicy {
    OutputsPolicy::Off
}

impl Limits {
    /// What holds for an agent: the one merge behind the prompt, the tool list, the enforcement
    /// and `doctor --policy`.
    pub fn policy(&self, agent: Option<&AgentTools>) -> ToolPolicy {
        ToolPolicy::merge(&self.tools, agent)
            .asking(self.approve_writes)
            .with_servers(&self.servers)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            tools: SystemTools::default(),
            max_turns: 50,
            autopilot: true,
            context_tokens: None,
            tokenizer: Tokenizer::Estimate,
            offer: ToolOffer::All,
            unbound: Unbound::Allow,
            verify_after_write: true,
            approve_writes: ApproveWrites::default(),
            outputs: OutputsPolicy::default(),
            hooks: Arc::default(),
            servers: Arc::default(),
            skills: Arc::default(),
        }
    }
}
