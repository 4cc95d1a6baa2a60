//! Projects, packages and runs: the lists clients see. They come from tables, never from folding
//! journals (spec 06). A row that does not parse is left out with a warning: one bad row must not
//! hide the others.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use kernel::code::{ErrorCode, Failure};
use kernel::event::Reason;
use kernel::ids::{ConversationId, PackageId, ProjectId, RunId};
use kernel::phrase::{general, store};
use kernel::time::Time;
use kernel::wire::{PackageView, RunSummary};
use rusqlite::{Connection, Params, Row, params};
use serde_json::{Value, json};

use super::sql::{from_sql, node_of, steps_of, to_sql};
use super::{RuntimeStore, existing, sqlite_error};
use crate::real_path::RealPath;
use crate::redact::folders::ProjectPlaces;

/// A project the user opened.
#[derive(Clone, PartialEq, Eq)]
pub struct ProjectRow {
    /// Its id.
    pub project_id: ProjectId,
    /// Its name.
    pub name: String,
    /// The folder: a real path, for opening it and for the person who opened it. Never for
    /// messages, logs or results (spec 04 "Paths").
    pub location: String,
    /// Where the folder was before, the oldest place first: real paths, too. The store keeps them
    /// by itself; what is written here is not kept.
    pub former_places: Vec<String>,
    /// When it was last opened.
    pub last_opened_at: Time,
}

impl ProjectRow {
    /// The folder, which cannot be printed.
    pub(crate) fn root(&self) -> RealPath {
        RealPath::new(&self.location, "@project")
    }
    /// Its places, which stay private.
    pub(crate) fn places(&self) -> ProjectPlaces {
        ProjectPlaces {
            now: PathBuf::from(&self.location),
            former: self.former_places.iter().map(PathBuf::from).collect(),
        }
    }
}

impl fmt::Debug for ProjectRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProjectRow")
            .field("project_id", &self.project_id)
            .field("name", &self.name)
            .field("last_opened_at", &self.last_opened_at)
            .finish_non_exhaustive()
    }
}

type Sql<T> = Result<T, rusqlite::Error>;

/// Rows that parse; `what` names the others in the log.
pub(super) fn all<T, P: Params>(
    db: &Connection,
    what: &'static str,
    sql: &str,
    params: P,
    parse: impl Fn(&Row<'_>) -> Sql<Option<T>>,
) -> Result<Vec<T>, Failure> {
    let read = || -> Sql<Vec<T>> {
        let mut statement = db.prepare_cached(sql)?;
        let mut rows = statement.query(params)?;
        let mut out = Vec::new();
        while let Some(row) = rows.next()? {
            match parse(row) {
                Ok(Some(value)) => out.push(value),
                Err(e) if sqlite_error::is_damage(&e) => return Err(e),
                Ok(None) | Err(_) => {
                    tracing::warn!("one of the {what} cannot be read and is left out");
                }
            }
        }
        Ok(out)
    };
    read().map_err(|e| sqlite_error::read_failed(store::the_list_of(what), &e))
}

fn id<T: std::str::FromStr>(row: &Row<'_>, column: &str) -> Sql<Option<T>> {
    Ok(row.get::<_, String>(column)?.parse().ok())
}

/// A project with the places where it was before.
const PROJECTS: &str = "SELECT *, (SELECT json_group_array(location ORDER BY rowid)
    FROM former_places WHERE project_id = projects.id) AS former_places FROM projects";

fn texts(json: &str) -> Vec<String> {
    serde_json::from_str(json).unwrap_or_default()
}

fn project(row: &Row<'_>) -> Sql<Option<ProjectRow>> {
    let Some(project_id) = id(row, "id")? else { return Ok(None) };
    Ok(Some(ProjectRow {
        project_id,
        name: row.get("name")?,
        location: row.get("location")?,
        former_places: texts(&row.get::<_, String>("former_places")?),
        last_opened_at: Time::from_millis(row.get("last_opened_at")?),
    }))
}

fn put_project(db: &Connection, project: &ProjectRow) -> Sql<()> {
    let (id, location) = (project.project_id.as_str(), &project.location);
    db.execute(
        "INSERT OR IGNORE INTO former_places (project_id, location)
         SELECT id, location FROM projects WHERE id = ?1 AND location <> ?2",
        params![id, location],
    )?;
    db.execute(
        "INSERT INTO projects (id, name, location, last_opened_at) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (id) DO UPDATE SET name = ?2, location = ?3, last_opened_at = ?4,
             forgotten = 0",
        params![id, project.name, location, project.last_opened_at.millis()],
    )
    .map(drop)
}

impl RuntimeStore {
    /// Keeps a project, or brings it up to date; a forgotten one is back in the list.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED` when the store cannot be written.
    pub async fn upsert_project(&self, project: ProjectRow) -> Result<(), Failure> {
        self.write(move |db| {
            put_project(db, &project).map_err(|e| {
                sqlite_error::write_failed(store::the_project(&project.project_id), &e)
            })
        })
        .await
    }

    /// The recent list, last opened first, without forgotten ones.
    ///
    /// # Errors
    /// `STORE_READ_FAILED` when the store cannot be read.
    pub async fn projects(&self) -> Result<Vec<ProjectRow>, Failure> {
        self.read(|db| {
            let sql = format!("{PROJECTS} WHERE forgotten = 0 ORDER BY last_opened_at DESC, id");
            all(db, "projects", &sql, [], project)
        })
        .await
    }

    /// How many runs each project has; projects without runs are absent.
    ///
    /// # Errors
    /// `STORE_READ_FAILED` when the store cannot be read.
    pub async fn run_counts(&self) -> Result<BTreeMap<ProjectId, u32>, Failure> {
        self.read(|db| {
            let sql = "SELECT project_id, count(*) AS n FROM runs GROUP BY project_id";
            let rows = all(db, "run counts", sql, [], |row| {
                Ok(id(row, "project_id")?.zip(Some(row.get("n")?)))
            })?;
            Ok(rows.into_iter().collect())
        })
        .await
    }

    /// A project, also a forgotten one.
    ///
    /// # Errors
    /// `PROJECT_NOT_FOUND` when there is none of that id. `STORE_READ_FAILED` when the store cannot
    /// be read.
    pub async fn project(&self, project_id: &ProjectId) -> Result<ProjectRow, Failure> {
        let wanted = project_id.clone();
        self.read(move |db| {
            let sql = format!("{PROJECTS} WHERE id = ?1");
            all(db, "projects", &sql, [wanted.as_str()], project)?.pop().ok_or_else(|| {
                Failure::new(ErrorCode::ProjectNotFound, store::no_project(&wanted))
                    .with_action(store::open_folder_again())
            })
        })
        .await
    }

    /// The project last opened at this folder, also a forgotten one.
    ///
    /// # Errors
    /// `STORE_READ_FAILED` when the store cannot be read.
    pub async fn project_at(&self, location: &str) -> Result<Option<ProjectRow>, Failure> {
        let location = location.to_owned();
        self.read(move |db| {
            let sql = format!("{PROJECTS} WHERE location = ?1 ORDER BY last_opened_at LIMIT 1");
            Ok(all(db, "projects", &sql, [location], project)?.pop())
        })
        .await
    }

    /// Drops a project from the recent list. Its runs and files stay, and opening the folder again
    /// brings them back.
    ///
    /// # Errors
    /// `PROJECT_NOT_FOUND` when it is not in the list. `STORE_WRITE_FAILED` when the store cannot
    /// be written.
    pub async fn forget_project(&self, project_id: &ProjectId) -> Result<(), Failure> {
        let wanted = project_id.clone();
        self.write(move |db| {
            let changed = db
                .execute(
                    "UPDATE projects SET forgotten = 1 WHERE id = ?1 AND forgotten = 0",
                    [wanted.as_str()],
                )
                .map_err(|e| sqlite_error::write_failed(store::the_project(&wanted), &e))?;
            if changed == 1 {
                // What is opened again is seen again before it is run.
                let forget = "DELETE FROM trusted_hooks WHERE project_id = ?1";
                return db
                    .execute(forget, [wanted.as_str()])
                    .map(drop)
                    .map_err(|e| sqlite_error::write_failed(store::the_trusted_hooks(), &e));
            }
            Err(Failure::new(ErrorCode::ProjectNotFound, store::project_not_listed(&wanted))
                .with_action(general::refresh_the_list()))
        })
        .await
    }
}

fn package(row: &Row<'_>) -> Sql<Option<PackageView>> {
    let Some(package_id) = id(row, "id")? else { return Ok(None) };
    let summary: Value =
        serde_json::from_str(&row.get::<_, String>("summary")?).unwrap_or_default();
    let parts = (
        serde_json::from_value(summary["workflows"].clone()),
        serde_json::from_value(summary["agents"].clone()),
    );
    let (Ok(workflows), Ok(agents)) = parts else { return Ok(None) };
    Ok(Some(PackageView {
        package_id,
        name: row.get("name")?,
        version: row.get("version")?,
        description: row.get("description")?,
        workflows,
        agents,
        installed_at: Time::from_millis(row.get("installed_at")?),
        has_demo: row.get("has_demo")?,
    }))
}

fn package_not_found(id: &PackageId) -> Failure {
    Failure::new(ErrorCode::PackageNotFound, store::no_package(id))
        .with_action(store::import_the_package())
}

impl RuntimeStore {
    /// Keeps an installed package; the same id again only refreshes it, since the id names the
    /// content. Its time is later than that of any other of its name, whatever the clock says: the
    /// order in which versions were installed is what an upgrade is compared by.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED` when the store cannot be written.
    pub async fn register_package(&self, package: PackageView) -> Result<(), Failure> {
        self.write(move |db| {
            let summary = json!({ "workflows": package.workflows, "agents": package.agents });
            db.execute(
                "INSERT OR REPLACE INTO packages
                     (id, name, version, description, summary, has_demo, installed_at)
                 SELECT ?1, ?2, ?3, ?4, ?5, ?6, MAX(?7, COALESCE(MAX(installed_at) + 1, ?7))
                 FROM packages WHERE name = ?2 AND id <> ?1",
                params![
                    package.package_id.as_str(),
                    package.name,
                    package.version,
                    package.description,
                    summary.to_string(),
                    package.has_demo,
                    package.installed_at.millis()
                ],
            )
            .map(drop)
            .map_err(|e| sqlite_error::write_failed(store::the_package(&package.package_id), &e))
        })
        .await
    }

    /// Installed packages, by name, newest install first within a name.
    ///
    /// # Errors
    /// `STORE_READ_FAILED` when the store cannot be read.
    pub async fn packages(&self) -> Result<Vec<PackageView>, Failure> {
        self.read(|db| {
            let sql = "SELECT * FROM packages ORDER BY name, installed_at DESC, id";
            all(db, "packages", sql, [], package)
        })
        .await
    }

    /// An installed package.
    ///
    /// # Errors
    /// `PACKAGE_NOT_FOUND` when there is none of that id. `STORE_READ_FAILED` when the store cannot
    /// be read.
    pub async fn package(&self, package_id: &PackageId) -> Result<PackageView, Failure> {
        let wanted = package_id.clone();
        self.read(move |db| {
            let sql = "SELECT * FROM packages WHERE id = ?1";
            all(db, "packages", sql, [wanted.as_str()], package)?
                .pop()
                .ok_or_else(|| package_not_found(&wanted))
        })
        .await
    }

    /// Drops a package's row when no run needs it; otherwise nothing changes, and the runs come back,
    /// newest first.
    ///
    /// # Errors
    /// `PACKAGE_NOT_FOUND` when there is none of that id. `STORE_READ_FAILED` and
    /// `STORE_WRITE_FAILED` when the store cannot be read or written.
    pub async fn unregister_package(
        &self,
        package_id: &PackageId,
    ) -> Result<Vec<RunSummary>, Failure> {
        let wanted = package_id.clone();
        self.write(move |db| {
            let using = runs(db, "package_id = ?1", [wanted.as_str()])?;
            if !using.is_empty() {
                return Ok(using);
            }
            match db.execute("DELETE FROM packages WHERE id = ?1", [wanted.as_str()]) {
                Ok(0) => Err(package_not_found(&wanted)),
                Ok(_) => Ok(using),
                Err(e) => Err(sqlite_error::write_failed(store::the_package(&wanted), &e)),
            }
        })
        .await
    }
}

fn run(row: &Row<'_>) -> Sql<Option<RunSummary>> {
    let (Some(run_id), Some(conversation_id)) = (id(row, "id")?, id(row, "conversation_id")?)
    else {
        return Ok(None);
    };
    let (Some(project_id), Some(package_id), Some(workflow_id)) =
        (id(row, "project_id")?, id(row, "package_id")?, id(row, "workflow_id")?)
    else {
        return Ok(None);
    };
    let Some(phase) = from_sql(row.get("phase")?) else { return Ok(None) };
    let (moved, active): (i64, Option<i64>) = (row.get("updated_at")?, row.get("last_active_at")?);
    Ok(Some(RunSummary {
        run_id,
        conversation_id,
        project_id,
        package_id,
        workflow_id,
        title: row.get("title")?,
        phase,
        reason: row.get::<_, Option<String>>("reason")?.and_then(from_sql::<Reason>),
        node_id: node_of(row)?,
        steps: steps_of(row),
        created_at: Time::from_millis(row.get("created_at")?),
        updated_at: Time::from_millis(moved.max(active.unwrap_or(moved))),
    }))
}

/// Newest first; run ids are UUIDv7, so they settle equal times.
fn runs<P: Params>(
    db: &Connection,
    condition: &str,
    params: P,
) -> Result<Vec<RunSummary>, Failure> {
    let sql = format!(
        "SELECT *, (SELECT last_active_at FROM conversations c WHERE c.id = conversation_id)
             AS last_active_at
         FROM runs WHERE {condition} ORDER BY created_at DESC, id DESC"
    );
    all(db, "runs", &sql, params, run)
}

impl RuntimeStore {
    /// The runs of a project, newest first; empty for a project without runs.
    ///
    /// # Errors
    /// `STORE_READ_FAILED` when the store cannot be read.
    pub async fn runs(&self, project_id: &ProjectId) -> Result<Vec<RunSummary>, Failure> {
        let wanted = project_id.clone();
        self.read(move |db| runs(db, "project_id = ?1", [wanted.as_str()])).await
    }

    /// Every run, newest first.
    ///
    /// # Errors
    /// `STORE_READ_FAILED` when the store cannot be read.
    pub async fn all_runs(&self) -> Result<Vec<RunSummary>, Failure> {
        self.read(|db| runs(db, "1", [])).await
    }

    /// A run.
    ///
    /// # Errors
    /// `RUN_NOT_FOUND` when there is none of that id. `STORE_READ_FAILED` when the store cannot be
    /// read.
    pub async fn run(&self, run_id: &RunId) -> Result<RunSummary, Failure> {
        let wanted = run_id.clone();
        self.read(move |db| {
            runs(db, "id = ?1", [wanted.as_str()])?.pop().ok_or_else(|| {
                Failure::new(ErrorCode::RunNotFound, store::no_run(&wanted))
                    .with_action(store::list_the_runs())
            })
        })
        .await
    }

    /// The newest run of a conversation; `None` when it has none.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND` when there is no such conversation. `STORE_READ_FAILED` when the
    /// store cannot be read.
    pub async fn run_of_conversation(
        &self,
        conversation: &ConversationId,
    ) -> Result<Option<RunSummary>, Failure> {
        let wanted = conversation.clone();
        self.read(move |db| {
            existing::require(db, &wanted)?;
            let newest = "id = (SELECT run FROM conversations WHERE id = ?1)";
            let runs = runs(db, newest, [wanted.as_str()])?;
            Ok(runs.into_iter().next())
        })
        .await
    }

    /// The conversation that asked for a sub-agent, when this one is a sub-agent's.
    ///
    /// # Errors
    /// `STORE_READ_FAILED` when the store cannot be read.
    pub async fn parent_of(
        &self,
        conversation: &ConversationId,
    ) -> Result<Option<ConversationId>, Failure> {
        let wanted = conversation.clone();
        self.read(move |db| {
            let sql = "SELECT parent FROM conversations WHERE id = ?1 AND parent IS NOT NULL";
            let found = all(db, "conversations", sql, [wanted.as_str()], |row| {
                Ok(row.get::<_, String>(0)?.parse().ok())
            })?;
            Ok(found.into_iter().next())
        })
        .await
    }

    /// The conversations of the sub-agents of another one.
    ///
    /// # Errors
    /// `STORE_READ_FAILED` when the store cannot be read.
    pub async fn tasks_of(&self, parent: &ConversationId) -> Result<Vec<ConversationId>, Failure> {
        let wanted = parent.clone();
        self.read(move |db| {
            let sql = "SELECT id FROM conversations WHERE parent = ?1 ORDER BY id";
            all(db, "conversations", sql, [wanted.as_str()], |row| {
                Ok(row.get::<_, String>(0)?.parse().ok())
            })
        })
        .await
    }

    /// Whether there is such a conversation.
    ///
    /// # Errors
    /// `STORE_READ_FAILED` when the store cannot be read.
    pub async fn is_there(&self, conversation: &ConversationId) -> Result<bool, Failure> {
        let wanted = conversation.clone();
        self.read(move |db| match existing::require(db, &wanted) {
            Ok(()) => Ok(true),
            Err(failure) if failure.code == ErrorCode::ConversationNotFound => Ok(false),
            Err(failure) => Err(failure),
        })
        .await
    }

    /// Marks every run found running as interrupted, but those whose conversation is in `live`.
    pub(super) fn interrupt(db: &Connection, live: &[String]) -> Sql<usize> {
        let live = serde_json::to_string(live).unwrap_or_default();
        db.execute(
            "UPDATE runs SET phase = ?1, reason = ?2 WHERE phase = ?3
               AND conversation_id NOT IN (SELECT value FROM json_each(?4))",
            params![
                to_sql(&kernel::event::Phase::WaitingUser),
                to_sql(&Reason::Interrupted),
                to_sql(&kernel::event::Phase::Running),
                live
            ],
        )
    }
}
