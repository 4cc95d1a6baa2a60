//! Package files that were opened outside the window (spec 09 "Single instance"): kept until a
//! window that follows the program takes them.

use kernel::wire::Noticed;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use tokio::sync::mpsc::Sender;

/// The files, oldest first.
#[derive(Default)]
pub(super) struct OpenedFiles {
    files: Mutex<VecDeque<String>>,
    more: Notify,
}

impl OpenedFiles {
    /// Keeps files for the window.
    pub(super) fn add(&self, files: impl IntoIterator<Item = String>) {
        self.files().extend(files);
        self.more.notify_one();
    }

    /// Hands over each file, until nobody listens.
    pub(super) async fn tell(&self, sender: &Sender<Noticed>) {
        loop {
            // Room first: what could not be handed over is still here for the next window.
            while !self.files().is_empty() {
                let Ok(room) = sender.reserve().await else { return };
                if let Some(path) = self.files().pop_front() {
                    room.send(Noticed::Opened { path });
                }
            }
            tokio::select! {
                biased;
                () = sender.closed() => return,
                () = self.more.notified() => {}
            }
        }
    }

    fn files(&self) -> MutexGuard<'_, VecDeque<String>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
