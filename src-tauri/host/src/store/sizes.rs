//! What the store takes on the disk, by project, and the pruning of checkpoints (spec 08).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use kernel::code::{ErrorCode, Failure};
use kernel::ids::{ProjectId, RunId};
use kernel::phrase::store;
use kernel::wire::{ProjectSize, StoreSizes};
use rusqlite::Connection;

use super::RuntimeStore;
use super::lists::all;
use super::sql::uint;

/// What checkpoints may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckpointLimits {
    /// Older ones go.
    pub max_age: Duration,
    /// The oldest go until no more than this is left, in bytes.
    pub max_bytes: u64,
}

impl Default for CheckpointLimits {
    /// 30 days and 2 GiB.
    fn default() -> Self {
        Self { max_age: Duration::from_hours(30 * 24), max_bytes: 2 << 30 }
    }
}

/// What was pruned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pruned {
    /// How many files there were.
    pub files: u64,
    /// How many bytes they took.
    pub bytes: u64,
}

impl RuntimeStore {
    /// What each project's runs take, and the whole store. Looks at every row and every file: takes
    /// its time, on blocking threads.
    ///
    /// # Errors
    /// `STORE_READ_FAILED` when the store cannot be read.
    pub async fn sizes(&self) -> Result<StoreSizes, Failure> {
        let mut projects = self.read(rows).await?;
        let inner = Arc::clone(&self.inner);
        let measured = tokio::task::spawn_blocking(move || {
            for (id, project) in &mut projects {
                let folder = inner.root.join("projects").join(id.as_str());
                (project.file_bytes, project.checkpoint_bytes) = folder_bytes(&folder);
            }
            let mut projects: Vec<ProjectSize> = projects.into_values().collect();
            let bytes = |p: &ProjectSize| p.row_bytes + p.file_bytes;
            projects.sort_by_key(|p| std::cmp::Reverse(bytes(p)));
            let database = |suffix| inner.root.join(format!("store.db{suffix}"));
            StoreSizes {
                database_bytes: ["", "-wal"].map(database).iter().map(|f| file_bytes(f)).sum(),
                package_bytes: folder_bytes(&inner.root.join("packages")).0,
                log_bytes: folder_bytes(&inner.root.join("logs")).0,
                projects,
            }
        });
        let ended = |_| Failure::new(ErrorCode::Internal, store::sizes_not_counted());
        measured.await.map_err(ended)
    }

    /// Prunes the checkpoints of finished runs that nobody works on, oldest first: those older than
    /// the limit, then as many as the others are too large. Those of unfinished runs count and
    /// stay.
    ///
    /// # Errors
    /// `STORE_READ_FAILED` when the store cannot be read.
    pub async fn prune_checkpoints(
        &self,
        now: SystemTime,
        limits: CheckpointLimits,
    ) -> Result<Pruned, Failure> {
        let finished = self.read(finished_runs).await?;
        let inner = Arc::clone(&self.inner);
        let pruning =
            tokio::task::spawn_blocking(move || prune(&inner.root, &finished, now, limits));
        let ended = |_| Failure::new(ErrorCode::Internal, store::pruning_ended());
        pruning.await.map_err(ended)
    }
}

/// Projects with what their rows take: texts alone, as what else a row has is little.
fn rows(db: &Connection) -> Result<BTreeMap<ProjectId, ProjectSize>, Failure> {
    let sql = "
        SELECT id, name, 0 AS conversations, 0 AS messages, 0 AS bytes FROM projects
        UNION ALL
        SELECT project_id, '', count(*), sum(message_count), 0 FROM conversations GROUP BY 1
        UNION ALL
        SELECT project_id, '', 0, 0, (SELECT coalesce(sum(octet_length(body)), 0) FROM lines
            WHERE conversation = c.id) + (SELECT coalesce(sum(octet_length(content)), 0)
            FROM messages WHERE conversation = c.id) FROM conversations c";
    let found = all(db, "project sizes", sql, [], |row| {
        let Ok(id) = row.get::<_, String>(0)?.parse::<ProjectId>() else { return Ok(None) };
        let number = |column: usize| row.get::<_, i64>(column).map(uint);
        Ok(Some((id, row.get::<_, String>(1)?, number(2)?, number(3)?, number(4)?)))
    })?;
    let mut projects: BTreeMap<ProjectId, ProjectSize> = BTreeMap::new();
    for (id, name, conversations, messages, bytes) in found {
        let project = projects.entry(id.clone()).or_insert_with(|| ProjectSize {
            project_id: id,
            name: String::new(),
            conversations: 0,
            messages: 0,
            row_bytes: 0,
            file_bytes: 0,
            checkpoint_bytes: 0,
        });
        project.name.push_str(&name);
        project.conversations += conversations;
        project.messages += messages;
        project.row_bytes += bytes;
    }
    Ok(projects)
}

fn file_bytes(file: &Path) -> u64 {
    fs::metadata(file).map_or(0, |m| m.len())
}

/// Bytes of all files below a folder, and of those below a `checkpoints` folder of a run. Links
/// are not followed; what cannot be read counts nothing.
fn folder_bytes(folder: &Path) -> (u64, u64) {
    let Ok(entries) = fs::read_dir(folder) else { return (0, 0) };
    let mut sum = (0, 0);
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            let (files, checkpoints) = folder_bytes(&entry.path());
            let all_of_it = entry.file_name() == CHECKPOINTS;
            sum = (sum.0 + files, sum.1 + if all_of_it { files } else { checkpoints });
        } else if kind.is_file() {
            sum.0 += entry.metadata().map_or(0, |m| m.len());
        }
    }
    sum
}

/// A run's folder of content-addressed blobs, beside its `state`.
const CHECKPOINTS: &str = "checkpoints";

/// Runs that have ended and that nobody works on.
fn finished_runs(db: &Connection) -> Result<Vec<(ProjectId, RunId)>, Failure> {
    let sql = "SELECT project_id, id FROM runs WHERE phase IN ('completed', 'failed')
               AND conversation_id NOT IN (SELECT conversation FROM leases)";
    all(db, "finished runs", sql, [], |row| {
        let ids = (row.get::<_, String>(0)?.parse(), row.get::<_, String>(1)?.parse());
        let (Ok(project), Ok(run)) = ids else { return Ok(None) };
        Ok(Some((project, run)))
    })
}

struct Blob {
    modified: SystemTime,
    bytes: u64,
    path: PathBuf,
}

fn prune(
    root: &Path,
    finished: &[(ProjectId, RunId)],
    now: SystemTime,
    limits: CheckpointLimits,
) -> Pruned {
    let mut blobs: Vec<Blob> = Vec::new();
    for (project, run) in finished {
        let folder = crate::runs::run_dir(root, project, run).join(CHECKPOINTS);
        blobs.extend(blobs_of(&folder));
    }
    if blobs.is_empty() {
        return Pruned::default();
    }
    blobs.sort_by(|a, b| a.modified.cmp(&b.modified).then_with(|| a.path.cmp(&b.path)));
    let mut left = folder_bytes(&root.join("projects")).1;
    let mut pruned = Pruned::default();
    for blob in blobs {
        let age = now.duration_since(blob.modified).unwrap_or_default();
        if age <= limits.max_age && left <= limits.max_bytes {
            continue;
        }
        match fs::remove_file(&blob.path) {
            Ok(()) => {
                left = left.saturating_sub(blob.bytes);
                pruned = Pruned { files: pruned.files + 1, bytes: pruned.bytes + blob.bytes };
            }
            Err(e) => tracing::warn!(kind = %e.kind(), "a checkpoint could not be pruned"),
        }
    }
    pruned
}

fn blobs_of(folder: &Path) -> Vec<Blob> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let blob = |entry: fs::DirEntry| {
        let meta = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        Some(Blob { modified: meta.modified().ok()?, bytes: meta.len(), path: entry.path() })
    };
    entries.flatten().filter_map(blob).collect()
}
