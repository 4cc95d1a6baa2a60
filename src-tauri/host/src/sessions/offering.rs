//! Files that are offered to a person who writes a mention (spec 09 "Screens").

use kernel::code::Failure;
use kernel::ids::ConversationId;
use kernel::path::AliasPath;

use super::Sessions;
use crate::blocking::on_disk;

impl Sessions {
    /// Files of a run's project that the person may mention. Nothing is started for it.
    pub(crate) async fn files(
        &self,
        conversation: &ConversationId,
        matching: String,
    ) -> Result<Vec<AliasPath>, Failure> {
        let tools = self.tools_of(conversation).await?;
        on_disk(move || tools.find(&matching)).await
    }
}
