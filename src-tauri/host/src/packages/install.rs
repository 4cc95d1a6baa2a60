//! Installed packages: folders `<packageId>/` in the store's packages folder, immutable.
//!
//! A package appears by a rename and disappears by a rename: there is no moment in which half of
//! one can be seen. What a crash leaves is a folder with a `.tmp-` name, which [`sweep`] removes.
//! One program at a time puts packages there or takes them away, so that none replaces a copy that
//! another has just made and reads from.

use kernel::bounds::{ArchiveLimits, PACKAGE_LIMITS};
use kernel::code::{ErrorCode, Failure};
use kernel::ids::PackageId;
use kernel::package::{Package, PackageReport, check_installed};
use kernel::phrase::packages;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::content::{Content, ContentError, changed};
use super::sealed::{remove_folder, seal_folder};
use super::{Inspected, folder};
use crate::atomic::sync_dir;
use crate::crash::{Point, point};
use crate::file_lock::lock_within;
use crate::private;

/// A package of many files on a slow disk takes its time.
const PATIENCE: Duration = Duration::from_secs(30);

/// Folders that are being built or taken down.
const TEMP_PREFIX: &str = ".tmp-";

/// Puts a checked package into the store's packages folder. Installing the same content again
/// changes nothing; a damaged copy of it is replaced.
///
/// # Errors
/// As [`Inspected::usable`], `PACKAGE_CHANGED` when its bytes are not the ones that were inspected,
/// `PACKAGE_ID_TAKEN`, `STORE_BUSY` and `STORE_WRITE_FAILED`. After an error the folder is as it was before.
pub fn install(inspected: &Inspected, packages_dir: &Path) -> Result<PackageId, Failure> {
    let package = inspected.usable()?;
    // A damaged copy that an earlier version installed is healed as well: its runs know that id.
    if let Some(short) = package.short_id()
        && packages_dir.join(short.as_str()).is_dir()
        && load_installed(packages_dir, &short).is_err()
    {
        install_as(&short, inspected, packages_dir)?;
    }
    install_as(&package.id, inspected, packages_dir)?;
    Ok(package.id.clone())
}

pub(super) fn install_as(
    id: &PackageId,
    inspected: &Inspected,
    packages_dir: &Path,
) -> Result<(), Failure> {
    if let Ok(there) = load_installed(packages_dir, id) {
        return is_same(&there, inspected);
    }
    let failed = |e: &io::Error| write_failed(id, e);
    fs::create_dir_all(packages_dir).map_err(|e| failed(&e))?;
    let _turn = lock(packages_dir, id)?;
    if let Ok(there) = load_installed(packages_dir, id) {
        return is_same(&there, inspected);
    }
    point(Point::BeforePackageFolder);
    let temp = TempFolder::new(packages_dir).map_err(|e| failed(&e))?;
    write_files(&temp.0, &inspected.content).map_err(|unread| match unread {
        ContentError::Changed => changed(packages::changed_since()),
        ContentError::Sink(e) => failed(&e),
    })?;
    let target = packages_dir.join(id.as_str());
    // A folder of that name that does not load is damaged: out of the way, then gone with `aside`.
    let aside = TempFolder(temp_path(packages_dir));
    if target.is_dir() {
        fs::rename(&target, &aside.0).map_err(|e| failed(&e))?;
        point(Point::AfterPackageAside);
    }
    point(Point::BeforePackageRename);
    fs::rename(&temp.0, &target).and_then(|()| sync_dir(packages_dir)).map_err(|e| failed(&e))
}

/// Waits for its turn to change the packages folder; given back when dropped.
fn lock(packages_dir: &Path, id: &PackageId) -> Result<File, Failure> {
    // Beside the folder, which holds packages and nothing else.
    let file = private::file(&packages_dir.with_extension("lock"));
    let locked = file.and_then(|file| Ok(lock_within(&file, PATIENCE)?.then_some(file)));
    locked.map_err(|e| write_failed(id, &e))?.ok_or_else(|| {
        Failure::new(ErrorCode::StoreBusy, packages::being_changed(PATIENCE.as_secs()))
    })
}

/// What is installed under an id is what was looked at, byte for byte: an id is only a part of the
/// hash.
fn is_same(there: &Package, inspected: &Inspected) -> Result<(), Failure> {
    if there.content_hash == inspected.report.content_hash {
        return Ok(());
    }
    Err(Failure::new(ErrorCode::PackageIdTaken, packages::id_taken(&there.id))
        .with_action(packages::remove_the_other()))
}

fn write_failed(id: &PackageId, error: &io::Error) -> Failure {
    crate::failure::io(ErrorCode::StoreWriteFailed, packages::installing(id), error)
        .with_action(packages::free_and_import())
}

/// Removes an installed package. Whether a run still uses it the caller has to ask the store.
///
/// # Errors
/// `PACKAGE_NOT_FOUND` when it is not there, `STORE_BUSY`, and `STORE_WRITE_FAILED` when the disk
/// refuses.
pub fn remove(packages_dir: &Path, id: &PackageId) -> Result<(), Failure> {
    let target = packages_dir.join(id.as_str());
    if !target.is_dir() {
        return Err(not_installed(id));
    }
    let _turn = lock(packages_dir, id)?;
    let aside = TempFolder(temp_path(packages_dir));
    fs::rename(&target, &aside.0)
        .map_err(|e| crate::failure::io(ErrorCode::StoreWriteFailed, packages::removing(id), &e))?;
    point(Point::AfterPackageRemoval);
    Ok(())
}

fn not_installed(id: &PackageId) -> Failure {
    Failure::new(ErrorCode::PackageNotFound, packages::not_installed(id))
        .with_action(packages::import_it_again())
}

/// The ids of all installed packages, sorted. An absent folder has none.
///
/// # Errors
/// `STORE_READ_FAILED` when the folder cannot be read.
pub fn list_installed(packages_dir: &Path) -> Result<Vec<PackageId>, Failure> {
    let failed = |e: &io::Error| {
        crate::failure::io(ErrorCode::StoreReadFailed, packages::the_packages_folder(), e)
    };
    let entries = match fs::read_dir(packages_dir) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(failed(&e)),
    };
    let mut ids = BTreeSet::new();
    for entry in entries {
        let entry = entry.map_err(|e| failed(&e))?;
        let id = entry.file_name().into_string().ok().and_then(|n| PackageId::new(n).ok());
        if let Some(id) = id.filter(|_| entry.path().is_dir()) {
            ids.insert(id);
        }
    }
    Ok(ids.into_iter().collect())
}

/// Reads an installed package again, checks it, and makes sure it is still what was installed.
///
/// # Errors
/// `PACKAGE_NOT_FOUND`; `PACKAGE_INVALID` when a file was changed since.
pub fn load_installed(packages_dir: &Path, id: &PackageId) -> Result<Package, Failure> {
    let read = read_installed(packages_dir, id)?;
    read.package.ok_or_else(|| damaged(id))
}

/// The same with the report.
///
/// # Errors
/// As [`load_installed`].
pub fn read_installed(packages_dir: &Path, id: &PackageId) -> Result<Inspected, Failure> {
    let path = packages_dir.join(id.as_str());
    if !path.is_dir() {
        return Err(not_installed(id));
    }
    // It may have been installed before this was limited.
    let limits = ArchiveLimits { depth: usize::MAX, ..PACKAGE_LIMITS };
    let content = Content::of_folder(&path, folder::Purpose::Installed, &limits)?;
    let read = Inspected::of(content, check_installed)?;
    let package = read.usable().map_err(|_| damaged(id))?.clone();
    let package = package.known_as(id).ok_or_else(|| damaged(id))?;
    let report = PackageReport { package_id: Some(id.clone()), ..read.report };
    Ok(Inspected { report, package: Some(package), ..read })
}

/// It is not what was installed, or not what a run began with.
pub(crate) fn damaged(id: &PackageId) -> Failure {
    Failure::new(ErrorCode::PackageInvalid, packages::changed_on_disk(id))
        .with_action(packages::import_replaces())
}

/// Removes what a crash left behind. Returns how many folders that were.
pub fn sweep(packages_dir: &Path) -> usize {
    let Ok(entries) = fs::read_dir(packages_dir) else { return 0 };
    let left = entries
        .flatten()
        .filter(|e| e.file_name().to_str().is_some_and(|name| name.starts_with(TEMP_PREFIX)));
    left.map(|e| drop(TempFolder(e.path()))).count()
}

/// A folder that goes away with its owner, unless it was renamed.
struct TempFolder(PathBuf);

impl TempFolder {
    fn new(parent: &Path) -> io::Result<Self> {
        let path = temp_path(parent);
        fs::create_dir(&path)?;
        Ok(Self(path))
    }
}

fn temp_path(parent: &Path) -> PathBuf {
    parent.join(format!("{TEMP_PREFIX}{}", uuid::Uuid::now_v7()))
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        if !self.0.is_dir() {
            return;
        }
        if let Err(e) = remove_folder(&self.0) {
            let why = crate::failure::io_words(&e);
            tracing::warn!(%why, "a temporary package folder could not be removed");
        }
    }
}

/// Writes all files, read-only and on disk to the last byte when it returns. The paths were accepted
/// by [`super::names`], so none of them can leave `root`.
fn write_files(root: &Path, content: &Content) -> Result<(), ContentError> {
    let paths = || content.files.files.keys().map(|rel| root.join(rel));
    let mut folders = BTreeSet::from([root.to_owned()]);
    for path in paths() {
        let mut above = path.parent();
        while let Some(folder) = above.filter(|f| *f != root) {
            folders.insert(folder.to_owned());
            above = folder.parent();
        }
    }
    folders.iter().try_for_each(fs::create_dir_all).map_err(ContentError::Sink)?;
    let mut opened = content.open()?;
    for (rel, path) in content.files.files.keys().zip(paths()) {
        let file = fs::OpenOptions::new().write(true).create_new(true).open(&path);
        let mut file = file.map_err(ContentError::Sink)?;
        opened.copy(rel, &mut file)?;
        make_durable(&file).map_err(ContentError::Sink)?;
        point(Point::AfterPackageFile);
    }
    // Deepest first, so that a folder is durable before the one that names it.
    let seal = |folder: &PathBuf| seal_folder(folder).and_then(|()| sync_dir(folder));
    folders.iter().rev().try_for_each(seal).map_err(ContentError::Sink)
}

/// A written file, read-only and on disk.
fn make_durable(file: &fs::File) -> io::Result<()> {
    let mut permissions = file.metadata()?.permissions();
    permissions.set_readonly(true);
    file.set_permissions(permissions)?;
    file.sync_all()
}
