//! What leaves the store as a file, and what comes into it from another program's: conversations,
//! runs, the store of an Electron runtime.

mod conversations;
mod recordings;
mod runs;

use kernel::code::{ErrorCode, Failure};
use kernel::import::{ImportEntry, ImportReport};
use kernel::phrase::{exports, projects};
use std::path::Path;
use std::sync::Arc;
use tokio::sync::mpsc;

use crate::blocking::on_disk;
use crate::clock::Clock;
use crate::electron::{self, ElectronImport};
use crate::library::Library;
use crate::projects::is_own_data;
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

    /// A file that is written must take nothing of the program's own data.
    async fn refuse_own_data(&self, out: &Path) -> Result<(), Failure> {
        let (path, store) = (out.to_owned(), self.store.root().to_owned());
        if !on_disk(move || Ok(is_own_data(&path, &store))).await? {
            return Ok(());
        }
        let name = out.file_name().unwrap_or_default().to_string_lossy();
        Err(Failure::new(ErrorCode::BadRequest, exports::into_own_data(name))
            .with_action(projects::choose_a_folder_of_yours()))
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
