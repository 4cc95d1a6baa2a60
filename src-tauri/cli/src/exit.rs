//! Exit codes (spec 11): public, a change is a changelog entry.

use kernel::code::ErrorCode;
use kernel::event::{Phase, Reason};

/// What the process ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// The run completed, or the command did what it says.
    Done = 0,
    /// A bug.
    Internal = 1,
    /// The command line was wrong.
    Usage = 2,
    /// The run waits for the user; the question is in the output.
    Waiting = 3,
    /// The run failed or is incomplete.
    Failed = 4,
    /// An invalid package or input.
    Invalid = 5,
    /// The model is unreachable, refused or misconfigured.
    Model = 6,
    /// Busy or locked.
    Busy = 7,
    /// Stopped by Ctrl-C; the run is kept.
    Interrupted = 130,
}

impl Exit {
    /// The exit code a failure means.
    pub(crate) fn of(code: ErrorCode) -> Self {
        use ErrorCode as C;
        match code {
            C::Internal => Self::Internal,
            C::BadRequest => Self::Usage,
            C::RunBusy | C::PackageInUse | C::StoreBusy => Self::Busy,
            C::LlmNotConfigured
            | C::LlmAuthFailed
            | C::LlmRateLimited
            | C::LlmTimeout
            | C::LlmModelNotFound
            | C::LlmHttpError
            | C::LlmBadResponse
            | C::LlmUnreachable
            | C::DemoOver
            | C::DemoTraceMismatch => Self::Model,
            C::EngineAborted | C::PackageReadingStopped => Self::Interrupted,
            C::StoreOpenFailed | C::StoreTooNew | C::StoreWriteFailed | C::StoreReadFailed => {
                Self::Failed
            }
            C::LlmContextTooLong
            | C::LlmOutputCut
            | C::ContextStillTooLarge
            | C::EngineMaxTurnsExceeded
            | C::EngineLoopDetected
            | C::EnginePreconditionFailed
            | C::Interrupted => Self::Failed,
            _ => Self::Invalid,
        }
    }

    /// The exit code of a run at rest.
    pub(crate) fn of_rest(phase: Phase, reason: Option<Reason>, code: Option<ErrorCode>) -> Self {
        match (phase, reason) {
            (_, Some(Reason::Limit | Reason::NotAccepted)) | (Phase::Failed, _) => Self::Failed,
            (Phase::Completed, _) => Self::Done,
            (_, Some(Reason::Stopped)) => Self::Interrupted,
            // A turn fails on a setting only when the endpoint is set wrong.
            (_, Some(Reason::Failed)) if code == Some(ErrorCode::SettingInvalid) => Self::Model,
            (_, Some(Reason::Failed)) => code.map_or(Self::Failed, Self::of),
            (Phase::Idle | Phase::Running | Phase::WaitingUser, _) => Self::Waiting,
        }
    }
}
