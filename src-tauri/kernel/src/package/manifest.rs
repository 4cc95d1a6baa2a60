//! The manifest and the agents as types. Field names are the file format's (spec 03
//! "Package format").

use serde::{Deserialize, Serialize};

use super::menu::MenuItem;
use crate::ids::AgentId;
use crate::policy::AgentTools;

/// The manifest's place in every package.
pub const MANIFEST_FILE: &str = "bmad.json";

/// `bmad.json`, what of it the runtime uses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// `1.1` or `1.1.x`.
    pub schema_version: String,
    /// Package name.
    pub name: String,
    /// The package's version (semantic versioning).
    pub version: String,
    /// The default workflow's files.
    pub entry: ManifestEntry,
    /// For people.
    #[serde(default)]
    pub description: Option<String>,
    /// For people.
    #[serde(default)]
    pub author: Option<String>,
    /// When it was made.
    #[serde(default)]
    pub created_at: Option<String>,
    /// The workflows, when there are several.
    #[serde(default)]
    pub workflows: Vec<WorkflowEntry>,
    /// What it needs of the runtime.
    #[serde(default)]
    pub runtime: Option<RuntimeNeeds>,
    /// A hash the author wrote; cannot be verified from inside the archive.
    #[serde(default)]
    pub integrity: Option<Integrity>,
}

/// The files of the workflow that a package begins with: `entry` of `bmad.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase")]
pub struct ManifestEntry {
    /// Path of `workflow.md`.
    pub workflow: String,
    /// Path of the graph.
    pub graph: String,
    /// Path of `agents.json`.
    pub agents: String,
    /// Default `assets/`.
    #[serde(default)]
    pub assets_dir: Option<String>,
}

/// One of `bmad.json` `workflows[]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase")]
pub struct WorkflowEntry {
    /// Its id, often a stringified integer.
    pub id: String,
    /// Path of its `workflow.md`.
    pub workflow: String,
    /// Path of its graph.
    pub graph: String,
    /// For people.
    #[serde(default)]
    pub display_name: Option<String>,
    /// For people.
    #[serde(default)]
    pub description: Option<String>,
    /// For people.
    #[serde(default)]
    pub tags: Vec<String>,
}

/// What a package asks of the program: `runtime` of `bmad.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RuntimeNeeds {
    /// Lowest runtime version it works with.
    #[serde(default)]
    pub min_runtime_version: Option<String>,
    /// Whether it says it needs the network.
    #[serde(default)]
    pub requires_network: bool,
}

/// The hash that an author wrote into the package, which cannot be verified from inside it:
/// `integrity` of `bmad.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Integrity {
    /// 64 hex characters.
    #[serde(default)]
    pub sha256: Option<String>,
}

/// One agent of `agents.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Agent {
    /// Its id.
    pub id: AgentId,
    /// Name, title, icon.
    pub metadata: Metadata,
    /// Who it is.
    pub persona: Persona,
    /// Rules it must never break; rendered into the persona.
    #[serde(default, rename = "critical_actions")]
    pub critical_actions: Vec<String>,
    /// Texts that items of its menu say in the person's place.
    #[serde(default)]
    pub prompts: Vec<AgentPrompt>,
    /// Its menu in agent mode.
    #[serde(default)]
    pub menu: Vec<MenuItem>,
    /// Replaces the rendered persona when present.
    #[serde(default)]
    pub system_prompt: Option<String>,
    /// What it may use.
    #[serde(default)]
    pub tools: Option<AgentTools>,
}

impl Agent {
    /// What it may use at most; an agent that says nothing of tools has what is usual.
    pub fn limits(&self) -> &AgentTools {
        const USUAL: &AgentTools = &AgentTools { fs: None, mcp: None };
        self.tools.as_ref().unwrap_or(USUAL)
    }
}

/// A text that an item of the menu says in the person's place: one of `prompts` in `agents.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentPrompt {
    /// What `#id` names.
    pub id: String,
    /// What is said.
    pub content: String,
}

/// How an agent is called and shown: its `metadata` in `agents.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Metadata {
    /// The persona's name.
    pub name: String,
    /// The persona's title.
    pub title: String,
    /// An emoji or a short text.
    pub icon: String,
    /// For people.
    #[serde(default)]
    pub description: Option<String>,
}

/// Who an agent is, in words for the model: its `persona` in `agents.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Persona {
    /// What it does.
    pub role: String,
    /// Who it is.
    pub identity: String,
    /// How it speaks.
    pub communication_style: String,
    /// One text or a list.
    pub principles: Principles,
}

/// A text or a list of texts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Principles {
    /// One text.
    Text(String),
    /// A list of texts.
    List(Vec<String>),
}

impl Principles {
    /// As a list, whichever way it was written.
    pub fn items(&self) -> Vec<&str> {
        match self {
            Self::Text(text) => vec![text],
            Self::List(items) => items.iter().map(String::as_str).collect(),
        }
    }
}
