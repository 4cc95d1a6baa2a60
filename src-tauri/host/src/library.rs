//! What runs are made of: the installed packages, the known projects, and what the settings say of
//! the model and of a turn. It knows no conversation that runs.

mod doctor;
pub(crate) mod installed;
pub(crate) mod preferences;
pub(crate) mod projects;

use kernel::code::Failure;
use kernel::ids::PackageId;
use kernel::package::PackageReport;
use std::sync::Arc;

use crate::clock::{Clock, Ids};
use crate::settings::SettingsStore;
use crate::store::RuntimeStore;
use installed::InstalledPackages;
use preferences::{Choices, Preferences};
use projects::KnownProjects;

/// Three shelves of one store, each of which owns its fields.
pub(crate) struct Library {
    store: RuntimeStore,
    pub(crate) packages: InstalledPackages,
    pub(crate) projects: KnownProjects,
    pub(crate) preferences: Preferences,
}

impl Library {
    pub(crate) fn new(
        store: &RuntimeStore,
        settings: SettingsStore,
        choices: Choices,
        clock: &Arc<dyn Clock>,
        ids: &Arc<dyn Ids>,
    ) -> Self {
        Self {
            store: store.clone(),
            packages: InstalledPackages::new(store.clone(), Arc::clone(clock)),
            projects: KnownProjects::new(store.clone(), Arc::clone(clock), Arc::clone(ids)),
            preferences: Preferences::new(settings, choices),
        }
    }

    /// What a package file or folder holds, told under the approvals that hold now. Writes nothing.
    pub(crate) async fn inspect_package(&self, path: String) -> Result<PackageReport, Failure> {
        Ok(self.packages.inspect(path).await?.told(self.preferences.limits(false).approve_writes))
    }

    /// The same of an installed package.
    pub(crate) async fn package_report(&self, id: PackageId) -> Result<PackageReport, Failure> {
        Ok(self.packages.report(id).await?.told(self.preferences.limits(false).approve_writes))
    }
}
