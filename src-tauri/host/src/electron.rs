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
mod packages;
mod projects;
mod runs;
mod settings;
mod source;

use kernel::code::{ErrorCode, Failure};
use kernel::ids::{ConversationId, RunId};
use kernel::import::{ImportEntry, ImportKind, ImportOutcome, ImportReport};
use kernel::package::Package;
use kernel::phrase::imports;
use kernel::time::Time;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;

use crate::settings::SettingsStore;
use crate::store::RuntimeStore;
use source::Source;

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

/// Where things go.
pub(crate) struct Target {
    pub(crate) store: RuntimeStore,
    pub(crate) root: PathBuf,
    pub(crate) settings: Arc<SettingsStore>,
    pub(crate) now: Time,
}

/// One import at work.
struct Importer {
    source: Source,
    target: Target,
    dry_run: bool,
    with_keys: bool,
    runtime: Handle,
    report: ImportReport,
    told: Option<UnboundedSender<ImportEntry>>,
    /// Usable packages by their old ids.
    packages: BTreeMap<String, Arc<Package>>,
    /// What was met in this import: ids are unique in the whole store.
    conversations: BTreeSet<ConversationId>,
    runs: BTreeSet<RunId>,
}

/// Imports; blocks. Entries are also sent to `told` as they come. `IMPORT_SOURCE_INVALID` when
/// the folder is no such store; `STORE_WRITE_FAILED` ends the import, what was done stays.
pub(crate) fn import(
    ask: &ElectronImport,
    target: Target,
    runtime: Handle,
    told: Option<UnboundedSender<ImportEntry>>,
) -> Result<ImportReport, Failure> {
    let mut importer = Importer {
        source: Source::open(&ask.path)?,
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

impl Importer {
    fn add(&mut self, entry: ImportEntry) {
        if let Some(told) = &self.told {
            // Nobody may be listening any more; the report has it all the same.
            _ = told.send(entry.clone());
        }
        self.report.push(entry);
    }

    /// Reports something that could not be read.
    fn failed(&mut self, kind: ImportKind, id: &str, file: &str, failure: Failure) {
        self.add(ImportEntry::new(kind, id, file, ImportOutcome::Failed).failed(failure));
    }

    /// A JSON file; one that is broken is reported and counts as missing.
    fn json(&mut self, file: &str) -> Option<serde_json::Value> {
        match self.source.json(file) {
            Ok(value) => value,
            Err(failure) => {
                self.failed(ImportKind::File, "", file, failure);
                None
            }
        }
    }

    /// The folders below `rel` whose names may be used; the others are reported, but files, which
    /// are no business of ours here.
    fn folders(&mut self, kind: ImportKind, rel: &str) -> Vec<String> {
        let names = match self.source.names(rel) {
            Ok(names) => names,
            Err(failure) => {
                self.failed(kind, "", rel, failure);
                return Vec::new();
            }
        };
        let mut folders = Vec::new();
        for (name, what) in names {
            match what {
                source::Kind::File => {}
                source::Kind::Folder if source::safe_name(&name) => folders.push(name),
                source::Kind::Folder => {
                    let why = imports::folder_is_no_id();
                    let failure = Failure::new(ErrorCode::ImportIdUnsafe, why);
                    self.failed(kind, "", rel, failure);
                }
                source::Kind::Other => {
                    let why = imports::no_plain_folder();
                    self.failed(kind, &name, rel, Failure::new(ErrorCode::ImportLink, why));
                }
            }
        }
        folders
    }
}
