//! Taking over the store of an Electron runtime (spec 08 "Import of an Electron runtime's
//! store").
//!
//! The old store is read, never changed. Each thing found is reported by itself; a conversation
//! with its run goes in as one transaction, so an import that was cut off is completed by the
//! next one and nothing is there twice. A dry run is the same code without the writes.
//!
//! What the old JSON means is [`import_electron`]'s to say.

mod conversations;
mod files;
mod importer;
mod packages;
mod place;
mod projects;
mod runs;
mod settings;
mod source;

use kernel::code::Failure;
use kernel::import::{ImportEntry, ImportReport};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;

pub(crate) use importer::ImportTarget;
use importer::Importer;
use source::ElectronStore;

/// What is asked for.
#[derive(Debug, Clone, Default)]
pub struct ElectronImport {
    /// The `runtime-store` folder or the one above.
    pub path: PathBuf,
    /// Look, report, write nothing.
    pub dry_run: bool,
    /// Take over the API key too.
    pub with_keys: bool,
}

/// Imports; blocks. Entries are also sent to `told` as they come. `IMPORT_SOURCE_INVALID` when
/// the folder is no such store; `STORE_WRITE_FAILED` ends the import, what was done stays.
pub(crate) fn import(
    ask: &ElectronImport,
    target: ImportTarget,
    runtime: Handle,
    told: Option<UnboundedSender<ImportEntry>>,
) -> Result<ImportReport, Failure> {
    let mut importer = Importer {
        source: ElectronStore::open(&ask.path)?,
        target,
        dry_run: ask.dry_run,
        with_keys: ask.with_keys,
        runtime,
        report: ImportReport { dry_run: ask.dry_run, ..ImportReport::default() },
        told,
        packages: BTreeMap::new(),
        conversations: BTreeSet::new(),
        runs: BTreeSet::new(),
    };
    importer.packages()?;
    importer.projects()?;
    importer.settings()?;
    let totals = importer.report.totals;
    tracing::info!(
        dry_run = ask.dry_run,
        imported = totals.imported,
        already = totals.already,
        skipped = totals.skipped,
        failed = totals.failed,
        "an Electron runtime's store was read"
    );
    Ok(importer.report)
}
