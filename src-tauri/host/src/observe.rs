//! What is told to whoever looks: the frames of a conversation, and the words about files,
//! settings, packages and the log (spec 08 "Watching").

mod feeds;
mod opened;
mod watch;

use kernel::code::Failure;
use kernel::ids::ConversationId;
use kernel::wire::Frame;
use std::sync::Arc;
use tokio::sync::mpsc;

use crate::sessions::Sessions;
use crate::store::RuntimeStore;
use opened::Opened;
use watch::Watching;

/// What is being watched for the windows of one program.
pub(crate) struct Observe {
    store: RuntimeStore,
    sessions: Arc<Sessions>,
    watching: Arc<Watching>,
    opened: Arc<Opened>,
}

impl Observe {
    pub(crate) fn new(store: RuntimeStore, sessions: Arc<Sessions>) -> Self {
        Self { store, sessions, watching: Arc::default(), opened: Arc::default() }
    }

    /// The frames of a conversation: everything first, then increments, until the receiver is
    /// dropped. Its state document is looked at as long.
    pub(crate) async fn watch(
        &self,
        conversation: &ConversationId,
    ) -> Result<mpsc::UnboundedReceiver<Frame>, Failure> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let document = self.sessions.watch(conversation, sender.clone()).await?;
        self.look_at(document, conversation, sender).await?;
        Ok(receiver)
    }

    /// Shows package files that were opened outside the window to whoever follows the program, now
    /// or as soon as somebody does.
    pub(crate) fn show_packages(&self, files: Vec<String>) {
        if !files.is_empty() {
            self.opened.add(files);
        }
    }

    /// How many folders (each with what is below it) are being watched on disk now.
    #[cfg(test)]
    pub(crate) fn watched_roots(&self) -> usize {
        self.watching.count.now()
    }
}
