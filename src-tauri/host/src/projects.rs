//! Project folders and their `.crewagent.json` (spec 03 "Projects").
//!
//! The file makes a folder a project: it names it, and its id survives a move. It is made on
//! first open, keys we do not know are kept, and nothing else in the folder is touched.

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use kernel::bounds::{PROJECT_FILE_BYTES, size};
use kernel::code::{ErrorCode, Failure};
use kernel::ids::ProjectId;
use kernel::path::{AliasPath, Mount};
use kernel::phrase::{Part, Why, general, projects};
use kernel::project_hooks::{self, Hook};
use kernel::settings::{is_misspelt, may_mean_a_guard};
use kernel::text::{ellipsis, folded};
use serde_json::{Map, Value, json};
use std::io;
use std::path::Path;

use crate::atomic;
use crate::clock::{Clock, Ids};
use crate::crash::{Point, point};
use crate::json;
use crate::plain_file;
use crate::real_path::RealPath;
use crate::tools::mounts::looks_like_store;

pub use crate::tools::mounts::PROJECT_FILE;

/// The key that says where artifacts go.
const ARTIFACTS_DIR: &str = "artifactsDir";

/// The key that lists commands to be run.
const HOOKS: &str = "hooks";

/// Where artifacts go when the project does not say.
pub const DEFAULT_ARTIFACTS_DIR: &str = "artifacts";

/// How messages name the project file.
const SHOWN: &str = "@project/.crewagent.json";

/// What is repeated of a key, bytes.
const SHOWN_OF_A_NAME: usize = 80;

/// A project whose folder was found, and whose file was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// From its file; survives a move of the folder.
    pub project_id: ProjectId,
    /// For people.
    pub name: String,
    /// The folder, canonical.
    pub root: RealPath,
    /// Project-relative, `/`-separated, without slashes at the ends.
    pub artifacts_dir: String,
}

impl Project {
    /// Makes the artifacts folder if it is missing (spec 03 "Run creation").
    ///
    /// # Errors
    /// `STATE_INIT_FAILED` when the disk refuses.
    pub fn ensure_artifacts_dir(&self) -> Result<(), Failure> {
        let shown = format!("@project/{}", self.artifacts_dir);
        Dir::open_ambient_dir(self.root.as_path(), ambient_authority())
            .and_then(|dir| dir.create_dir_all(&self.artifacts_dir))
            .map_err(|e| {
                crate::failure::io(ErrorCode::StateInitFailed, shown.as_str(), &e)
                    .with_action(projects::allow_artifacts())
            })
    }
}

/// Opens a folder as a project; with `create`, makes the folder when it is missing.
///
/// # Errors
/// `PROJECT_ROOT_INVALID` (missing, not a folder, cannot be read, or cannot be written and has no
/// project file yet), `PROJECT_FILE_INVALID` (details name the key).
pub fn open(
    path: &Path,
    create: bool,
    ids: &dyn Ids,
    clock: &dyn Clock,
) -> Result<Project, Failure> {
    if create {
        std::fs::create_dir_all(path).map_err(|e| root_invalid(&e))?;
    }
    let root = path.canonicalize().map_err(|e| root_invalid(&e))?;
    let dir = Dir::open_ambient_dir(&root, ambient_authority()).map_err(|e| root_invalid(&e))?;
    let file = loop {
        let read = read_file(&dir)?;
        let existed = read.is_some();
        let mut file = read.unwrap_or_default();
        if !fill(&mut file, &root, ids, clock)? {
            break file;
        }
        match write_file(&dir, &file, existed) {
            Ok(()) => break file,
            // Another program was first: the project is what that one says.
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists && dir.exists(PROJECT_FILE) => {}
            Err(e) => return Err(not_filled(existed, &e)),
        }
    };
    Ok(Project {
        project_id: id_of(&file)?,
        name: name_of(&file, &root),
        artifacts_dir: artifacts_dir_of(&file)?,
        root: RealPath::new(root, Mount::Project.alias()),
    })
}

/// An older project in a folder that can't be written would get a new id every time.
fn not_filled(existed: bool, error: &io::Error) -> Failure {
    crate::failure::io(ErrorCode::ProjectRootInvalid, SHOWN, error)
        .with_details(json!({ "existed": existed }))
        .with_action(projects::make_writable_once())
}

/// Refuses a folder of the program's own data, whether it is there or would be made.
///
/// # Errors
/// `PROJECT_ROOT_INVALID`.
pub(crate) fn refuse_own_data(path: &Path, store: &Path) -> Result<(), Failure> {
    if !is_own_data(path, store) {
        return Ok(());
    }
    Err(Failure::new(ErrorCode::ProjectRootInvalid, projects::folder_of_own_data())
        .with_action(projects::choose_a_folder_of_yours()))
}

/// Whether a place, which may not be there yet, lies in the program's own data.
pub(crate) fn is_own_data(path: &Path, store: &Path) -> bool {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let there = path.ancestors().find_map(|above| above.canonicalize().ok()).unwrap_or_default();
    let is_store = |above: &Path| same_file::is_same_file(above, store).unwrap_or(false);
    // To compare a pipe with a folder would wait for somebody to write into it.
    let mut folders = there.ancestors().filter(|above| above.is_dir());
    folders.any(|above| is_store(above) || looks_like_store(above))
}

/// What a project file says, read without making or filling one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Peeked {
    /// The id; absent in files of old programs.
    pub(crate) project_id: Option<ProjectId>,
    /// For people.
    pub(crate) name: String,
    /// Project-relative, without slashes at the ends.
    pub(crate) artifacts_dir: String,
    /// The commands that it wants to be run.
    pub(crate) hooks: Vec<Hook>,
}

/// The id in the project file of a folder; `None` when there is none, or none that can be read.
/// Writes nothing.
pub fn id_in(folder: &Path) -> Option<ProjectId> {
    peek(folder).ok().flatten()?.project_id
}

/// Reads the project file of a folder; `None` when there is none. Writes nothing.
pub(crate) fn peek(root: &Path) -> Result<Option<Peeked>, Failure> {
    let dir = Dir::open_ambient_dir(root, ambient_authority()).map_err(|e| root_invalid(&e))?;
    let Some(file) = read_file(&dir)? else { return Ok(None) };
    let project_id = file.contains_key("projectId").then(|| id_of(&file)).transpose()?;
    let name = name_of(&file, root);
    let (artifacts_dir, hooks) = (artifacts_dir_of(&file)?, hooks_of(&file)?);
    Ok(Some(Peeked { project_id, name, artifacts_dir, hooks }))
}

/// Gives a project folder an id of its own: it was copied with the file of another, whose id is
/// `of`. One that has another id by now keeps it.
///
/// # Errors
/// As [`open`]. Nothing is changed then.
pub(crate) fn renew_id(
    root: &Path,
    of: &ProjectId,
    ids: &dyn Ids,
    clock: &dyn Clock,
) -> Result<(), Failure> {
    let dir = Dir::open_ambient_dir(root, ambient_authority()).map_err(|e| root_invalid(&e))?;
    let mut file = read_file(&dir)?.unwrap_or_default();
    if id_of(&file)? != *of {
        return Ok(());
    }
    file.insert("projectId".into(), json!(ids.uuid()));
    file.insert("updatedAt".into(), json!(clock.now().to_string()));
    write_file(&dir, &file, true).map_err(|e| {
        crate::failure::io(ErrorCode::ProjectRootInvalid, SHOWN, &e)
            .with_action(projects::writable_then_open())
    })
}

fn root_invalid(error: &io::Error) -> Failure {
    crate::failure::io(ErrorCode::ProjectRootInvalid, projects::the_project_folder(), error)
        .with_action(projects::choose_usable_folder())
}

fn file_invalid(key: Option<&str>, why: impl Into<Why>) -> Failure {
    let place: Part = key.map_or_else(|| SHOWN.into(), |k| projects::key_of_file(SHOWN, k).into());
    Failure::new(ErrorCode::ProjectFileInvalid, general::about(place, why))
        .with_details(json!({ "key": key }))
        .with_action(match key {
            Some(_) => projects::correct_project_key(),
            None => projects::correct_project_file(),
        })
}

fn read_file(dir: &Dir) -> Result<Option<Map<String, Value>>, Failure> {
    let file = match plain_file::open_in(dir, PROJECT_FILE) {
        Ok(file) => file,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(crate::failure::io(ErrorCode::ProjectFileInvalid, SHOWN, &e)),
    };
    let text = plain_file::text_of(file, PROJECT_FILE_BYTES).map_err(|e| match e.kind() {
        io::ErrorKind::FileTooLarge => {
            file_invalid(None, projects::larger_than(size(PROJECT_FILE_BYTES)))
        }
        _ => crate::failure::io(ErrorCode::ProjectFileInvalid, SHOWN, &e),
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    match json::parse_written(text) {
        Ok(Value::Object(map)) => Ok(Some(map)),
        Ok(_) => Err(file_invalid(None, projects::must_be_an_object())),
        Err(e) => Err(file_invalid(None, projects::not_valid_json(e))),
    }
}

/// Adds what a project file needs and this one lacks. True when something was added.
fn fill(
    file: &mut Map<String, Value>,
    root: &Path,
    ids: &dyn Ids,
    clock: &dyn Clock,
) -> Result<bool, Failure> {
    let fresh = file.is_empty();
    // Checked before anything is written: a wrong value is told, not replaced.
    artifacts_dir_of(file)?;
    hooks_of(file)?;
    if file.contains_key("projectId") {
        id_of(file)?;
        return Ok(false);
    }
    let now = clock.now().to_string();
    let id = ids.uuid();
    if fresh {
        file.insert("schemaVersion".into(), json!("1"));
    }
    file.insert("projectId".into(), json!(id));
    if fresh {
        file.insert("projectName".into(), json!(folder_name(root)));
        file.insert(ARTIFACTS_DIR.into(), json!(format!("{DEFAULT_ARTIFACTS_DIR}/")));
        file.insert("createdAt".into(), json!(now));
    }
    file.insert("updatedAt".into(), json!(now));
    Ok(true)
}

/// A file that was not there is not replaced: `AlreadyExists`.
fn write_file(dir: &Dir, file: &Map<String, Value>, existed: bool) -> io::Result<()> {
    let mut text = serde_json::to_string_pretty(file)?;
    text.push('\n');
    atomic::sweep(dir);
    point(Point::BeforeProjectFile);
    let write = if existed { atomic::replace } else { atomic::create };
    write(dir, PROJECT_FILE, text.as_bytes(), None)
}

fn id_of(file: &Map<String, Value>) -> Result<ProjectId, Failure> {
    let text = file.get("projectId").and_then(Value::as_str);
    let text = text.ok_or_else(|| file_invalid(Some("projectId"), projects::must_be_a_text()))?;
    ProjectId::new(text).map_err(|e| file_invalid(Some("projectId"), e.says()))
}

fn name_of(file: &Map<String, Value>, root: &Path) -> String {
    let name = file.get("projectName").and_then(Value::as_str).map(str::trim);
    name.filter(|n| !n.is_empty()).map_or_else(|| folder_name(root), str::to_owned)
}

/// The last part of the path: a person's own name for the folder.
fn folder_name(root: &Path) -> String {
    root.file_name().map_or_else(|| "project".into(), |n| n.to_string_lossy().into_owned())
}

/// A name that is misspelt, or meant for the settings of the program, would guard nothing while its
/// writer thinks it does: the project waits until it says what it means.
fn check_names(file: &Map<String, Value>) -> Result<(), Failure> {
    for (name, value) in file {
        let key = ellipsis(name, SHOWN_OF_A_NAME);
        let other = name != ARTIFACTS_DIR && folded(name).contains("artifact");
        if other || is_misspelt(name, ARTIFACTS_DIR) {
            return Err(file_invalid(Some(&key), projects::is_it_artifacts_dir()));
        }
        if name != HOOKS && (folded(name) == HOOKS || is_misspelt(name, HOOKS)) {
            return Err(file_invalid(Some(&key), projects::is_it_hooks()));
        }
        if may_mean_a_guard(name, value) {
            return Err(file_invalid(Some(&key), projects::no_setting_of_a_project()));
        }
    }
    Ok(())
}

fn artifacts_dir_of(file: &Map<String, Value>) -> Result<String, Failure> {
    check_names(file)?;
    let key = Some(ARTIFACTS_DIR);
    let text = match file.get(ARTIFACTS_DIR) {
        None | Some(Value::Null) => return Ok(DEFAULT_ARTIFACTS_DIR.to_owned()),
        Some(Value::String(text)) => text.trim(),
        Some(_) => return Err(file_invalid(key, projects::must_be_a_text())),
    };
    let rel = text.strip_prefix("@project/").unwrap_or(text);
    let alias = AliasPath::new(Mount::Project, rel).map_err(|e| file_invalid(key, e.says()))?;
    if alias.rel().is_empty() {
        return Err(file_invalid(key, projects::must_name_a_folder()));
    }
    // What lies in one of these is for other programs: CI, editors, shells.
    if alias.rel().split('/').any(|segment| segment.starts_with('.')) {
        return Err(file_invalid(key, projects::no_dot_folder()));
    }
    Ok(alias.rel().to_owned())
}

fn hooks_of(file: &Map<String, Value>) -> Result<Vec<Hook>, Failure> {
    let Some(written) = file.get(HOOKS).filter(|value| !value.is_null()) else {
        return Ok(Vec::new());
    };
    project_hooks::hooks(written).map_err(|problem| {
        let key = problem.at.map_or_else(|| HOOKS.to_owned(), |at| format!("{HOOKS}[{at}]"));
        file_invalid(Some(&key), problem.why)
    })
}

#[cfg(test)]
mod tests;
