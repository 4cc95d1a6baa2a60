//! Logs and spilled tool results: copied beside the run's state document, where their alias
//! (`@state/logs/…`) finds them. The folder appears whole or not at all.

use kernel::bounds::{ELECTRON_DEPTH, ELECTRON_FILE_BYTES};
use kernel::code::{ErrorCode, Failure};
use kernel::ids::{ConversationId, RunId};
use kernel::import::{ImportEntry, ImportKind, ImportOutcome};
use kernel::path::{AliasPath, Mount};
use kernel::phrase::imports;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use super::importer::Importer;
use super::place::LocalProject;
use super::runs::CHAT;
use super::source::SourceEntryKind;
use crate::atomic::sync_dir;
use crate::crash::{Point, point};
use crate::private;

/// What is copied for one conversation.
pub(super) struct StateFiles {
    /// The folder below `runs/`.
    folder: String,
    /// Place below `state/` → place in the old store.
    files: BTreeMap<String, String>,
}

impl Importer {
    /// Finds the files of a conversation and its run. What is left behind is reported.
    pub(super) fn state_files(
        &mut self,
        place: &LocalProject,
        conversation: &ConversationId,
        run: Option<&RunId>,
    ) -> StateFiles {
        let project = format!("projects/{}", place.old);
        let chat = format!("{CHAT}{conversation}");
        let folder = run.map_or_else(|| chat.clone(), ToString::to_string);
        let mut out = StateFiles { folder, files: BTreeMap::new() };
        if let Some(run) = run {
            let state = format!("{project}/runs/{run}/state");
            self.others_of(&state);
            self.walk(&format!("{state}/logs"), "logs", ELECTRON_DEPTH, &mut out.files);
        }
        self.walk(
            &format!("{project}/runs/{chat}/state/logs"),
            "logs",
            ELECTRON_DEPTH,
            &mut out.files,
        );
        for logs in ["state/logs", "logs"] {
            let results = format!("tool-results/{conversation}");
            let from = format!("{project}/{logs}/{results}");
            self.walk(&from, &format!("logs/{results}"), ELECTRON_DEPTH, &mut out.files);
        }
        out
    }

    /// What else a model wrote beside its state document.
    fn others_of(&mut self, state: &str) {
        for (name, _) in self.source.names(state).unwrap_or_default() {
            if !matches!(name.as_str(), "workflow.md" | "logs") {
                let why = imports::only_state_and_logs();
                let entry =
                    ImportEntry::new(ImportKind::File, &name, state, ImportOutcome::Skipped);
                self.add(entry.because(ErrorCode::ImportNotSupported, why));
            }
        }
    }

    fn walk(&mut self, from: &str, to: &str, depth: u32, out: &mut BTreeMap<String, String>) {
        let names = match self.source.names(from) {
            Ok(names) => names,
            Err(failure) => return self.failed(ImportKind::File, "", from, failure),
        };
        for (name, kind) in names {
            let (old, new) = (format!("{from}/{name}"), format!("{to}/{name}"));
            let refused = match kind {
                _ if AliasPath::new(Mount::State, &new).is_err() => {
                    Some((ErrorCode::ImportIdUnsafe, imports::name_unusable()))
                }
                SourceEntryKind::Folder if depth == 0 => {
                    Some((ErrorCode::ImportTooLarge, imports::folders_too_deep()))
                }
                SourceEntryKind::Other => Some((ErrorCode::ImportLink, imports::special_file())),
                SourceEntryKind::Folder => {
                    self.walk(&old, &new, depth - 1, out);
                    None
                }
                SourceEntryKind::File if out.contains_key(&new) => {
                    // Two logs of one conversation: its run's, and its chat's.
                    out.insert(new.replacen("logs/", "logs/chat-", 1), old);
                    None
                }
                SourceEntryKind::File => {
                    out.insert(new, old);
                    None
                }
            };
            if let Some((code, why)) = refused {
                self.failed(ImportKind::File, "", from, Failure::new(code, why));
            }
        }
    }

    /// Copies them, with the state document, and returns what could not be read. Nothing is made
    /// when there is nothing to keep, and nothing is written in a dry run.
    pub(super) fn copy(
        &self,
        place: &LocalProject,
        files: &StateFiles,
        state: Option<&str>,
    ) -> Result<Vec<(String, Failure)>, Failure> {
        let is_run = !files.folder.starts_with(CHAT);
        let runs = self.target.root.join("projects").join(place.id.as_str()).join("runs");
        let temp = runs.join(format!(".tmp-{}", files.folder));
        let write = !self.dry_run && (is_run || !files.files.is_empty());
        let failed = |e: io::Error| {
            crate::failure::io(
                ErrorCode::StoreWriteFailed,
                imports::the_state_folder_of_a_run(),
                &e,
            )
            .with_action(imports::allow_and_import())
        };
        if write {
            begin(&temp, state).map_err(failed)?;
        }
        let mut unread = Vec::new();
        for (to, from) in &files.files {
            match self.source.bytes(from, ELECTRON_FILE_BYTES) {
                Err(failure) => unread.push((from.clone(), failure)),
                Ok(Some(bytes)) if write => {
                    put(&temp.join("state").join(to), &cleaned(place, bytes)).map_err(failed)?;
                    point(Point::AfterImportFile);
                }
                Ok(_) => {}
            }
        }
        if write {
            end(&temp, &runs.join(&files.folder), &runs).map_err(failed)?;
        }
        Ok(unread)
    }
}

/// The text of a log without real paths; bytes that are no text stay.
fn cleaned(place: &LocalProject, bytes: Vec<u8>) -> Vec<u8> {
    match String::from_utf8(bytes) {
        Ok(text) => place.redactor.redact(&text).into_owned().into_bytes(),
        Err(other) => other.into_bytes(),
    }
}

fn begin(temp: &Path, state: Option<&str>) -> io::Result<()> {
    remove(temp)?;
    let logs = temp.join("state").join("logs");
    private::folder(&logs)?;
    put(&logs.join("execution.jsonl"), b"")?;
    state.map_or(Ok(()), |text| put(&temp.join("state").join("workflow.md"), text.as_bytes()))
}

fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        private::folder(folder)?;
    }
    let mut file = private::file(path)?;
    file.set_len(0)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// What stands there belongs to no conversation of the store: an import was cut off before.
fn end(temp: &Path, target: &Path, runs: &Path) -> io::Result<()> {
    point(Point::BeforeImportFolder);
    remove(target)?;
    fs::rename(temp, target)?;
    sync_dir(runs)
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
        _ => Ok(()),
    }
}
