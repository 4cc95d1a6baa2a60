//! The folders a replay works in: a project, a package and a state folder of its own, gone when
//! it ends. What a recorded run changes is changed here and nowhere else.

use cap_std::ambient_authority;
use cap_std::fs::{Dir, File};
use kernel::code::{ErrorCode, Failure};
use kernel::effect::{Action, Executor as _, Outcome};
use kernel::mark::Folder;
use kernel::path::{AliasPath, Mount};
use kernel::phrase::exports;
use kernel::text::hex;
use sha2::{Digest as _, Sha256};
use std::io::{self, Write as _};
use std::path::Path;
use tokio_util::sync::CancellationToken;

use super::archive::Recording;
use crate::executor::OnDisk;
use crate::packages::ContentError;
use crate::real_path::RealPath;
use crate::redact::{Marks, Private};
use crate::state_file::StateFile;
use crate::tools::{MountRoots, StateText, ToolHost};

/// Of so many former places of a project a replay knows the marks.
const FORMER_PLACES: usize = 16;

/// See the module.
pub(super) struct Scratch {
    /// The real tools, on these folders.
    pub(super) tools: ToolHost,
    /// What the run's own marks were.
    pub(super) marks: Marks,
    /// Whose turn it is to write the state document.
    file: StateFile,
    project: Dir,
    state: Dir,
    _temp: tempfile::TempDir,
}

impl Scratch {
    /// Fresh folders with the package in place. The names of its files were accepted before.
    pub(super) fn new(recording: &Recording, artifacts_dir: &AliasPath) -> Result<Self, Failure> {
        let failed = |e: &io::Error| {
            crate::failure::io(ErrorCode::Io, exports::the_scratch_folder(), e)
                .with_action(exports::free_temp())
        };
        let temp = tempfile::tempdir().map_err(|e| failed(&e))?;
        let root = |name: &str| temp.path().join(name);
        let (project, pkg, state) = (root("project"), root("pkg"), root("state"));
        let open = |path: &Path| Dir::open_ambient_dir(path, ambient_authority());
        lay_out(&project, &pkg, &state, recording).map_err(|unread| match unread {
            ContentError::Changed => unread.while_reading(),
            stopped @ ContentError::Stopped => stopped.while_reading(),
            ContentError::Sink(e) => failed(&e),
        })?;
        let made = open(&project).and_then(|project| {
            project.create_dir_all(artifacts_dir.rel())?;
            Ok((project, open(&state)?))
        });
        let (project_dir, state_dir) = made.map_err(|e| failed(&e))?;
        // Every mark of a run is known here too; only the bytes it stands for are others.
        let mut folders = vec![
            (project.clone(), Folder::Project),
            (pkg.clone(), Folder::Package),
            (state.clone(), Folder::State),
            (root("store"), Folder::Store),
            (root("home"), Folder::Home),
        ];
        let former = (1..=FORMER_PLACES).map(|n| root(&format!("former{n}")));
        folders.extend(former.map(|place| (place, Folder::FormerProject)));
        let private = Private::new(folders);
        let marks = private.marks.clone();
        let roots = MountRoots {
            project: RealPath::new(project, "@project"),
            pkg: Some(RealPath::new(pkg, "@pkg")),
            state: RealPath::new(state, "@state"),
            store: RealPath::new(root("store"), "[store]"),
        };
        let tools = ToolHost::open(roots, private)?;
        let file = StateFile::default();
        Ok(Self { tools, marks, file, project: project_dir, state: state_dir, _temp: temp })
    }

    /// What comes of an action here.
    pub(super) fn carry_out(&self, action: &Action) -> Outcome {
        let cancel = &CancellationToken::new();
        OnDisk { tools: &self.tools, state: &self.file, cancel }.carry_out(action)
    }

    /// The state document as it lies here.
    pub(super) fn read_state(&self) -> Result<Option<StateText>, Failure> {
        self.file.read(&self.tools)
    }

    /// SHA-256 of a file; `None` when there is none that can be read.
    pub(super) fn hash(&self, path: &AliasPath) -> Option<String> {
        let mut hash = Sha256::new();
        io::copy(&mut self.dir(path)?.open(path.rel()).ok()?, &mut hash).ok()?;
        Some(hex(&hash.finalize()))
    }

    /// Puts a file where the run had one, or takes it away. True when it is so now.
    pub(super) fn put(&self, path: &AliasPath, bytes: Option<&[u8]>) -> bool {
        let Some(dir) = self.dir(path) else { return false };
        let Some(bytes) = bytes else {
            return match dir.remove_file(path.rel()) {
                Ok(()) => true,
                Err(e) => e.kind() == io::ErrorKind::NotFound,
            };
        };
        self.put_with(path, |file| file.write_all(bytes).is_ok())
    }

    /// The same of a file that `write` writes.
    pub(super) fn put_with(&self, path: &AliasPath, write: impl FnOnce(&mut File) -> bool) -> bool {
        let Some(dir) = self.dir(path) else { return false };
        let rel = Path::new(path.rel());
        let parent = rel.parent().filter(|p| !p.as_os_str().is_empty());
        parent.is_none_or(|parent| dir.create_dir_all(parent).is_ok())
            && dir.create(rel).is_ok_and(|mut file| write(&mut file))
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
    recording: &Recording,
) -> Result<(), ContentError> {
    let made = || {
        std::fs::create_dir_all(project)?;
        std::fs::create_dir_all(state.join("logs"))?;
        std::fs::write(state.join("logs/execution.jsonl"), b"")?;
        std::fs::create_dir_all(pkg)?;
        Dir::open_ambient_dir(pkg, ambient_authority())
    };
    let pkg = made().map_err(ContentError::Sink)?;
    for rel in recording.package.files.keys() {
        let made = || {
            if let Some(parent) = Path::new(rel).parent().filter(|p| !p.as_os_str().is_empty()) {
                pkg.create_dir_all(parent)?;
            }
            pkg.create(rel)
        };
        recording.copy_of_package(rel, &mut made().map_err(ContentError::Sink)?)?;
    }
    Ok(())
}
