//! Asking the task of a conversation for something, and for its turn to stop.

use kernel::code::{ErrorCode, Failure};
use kernel::engine::Input;
use kernel::ids::ConversationId;
use std::time::Duration;

use super::{Sessions, mailbox};

/// How long another program may take to stop: a stream ends at once, a write that began is finished.
const STOP_PATIENCE: Duration = Duration::from_secs(20);

impl Sessions {
    /// Sends an input to the task of a conversation and waits until it is durable.
    pub(super) async fn ask(
        &self,
        conversation: &ConversationId,
        input: Input,
    ) -> Result<(), Failure> {
        mailbox::ask(&self.mailbox(conversation).await?, input).await
    }

    /// Stops a run, also one that another program works on: it is asked to, and waited for.
    pub(super) async fn stop(&self, conversation: &ConversationId) -> Result<(), Failure> {
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
}
