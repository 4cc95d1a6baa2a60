//! What a call may touch: every way to a file of a mount goes through [`Access`] (spec 05
//! "Sandbox"). A path is judged under the name it was given and under the name it resolves to.

use cap_fs_ext::{DirExt as _, MetadataExt as _};
use cap_std::fs::{Dir, File, Metadata, Permissions};
use kernel::code::{ErrorCode, Failure};
use kernel::path::{AliasPath, Mount};
use kernel::policy::ToolPolicy;
use kernel::text::folded;
use std::io;

use crate::redact::{Lens, Marks};

use tokio_util::sync::CancellationToken;

use super::mounts::{
    Mounts, PROJECT_FILE, ResolvedPath, check_no_store, io_failure, no_such_place, open_plain,
    own_data_refused, refused, resolve, segments,
};
use super::repository;
use super::rules::{IgnoreRules, PRIVATE};
use super::secrets::{is_git, is_secret, is_short_name};

/// The rights of one call.
pub(super) struct Access<'m> {
    mounts: &'m Mounts,
    marks: &'m Marks,
    policy: &'m ToolPolicy,
    rules: IgnoreRules<'m>,
    /// Ends looking at long files while nothing has been done yet.
    cancel: CancellationToken,
}

/// A plain file open for reading.
pub(super) struct OpenedFile {
    pub(super) file: File,
    pub(super) len: u64,
    /// Where it is, when links led there.
    pub(super) resolved: Option<AliasPath>,
}

/// Where a write would land.
pub(super) struct WriteTarget {
    /// The deepest folder that exists.
    pub(super) folder: Dir,
    /// Folders to make below it.
    pub(super) missing: Vec<String>,
    /// The file's own name.
    pub(super) name: String,
    /// What is there now.
    pub(super) existing: Option<Existing>,
}

/// Something that is there and may be moved or deleted: a plain file or a folder.
pub(super) struct MovableEntry {
    /// The folder it lies in.
    pub(super) folder: Dir,
    /// Its own name.
    pub(super) name: String,
    /// What it is.
    pub(super) meta: Metadata,
}

/// Where something moved would be.
pub(super) struct Landing {
    /// The deepest folder that exists.
    pub(super) folder: Dir,
    /// Folders to make below it.
    pub(super) missing: Vec<String>,
    /// Its new name.
    pub(super) name: String,
    /// What is there now, a link's own data.
    pub(super) existing: Option<Metadata>,
}

/// The file a write replaces.
pub(super) struct Existing {
    pub(super) file: File,
    pub(super) len: u64,
    pub(super) permissions: Permissions,
}

impl<'m> Access<'m> {
    pub(super) fn new(mounts: &'m Mounts, marks: &'m Marks, policy: &'m ToolPolicy) -> Self {
        let rules = IgnoreRules::private(&mounts.project);
        Self { mounts, marks, policy, rules, cancel: CancellationToken::new() }
    }

    /// The same rights for another thread.
    pub(super) fn again(&self) -> Self {
        Self::new(self.mounts, self.marks, self.policy).until(&self.cancel)
    }

    /// The same for work that Stop ends.
    pub(super) fn until(self, cancel: &CancellationToken) -> Self {
        Self { cancel: cancel.clone(), ..self }
    }

    /// Whether to go on.
    pub(super) fn cancel(&self) -> &CancellationToken {
        &self.cancel
    }

    /// How private folders are kept out of what is shown.
    pub(super) fn marks(&self) -> &'m Marks {
        self.marks
    }

    /// The same for one file, and how what a model writes gets them back.
    pub(super) fn lens(&self, path: &AliasPath) -> Lens<'m> {
        self.marks.lens(path, self.policy.max_write_bytes)
    }

    /// The limits of the call.
    pub(super) fn policy(&self) -> &'m ToolPolicy {
        self.policy
    }

    /// The folder of the mount that a path is in.
    pub(super) fn root(&self, path: &AliasPath) -> Result<&'m Dir, Failure> {
        self.mounts.dir(path.mount()).ok_or_else(|| no_such_place(path))
    }

    /// The project's folder.
    pub(super) fn project(&self) -> &'m Dir {
        &self.mounts.project
    }

    /// Refuses what may not be read. `is_dir` `None`: not known yet, the stricter answer counts.
    pub(super) fn check_read(
        &mut self,
        path: &AliasPath,
        is_dir: Option<bool>,
    ) -> Result<(), Failure> {
        let rel = path.rel();
        if !self.policy.places.hold(path.mount()) {
            return Err(no_such_place(path));
        }
        if path.mount() == Mount::State && !is_open_state(rel) {
            return Err(refused(path, "state_private", "this part of the run is private")
                .with_action_for_model("Readable are @state/workflow.md, @state/run.md, @state/workflows/ and @state/logs/."));
        }
        if !self.policy.allow_secret_files && path.mount() != Mount::State && is_secret(rel) {
            return Err(secret(path));
        }
        check_spelling(path)?;
        self.check_task(path)?;
        self.check_own_data(path)?;
        self.check_rules(path, is_dir)
    }

    /// Refuses what a sub-agent's task is not about, also where links lead there.
    fn check_task(&self, path: &AliasPath) -> Result<(), Failure> {
        if self.policy.task.as_ref().is_none_or(|task| task.holds(path)) {
            return Ok(());
        }
        Err(refused(path, "outside_of_task", "it is not part of the sub-agent's task")
            .with_action_for_model("Name a path of your task."))
    }

    /// Whether a walk may show `path`.
    pub(super) fn may_read(&mut self, path: &AliasPath, is_dir: bool) -> Result<bool, Failure> {
        match self.check_read(path, Some(is_dir)) {
            Ok(()) => Ok(true),
            Err(f) if ignore_file_broken(&f) => Err(f),
            Err(_) => Ok(false),
        }
    }

    /// The same for what lies right in a folder that may be read.
    pub(super) fn may_show(&mut self, path: &AliasPath, is_dir: bool) -> Result<bool, Failure> {
        if path.mount() != Mount::Project {
            return self.may_read(path, is_dir);
        }
        let secret = !self.policy.allow_secret_files && is_secret(path.rel());
        Ok(!secret
            && check_spelling(path).is_ok()
            && self.check_own_data(path).is_ok()
            && !self.rules.covers_itself(path.rel(), is_dir)?)
    }

    /// A walk comes to a folder: its rules are read through its handle.
    pub(super) fn enter(&mut self, path: &AliasPath, dir: &Dir) -> Result<(), Failure> {
        if path.mount() == Mount::Project { self.rules.enter(path.rel(), dir) } else { Ok(()) }
    }

    /// Follows a path for reading; both its names are judged.
    pub(super) fn resolve(&mut self, path: &AliasPath) -> Result<ResolvedPath, Failure> {
        self.check_read(path, None)?;
        let place = resolve(self.root(path)?, path)?;
        if place.rel != path.rel() {
            self.check_read(&at(path.mount(), &place.rel, path)?, None)?;
        }
        Ok(place)
    }

    /// Opens a plain file for reading.
    pub(super) fn open_file(&mut self, path: &AliasPath) -> Result<OpenedFile, Failure> {
        let place = self.resolve(path)?;
        let Some(name) = place.name else { return Err(is_folder(path)) };
        let opened = open_checked(&place.folder, &name, path)?;
        let led_there = place.rel != path.rel();
        let resolved = led_there.then(|| at(path.mount(), &place.rel, path)).transpose()?;
        Ok(OpenedFile { resolved, ..opened })
    }

    /// Whether anything is at a path, be it a link, and whether or not it may be read. Nothing
    /// outside the mount is looked at.
    pub(super) fn is_there(&self, path: &AliasPath) -> bool {
        self.root(path).is_ok_and(|root| root.symlink_metadata(path.rel()).is_ok())
    }

    /// Opens a folder for listing, with the path it really has: what lies below is judged by that
    /// one, so that a link beside a private folder does not show it.
    pub(super) fn open_folder(&mut self, path: &AliasPath) -> Result<(Dir, AliasPath), Failure> {
        let ResolvedPath { folder, name, rel } = self.resolve(path)?;
        let real = at(path.mount(), &rel, path)?;
        let Some(name) = name else { return Ok((folder, real)) };
        let meta = folder.symlink_metadata(&name).map_err(|e| io_failure(path, &e))?;
        if !meta.is_dir() {
            let message = format!("{path} is not a folder");
            return Err(Failure::for_model(ErrorCode::Io, message)
                .with_action_for_model("Read it with fs_read."));
        }
        let dir = folder.open_dir_nofollow(&name).map_err(|e| io_failure(path, &e))?;
        check_no_store(&dir, path)?;
        Ok((dir, real))
    }

    /// Finds where a write would land. Changes nothing; follows no link.
    pub(super) fn locate(&mut self, path: &AliasPath) -> Result<WriteTarget, Failure> {
        self.check_change(path, Some(false))?;
        let (folder, missing, name) = self.above(path)?;
        let existing = if missing.is_empty() { existing(&folder, &name, path)? } else { None };
        Ok(WriteTarget { folder, missing, name, existing })
    }

    /// Finds a file or folder to move or delete. Follows no link, and a link itself is refused.
    pub(super) fn locate_entry(&mut self, path: &AliasPath) -> Result<MovableEntry, Failure> {
        self.check_change(path, None)?;
        let (folder, missing, name) = self.above(path)?;
        let gone = || Err(io_failure(path, &io::ErrorKind::NotFound.into()));
        if !missing.is_empty() {
            return gone();
        }
        let meta = folder.symlink_metadata(&name).map_err(|e| io_failure(path, &e))?;
        if meta.is_symlink() {
            return Err(through_link(path));
        }
        if !meta.is_file() && !meta.is_dir() {
            return Err(special(path));
        }
        if meta.is_file() && meta.permissions().readonly() {
            return Err(Failure::for_model(ErrorCode::Io, format!("{path} is read only"))
                .with_action_for_model("Leave it, or ask the user to make it writable."));
        }
        Ok(MovableEntry { folder, name, meta })
    }

    /// Finds where something moved would be.
    pub(super) fn landing(&mut self, path: &AliasPath) -> Result<Landing, Failure> {
        self.check_change(path, None)?;
        let (folder, missing, name) = self.above(path)?;
        let existing = match folder.symlink_metadata(&name) {
            _ if !missing.is_empty() => None,
            Err(e) if e.kind() == io::ErrorKind::NotFound => None,
            Err(e) => return Err(io_failure(path, &e)),
            Ok(meta) => Some(meta),
        };
        Ok(Landing { folder, missing, name, existing })
    }

    /// The folder `path` lies in and its name there; `None` when there is no such folder.
    pub(super) fn locate_parent(
        &mut self,
        path: &AliasPath,
    ) -> Result<Option<(Dir, String)>, Failure> {
        self.check_change(path, None)?;
        let (folder, missing, name) = self.above(path)?;
        Ok(missing.is_empty().then_some((folder, name)))
    }

    /// The deepest folder above `path` that exists, the folders missing below it, the name.
    fn above(&self, path: &AliasPath) -> Result<(Dir, Vec<String>, String), Failure> {
        let mut names: Vec<&str> = segments(path.rel()).collect();
        let Some(name) = names.pop() else { return Err(is_folder(path)) };
        let root = self.root(path)?;
        let mut folder = root.try_clone().map_err(|e| io_failure(path, &e))?;
        let mut missing: Vec<String> = Vec::new();
        for segment in names {
            if !missing.is_empty() {
                missing.push(segment.to_owned());
                continue;
            }
            repository::check(&folder, segment, path)?;
            match enter(&folder, segment, path)? {
                Some(next) => {
                    check_no_store(&next, path)?;
                    folder = next;
                }
                None => missing.push(segment.to_owned()),
            }
        }
        if missing.is_empty() {
            repository::check(&folder, name, path)?;
        }
        Ok((folder, missing, name.to_owned()))
    }

    /// Refuses what may not be written, moved or deleted. `is_dir` as in
    /// [`check_read`](Self::check_read).
    pub(super) fn check_change(
        &mut self,
        path: &AliasPath,
        is_dir: Option<bool>,
    ) -> Result<(), Failure> {
        match path.mount() {
            Mount::Project => {}
            Mount::Pkg => {
                return Err(refused(path, "read_only", "@pkg is read only")
                    .with_action_for_model("Write below @project instead."));
            }
            Mount::State => {
                return Err(refused(path, "state_private", "tools may not write here")
                    .with_action_for_model(
                        "Write below @project; change @state/workflow.md with fs_apply_patch.",
                    ));
            }
        }
        if segments(path.rel()).any(is_git) {
            return Err(refused(path, "git_internals", "git's own files may not be written")
                .with_action_for_model("Write another file."));
        }
        if folded(path.file_name()) == PRIVATE {
            return Err(refused(path, "ignore_file", "only the user changes these rules")
                .with_action_for_model("Ask the user to edit it."));
        }
        if folded(path.file_name()) == PROJECT_FILE {
            return Err(refused(path, "project_file", "it says which project the folder is")
                .with_action_for_model("Ask the user to edit it."));
        }
        if !self.policy.allow_secret_files && is_secret(path.rel()) {
            return Err(secret(path));
        }
        check_spelling(path)?;
        self.check_task(path)?;
        self.check_own_data(path)?;
        self.check_rules(path, is_dir)
    }

    fn check_own_data(&self, path: &AliasPath) -> Result<(), Failure> {
        if self.mounts.is_own_data(path) { Err(own_data_refused(path)) } else { Ok(()) }
    }

    fn check_rules(&mut self, path: &AliasPath, is_dir: Option<bool>) -> Result<(), Failure> {
        if path.mount() != Mount::Project {
            return Ok(());
        }
        let covered = match is_dir {
            Some(is_dir) => self.rules.cover(path.rel(), is_dir)?,
            None => self.rules.cover(path.rel(), true)? || self.rules.cover(path.rel(), false)?,
        };
        if !covered {
            return Ok(());
        }
        Err(refused(path, "crewagentignore", "the user keeps it private (.crewagentignore)")
            .with_action_for_model("Go on without it, or ask the user."))
    }
}

/// Where links led from `path`.
fn at(mount: Mount, rel: &str, path: &AliasPath) -> Result<AliasPath, Failure> {
    let refuse = |e| refused(path, "link_target", &format!("its target: {e}"));
    AliasPath::new(mount, rel).map_err(refuse)
}

/// Windows finds `.env` under `ENV~1` too, where names are not judged any more.
fn check_spelling(path: &AliasPath) -> Result<(), Failure> {
    if cfg!(windows) && segments(path.rel()).any(is_short_name) {
        return Err(refused(path, "short_name", "it is a name of the old 8.3 form")
            .with_action_for_model("Use the file's full name."));
    }
    Ok(())
}

/// The parts of `@state` a model may read.
fn is_open_state(rel: &str) -> bool {
    let below = |folder: &str| {
        rel.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    matches!(rel, "" | "workflow.md" | "run.md") || below("logs") || below("workflows")
}

fn ignore_file_broken(failure: &Failure) -> bool {
    let reason = failure.details.as_ref().and_then(|d| d.get("reason"));
    reason.and_then(|r| r.as_str()) == Some("ignore_file")
}

/// A file of secrets, by its alias.
pub(super) fn secret(path: impl std::fmt::Display) -> Failure {
    let message = format!("{path} may hold keys or passwords; tools do not touch it");
    Failure::for_model(ErrorCode::SecretFile, message)
        .with_action_for_model("Go on without it. The user can allow secret files in the settings.")
}

fn is_folder(path: &AliasPath) -> Failure {
    let message = format!("{path} is a folder");
    Failure::for_model(ErrorCode::Io, message)
        .with_action_for_model("List it with fs_list, or name a file in it.")
}

pub(super) fn hard_link(path: &AliasPath) -> Failure {
    refused(path, "hard_link", "the file has a second name, which may lie elsewhere")
        .with_action_for_model("Write to a new file instead.")
}

pub(super) fn special(path: &AliasPath) -> Failure {
    refused(path, "special_file", "it is a pipe, a socket or a device, not a file")
        .with_action_for_model("Use a plain file.")
}

/// Opens the plain file `name` of `folder`.
pub(super) fn open_checked(
    folder: &Dir,
    name: &str,
    path: &AliasPath,
) -> Result<OpenedFile, Failure> {
    let meta = folder.symlink_metadata(name).map_err(|e| io_failure(path, &e))?;
    check_plain(&meta, path)?;
    let file = open_plain(folder, name).map_err(|e| io_failure(path, &e))?;
    // Asked again of what was opened: it may have been swapped in between.
    let meta = file.metadata().map_err(|e| io_failure(path, &e))?;
    check_plain(&meta, path)?;
    Ok(OpenedFile { len: meta.len(), file, resolved: None })
}

/// The same for a name that a folder's listing calls a file: it is only looked at once it is open.
pub(super) fn open_listed(
    folder: &Dir,
    name: &str,
    path: &AliasPath,
) -> Result<OpenedFile, Failure> {
    let file = open_plain(folder, name).map_err(|e| io_failure(path, &e))?;
    let meta = file.metadata().map_err(|e| io_failure(path, &e))?;
    check_plain(&meta, path)?;
    Ok(OpenedFile { len: meta.len(), file, resolved: None })
}

fn check_plain(meta: &Metadata, path: &AliasPath) -> Result<(), Failure> {
    if meta.is_dir() {
        return Err(is_folder(path));
    }
    if meta.is_symlink() {
        return Err(refused(path, "symlink", "it became a link just now"));
    }
    if meta.is_file() { Ok(()) } else { Err(special(path)) }
}

/// The folder `segment` of `folder`; `None` when there is none yet.
fn enter(folder: &Dir, segment: &str, path: &AliasPath) -> Result<Option<Dir>, Failure> {
    match folder.symlink_metadata(segment) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(io_failure(path, &e)),
        Ok(meta) if meta.is_symlink() => Err(through_link(path)),
        Ok(meta) if !meta.is_dir() => {
            let message = format!("{path}: `{segment}` is a file, not a folder");
            Err(Failure::for_model(ErrorCode::Io, message)
                .with_action_for_model("Choose another folder."))
        }
        Ok(_) => match folder.open_dir_nofollow(segment) {
            Ok(dir) => Ok(Some(dir)),
            Err(e) => Err(io_failure(path, &e)),
        },
    }
}

fn through_link(path: &AliasPath) -> Failure {
    refused(path, "symlink", "writes through a link are refused")
        .with_action_for_model("Write to the file the link points to, by its own path.")
}

fn existing(folder: &Dir, name: &str, path: &AliasPath) -> Result<Option<Existing>, Failure> {
    match folder.symlink_metadata(name) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(io_failure(path, &e)),
        Ok(meta) if meta.is_symlink() => return Err(through_link(path)),
        Ok(_) => {}
    }
    let opened = open_checked(folder, name, path)?;
    let meta = opened.file.metadata().map_err(|e| io_failure(path, &e))?;
    if meta.nlink() > 1 {
        return Err(hard_link(path));
    }
    Ok(Some(Existing { len: meta.len(), permissions: meta.permissions(), file: opened.file }))
}
