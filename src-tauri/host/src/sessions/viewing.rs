//! Opening a file of a run's project: as it is now and as it was before the run.

use kernel::code::Failure;
use kernel::ids::ConversationId;
use kernel::outside::OpenIn;
use kernel::path::AliasPath;
use kernel::wire::{FileView, FolderView};

use super::Sessions;
use crate::blocking::on_disk;
use crate::real_path::RealPath;
use crate::tools::ToolHost;

impl Sessions {
    /// A file of a run's project, for a person. Nothing is started for it.
    pub(crate) async fn file(
        &self,
        conversation: &ConversationId,
        path: AliasPath,
    ) -> Result<FileView, Failure> {
        let tools = self.tools_of(conversation).await?;
        let mut changes = self.standing_of(conversation).await?.changes;
        // The other files are not looked at.
        changes.retain(|effect| effect.path == path);
        let effect = self.with_current_state(conversation, changes).await?.pop();
        on_disk(move || tools.view(path, effect)).await
    }

    /// What lies right in a folder of a run's project. Nothing is started for it.
    pub(crate) async fn folder(
        &self,
        conversation: &ConversationId,
        path: AliasPath,
    ) -> Result<FolderView, Failure> {
        let tools = self.tools_of(conversation).await?;
        on_disk(move || tools.folder(&path)).await
    }

    /// The files of the run of a conversation.
    pub(super) async fn tools_of(
        &self,
        conversation: &ConversationId,
    ) -> Result<ToolHost, Failure> {
        let run = self.conversation_ref(conversation).await?;
        let project = self.store.project(&run.project_id).await?;
        self.factory.tools(&project, &run).await
    }

    /// Where a file of a run's project is that a person opens in another program.
    pub(crate) async fn outside(
        &self,
        conversation: &ConversationId,
        path: AliasPath,
        open_in: OpenIn,
    ) -> Result<RealPath, Failure> {
        let tools = self.tools_of(conversation).await?;
        on_disk(move || tools.outside(&path, open_in)).await
    }
}
