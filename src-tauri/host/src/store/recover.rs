//! Startup recovery (spec 08): what a process that died left behind.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use kernel::code::Failure;
use kernel::phrase::store;

use super::{RuntimeStore, leases, rows, sqlite_error};
use crate::packages::PackagesLock;
use crate::{atomic, plain_file};

impl RuntimeStore {
    /// Releases the leases of dead processes, marks runs found running without a living lease as
    /// waiting for the user (interrupted), and sweeps temporary folders. Returns how many runs were
    /// marked. Only the derived rows change: the journal's own line is written by the engine when
    /// the run is opened.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED` when the store cannot be written.
    pub async fn recover(&self) -> Result<usize, Failure> {
        let (instance, held) = (Arc::clone(&self.inner.instance), Arc::clone(&self.inner.held));
        let interrupted = self
            .write(move |db| {
                leases::release_dead(db, &instance, &held)
                    .and_then(|live| Self::interrupt(db, &live))
                    .map_err(|e| sqlite_error::write_failed(store::the_left_over(), &e))
            })
            .await?;
        self.sweep_removed().await?;
        let inner = Arc::clone(&self.inner);
        let alone = tokio::task::spawn_blocking(move || {
            // Another process may be in the middle of an install; none can come while we look.
            super::lock_opening(&inner.root).ok().filter(|_| inner.instance.sweep())
        });
        let Ok(Some(alone)) = alone.await else { return Ok(interrupted) };
        let named = self
            .read(|db| {
                let named = rows::run_ids(db).and_then(|runs| Ok((runs, rows::package_ids(db)?)));
                named.map_err(|e| sqlite_error::read_failed(store::the_left_over(), &e))
            })
            .await?;
        let root = self.inner.root.clone();
        let swept = tokio::task::spawn_blocking(move || {
            let (runs, packages) = named;
            sweep(&root, 0);
            sweep_packages(&root.join("packages"), &packages);
            sweep(&root.join("projects"), 2);
            sweep_unborn(&root.join("projects"), &runs);
            drop(alone);
        });
        if swept.await.is_err() {
            tracing::warn!("the sweep of temporary folders was cut short");
        }
        Ok(interrupted)
    }
}

/// What a crash left of packages that were being put there or taken away. `named` are those that a
/// row names.
fn sweep_packages(folder: &Path, named: &BTreeSet<String>) {
    if !folder.is_dir() {
        return;
    }
    // Whoever has the lock sees to what it leaves.
    if let Ok(Some(lock)) = PackagesLock::now(folder) {
        sweep(folder, 0);
        lock.sweep_pending(named);
    }
}

/// Removes a file that nobody is writing. Who is about to write it sees the lock that is held until
/// it is gone.
fn remove_left(path: &Path) -> std::io::Result<()> {
    match plain_file::open(path) {
        Ok(file) if atomic::is_left(&file) => fs::remove_file(path),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Removes `*.tmp-*` below `folder`, going `depth` folders further down:
/// `projects/<projectId>/runs/<runId>.tmp-…` is the deepest. Links are never followed.
fn sweep(folder: &Path, depth: u32) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        let temporary = entry.file_name().to_string_lossy().contains(".tmp-");
        let result = match (temporary, kind.is_dir()) {
            // An install that was cut short may have made its folders read-only.
            (true, true) => crate::packages::remove_folder(&entry.path()),
            // Settings are changed by commands that do not open the store.
            (true, false) if kind.is_file() => remove_left(&entry.path()),
            (true, false) => fs::remove_file(entry.path()),
            (false, true) if depth > 0 => {
                sweep(&entry.path(), depth - 1);
                Ok(())
            }
            (false, _) => Ok(()),
        };
        if let Err(error) = result {
            tracing::warn!(kind = %error.kind(), "a temporary folder could not be removed");
        }
    }
}

/// Removes the folders of runs whose making was cut short before their rows were written: they
/// hold an empty audit log and nothing else. Whatever holds more is not ours to judge.
fn sweep_unborn(projects: &Path, runs: &BTreeSet<String>) {
    let below = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    for run in below(projects).flat_map(|project| below(&project.path().join("runs"))) {
        if runs.contains(&*run.file_name().to_string_lossy()) {
            continue;
        }
        let logs = run.path().join("state").join("logs");
        let log = logs.join("execution.jsonl");
        let alone = |folder: &Path| below(folder).count() == 1;
        let unborn = fs::metadata(&log).is_ok_and(|meta| meta.is_file() && meta.len() == 0)
            && [&logs, &run.path().join("state"), &run.path()].iter().all(|folder| alone(folder));
        if unborn && let Err(error) = fs::remove_dir_all(run.path()) {
            tracing::warn!(kind = %error.kind(), "the folder of an unmade run could not be removed");
        }
    }
}
