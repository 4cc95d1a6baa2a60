//! What is wanted of the outside world, and what came of it (spec 02 "The engine").
//!
//! Effects are derived from state, never remembered: after every line the host asks
//! [`wanted`](crate::engine::ExecutionEngine::wanted), starts what is new and aborts what is
//! gone. An outcome whose effect is not wanted any more is ignored in one line.

mod executor;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

use crate::changed_files::CallFileChange;
use crate::chat::{ChatRequest, Reply, ToolCall, Usage};
use crate::code::Failure;
use crate::context::{Compacted, CompactionJob};
use crate::facts::Fact;
use crate::hook::HookResult;
use crate::ids::{CallId, ConversationId};
use crate::mcp::{ServerName, ServerTool};
use crate::path::AliasPath;
use crate::phrase::Phrase;
use crate::policy::ToolPolicy;
use crate::restore::RestoreFile;
use crate::skill::LoadedSkill;
use crate::subagent::{TaskEnd, TaskEnded, TaskStarted};
use crate::tool::{Edit, EffectClass, ParsedCall, ReceivedCall, Tool, ToolInput};

pub use crate::restore::{Began, PreImage};
pub use executor::{Executor, whole_call};

/// The name of a wanted effect. The same state always wants the same effect under the same name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectId {
    /// Ask the model, request number n.
    Think(u64),
    /// Look at what a mutating call would change, before it begins.
    Prepare(CallId),
    /// Look whether the files are there that a change of the state document lists.
    Look(CallId),
    /// Run a call.
    Perform(CallId),
    /// Find out whether a call in doubt happened.
    Settle(CallId),
    /// Bring the state document on disk up to this hash.
    Mirror(String),
    /// Find out what a call would change, for the person to see before they allow it.
    Preview(CallId),
    /// Make the conversation shorter before request number n.
    Compact(u64),
    /// Run the hook with this number.
    Hook(u64),
    /// Let the sub-agent work that a call asks for.
    Delegate(CallId),
    /// Stop the sub-agent that a call asked for.
    Recall(CallId),
}

/// A wanted effect, ready to be carried out.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Check the state document on disk, then send the request.
    Think(Think),
    /// Make the conversation shorter.
    Compact(Box<CompactionJob>),
    /// Run a command of the person.
    Hook(Box<HookCall>),
    /// Let a sub-agent work that is begun like this, and wait for its end.
    Delegate(Box<TaskStarted>),
    /// Stop the sub-agent of this conversation, and wait for its end.
    Recall(ConversationId),
    /// Everything that is not asked of a model.
    Act(Box<Action>),
}

impl From<Action> for Effect {
    fn from(action: Action) -> Self {
        Self::Act(Box::new(action))
    }
}

/// What is wanted of the tools and the disk; see [`Executor`].
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Compute the hashes before and after, changing nothing.
    Prepare(Permit),
    /// Find out which of the permit's [`claims`](Permit::claims) are no files.
    Look(Permit),
    /// Run the call.
    Perform(Permit),
    /// Compare hashes; see [`Settled`].
    Settle(Permit, Began),
    /// Write the state document.
    Mirror(Mirror),
    /// Compute the hashes before and after and the difference, changing nothing.
    Preview(Permit),
}

/// A hook, and what its command is told.
#[derive(Debug, Clone, PartialEq)]
pub struct HookCall {
    /// The hook's name within the project.
    pub name: String,
    /// What its command reads on its standard input, as JSON.
    pub told: Value,
    /// For a gate: the files that a judgement builds on. After the command the host looks whether they
    /// are still so: a command may change files.
    pub written: Vec<KnownFile>,
    /// Under which limits the host looks at them.
    pub policy: ToolPolicy,
}

/// A request, and what the state document on disk must be for it to be sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Think {
    /// What is asked.
    pub request: ChatRequest,
    /// SHA-256 of the accepted state document. When the file's differs the host answers
    /// [`Outcome::StateDrifted`] instead of asking the model.
    pub state_sha256: Option<String>,
    /// The files that a judgement builds on, each with the hash it is known to have. After a reply
    /// that ends the turn or moves the run ([`ends_or_moves_on`]) the host looks whether
    /// they are still so.
    pub written: Vec<KnownFile>,
    /// Under which limits the host looks at them.
    pub policy: ToolPolicy,
}

/// Whether a reply is a candidate for the end of the turn, or changes the state document: what is
/// believed of files is looked at before it is judged.
pub fn ends_or_moves_on(reply: &Reply) -> bool {
    let writes_state = |call: &ToolCall| {
        let received = ReceivedCall::new(call.clone());
        received.parsed().is_ok_and(|parsed| parsed.class == EffectClass::WriteState)
    };
    reply.calls.is_empty() || reply.calls.iter().any(writes_state)
}

/// A file and the bytes it is known to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownFile {
    /// The file.
    pub path: AliasPath,
    /// SHA-256 of its bytes.
    pub sha256: String,
}

/// A file that somebody else changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignChange {
    /// The file.
    pub path: AliasPath,
    /// SHA-256 of its bytes now; `None` when it is gone.
    pub sha256: Option<String>,
}

/// The state document to write, and what may be there before.
#[derive(Debug, Clone, PartialEq)]
pub struct Mirror {
    /// The whole text.
    pub text: String,
    /// Its SHA-256.
    pub sha256: String,
    /// The version known to be on disk. A file that is neither this nor `sha256` was edited by
    /// someone.
    pub replaces: Option<String>,
    /// The edit that the journal says was refused: kept aside as `workflow.md.rejected-<n>` before
    /// it is overwritten. Any other edit is left where it is and reported
    /// ([`Outcome::StateEdited`]), so that nothing is put aside that nobody is told of.
    pub refused: Option<String>,
    /// Other files of `@state` that say where the run is among its workflows; none while its
    /// workflow has called no other. Nobody reads them back: what they say stands in the journal.
    pub copies: Vec<StateCopy>,
}

/// A file of `@state` that is written beside the state document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateCopy {
    /// The file, `@state/run.md` or `@state/workflows/<workflow>/workflow.md`.
    pub path: AliasPath,
    /// All of it.
    pub text: String,
}

/// What a call would change, as a person is shown it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// What the approval is bound to.
    pub began: Began,
    /// One line for people, in English; see `parts`.
    pub summary: String,
    /// What it does, for a reader of any language.
    pub parts: Vec<Phrase>,
    /// The runtime's own unified diff; empty when the file is no text. Never a real path.
    pub diff: String,
    /// Whether the diff leaves something out, or nothing can be shown.
    pub cut: bool,
}

/// The right to run one call once, of a model or of the person. Only the engine makes one (law H).
#[derive(Debug, Clone, PartialEq)]
pub struct Permit {
    pub(crate) call_id: CallId,
    pub(crate) call: Arc<ParsedCall>,
    pub(crate) verify_after_write: bool,
    pub(crate) policy: ToolPolicy,
    pub(crate) agent: String,
    pub(crate) began: Option<Began>,
    pub(crate) restore: Vec<RestoreFile>,
    pub(crate) claims: Vec<AliasPath>,
}

impl Permit {
    /// A permit for the tests of what needs one. Only with the feature `test-permits`, which no
    /// program switches on: outside tests only the engine makes a permit.
    #[cfg(feature = "test-permits")]
    pub fn for_test(
        call_id: &str,
        call: ParsedCall,
        policy: ToolPolicy,
        agent: &str,
        began: Option<Began>,
    ) -> Self {
        Self {
            call_id: CallId::new(call_id),
            call: Arc::new(call),
            verify_after_write: false,
            policy,
            agent: agent.to_owned(),
            began,
            restore: Vec::new(),
            claims: Vec::new(),
        }
    }

    /// The same of a rewind that brings files back.
    #[cfg(feature = "test-permits")]
    #[must_use]
    pub fn restoring(self, restore: Vec<RestoreFile>) -> Self {
        Self { restore, ..self }
    }

    /// The call that may run.
    pub fn call_id(&self) -> &CallId {
        &self.call_id
    }

    /// What is to be done: the tool and the checked arguments.
    pub fn input(&self) -> &ToolInput {
        &self.call.input
    }

    /// How the call makes a new text of the file that it names, when it does.
    pub fn edit(&self) -> Option<Edit<'_>> {
        self.call.edit()
    }

    /// The tool that the call asks for.
    pub fn tool(&self) -> &'static Tool {
        self.call.tool()
    }

    /// The checked arguments as JSON.
    pub fn args(&self) -> Value {
        self.call.args()
    }

    /// What the tool is called, for logs and models; see [`ParsedCall::name`].
    pub fn tool_name(&self) -> &str {
        self.call.name()
    }

    /// Whether the tool is on offer under its own policy.
    pub fn is_offered(&self) -> bool {
        self.call.is_offered(&self.policy)
    }

    /// The server and its tool, of a call that a server carries out.
    pub fn server_tool(&self) -> Option<(&ServerName, &ServerTool)> {
        self.policy.server_tool(self.call.name())
    }

    /// The path it names; of a move, where from.
    pub fn path(&self) -> Option<&AliasPath> {
        self.call.path()
    }

    /// What it does to the world.
    pub fn class(&self) -> EffectClass {
        self.call.class
    }

    /// Whether a write that does not say so is read back.
    pub fn verify_after_write(&self) -> bool {
        self.verify_after_write
    }

    /// The limits that hold for it.
    pub fn policy(&self) -> &ToolPolicy {
        &self.policy
    }

    /// The agent on whose behalf it runs, for the audit log.
    pub fn agent(&self) -> &str {
        &self.agent
    }

    /// For a mutating call: the hashes that were journaled. It must refuse to run when the file
    /// is not at `pre_hash` any more.
    pub fn began(&self) -> Option<&Began> {
        self.began.as_ref()
    }

    /// Whether it brings files back to what they were before: a rewind, or one that a person puts
    /// back.
    pub fn brings_files_back(&self) -> bool {
        matches!(self.call.input, ToolInput::Rewind(_) | ToolInput::PutBack(_))
    }

    /// The files that it brings back.
    pub fn restore(&self) -> &[RestoreFile] {
        &self.restore
    }

    /// For a change of the state document: the files it newly lists as artifacts.
    pub fn claims(&self) -> &[AliasPath] {
        &self.claims
    }
}

/// What came of an effect.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The model answered, whole.
    Replied {
        /// The answer.
        reply: Reply,
        /// SHA-256 of the request as sent.
        request_sha256: String,
        /// How long it took, milliseconds.
        duration_ms: u64,
        /// The files of [`Think::written`] that are other than they were, where that was looked at.
        foreign: Vec<ForeignChange>,
    },
    /// The state document on disk is not the accepted one: its text, or `None` when it is gone.
    StateDrifted(Option<String>),
    /// What a mutating call would change.
    Prepared(Began),
    /// The same, as a person is shown it.
    Previewed(Preview),
    /// Which of the files that a change of the state document lists are not there.
    Looked(Vec<AliasPath>),
    /// A call's result.
    Called(Called),
    /// What became of a call in doubt.
    Settled(Settled),
    /// The command of a hook ended by itself.
    Hooked {
        /// What it said.
        result: HookResult,
        /// The files of [`HookCall::written`] that are other than they were.
        foreign: Vec<ForeignChange>,
    },
    /// A sub-agent came to its end.
    Delegated(Box<TaskResult>),
    /// What the model sees of the conversation from now on.
    Compacted(Box<Compacted>),
    /// The state document is on disk.
    Mirrored,
    /// It is not: somebody's edit is in its place, untouched. Its SHA-256; empty when what is
    /// there is no plain file.
    StateEdited(String),
    /// It could not be done.
    Failed {
        /// What went wrong.
        failure: Failure,
        /// Text of the model shown by then.
        partial: Option<String>,
    },
}

impl Outcome {
    /// It could not be done, and nothing was shown of it.
    pub fn failed(failure: Failure) -> Self {
        Self::Failed { failure, partial: None }
    }
}

/// What a sub-agent came to.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskResult {
    /// How it ended, and what it hands in.
    pub ended: TaskEnded,
    /// How often its model answered.
    pub steps: u32,
    /// The tokens of its requests and answers.
    pub usage: Usage,
    /// What it did, in order.
    pub facts: Vec<Fact>,
    /// What it did to files in all.
    pub changes: Vec<CallFileChange>,
    /// How long it worked, in milliseconds.
    pub duration_ms: u64,
}

impl TaskResult {
    /// Of one that never began.
    pub fn without_work(ended: TaskEnded) -> Self {
        let (usage, facts, changes) = (Usage::default(), Vec::new(), Vec::new());
        Self { ended, steps: 0, usage, facts, changes, duration_ms: 0 }
    }

    /// Of one that was stopped before it began.
    pub fn stopped() -> Self {
        Self::without_work(TaskEnded { end: TaskEnd::Stopped, report: None, failure: None })
    }
}

/// A call's result.
#[derive(Debug, Clone, PartialEq)]
pub struct Called {
    /// `{ok:true,…}` or `{ok:false,error:{…}}`.
    pub result: Value,
    /// Where the whole lies, when `result` is a preview.
    pub full_output: Option<AliasPath>,
    /// How long the call took, in milliseconds.
    pub duration_ms: u64,
    /// The skill whose text it brought in.
    pub skill: Option<Box<LoadedSkill>>,
}

impl Called {
    /// A result that took no time outside.
    pub fn at_once(result: Value) -> Self {
        Self { result, full_output: None, duration_ms: 0, skill: None }
    }
}

/// What became of a call that had begun when the program ended (spec 05 "Effects journal").
#[derive(Debug, Clone, PartialEq)]
pub enum Settled {
    /// The file has the hash after: it happened; this is its result.
    Happened(Value),
    /// The file has the hash before: it did not happen and may run.
    NotHappened,
    /// Neither: someone else changed the file. Its hash now.
    Foreign(Option<String>),
    /// Nothing tells: the call reached outside, or the file cannot be looked at. It may have
    /// happened, so it is not run again.
    Unknown,
}

/// Passing things: shown, never kept, never decided on.
#[derive(Debug, Clone, PartialEq)]
pub enum Signal {
    /// More text of the reply being written.
    Text(String),
    /// More reasoning.
    Thinking(String),
    /// A request failed and will be tried again.
    Retrying {
        /// What went wrong.
        failure: Failure,
        /// Which try comes next, from 2.
        attempt: u32,
        /// Milliseconds until then.
        in_ms: u64,
    },
}
