//! What a person says to a run.

use kernel::code::{ErrorCode, Failure};
use kernel::command::{Receipt, SessionCommand};
use kernel::engine::Input;
use kernel::event::{Event, Line, Phase};
use kernel::ids::{ChangeId, ConversationId};
use kernel::path::AliasPath;
use kernel::phrase::engine as said;
use kernel::tool::rewind::RewindTarget;

use super::{Sessions, mailbox};

impl Sessions {
    /// Carries out what a person says to a conversation. When this returns, it is durable.
    pub(crate) async fn submit(
        &self,
        conversation: &ConversationId,
        command: SessionCommand,
    ) -> Result<Receipt, Failure> {
        match command {
            SessionCommand::Say { text } => return Box::pin(self.say(conversation, text)).await,
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
            SessionCommand::Rewind { target, reason, seen } => {
                Box::pin(self.rewind(conversation, target, reason, seen)).await
            }
            SessionCommand::Talk { with } => self.talk_with(conversation, with).await,
            SessionCommand::ActivateSkill { name } => {
                Box::pin(self.activate_skill(conversation, name)).await
            }
            SessionCommand::EndSkill { name } => {
                self.ask(conversation, Input::EndSkill(name)).await
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
        }?;
        let conversation_id = Some(conversation.clone());
        Ok(Receipt { conversation_id, ..Receipt::default() })
    }

    /// Makes a conversation shorter, and waits until it is.
    async fn compact(&self, conversation: &ConversationId, hard: bool) -> Result<(), Failure> {
        self.ask(conversation, Input::Compact { hard }).await?;
        self.wait_for_rest(conversation).await
    }

    async fn wait_for_rest(&self, conversation: &ConversationId) -> Result<(), Failure> {
        mailbox::wait_for_rest(&self.mailbox(conversation).await?).await
    }

    /// Lets the person do something to files of the run, and waits until nothing is going on any more.
    /// The lines that say what became of it.
    pub(super) async fn done_for_person(
        &self,
        conversation: &ConversationId,
        input: Input,
    ) -> Result<Vec<Line>, Failure> {
        self.mailbox(conversation).await?;
        let before = self.standing_of(conversation).await?;
        match self.ask(conversation, input.clone()).await {
            // What the person asked for before a crash is being settled, and ends soon.
            Err(busy) if busy.code == ErrorCode::RunBusy && before.phase != Phase::Running => {
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

    /// Takes an approval back. One that was in force when this was asked for, and ended because the
    /// journal was opened, is taken back too: nobody has it any more.
    async fn revoke(
        &self,
        conversation: &ConversationId,
        change_id: ChangeId,
    ) -> Result<(), Failure> {
        let before = self.standing_of(conversation).await?;
        let known = before.grants.iter().any(|grant| grant.change_id == change_id);
        match self.ask(conversation, Input::Revoke(change_id)).await {
            Err(failure) if known && failure.code == ErrorCode::ApprovalNotFound => Ok(()),
            other => other,
        }
    }
}
