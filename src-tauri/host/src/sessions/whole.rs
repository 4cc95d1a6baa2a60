//! Opening a change that waits for the person and is too long to be shown at once.

use kernel::code::Failure;
use kernel::engine::{Waiting, WholeChangeSource};
use kernel::ids::{ChangeId, ConversationId};
use kernel::whole;
use kernel::wire::WholeChange;
use std::sync::Arc;
use tokio::sync::oneshot;

use super::Sessions;
use super::mailbox::{RunnerMessage, task_ended};
use crate::blocking::on_disk;
use crate::tools::ToolHost;

impl Sessions {
    /// All of a change. Refused when it would be another one by now: what is opened is what was
    /// asked.
    pub(crate) async fn whole_change(
        &self,
        conversation: &ConversationId,
        id: ChangeId,
    ) -> Result<WholeChange, Failure> {
        let (Waiting { change, found }, tools) = self.waiting(conversation, &id).await?;
        let whole = whole::sha256(&change);
        let diff = match found {
            WholeChangeSource::Diff(diff) => diff,
            WholeChangeSource::Call(permit) => {
                on_disk(move || tools.whole_diff(&permit, &change)).await?
            }
        };
        Ok(WholeChange { change_id: id, diff, whole })
    }

    /// Looking starts nothing: a conversation at rest is read from its journal.
    async fn waiting(
        &self,
        conversation: &ConversationId,
        id: &ChangeId,
    ) -> Result<(Waiting, Arc<ToolHost>), Failure> {
        if let Some(mailbox) = self.running(conversation).await {
            let (answer, answered) = oneshot::channel();
            if mailbox.send(RunnerMessage::Open(id.clone(), answer)).is_ok() {
                return answered.await.map_err(|_| task_ended())?;
            }
        }
        let run = self.factory.run_of(conversation).await?;
        let deps = self.factory.deps(&run, self.store.began_as_demo(conversation).await?).await?;
        let engine = self.store.recall(conversation, deps.env).await?.engine;
        Ok((engine.waiting_change(id)?, deps.effects.tools))
    }
}
