//! What is told to whoever looks: the frames of a conversation, and the words about files,
//! settings, packages and the log (spec 08 "Watching").

mod feeds;
mod frames;
mod opened;
mod watch;

use std::sync::Arc;

use crate::sessions::Sessions;
use crate::store::RuntimeStore;
use opened::OpenedFiles;
use watch::Watching;

/// What is being watched for the windows of one program.
pub(crate) struct Observe {
    store: RuntimeStore,
    sessions: Arc<Sessions>,
    watching: Arc<Watching>,
    opened: Arc<OpenedFiles>,
}

impl Observe {
    pub(crate) fn new(store: RuntimeStore, sessions: Arc<Sessions>) -> Self {
        Self { store, sessions, watching: Arc::default(), opened: Arc::default() }
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
