//! The three mounts as handles, and how a relative path is followed below one without ever
//! leaving it: component by component, each opened without following links.

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, OpenOptions};
use kernel::bounds::LINKS;
use kernel::code::{ErrorCode, Failure};
use kernel::path::{AliasPath, Mount};
use kernel::phrase::{Phrase, projects as said, store as phrases};
use kernel::text::folded;
use serde_json::json;
use std::collections::VecDeque;
use std::io;
use std::path::{Component, Path};

use crate::failure::{io, io_said};
use crate::real_path::RealPath;

/// The file that makes a folder a project; it lies at its top.
pub const PROJECT_FILE: &str = ".crewagent.json";

/// Where the three mounts really are.
#[derive(Debug, Clone)]
pub struct MountRoots {
    /// The user's project folder.
    pub project: RealPath,
    /// The installed package; `None` where there is none.
    pub pkg: Option<RealPath>,
    /// The run's state folder.
    pub state: RealPath,
    /// The program's own data: no part of the project, also when it lies in the project's folder.
    pub store: RealPath,
}

/// The three open folders.
#[derive(Debug)]
pub(super) struct Mounts {
    pub(super) project: Dir,
    pkg: Option<Dir>,
    pub(super) state: Dir,
    roots: MountRoots,
    /// Where the program's own data lies below the project, folded; empty when that is around it.
    own_data: Vec<String>,
}

impl Mounts {
    pub(super) fn open(roots: MountRoots) -> Result<Self, Failure> {
        let MountRoots { project, pkg, state, store } = &roots;
        // Another start of the program may use the usual store.
        let default = crate::store_root();
        Ok(Self {
            own_data: own_data(project.as_path(), [Some(store.as_path()), default.as_deref()]),
            project: open_root(project, ErrorCode::ProjectRootInvalid, said::choose_again())?,
            pkg: match pkg {
                Some(pkg) => {
                    Some(open_root(pkg, ErrorCode::PackageNotFound, phrases::import_the_package())?)
                }
                None => None,
            },
            state: open_root(state, ErrorCode::StateInitFailed, said::start_new_run())?,
            roots,
        })
    }

    /// The folder of a mount; `None` for the package where there is none.
    pub(super) fn dir(&self, mount: Mount) -> Option<&Dir> {
        match mount {
            Mount::Project => Some(&self.project),
            Mount::Pkg => self.pkg.as_ref(),
            Mount::State => Some(&self.state),
        }
    }

    /// Where a path is on this machine, should no link be on the way.
    /// `None` where there is no such place.
    pub(super) fn real(&self, path: &AliasPath) -> Option<RealPath> {
        let root = match path.mount() {
            Mount::Project => &self.roots.project,
            Mount::Pkg => self.roots.pkg.as_ref()?,
            Mount::State => &self.roots.state,
        };
        Some(root.join(path.rel()))
    }

    /// Whether it is the program's own data, by any name that some disk takes for that.
    pub(super) fn is_own_data(&self, path: &AliasPath) -> bool {
        if self.own_data.is_empty() || path.mount() != Mount::Project {
            return false;
        }
        let rel = folded(path.rel());
        self.own_data.iter().any(|own| {
            let rest = rel.strip_prefix(own.as_str());
            own.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }
}

/// Where these stores lie below the project. A project in a store, also in one that is none of
/// these, is its own data as a whole.
fn own_data(project: &Path, stores: [Option<&Path>; 2]) -> Vec<String> {
    let inside = project.canonicalize().is_ok_and(|p| p.ancestors().any(looks_like_store));
    let stores = stores.into_iter().flatten().filter_map(|store| below(project, store));
    stores.chain(inside.then(String::new)).collect()
}

/// What every store of this program has, whichever of them is in use.
pub(super) const STORE_FILES: [&str; 2] = ["store.db", "open.lock"];

/// Whether a folder is a store.
pub(crate) fn looks_like_store(folder: &Path) -> bool {
    STORE_FILES.iter().all(|name| folder.join(name).symlink_metadata().is_ok())
}

/// Refuses a folder that is a store, of this or another start of the program.
pub(super) fn check_no_store(folder: &Dir, path: &AliasPath) -> Result<(), Failure> {
    if STORE_FILES.iter().all(|name| folder.symlink_metadata(name).is_ok()) {
        return Err(own_data_refused(path));
    }
    Ok(())
}

/// A run's own state would be the model's to change, and other runs its to read.
pub(super) fn own_data_refused(path: &AliasPath) -> Failure {
    refused(path, "program_data", "it is this program's own data")
        .with_action_for_model("Use another file of the project.")
}

/// Where `store` lies below `project`, folded; empty when the project lies in it. One that is not
/// there holds nothing. Folders are compared themselves: one that is mounted twice has two names.
fn below(project: &Path, store: &Path) -> Option<String> {
    let (project, store) = (project.canonicalize().ok()?, store.canonicalize().ok()?);
    let same = |a: &Path, b: &Path| same_file::is_same_file(a, b).unwrap_or(false);
    if project.ancestors().any(|above| same(above, &store)) {
        return Some(String::new());
    }
    let above = store.ancestors().find(|above| same(above, &project))?;
    let parts = store.strip_prefix(above).ok()?.components();
    let names: Vec<_> = parts.map(|part| part.as_os_str().to_string_lossy()).collect();
    Some(folded(&names.join("/")))
}

fn open_root(root: &RealPath, code: ErrorCode, action: Phrase) -> Result<Dir, Failure> {
    Dir::open_ambient_dir(root.as_path(), ambient_authority()).map_err(|e| {
        let what = said::folder_not_opened(root.shown_as(), io_said(&e));
        Failure::new(code, what).with_action(action)
    })
}

/// A place below a mount, all links followed and all of them inside.
pub(super) struct ResolvedPath {
    /// The folder it lies in, or the folder itself when `name` is `None`.
    pub(super) folder: Dir,
    /// Its last segment. May be a file, a folder or something special; never a link.
    pub(super) name: Option<String>,
    /// Where it really is below the mount, `/`-separated.
    pub(super) rel: String,
}

/// Follows `path` below `root`. A link that leads outside is refused before it is followed.
pub(super) fn resolve(root: &Dir, path: &AliasPath) -> Result<ResolvedPath, Failure> {
    let mut folders: Vec<(String, Dir)> = Vec::new();
    let mut ahead: VecDeque<String> = segments(path.rel()).map(str::to_owned).collect();
    let mut links = 0;
    let io = |e: io::Error| io_failure(path, &e);
    while let Some(segment) = ahead.pop_front() {
        if segment == ".." {
            // Only out of a link's target: an alias path has none.
            folders.pop().ok_or_else(|| escapes(path))?;
            continue;
        }
        let here = folders.last().map_or(root, |(_, dir)| dir);
        if here.symlink_metadata(&segment).map_err(io)?.is_symlink() {
            links += 1;
            if links > LINKS {
                return Err(refused(path, "link_loop", "its links lead in a circle"));
            }
            let target = here.read_link_contents(&segment).map_err(io)?;
            for part in link_parts(&target).ok_or_else(|| escapes(path))?.into_iter().rev() {
                ahead.push_front(part);
            }
        } else if ahead.is_empty() {
            let folder = here.try_clone().map_err(io)?;
            let rel = joined(&folders, Some(&segment));
            return Ok(ResolvedPath { folder, name: Some(segment), rel });
        } else {
            let next = here.open_dir_nofollow(&segment).map_err(io)?;
            check_no_store(&next, path)?;
            folders.push((segment, next));
        }
    }
    let rel = joined(&folders, None);
    let folder = match folders.pop() {
        Some((_, dir)) => dir,
        None => root.try_clone().map_err(io)?,
    };
    Ok(ResolvedPath { folder, name: None, rel })
}

/// The segments of a `/`-separated relative path.
pub(super) fn segments(rel: &str) -> impl Iterator<Item = &str> {
    rel.split('/').filter(|s| !s.is_empty())
}

fn joined(folders: &[(String, Dir)], last: Option<&str>) -> String {
    let names = folders.iter().map(|(name, _)| name.as_str());
    names.chain(last).collect::<Vec<_>>().join("/")
}

/// The parts of a link's target; `None` when it is absolute or has no readable name.
fn link_parts(target: &Path) -> Option<Vec<String>> {
    let mut parts = Vec::new();
    for component in target.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => parts.push("..".to_owned()),
            Component::Normal(name) => parts.push(name.to_str()?.to_owned()),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(parts)
}

/// Opens a file of `folder` to read it: no link is followed, and a pipe or a device does not make
/// us wait. The caller looks at what it got before it reads.
pub(super) fn open_plain(folder: &Dir, name: &str) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).follow(FollowSymlinks::No).nonblock(true);
    folder.open_with(name, &options)
}

/// A disk error on `path`, as the model reads it.
pub(super) fn io_failure(path: &AliasPath, error: &io::Error) -> Failure {
    use io::ErrorKind as K;
    let failed = |code| io(code, path, error);
    match error.kind() {
        // cap-std's own refusal carries no number of the system.
        K::PermissionDenied if error.raw_os_error().is_none() => escapes(path),
        K::NotFound | K::NotADirectory => failed(ErrorCode::NotFound)
            .with_action_for_model("Look with fs_list which files there are."),
        K::StorageFull => {
            failed(ErrorCode::Io).with_action_for_model("Free some disk space, then try again.")
        }
        K::PermissionDenied | K::ReadOnlyFilesystem => failed(ErrorCode::Io).with_action_for_model(
            "Make the file and its folder accessible, or use another place.",
        ),
        _ => failed(ErrorCode::Io).with_action_for_model("Try again; check the disk."),
    }
}

/// There is no such place in this conversation.
pub(super) fn no_such_place(path: &AliasPath) -> Failure {
    refused(path, "not_there", "this conversation has no such place")
        .with_action_for_model("Name a path in @project.")
}

/// `E_SANDBOX_VIOLATION {mount, path, reason}`: `reason` is a stable word.
pub(super) fn refused(path: &AliasPath, reason: &str, message: &str) -> Failure {
    let mount = path.mount().alias();
    Failure::for_model(ErrorCode::SandboxViolation, format!("{path}: {message}"))
        .with_details(json!({ "mount": mount, "path": path, "reason": reason }))
}

fn escapes(path: &AliasPath) -> Failure {
    refused(path, "escapes", "a link leads outside the mount")
        .with_action_for_model("Use a file that lies inside @project, @pkg or @state.")
}

/// The folder `rel` below `root`, no link followed.
pub(super) fn folder_at(root: &Dir, rel: &str) -> io::Result<Dir> {
    segments(rel).try_fold(root.try_clone()?, |dir, segment| dir.open_dir_nofollow(segment))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_store_is_own_data_beside_the_one_in_use() {
        let temp = tempfile::tempdir().unwrap();
        let at = |rel: &str| temp.path().join(rel);
        for folder in ["project/Share/usual", "project/mine", "elsewhere"] {
            std::fs::create_dir_all(at(folder)).unwrap();
        }
        let (usual, mine, elsewhere) =
            (at("project/Share/usual"), at("project/mine"), at("elsewhere"));
        let found = own_data(&at("project"), [Some(&mine), Some(&usual)]);
        assert_eq!(found, ["mine", "share/usual"]);
        assert_eq!(own_data(&at("project"), [Some(&elsewhere), None]), [""; 0]);
        assert_eq!(own_data(&usual, [Some(&elsewhere), Some(&usual)]), [""]);
    }
}
