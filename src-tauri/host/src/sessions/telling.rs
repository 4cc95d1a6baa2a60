//! What a person says to a run.

use kernel::code::{ErrorCode, Failure};
use kernel::command::SessionCommand;
use kernel::engine::Input;
use kernel::event::{Event, Line, Phase};
use kernel::ids::{ChangeId, ConversationId};
use kernel::path::AliasPath;
use kernel::phrase::engine as said;
use kernel::tool::rewind::RewindTarget;
use std::time::Duration;
use tokio::sync::oneshot;

use super::Sessions;
use super::mailbox::{RunnerMessage, task_ended};

/// How long another program may take to stop: a stream ends at once, a write that began is finished.
const STOP_PATIENCE: Duration = Duration::from_secs(20);

impl Sessions {
    /// Carries out what a person says to a conversation. When this returns, it is durable.
    pub(crate) async fn submit(
        &self,
        conversation: &ConversationId,
        command: SessionCommand,
    ) -> Result<(), Failure> {
        match command {
            SessionCommand::Say { text } => self.ask(conversation, Input::Say(text.into())).await,
            SessionCommand::Answer { message_id, value, shown_ms } => {
                let files = Vec::new();
                self.ask(conversation, Input::Answer { message_id, value, shown_ms, files }).await
            }
            SessionCommand::RevokeApproval { change_id } => {
                self.revoke(conversation, change_id).await
            }
            SessionCommand::PutBack { path, sha256 } => {
                self.put_back(conversation, path, sha256).await
            }
            SessionCommand::Rewind { node_id, keep_files, overwrite, reason, seen } => {
                let target = RewindTarget { node_id, keep_files, overwrite };
                Box::pin(self.rewind(conversation, target, reason, seen)).await
            }
            SessionCommand::Stop => self.stop(conversation).await,
            SessionCommand::Resume => self.ask(conversation, Input::Resume).await,
            SessionCommand::UseModel => self.use_model(conversation).await,
            SessionCommand::AcceptAnyway { message_id } => {
                self.ask(conversation, Input::AcceptAnyway(message_id)).await
            }
            SessionCommand::Compact { hard } => self.compact(conversation, hard).await,
            SessionCommand::StartAfresh => self.ask(conversation, Input::StartAfresh).await,
            SessionCommand::EndRun { reason } => {
                self.ask(conversation, Input::EndRun { reason }).await
            }
        }
    }

    /// Sends an input to the task of a conversation and waits until it is durable.
    pub(super) async fn ask(
        &self,
        conversation: &ConversationId,
        input: Input,
    ) -> Result<(), Failure> {
        let mailbox = self.mailbox(conversation).await?;
        let (answer, answered) = oneshot::channel();
        mailbox.send(RunnerMessage::Input(input, answer)).map_err(|_| task_ended())?;
        answered.await.map_err(|_| task_ended())?
    }

    /// Makes a conversation shorter, and waits until it is.
    async fn compact(&self, conversation: &ConversationId, hard: bool) -> Result<(), Failure> {
        self.ask(conversation, Input::Compact { hard }).await?;
        self.wait_for_rest(conversation).await
    }

    async fn wait_for_rest(&self, conversation: &ConversationId) -> Result<(), Failure> {
        let (told, rests) = oneshot::channel();
        let mailbox = self.mailbox(conversation).await?;
        mailbox.send(RunnerMessage::AtRest(told)).map_err(|_| task_ended())?;
        rests.await.map_err(|_| task_ended())
    }

    /// Lets the person do something to files of the run, and waits until nothing is going on any more.
    /// The lines that say what became of it.
    pub(super) async fn done_for_person(
        &self,
        conversation: &ConversationId,
        input: Input,
    ) -> Result<Vec<Line>, Failure> {
        self.mailbox(conversation).await?;
        let before = self.state_of(conversation).await?;
        match self.ask(conversation, input.clone()).await {
            // What the person asked for before a crash is being settled, and ends soon.
            Err(busy) if busy.code == ErrorCode::RunBusy && before.run.phase != Phase::Running => {
                self.wait_for_rest(conversation).await?;
                self.ask(conversation, input).await?;
            }
            answered => answered?,
        }
        self.wait_for_rest(conversation).await?;
        self.store.lines(conversation, before.seq + 1).await
    }

    /// Makes a file again what it was before the run, and waits until it is, or stays as it is.
    async fn put_back(
        &self,
        conversation: &ConversationId,
        path: AliasPath,
        sha256: Option<String>,
    ) -> Result<(), Failure> {
        let input = Input::PutBack { path: path.clone(), sha256 };
        let lines = self.done_for_person(conversation, input).await?;
        // One that an earlier click was about may end with the first look at the journal.
        let mut asked = None;
        let ended = lines.iter().flat_map(|line| &line.events).find_map(|event| match event {
            Event::PutBackAsked(e) if e.path == path => {
                asked = Some(&e.call_id);
                None
            }
            Event::PutBackEnded(e) if asked == Some(&e.call_id) => Some(e),
            _ => None,
        });
        let unknown = || Failure::new(ErrorCode::Interrupted, said::may_be_put_back(&path));
        ended.ok_or_else(unknown)?.why_not().map_or(Ok(()), Err)
    }

    /// Takes the run back to a step, and waits until it is there, or stands where it stood.
    async fn rewind(
        &self,
        conversation: &ConversationId,
        target: RewindTarget,
        reason: Option<String>,
        seen: String,
    ) -> Result<(), Failure> {
        let node = target.node_id.clone();
        let input = Input::Rewind { target, reason, seen: seen.clone() };
        let lines = self.done_for_person(conversation, input).await?;
        // One that an earlier click was about may end with the first look at the journal.
        let mut asked = None;
        let ended = lines.iter().flat_map(|line| &line.events).find_map(|event| match event {
            Event::RewindAsked(e) if e.seen == seen => {
                asked = Some(&e.call_id);
                None
            }
            Event::RewindEnded(e) if asked == Some(&e.files.call_id) => Some(e),
            _ => None,
        });
        let unknown =
            || Failure::new(ErrorCode::Interrupted, said::files_may_have_gone_back(&node));
        ended.ok_or_else(unknown)?.files.failure.clone().map_or(Ok(()), Err)
    }

    /// From the next turn on the configured model answers, in place of the demo's script.
    async fn use_model(&self, conversation: &ConversationId) -> Result<(), Failure> {
        let model = self.library.preferences.model_name().await?;
        self.ask(conversation, Input::UseModel { model: Some(model) }).await?;
        // The size of the model's context holds for it now.
        self.renew_limits();
        Ok(())
    }

    /// Stops a run, also one that another program works on: it is asked to, and waited for.
    async fn stop(&self, conversation: &ConversationId) -> Result<(), Failure> {
        let stopped = self.ask(conversation, Input::Stop { partial: None }).await;
        let Err(busy) = stopped else { return Ok(()) };
        if busy.code != ErrorCode::RunBusy {
            return Err(busy);
        }
        match self.store.ask_to_stop(conversation).await? {
            Some(asked) => self.store.has_stopped(&asked, STOP_PATIENCE).await,
            // It has ended in between.
            None => self.ask(conversation, Input::Stop { partial: None }).await,
        }
    }

    /// Takes an approval back. One that was in force when this was asked for, and ended because the
    /// journal was opened, is taken back too: nobody has it any more.
    async fn revoke(
        &self,
        conversation: &ConversationId,
        change_id: ChangeId,
    ) -> Result<(), Failure> {
        let before = self.state_of(conversation).await?;
        let known = before.grants.iter().any(|grant| grant.change_id == change_id);
        match self.ask(conversation, Input::Revoke(change_id)).await {
            Err(failure) if known && failure.code == ErrorCode::ApprovalNotFound => Ok(()),
            other => other,
        }
    }
}
