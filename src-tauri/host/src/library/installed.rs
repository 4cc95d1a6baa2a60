//! The installed packages: the folders in the store and the rows of the list, which tell the same.
//! Both change under one lock; the row is there only while the folder is.

use kernel::code::{ErrorCode, Failure};
use kernel::command::PackagePlace;
use kernel::ids::{PackageId, WorkflowId};
use kernel::package::{Package, PackageReport};
use kernel::phrase;
use kernel::trace::Trace;
use kernel::wire::{PackageView, ReadPackage, ReadingProgress, RunSummary};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::readings::PackageReadings;
use crate::blocking::on_disk;
use crate::clock::Clock;
use crate::crash::{Point, point};
use crate::packages::{self, Inspected, PackagesLock};
use crate::store::RuntimeStore;

/// Runs that a message names one by one.
const NAMED_RUNS: usize = 3;

/// The packages of one store.
pub(crate) struct InstalledPackages {
    folder: PathBuf,
    store: RuntimeStore,
    clock: Arc<dyn Clock>,
    reading: PackageReadings,
}

impl InstalledPackages {
    pub(crate) fn new(store: RuntimeStore, clock: Arc<dyn Clock>) -> Self {
        Self {
            folder: store.root().join("packages"),
            store,
            clock,
            reading: PackageReadings::default(),
        }
    }

    /// Where they lie.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where one of them lies.
    pub(crate) fn folder_of(&self, id: &PackageId) -> PathBuf {
        self.folder.join(id.as_str())
    }

    /// The list.
    pub(crate) async fn list(&self) -> Result<Vec<PackageView>, Failure> {
        self.store.packages().await
    }

    /// An installed package, read and checked again.
    pub(crate) async fn load(&self, id: &PackageId) -> Result<Arc<Package>, Failure> {
        let (folder, id) = (self.folder.clone(), id.clone());
        on_disk(move || packages::load_installed(&folder, &id)).await.map(Arc::new)
    }

    /// A package that need not be installed, read and checked. Writes nothing.
    pub(crate) async fn look_at(&self, place: PackagePlace) -> Result<Package, Failure> {
        let folder = self.folder.clone();
        on_disk(move || match place {
            PackagePlace::Store { package_id } => packages::load_installed(&folder, &package_id),
            PackagePlace::Path { path } => packages::inspect(Path::new(&path))?.usable().cloned(),
            PackagePlace::Program { name } => packages::bundled::inspect(&name)?.usable().cloned(),
        })
        .await
    }

    /// What an installed package holds.
    pub(crate) async fn report(&self, id: PackageId) -> Result<PackageReport, Failure> {
        let folder = self.folder.clone();
        on_disk(move || packages::read_installed(&folder, &id).map(|found| found.report)).await
    }

    /// What a file or folder holds, with the difference to the package of the same name that was
    /// installed last. Writes nothing.
    pub(crate) async fn inspect(&self, path: String) -> Result<PackageReport, Failure> {
        let (reading, _under_way) = self.reading.begin(&path, false);
        let installed = self.folder.clone();
        let rows = self.store.packages().await?;
        on_disk(move || {
            let mut inspected = packages::inspect_while(Path::new(&path), &reading)?;
            let name = inspected.report.manifest.as_ref().map(|m| m.name.clone());
            let same_name = rows.into_iter().filter(|row| Some(&row.name) == name.as_ref());
            let last_first: Vec<_> = same_name.map(|row| row.package_id).collect();
            inspected.compare_with_installed(&installed, &last_first);
            Ok(inspected.report)
        })
        .await
    }

    /// How far that is read or installed.
    pub(crate) fn reading(&self, of: &ReadPackage) -> Option<ReadingProgress> {
        self.reading.of(of).map(|reading| reading.progress())
    }

    /// Ends that.
    pub(crate) fn stop_reading(&self, of: &ReadPackage) {
        if let Some(reading) = self.reading.of(of) {
            reading.stop();
        }
    }

    /// What the demo of a workflow plays.
    pub(crate) async fn demo_trace(
        &self,
        id: &PackageId,
        workflow: &WorkflowId,
    ) -> Result<Trace, Failure> {
        let (folder, workflow) = (self.folder_of(id), workflow.clone());
        on_disk(move || packages::demo_trace(&folder, &workflow)).await
    }

    /// Installs a file or folder. What is installed is what was `shown` and agreed to: a file may
    /// be another by the time somebody says yes.
    pub(crate) async fn install(
        &self,
        path: String,
        shown: Option<String>,
    ) -> Result<PackageId, Failure> {
        let (reading, _under_way) = self.reading.begin(&path, true);
        let inspected = on_disk(move || packages::inspect_while(Path::new(&path), &reading));
        let inspected = inspected.await?;
        if shown.is_some_and(|shown| shown != inspected.report.content_hash) {
            let message = phrase::packages::changed_since();
            return Err(Failure::new(ErrorCode::PackageChanged, message));
        }
        self.take_in(inspected).await
    }

    /// Installs a package that comes with the program.
    pub(crate) async fn install_bundled(&self, name: String) -> Result<PackageId, Failure> {
        let inspected = on_disk(move || packages::bundled::inspect(&name)).await?;
        self.take_in(inspected).await
    }

    /// Installs what was inspected and enters it into the list. Installing twice is once.
    async fn take_in(&self, inspected: Inspected) -> Result<PackageId, Failure> {
        let folder = self.folder.clone();
        let (inspected, id, lock) = on_disk(move || {
            inspected.usable()?;
            let lock = PackagesLock::wait(&folder)?;
            let id = lock.install(&inspected)?;
            Ok((inspected, id, lock))
        })
        .await?;
        let row = packages::package_row(&inspected, &id, self.clock.now())?;
        point(Point::BeforePackageRow);
        self.store.register_package(row).await?;
        let listed = id.clone();
        on_disk(move || {
            lock.settle(&listed);
            Ok(())
        })
        .await?;
        Ok(id)
    }

    /// Removes a package that no run needs: its row first, since no run begins without one.
    pub(crate) async fn remove(&self, id: &PackageId) -> Result<(), Failure> {
        self.store.package(id).await?;
        let (folder, removed) = (self.folder.clone(), id.clone());
        let lock = on_disk(move || {
            let lock = PackagesLock::wait(&folder)?;
            lock.begin_removal(&removed)?;
            Ok(lock)
        })
        .await?;
        point(Point::BeforePackageRemoval);
        let (runs, removed) = (self.store.unregister_package(id).await, id.clone());
        point(Point::AfterPackageUnlisted);
        // After an error the next start sees from the rows what is to be done.
        let runs = runs?;
        let goes = runs.is_empty();
        on_disk(move || {
            if !goes {
                lock.settle(&removed);
            } else if let Err(failure) = lock.remove(&removed) {
                // It is in no list any more: the next start tries again.
                tracing::warn!(%failure, "the folder of a removed package stays for now");
            }
            Ok(())
        })
        .await?;
        if goes { Ok(()) } else { Err(self.in_use(id, &runs).await?) }
    }

    /// Which runs keep a package, also completed ones: their conversations are shown with its graph.
    async fn in_use(&self, id: &PackageId, runs: &[RunSummary]) -> Result<Failure, Failure> {
        let mut rows = Vec::with_capacity(runs.len());
        for run in runs {
            let conversation = self.store.conversation(&run.conversation_id).await?;
            let project = self.store.project(&run.project_id).await?;
            rows.push(json!({
                "runId": run.run_id, "conversationId": run.conversation_id,
                "projectId": run.project_id, "projectName": project.name,
                "title": conversation.title, "phase": run.phase,
            }));
        }
        let named = rows.iter().take(NAMED_RUNS).map(|row| {
            format!("“{}” ({})", row["title"].as_str().unwrap_or_default(), text_of(&row["runId"]))
        });
        let named = named.collect::<Vec<String>>().join(", ");
        let message = match rows.len().saturating_sub(NAMED_RUNS) {
            0 => phrase::packages::used_by(id, named),
            more => phrase::packages::used_by_more(id, named, more),
        };
        Ok(Failure::new(ErrorCode::PackageInUse, message).with_details(json!({ "runs": rows })))
    }
}

fn text_of(value: &serde_json::Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests;
