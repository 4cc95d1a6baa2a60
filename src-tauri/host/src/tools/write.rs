//! `fs.write` and `fs.apply_patch`: first a plan that changes nothing, then its commit.

use cap_fs_ext::MetadataExt as _;
use cap_std::fs::{Dir, File};
use kernel::code::{ErrorCode, Failure};
use kernel::diff;
use kernel::effect::{Began, PreImage, Settled};
use kernel::facts::Verification;
use kernel::path::AliasPath;
use kernel::text::sha256_hex;
use kernel::tool::done;
use kernel::tool::patch::Args as PatchArgs;
use kernel::tool::write::{Args as WriteArgs, DiffStat, Output, WriteMode};
use serde_json::json;
use std::io::{Read as _, Seek as _};
use tokio_util::sync::CancellationToken;

use super::access::{Access, Existing, WriteTarget};
use super::checkpoints::{Checkpoints, lost};
use super::mounts::io_failure;
use super::patch::{self, LineEnds, Patched};
use super::preview::{self, ShownChange};
use super::secrets::is_secret;
use super::stream::hash;
use super::verify;
use crate::atomic;
use crate::keys;
use crate::known_keys;
use crate::redact::Lens;

/// What a write would do.
pub(super) struct WritePlan {
    target: WriteTarget,
    pre_hash: Option<String>,
    post_hash: String,
    /// The bytes before; `None` when there is no file, or when it is over the limit.
    before: Option<Vec<u8>>,
    after: Vec<u8>,
    diffstat: Option<DiffStat>,
    /// The content was given the file's own CRLF line ends.
    crlf: bool,
    /// What a patch did; its text is `after`.
    patched: Option<Patched>,
    check: WriteCheck,
}

/// How a write is verified.
#[derive(Default)]
pub(super) struct WriteCheck {
    wanted: bool,
    scope: Option<String>,
}

impl WriteCheck {
    /// Of a write.
    pub(super) fn of_write(args: &kernel::tool::write::Args, usual: bool) -> Self {
        Self::asked(args.verify_after_write, args.verification_scope.as_ref(), usual)
    }

    /// Of a patch.
    pub(super) fn of_patch(args: &kernel::tool::patch::Args, usual: bool) -> Self {
        Self::asked(args.verify_after_write, args.verification_scope.as_ref(), usual)
    }

    /// As a call asks for it; `usual` where it does not say.
    fn asked(wanted: Option<bool>, scope: Option<&String>, usual: bool) -> Self {
        Self { wanted: wanted.unwrap_or(usual), scope: scope.cloned() }
    }

    /// Reads the written file back, when that is asked for.
    fn done(
        &self,
        access: &mut Access<'_>,
        path: &AliasPath,
        sha256: &str,
    ) -> Option<Verification> {
        let scope = self.scope.as_deref();
        self.wanted.then(|| verify::after_write(access, path, scope, sha256))
    }
}

impl WritePlan {
    /// What is journaled; with `checkpoints` the bytes that are replaced are kept first.
    pub(super) fn began(
        &self,
        path: &AliasPath,
        checkpoints: Option<&Checkpoints>,
    ) -> Result<Began, Failure> {
        let post_hash = Some(self.post_hash.clone());
        let replaces = self.target.existing.as_ref().filter(|_| self.pre_hash != post_hash);
        let mut pre_images = Vec::new();
        if let (Some(existing), Some(sha256)) = (replaces, &self.pre_hash) {
            let bytes = self.before.as_ref().map_or(existing.len, |bytes| bytes.len() as u64);
            let kept = match checkpoints.filter(|_| !is_secret(path.rel())) {
                Some(checkpoints) => {
                    let kept = match &self.before {
                        Some(before) => checkpoints.keep(before.as_slice(), sha256, bytes)?,
                        None => checkpoints.keep(rewound(existing, path)?, sha256, bytes)?,
                    };
                    checkpoints.sync()?;
                    kept
                }
                None => false,
            };
            let (path, sha256) = (path.clone(), sha256.clone());
            pre_images.push(PreImage { path, sha256, bytes, kept });
        }
        Ok(Began { pre_hash: self.pre_hash.clone(), post_hash, pre_images, restore: None })
    }

    /// What a person is shown of it: what it does, and the diff.
    pub(super) fn shown(&self, path: &AliasPath, lens: Lens<'_>) -> ShownChange {
        let existed = self.pre_hash.is_some();
        preview::describe(path, lens, existed, self.before.as_deref(), &self.after)
    }

    /// The file before and after, as a person is shown it; `None` when one of the two is no text.
    pub(super) fn texts(&self, lens: Lens<'_>) -> Option<(String, String)> {
        preview::texts(lens, self.before.as_deref(), &self.after)
    }

    /// Refuses when the file, and so what the write would make of it, is not what was journaled.
    pub(super) fn require(&self, path: &AliasPath, began: &Began) -> Result<(), Failure> {
        if self.pre_hash == began.pre_hash && Some(&self.post_hash) == began.post_hash.as_ref() {
            return Ok(());
        }
        Err(changed(path, began.pre_hash.as_deref(), self.pre_hash.as_deref()))
    }

    /// What a dry run answers: nothing is written.
    pub(super) fn preview(&self, path: &AliasPath, lens: Lens<'_>) -> Output {
        let texts = self.before.as_deref().map(std::str::from_utf8);
        let diff = match (texts, std::str::from_utf8(&self.after)) {
            (Some(Ok(old)), Ok(new)) => {
                let (old, new) = (lens.shown(old), lens.shown(new));
                Some(diff::unified(&path.to_string(), &old, &new, DIFF_BYTES).text)
            }
            _ => None,
        };
        Output { dry_run: true, diff, ..self.output(path) }
    }

    /// What a write and its dry run both say.
    fn output(&self, path: &AliasPath) -> Output {
        let patched = self.patched.as_ref();
        let some = |count: usize| Some(count).filter(|count| *count > 0);
        Output {
            sha256_before: self.pre_hash.clone(),
            created: self.pre_hash.is_none(),
            sha256_after: Some(self.post_hash.clone()),
            noop_write: self.is_noop(),
            diffstat: self.diffstat,
            replaced: patched.and_then(|patched| some(patched.replaced)),
            hunks: patched.and_then(|patched| some(patched.hunks)),
            repaired: patched.map(|patched| patched.repaired.clone()).unwrap_or_default(),
            line_endings: self.crlf.then_some("crlf"),
            ..Output::about(path.clone())
        }
    }

    fn is_noop(&self) -> bool {
        self.pre_hash.as_ref() == Some(&self.post_hash)
    }
}

/// The longest diff a dry run shows, bytes.
const DIFF_BYTES: usize = 20 * 1024;

/// The file from its beginning.
fn rewound(existing: &Existing, path: &AliasPath) -> Result<File, Failure> {
    let mut file = existing.file.try_clone().map_err(|e| io_failure(path, &e))?;
    file.rewind().map_err(|e| io_failure(path, &e))?;
    Ok(file)
}

/// Opens a file that is about to be moved or deleted, to keep its bytes.
pub(super) fn open_again(access: &mut Access<'_>, path: &AliasPath) -> Result<File, Failure> {
    let existing = access.locate(path)?.existing;
    existing.map(|existing| existing.file).ok_or_else(|| changed(path, None, None))
}

/// Plans `fs.write`.
pub(super) fn plan_write(
    access: &mut Access<'_>,
    path: &AliasPath,
    args: &WriteArgs,
    check: WriteCheck,
) -> Result<WritePlan, Failure> {
    let limit = access.policy().max_write_bytes;
    let lens = access.lens(path);
    let given = lens.restored(path, "content", &args.content)?;
    check_size(path, given.len() as u64, limit)?;
    let target = access.locate(path)?;
    let before = read_existing(&target, path, limit, access.cancel())?;
    check_match(path, args.if_match_sha256.as_deref(), before.hash.as_deref())?;
    let append = args.mode == Some(WriteMode::Append);
    if append && before.bytes.is_none() && before.hash.is_some() {
        return Err(too_big(path, before.len, limit));
    }
    let text = before.bytes.as_deref().and_then(|b| std::str::from_utf8(b).ok());
    let ends = text.map_or(LineEnds::Lf, LineEnds::of);
    let crlf = ends == LineEnds::Crlf && given.contains('\n') && !given.contains("\r\n");
    let content = if crlf { given.replace('\n', "\r\n") } else { given };
    let mut after = if append { before.bytes.clone().unwrap_or_default() } else { Vec::new() };
    after.extend_from_slice(content.as_bytes());
    lens.check_bare(path, text.unwrap_or_default(), &args.content, &after)?;
    Ok(WritePlan { crlf, check, ..finish(path, limit, target, before, after)? })
}

/// Plans `fs.apply_patch`.
pub(super) fn plan_patch(
    access: &mut Access<'_>,
    path: &AliasPath,
    args: &PatchArgs,
    check: WriteCheck,
) -> Result<WritePlan, Failure> {
    let limit = access.policy().max_write_bytes;
    let target = access.locate(path)?;
    let before = read_existing(&target, path, limit, access.cancel())?;
    if before.hash.is_none() {
        return Err(Failure::for_model(
            ErrorCode::NotFound,
            format!("{path}: there is no such file"),
        )
        .with_action_for_model("Make it with fs_write."));
    }
    check_match(path, args.if_match_sha256.as_deref(), before.hash.as_deref())?;
    let Some(bytes) = &before.bytes else { return Err(too_big(path, before.len, limit)) };
    let text = std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
    let text = text.ok_or_else(|| {
        Failure::for_model(ErrorCode::NotText, format!("{path} is not UTF-8 text"))
            .with_action_for_model("Only text files can be patched.")
    })?;
    let mut patched = patch::apply(path, access.lens(path), text, args.patch.ops())?;
    let after = std::mem::take(&mut patched.text).into_bytes();
    access.lens(path).check_bare(path, text, &patch::added(args.patch.ops()), &after)?;
    let patched = Some(patched);
    Ok(WritePlan { patched, check, ..finish(path, limit, target, before, after)? })
}

/// Carries a plan out: parents made, the file replaced in one step, read back when asked for.
/// Equal content writes nothing.
pub(super) fn commit(
    access: &mut Access<'_>,
    plan: WritePlan,
    path: &AliasPath,
    began: &Began,
) -> Result<Output, Failure> {
    let written = if plan.is_noop() { 0 } else { plan.after.len() as u64 };
    let output = Output { bytes_written: Some(written), lost: lost(began), ..plan.output(path) };
    let noop = plan.is_noop();
    let WritePlan { target, post_hash, after, check, .. } = plan;
    if !noop {
        let WriteTarget { folder, missing, name, existing } = target;
        let permissions = existing.map(|e| e.permissions);
        let upper = folder.try_clone().map_err(|e| io_failure(path, &e))?;
        atomic::make_folders(folder, &missing)
            .and_then(|folder| atomic::replace(&folder, &name, &after, permissions))
            .map_err(|e| write_failure(path, &upper, &e))?;
    }
    let verification = check.done(access, path, &post_hash);
    Ok(Output { verification, ..output })
}

/// A file as it is now.
struct CurrentFile {
    /// Its SHA-256; `None` when there is none.
    hash: Option<String>,
    bytes: u64,
}

/// Removes what a write that was cut short may have left beside its file.
pub(super) fn sweep(access: &mut Access<'_>, path: &AliasPath) {
    if let Ok(target) = access.locate(path) {
        atomic::sweep(&target.folder);
    }
}

/// Looks at the file a write would replace.
fn current_file(access: &mut Access<'_>, path: &AliasPath) -> Result<CurrentFile, Failure> {
    let target = access.locate(path)?;
    let Some(existing) = target.existing else { return Ok(CurrentFile { hash: None, bytes: 0 }) };
    let bytes = existing.len;
    Ok(CurrentFile { hash: Some(hash_all(existing.file, path, access.cancel())?), bytes })
}

/// What became of a write that had begun when the program ended.
pub(super) fn settle(
    access: &mut Access<'_>,
    path: &AliasPath,
    check: &WriteCheck,
    began: &Began,
) -> Result<Settled, Failure> {
    let now = current_file(access, path)?;
    Ok(if now.hash == began.post_hash {
        Settled::Happened(done(&recovered(access, path, check, began, &now)))
    } else if now.hash == began.pre_hash {
        Settled::NotHappened
    } else {
        Settled::Foreign(now.hash)
    })
}

/// The result of a write that had happened when the program ended.
fn recovered(
    access: &mut Access<'_>,
    path: &AliasPath,
    check: &WriteCheck,
    began: &Began,
    now: &CurrentFile,
) -> Output {
    let noop = began.pre_hash == began.post_hash;
    let after = began.post_hash.as_deref().unwrap_or_default();
    Output {
        bytes_written: Some(if noop { 0 } else { now.bytes }),
        sha256_before: began.pre_hash.clone(),
        created: began.pre_hash.is_none(),
        sha256_after: began.post_hash.clone(),
        noop_write: noop,
        recovered: true,
        verification: check.done(access, path, after),
        lost: lost(began),
        ..Output::about(path.clone())
    }
}

struct FileBefore {
    hash: Option<String>,
    len: u64,
    /// `None` when there is no file, or when it is over the limit.
    bytes: Option<Vec<u8>>,
}

fn read_existing(
    target: &WriteTarget,
    path: &AliasPath,
    limit: u64,
    cancel: &CancellationToken,
) -> Result<FileBefore, Failure> {
    let Some(existing) = &target.existing else {
        return Ok(FileBefore { hash: None, len: 0, bytes: None });
    };
    let file = existing.file.try_clone().map_err(|e| io_failure(path, &e))?;
    if existing.len > limit {
        let hash = Some(hash_all(file, path, cancel)?);
        return Ok(FileBefore { hash, len: existing.len, bytes: None });
    }
    // Read at once, not piece by piece; the last byte is for finding the end.
    let mut bytes = Vec::with_capacity(usize::try_from(existing.len).unwrap_or(0) + 1);
    // One byte more than the limit: the file may be growing.
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(|e| io_failure(path, &e))?;
    if bytes.len() as u64 > limit {
        return Err(changed(path, None, None));
    }
    let hash = Some(sha256_hex(&bytes));
    Ok(FileBefore { hash, len: bytes.len() as u64, bytes: Some(bytes) })
}

fn hash_all(file: File, path: &AliasPath, cancel: &CancellationToken) -> Result<String, Failure> {
    hash(file, path, cancel, |_| Ok(()))
}

fn finish(
    path: &AliasPath,
    limit: u64,
    target: WriteTarget,
    before: FileBefore,
    after: Vec<u8>,
) -> Result<WritePlan, Failure> {
    check_size(path, after.len() as u64, limit)?;
    // A rename would not ask: whoever made the file read only meant it.
    if target.existing.as_ref().is_some_and(|e| e.permissions.readonly()) {
        return Err(Failure::for_model(ErrorCode::Io, format!("{path} is read only"))
            .with_action_for_model("Write to another file, or ask the user to make it writable."));
    }
    let old = before.bytes.or(before.hash.is_none().then(Vec::new));
    let texts = old.as_deref().map(std::str::from_utf8).zip(Some(std::str::from_utf8(&after)));
    let diffstat = match texts {
        Some((Ok(old), Ok(new))) if known_keys::would_be_lost(old, new) => {
            return Err(key_lost(path));
        }
        Some((Ok(old), Ok(new))) => Some(diffstat(old, new)),
        _ => None,
    };
    let post_hash = sha256_hex(&after);
    Ok(WritePlan {
        target,
        pre_hash: before.hash,
        post_hash,
        before: old,
        after,
        diffstat,
        crlf: false,
        patched: None,
        check: WriteCheck::default(),
    })
}

/// In a dialog the two would look the same.
fn key_lost(path: &AliasPath) -> Failure {
    let sign = keys::spelt::HIDDEN;
    let message = format!(
        "{path} holds a key that is shown as {sign}; the words {sign} would take its place; nothing was changed"
    );
    Failure::for_model(ErrorCode::InvalidArgs, message).with_action_for_model(
        "Change the other lines with fs_apply_patch, and leave that one as it is.",
    )
}

/// How many lines a write adds and removes.
fn diffstat(before: &str, after: &str) -> DiffStat {
    let (removed, added) = diff::count(before, after);
    DiffStat { added, removed }
}

fn check_size(path: &AliasPath, bytes: u64, limit: u64) -> Result<(), Failure> {
    if bytes <= limit { Ok(()) } else { Err(too_big(path, bytes, limit)) }
}

fn too_big(path: &AliasPath, bytes: u64, limit: u64) -> Failure {
    let message = format!("{path} would have {bytes} bytes; the limit is {limit}");
    Failure::for_model(ErrorCode::WriteLimit, message)
        .with_details(json!({ "bytes": bytes, "limit": limit }))
        .with_action_for_model("Split it into several files, or raise the limit in the settings.")
}

pub(super) fn check_match(
    path: &AliasPath,
    wanted: Option<&str>,
    found: Option<&str>,
) -> Result<(), Failure> {
    let Some(wanted) = wanted else { return Ok(()) };
    if found.is_some_and(|found| found.eq_ignore_ascii_case(wanted.trim())) {
        return Ok(());
    }
    Err(changed(path, Some(wanted), found))
}

pub(super) fn changed(path: &AliasPath, wanted: Option<&str>, found: Option<&str>) -> Failure {
    let message = match found {
        Some(_) => format!("{path} has changed since it was read"),
        None => format!("{path} is not there any more, or it is changing right now"),
    };
    Failure::for_model(ErrorCode::PreconditionFailed, message)
        .with_details(json!({ "expectedSha256": wanted, "actualSha256": found }))
        .with_action_for_model("Read it again with fs_read, then repeat the change.")
}

/// A disk error while writing. A folder that was deleted under our handle answers with whatever
/// its disk thinks fit, so it is asked for itself.
fn write_failure(path: &AliasPath, folder: &Dir, error: &std::io::Error) -> Failure {
    let deleted = folder.dir_metadata().is_ok_and(|meta| meta.nlink() == 0);
    if deleted || error.kind() == std::io::ErrorKind::NotFound {
        let message = format!("{path}: the folder it belongs in was moved or deleted");
        return Failure::for_model(ErrorCode::ProjectRootInvalid, message)
            .with_action_for_model("Put the project folder back, or open it again.");
    }
    io_failure(path, error)
}
