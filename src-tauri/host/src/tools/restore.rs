//! The files of a `workflow.rewind`: each goes back to what it was, if it still is what the
//! runtime left (spec 03). What is overwritten or removed is kept in the checkpoints first, so a
//! rewind loses nothing and a later one can bring it back.
//!
//! File by file, each in one step: after a crash the hashes say which are done, and the rest is
//! done then.

use cap_fs_ext::MetadataExt as _;
use cap_std::fs::File;
use kernel::code::{ErrorCode, Failure};
use kernel::effect::{Began, Permit, PreImage, Settled};
use kernel::path::AliasPath;
use kernel::restore::{
    Conflict, ConflictReason, FileChange, Restore, RestoreFile, Restored, RestoredFile,
};
use kernel::text::folded;
use kernel::tool::{self, delete::Args};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Seek as _;

use super::access::{Access, Existing, WriteTarget};
use super::checkpoints::{Checkpoints, KeepsMany, WouldKeep};
use super::delete;
use super::in_the_way;
use super::many;
use super::mounts::io_failure;
use super::secrets::is_secret;
use super::stream::hash;
use super::write;
use crate::atomic;
use crate::crash::{Point, point};

/// A file as it is now.
struct RestoreTarget {
    target: WriteTarget,
    /// SHA-256; `None` when there is no file.
    sha256: Option<String>,
}

/// Who keeps the bytes that will be replaced or removed.
trait Keeps {
    /// Keeps the bytes of a content with this hash and length; whether they are kept.
    fn keep(&mut self, content: File, sha256: &str, bytes: u64) -> Result<bool, Failure>;
    /// Whether the bytes with this hash are kept.
    fn holds(&self, sha256: &str) -> bool;
    /// Makes sure that they stay kept.
    fn sync(&mut self) -> Result<(), Failure>;
}

impl Keeps for KeepsMany<'_> {
    fn keep(&mut self, content: File, sha256: &str, bytes: u64) -> Result<bool, Failure> {
        KeepsMany::keep(self, content, sha256, bytes)
    }

    fn holds(&self, sha256: &str) -> bool {
        self.checkpoints().holds(sha256)
    }

    fn sync(&mut self) -> Result<(), Failure> {
        self.write()?;
        self.checkpoints().sync()
    }
}

/// For who only looks: what would be kept.
impl Keeps for WouldKeep<'_> {
    fn keep(&mut self, content: File, sha256: &str, bytes: u64) -> Result<bool, Failure> {
        self.would_keep(content, sha256, bytes)
    }

    fn holds(&self, sha256: &str) -> bool {
        self.would_hold(sha256)
    }

    fn sync(&mut self) -> Result<(), Failure> {
        Ok(())
    }
}

/// Finds out which files can go back. Changes nothing in the project; what would be lost is kept.
pub(super) fn prepare(
    access: &mut Access<'_>,
    permit: &Permit,
    checkpoints: &Checkpoints,
) -> Result<Began, Failure> {
    find_out(access, permit, KeepsMany::of(checkpoints))
}

/// The same for who only looks: nothing is kept.
pub(super) fn look(
    access: &mut Access<'_>,
    permit: &Permit,
    checkpoints: &Checkpoints,
) -> Result<Began, Failure> {
    find_out(access, permit, WouldKeep::of(checkpoints))
}

fn find_out(
    access: &mut Access<'_>,
    permit: &Permit,
    mut checkpoints: impl Keeps,
) -> Result<Began, Failure> {
    let (mut restore, mut pre_images) = (Restore::default(), Vec::new());
    let mut out_of_reach = Vec::new();
    let twice = named_twice(access, permit.restore());
    for file in permit.restore() {
        if twice.contains(&&file.path) {
            restore.conflicts.push(spelling(&file.path));
            continue;
        }
        match target_now(access, &file.path) {
            Err(failure) => out_of_reach.push((file, failure)),
            Ok(now) if now.sha256 == file.goal => {}
            Ok(now) if !file.overwrite && !file.ours.contains(&now.sha256) => {
                restore.conflicts.push(because(&file.path, ConflictReason::Changed));
            }
            Ok(now) => match keep(&mut checkpoints, &file.path, &now)? {
                // What cannot be brought back again is not taken away.
                Some(image) if !image.kept => {
                    restore.conflicts.push(because(&file.path, ConflictReason::NotKept));
                }
                image => {
                    pre_images.extend(image);
                    restore.files.push(change(file, now.sha256));
                }
            },
        }
    }
    for (file, failure) in out_of_reach {
        // A file that goes may stand where the folder was, or such files are all that is in a folder
        // where the file was.
        let goes = |path: &AliasPath| {
            restore.files.iter().any(|it| it.post_hash.is_none() && it.path == *path)
        };
        let is_free_then =
            restore.files.iter().any(|it| goes(&it.path) && is_below(&file.path, &it.path))
                || in_the_way::will_be_empty(access, &file.path, goes);
        if file.ours.contains(&None) && is_free_then {
            restore.files.push(change(file, None));
        } else {
            restore.conflicts.push(conflict(&file.path, &failure));
        }
    }
    checkpoints.sync()?;
    // Only now: what a moved file was lies where it was moved to, and was kept just before.
    let is_kept = |file: &FileChange| file.post_hash.as_ref().is_none_or(|h| checkpoints.holds(h));
    let (files, lost): (Vec<_>, Vec<_>) = restore.files.into_iter().partition(is_kept);
    pre_images.retain(|image| files.iter().any(|file| file.path == image.path));
    let lost = lost.into_iter().map(|file| because(&file.path, ConflictReason::NotKept));
    restore.conflicts.extend(lost);
    restore.conflicts.sort_by(|a, b| a.path.cmp(&b.path));
    restore.files = files;
    Ok(Began { pre_images, restore: Some(Box::new(restore)), ..Began::default() })
}

fn is_below(path: &AliasPath, above: &AliasPath) -> bool {
    path != above && path.is_within(above)
}

fn change(file: &RestoreFile, now: Option<String>) -> FileChange {
    let replaces_others = !file.ours.contains(&now);
    let (path, post_hash) = (file.path.clone(), file.goal.clone());
    FileChange { path, pre_hash: now, post_hash, replaces_others }
}

/// Keeps the bytes that will be replaced or removed. Those of secrets never are.
fn keep(
    checkpoints: &mut impl Keeps,
    path: &AliasPath,
    now: &RestoreTarget,
) -> Result<Option<PreImage>, Failure> {
    let (Some(existing), Some(sha256)) = (&now.target.existing, &now.sha256) else {
        return Ok(None);
    };
    let bytes = existing.len;
    let kept = !is_secret(path.rel()) && {
        let mut file = existing.file.try_clone().map_err(|e| io_failure(path, &e))?;
        file.rewind().map_err(|e| io_failure(path, &e))?;
        checkpoints.keep(file, sha256, bytes)?
    };
    Ok(Some(PreImage { path: path.clone(), sha256: sha256.clone(), bytes, kept }))
}

/// On disks that do not tell `a` from `A`, two paths can be one file: one of them would take away
/// what the other brought back.
fn named_twice<'p>(access: &mut Access<'_>, files: &'p [RestoreFile]) -> Vec<&'p AliasPath> {
    let mut by_file: BTreeMap<(u64, u64), Vec<&AliasPath>> = BTreeMap::new();
    for RestoreFile { path, .. } in files {
        let existing = access.locate(path).ok().and_then(|target| target.existing);
        if let Some(meta) = existing.and_then(|existing| existing.file.metadata().ok()) {
            by_file.entry((meta.dev(), meta.ino())).or_default().push(path);
        }
    }
    by_file.into_values().filter(|paths| paths.len() > 1).flatten().collect()
}

fn spelling(path: &AliasPath) -> Conflict {
    let message = Some(format!("{path}: only the spelling of its name changed"));
    Conflict { path: path.clone(), reason: ConflictReason::Failed, message }
}

/// Brings the files back. One that is not what was journaled any more stays, and is reported.
pub(super) fn perform(
    access: &mut Access<'_>,
    permit: &Permit,
    began: &Began,
    checkpoints: &Checkpoints,
) -> Restored {
    let restore = began.restore.as_deref().cloned().unwrap_or_default();
    let mut done = Restored { restored: Vec::new(), conflicts: restore.conflicts };
    // What comes back comes before what goes: nothing is nowhere in between. Only what stands where
    // a folder or a file was has to go first.
    let (back, gone): (Vec<_>, Vec<_>) =
        restore.files.iter().partition(|file| file.post_hash.is_some());
    let goes_first = |file: &&FileChange| {
        back.iter().any(|it| is_below(&it.path, &file.path) || is_below(&file.path, &it.path))
    };
    let (first, last): (Vec<_>, Vec<_>) = gone.into_iter().partition(goes_first);
    let bring = |access: &mut Access<'_>, file: &&FileChange| {
        // Before a crash it went with the folder in whose place a file is again.
        let mut above = back.iter().filter(|it| is_below(&file.path, &it.path));
        let went = file.post_hash.is_none() && above.any(|it| is_back(access, it));
        let brought = if went { Ok(()) } else { bring_back(access, permit, file, checkpoints) };
        point(Point::AfterRestoredFile);
        brought
    };
    // Two names that some disk takes for one come one after the other.
    let mut names = BTreeSet::new();
    let (back_at_once, back_after): (Vec<_>, Vec<_>) =
        back.iter().partition(|file| names.insert(folded(file.path.rel())));
    let one_by_one = |access: &mut Access<'_>, files: &[&FileChange]| -> Vec<_> {
        files.iter().map(|file| bring(access, file)).collect()
    };
    let mut brought = one_by_one(access, &first);
    brought.extend(many::each(&back_at_once, access, Access::again, bring));
    brought.extend(one_by_one(access, &back_after));
    brought.extend(one_by_one(access, &last));
    let files = first.iter().chain(&back_at_once).chain(&back_after).chain(&last);
    for (file, brought) in files.zip(brought) {
        match brought {
            Ok(()) => done.restored.push(RestoredFile {
                path: file.path.clone(),
                sha256: file.post_hash.clone(),
                removed: file.post_hash.is_none(),
            }),
            Err(conflict) => done.conflicts.push(conflict),
        }
    }
    done.restored.sort_by(|a, b| a.path.cmp(&b.path));
    done.conflicts.sort_by(|a, b| a.path.cmp(&b.path));
    done
}

fn bring_back(
    access: &mut Access<'_>,
    permit: &Permit,
    file: &FileChange,
    checkpoints: &Checkpoints,
) -> Result<(), Conflict> {
    let path = &file.path;
    let failed = |failure: Failure| conflict(path, &failure);
    let now = match target_now(access, path) {
        // What was in the folder has just gone.
        Err(_) if file.pre_hash.is_none() && in_the_way::remove_empty(access, path).is_ok() => {
            target_now(access, path)
        }
        now => now,
    };
    let now = now.map_err(failed)?;
    if now.sha256 == file.post_hash {
        return Ok(());
    }
    if now.sha256 != file.pre_hash {
        return Err(because(path, ConflictReason::Changed));
    }
    let Some(sha256) = &file.post_hash else {
        drop(now);
        return remove(access, permit, file).map_err(failed);
    };
    let bytes = checkpoints.read(sha256).map_err(failed)?;
    let bytes = bytes.ok_or_else(|| because(path, ConflictReason::NotKept))?;
    let WriteTarget { folder, missing, name, existing } = now.target;
    let permissions = existing.map(|existing| existing.permissions);
    atomic::make_folders(folder, &missing)
        .and_then(|folder| atomic::replace(&folder, &name, &bytes, permissions))
        .map_err(|e| failed(io_failure(path, &e)))
}

/// Takes a file away as `fs.delete` does.
fn remove(access: &mut Access<'_>, permit: &Permit, file: &FileChange) -> Result<(), Failure> {
    let began = removal(file);
    let args = Args { path: file.path.to_string(), recursive: None, if_match_sha256: None };
    let plan = delete::plan(access, &file.path, &args)?;
    let aside = delete::aside_name(permit.call_id().as_str(), &file.path, &began);
    plan.commit(access, &file.path, &began, &aside).map(|_| ())
}

fn removal(file: &FileChange) -> Began {
    Began { pre_hash: file.pre_hash.clone(), ..Began::default() }
}

/// What became of a rewind that had begun when the program ended. When one file is done, the
/// others follow now; when none is, it did not happen.
pub(super) fn settle(
    access: &mut Access<'_>,
    permit: &Permit,
    began: &Began,
    checkpoints: &Checkpoints,
) -> Settled {
    let files = began.restore.as_ref().map(|restore| restore.files.clone()).unwrap_or_default();
    let mut done = files.is_empty();
    for file in &files {
        write::sweep(access, &file.path);
        done |= is_done(access, permit, file);
    }
    if done {
        Settled::Happened(tool::done(&perform(access, permit, began, checkpoints)))
    } else {
        Settled::NotHappened
    }
}

fn is_done(access: &mut Access<'_>, permit: &Permit, file: &FileChange) -> bool {
    if file.post_hash.is_some() {
        return is_back(access, file);
    }
    let began = removal(file);
    let aside = delete::aside_name(permit.call_id().as_str(), &file.path, &began);
    let settled = delete::settle(access, &file.path, &began, &aside);
    // It is gone, too, when its folder is.
    matches!(settled, Ok(Settled::Happened(_) | Settled::Foreign(None)))
}

fn is_back(access: &mut Access<'_>, file: &FileChange) -> bool {
    target_now(access, &file.path).is_ok_and(|now| now.sha256 == file.post_hash)
}

fn target_now(access: &mut Access<'_>, path: &AliasPath) -> Result<RestoreTarget, Failure> {
    if !access.policy().fs_enabled {
        let message = format!("{path}: file tools are switched off");
        return Err(Failure::for_model(ErrorCode::ToolNotAvailable, message));
    }
    let target = access.locate(path)?;
    let Some(Existing { file, permissions, .. }) = &target.existing else {
        return Ok(RestoreTarget { target, sha256: None });
    };
    if permissions.readonly() {
        return Err(Failure::for_model(
            ErrorCode::SandboxViolation,
            format!("{path} is read only"),
        ));
    }
    let file = file.try_clone().map_err(|e| io_failure(path, &e))?;
    let sha256 = Some(hash(file, path, access.cancel(), |_| Ok(()))?);
    Ok(RestoreTarget { target, sha256 })
}

fn because(path: &AliasPath, reason: ConflictReason) -> Conflict {
    Conflict { path: path.clone(), reason, message: None }
}

fn conflict(path: &AliasPath, failure: &Failure) -> Conflict {
    use ErrorCode as E;
    let reason = match failure.code {
        E::SandboxViolation | E::SecretFile | E::ToolNotAvailable => ConflictReason::NotAllowed,
        E::PreconditionFailed => ConflictReason::Changed,
        _ => ConflictReason::Failed,
    };
    Conflict { path: path.clone(), reason, message: Some(failure.message.clone()) }
}
