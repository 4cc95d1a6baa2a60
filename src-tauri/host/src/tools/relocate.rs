//! `fs.move`: one rename that overwrites nothing.

use cap_fs_ext::MetadataExt as _;
use kernel::bounds::{WHOLE_BYTES, size};
use kernel::code::{ErrorCode, Failure};
use kernel::effect::{Began, PreImage, Settled};
use kernel::path::{AliasPath, Mount};
use kernel::phrase::changes;
use kernel::text::{folded, sha256_hex};
use kernel::tool::move_::{Moved, Output};
use kernel::tool::{Lost, done};
use kernel::write_scope::starts_by_itself;
use serde_json::json;
use std::io::{self, Read as _};

use super::access::{Access, Landing, MovableEntry};
use super::checkpoints::{Checkpoints, lost};
use super::mounts::io_failure;
use super::preview::{self, ShownChange};
use super::secrets::is_secret;
use super::tree::{ItemKind, Survey, Surveyor, TreeItem, other_mount, same_mount};
use super::write::{changed, open_again};
use crate::atomic::{self, no_replace};
use crate::crash::{Point, point};

/// What a move would do.
pub(super) struct MovePlan {
    entry: MovableEntry,
    landing: Landing,
    survey: Survey,
    /// The two names are one file on this disk: only its spelling changes.
    respelled: bool,
}

/// Plans `fs.move`.
pub(super) fn plan(
    access: &mut Access<'_>,
    from: &AliasPath,
    to: &AliasPath,
) -> Result<MovePlan, Failure> {
    if from == to {
        return Err(invalid(&format!("{from} is already there")));
    }
    let entry = access.locate_entry(from)?;
    if to.is_within(from) {
        return Err(invalid(&format!("{from} cannot be moved into itself")));
    }
    access.check_change(to, Some(entry.meta.is_dir()))?;
    let landing = access.landing(to)?;
    let respelled = is_respelling(&entry, &landing, from, to);
    if landing.existing.is_some() && !respelled {
        return Err(Failure::for_model(ErrorCode::AlreadyExists, format!("{to} exists already"))
            .with_action_for_model("Choose another name, or delete what is there first."));
    }
    if !same_mount(&entry, &landing.folder) {
        return Err(other_mount(to));
    }
    let survey = Surveyor { access, to: Some(to) }.survey(&entry.folder, &entry.name, from)?;
    if entry.meta.is_dir() {
        starts_nothing(&survey, from, to)?;
    }
    Ok(MovePlan { entry, landing, survey, respelled })
}

/// A file below the folder that moves: its name there, and where it will lie.
fn landing_of<'i>(
    item: &'i TreeItem,
    from: &AliasPath,
    to: &AliasPath,
) -> Result<(&'i str, AliasPath), Failure> {
    let rest = item.path.rel().strip_prefix(from.rel()).unwrap_or_default().trim_start_matches('/');
    let lands = to.join(rest).map_err(|why| invalid(&format!("{}: {why}", item.path)))?;
    Ok((rest, lands))
}

/// The dialog of a folder's move lists files and shows no content. So the folder's new name must not
/// make of one what other programs start by themselves. What is that by its name in the folder was
/// so before, and moves along.
fn starts_nothing(survey: &Survey, from: &AliasPath, to: &AliasPath) -> Result<(), Failure> {
    for item in survey.items.iter().filter(|item| item.kind != ItemKind::Folder) {
        let (rest, lands) = landing_of(item, from, to)?;
        let alone = AliasPath::new(Mount::Project, rest);
        if starts_by_itself(&lands) && !alone.is_ok_and(|alone| starts_by_itself(&alone)) {
            let message = format!("{lands}: other programs would start it by themselves there");
            return Err(Failure::for_model(ErrorCode::SelfStarting, message)
                .with_details(json!({ "path": lands }))
                .with_action_for_model(
                    "Move the files one by one: the user is shown the content of each.",
                ));
        }
    }
    Ok(())
}

fn invalid(message: &str) -> Failure {
    Failure::for_model(ErrorCode::InvalidArgs, message)
        .with_action_for_model("Name another place in `to`.")
}

/// On disks that do not tell `a` from `A`, the new name finds the old file.
fn is_respelling(
    entry: &MovableEntry,
    landing: &Landing,
    from: &AliasPath,
    to: &AliasPath,
) -> bool {
    let same = |meta: &cap_std::fs::Metadata| {
        meta.ino() == entry.meta.ino() && meta.dev() == entry.meta.dev()
    };
    folded(from.rel()) == folded(to.rel()) && landing.existing.as_ref().is_some_and(same)
}

impl MovePlan {
    /// What is journaled; with `checkpoints` a file's bytes are kept first. Those of a folder's
    /// files are not: none of them changes. They are named, so that a rewind finds them.
    pub(super) fn began(
        &self,
        access: &mut Access<'_>,
        checkpoints: Option<&Checkpoints>,
    ) -> Result<Began, Failure> {
        let mut pre_images = Vec::new();
        if self.entry.meta.is_dir() {
            let files = self.survey.items.iter().filter(|item| item.kind != ItemKind::Folder);
            pre_images.extend(files.map(|item| PreImage {
                path: item.path.clone(),
                sha256: item.sha256.clone(),
                bytes: item.bytes,
                kept: false,
            }));
        } else if let [item] = self.survey.items.as_slice() {
            let kept = match checkpoints.filter(|_| !is_secret(item.path.rel())) {
                Some(checkpoints) => {
                    let file = open_again(access, &item.path)?;
                    let kept = checkpoints.keep(file, &item.sha256, item.bytes)?;
                    checkpoints.sync()?;
                    kept
                }
                None => false,
            };
            let (path, sha256) = (item.path.clone(), item.sha256.clone());
            pre_images.push(PreImage { path, sha256, bytes: item.bytes, kept });
        }
        let hash = Some(self.survey.hash.clone());
        Ok(Began { pre_hash: hash.clone(), post_hash: hash, pre_images, restore: None })
    }

    /// What a person is shown of it: the text of a file, which may lie where nobody read it before;
    /// of a folder the names of its files.
    pub(super) fn shown(
        &self,
        access: &mut Access<'_>,
        from: &AliasPath,
        to: &AliasPath,
    ) -> Result<ShownChange, Failure> {
        Ok(match (self.text(access, from, to)?, self.entry.meta.is_dir()) {
            (Some(names), true) => {
                let held = match names.lines().count() {
                    1 => changes::holds_one_file(),
                    files => changes::holds_files(files),
                };
                preview::arrival(to, held, &names)
            }
            (Some(text), false) => {
                preview::arrival(to, changes::holds_lines(text.lines().count()), &text)
            }
            (None, _) => {
                let unshown = changes::holds_unshown_content(size(self.survey.bytes()));
                let parts = vec![changes::moves(to), unshown];
                ShownChange { parts, cut: true, ..ShownChange::default() }
            }
        })
    }

    /// The text that comes to lie at `to`, or the names of the files; `None` of a file that is no
    /// text, or longer than anybody is shown.
    pub(super) fn text(
        &self,
        access: &mut Access<'_>,
        from: &AliasPath,
        to: &AliasPath,
    ) -> Result<Option<String>, Failure> {
        let files = self.survey.items.iter().filter(|item| item.kind != ItemKind::Folder);
        if self.entry.meta.is_dir() {
            let names = files.map(|item| Ok(format!("{}\n", landing_of(item, from, to)?.1)));
            return names.collect::<Result<String, Failure>>().map(Some);
        }
        if self.survey.bytes() > WHOLE_BYTES as u64 {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        let file = open_again(access, from)?;
        let read = file.take(WHOLE_BYTES as u64 + 1).read_to_end(&mut bytes);
        read.map_err(|e| io_failure(from, &e))?;
        // What is shown has the hash that is approved.
        if sha256_hex(&bytes) != self.survey.hash {
            return Err(changed(from, Some(&self.survey.hash), None));
        }
        let text = std::str::from_utf8(&bytes).ok().filter(|text| !text.contains('\0'));
        Ok(text.map(|text| access.lens(to).shown(text).into_owned()))
    }

    /// Carries it out, if it is still what was journaled.
    pub(super) fn commit(
        self,
        access: &mut Access<'_>,
        from: &AliasPath,
        to: &AliasPath,
        began: &Began,
    ) -> Result<Output, Failure> {
        let Self { entry, landing, survey, respelled } = self;
        if Some(&survey.hash) != began.pre_hash.as_ref() {
            return Err(changed(from, began.pre_hash.as_deref(), Some(&survey.hash)));
        }
        let Landing { folder, missing, name, .. } = landing;
        let target = atomic::make_folders(folder, &missing).map_err(|e| io_failure(to, &e))?;
        point(Point::BeforeMove);
        let renamed = if respelled {
            entry.folder.rename(&entry.name, &target, &name)
        } else {
            no_replace(&entry.folder, &entry.name, &target, &name)
        };
        renamed.map_err(|e| rename_failure(to, &e))?;
        point(Point::AfterMove);
        // Looked at again: it may have been swapped just before.
        let now = Surveyor { access, to: None }.survey(&target, &name, to);
        let unchanged = now.is_ok_and(|now| now.hash == survey.hash);
        if !unchanged && no_replace(&target, &name, &entry.folder, &entry.name).is_ok() {
            return Err(changed(from, began.pre_hash.as_deref(), None));
        }
        let synced = atomic::sync(&target).and_then(|()| atomic::sync(&entry.folder));
        synced.map_err(|e| io_failure(to, &e))?;
        let is_dir = entry.meta.is_dir();
        // The files of a folder are where it was moved to.
        let lost = if is_dir { Lost::default() } else { lost(began) };
        let files = is_dir.then(|| survey.count(ItemKind::File));
        Ok(Output { lost, ..answer(from, to, &survey.hash, files) })
    }
}

fn rename_failure(to: &AliasPath, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty => {
            Failure::for_model(ErrorCode::AlreadyExists, format!("{to} exists already"))
                .with_action_for_model("Choose another name, or delete what is there first.")
        }
        io::ErrorKind::CrossesDevices => other_mount(to),
        _ => io_failure(to, error),
    }
}

fn answer(from: &AliasPath, to: &AliasPath, hash: &str, files: Option<usize>) -> Output {
    Output {
        path: from.clone(),
        to: to.clone(),
        moved: if files.is_some() { Moved::Folder } else { Moved::File },
        files,
        sha256: files.is_none().then(|| hash.to_owned()),
        recovered: false,
        lost: Lost::default(),
    }
}

/// What became of a move that had begun when the program ended.
pub(super) fn settle(
    access: &mut Access<'_>,
    from: &AliasPath,
    to: &AliasPath,
    began: &Began,
) -> Result<Settled, Failure> {
    let old = survey_if_there(access, from)?;
    let new = survey_if_there(access, to)?;
    let is_it = |found: &Option<(Survey, bool)>| {
        found.as_ref().is_some_and(|(now, _)| Some(&now.hash) == began.pre_hash.as_ref())
    };
    Ok(match (&old, &new) {
        (None, Some((now, is_dir))) if is_it(&new) => {
            let output = answer(from, to, &now.hash, is_dir.then(|| now.count(ItemKind::File)));
            let lost = if *is_dir { Lost::default() } else { lost(began) };
            Settled::Happened(done(&Output { recovered: true, lost, ..output }))
        }
        (Some(_), None) if is_it(&old) => Settled::NotHappened,
        _ => Settled::Foreign(old.or(new).map(|(now, _)| now.hash)),
    })
}

/// What lies at `path` under exactly this spelling.
fn survey_if_there(
    access: &mut Access<'_>,
    path: &AliasPath,
) -> Result<Option<(Survey, bool)>, Failure> {
    let Some((folder, name)) = access.locate_parent(path)? else { return Ok(None) };
    let Ok(meta) = folder.symlink_metadata(&name) else { return Ok(None) };
    let mut names = folder.entries().map_err(|e| io_failure(path, &e))?;
    if !names.any(|entry| entry.is_ok_and(|entry| entry.file_name() == name.as_str())) {
        return Ok(None);
    }
    let survey = Surveyor { access, to: None }.survey(&folder, &name, path)?;
    Ok(Some((survey, meta.is_dir())))
}
