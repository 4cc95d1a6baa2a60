//! Following a journal, line by line as each becomes durable.

use kernel::code::Failure;
use kernel::event::Line;
use kernel::ids::ConversationId;
use std::sync::Arc;
use tokio::sync::mpsc::{self, UnboundedReceiver};

use super::Sessions;
use super::mailbox::{RunnerMessage, task_ended};

impl Sessions {
    /// Follows a conversation's journal from a sequence number on, until the receiver is dropped.
    /// A failure in between: the work stopped, and no line could say so (the disk is full).
    pub(crate) async fn follow(
        &self,
        conversation: &ConversationId,
        from_seq: u64,
    ) -> Result<UnboundedReceiver<Result<Arc<Line>, Failure>>, Failure> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let mailbox = self.mailbox(conversation).await?;
        mailbox.send(RunnerMessage::Follow(from_seq, sender)).map_err(|_| task_ended())?;
        Ok(receiver)
    }
}
