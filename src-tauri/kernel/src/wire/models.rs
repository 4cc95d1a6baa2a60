//! What is known of model servers: the connection test, and those found on this machine.

use serde::{Deserialize, Serialize};

use crate::code::Failure;
use crate::settings::{ModelSettings, ToolOffer};

/// What a real connection test found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ModelTest {
    /// Whether it answers a chat.
    pub answers: bool,
    /// Whether it called the probe tool.
    pub calls_tools: bool,
    /// Whether it did a second thing after the first, with what the first gave.
    pub follows_plans: bool,
    /// Whether it can run workflows, by all of this.
    pub fit: WorkflowFit,
    /// Models the endpoint lists, at most 200.
    pub models: Vec<String>,
    /// Context in tokens, where the server tells.
    pub context_tokens: Option<u32>,
    /// How long the chat took, milliseconds.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub latency_ms: u64,
    /// What went wrong.
    pub failure: Option<Failure>,
}

/// Whether a model can run workflows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum WorkflowFit {
    /// With all tools on offer.
    All,
    /// With the tools of one step at a time.
    Step,
    /// It answers or calls too little for that.
    #[default]
    No,
}

/// A model that answered before, and what was set for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct KnownModel {
    /// Its preset.
    pub provider: String,
    /// Where it answers.
    pub base_url: String,
    /// Its name there.
    pub model: String,
    /// Its context in tokens, where the person set it.
    pub context_tokens: Option<u32>,
    /// Which tools it is offered.
    pub tools: ToolOffer,
}

impl KnownModel {
    /// The one that settings name.
    pub fn of(settings: &ModelSettings) -> Self {
        Self {
            provider: settings.provider.clone(),
            base_url: settings.base_url.clone(),
            model: settings.model.clone(),
            context_tokens: settings.context_tokens,
            tools: settings.tools,
        }
    }

    /// Whether it is the same model at the same place, whatever is set for it.
    pub fn is_same(&self, other: &Self) -> bool {
        (&self.base_url, &self.model) == (&other.base_url, &other.model)
    }
}

/// A place on this machine where a model server may listen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LocalServer {
    /// Its preset.
    pub provider: String,
    /// For people.
    pub title: String,
    /// What to set as `model.baseUrl`. Always a loopback address.
    pub base_url: String,
    /// What was found there.
    pub state: LocalState,
    /// Its models, at most 200.
    pub models: Vec<String>,
}

/// What was found where a model server may listen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum LocalState {
    /// A server that lists its models.
    Found,
    /// Something that listens and does not answer like a model server.
    Other,
    /// Nobody listens.
    Nothing,
}
