//! What taking a run back to a step would do.

use kernel::code::Failure;
use kernel::ids::ConversationId;
use kernel::restore::Restore;
use kernel::tool::rewind::RewindTarget;
use kernel::wire::RewindPreview;

use super::Sessions;
use crate::blocking::on_disk;

impl Sessions {
    /// What taking the run back would do now. Nothing is started for it, and nothing written.
    pub(crate) async fn rewind_preview(
        &self,
        conversation: &ConversationId,
        target: RewindTarget,
    ) -> Result<RewindPreview, Failure> {
        let read = self.read(conversation, move |engine| engine.going_back(&target));
        let (mut going_back, tools) = read.await?;
        let restore = match going_back.permit.take() {
            Some(permit) => on_disk(move || tools.look_back(&permit)).await?,
            None => Restore::default(),
        };
        Ok(RewindPreview::of(going_back, restore))
    }
}
