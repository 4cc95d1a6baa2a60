//! The frames of a conversation, and its state document while somebody looks at it (spec 08
//! "Watching").

use kernel::bounds::STATE_BYTES;
use kernel::code::Failure;
use kernel::ids::ConversationId;
use kernel::text::sha256_hex;
use kernel::wire::Frame;
use std::path::Path;
use std::sync::{Arc, Weak};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

use super::Observe;
use super::watch::{Observed, WatchScope};
use crate::blocking::on_disk;
use crate::plain_file;
use crate::sessions::Sessions;
use crate::sessions::looking::StateDocument;

const STATE_FILE: &str = "workflow.md";

impl Observe {
    /// The frames of a conversation: everything first, then increments, until the receiver is
    /// dropped. Its state document is looked at as long.
    pub(crate) async fn watch(
        &self,
        conversation: &ConversationId,
    ) -> Result<UnboundedReceiver<Frame>, Failure> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let document = self.sessions.watch(conversation, sender.clone()).await?;
        self.look_at(document, conversation, sender).await?;
        Ok(receiver)
    }

    /// Looks at the state document of a conversation as long as `watcher` is watched: a person may
    /// edit it while the run waits (spec 03 "Run state"). What it means is the runner's to say;
    /// when none runs, one begins as soon as the file is not the version it was left with.
    async fn look_at(
        &self,
        document: StateDocument,
        conversation: &ConversationId,
        watcher: UnboundedSender<Frame>,
    ) -> Result<(), Failure> {
        let StateDocument::LeftAs(known) = document else { return Ok(()) };
        let root = self.sessions.state_folder(conversation).await?;
        let watching = Arc::clone(&self.watching);
        let watchers = Arc::clone(self.sessions.watchers());
        // The feed must not keep the host.
        let (weak, conversation) = (Arc::downgrade(&self.sessions), conversation.clone());
        let gone = watchers.gone(&conversation);
        tokio::spawn(async move {
            let scope = WatchScope::Files(vec![STATE_FILE.to_owned()]);
            let file = root.as_path().join(STATE_FILE);
            match Observed::begin(root, scope, &watching.count).await {
                Ok(mut observed) => {
                    // It may have been edited while nobody looked.
                    while state_touched(&weak, &conversation, &file, known.as_ref()).await {
                        let changes = tokio::select! {
                            () = watcher.closed() => None,
                            () = gone.cancelled() => None,
                            changes = observed.next() => changes,
                        };
                        if changes.is_none() {
                            break;
                        }
                    }
                    observed.stop().await;
                }
                // The edit is seen all the same, when the run goes on.
                Err(failure) => tracing::warn!(code = %failure.code, "{}", failure.message),
            }
            if watcher.is_closed() {
                watchers.forget_gone(&conversation);
            }
        });
        Ok(())
    }
}

/// Tells the runner to look. False when the host is gone.
async fn state_touched(
    sessions: &Weak<Sessions>,
    conversation: &ConversationId,
    file: &Path,
    known: Option<&String>,
) -> bool {
    let Some(sessions) = sessions.upgrade() else { return false };
    if !sessions.is_running(conversation).await {
        let file = file.to_owned();
        let found = on_disk(move || Ok(plain_file::read_to_string(&file, STATE_BYTES).ok()))
            .await
            .ok()
            .flatten();
        if found.map(|text| sha256_hex(text.as_bytes())).as_ref() == known {
            return true;
        }
    }
    if let Err(failure) = sessions.state_touched(conversation).await {
        // Shown as it stands: nobody here may work on it.
        tracing::debug!(code = %failure.code, "an edit was not looked at");
    }
    true
}
