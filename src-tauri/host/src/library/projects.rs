//! Opening project folders, and finding them again: moved ones, and copies that carry the id of
//! the project they were copied from (spec 03 "Run creation", spec 09 "Start").

use kernel::code::{ErrorCode, Failure};
use kernel::command::Copied;
use kernel::ids::ProjectId;
use kernel::phrase::projects as phrases;
use kernel::project_hooks::Hook;
use kernel::wire::ProjectView;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::blocking::on_disk;
use crate::clock::{Clock, Ids};
use crate::crash::{Point, point};
use crate::projects::{self, Peeked, Project};
use crate::store::{ProjectRow, RuntimeStore};

/// The list of projects of one store, and the folders it names.
pub(crate) struct KnownProjects {
    store: RuntimeStore,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
}

/// A folder that is about to be entered into the list.
pub(crate) struct ProjectRegistration {
    path: PathBuf,
    create: bool,
    what: As,
    /// The project whose folder this is from now on, where it was another one before.
    moves: Option<ProjectId>,
    /// What has to come out, where the person named a project.
    expected: Option<ProjectRow>,
}

impl ProjectRegistration {
    fn new(path: PathBuf, what: As) -> Self {
        Self { path, create: false, what, moves: None, expected: None }
    }

    /// The project whose runs come along to this folder: none of them may be at work when it is
    /// entered, and those at rest are opened anew in the new place.
    pub(crate) fn moves(&self) -> Option<&ProjectId> {
        self.moves.as_ref()
    }
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

impl KnownProjects {
    pub(crate) fn new(store: RuntimeStore, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>) -> Self {
        Self { store, clock, ids }
    }

    /// The list, with how many runs each has.
    pub(crate) async fn list(&self) -> Result<Vec<ProjectView>, Failure> {
        let counts = self.store.run_counts().await?;
        let rows = self.store.projects().await?;
        let view = move |row: ProjectRow| {
            let count = counts.get(&row.project_id).copied().unwrap_or_default();
            project_view(row, count)
        };
        on_disk(move || Ok(rows.into_iter().map(view).collect())).await
    }

    /// Takes a project out of the list. Its files stay.
    pub(crate) async fn forget(&self, id: &ProjectId) -> Result<(), Failure> {
        self.store.forget_project(id).await
    }

    /// The folders of the known projects are in no log line.
    pub(crate) async fn hide_from_logs(&self) -> Result<(), Failure> {
        let projects = self.store.projects().await?;
        let roots = projects.into_iter().map(|row| (PathBuf::from(row.location), "@project"));
        on_disk(move || {
            crate::logs::hide_roots(roots);
            Ok(())
        })
        .await
    }

    /// Opens a folder as a project. `PROJECT_COPIED` when its project was last opened in another
    /// one: runs are not taken over unasked. One that is not there may have moved, or be out of
    /// reach only.
    pub(crate) async fn open(&self, path: PathBuf, create: bool) -> Result<Project, Failure> {
        self.enter(ProjectRegistration { create, ..ProjectRegistration::new(path, As::Found) })
            .await
    }

    /// Opens a project of the list where it was opened last.
    pub(crate) async fn open_known(&self, row: &ProjectRow) -> Result<Project, Failure> {
        // Not entered first: the file may be a copy of a third project's.
        if let Some(Peeked { project_id: Some(found), name, .. }) =
            peek(Path::new(&row.location)).await?
            && found != row.project_id
        {
            return Err(mismatch(row, &ForeignFolder::Other(found, name)));
        }
        let entry = ProjectRegistration::new(PathBuf::from(&row.location), As::Found);
        self.enter(ProjectRegistration { expected: Some(row.clone()), ..entry }).await
    }

    /// A folder that has another's project id, as what the person says it is. One that has not is
    /// opened as any other.
    pub(crate) async fn copied(
        &self,
        path: PathBuf,
        what: Copied,
    ) -> Result<ProjectRegistration, Failure> {
        let Some(KnownProject { row: known, elsewhere: Some(_) }) = self.known(&path).await? else {
            return Ok(ProjectRegistration::new(path, As::Found));
        };
        Ok(match what {
            Copied::Copy => ProjectRegistration::new(path, As::CopyOf(known.project_id)),
            Copied::Moved => ProjectRegistration {
                moves: Some(known.project_id),
                ..ProjectRegistration::new(path, As::Found)
            },
        })
    }

    /// Where the folder of a known project is now, as the person says.
    pub(crate) async fn rebound(
        &self,
        id: ProjectId,
        path: PathBuf,
        adopt: bool,
    ) -> Result<ProjectRegistration, Failure> {
        let row = self.store.project(&id).await?;
        let found = match peek(&path).await? {
            Some(Peeked { project_id: Some(found), .. }) if found == id => None,
            Some(Peeked { project_id: Some(found), name, .. }) => {
                Some(ForeignFolder::Other(found, name))
            }
            Some(_) | None => Some(ForeignFolder::None),
        };
        let what = match found {
            None => As::Found,
            Some(ForeignFolder::None) if adopt => As::New(id.clone()),
            Some(found) => return Err(mismatch(&row, &found)),
        };
        Ok(ProjectRegistration {
            moves: Some(id),
            expected: Some(row),
            ..ProjectRegistration::new(path, what)
        })
    }

    /// Opens the folder, and enters it into the list where it is now. Folders are entered one at a
    /// time, so that of two with one id that are opened at once the second is asked about.
    pub(crate) async fn enter(&self, entry: ProjectRegistration) -> Result<Project, Failure> {
        let now = self.clock.now();
        let ProjectRegistration { path, create, what, moves, expected } = entry;
        let unasked = moves.is_none() && matches!(what, As::Found);
        // Another folder may be long out of reach: it is not waited for while others wait.
        let seen = if unasked { Some(self.unless_elsewhere(&path).await?) } else { None };
        let (ids, copied): (Arc<dyn Ids>, _) = match what {
            As::Found => (self.ids_for(&path).await?, None),
            As::New(id) => (Arc::new(KnownId(id)), None),
            As::CopyOf(id) => (Arc::clone(&self.ids), Some(id)),
        };
        let (clock, store, folder) = (Arc::clone(&self.clock), self.store.clone(), path.clone());
        let opened = on_disk(move || {
            projects::refuse_own_data(&folder, store.root())?;
            let turn = store.lock_projects()?;
            if let Some(of) = &copied {
                projects::renew_id(&folder, of, &*ids, &*clock)?;
            }
            let project = projects::open(&folder, create, &*ids, &*clock)?;
            crate::logs::hide_roots([
                (folder, "@project"),
                (project.root.as_path().to_owned(), "@project"),
            ]);
            Ok((project, turn))
        });
        let (project, _turn) = opened.await?;
        let row = ProjectRow {
            project_id: project.project_id.clone(),
            name: project.name.clone(),
            location: project.root.as_path().to_string_lossy().into_owned(),
            former_places: Vec::new(),
            last_opened_at: now,
        };
        if let Some(seen) = seen
            && let Some(known) = self.location_of(&row.project_id).await?
            && known != row.location
            && seen.as_ref() != Some(&known)
        {
            // It was entered with another folder meanwhile.
            self.unless_elsewhere(&path).await?;
        }
        let project = match &expected {
            Some(row) => the_expected(row, project)?,
            None => project,
        };
        point(Point::BeforeProjectRow);
        self.store.upsert_project(row).await?;
        Ok(project)
    }

    /// Where the project was opened last whose id the folder has; `PROJECT_COPIED` when that is another
    /// folder.
    async fn unless_elsewhere(&self, path: &Path) -> Result<Option<String>, Failure> {
        match self.known(path).await? {
            None => Ok(None),
            Some(KnownProject { row, elsewhere: None }) => Ok(Some(row.location)),
            Some(KnownProject { row, elsewhere: Some(there) }) => Err(is_copied(&row, there)),
        }
    }

    /// Where a project was opened last.
    async fn location_of(&self, id: &ProjectId) -> Result<Option<String>, Failure> {
        match self.store.project(id).await {
            Err(failure) if failure.code == ErrorCode::ProjectNotFound => Ok(None),
            row => Ok(Some(row?.location)),
        }
    }

    /// A project that is known at this folder, but whose file names no id, keeps the one it has:
    /// its runs would be out of reach under another.
    async fn ids_for(&self, path: &Path) -> Result<Arc<dyn Ids>, Failure> {
        let path = path.to_owned();
        let nameless = on_disk(move || {
            let Ok(root) = path.canonicalize() else { return Ok(None) };
            let nameless =
                matches!(projects::peek(&root), Ok(Some(file)) if file.project_id.is_none());
            Ok(nameless.then(|| root.to_string_lossy().into_owned()))
        });
        let known = match nameless.await? {
            Some(location) => self.store.project_at(&location).await?,
            None => None,
        };
        Ok(known.map_or_else(|| Arc::clone(&self.ids), |row| Arc::new(KnownId(row.project_id))))
    }

    /// What is known of the project whose id the folder has.
    async fn known(&self, path: &Path) -> Result<Option<KnownProject>, Failure> {
        // What is wrong with the folder is told when it is opened.
        let Ok(Some(Peeked { project_id: Some(id), .. })) = peek(path).await else {
            return Ok(None);
        };
        let row = match self.store.project(&id).await {
            Err(failure) if failure.code == ErrorCode::ProjectNotFound => return Ok(None),
            row => row?,
        };
        let (here, there) = (path.to_owned(), PathBuf::from(&row.location));
        let elsewhere = on_disk(move || {
            // One folder under two names is one folder.
            let same = same_file::is_same_file(&here, &there).unwrap_or(false);
            let says = projects::peek(&there).ok().flatten().and_then(|file| file.project_id);
            Ok((!same).then_some(says == Some(id)))
        });
        Ok(Some(KnownProject { elsewhere: elsewhere.await?, row }))
    }
}

/// Refuses a folder that carries another project's id by now: a run goes on where it began, and not
/// in what was put in the same place. One that is out of reach, or lost its file, is told of where it
/// is opened.
pub(crate) async fn check_is_still(row: &ProjectRow) -> Result<(), Failure> {
    match peek(Path::new(&row.location)).await {
        Ok(Some(Peeked { project_id: Some(found), name, .. })) if found != row.project_id => {
            Err(mismatch(row, &ForeignFolder::Other(found, name)))
        }
        Err(failure) if failure.code == ErrorCode::ProjectFileInvalid => Err(failure),
        _ => Ok(()),
    }
}

/// The commands that a project wants to be run. One that cannot be read wants none.
pub(crate) async fn hooks_of(row: &ProjectRow) -> Result<Vec<Hook>, Failure> {
    let peeked = peek(Path::new(&row.location)).await?;
    Ok(peeked.map(|file| file.hooks).unwrap_or_default())
}

/// The project, if it is the one that is looked for.
fn the_expected(row: &ProjectRow, project: Project) -> Result<Project, Failure> {
    if project.project_id == row.project_id {
        return Ok(project);
    }
    Err(mismatch(row, &ForeignFolder::Other(project.project_id, project.name)))
}

fn project_view(row: ProjectRow, run_count: u32) -> ProjectView {
    ProjectView {
        exists: Path::new(&row.location).is_dir(),
        project_id: row.project_id,
        name: row.name,
        location: row.location,
        last_opened_at: row.last_opened_at,
        run_count,
    }
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

/// A project that is known, and a folder with its id.
struct KnownProject {
    row: ProjectRow,
    /// `None` when the folder is the project's own; else whether that one is there and says the same.
    elsewhere: Option<bool>,
}

/// The folder has the id of a project that was last opened in another one.
fn is_copied(row: &ProjectRow, there: bool) -> Failure {
    let says = if there { phrases::known_elsewhere } else { phrases::known_before };
    Failure::new(ErrorCode::ProjectCopied, says(&row.name))
        .with_details(json!({ "projectId": row.project_id, "name": row.name, "there": there }))
}

/// What a folder is instead of the project that is looked for.
enum ForeignFolder {
    /// Another project.
    Other(ProjectId, String),
    /// No project.
    None,
}

fn mismatch(wanted: &ProjectRow, found: &ForeignFolder) -> Failure {
    let name = &wanted.name;
    let (message, mut details) = match found {
        ForeignFolder::Other(id, other) => (
            phrases::belongs_to_another(name, other),
            json!({ "found": "other", "foundId": id, "foundName": other }),
        ),
        ForeignFolder::None => (phrases::belongs_to_none(name), json!({ "found": "none" })),
    };
    details["projectId"] = json!(wanted.project_id);
    details["name"] = json!(name);
    Failure::new(ErrorCode::ProjectMismatch, message).with_details(details)
}
