//! Exported runs (spec 08): a `.crewrun` file holds a run's journal and everything the journal was
//! decided on, so that it can be decided again elsewhere, without a model, and compared.
//!
//! A `.crewrun` file is a ZIP archive:
//!
//! | entry | what |
//! |---|---|
//! | `crewrun.json` | [`Header`]: format, run, program, settings, and a hash of every other entry |
//! | `journal.jsonl` | the lines as they are stored, one a line |
//! | `package/…` | the pinned package, whole |
//! | `state/revisions/…` | accepted versions of the state document, by sequence number |
//! | `state/put-aside/…` | refused edits of it, by hash |
//! | `preimages/…` | files as they were before the run changed them, by hash; may be absent |
//! | `facts.json` `decisions.json` `artifacts.json` `audit.jsonl` | for people and other programs |
//!
//! The same run gives the same bytes. Nothing in it names a folder of this machine or holds a key:
//! [`Leaks`] looks through all of it before it is written.

mod archive;
mod contents;
mod effects;
mod leaks;
mod replay;
mod report;
mod rewinds;
mod scratch;

use kernel::code::{ErrorCode, Failure};
use kernel::engine::Limits;
use kernel::event::{Line, Phase, Reason};
use kernel::ids::{AgentId, ConversationId, PackageId, ProjectId, RunId, WorkflowId};
use kernel::package::PackageFiles;
use kernel::path::AliasPath;
use kernel::phrase::{Phrase, exports};
use kernel::time::Time;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub use archive::{pack, read, save};
pub use contents::{Contents, written_files};
pub use leaks::Leaks;
pub use replay::{replay, replay_file};
pub use report::{Found, FromRecord, Report};

pub use crate::requests::request_hash;

/// What `crewrun.json` calls its format.
const FORMAT: &str = "crewrun";
/// The version of the format this program writes, and the newest it reads.
const VERSION: u32 = 1;

/// The entry that describes the others.
const HEADER: &str = "crewrun.json";
const JOURNAL: &str = "journal.jsonl";
const PACKAGE: &str = "package/";
const PUT_ASIDE: &str = "state/put-aside/";
const PREIMAGES: &str = "preimages/";

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

/// An export as it was read. Nothing in it is trusted.
#[derive(Debug)]
pub struct Recording {
    /// What it says it is.
    pub header: Header,
    /// The journal.
    pub lines: Vec<Line>,
    /// For each line, its hash in the header and its hash now, when they differ.
    altered: BTreeMap<usize, Altered>,
    /// Other entries that are not what the header says.
    altered_entries: BTreeMap<String, Altered>,
    /// What lies in the package.
    package: PackageFiles,
    /// Entries that are refused edits of the state document, by hash.
    put_aside: BTreeMap<String, String>,
    /// Entries that are files as they were before the run changed them, by hash.
    preimages: BTreeMap<String, String>,
    /// The bytes of everything.
    entries: archive::Entries,
}

/// A hash that should be and the one that is.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Altered {
    expected: String,
    found: String,
}

/// `CREWRUN_INVALID`. `what` comes from the file, so it is shown escaped and short.
fn invalid(mut what: Phrase) -> Failure {
    what.map_texts(&|text| kernel::text::ellipsis(&text.escape_debug().to_string(), 300));
    Failure::new(ErrorCode::CrewrunInvalid, exports::not_usable(what))
}
