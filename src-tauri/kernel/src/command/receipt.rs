//! What commands come to.

use serde::{Deserialize, Serialize};

use super::servers::SignInPage;

use crate::ids::{ConversationId, PackageId, ProjectId, RunId};
use crate::import::ImportReport;
use crate::package::MenuLine;
use crate::path::AliasPath;

/// What a command came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Receipt {
    /// The project opened or made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub project_id: Option<ProjectId>,
    /// The package installed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub package_id: Option<PackageId>,
    /// The run started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub run_id: Option<RunId>,
    /// The conversation to watch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub conversation_id: Option<ConversationId>,
    /// What became of words that an agent's menu may know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub routed: Option<Routed>,
    /// Where the person signs in at a server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub sign_in: Option<Box<SignInPage>>,
    /// What became of each thing of an imported store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub import: Option<Box<ImportReport>>,
    /// The file of a run that was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(skip))]
    pub exported: Option<Box<ExportedRun>>,
}

/// What became of words that an agent's menu, or the program, may know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Routed {
    /// The menu is asked for. Nothing was said.
    Menu {
        /// Its rows.
        items: Vec<MenuLine>,
    },
    /// Several rows may be meant, or none has that number: the next words say which, by its number.
    /// Nothing was said.
    Choice {
        /// The rows that may be meant.
        items: Vec<MenuLine>,
    },
    /// They were said, or what they stand for was.
    Said,
    /// They began a run, which the receipt names.
    Started,
    /// They lead back to the newest run, in the conversation that the receipt names.
    Resumed {
        /// Sequence number of the first event of that conversation that came of it.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        from_seq: u64,
        /// Whether the run goes on by them; otherwise it waits for the person as it did.
        goes_on: bool,
    },
    /// They stopped what was going on.
    Stopped,
    /// They let the agent go: the person talks with the model alone.
    Dismissed,
}

/// A run as a file: what was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportedRun {
    /// The run.
    pub run_id: RunId,
    /// The file's name, without its folder.
    pub file: String,
    /// Its size.
    pub bytes: u64,
    /// SHA-256 of the file.
    pub sha256: String,
    /// Lines of the journal in it, or turns of the model in a trace.
    pub lines: usize,
    /// Files of the project that the run read and had not made: where a trace of it is played there
    /// is none of them. Empty for what is no trace.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<AliasPath>,
}
