//! The parts of a `.crewrun` file.

use kernel::code::{ErrorCode, Failure};
use kernel::event::{Phase, Reason};
use kernel::ids::{AgentId, ConversationId, PackageId, ProjectId, RunId, WorkflowId};
use kernel::limits::Limits;
use kernel::path::AliasPath;
use kernel::phrase::{Phrase, exports};
use kernel::time::Time;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What `crewrun.json` calls its format.
pub(super) const FORMAT: &str = "crewrun";
/// The version of the format this program writes, and the newest it reads.
pub(super) const VERSION: u32 = 1;

/// The entry that describes the others.
pub(super) const HEADER: &str = "crewrun.json";
pub(super) const JOURNAL: &str = "journal.jsonl";
pub(super) const PACKAGE: &str = "package/";
pub(super) const PUT_ASIDE: &str = "state/put-aside/";
pub(super) const PREIMAGES: &str = "preimages/";

/// `crewrun.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Header {
    /// Always `crewrun`.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// What the run is and where it stood.
    pub run: RunFacts,
    /// Where it ran.
    pub environment: Environment,
    /// SHA-256 of each line of the journal, in order.
    pub lines: Vec<String>,
    /// Every other entry.
    pub entries: BTreeMap<String, EntryFacts>,
}

/// Which run was exported, and where it stood.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunFacts {
    /// The run.
    pub run_id: RunId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// Its project.
    pub project_id: ProjectId,
    /// Its package; the id is its content.
    pub package_id: PackageId,
    /// Its workflow.
    pub workflow_id: WorkflowId,
    /// Its own agent.
    pub agent_id: AgentId,
    /// Whether the package's demo trace played the model.
    pub demo: bool,
    /// Where it stood.
    pub phase: Phase,
    /// Why the run stood in that phase.
    pub reason: Option<Reason>,
    /// The time of its first line.
    pub started_at: Time,
    /// The time of its last line.
    pub updated_at: Time,
}

/// What a run depends on beside its journal and its package.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Environment {
    /// The version of the program that exported it.
    pub program: String,
    /// `linux`, `macos`, `windows`.
    pub os: String,
    /// The settings in force at the export.
    pub limits: Limits,
    /// The model of the settings; `None` for a demo.
    pub model: Option<ModelName>,
}

impl Environment {
    /// This program on this machine.
    pub fn here(limits: Limits, model: Option<ModelName>) -> Self {
        Self {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            os: std::env::consts::OS.to_owned(),
            limits,
            model,
        }
    }
}

/// A model by name. Its address and key stay at home.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelName {
    /// The preset.
    pub provider: String,
    /// The model's name there.
    pub model: String,
}

/// One entry of the archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EntryFacts {
    /// Its size.
    pub bytes: u64,
    /// Its hash.
    pub sha256: String,
}

/// A file the run wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Artifact {
    /// The artifact's path in the project.
    pub path: AliasPath,
    /// SHA-256 after the run's last write.
    pub recorded_sha256: String,
    /// SHA-256 when it was exported; `None` when the file was gone.
    pub sha256: Option<String>,
    /// Its size when it was exported.
    pub bytes: Option<u64>,
}

/// A hash that should be and the one that is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HashMismatch {
    pub(super) expected: String,
    pub(super) found: String,
}

/// `CREWRUN_INVALID`. `what` comes from the file, so it is shown escaped and short.
pub(super) fn invalid(mut what: Phrase) -> Failure {
    what.map_texts(&|text| kernel::text::ellipsis(&text.escape_debug().to_string(), 300));
    Failure::new(ErrorCode::CrewrunInvalid, exports::not_usable(what))
}
