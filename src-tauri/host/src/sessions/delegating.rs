//! What the task of a conversation asks for when a sub-agent is to work for it: answered by whoever
//! opens conversations (`subagents`).

use kernel::code::{ErrorCode, Failure};
use kernel::effect::{EffectId, Outcome, TaskResult};
use kernel::event::TaskStarted;
use kernel::ids::ConversationId;
use kernel::phrase::general;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::mailbox::RunnerMessage;
use super::progress::SubagentProgress;

/// What is to be done with a sub-agent.
pub(crate) enum Errand {
    /// Let it work, or go on with its work, and wait for its end.
    Work(Box<TaskStarted>),
    /// Stop it, and wait for its end.
    Stop(ConversationId),
}

/// What came of an errand.
pub(crate) enum Delegated {
    /// The sub-agent has ended, or never began.
    Ended(Box<TaskResult>),
    /// It could not be begun: nothing has happened.
    NotBegun(Failure),
    /// It cannot be followed now. What it did, and still does, stands in its own journal.
    OutOfReach(Failure),
}

/// Something to be done with a sub-agent, and who waits for it.
pub(crate) struct Delegation {
    pub(crate) errand: Errand,
    pub(crate) progress: ProgressTeller,
    pub(crate) cancel: CancellationToken,
    pub(crate) answer: oneshot::Sender<Delegated>,
}

/// Tells the conversation that waits how far its sub-agent is.
pub(crate) struct ProgressTeller {
    effect: EffectId,
    mailbox: UnboundedSender<RunnerMessage>,
}

impl ProgressTeller {
    pub(crate) fn tell(&self, steps: u32, doing: Option<String>) {
        // A runner that is gone shows nothing.
        _ = self
            .mailbox
            .send(RunnerMessage::Subagent(self.effect.clone(), SubagentProgress { steps, doing }));
    }
}

/// Hands an errand over and waits for what comes of it.
///
/// # Errors
/// Nobody knows what came of it: the conversation that waits has to wait on.
pub(crate) async fn delegate(
    delegations: &UnboundedSender<Delegation>,
    errand: Errand,
    effect: &EffectId,
    mailbox: &UnboundedSender<RunnerMessage>,
    cancel: &CancellationToken,
) -> Result<Outcome, Failure> {
    let (answer, answered) = oneshot::channel();
    let progress = ProgressTeller { effect: effect.clone(), mailbox: mailbox.clone() };
    let delegation = Delegation { errand, progress, cancel: cancel.clone(), answer };
    let closed = || Failure::new(ErrorCode::Internal, general::ended_early());
    delegations.send(delegation).map_err(|_| closed())?;
    match answered.await.map_err(|_| closed())? {
        Delegated::Ended(result) => Ok(Outcome::Delegated(result)),
        Delegated::NotBegun(failure) => Ok(Outcome::failed(failure)),
        Delegated::OutOfReach(failure) => Err(failure),
    }
}
