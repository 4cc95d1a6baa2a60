//! Opening project folders, and finding them again: moved ones, and copies that carry the id of
//! the project they were copied from (spec 03 "Run creation", spec 09 "Start").

use kernel::code::{ErrorCode, Failure};
use kernel::command::Copied;
use kernel::ids::{ConversationId, ProjectId};
use kernel::phrase::projects as phrases;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Host, housekeeping, on_disk};
use crate::clock::Ids;
use crate::crash::{Point, point};
use crate::projects::{self, Peeked, Project};
use crate::store::ProjectRow;

/// Opens a folder as a project. `PROJECT_COPIED` when its project was last opened in another one:
/// runs are not taken over unasked. One that is not there may have moved, or be out of reach only.
pub(super) async fn open(host: &Host, path: PathBuf, create: bool) -> Result<Project, Failure> {
    if let Some(known) = known_elsewhere(host, &path).await? {
        return Err(known.asked());
    }
    enter(host, path, create, As::Found).await
}

/// Opens a project of the list where it was opened last.
pub(super) async fn open_known(host: &Host, row: &ProjectRow) -> Result<Project, Failure> {
    // Not entered first: the file may be a copy of a third project's.
    if let Some(Peeked { project_id: Some(found), name, .. }) =
        peek(Path::new(&row.location)).await?
        && found != row.project_id
    {
        return Err(mismatch(row, &Found::Other(found, name)));
    }
    expected(row, enter(host, PathBuf::from(&row.location), false, As::Found).await?)
}

/// Refuses a folder that carries another project's id by now: a run goes on where it began, and not
/// in what was put in the same place. One that is out of reach, or lost its file, is told of where it
/// is opened.
pub(super) async fn check_is_still(row: &ProjectRow) -> Result<(), Failure> {
    match peek(Path::new(&row.location)).await {
        Ok(Some(Peeked { project_id: Some(found), name, .. })) if found != row.project_id => {
            Err(mismatch(row, &Found::Other(found, name)))
        }
        Err(failure) if failure.code == ErrorCode::ProjectFileInvalid => Err(failure),
        _ => Ok(()),
    }
}

/// The project, if it is the one that is looked for.
fn expected(row: &ProjectRow, project: Project) -> Result<Project, Failure> {
    if project.project_id == row.project_id {
        return Ok(project);
    }
    Err(mismatch(row, &Found::Other(project.project_id, project.name)))
}

/// Opens a folder that has another's project id, as what the person says it is. One that has not
/// is opened as any other.
pub(super) async fn open_copied(
    host: &Host,
    path: PathBuf,
    what: Copied,
) -> Result<Project, Failure> {
    let Some(Elsewhere { row: known, .. }) = known_elsewhere(host, &path).await? else {
        return enter(host, path, false, As::Found).await;
    };
    match what {
        Copied::Copy => enter(host, path, false, As::CopyOf(known.project_id)).await,
        Copied::Moved => take_along(host, &known.project_id, path, As::Found).await,
    }
}

/// Tells where the folder of a known project is now.
pub(super) async fn rebind(
    host: &Host,
    id: &ProjectId,
    path: PathBuf,
    adopt: bool,
) -> Result<Project, Failure> {
    let row = host.store.project(id).await?;
    let found = match peek(&path).await? {
        Some(Peeked { project_id: Some(found), .. }) if found == *id => None,
        Some(Peeked { project_id: Some(found), name, .. }) => Some(Found::Other(found, name)),
        Some(_) | None => Some(Found::None),
    };
    let what = match found {
        None => As::Found,
        Some(Found::None) if adopt => As::New(id.clone()),
        Some(found) => return Err(mismatch(&row, &found)),
    };
    let project = take_along(host, id, path, what).await?;
    expected(&row, project)
}

/// Opens a folder and brings the runs along: none of them may be at work meanwhile, and those at
/// rest are opened anew in the new place. `RUN_BUSY`.
async fn take_along(
    host: &Host,
    id: &ProjectId,
    path: PathBuf,
    what: As,
) -> Result<Project, Failure> {
    let runs: Vec<ConversationId> = host.store.conversations_of(id).await?;
    let resting = housekeeping::hold(host, runs).await?;
    let project = enter(host, path, false, what).await;
    drop(resting);
    project
}

/// What a folder is entered as.
enum As {
    /// What its file says; a new project when it has none.
    Found,
    /// The project of this id, when it has none.
    New(ProjectId),
    /// A project of its own, though its file was copied from this one.
    CopyOf(ProjectId),
}

/// Opens the folder, and enters it into the list where it is now.
async fn enter(host: &Host, path: PathBuf, create: bool, what: As) -> Result<Project, Failure> {
    let now = host.clock.now();
    let (ids, copied): (Arc<dyn Ids>, _) = match what {
        As::Found => (ids_for(host, &path).await?, None),
        As::New(id) => (Arc::new(KnownId(id)), None),
        As::CopyOf(id) => (Arc::clone(&host.ids), Some(id)),
    };
    let clock = Arc::clone(&host.clock);
    let store = host.store.clone();
    let root = host.options.store.clone();
    let project = on_disk(move || {
        projects::refuse_own_data(&path, &root)?;
        let _turn = store.lock_projects()?;
        if let Some(of) = &copied {
            projects::renew_id(&path, of, &*ids, &*clock)?;
        }
        let project = projects::open(&path, create, &*ids, &*clock)?;
        crate::logs::hide_roots([
            (path, "@project"),
            (project.root.as_path().to_owned(), "@project"),
        ]);
        Ok(project)
    });
    let project = project.await?;
    let row = ProjectRow {
        project_id: project.project_id.clone(),
        name: project.name.clone(),
        location: project.root.as_path().to_string_lossy().into_owned(),
        last_opened_at: now,
    };
    point(Point::BeforeProjectRow);
    host.store.upsert_project(row).await?;
    Ok(project)
}

/// A project that is known at this folder, but whose file names no id, keeps the one it has: its
/// runs would be out of reach under another.
async fn ids_for(host: &Host, path: &Path) -> Result<Arc<dyn Ids>, Failure> {
    let path = path.to_owned();
    let nameless = on_disk(move || {
        let Ok(root) = path.canonicalize() else { return Ok(None) };
        let nameless = matches!(projects::peek(&root), Ok(Some(file)) if file.project_id.is_none());
        Ok(nameless.then(|| root.to_string_lossy().into_owned()))
    });
    let known = match nameless.await? {
        Some(location) => host.store.project_at(&location).await?,
        None => None,
    };
    Ok(known.map_or_else(|| Arc::clone(&host.ids), |row| Arc::new(KnownId(row.project_id))))
}

struct KnownId(ProjectId);

impl Ids for KnownId {
    fn uuid(&self) -> String {
        self.0.to_string()
    }
}

/// What the folder says it is; `None` when it is no project. `PROJECT_ROOT_INVALID` when there is
/// no such folder.
async fn peek(path: &Path) -> Result<Option<Peeked>, Failure> {
    let path = path.to_owned();
    on_disk(move || projects::peek(&path)).await
}

/// A project whose folder is known to be another one than the one with its id.
struct Elsewhere {
    row: ProjectRow,
    /// That folder is there, and says the same.
    there: bool,
}

impl Elsewhere {
    fn asked(&self) -> Failure {
        let Self { row, there } = self;
        let says = if *there { phrases::known_elsewhere } else { phrases::known_before };
        Failure::new(ErrorCode::ProjectCopied, says(&row.name))
            .with_details(json!({ "projectId": row.project_id, "name": row.name, "there": there }))
    }
}

async fn known_elsewhere(host: &Host, path: &Path) -> Result<Option<Elsewhere>, Failure> {
    // What is wrong with the folder is told when it is opened.
    let Ok(Some(Peeked { project_id: Some(id), .. })) = peek(path).await else { return Ok(None) };
    let row = match host.store.project(&id).await {
        Err(failure) if failure.code == ErrorCode::ProjectNotFound => return Ok(None),
        row => row?,
    };
    let (here, there) = (path.to_owned(), PathBuf::from(&row.location));
    let found = on_disk(move || {
        // One folder under two names is one folder.
        let same = same_file::is_same_file(&here, &there).unwrap_or(false);
        let says = projects::peek(&there).ok().flatten().and_then(|file| file.project_id);
        Ok((!same).then_some(says == Some(id)))
    });
    Ok(found.await?.map(|there| Elsewhere { row, there }))
}

/// What a folder is instead of the project that is looked for.
enum Found {
    /// Another project.
    Other(ProjectId, String),
    /// No project.
    None,
}

fn mismatch(wanted: &ProjectRow, found: &Found) -> Failure {
    let name = &wanted.name;
    let (message, mut details) = match found {
        Found::Other(id, other) => (
            phrases::belongs_to_another(name, other),
            json!({ "found": "other", "foundId": id, "foundName": other }),
        ),
        Found::None => (phrases::belongs_to_none(name), json!({ "found": "none" })),
    };
    details["projectId"] = json!(wanted.project_id);
    details["name"] = json!(name);
    Failure::new(ErrorCode::ProjectMismatch, message).with_details(details)
}
