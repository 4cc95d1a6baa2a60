//! What a window is told of something that was opened outside.

use kernel::code::Failure;
use kernel::ids::ConversationId;
use kernel::wire::Noticed;

use super::Observe;
use super::opened::OpenedOutside;

impl Observe {
    /// Shows what was opened outside to whoever follows the program, now or as soon as somebody
    /// does. What is not there is told as that.
    pub(crate) async fn show(&self, opened: Vec<OpenedOutside>) {
        let mut words = Vec::with_capacity(opened.len());
        for one in opened {
            words.push(self.shown(one).await);
        }
        if !words.is_empty() {
            self.to_show.add(words);
        }
    }

    async fn shown(&self, opened: OpenedOutside) -> Noticed {
        let found = match opened {
            OpenedOutside::PackageFile(path) => Ok(Noticed::Opened { path }),
            OpenedOutside::Folder(path) => Ok(Noticed::Folder { path }),
            OpenedOutside::Conversation(id) => self.conversation(id).await,
            OpenedOutside::Package(id) => {
                let found = self.store.package(&id).await;
                found.map(|package| Noticed::ShownPackage { package_id: package.package_id })
            }
        };
        found.unwrap_or_else(|failure| Noticed::NotShown { failure })
    }

    async fn conversation(&self, id: ConversationId) -> Result<Noticed, Failure> {
        let id = self.store.parent_of(&id).await?.unwrap_or(id);
        let found = self.store.conversation(&id).await?;
        // Also one that the person has forgotten: whoever wants to see it wants its project.
        let project = self.store.project(&found.project_id).await?;
        let location = project.location;
        Ok(Noticed::Shown { project_id: found.project_id, location, conversation_id: id })
    }
}
