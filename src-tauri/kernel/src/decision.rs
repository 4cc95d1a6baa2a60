//! The judgement on a candidate final, a reply without calls, as clients and the model are told it
//! (spec 06 "Obligations → decision"). How it is made: [`acceptance`](crate::acceptance).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::{CallId, ChangeId, NodeId};
use crate::path::AliasPath;
use crate::phrase::Phrase;

/// The judgement on a candidate final.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Decision {
    /// What becomes of the candidate.
    pub status: DecisionStatus,
    /// The reason for the status, as a stable word.
    pub stop_reason: StopReason,
    /// For people, in English; see `said`.
    pub user_summary: String,
    /// The same for a reader of any language. Absent in older journals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub said: Option<Box<Phrase>>,
    /// For the log and for programs: what was counted, in English.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<String>"))]
    pub internal_summary: String,
    /// What is missing, in the order of the obligations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<MissingFact>>"))]
    pub missing_facts: Vec<MissingFact>,
    /// The calls that would prove it: never empty when the status is `continue`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<NextAction>>"))]
    pub required_next_actions: Vec<NextAction>,
    /// What is open, the first of them when there are many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<Obligation>>"))]
    pub obligations: Vec<Obligation>,
    /// How many obligations are not listed.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<u32>"))]
    pub not_listed: u32,
    /// What kind of work the turn was, by its facts: a label, on which nothing depends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub task_kind: Option<TaskKind>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Decision {
    /// Whether the model's text stands as its last words: then it is a message like any other.
    /// Otherwise it is kept apart.
    pub fn lets_text_stand(&self) -> bool {
        matches!(self.status, DecisionStatus::Accepted | DecisionStatus::Blocked)
    }
}

/// What becomes of a candidate final.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum DecisionStatus {
    /// No obligation is open.
    Accepted,
    /// Something is missing, and the model is told which calls prove it.
    Continue,
    /// What is missing only a person can give.
    Blocked,
    /// Something is missing, and the model came no nearer to it.
    Incomplete,
    /// It cannot be done.
    Failed,
    /// Something that only a newer program says.
    #[serde(other)]
    Unrecognised,
}

/// Why a candidate final was judged so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum StopReason {
    /// Nothing is open.
    Accepted,
    /// A required todo is open.
    PendingTodo,
    /// A file was written and nobody looked at it since.
    UnverifiedWrite,
    /// A file is not as it should be.
    FailedVerification,
    /// A step's declared output is not there.
    MissingOutput,
    /// A helper is still at work, or failed.
    SubagentOpen,
    /// The model was told what is missing, twice, and nothing changed.
    NoProgressAfterFinalIntercept,
    /// The model was told what is missing as often as it may be.
    ContinueBudgetExhausted,
    /// A required todo failed.
    RequiredTodoFailed,
    /// What is missing failed again and again in the same way.
    RepeatedFailure,
    /// A sub-agent has handed in no report.
    MissingReport,
    /// A check of the person did not pass.
    FailedGate,
    /// It is the person's turn.
    NeedsUser,
    /// A bug.
    InternalError,
    /// Something that only a newer program says.
    #[serde(other)]
    Unrecognised,
}

/// Something that has to be so before a final answer is accepted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Obligation {
    /// A file that the run wrote has to be looked at.
    UnverifiedWrite {
        /// The file.
        path: AliasPath,
    },
    /// A file that the run wrote has to be as the last check expected it.
    FailedVerification {
        /// The file.
        path: AliasPath,
    },
    /// A required todo has to come to an end.
    OpenTodo {
        /// The todo.
        id: String,
        /// The version of it that is open.
        revision: u32,
    },
    /// A required todo that failed.
    FailedRequiredTodo {
        /// The todo.
        id: String,
    },
    /// A step that is being worked on promises a file.
    MissingOutput {
        /// The step.
        node: NodeId,
        /// The file.
        path: AliasPath,
    },
    /// A check of the person has to pass.
    FailedGate {
        /// The hook.
        hook: String,
        /// SHA-256 of what it wrote: another complaint is another obligation.
        output_sha256: String,
    },
    /// A check of the person could not be made.
    UnansweredGate {
        /// The hook.
        hook: String,
    },
    /// A sub-agent came to no good end.
    FailedSubagent {
        /// The call that asked for it.
        call_id: CallId,
    },
    /// A sub-agent has to hand in its report.
    MissingReport,
    /// A change of a completed run waits for the person, who was not asked.
    PostCompletionPending {
        /// The change.
        change_id: ChangeId,
    },
    /// Something that only a newer program asks for.
    #[serde(other)]
    Unrecognised,
}

/// A fact that is not there yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct MissingFact {
    /// What kind of fact it would be.
    pub kind: MissingKind,
    /// Of what: an alias path or an id.
    pub target: String,
    /// The texts that a file is to hold, when they are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<String>>"))]
    pub expected: Vec<String>,
    /// The step that promises the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub node: Option<NodeId>,
    /// What the check wrote that did not pass; the end of it when it is long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub output: Option<String>,
    /// How it failed in this turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub failed: Option<FailedCalls>,
}

/// Calls that failed in a row in the same way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct FailedCalls {
    /// The error code of each.
    pub code: String,
    /// How many there were.
    pub times: u32,
}

/// What kind of fact is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum MissingKind {
    /// A check of a file that passed.
    VerificationPassed,
    /// That a file is there.
    FileExists,
    /// That a todo came to an end.
    TodoTerminal,
    /// That a sub-agent came to a good end.
    SubagentCompleted,
    /// That a report was handed in.
    ReportTaken,
    /// That the person confirmed.
    UserConfirmed,
    /// That a check of the person passed.
    CommandPassed,
    /// That a check of the person could be made.
    CommandAnswered,
    /// Something that only a newer program misses.
    #[serde(other)]
    Unrecognised,
}

/// A call to make, checked against its tool before it is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct NextAction {
    /// The tool, as a model calls it: `fs_read`.
    pub tool: String,
    /// Its arguments, ready to be sent.
    #[cfg_attr(feature = "ts", ts(type = "unknown"))]
    pub args: Value,
}

/// What kind of work a turn was, by its facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum TaskKind {
    /// Nothing but words.
    ChatAnswer,
    /// Todos were changed, and no file.
    TodoState,
    /// Files were written, moved or deleted.
    WorkspaceWrite,
    /// A helper worked.
    Subagent,
    /// Files were looked at.
    ReadOnly,
    /// Several of these.
    Mixed,
    /// Something that only a newer program does.
    #[serde(other)]
    Unrecognised,
}
