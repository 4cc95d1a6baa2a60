//! What wakes the engine.

use serde_json::Value;

use crate::bounds::{INPUT_BYTES, size};
use crate::code::{ErrorCode, Failure};
use crate::effect::{EffectId, Outcome};
use crate::event::{ArtifactsFolder, Cause};
use crate::ids::{AgentId, CallId, ChangeId, MessageId, PackageId, ProjectId, RunId, WorkflowId};
use crate::mention::GivenFile;
use crate::mode::Mode;
use crate::path::AliasPath;
use crate::phrase::{Phrase, engine as said};
use crate::skill::{LoadedSkill, SkillName};
use crate::subagent::TaskStarted;
use crate::tool::rewind::RewindTarget;

/// Everything that can happen to a conversation from outside.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// Begin a run: the first input of a journal, or in a conversation without a run that is open.
    Start(StartRun),
    /// Begin a conversation without a run; the first input of a journal.
    Begin(BeginConversation),
    /// The person talks with somebody else from now on.
    ChooseMode(Mode),
    /// A sub-agent's conversation begins.
    StartTask(Box<TaskStarted>),
    /// The time of a sub-agent is over.
    TimeUp,
    /// The person wrote.
    Say(WordsWithFiles),
    /// The person answered a widget.
    Answer {
        /// The message that carries it.
        message_id: MessageId,
        /// The value.
        value: Value,
        /// How long a window had shown the question; `None` where no window did.
        shown_ms: Option<u64>,
        /// The files that its words mention, as they are.
        files: Vec<GivenFile>,
    },
    /// A server that works on a call asks the person to fill in a form.
    ServerAsks {
        /// The call.
        call_id: CallId,
        /// In the server's words.
        message: String,
        /// The JSON Schema of what is to be filled in.
        schema: Value,
    },
    /// The person wants a skill to be at work, whose text was read.
    ActivateSkill(Box<LoadedSkill>),
    /// The person ends a skill.
    EndSkill(SkillName),
    /// The person takes the approval of a folder back.
    Revoke(ChangeId),
    /// The person wants a file to be what it was before the run.
    PutBack {
        /// The file, where it is now.
        path: AliasPath,
        /// SHA-256 of what they saw there; `None` when they saw that it is gone.
        sha256: Option<String>,
    },
    /// The person takes the run back to a step.
    Rewind {
        /// The step, and what becomes of files.
        target: RewindTarget,
        /// Why, in their words.
        reason: Option<String>,
        /// SHA-256 of all that they saw.
        seen: String,
    },
    /// The person pressed Stop.
    Stop {
        /// What of the reply had been shown.
        partial: Option<String>,
    },
    /// The person wants it to go on (Resume, Retry, Continue).
    Resume,
    /// The person wants the configured model to go on in place of the demo's script.
    UseModel {
        /// Its name, for the record.
        model: Option<String>,
    },
    /// The person lets the words of this message stand, which were not accepted.
    AcceptAnyway(MessageId),
    /// The person ends the run before its end.
    EndRun {
        /// Why, in their words.
        reason: Option<String>,
    },
    /// The person wants the conversation to be shorter for its model.
    Compact {
        /// Whether as much as can be is to go.
        hard: bool,
    },
    /// The person wants the run to go on from its state document alone.
    StartAfresh,
    /// The journal was opened again: whatever was in flight is not any more.
    Reopened,
    /// The settings changed: what they switched off is answered now.
    LimitsChanged,
    /// Something wanted came to an end.
    Outcome(EffectId, Outcome),
}

impl Input {
    /// What a line that this input decides says of it.
    pub(super) fn cause(&self) -> Cause {
        match self {
            Self::Start(_) | Self::StartTask(_) => Cause::Started,
            Self::Begin(_) => Cause::Begun,
            Self::ChooseMode(_) => Cause::ModeChosen,
            Self::TimeUp => Cause::TimedOut,
            Self::Say(_) => Cause::Said,
            Self::Answer { .. } => Cause::Answered,
            Self::ServerAsks { .. } => Cause::ServerAsked,
            Self::ActivateSkill(_) => Cause::SkillChosen,
            Self::EndSkill(_) => Cause::SkillEnded,
            Self::Revoke(_) => Cause::Revoked,
            Self::PutBack { .. } => Cause::PutBack,
            Self::Rewind { .. } => Cause::WentBack,
            Self::Stop { .. } => Cause::Stopped,
            Self::Resume => Cause::Resumed,
            Self::UseModel { .. } => Cause::ModelSwitched,
            Self::AcceptAnyway(_) => Cause::AcceptedAnyway,
            Self::EndRun { .. } => Cause::EndedEarly,
            Self::Compact { .. } => Cause::CompactionAsked,
            Self::StartAfresh => Cause::StartedAfresh,
            Self::Reopened => Cause::Reopened,
            Self::LimitsChanged => Cause::SettingsChanged,
            Self::Outcome(effect, outcome) => {
                Cause::Ended { effect: effect.clone(), outcome: outcome.into() }
            }
        }
    }
}

/// What a person says, with the files that it mentions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WordsWithFiles {
    /// Their own words.
    pub text: String,
    /// What the model is told in their place: what an item of a menu stands for.
    pub told: Option<String>,
    /// With whom the person talked when they said it: nobody else is told. `None` says it to whom
    /// they talk with now.
    pub to: Option<Mode>,
    /// The files, as they are: the host reads them before it hands the words over.
    pub files: Vec<GivenFile>,
}

impl<T: Into<String>> From<T> for WordsWithFiles {
    fn from(text: T) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

impl WordsWithFiles {
    /// Words and the files that they mention.
    pub(super) fn of(text: &str, files: &[GivenFile]) -> Self {
        Self { text: text.to_owned(), files: files.to_vec(), ..Self::default() }
    }
}

/// What a new run is. The state document was made by
/// [`StateDoc::initial`](crate::state_doc::StateDoc::initial).
#[derive(Debug, Clone, PartialEq)]
pub struct StartRun {
    /// Made by the host.
    pub run_id: RunId,
    /// The project the run works in.
    pub project_id: ProjectId,
    /// The package to run.
    pub package_id: PackageId,
    /// The hash of its content.
    pub content_hash: Option<String>,
    /// The workflow to run.
    pub workflow_id: WorkflowId,
    /// What the workflow is called, for people.
    pub title: Option<String>,
    /// The run's own agent.
    pub agent_id: AgentId,
    /// Project-relative, without slashes at the ends.
    pub artifacts_dir: String,
    /// Whether writes there ask like any other: the folder's name came with the project.
    pub artifacts_ask: bool,
    /// The first version of the state document.
    pub state: String,
    /// First words.
    pub input: Option<String>,
    /// The files that they mention, as they are.
    pub files: Vec<GivenFile>,
    /// Whether the package's demo trace plays the model.
    pub demo: bool,
}

/// What a conversation without a run begins with.
#[derive(Debug, Clone, PartialEq)]
pub struct BeginConversation {
    /// Its project.
    pub project_id: ProjectId,
    /// With whom the person talks; the package of an agent is the engine's.
    pub mode: Mode,
    /// Where the project keeps artifacts.
    pub artifacts: ArtifactsFolder,
    /// First words.
    pub input: Option<String>,
}

/// A command at the wrong time. Nothing was recorded.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub Failure);

/// Refuses words of so many bytes that no request has room for them: they would stay in the
/// conversation, which could not go on.
pub(super) fn may_be_said(bytes: usize) -> Result<(), Refusal> {
    if bytes <= INPUT_BYTES {
        return Ok(());
    }
    let message = said::input_too_long(size(INPUT_BYTES as u64));
    let failure = Failure::new(ErrorCode::BadRequest, message);
    Err(Refusal(failure.with_action(said::say_it_in_a_file())))
}

/// Why something a person asks for is not done.
pub(super) fn refusal(code: ErrorCode, message: Phrase) -> Refusal {
    Refusal(Failure::new(code, message))
}
