//! Settings as one typed struct (spec 08). Merged field by field; absent never overwrites; an
//! invalid value is refused with the field named and the old value stays.
//!
//! API keys are not settings: they live in the host's secret store.

use serde::{Deserialize, Serialize};

use crate::phrase::Lang;
use crate::policy::{ApproveWrites, SystemTools};

mod costs;
mod credentials;
mod guard;
mod merge;
mod strangers;

pub use costs::{Cost, CostSettings, ModelPrice};
pub use guard::{is_misspelt, may_mean_a_guard, strictest};
pub use merge::{ReadSettings, check_model, merged, read, unreadable};
pub use strangers::is_stranger;

/// The provider presets a person may name (spec 07). Their quirks are the host's data.
pub const PROVIDERS: &[&str] = &[
    "custom",
    "openai",
    "azure",
    "deepseek",
    "kimi",
    "qwen",
    "gemini",
    "anthropic",
    "openrouter",
    "ollama",
    "lmstudio",
    "llamacpp",
    "vllm",
];

/// The one group whose member names the person chooses.
const FREE_MAP: &str = "model.headers";

/// Everything the user can set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Settings {
    /// How it looks.
    pub appearance: Appearance,
    /// The endpoint and the model that answer.
    pub model: ModelSettings,
    /// File tools and limits.
    pub tools: SystemTools,
    /// The loop.
    pub engine: EngineSettings,
    /// What a person's confirmation is worth.
    pub confirmation: ConfirmationSettings,
    /// When work counts as done.
    pub acceptance: AcceptanceSettings,
    /// Which calls wait for the person.
    pub approval: ApprovalSettings,
    /// What models cost.
    pub costs: CostSettings,
}

/// How the window looks, and which language it speaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Appearance {
    /// Light, dark, or the system's.
    pub theme: Theme,
    /// zh, en, or the system's.
    pub language: Language,
    /// How large words are.
    pub text_size: TextSize,
    /// How much text and lines stand out.
    pub contrast: Contrast,
}

/// How large the words of the window are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum TextSize {
    /// Fifteen sixteenths of the usual size.
    Small,
    /// The usual size.
    #[default]
    Normal,
    /// Nine eighths of it.
    Large,
    /// Five fourths of it.
    Larger,
}

/// How much text and lines stand out from what is behind them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Contrast {
    /// As the system wants it.
    #[default]
    System,
    /// As the theme has it.
    Normal,
    /// At least 7 to 1 for text.
    High,
}

/// The colours of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Theme {
    /// Follow the system.
    #[default]
    System,
    /// The light theme.
    Light,
    /// The dark theme.
    Dark,
}

/// A language of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Language {
    /// Follow the system.
    #[default]
    System,
    /// The interface is in simplified Chinese.
    Zh,
    /// The interface is in English.
    En,
}

impl Language {
    /// The language of what is written where nobody knows that of the system: English then.
    pub fn lang(self) -> Lang {
        match self {
            Self::System | Self::En => Lang::En,
            Self::Zh => Lang::Zh,
        }
    }
}

impl From<Lang> for Language {
    fn from(lang: Lang) -> Self {
        match lang {
            Lang::En => Self::En,
            Lang::Zh => Self::Zh,
        }
    }
}

/// The server that is asked, which speaks the protocol of OpenAI, and the model there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ModelSettings {
    /// Preset name: `openai`, `ollama`, `lmstudio`, `llamacpp`, `deepseek`, … or `custom`.
    pub provider: String,
    /// Up to and without `/chat/completions`; empty means not configured.
    pub base_url: String,
    /// The model's name at the endpoint.
    pub model: String,
    /// Its context in tokens. Where it is not set the server is asked, and may not know.
    pub context_tokens: Option<u32>,
    /// Which tools the model is offered.
    pub tools: ToolOffer,
    /// Seconds to connect.
    pub connect_timeout_s: u32,
    /// Seconds to the first byte.
    pub first_byte_timeout_s: u32,
    /// Seconds between bytes.
    pub idle_timeout_s: u32,
    /// Extra request headers.
    pub headers: std::collections::BTreeMap<String, String>,
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self {
            provider: "custom".into(),
            base_url: String::new(),
            model: String::new(),
            context_tokens: None,
            tools: ToolOffer::All,
            connect_timeout_s: 10,
            first_byte_timeout_s: 120,
            idle_timeout_s: 60,
            headers: std::collections::BTreeMap::new(),
        }
    }
}

/// Which tools a model is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum ToolOffer {
    /// All that it may use.
    #[default]
    All,
    /// In a workflow only those that the current step can need, with short prompts: for small
    /// models.
    Step,
}

impl ToolOffer {
    /// Whether it is all of them.
    pub fn is_all(&self) -> bool {
        *self == Self::All
    }
}

/// How far the program goes on by itself in one turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct EngineSettings {
    /// Model requests in one user turn, at least 1.
    pub max_turns: u32,
    /// Whether the model goes on with the next step by itself. Otherwise it says what is done after
    /// each, and waits.
    pub autopilot: bool,
}

impl Default for EngineSettings {
    fn default() -> Self {
        Self { max_turns: 50, autopilot: true }
    }
}

/// What an unbound confirmation is worth (spec 06 "Confirmation").
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ConfirmationSettings {
    /// Whether a confirmation asked before the change is known may be used.
    pub unbound: Unbound,
}

/// Which calls wait for the person before they run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ApprovalSettings {
    /// Calls that change files of the project.
    pub writes: ApproveWrites,
}

/// Whether a confirmation counts that is bound to no change, because none was known when it was
/// asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Unbound {
    /// It may be used once, for one change of the state document.
    #[default]
    Allow,
    /// Only bound confirmations count.
    Refuse,
}

/// When work counts as done (spec 05 "Verification").
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct AcceptanceSettings {
    /// Whether a written file is read back and compared.
    pub verify_after_write: VerifyAfterWrite,
    /// Whether a step may be completed without the files that it promises.
    pub outputs: OutputsPolicy,
}

/// What becomes of a step that is completed without a file it promises (spec 03 "The guard").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum OutputsPolicy {
    /// It is refused until the files are there, or the person lets it pass.
    #[default]
    Enforce,
    /// It is completed, and the model is told what is missing.
    Warn,
    /// Nobody looks.
    Off,
}

/// When a written file is read back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum VerifyAfterWrite {
    /// After every write that does not say otherwise.
    #[default]
    Auto,
    /// Only when the call asks for it.
    Explicit,
}
