//! Whole journals from another store: there in one transaction, or not at all.

use kernel::code::{ErrorCode, Failure};
use kernel::event::{Beginning, ConversationOrigin, Line};
use kernel::ids::ConversationId;
use kernel::phrase::store;
use rusqlite::{Connection, params};

use super::rows::{self, NewRun};
use super::{RuntimeStore, journal, sqlite_error};

impl RuntimeStore {
    /// Whether there is a conversation of that id.
    ///
    /// # Errors
    /// `STORE_READ_FAILED` when the store cannot be read.
    pub async fn has_conversation(&self, id: &ConversationId) -> Result<bool, Failure> {
        let wanted = id.clone();
        self.read(move |db| {
            rows::conversation_exists(db, &wanted)
                .map_err(|e| sqlite_error::read_failed(store::the_conversation(&wanted), &e))
        })
        .await
    }

    /// Makes an imported conversation with its run and all its lines. The first of them names an
    /// origin. False, and nothing is changed, when it is here already.
    ///
    /// # Errors
    /// `PACKAGE_NOT_FOUND` when its run can go on and its package is not installed, or not any more.
    /// `STORE_WRITE_FAILED` when the store cannot be written.
    pub async fn import_journal(&self, lines: Vec<Line>) -> Result<bool, Failure> {
        let Some(id) = lines.first().and_then(taken_over) else {
            return Err(Failure::new(ErrorCode::Internal, store::journal_no_import()));
        };
        let bodies =
            lines.iter().map(|line| journal::body(&id, line)).collect::<Result<Vec<_>, _>>()?;
        self.write(move |db| {
            let what = || store::the_imported_conversation(&id);
            let failed = |e: rusqlite::Error| sqlite_error::write_failed(what(), &e);
            if rows::conversation_exists(db, &id).map_err(failed)? {
                return Ok(false);
            }
            if let Some(begin) = lines.first().and_then(Line::beginning)
                && let Some(origin) = begin.origin
            {
                // One that can only be read may have been left without its package.
                if let Some(run) = begin.run.filter(|_| begin.locked().is_none()) {
                    rows::require_package(
                        db,
                        &run.package_id,
                        store::package_went_importing(&run.package_id),
                    )?;
                }
                insert_rows(db, &begin, origin).map_err(failed)?;
            }
            for (line, body) in lines.iter().zip(&bodies) {
                rows::insert_line(db, &id, line, body)
                    .and_then(|_| rows::apply_derived(db, &id, line, None))
                    .map_err(failed)?;
            }
            Ok(true)
        })
        .await
    }
}

/// The conversation whose journal begins with this line, when it was taken over.
fn taken_over(first: &Line) -> Option<ConversationId> {
    let begin = first.beginning()?;
    begin.origin.map(|_| begin.conversation_id.clone())
}

/// The rows of a conversation that was taken over, and of its run; those that are there stay.
pub(super) fn insert_rows(
    db: &Connection,
    begin: &Beginning<'_>,
    origin: &ConversationOrigin,
) -> Result<(), rusqlite::Error> {
    let (id, project) = (begin.conversation_id, begin.project_id);
    db.execute(
        "INSERT OR IGNORE INTO conversations (id, project_id, title, created_at, last_active_at)
         VALUES (?1, ?2, ?3, ?4, ?4)",
        params![id.as_str(), project.as_str(), origin.title, origin.created_at.millis()],
    )?;
    let Some((run, there)) = begin.run.and_then(|run| Some((run, run.origin.as_ref()?))) else {
        return Ok(());
    };
    let known =
        db.prepare_cached("SELECT 1 FROM runs WHERE id = ?1")?.exists([run.run_id.as_str()])?;
    if known {
        return Ok(());
    }
    let row = NewRun {
        run_id: run.run_id.clone(),
        conversation_id: id.clone(),
        project_id: project.clone(),
        package_id: run.package_id.clone(),
        workflow_id: run.workflow_id.clone(),
        agent_id: run.agent_id.clone(),
        title: there.title.clone(),
        created_at: there.created_at,
    };
    rows::insert_run(db, &row).map(drop)
}
