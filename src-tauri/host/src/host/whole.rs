//! Opening a change that waits for the person and is too long to be shown at once.

use kernel::code::Failure;
use kernel::engine::{Found, Waiting};
use kernel::ids::{ChangeId, ConversationId};
use kernel::whole;
use kernel::wire::WholeChange;
use std::sync::Arc;
use tokio::sync::oneshot;

use super::conversations::{is_demo, parts, run_row, running};
use super::{Host, on_disk};
use crate::runner::{Mail, gone};
use crate::tools::ToolHost;

/// All of a change. Refused when it would be another one by now: what is opened is what was asked.
pub(super) async fn change(
    host: &Host,
    conversation: &ConversationId,
    id: ChangeId,
) -> Result<WholeChange, Failure> {
    let (Waiting { change, found }, tools) = waiting(host, conversation, &id).await?;
    let whole = whole::sha256(&change);
    let diff = match found {
        Found::Diff(diff) => diff,
        Found::Call(permit) => on_disk(move || tools.whole_diff(&permit, &change)).await?,
    };
    Ok(WholeChange { change_id: id, diff, whole })
}

/// Looking starts nothing: a conversation at rest is read from its journal.
async fn waiting(
    host: &Host,
    conversation: &ConversationId,
    id: &ChangeId,
) -> Result<(Waiting, Arc<ToolHost>), Failure> {
    if let Some(mailbox) = running(host, conversation).await {
        let (answer, answered) = oneshot::channel();
        if mailbox.send(Mail::Open(id.clone(), answer)).is_ok() {
            return answered.await.map_err(|_| gone())?;
        }
    }
    let row = run_row(host, conversation).await?;
    let parts = parts(host, &row, is_demo(host, conversation).await?).await?;
    let engine = host.store.recall(conversation, parts.env).await?.engine;
    Ok((engine.waiting_change(id)?, parts.outside.tools))
}
