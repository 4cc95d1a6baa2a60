//! What leaves the store as a file, and what comes into it from another program's: conversations,
//! runs, the store of an Electron runtime.

mod conversations;
mod diagnostics;
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

    /// What is written must take the place of nothing but a file, and of none of the program's own.
    async fn check_target(&self, out: &Path) -> Result<(), Failure> {
        let (path, store) = (out.to_owned(), self.store.root().to_owned());
        let look = move || {
            let is_other = path.metadata().is_ok_and(|there| !there.is_file());
            Ok((is_other, is_own_data(&path, &store)))
        };
        let (is_other, is_own) = on_disk(look).await?;
        let name = out.file_name().unwrap_or_default().to_string_lossy();
        if is_other {
            return Err(Failure::new(ErrorCode::BadRequest, exports::no_file(name))
                .with_action(exports::other_name()));
        }
        if is_own {
            return Err(Failure::new(ErrorCode::BadRequest, exports::into_own_data(name))
                .with_action(projects::choose_a_folder_of_yours()));
        }
        Ok(())
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
