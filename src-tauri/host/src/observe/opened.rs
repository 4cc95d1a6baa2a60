//! What the person opened outside the window (spec 09 "Single instance"): kept until a window that
//! follows the program takes it.

use kernel::bounds::OPENED_WAITING;
use kernel::ids::{ConversationId, PackageId};
use kernel::wire::Noticed;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use tokio::sync::mpsc::Sender;

/// Something the person opened outside the window: with a start of the program, a link, or a click
/// on an announcement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenedOutside {
    /// A package, as a file or a folder: a real path.
    PackageFile(String),
    /// A folder that is to be a project: a real path.
    Folder(String),
    /// A conversation; of a sub-agent it is the run that it works for.
    Conversation(ConversationId),
    /// An installed package.
    Package(PackageId),
}

/// What a window is still to be told, the oldest first.
#[derive(Default)]
pub(super) struct ToShow {
    words: Mutex<VecDeque<Noticed>>,
    more: Notify,
}

impl ToShow {
    /// Keeps words for the window.
    pub(super) fn add(&self, words: impl IntoIterator<Item = Noticed>) {
        let mut kept = self.words();
        kept.extend(words);
        let beyond = kept.len().saturating_sub(OPENED_WAITING);
        drop(kept.drain(..beyond));
        drop(kept);
        self.more.notify_one();
    }

    /// Hands over each word, until nobody listens.
    pub(super) async fn tell(&self, sender: &Sender<Noticed>) {
        loop {
            // Room first: what could not be handed over is still here for the next window.
            while !self.words().is_empty() {
                let Ok(room) = sender.reserve().await else { return };
                if let Some(word) = self.words().pop_front() {
                    room.send(word);
                }
            }
            tokio::select! {
                biased;
                () = sender.closed() => return,
                () = self.more.notified() => {}
            }
        }
    }

    fn words(&self) -> MutexGuard<'_, VecDeque<Noticed>> {
        self.words.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
