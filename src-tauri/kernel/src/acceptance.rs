//! Acceptance (spec 06 "Obligations → decision"): whether a reply without calls may stand as the end
//! of a turn. What is open follows from facts; each open thing has one way out; what becomes of the
//! candidate follows from both and from how often the model was told.
//!
//! Deliberately not here: the lines of the journal that say so (the engine).

mod action;
mod judge;
mod obligations;
mod words;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::decision::{NextAction, Obligation, StopReason};
use crate::event::ChangeProposed;
use crate::path::AliasPath;
use crate::phrase::Phrase;
use crate::subagent::TaskReport;
use crate::todo::Todo;

pub use action::{missing_file, prove_file};
pub use judge::judge;
pub use obligations::{PromisedFiles, Situation, missing_report, obligations, task_kind};

/// Final answers in a row that change nothing of what is open.
pub const WITHOUT_PROGRESS: u32 = 2;
/// Times that a model is told to go on, in a user turn.
pub const CONTINUES: u32 = 4;
/// Times that a model is told the calls of one obligation.
pub const ATTEMPTS: u32 = 3;
/// Times that a target fails before nobody is sent there again.
pub const HARD_FAILURES: usize = 3;
/// Obligations that are told at once.
pub const TOLD: usize = 20;

/// An obligation and its one way out.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenObligation<'a> {
    /// What has to be so.
    pub obligation: Obligation,
    /// How it comes about.
    pub way_out: WayOut<'a>,
    /// How it failed in this turn: the error code, and how often in a row.
    pub failures: Option<(&'a str, usize)>,
}

/// How an obligation ends. The call that a model is told is made of it when it is told.
#[derive(Debug, Clone, PartialEq)]
pub enum WayOut<'a> {
    /// By a check of the file: that it holds these texts or, without any, that it is there.
    Check(&'a [String]),
    /// By mending what a check of the person complains about: this is one of the files, and this is
    /// what it wrote.
    Mend {
        /// A file that the run wrote, when there is one.
        file: Option<&'a AliasPath>,
        /// What the check wrote.
        output: &'a str,
    },
    /// By letting a sub-agent do its task once more: these are the arguments.
    AskAgain(&'a Value),
    /// By handing in this report.
    Report(TaskReport),
    /// By completing the todo.
    Complete(&'a Todo),
    /// By asking the person about the change.
    Ask(&'a ChangeProposed),
    /// By the person.
    NeedsUser(Phrase),
    /// Not at all: what it needs has failed as often as it may.
    Blocked(Phrase),
}

/// What becomes of a candidate, before it is put into words.
#[derive(Debug, Clone, PartialEq)]
pub enum Judgement {
    /// It stands.
    Accepted,
    /// The model is told these calls; there is at least one.
    Continue {
        /// What the first obligation is about.
        reason: StopReason,
        /// The first call to make.
        first: NextAction,
        /// The others.
        rest: Vec<NextAction>,
    },
    /// The text stands, and the person is told what is missing.
    Blocked,
    /// It does not stand.
    Incomplete(StopReason),
    /// It does not stand, and what is missing cannot be had.
    Failed(StopReason),
}

/// How often the model was told to go on in this user turn, and what came of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Told {
    /// Times it was told.
    continues: u32,
    /// Final answers in a row after which everything was open as before.
    unchanged: u32,
    /// A hash of what was open when it was last told.
    open: Option<u64>,
    /// How often the calls of each obligation were told.
    attempts: Vec<(Obligation, u32)>,
}
