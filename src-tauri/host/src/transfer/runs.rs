//! Exports of runs: gathers what an export is made of and writes it (spec 08 `.crewrun`).

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use kernel::bounds::EXPORTED_FILE_BYTES;
use kernel::code::{ErrorCode, Failure};
use kernel::command::ExportedRun;
use kernel::engine::Limits;
use kernel::event::{Event, Line};
use kernel::ids::{PackageId, RunId};
use kernel::path::AliasPath;
use kernel::phrase::exports;
use kernel::text::{hex, sha256_hex};
use kernel::wire::RunSummary;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeSet;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::Transfer;
use crate::blocking::on_disk;
use crate::crewrun::{self, Artifact, Contents, Environment, Leaks, ModelName, written_files};
use crate::packages;
use crate::redact::folders::{ProjectPlaces, aliased, private_folders};
use crate::runs;
use crate::secrets::Secret;
use crate::sessions::conversation_ref::{kept_in, package_of};

impl Transfer {
    /// Writes a run to a `.crewrun` file. An existing file is replaced only when `replace` is true.
    pub(crate) async fn export_run(
        &self,
        run_id: &RunId,
        out: PathBuf,
        replace: bool,
    ) -> Result<ExportedRun, Failure> {
        self.check_target(&out).await?;
        let run = self.store.run(run_id).await?;
        let journal = self.store.stored_journal(&run.conversation_id).await?;
        let project = self.store.project(&run.project_id).await?;
        let preferences = &self.library.preferences;
        let demo = preferences.always_demo() || self.store.plays_demo(&run.conversation_id).await?;
        // Name and preset; address and key stay here.
        let model = preferences.named_model();
        let model = ModelName { provider: model.provider, model: model.model };
        let source = ExportSources {
            limits: preferences.limits(demo),
            model: Some(model).filter(|_| !demo),
            keys: preferences.keys().await?,
            store: self.store.root().to_owned(),
            packages: self.library.packages.folder().to_owned(),
            project: project.places(),
            run,
            journal,
        };
        on_disk(move || source.export(&out, replace)).await
    }
}

/// Where the parts of an export lie.
struct ExportSources {
    limits: Limits,
    model: Option<ModelName>,
    keys: Vec<Secret>,
    store: PathBuf,
    packages: PathBuf,
    project: ProjectPlaces,
    run: RunSummary,
    journal: Vec<String>,
}

impl ExportSources {
    fn export(self, out: &Path, replace: bool) -> Result<ExportedRun, Failure> {
        let (leaks, run_id) = (self.leaks(), self.run.run_id.clone());
        let mut contents = self.contents()?;
        // What users' files name stays theirs: a replay takes the record's word for these.
        contents.preimages.retain(|bytes| !leaks.names_a_folder(bytes));
        contents.put_aside.retain(|bytes| !leaks.names_a_folder(bytes));
        let bytes = crewrun::pack(&contents, &leaks)?;
        crewrun::save(&bytes, out, replace)?;
        let file = out.file_name().map(|name| name.to_string_lossy().into_owned());
        Ok(ExportedRun {
            run_id,
            file: file.unwrap_or_default(),
            bytes: bytes.len() as u64,
            sha256: sha256_hex(&bytes),
            lines: contents.journal.len(),
            found: Vec::new(),
        })
    }

    fn contents(self) -> Result<Contents, Failure> {
        let package = packages::read_installed(&self.packages, &self.run.package_id)?.files()?;
        let state = runs::state_dir(&self.store, &self.run.project_id, &self.run.run_id);
        let state = state.as_path().to_owned();
        let mut contents = Contents {
            run_id: self.run.run_id.clone(),
            environment: Environment::here(self.limits.clone(), self.model),
            journal: self.journal,
            package,
            artifacts: Vec::new(),
            audit: file(&state, "logs/execution.jsonl")?.unwrap_or_default(),
            put_aside: Vec::new(),
            preimages: Vec::new(),
        };
        let lines = contents.lines()?;
        is_about_one_package(&lines, &self.run.package_id)?;
        contents.artifacts = artifacts(&self.project.now, &lines);
        contents.put_aside = put_aside(&state, &lines)?;
        let begun = lines.first().and_then(Line::beginning);
        let kept_in = begun.map(|begun| kept_in(&begun)).transpose()?;
        let kept_in = kept_in.unwrap_or_else(|| self.run.run_id.clone());
        let checkpoints = runs::run_dir(&self.store, &self.run.project_id, &kept_in);
        let checkpoints = checkpoints.join("checkpoints");
        contents.preimages = preimages(&checkpoints, &lines)?;
        Ok(contents)
    }

    fn leaks(&self) -> Leaks {
        let package = self.packages.join(self.run.package_id.as_str());
        let state = runs::state_dir(&self.store, &self.run.project_id, &self.run.run_id);
        let folders = private_folders(&self.store, &self.project, Some(&package), state.as_path());
        Leaks::new(aliased(folders), self.keys.clone())
    }
}

/// Refuses a conversation that a replay could not decide again: it has one package.
fn is_about_one_package(lines: &[Line], package: &PackageId) -> Result<(), Failure> {
    let mut named = lines.iter().flat_map(|line| &line.events).filter_map(package_of);
    if named.all(|id| id == package) {
        return Ok(());
    }
    let failure = Failure::new(ErrorCode::NotNow, exports::other_packages());
    Err(failure.with_action(exports::export_as_messages()))
}

/// The files the run wrote, as they are now.
fn artifacts(project: &Path, lines: &[Line]) -> Vec<Artifact> {
    let dir = Dir::open_ambient_dir(project, ambient_authority()).ok();
    let artifact = |(path, recorded_sha256): (AliasPath, String)| {
        let now = dir.as_ref().and_then(|dir| hashed(dir, path.rel()).ok());
        let (sha256, bytes) = now.unzip();
        Artifact { path, recorded_sha256, sha256, bytes }
    };
    written_files(lines).into_iter().map(artifact).collect()
}

fn hashed(dir: &Dir, rel: &str) -> io::Result<(String, u64)> {
    // What is no plain file is not opened: a pipe would keep us waiting.
    if !dir.symlink_metadata(rel)?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut hash = Sha256::new();
    let bytes = io::copy(&mut dir.open(rel)?, &mut hash)?;
    Ok((hex(&hash.finalize()), bytes))
}

/// Edits of the state document that the journal says were refused: kept aside, or still there.
fn put_aside(state: &Path, lines: &[Line]) -> Result<Vec<Vec<u8>>, Failure> {
    let refused: BTreeSet<&String> = lines
        .iter()
        .flat_map(|line| &line.events)
        .filter_map(|event| match event {
            Event::StateRejected(e) => e.sha256.as_ref(),
            _ => None,
        })
        .collect();
    if refused.is_empty() {
        return Ok(Vec::new());
    }
    let mut kept = std::collections::BTreeMap::new();
    for name in names(state) {
        if name != "workflow.md" && !name.starts_with("workflow.md.rejected-") {
            continue;
        }
        let Some(bytes) = file(state, &name)? else { continue };
        let hash = sha256_hex(&bytes);
        if refused.contains(&hash) {
            kept.insert(hash, bytes);
        }
    }
    Ok(kept.into_values().collect())
}

/// Files as they were before a call of the run changed them, where a checkpoint was kept
/// (`<sha256>.zst`). One that is damaged is left out: a replay then takes the record's word.
fn preimages(checkpoints: &Path, lines: &[Line]) -> Result<Vec<Vec<u8>>, Failure> {
    let before: BTreeSet<&String> = lines
        .iter()
        .flat_map(|line| &line.events)
        .filter_map(|event| match event {
            Event::CallBegan(e) => Some(e),
            _ => None,
        })
        .flat_map(|e| {
            let restored = e.restore.iter().flat_map(|restore| &restore.files);
            e.pre_hash.iter().chain(restored.filter_map(|file| file.pre_hash.as_ref()))
        })
        .collect();
    let mut found = Vec::new();
    for hash in before {
        let Some(packed) = file(checkpoints, &format!("{hash}.zst"))? else { continue };
        match unpacked(&packed) {
            Ok(bytes) if sha256_hex(&bytes) == *hash => found.push(bytes),
            Ok(_) | Err(_) => tracing::warn!(%hash, "a checkpoint is damaged and not exported"),
        }
    }
    Ok(found)
}

fn unpacked(packed: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut reader = zstd::stream::read::Decoder::new(packed)?.take(EXPORTED_FILE_BYTES + 1);
    reader.read_to_end(&mut bytes)?;
    if bytes.len() as u64 > EXPORTED_FILE_BYTES {
        Err(io::ErrorKind::FileTooLarge.into())
    } else {
        Ok(bytes)
    }
}

/// A plain file below a folder of the store; `None` when there is none.
fn file(folder: &Path, rel: &str) -> Result<Option<Vec<u8>>, Failure> {
    let path = folder.join(rel);
    let read = || -> io::Result<Option<Vec<u8>>> {
        match path.symlink_metadata() {
            Ok(meta) if meta.is_file() && meta.len() <= EXPORTED_FILE_BYTES => {
                std::fs::read(&path).map(Some)
            }
            Ok(meta) if meta.is_file() => Err(io::ErrorKind::FileTooLarge.into()),
            Ok(_) => Ok(None),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e),
        }
    };
    read().map_err(|e| {
        crate::failure::io(ErrorCode::StoreReadFailed, exports::the_runs_file(rel), &e)
    })
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|e| e.file_name().into_string().ok()).collect();
    names.sort();
    names
}
