//! Opening a change that waits for the person and is too long to be shown at once.

use kernel::code::Failure;
use kernel::engine::{Waiting, WholeChangeSource};
use kernel::ids::{ChangeId, ConversationId};
use kernel::whole;
use kernel::wire::WholeChange;

use super::Sessions;
use crate::blocking::on_disk;

impl Sessions {
    /// All of a change. Refused when it would be another one by now: what is opened is what was
    /// asked.
    pub(crate) async fn whole_change(
        &self,
        conversation: &ConversationId,
        id: ChangeId,
    ) -> Result<WholeChange, Failure> {
        let wanted = id.clone();
        let waiting = self.read(conversation, move |engine| engine.waiting_change(&wanted));
        let (Waiting { change, found }, tools) = waiting.await?;
        let whole = whole::sha256(&change);
        let diff = match found {
            WholeChangeSource::Diff(diff) => diff,
            WholeChangeSource::Call(permit) => {
                on_disk(move || tools.whole_diff(&permit, &change)).await?
            }
        };
        Ok(WholeChange { change_id: id, diff, whole })
    }
}
