//! What the engine keeps of facts, approvals and revisions, and says of a person's edit: clients
//! read it as it is kept.

use serde::{Deserialize, Serialize};

use crate::code::Failure;
use crate::event::{Author, CandidateRejected};
use crate::facts::Fact;
use crate::ids::{AgentId, CallId, ChangeId, MessageId, NodeId, RunId};
use crate::path::AliasPath;
use crate::phrase::Phrase;
use crate::time::Time;

/// A fact with its place in the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct FactRecord {
    /// The event's sequence number.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub seq: u64,
    /// When it was found out.
    #[serde(default)]
    pub at: Time,
    /// Model requests that were answered by then.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub turn: u64,
    /// The call it comes from.
    pub call_id: Option<CallId>,
    /// The tool of that call, by the name that its end has in the journal. Absent where the call is
    /// another agent's, or the person's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub tool: Option<String>,
    /// The run it is about.
    #[serde(default)]
    pub run_id: Option<RunId>,
    /// The helpers through which it came, the outermost first; empty for the run's own agent.
    #[serde(default)]
    pub agent_path: Vec<String>,
    /// What it says.
    #[serde(flatten)]
    pub fact: Fact,
}

/// Words of the model that were not accepted, and that the person may let stand.
#[derive(Debug, Clone, PartialEq)]
pub struct RejectedCandidate {
    /// The message it would have been.
    pub message_id: MessageId,
    /// Its words.
    pub text: String,
    /// The agent that spoke.
    pub agent_id: Option<AgentId>,
}

impl From<&CandidateRejected> for RejectedCandidate {
    fn from(e: &CandidateRejected) -> Self {
        Self {
            message_id: e.message_id.clone(),
            text: e.reply.text.clone(),
            agent_id: e.agent_id.clone(),
        }
    }
}

/// A person's answer about a change: of a completed run's state, or of a file of the project.
/// Absent members were not known: an unbound confirmation showed no change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Approval {
    /// When it was given.
    pub at: Time,
    /// The change that was shown.
    pub change_id: Option<ChangeId>,
    /// True when the person confirmed, false when they cancelled.
    pub confirmed: bool,
    /// Whether the dialog showed the exact change, so that only that one could be made.
    #[serde(default)]
    pub bound: bool,
    /// Whether not all of the change was shown, and the person knew.
    #[serde(default)]
    pub unseen: bool,
    /// Whether all of the change was opened, which was too long to be shown at once.
    #[serde(default)]
    pub whole: bool,
    /// The tool that wanted to make it.
    #[serde(default)]
    pub tool: Option<String>,
    /// The file.
    #[serde(default)]
    pub path: Option<AliasPath>,
    /// One line for people, in English; see `parts`.
    #[serde(default)]
    pub summary: Option<String>,
    /// What it does, for a reader of any language. Empty in older journals.
    #[serde(default)]
    pub parts: Vec<Phrase>,
    /// SHA-256 of the diff that was shown.
    #[serde(default)]
    pub diff_sha256: Option<String>,
    /// The folder that was allowed for the run, when the person chose so.
    #[serde(default)]
    pub folder: Option<AliasPath>,
    /// The call that used it first.
    pub spent_by: Option<CallId>,
    /// Every call that ran on it, oldest first: several only for a folder.
    #[serde(default)]
    pub calls: Vec<CallId>,
    /// When the person took it back.
    #[serde(default)]
    pub revoked_at: Option<Time>,
}

/// A folder the person allowed for the run: one tool, on files directly in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Grant {
    /// Its key: the change in whose dialog it was given.
    pub change_id: ChangeId,
    /// The tool, by canonical name.
    pub tool: String,
    /// The folder.
    pub folder: AliasPath,
    /// When it was given.
    pub at: Time,
}

/// An accepted version of the state document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RevisionView {
    /// The event's sequence number.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub seq: u64,
    /// When the revision was accepted.
    pub at: Time,
    /// SHA-256 of the text.
    pub sha256: String,
    /// Who made it.
    pub by: Author,
    /// Through which call.
    pub call_id: Option<CallId>,
    /// Where the run stood then; absent where its first document says nothing that can be known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub node_id: Option<NodeId>,
    /// What that step is called, where it is of a workflow that another one called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub title: Option<String>,
}

/// What will become of an edit of `@state/workflow.md` when the run goes on (spec 03 "Run state").
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct StateEdit {
    /// Why it will be put aside; taken over when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub refused: Option<Failure>,
}
