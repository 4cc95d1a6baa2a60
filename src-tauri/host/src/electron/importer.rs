//! One import at work: what it reads from, where things go, and what it reports.

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

use super::source::{ElectronStore, SourceEntryKind, safe_name};
use crate::settings::SettingsStore;
use crate::store::RuntimeStore;

/// Where an import puts what it takes over.
pub(crate) struct ImportTarget {
    pub(crate) store: RuntimeStore,
    pub(crate) root: PathBuf,
    pub(crate) settings: Arc<SettingsStore>,
    pub(crate) now: Time,
}

/// One import at work.
pub(super) struct Importer {
    pub(super) source: ElectronStore,
    pub(super) target: ImportTarget,
    pub(super) dry_run: bool,
    pub(super) with_keys: bool,
    pub(super) runtime: Handle,
    pub(super) report: ImportReport,
    pub(super) told: Option<UnboundedSender<ImportEntry>>,
    /// Usable packages by their old ids.
    pub(super) packages: BTreeMap<String, Arc<Package>>,
    /// What was met in this import: ids are unique in the whole store.
    pub(super) conversations: BTreeSet<ConversationId>,
    pub(super) runs: BTreeSet<RunId>,
}

impl Importer {
    /// Reports something, to whoever listens at once.
    pub(super) fn add(&mut self, entry: ImportEntry) {
        if let Some(told) = &self.told {
            // Nobody may be listening any more; the report has it all the same.
            _ = told.send(entry.clone());
        }
        self.report.push(entry);
    }

    /// Reports something that could not be read.
    pub(super) fn failed(&mut self, kind: ImportKind, id: &str, file: &str, failure: Failure) {
        self.add(ImportEntry::new(kind, id, file, ImportOutcome::Failed).failed(failure));
    }

    /// A JSON file; one that is broken is reported and counts as missing.
    pub(super) fn json(&mut self, file: &str) -> Option<serde_json::Value> {
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
    pub(super) fn folders(&mut self, kind: ImportKind, rel: &str) -> Vec<String> {
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
                SourceEntryKind::File => {}
                SourceEntryKind::Folder if safe_name(&name) => folders.push(name),
                SourceEntryKind::Folder => {
                    let why = imports::folder_is_no_id();
                    let failure = Failure::new(ErrorCode::ImportIdUnsafe, why);
                    self.failed(kind, "", rel, failure);
                }
                SourceEntryKind::Other => {
                    let why = imports::no_plain_folder();
                    self.failed(kind, &name, rel, Failure::new(ErrorCode::ImportLink, why));
                }
            }
        }
        folders
    }
}
