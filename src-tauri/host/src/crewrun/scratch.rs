//! The folders a replay works in: a project, a package and a state folder of its own, gone when
//! it ends. What a recorded run changes is changed here and nowhere else.

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use kernel::code::{ErrorCode, Failure};
use kernel::mark::Folder;
use kernel::path::{AliasPath, Mount};
use kernel::phrase::exports;
use kernel::text::sha256_hex;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::real_path::RealPath;
use crate::redact::{Marks, Private};
use crate::tools::{MountRoots, ToolHost};

/// See the module.
pub(super) struct Scratch {
    /// The real tools, on these folders.
    pub(super) tools: ToolHost,
    /// What the run's own marks were.
    pub(super) marks: Marks,
    project: Dir,
    state: Dir,
    _temp: tempfile::TempDir,
}

impl Scratch {
    /// Fresh folders with the package in place. The names of its files were accepted before.
    pub(super) fn new(
        package: &BTreeMap<String, Vec<u8>>,
        artifacts_dir: &AliasPath,
    ) -> Result<Self, Failure> {
        let failed = |e: &io::Error| {
            crate::failure::io(ErrorCode::Io, exports::the_scratch_folder(), e)
                .with_action(exports::free_temp())
        };
        let temp = tempfile::tempdir().map_err(|e| failed(&e))?;
        let root = |name: &str| temp.path().join(name);
        let (project, pkg, state) = (root("project"), root("pkg"), root("state"));
        let open = |path: &Path| Dir::open_ambient_dir(path, ambient_authority());
        let made = lay_out(&project, &pkg, &state, package)
            .and_then(|()| Ok((open(&project)?, open(&state)?)))
            .and_then(|(project, state)| {
                project.create_dir_all(artifacts_dir.rel())?;
                Ok((project, state))
            });
        let (project_dir, state_dir) = made.map_err(|e| failed(&e))?;
        // Every mark of a run is known here too; only the bytes it stands for are others.
        let private = Private::new(vec![
            (project.clone(), Folder::Project),
            (pkg.clone(), Folder::Package),
            (state.clone(), Folder::State),
            (root("store"), Folder::Store),
            (root("home"), Folder::Home),
        ]);
        let marks = private.marks.clone();
        let roots = MountRoots {
            project: RealPath::new(project, "@project"),
            pkg: RealPath::new(pkg, "@pkg"),
            state: RealPath::new(state, "@state"),
            store: RealPath::new(root("store"), "[store]"),
        };
        let tools = ToolHost::open(roots, private)?;
        Ok(Self { tools, marks, project: project_dir, state: state_dir, _temp: temp })
    }

    /// SHA-256 of a file; `None` when there is none that can be read.
    pub(super) fn hash(&self, path: &AliasPath) -> Option<String> {
        self.dir(path)?.read(path.rel()).ok().map(|bytes| sha256_hex(&bytes))
    }

    /// Puts a file where the run had one, or takes it away. True when it is so now.
    pub(super) fn put(&self, path: &AliasPath, bytes: Option<&[u8]>) -> bool {
        let Some(dir) = self.dir(path) else { return false };
        let rel = PathBuf::from(path.rel());
        let Some(bytes) = bytes else {
            return match dir.remove_file(&rel) {
                Ok(()) => true,
                Err(e) => e.kind() == io::ErrorKind::NotFound,
            };
        };
        let parent = rel.parent().filter(|p| !p.as_os_str().is_empty());
        parent.is_none_or(|parent| dir.create_dir_all(parent).is_ok())
            && dir.write(&rel, bytes).is_ok()
    }

    fn dir(&self, path: &AliasPath) -> Option<&Dir> {
        match path.mount() {
            Mount::Project => Some(&self.project),
            Mount::State => Some(&self.state),
            Mount::Pkg => None,
        }
    }
}

fn lay_out(
    project: &Path,
    pkg: &Path,
    state: &Path,
    package: &BTreeMap<String, Vec<u8>>,
) -> io::Result<()> {
    std::fs::create_dir_all(project)?;
    std::fs::create_dir_all(state.join("logs"))?;
    std::fs::write(state.join("logs/execution.jsonl"), b"")?;
    std::fs::create_dir_all(pkg)?;
    let pkg = Dir::open_ambient_dir(pkg, ambient_authority())?;
    for (rel, bytes) in package {
        if let Some(parent) = Path::new(rel).parent().filter(|p| !p.as_os_str().is_empty()) {
            pkg.create_dir_all(parent)?;
        }
        pkg.write(rel, bytes)?;
    }
    Ok(())
}
