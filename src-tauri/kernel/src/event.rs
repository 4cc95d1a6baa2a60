//! What happened: the journal's vocabulary (spec 02, spec 06 "What clients see").
//!
//! An event is past tense and kept for ever. It is indexed by what can happen to a conversation,
//! never by tool, provider or screen. Only the kernel builds one (every struct is
//! `#[non_exhaustive]`); reading one back from a journal is the only other way in.
//!
//! Names are public API: additive only. What cannot be read any more is lifted by [`upcast`].

mod author;
mod beginning;
mod brought_back;
mod cause;
mod compacted;
mod finals;
mod hooked;
mod imported;
mod line;
mod modes;
mod origin;
mod phase;
mod put_back;
mod questions;
mod skills;
mod state;
mod taken_over;
mod tasks;
mod upcast;

use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::chat::Reply;
use crate::code::Failure;
pub use crate::decision::{Decision, DecisionStatus};
use crate::effect::{Began, PreImage};
pub use crate::facts::{Fact, FactKind};
use crate::ids::{
    AgentId, CallId, ConversationId, MessageId, NodeId, PackageId, ProjectId, RunId, WorkflowId,
};
use crate::mention::GivenFile;
use crate::path::AliasPath;
use crate::restore::Restore;
use crate::tool::{ReceivedCall, ReceivedCalls};

pub use cause::{Cause, OutcomeKind};
pub use compacted::{CompactionDue, CompactionReason, ContextCompacted, RefusedRequest};
pub use line::{FORMAT, Line};
pub use questions::{
    ApprovalRevoked, ChangeProposed, ConfirmationSpent, WidgetAnswered, WidgetAsked,
};

pub use crate::subagent::{ParentCall, TaskEnded, TaskStarted};
pub use author::Author;
pub use beginning::Beginning;
pub use finals::{
    CandidateAccepted, CandidateRejected, DecisionMade, FactsUpdated, RunEnded, TodosUpdated,
    TurnFinished,
};
pub use hooked::{CandidateHeld, HookEnded, HooksDue};
pub use imported::MessageImported;
pub use modes::{ArtifactsFolder, ConversationStarted, ModeChosen, ModelSwitched};
pub use origin::{ConversationOrigin, RunOrigin};
pub use phase::{Phase, Reason};
pub use put_back::{PutBackAsked, PutBackBegan, PutBackEnded, RewindAsked, RewindEnded};
pub use skills::{SkillActivated, SkillEnded};
pub use state::{StateChanged, StateMirrored, StateRejected, WorkflowSwitch};
pub use taken_over::{ImportedRun, MESSAGES_PER_LINE, TakenOver};
pub use tasks::SubagentUpdated;
pub use upcast::upcast;

/// What happened, in the past tense: a line of the journal holds one or more.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "event", content = "data", rename_all = "snake_case")]
pub enum Event {
    /// A run began.
    RunStarted(RunStarted),
    /// The person wrote.
    UserSaid(UserSaid),
    /// The person answered a widget.
    WidgetAnswered(WidgetAnswered),
    /// The person asked to go on without adding anything (Resume, Retry, Continue).
    RunResumed(RunResumed),
    /// The person chose a model of their own in place of the demo's script.
    ModelSwitched(ModelSwitched),
    /// The program found the run running when it opened the journal.
    RunInterrupted(RunInterrupted),
    /// The model answered, whole.
    ModelReplied(ModelReplied),
    /// The model did not answer, or was stopped.
    ModelFailed(ModelFailed),
    /// A mutating call is about to run.
    CallBegan(CallBegan),
    /// A call has its result: run, refused, or closed unrun.
    CallEnded(CallEnded),
    /// A call that began was found not to have happened, and may run.
    CallReset(CallReset),
    /// The person wants a file to be what it was before the run.
    PutBackAsked(PutBackAsked),
    /// It is about to be put back.
    PutBackBegan(PutBackBegan),
    /// It is put back, or is not.
    PutBackEnded(Box<PutBackEnded>),
    /// The person wants to take the run back to a step.
    RewindAsked(Box<RewindAsked>),
    /// Files are about to go back with it.
    RewindBegan(PutBackBegan),
    /// The run is back at the step, or stands where it stood.
    RewindEnded(Box<RewindEnded>),
    /// The state document has a new accepted version.
    StateChanged(StateChanged),
    /// The accepted version is on disk.
    StateMirrored(StateMirrored),
    /// A person's edit of the state document was refused and put aside.
    StateRejected(StateRejected),
    /// A change waits for the person: of a completed run's state, or of a file of the project.
    ChangeProposed(ChangeProposed),
    /// A widget was shown.
    WidgetAsked(WidgetAsked),
    /// A confirmation or an approval was used.
    ConfirmationSpent(ConfirmationSpent),
    /// The person took an approval of a folder back.
    ApprovalRevoked(ApprovalRevoked),
    /// The runtime judged a candidate final.
    DecisionMade(DecisionMade),
    /// Candidate last words wait for what the gates of the person say.
    CandidateHeld(Box<CandidateHeld>),
    /// Hooks of the person are to be run.
    HooksDue(HooksDue),
    /// A hook of the person came to its end.
    HookEnded(Box<HookEnded>),
    /// The model's last words were not accepted: they are kept apart, in no later request.
    CandidateRejected(Box<CandidateRejected>),
    /// The person lets words stand that were not accepted.
    CandidateAccepted(CandidateAccepted),
    /// Something was found out that no call's own result proves.
    FactsUpdated(FactsUpdated),
    /// The todos of the run are others.
    TodosUpdated(TodosUpdated),
    /// A sub-agent began to work for the conversation, or came to its end.
    SubagentUpdated(Box<SubagentUpdated>),
    /// A sub-agent's own conversation began.
    TaskStarted(Box<TaskStarted>),
    /// A sub-agent's work is over.
    TaskEnded(Box<TaskEnded>),
    /// The person ended the run before its end.
    RunEnded(RunEnded),
    /// The conversation is to be made shorter for its model.
    CompactionDue(CompactionDue),
    /// The model sees less of the older messages from now on. All of them are kept.
    ContextCompacted(Box<ContextCompacted>),
    /// It is the person's move, or the end.
    TurnFinished(TurnFinished),
    /// A conversation without a run began.
    ConversationStarted(Box<ConversationStarted>),
    /// The person talks with somebody else from now on.
    ModeChosen(ModeChosen),
    /// The text of a skill came in.
    SkillActivated(Box<SkillActivated>),
    /// A skill is at work no longer.
    SkillEnded(SkillEnded),
    /// A message was taken over from another store.
    MessageImported(Box<MessageImported>),
    /// Something that only a newer program knows: kept and passed on, without effect here.
    #[serde(skip_deserializing)]
    Unrecognised(Unrecognised),
}

/// See [`Event::Unrecognised`]. Written back as it was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Unrecognised {
    /// Its public name.
    #[serde(rename = "event")]
    pub name: String,
    /// Whatever it carries.
    #[serde(default)]
    pub data: Value,
}

fn tagged<S: Serializer>(
    serializer: S,
    event: &'static str,
    data: &impl Serialize,
) -> Result<S::Ok, S::Error> {
    let mut out = serializer.serialize_struct("Event", 2)?;
    out.serialize_field("event", event)?;
    out.serialize_field("data", data)?;
    out.end()
}

/// The public names, each written once.
macro_rules! names {
    ($($event:ident = $name:literal,)+) => {
        impl Event {
            /// Every public name this program knows.
            pub const NAMES: &'static [&'static str] = &[$($name,)+];

            /// The public name, `model_replied`.
            pub fn name(&self) -> &str {
                match self {
                    $(Self::$event(_) => $name,)+
                    Self::Unrecognised(e) => &e.name,
                }
            }
        }

        /// `{event, data}`; an event of a newer program is written as it was read.
        impl Serialize for Event {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$event(data) => tagged(serializer, $name, data),)+
                    Self::Unrecognised(e) => e.serialize(serializer),
                }
            }
        }
    };
}

names! {
    RunStarted = "run_started",
    UserSaid = "user_said",
    WidgetAnswered = "widget_answered",
    RunResumed = "run_resumed",
    ModelSwitched = "model_switched",
    RunInterrupted = "run_interrupted",
    ModelReplied = "model_replied",
    ModelFailed = "model_failed",
    CallBegan = "call_began",
    CallEnded = "call_ended",
    CallReset = "call_reset",
    PutBackAsked = "put_back_asked",
    PutBackBegan = "put_back_began",
    PutBackEnded = "put_back_ended",
    RewindAsked = "rewind_asked",
    RewindBegan = "rewind_began",
    RewindEnded = "rewind_ended",
    StateChanged = "state_changed",
    StateMirrored = "state_mirrored",
    StateRejected = "state_rejected",
    ChangeProposed = "change_proposed",
    WidgetAsked = "widget_asked",
    ConfirmationSpent = "confirmation_spent",
    ApprovalRevoked = "approval_revoked",
    DecisionMade = "decision_made",
    CandidateHeld = "candidate_held",
    HooksDue = "hooks_due",
    HookEnded = "hook_ended",
    CandidateRejected = "candidate_rejected",
    CandidateAccepted = "candidate_accepted",
    FactsUpdated = "facts_updated",
    TodosUpdated = "todos_updated",
    SubagentUpdated = "subagent_updated",
    TaskStarted = "task_started",
    TaskEnded = "task_ended",
    RunEnded = "run_ended",
    CompactionDue = "compaction_due",
    ContextCompacted = "context_compacted",
    TurnFinished = "turn_finished",
    ConversationStarted = "conversation_started",
    ModeChosen = "mode_chosen",
    SkillActivated = "skill_activated",
    SkillEnded = "skill_ended",
    MessageImported = "message_imported",
}

/// See [`Event::RunStarted`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RunStarted {
    /// The run.
    pub run_id: RunId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// Its project.
    pub project_id: ProjectId,
    /// The package, pinned.
    pub package_id: PackageId,
    /// The hash of its content. `None` in older journals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<String>,
    /// Which workflow of it.
    pub workflow_id: WorkflowId,
    /// What the workflow is called, for people. `None` in older journals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The run's own agent; a node may name another.
    pub agent_id: AgentId,
    /// Project-relative folder for artifacts, without slashes at the ends.
    pub artifacts_dir: String,
    /// Whether writes there ask like any other: nobody has seen yet which folder it is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub artifacts_ask: bool,
    /// The first version of the state document; empty when a run that was taken over had none.
    pub state: String,
    /// The effective current node of the state document.
    #[serde(default)]
    pub node_id: Option<NodeId>,
    /// Whether the package's demo trace plays the model.
    #[serde(default)]
    pub demo: bool,
    /// Where the run was before; absent when it began here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Box<RunOrigin>>,
}

/// See [`Event::UserSaid`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct UserSaid {
    /// The message.
    pub message_id: MessageId,
    /// The person's own words.
    pub text: String,
    /// What the model is told in their place: what an item of a menu stands for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<String>,
    /// The node that was current, while the run was not complete.
    pub for_node_id: Option<NodeId>,
    /// The files that the words mention, as they were then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<GivenFile>,
}

/// See [`Event::RunResumed`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RunResumed {}

/// See [`Event::RunInterrupted`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RunInterrupted {
    /// Calls that had begun and not ended: in doubt until the host has compared hashes.
    pub in_doubt: Vec<CallId>,
    /// The run was at rest: only unused confirmations and approvals were lost.
    #[serde(default)]
    pub resting: bool,
}

/// See [`Event::ModelReplied`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ModelReplied {
    /// The assistant message.
    pub message_id: MessageId,
    /// Which request of the conversation it answers, from 1.
    pub request: u64,
    /// SHA-256 of the request as sent, for replays.
    pub request_sha256: String,
    /// The answer.
    pub reply: Reply,
    /// How long it took, milliseconds.
    pub duration_ms: u64,
    /// Who spoke: the node's agent, or the run's.
    #[serde(default)]
    pub agent_id: Option<AgentId>,
    /// See [`ModelReplied::calls`].
    #[serde(skip)]
    pub(crate) received: ReceivedCalls,
}

impl ModelReplied {
    /// The calls of the answer, each parsed once for whoever folds this line.
    pub fn calls(&self) -> &[ReceivedCall] {
        self.received.of(&self.reply.calls)
    }
}

/// See [`Event::ModelFailed`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ModelFailed {
    /// The assistant message that shows it (`partType: error`).
    pub message_id: MessageId,
    /// Which request of the conversation failed.
    pub request: u64,
    /// What went wrong.
    pub failure: Failure,
    /// Text that had been shown by then. Kept for the person, never in later context.
    pub partial: Option<String>,
    /// The agent that was speaking; absent in older journals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<AgentId>,
}

/// See [`Event::CallBegan`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CallBegan {
    /// The call.
    pub call_id: CallId,
    /// SHA-256 of the file before; `None` when there was none. For a folder that of its listing.
    pub pre_hash: Option<String>,
    /// SHA-256 the file will have; `None` when it will be gone. For `fs.move` the same as before:
    /// what moves stays what it is.
    pub post_hash: Option<String>,
    /// What is replaced or removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pre_images: Vec<PreImage>,
    /// For a rewind: what becomes of each file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restore: Option<Box<Restore>>,
}

impl From<&CallBegan> for Began {
    fn from(e: &CallBegan) -> Self {
        Self {
            pre_hash: e.pre_hash.clone(),
            post_hash: e.post_hash.clone(),
            pre_images: e.pre_images.clone(),
            restore: e.restore.clone(),
        }
    }
}

/// See [`Event::CallEnded`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CallEnded {
    /// The call.
    pub call_id: CallId,
    /// The tool message that carries the result.
    pub message_id: MessageId,
    /// Canonical tool name, or the name the model wrote when there is no such tool.
    pub tool: String,
    /// `result.ok`.
    pub ok: bool,
    /// `{ok:true,…}` or `{ok:false,error:{code,message,details?}}`; a preview when spilled.
    pub result: Value,
    /// Where the whole result lies when it was too big to keep in line.
    pub full_output: Option<AliasPath>,
    /// How long it ran, milliseconds; 0 when it did not.
    pub duration_ms: u64,
    /// What this proves (spec 06 "Facts").
    pub facts: Vec<Fact>,
}

/// See [`Event::CallReset`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CallReset {
    /// The call.
    pub call_id: CallId,
}
