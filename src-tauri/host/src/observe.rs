//! What is told to whoever looks: the frames of a conversation, and the words about files,
//! settings, packages and the log (spec 08 "Watching").

mod app;
mod feeds;
mod frames;
mod opened;
mod showing;
mod telling;
mod watch;

use std::sync::Arc;

use crate::sessions::Sessions;
use crate::store::RuntimeStore;
use opened::ToShow;
use watch::Watching;

pub use opened::OpenedOutside;

/// What is being watched for the windows of one program.
pub(crate) struct Observe {
    store: RuntimeStore,
    sessions: Arc<Sessions>,
    watching: Arc<Watching>,
    to_show: Arc<ToShow>,
}

impl Observe {
    pub(crate) fn new(store: RuntimeStore, sessions: Arc<Sessions>) -> Self {
        Self { store, sessions, watching: Arc::default(), to_show: Arc::default() }
    }

    /// How many folders (each with what is below it) are being watched on disk now.
    #[cfg(test)]
    pub(crate) fn watched_roots(&self) -> usize {
        self.watching.count.now()
    }
}
