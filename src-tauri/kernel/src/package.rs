//! A package: manifest, workflows, agents, read from files and checked (spec 03).
//!
//! [`check`] is a pure function of the files: it reports every finding, not the first, and yields
//! a [`Package`] only when no finding is an error. Reading archives and folders is the host's.

mod check;
mod finding;
mod identity;
mod manifest;
mod menu;
mod permissions;
mod reading;
mod schema;
mod step_notes;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::graph::Graph;
use crate::ids::{AgentId, NodeId, PackageId, WorkflowId};
use crate::phrase::{Lang, Phrase};
use crate::policy::ApproveWrites;
use crate::skill::OfferedSkill;

pub use check::{check, check_installed, content_hash, upgrade_diff};
pub use finding::{Finding, Severity};
pub use identity::slug;
pub use manifest::{Agent, AgentPrompt, MANIFEST_FILE, Manifest, Metadata, Persona};
pub use menu::{MenuItem, MenuLine, MenuTarget, USE_SKILL, visible};
pub use permissions::{PermissionKind, PermissionLine, PermissionRow, permission_sheet};
pub use reading::{ReadPackage, ReadingProgress};
pub use schema::{SchemaKind, validate as validate_schema};
pub use step_notes::StepNotes;

/// What lies in a package: the hash and size of every file. The texts come one at a time, see
/// [`FileTexts`]: a package may be larger than what one wants to keep.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PackageFiles {
    /// Path relative to the package root (`/`-separated) → file.
    pub files: BTreeMap<String, PackageFile>,
}

/// One file of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageFile {
    /// SHA-256 of the bytes, lower-case hex.
    pub sha256: String,
    /// Its size in bytes.
    pub size: u64,
}

/// Gives the text of a file by its path, the same one each time: for `.json`, `.md`, `.yaml`,
/// `.yml` and `.txt` files that are UTF-8; else `None`.
pub type FileTexts<'t> = dyn FnMut(&str) -> Option<String> + 't;

/// A package whose every file has been checked. Cannot be wrong; immutable.
#[derive(Debug, Clone, PartialEq)]
pub struct Package {
    /// `<name slug>-<version>-<32 hex of content_hash>`; of one that an earlier version installed,
    /// 12 hex.
    pub id: PackageId,
    /// `bmad.json`.
    pub manifest: Manifest,
    /// In manifest order; a package without `workflows[]` has one, made from `entry`.
    pub workflows: Vec<Workflow>,
    /// `agents.json`, in file order.
    pub agents: Vec<Agent>,
    /// SHA-256 over the sorted `(path, sha256)` list, lower-case hex.
    pub content_hash: String,
    /// Every file with hash and size, without texts.
    pub files: BTreeMap<String, (String, u64)>,
    /// Its skills, by their names.
    pub skills: Arc<[OfferedSkill]>,
}

impl Package {
    /// Stands in for a package that is not there any more: it has nothing, so what was said with
    /// it can be read and nothing can go on.
    pub fn lost(id: PackageId) -> Self {
        Self {
            id,
            manifest: Manifest::default(),
            workflows: Vec::new(),
            agents: Vec::new(),
            content_hash: String::new(),
            files: BTreeMap::new(),
            skills: Arc::default(),
        }
    }

    /// The id that earlier versions gave to this content.
    pub fn short_id(&self) -> Option<PackageId> {
        identity::short_id(&self.manifest, &self.content_hash)
    }

    /// The same package by the id it was installed or recorded under; `None` when that id is not
    /// one of its own.
    #[must_use]
    pub fn known_as(self, id: &PackageId) -> Option<Self> {
        let own = self.id == *id || self.short_id().as_ref() == Some(id);
        own.then(|| Self { id: id.clone(), ..self })
    }

    /// The workflow with this id.
    pub fn workflow(&self, id: &WorkflowId) -> Option<&Workflow> {
        self.workflows.iter().find(|w| w.id == *id)
    }

    /// Whether a step of another workflow calls this one: then a run of it alone is seldom meant.
    pub fn is_called(&self, id: &WorkflowId) -> bool {
        let mut nodes = self.workflows.iter().flat_map(|workflow| &workflow.graph.nodes);
        nodes.any(|node| node.called_workflow() == Some(id))
    }

    /// The agent with this id.
    pub fn agent(&self, id: &AgentId) -> Option<&Agent> {
        self.agents.iter().find(|a| a.id == *id)
    }
}

/// One workflow of a package.
#[derive(Debug, Clone, PartialEq)]
pub struct Workflow {
    /// Its id: from `workflows[]`, else derived from the entry workflow (see [`check`]).
    pub id: WorkflowId,
    /// True when the manifest had no `workflows[]` and this one comes from `entry`.
    pub from_entry: bool,
    /// For people.
    pub display_name: String,
    /// For people.
    pub description: Option<String>,
    /// `workflow.md`, relative to the package root.
    pub workflow_path: String,
    /// The graph file, relative to the package root: `RUN_DIRECTIVE` names it.
    pub graph_path: String,
    /// The text of `workflow.md`: a new run's state document starts from it.
    pub state_template: String,
    /// The checked graph.
    pub graph: Graph,
    /// What the file of each step mentions.
    pub notes: BTreeMap<NodeId, StepNotes>,
}

/// What is said about a package before it is installed (spec 03, CLI `package inspect`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PackageReport {
    /// The id it would get; absent when the manifest could not be read.
    pub package_id: Option<PackageId>,
    /// Name, version and description; absent when the manifest could not be read.
    pub manifest: Option<ManifestSummary>,
    /// What can be run.
    pub workflows: Vec<WorkflowSummary>,
    /// Who runs it.
    pub agents: Vec<AgentSummary>,
    /// The permission sheet, one row an agent.
    pub permissions: Vec<PermissionRow>,
    /// The sheet in words, as the settings are now; empty where nobody knows them.
    #[serde(default)]
    pub sheet: Vec<PermissionLine>,
    /// Its skills, by their names. None where the package was installed by an older program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<OfferedSkill>>"))]
    pub skills: Vec<OfferedSkill>,
    /// Everything found, errors first.
    pub findings: Vec<Finding>,
    /// SHA-256 of the content.
    pub content_hash: String,
    /// How many files.
    pub file_count: u32,
    /// Bytes in all.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub total_bytes: u64,
    /// The difference to the package of the same name that was installed last, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub upgrade: Option<UpgradeDiff>,
}

impl PackageReport {
    /// The same with the permission sheet in words, when `writes` is the setting.
    #[must_use]
    pub fn told(mut self, writes: ApproveWrites) -> Self {
        self.sheet = permission_sheet(&self.permissions, writes);
        self
    }

    /// True when no finding blocks the install.
    pub fn is_installable(&self) -> bool {
        self.findings.iter().all(|f| f.severity < Severity::Error)
    }
}

/// The manifest in a few fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ManifestSummary {
    /// Package name.
    pub name: String,
    /// The package's version (semantic versioning).
    pub version: String,
    /// For people.
    pub description: Option<String>,
    /// For people.
    pub author: Option<String>,
}

/// A workflow in a few fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct WorkflowSummary {
    /// Its id.
    pub id: WorkflowId,
    /// For people.
    pub display_name: String,
    /// For people.
    pub description: Option<String>,
    /// Nodes in the graph.
    pub node_count: u32,
    /// What the first of them are called, [`SUMMARY_STEPS`](crate::bounds::SUMMARY_STEPS) at most.
    /// None where the package was installed by an older program.
    #[serde(default)]
    pub steps: Vec<StepName>,
}

/// A node and what it is called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct StepName {
    /// The node.
    pub id: NodeId,
    /// Its title, else its id.
    pub title: String,
}

/// An agent in a few fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct AgentSummary {
    /// Its id.
    pub id: AgentId,
    /// Persona name.
    pub name: String,
    /// Persona title.
    pub title: String,
    /// An emoji or a short text.
    pub icon: String,
    /// Its menu, as a person sees it. None where the package was installed by an older program.
    #[serde(default)]
    pub menu: Vec<MenuLine>,
}

/// What an upgrade would change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct UpgradeDiff {
    /// The installed package compared with. It stays installed.
    pub from: PackageId,
    /// Its version; absent in what an older program wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub from_version: Option<String>,
    /// Files only in the new one.
    pub added: Vec<String>,
    /// Files only in the old one.
    pub removed: Vec<String>,
    /// Files in both that differ.
    pub changed: Vec<String>,
    /// Permissions that got wider, in English.
    pub widened: Vec<String>,
    /// What each of `widened` says, as data.
    #[serde(default)]
    pub widened_said: Vec<Phrase>,
}

impl UpgradeDiff {
    /// Permissions that got wider, one a line, in `lang`.
    pub fn widened_in(&self, lang: Lang) -> Vec<String> {
        let said =
            self.widened_said.iter().filter_map(|phrase| phrase.say(lang)).collect::<Vec<_>>();
        if said.len() == self.widened.len() { said } else { self.widened.clone() }
    }
}
