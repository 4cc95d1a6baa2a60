//! Where a run stands, and why a turn ended.

use serde::{Deserialize, Serialize};

/// Where a run stands (spec 03 "Phases").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Phase {
    /// Made, nothing asked yet.
    #[default]
    Idle,
    /// The model or a tool is at work.
    Running,
    /// It is the person's move; the reason says why.
    WaitingUser,
    /// The workflow has ended; the conversation may go on.
    Completed,
    /// Nothing can continue.
    Failed,
}

/// Why a turn ended where it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Reason {
    /// The model answered without calling a tool: a question or a pause.
    Answered,
    /// A widget waits.
    Widget,
    /// The workflow is complete.
    Completed,
    /// The person ended the run before its end.
    EndedEarly,
    /// The user pressed Stop.
    Stopped,
    /// The program ended in the middle.
    Interrupted,
    /// Something failed; the failure says what.
    Failed,
    /// A limit was reached; the failure says which.
    Limit,
    /// The model's last words were not accepted; the decision says why.
    NotAccepted,
    /// The person took the run back to a step: it goes on from there when they say so.
    WentBack,
}

impl Reason {
    /// Whether the model has the next move, as soon as the person lets it go on: after a crash, an
    /// error, a limit, a stop, or going back to a step. After a question the person has it.
    pub const fn leaves_the_model_to_go_on(self) -> bool {
        match self {
            Self::Stopped
            | Self::Interrupted
            | Self::Failed
            | Self::Limit
            | Self::NotAccepted
            | Self::WentBack => true,
            Self::Answered | Self::Widget | Self::Completed | Self::EndedEarly => false,
        }
    }
}
