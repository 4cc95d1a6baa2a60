//! What leaves the store as a file, and what comes into it from another program's: conversations,
//! runs, the store of an Electron runtime.

mod conversations;
mod recordings;
mod runs;

use kernel::code::Failure;
use kernel::import::{ImportEntry, ImportReport};
use std::sync::Arc;
use tokio::sync::mpsc;

use crate::blocking::on_disk;
use crate::clock::Clock;
use crate::electron::{self, ElectronImport};
use crate::library::Library;
use crate::store::RuntimeStore;

/// Exports and imports of one store.
pub(crate) struct Transfer {
    store: RuntimeStore,
    library: Arc<Library>,
    clock: Arc<dyn Clock>,
}

impl Transfer {
    pub(crate) fn new(store: RuntimeStore, library: Arc<Library>, clock: Arc<dyn Clock>) -> Self {
        Self { store, library, clock }
    }

    /// Takes over the store of an Electron runtime, or looks at what that would do. Entries are
    /// also sent to `told` as they come. The old store is only read.
    pub(crate) async fn import_electron(
        &self,
        ask: ElectronImport,
        told: Option<mpsc::UnboundedSender<ImportEntry>>,
    ) -> Result<ImportReport, Failure> {
        let target = electron::ImportTarget {
            store: self.store.clone(),
            root: self.store.root().to_owned(),
            settings: Arc::clone(self.library.preferences.settings()),
            now: self.clock.now(),
        };
        let runtime = tokio::runtime::Handle::current();
        on_disk(move || electron::import(&ask, target, runtime, told)).await
    }
}
