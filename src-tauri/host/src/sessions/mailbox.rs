//! What the task of a conversation is sent.

use kernel::code::{ErrorCode, Failure};
use kernel::effect::{EffectId, Signal, TaskResult};
use kernel::engine::{ExecutionEngine, Input, Limits};
use kernel::event::Phase;
use kernel::ids::ProjectId;
use kernel::phrase::projects;
use kernel::project_hooks::Hook;
use kernel::wire::{Frame, RuntimeSnapshot};
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

use super::progress::SubagentProgress;
use super::renewing::OfferedServers;
use super::watchers::Follower;
use crate::mcp::{Saying, ServerClients};
use crate::tools::{StateText, ToolHost};

/// What a client reads of an engine, and of its files.
pub(super) type EngineReader = dyn FnOnce(&ExecutionEngine, &Arc<ToolHost>) + Send;

/// What a runner is sent.
pub(crate) enum RunnerMessage {
    /// A person's command; answered when it is durable, or refused.
    Input(Input, oneshot::Sender<Result<(), Failure>>),
    /// What came of an effect.
    Outcome(Input),
    /// Nobody knows what came of an effect: the work stops here, and the effect stays wanted.
    Unknown(EffectId, Failure),
    /// How far the sub-agent of this effect is.
    Subagent(EffectId, SubagentProgress),
    /// The server that this effect has called says something meanwhile.
    ServerSays(EffectId, Saying),
    /// Something passing.
    Signal(EffectId, Signal),
    /// A window begins to watch: it gets the last page, then increments.
    Watch(UnboundedSender<Frame>, oneshot::Sender<Result<(), Failure>>),
    /// A client wants lines from this sequence number on.
    Follow(u64, Follower),
    /// A client wants the conversation's state.
    Snapshot(oneshot::Sender<Result<RuntimeSnapshot, Failure>>),
    /// What a sub-agent came to is asked for; `None` while it works.
    TaskResult(oneshot::Sender<Option<TaskResult>>),
    /// Told as soon as nothing is going on any more.
    AtRest(oneshot::Sender<()>),
    /// A client reads of the conversation, and of its files.
    Read(Box<EngineReader>),
    /// A client asks servers of the conversation for something.
    Clients(oneshot::Sender<ServerClients>),
    /// New settings.
    Limits(Limits),
    /// The person trusts these hooks of this project, and no others.
    Hooks(ProjectId, Vec<Hook>),
    /// The servers that conversations of each project may use now.
    Servers(OfferedServers),
    /// The state document may have been edited.
    StateTouched,
    /// The state document on disk.
    StateSeen(Result<Option<StateText>, Failure>),
    /// The program ends.
    Close(oneshot::Sender<()>),
}

/// The failure of a runner that is gone.
pub(crate) fn task_ended() -> Failure {
    Failure::new(ErrorCode::Internal, projects::task_has_ended())
}

/// Another program let the person turn to somebody else meanwhile.
pub(super) fn moved_on() -> Failure {
    Failure::new(ErrorCode::RunBusy, projects::turned_elsewhere())
        .with_action(projects::say_it_again())
}

/// Whether nothing is going on in a conversation.
pub(super) async fn is_idle(mailbox: &UnboundedSender<RunnerMessage>) -> bool {
    let (answer, answered) = oneshot::channel();
    let told = move |engine: &ExecutionEngine, _: &Arc<ToolHost>| {
        _ = answer.send(engine.core().phase != Phase::Running);
    };
    if mailbox.send(RunnerMessage::Read(Box::new(told))).is_err() {
        return true;
    }
    answered.await == Ok(true)
}

/// Asks a task for something, and waits until it is durable, or refused.
pub(super) async fn ask(
    mailbox: &UnboundedSender<RunnerMessage>,
    input: Input,
) -> Result<(), Failure> {
    let (answer, answered) = oneshot::channel();
    mailbox.send(RunnerMessage::Input(input, answer)).map_err(|_| task_ended())?;
    answered.await.map_err(|_| task_ended())?
}

/// Why the person may not turn to somebody else now, or begin another run.
pub(super) async fn may_turn(
    mailbox: &UnboundedSender<RunnerMessage>,
    begins_a_run: bool,
) -> Result<(), Failure> {
    let (answer, answered) = oneshot::channel();
    let told = move |engine: &ExecutionEngine, _: &Arc<ToolHost>| {
        _ = answer.send(engine.may_turn(begins_a_run).map_err(|refusal| refusal.0));
    };
    mailbox.send(RunnerMessage::Read(Box::new(told))).map_err(|_| task_ended())?;
    answered.await.map_err(|_| task_ended())?
}

/// Waits until nothing is going on any more.
pub(super) async fn wait_for_rest(mailbox: &UnboundedSender<RunnerMessage>) -> Result<(), Failure> {
    let (told, rests) = oneshot::channel();
    mailbox.send(RunnerMessage::AtRest(told)).map_err(|_| task_ended())?;
    rests.await.map_err(|_| task_ended())
}

/// Ends a task, and waits until it has ended.
pub(super) async fn close(mailbox: &UnboundedSender<RunnerMessage>) {
    let (done, closed) = oneshot::channel();
    if mailbox.send(RunnerMessage::Close(done)).is_ok() {
        _ = closed.await;
    }
}
