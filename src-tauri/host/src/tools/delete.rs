//! `fs.delete`: what goes is first renamed aside, in one step, then looked at once more, then
//! removed. So nobody's newer file is lost, and after a crash it is there or gone, never half.

use cap_std::fs::Dir;
use kernel::code::{ErrorCode, Failure};
use kernel::effect::{Began, PreImage, Settled};
use kernel::path::AliasPath;
use kernel::text::{prefix, sha256_hex};
use kernel::tool::delete::{Args, Deleted, Output};
use kernel::tool::{Lost, done};
use serde_json::json;
use std::io;

use super::access::{Access, MovableEntry};
use super::checkpoints::{Checkpoints, lost};
use super::mounts::io_failure;
use super::secrets::is_secret;
use super::tree::{ItemKind, Survey, Surveyor};
use super::write::{changed, check_match, open_again};
use crate::atomic::{self, no_replace};
use crate::crash::{Point, point};

/// What a deletion would do.
pub(super) struct DeletePlan {
    entry: MovableEntry,
    survey: Survey,
}

/// Plans `fs.delete`.
pub(super) fn plan(
    access: &mut Access<'_>,
    path: &AliasPath,
    args: &Args,
) -> Result<DeletePlan, Failure> {
    let entry = access.locate_entry(path)?;
    let survey = Surveyor { access, to: None }.survey(&entry.folder, &entry.name, path)?;
    let folder = entry.meta.is_dir();
    if folder && !survey.items.is_empty() && args.recursive != Some(true) {
        let message = format!("{path} is a folder with {} entries", survey.items.len());
        return Err(Failure::for_model(ErrorCode::NotEmpty, message)
            .with_details(json!({ "entries": survey.items.len() }))
            .with_action_for_model("Send recursive: true to delete it with everything in it."));
    }
    check_match(
        path,
        args.if_match_sha256.as_deref(),
        Some(&survey.hash).filter(|_| !folder).map(String::as_str),
    )?;
    Ok(DeletePlan { entry, survey })
}

impl DeletePlan {
    /// What is journaled; with `checkpoints` each file's bytes are kept first.
    pub(super) fn began(
        &self,
        access: &mut Access<'_>,
        checkpoints: Option<&Checkpoints>,
    ) -> Result<Began, Failure> {
        let mut pre_images = Vec::new();
        for item in self.survey.items.iter().filter(|item| item.kind != ItemKind::Folder) {
            let may = item.kind == ItemKind::File && !is_secret(item.path.rel());
            let kept = match checkpoints.filter(|_| may) {
                Some(checkpoints) => {
                    let file = open_again(access, &item.path)?;
                    checkpoints.keep(file, &item.sha256, item.bytes)?
                }
                None => false,
            };
            let (path, sha256) = (item.path.clone(), item.sha256.clone());
            pre_images.push(PreImage { path, sha256, bytes: item.bytes, kept });
        }
        checkpoints.map_or(Ok(()), Checkpoints::sync)?;
        let pre_hash = Some(self.survey.hash.clone());
        Ok(Began { pre_hash, pre_images, ..Began::default() })
    }

    /// Carries it out, if it is still what was journaled.
    pub(super) fn commit(
        self,
        access: &mut Access<'_>,
        path: &AliasPath,
        began: &Began,
        aside: &str,
    ) -> Result<Output, Failure> {
        let Self { entry, survey } = self;
        if Some(&survey.hash) != began.pre_hash.as_ref() || began.post_hash.is_some() {
            return Err(changed(path, began.pre_hash.as_deref(), Some(&survey.hash)));
        }
        let folder = &entry.folder;
        let io = |e: io::Error| io_failure(path, &e);
        no_replace(folder, &entry.name, folder, aside).map_err(io)?;
        point(Point::AfterDeleteAside);
        atomic::sync(folder).map_err(io)?;
        // Looked at again where nobody looks for it: it may have been swapped just before.
        let now = Surveyor { access, to: None }.survey(folder, aside, path);
        if !now.as_ref().is_ok_and(|now| now.hash == survey.hash) {
            return Err(put_back(folder, aside, &entry.name, path, began));
        }
        point(Point::BeforeRemoval);
        let left = remove(folder, aside).err();
        point(Point::AfterRemoval);
        let leftover = left.map(|_| beside(path, aside));
        let answer = answer(path, &survey, entry.meta.is_dir());
        Ok(Output { leftover, lost: lost(began), ..answer })
    }
}

/// The name under which what a call deletes waits for its removal.
pub(super) fn aside_name(call_id: &str, path: &AliasPath, began: &Began) -> String {
    let key = format!("{call_id}\n{path}\n{}", began.pre_hash.as_deref().unwrap_or_default());
    format!(".crewagent-{}.deleted", prefix(&sha256_hex(key.as_bytes()), 16))
}

fn beside(path: &AliasPath, name: &str) -> String {
    let folder = path.rel().rsplit_once('/').map_or("", |(folder, _)| folder);
    let slash = if folder.is_empty() { "" } else { "/" };
    format!("{}/{folder}{slash}{name}", path.mount().alias())
}

fn remove(folder: &Dir, name: &str) -> io::Result<()> {
    if folder.symlink_metadata(name)?.is_dir() {
        folder.remove_dir_all(name)?;
    } else {
        folder.remove_file(name)?;
    }
    atomic::sync(folder)
}

/// Somebody else's version comes back to its place, or stays where it can be found.
fn put_back(folder: &Dir, aside: &str, name: &str, path: &AliasPath, began: &Began) -> Failure {
    let back = no_replace(folder, aside, folder, name).and_then(|()| atomic::sync(folder));
    let failure = changed(path, began.pre_hash.as_deref(), None);
    if back.is_ok() {
        return failure;
    }
    let place = beside(path, aside);
    let message = format!("{}; what was there is kept as {place}", failure.message);
    Failure { message, ..failure }
}

fn answer(path: &AliasPath, survey: &Survey, is_dir: bool) -> Output {
    let files = || survey.count(ItemKind::File) + survey.count(ItemKind::Link);
    Output {
        path: path.clone(),
        deleted: if is_dir { Deleted::Folder } else { Deleted::File },
        files: is_dir.then(files),
        folders: is_dir.then(|| survey.count(ItemKind::Folder)),
        sha256_before: (!is_dir).then(|| survey.hash.clone()),
        bytes: survey.bytes(),
        leftover: None,
        recovered: false,
        lost: Lost::default(),
    }
}

/// What became of a deletion that had begun when the program ended. What lies aside is removed
/// when it is what was journaled, or what is left of it; anything else comes back.
pub(super) fn settle(
    access: &mut Access<'_>,
    path: &AliasPath,
    began: &Began,
    aside: &str,
) -> Result<Settled, Failure> {
    let Some((folder, name)) = access.locate_parent(path)? else {
        return Ok(Settled::Foreign(None));
    };
    let is_there = |name: &str| folder.symlink_metadata(name).is_ok();
    match (is_there(&name), is_there(aside)) {
        (true, aside_too) => {
            let now = Surveyor { access, to: None }.survey(&folder, &name, path)?;
            let same = Some(&now.hash) == began.pre_hash.as_ref() && !aside_too;
            Ok(if same { Settled::NotHappened } else { Settled::Foreign(Some(now.hash)) })
        }
        (false, false) => Ok(Settled::Happened(done(&recovered(path, began)))),
        (false, true) => {
            let now = Surveyor { access, to: None }.survey(&folder, aside, path)?;
            if Some(&now.hash) == began.pre_hash.as_ref() || is_rest(&now, began) {
                remove(&folder, aside).map_err(|e| io_failure(path, &e))?;
                return Ok(Settled::Happened(done(&recovered(path, began))));
            }
            put_back(&folder, aside, &name, path, began);
            Ok(Settled::Foreign(Some(now.hash)))
        }
    }
}

/// Whether everything there was journaled: then its removal had begun.
fn is_rest(now: &Survey, began: &Began) -> bool {
    let known = |path: &AliasPath, sha256: &str| {
        began.pre_images.iter().any(|image| image.path == *path && image.sha256 == sha256)
    };
    let mut files = now.items.iter().filter(|item| item.kind != ItemKind::Folder);
    files.all(|item| known(&item.path, &item.sha256))
}

/// What [`answer`] said, or would have said, less the number of folders: nobody wrote that down.
fn recovered(path: &AliasPath, began: &Began) -> Output {
    let images = &began.pre_images;
    let file = match images.as_slice() {
        [image] if image.path == *path => Some(image),
        _ => None,
    };
    Output {
        path: path.clone(),
        deleted: if file.is_some() { Deleted::File } else { Deleted::Folder },
        files: file.is_none().then_some(images.len()),
        folders: None,
        sha256_before: file.map(|image| image.sha256.clone()),
        bytes: images.iter().map(|image| image.bytes).sum(),
        leftover: None,
        recovered: true,
        lost: lost(began),
    }
}
