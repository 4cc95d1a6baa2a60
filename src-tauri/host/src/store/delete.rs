//! Deleting conversations, with everything the store holds of them (spec 08 "Deletion").
//!
//! All rows go in one transaction, and the same transaction writes down which runs' folders are to
//! go; then the folders go. A crash before the commit leaves everything, one after it leaves
//! nothing that can be seen, and the next start removes what is left on the disk.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use kernel::code::Failure;
use kernel::ids::{ConversationId, ProjectId, RunId};
use kernel::phrase::store;
use rusqlite::Connection;

use super::{RuntimeStore, existing, index, sqlite_error};
use crate::crash::{Point, point};

type Sql<T> = Result<T, rusqlite::Error>;

impl RuntimeStore {
    /// Deletes conversations with their runs: all of them or none. The caller holds the lease of
    /// each, so that nobody works on one.
    ///
    /// When this returns they are gone for good; the folders of their runs go right after, or with
    /// the next start when the system does not let them go now.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND` when one is not there. `STORE_WRITE_FAILED` when the store cannot
    /// be written.
    pub async fn delete_conversations(&self, ids: Vec<ConversationId>) -> Result<(), Failure> {
        self.write(move |db| {
            ids.iter().try_for_each(|id| {
                existing::require(db, id)?;
                delete(db, id)
                    .map_err(|e| sqlite_error::write_failed(store::the_deletion_of(id), &e))
            })
        })
        .await?;
        self.sweep_removed().await
    }

    /// Removes the folders of deleted runs. What cannot be removed stays written down.
    pub(super) async fn sweep_removed(&self) -> Result<(), Failure> {
        let runs = self
            .read(|db| {
                let sql = "SELECT project_id, run_id FROM removed_runs";
                super::lists::all(db, "removed runs", sql, [], |row| {
                    let ids = (row.get::<_, String>(0)?.parse(), row.get::<_, String>(1)?.parse());
                    let (Ok(project), Ok(run)) = ids else { return Ok(None) };
                    Ok(Some((project, run)))
                })
            })
            .await?;
        if runs.is_empty() {
            return Ok(());
        }
        let inner = Arc::clone(&self.inner);
        let sweeping = tokio::task::spawn_blocking(move || remove_folders(&inner.root, runs));
        let Ok(gone) = sweeping.await else { return Ok(()) };
        self.write(move |db| {
            let mut delete = db
                .prepare_cached("DELETE FROM removed_runs WHERE project_id = ?1 AND run_id = ?2")
                .map_err(|e| sqlite_error::write_failed(store::the_removed_runs(), &e))?;
            for (project, run) in &gone {
                delete
                    .execute([project.as_str(), run.as_str()])
                    .map_err(|e| sqlite_error::write_failed(store::the_removed_runs(), &e))?;
            }
            Ok(())
        })
        .await
    }
}

/// Those whose folder is gone.
fn remove_folders(root: &Path, runs: Vec<(ProjectId, RunId)>) -> Vec<(ProjectId, RunId)> {
    let mut runs = runs;
    runs.retain(|(project, run)| {
        let folder = crate::runs::run_dir(root, project, run);
        point(Point::BeforeDeletedFolder);
        match fs::remove_dir_all(folder) {
            Ok(()) => {
                point(Point::AfterDeletedFolder);
                true
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => true,
            Err(e) => {
                tracing::warn!(kind = %e.kind(), %run, "the folder of a deleted run stays for now");
                false
            }
        }
    });
    runs
}

/// Every row of a conversation, in whatever table.
fn delete(db: &Connection, id: &ConversationId) -> Sql<()> {
    let id_text = [id.as_str()];
    // What was said is overwritten on the disk, not only forgotten.
    secure(db, true)?;
    db.execute(
        "INSERT OR IGNORE INTO removed_runs
         SELECT project_id, id FROM runs WHERE conversation_id = ?1",
        id_text,
    )?;
    // A chat that was taken over keeps its tool results under a name made from its own.
    db.execute(
        "INSERT OR IGNORE INTO removed_runs
         SELECT project_id, 'chat-' || id FROM conversations WHERE id = ?1",
        id_text,
    )?;
    index::forget(db, id)?;
    db.execute("INSERT INTO deletable VALUES (?1)", id_text)?;
    for table in tables(db)? {
        db.execute(&format!("DELETE FROM {table} WHERE conversation = ?1"), id_text)?;
    }
    db.execute("DELETE FROM runs WHERE conversation_id = ?1", id_text)?;
    db.execute("DELETE FROM conversations WHERE id = ?1", id_text)?;
    db.execute("DELETE FROM deletable", [])?;
    index::lines_were_deleted(db)?;
    secure(db, false)
}

/// A change after which what was there is overwritten on the disk, not only forgotten.
pub(super) fn overwritten<T>(
    db: &Connection,
    change: impl FnOnce(&Connection) -> Sql<T>,
) -> Sql<T> {
    secure(db, true)?;
    let changed = change(db)?;
    secure(db, false)?;
    Ok(changed)
}

fn secure(db: &Connection, on: bool) -> Sql<()> {
    db.query_row(&format!("PRAGMA secure_delete = {}", i32::from(on)), [], |_| Ok(()))
}

/// Whatever belongs to a conversation has a column of that name: a table added later is deleted
/// from without a word here.
fn tables(db: &Connection) -> Sql<Vec<String>> {
    db.prepare(
        "SELECT s.name FROM sqlite_schema s JOIN pragma_table_info(s.name) c
         WHERE s.type = 'table' AND c.name = 'conversation' AND s.name <> 'deletable'",
    )?
    .query_map([], |row| row.get(0))?
    .collect()
}
