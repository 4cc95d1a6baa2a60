//! What a person says to one conversation.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::{ChangeId, MessageId};
use crate::mode::Mode;
use crate::path::AliasPath;
use crate::skill::SkillName;
use crate::tool::rewind::RewindTarget;

/// What a person says to one conversation. Its task answers when it is durable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum SessionCommand {
    /// Say something.
    Say {
        /// The words.
        text: String,
    },
    /// Answer a widget.
    Answer {
        /// The message that carries the widget.
        message_id: MessageId,
        /// The value, by widget type.
        #[cfg_attr(feature = "ts", ts(type = "unknown"))]
        value: Value,
        /// How many milliseconds the person saw the question, where a window showed it: what
        /// authorises something is refused when nobody can have read it. A window has to say it.
        #[serde(default)]
        #[cfg_attr(feature = "ts", ts(type = "number | null"))]
        shown_ms: Option<u64>,
    },
    /// Take the approval of a folder back: its calls ask again.
    RevokeApproval {
        /// The approval, by the change in whose dialog it was given.
        change_id: ChangeId,
    },
    /// Make a file again what it was before the run, while the run rests. What is there is kept.
    /// Answered when it is done. `NOT_FOUND` for a file that the run did not change, or whose bytes
    /// were not kept; `E_PRECONDITION_FAILED` when it is not what the person saw.
    PutBack {
        /// The file, where it is now.
        path: AliasPath,
        /// SHA-256 of what they saw there; absent when they saw that it is gone.
        #[serde(default)]
        sha256: Option<String>,
    },
    /// Take the run back to a step, which it does anew, while it rests: the step and what follows it
    /// are not completed any more, and files are again as they were when it was entered. What is
    /// there now is kept. Answered when it is done. `E_INVALID_TRANSITION` for a step that is
    /// neither the entry, nor completed, nor the current one; `E_PRECONDITION_FAILED` when it would
    /// not do what the person saw any more. With `undo` the last rewind is undone, while nothing came
    /// of it: state and files are what they were before it.
    Rewind {
        /// The step, and what becomes of files.
        #[serde(flatten)]
        target: RewindTarget,
        /// Why, in the person's words.
        #[serde(default)]
        reason: Option<String>,
        /// What they saw: [`RewindPreview::seen`](crate::wire::RewindPreview::seen).
        seen: String,
    },
    /// Talk with somebody else from now on: another agent, the model alone, or the run again. What was
    /// said stays; the run waits as it stands. `NOT_NOW` without a run to go back to, `RUN_BUSY` while
    /// something is going on, `AGENT_NOT_FOUND` for an agent that its package does not have.
    Talk {
        /// With whom.
        with: Mode,
    },
    /// Let a skill be at work, as it is on the disk now. `SKILL_NOT_FOUND` when there is none of that
    /// name, `SKILL_INVALID` when it cannot be read.
    ActivateSkill {
        /// The skill.
        name: SkillName,
    },
    /// End a skill that is at work.
    EndSkill {
        /// The skill.
        name: SkillName,
    },
    /// Stop what is going on. The run is kept.
    Stop,
    /// Go on without adding words: after a crash, an error, a limit, a stop.
    Resume,
    /// From the next turn on the configured model answers, in place of the demo's script.
    /// `NOT_NOW` for a run that asks a model already, `LLM_NOT_CONFIGURED` when there is none.
    UseModel,
    /// Let the model's last words stand, which were not accepted. `NOT_NOW` when it has said
    /// something else since.
    AcceptAnyway {
        /// The message that the words would have been.
        message_id: MessageId,
    },
    /// Make the conversation shorter for its model. Nothing is deleted.
    Compact {
        /// Whether as much as can be is to go.
        #[serde(default)]
        hard: bool,
    },
    /// Let the run go on from its state document: the model sees nothing of what was said before.
    StartAfresh,
    /// End the run before its end. The state document says then that it is complete.
    EndRun {
        /// Why, in the person's words.
        #[serde(default)]
        reason: Option<String>,
    },
}
