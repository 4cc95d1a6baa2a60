//! `settings.json`, field by field. What is set here already stays. Keys are taken over only when
//! the person said so, into the key store, and never shown.

use import_electron::{Fate, OldSetting, settings};
use kernel::code::{ErrorCode, Failure};
use kernel::import::{ImportEntry, ImportKind, ImportOutcome};
use kernel::phrase::imports;
use kernel::settings::merged;
use serde_json::Value;

use super::importer::Importer;
use crate::crash::{Point, point};
use crate::llm::preset;
use crate::settings::origin;

const FILE: &str = "settings.json";

/// Scheme, host and port of the server that the old settings name: by its address, or by a
/// provider that has one.
fn old_server(old: &[OldSetting]) -> Option<String> {
    let named = |wanted: &str, at: &str| {
        old.iter().find_map(|setting| match &setting.fate {
            Fate::Set { ours, patch, .. } if *ours == wanted => {
                patch.pointer(at).and_then(Value::as_str)
            }
            _ => None,
        })
    };
    let of_provider = || preset(named("model.provider", "/model/provider")?).base_url;
    origin(named("model.baseUrl", "/model/baseUrl").or_else(of_provider)?)
}

impl Importer {
    pub(super) fn settings(&mut self) -> Result<(), Failure> {
        let Some(document) = self.json(FILE) else { return Ok(()) };
        if !document.is_object() {
            let failure = Failure::new(ErrorCode::ImportMalformed, imports::no_object());
            self.failed(ImportKind::File, "", FILE, failure);
            return Ok(());
        }
        let old = settings(&document);
        let server = old_server(&old);
        let same_server = self.is_same_server(server.as_deref());
        for OldSetting { name, fate } in old {
            let entry = |outcome| ImportEntry::new(ImportKind::Setting, &name, FILE, outcome);
            let told = match fate {
                Fate::Unsupported(why) => {
                    entry(ImportOutcome::Skipped).because(ErrorCode::ImportNotSupported, why)
                }
                Fate::Key(key) => self.key(&name, &key, server.as_deref(), same_server)?,
                // A provider's name does not belong beside another server's address either.
                Fate::Set { ours, .. }
                    if self.target.settings.is_set(ours)
                        || (ours == "model.provider" && !same_server) =>
                {
                    ImportEntry { new_id: Some(ours.to_owned()), ..entry(ImportOutcome::Already) }
                }
                Fate::Set { ours, patch, adapted } => {
                    let mut told = entry(ImportOutcome::Imported);
                    if let Some(why) = adapted {
                        told = told.because(ErrorCode::ImportChanged, why);
                    }
                    if let Err(failure) = self.set(&patch)? {
                        told = entry(ImportOutcome::Failed).failed(failure);
                    }
                    ImportEntry { new_id: Some(ours.to_owned()), ..told }
                }
            };
            self.add(told);
        }
        Ok(())
    }

    /// The inner failure is the value's fault, the outer one the disk's.
    fn set(&self, patch: &Value) -> Result<Result<(), Failure>, Failure> {
        let here = &self.target.settings;
        if let Err(failure) = merged(&here.settings(), patch) {
            return Ok(Err(failure));
        }
        if !self.dry_run {
            here.configure(patch)?;
            point(Point::AfterImportSetting);
        }
        Ok(Ok(()))
    }

    /// Whether the old server is the one here, or becomes it.
    fn is_same_server(&self, theirs: Option<&str>) -> bool {
        let here = &self.target.settings;
        let ours = origin(&here.settings().model.base_url);
        !here.is_set("model.baseUrl") || (theirs.is_some() && theirs == ours.as_deref())
    }

    fn key(
        &self,
        name: &str,
        key: &str,
        server: Option<&str>,
        same_server: bool,
    ) -> Result<ImportEntry, Failure> {
        let entry = |outcome| ImportEntry::new(ImportKind::Key, name, FILE, outcome);
        let here = &self.target.settings;
        if here.has_stored_key() {
            return Ok(entry(ImportOutcome::Already));
        }
        if !self.with_keys {
            let why = imports::keys_on_request();
            return Ok(entry(ImportOutcome::Skipped).because(ErrorCode::ImportKeyLeft, why));
        }
        if !same_server {
            let why = imports::key_of_other_server();
            return Ok(entry(ImportOutcome::Skipped).because(ErrorCode::ImportKeyLeft, why));
        }
        if !self.dry_run {
            here.store_api_key_for(key, server.map(str::to_owned))?;
        }
        Ok(entry(ImportOutcome::Imported))
    }
}
