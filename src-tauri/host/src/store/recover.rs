//! Startup recovery (spec 08): what a process that died left behind.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use kernel::code::Failure;
use kernel::time::Time;

use super::{RuntimeStore, leases, words};

impl RuntimeStore {
    /// Releases the leases of dead processes, marks runs found running without a living lease as
    /// waiting for the user (interrupted), and sweeps temporary folders. Returns how many runs
    /// were marked. Only the derived rows change: the journal's own line is written by the
    /// engine when the run is opened.
    pub async fn recover(&self, now: Time) -> Result<usize, Failure> {
        let (instance, held) = (Arc::clone(&self.inner.instance), Arc::clone(&self.inner.held));
        let interrupted = self
            .write(move |db| {
                leases::release_dead(db, &instance, &held, now)
                    .and_then(|live| Self::interrupt(db, &live))
                    .map_err(|e| words::write_failed("what an earlier session left", &e))
            })
            .await?;
        self.sweep_removed().await?;
        let inner = Arc::clone(&self.inner);
        let swept = tokio::task::spawn_blocking(move || {
            // Another process may be in the middle of an install.
            if inner.instance.sweep() {
                sweep(&inner.root.join("packages"), 0);
                sweep(&inner.root.join("projects"), 2);
            }
        });
        if swept.await.is_err() {
            tracing::warn!("the sweep of temporary folders was cut short");
        }
        Ok(interrupted)
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
            (true, true) => fs::remove_dir_all(entry.path()),
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
