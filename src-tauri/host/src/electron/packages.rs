//! `packages.json` and `packages/<id>/`: inspected and installed as any package is. The id here is
//! the content's, so the report maps the old one to it.

use import_electron::listed;
use kernel::code::{ErrorCode, Failure};
use kernel::import::{ImportEntry, ImportKind, ImportOutcome};
use kernel::phrase::imports;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::importer::Importer;
use super::source::safe_name;
use crate::crash::{Point, point};
use crate::packages::{self, Inspected, PackagesLock, package_row};

const INDEX: &str = "packages.json";

impl Importer {
    pub(super) fn packages(&mut self) -> Result<(), Failure> {
        let folders = self.folders(ImportKind::Package, "packages");
        let registered = self.registered_packages();
        for id in registered.iter().filter(|id| !folders.contains(id)) {
            let file = format!("packages/{id}");
            if !safe_name(id) {
                let why = imports::package_unsafe_id();
                let failure = Failure::new(ErrorCode::ImportIdUnsafe, why);
                self.failed(ImportKind::Package, "", INDEX, failure);
            } else if !self.reported(&file, id) {
                let why = imports::package_without_folder();
                self.failed(ImportKind::Package, id, &file, Failure::new(ErrorCode::NotFound, why));
            }
        }
        for id in folders {
            let listed = registered.contains(&id);
            self.package(id, listed)?;
        }
        Ok(())
    }

    /// A link in the place of the folder was told already.
    fn reported(&self, file: &str, id: &str) -> bool {
        let same = |e: &ImportEntry| e.id.as_deref() == Some(id) && file.starts_with(&e.file);
        self.report.entries.iter().any(same)
    }

    fn registered_packages(&mut self) -> BTreeSet<String> {
        let Some(index) = self.json(INDEX) else { return BTreeSet::new() };
        let Some(entries) = listed(&index, "packages") else {
            let failure = Failure::new(ErrorCode::ImportMalformed, imports::no_list_nor_map());
            self.failed(ImportKind::File, "", INDEX, failure);
            return BTreeSet::new();
        };
        let mut ids = BTreeSet::new();
        for (n, (listed_as, entry)) in entries.into_iter().enumerate() {
            let named = ["packageId", "id"].iter().find_map(|name| entry.get(*name)?.as_str());
            match named.or(listed_as).filter(|_| entry.is_object()) {
                Some(id) if ids.insert(id.to_owned()) => {}
                Some(id) => {
                    let why = imports::package_twice();
                    let failure = Failure::new(ErrorCode::ImportDuplicate, why);
                    let id = if safe_name(id) { id } else { "" };
                    self.failed(ImportKind::Package, id, INDEX, failure);
                }
                None => {
                    let why = imports::package_no_object();
                    let failure = Failure::new(ErrorCode::ImportMalformed, why);
                    self.failed(ImportKind::Package, &format!("#{}", n + 1), INDEX, failure);
                }
            }
        }
        ids
    }

    fn package(&mut self, old_id: String, listed: bool) -> Result<(), Failure> {
        let file = format!("packages/{old_id}");
        let inspected = packages::inspect(&self.source.real(&file))
            .and_then(|found| found.usable().cloned().map(|package| (found, package)));
        let (inspected, package) = match inspected {
            Ok(found) => found,
            Err(failure) => {
                self.failed(ImportKind::Package, &old_id, &file, failure);
                return Ok(());
            }
        };
        let here = self.target.root.join("packages");
        let known = self.runtime.block_on(self.target.store.package(&package.id)).is_ok()
            && packages::load_installed(&here, &package.id).is_ok();
        if !known && !self.dry_run {
            self.install(&inspected)?;
        }
        let outcome = if known { ImportOutcome::Already } else { ImportOutcome::Imported };
        let mut entry = ImportEntry::new(ImportKind::Package, &old_id, &file, outcome);
        entry.new_id = Some(package.id.to_string());
        let warnings = &inspected.report.findings;
        if !warnings.is_empty() {
            entry.details = Some(serde_json::json!({ "findings": warnings }));
        }
        if !listed {
            let why = imports::package_unlisted();
            entry = entry.because(ErrorCode::ImportUnlisted, why);
        }
        self.add(entry);
        self.packages.insert(old_id, Arc::new(package));
        Ok(())
    }

    fn install(&self, inspected: &Inspected) -> Result<(), Failure> {
        let lock = PackagesLock::wait(&self.target.root.join("packages"))?;
        let id = lock.install(inspected)?;
        let row = package_row(inspected, &id, self.target.now)?;
        point(Point::BeforePackageRow);
        self.runtime.block_on(self.target.store.register_package(row))?;
        lock.settle(&id);
        Ok(())
    }
}

/// A member that is a text.
pub(super) fn member<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name)?.as_str()
}
