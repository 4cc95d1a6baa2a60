//! Installed packages: folders `<packageId>/` in the store's packages folder, immutable.
//!
//! A package appears by a rename and disappears by a rename: there is no moment in which half of
//! one can be seen. One program at a time puts packages there or takes them away ([`PackagesLock`]),
//! so that none replaces a copy that another has just made and reads from.
//!
//! The list of packages is the store's. A folder is there before its row and goes after it, so that
//! what is listed can be read. In between the package is marked by a file `.pending-<packageId>`,
//! which a crash leaves behind: the next start then removes the folder unless a row names it, and
//! whatever has a `.tmp-` name and was being built or taken down.

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
use super::{Inspected, PackageReading, folder};
use crate::atomic::sync_dir;
use crate::crash::{Point, point};
use crate::file_lock::lock_within;
use crate::private;

/// A package of many files on a slow disk takes its time.
const PATIENCE: Duration = Duration::from_secs(30);

/// Folders that are being built or taken down.
const TEMP_PREFIX: &str = ".tmp-";

/// Files that name a package whose folder is there and which the list may not name.
const PENDING_PREFIX: &str = ".pending-";

/// The right to put packages into the store's packages folder and to take them away. One program
/// has it at a time, until it is dropped.
#[derive(Debug)]
pub struct PackagesLock {
    packages_dir: PathBuf,
    _file: File,
}

impl PackagesLock {
    /// Waits until nobody else has it, and makes the folder when it is missing.
    ///
    /// # Errors
    /// `STORE_BUSY` when another program has it for half a minute; `STORE_WRITE_FAILED`.
    pub fn wait(packages_dir: &Path) -> Result<Self, Failure> {
        Self::within(packages_dir, PATIENCE)?.ok_or_else(|| {
            Failure::new(ErrorCode::StoreBusy, packages::being_changed(PATIENCE.as_secs()))
        })
    }

    /// The same without waiting; `None` when somebody else has it.
    pub(crate) fn now(packages_dir: &Path) -> Result<Option<Self>, Failure> {
        Self::within(packages_dir, Duration::ZERO)
    }

    fn within(packages_dir: &Path, patience: Duration) -> Result<Option<Self>, Failure> {
        let lock = || {
            fs::create_dir_all(packages_dir)?;
            // Beside the folder, which holds packages and nothing else that stays.
            let file = private::file(&packages_dir.with_extension("lock"))?;
            lock_within(&file, patience).map(|locked| locked.then_some(file))
        };
        let file = lock().map_err(|e| {
            let what = packages::the_packages_folder();
            crate::failure::io(ErrorCode::StoreWriteFailed, what, &e)
        })?;
        Ok(file.map(|file| Self { packages_dir: packages_dir.to_owned(), _file: file }))
    }

    /// Puts a checked package into the folder. Installing the same content again changes nothing; a
    /// damaged copy of it is replaced. A new one is pending until it is [listed](Self::settle).
    ///
    /// # Errors
    /// As [`Inspected::usable`], `PACKAGE_READING_STOPPED`, `PACKAGE_CHANGED` when its bytes are not the ones that were
    /// inspected, `PACKAGE_ID_TAKEN`, and `STORE_WRITE_FAILED`. No package that can be used is gone
    /// then, and none is half there. A new one that could not be flushed is there and pending.
    pub fn install(&self, inspected: &Inspected) -> Result<PackageId, Failure> {
        let package = inspected.usable()?;
        // Whoever waited for the lock may have had enough.
        if inspected.content.is_stopped() {
            return Err(ContentError::Stopped.while_reading());
        }
        // A damaged copy that an earlier version installed is healed as well: its runs know that id.
        if let Some(short) = package.short_id()
            && self.folder_of(&short).is_dir()
            && load_installed(&self.packages_dir, &short).is_err()
        {
            self.install_as(&short, inspected)?;
        }
        self.install_as(&package.id, inspected)?;
        Ok(package.id.clone())
    }

    pub(super) fn install_as(&self, id: &PackageId, inspected: &Inspected) -> Result<(), Failure> {
        if let Ok(there) = load_installed(&self.packages_dir, id) {
            return is_same(&there, inspected);
        }
        let failed = |e: &io::Error| write_failed(id, e);
        point(Point::BeforePackageFolder);
        let fresh = TempFolder::new(&self.packages_dir).map_err(|e| failed(&e))?;
        write_files(&fresh.0, &inspected.content).map_err(|unread| match unread {
            ContentError::Changed => changed(packages::changed_since()),
            stopped @ ContentError::Stopped => stopped.while_reading(),
            ContentError::Sink(e) => failed(&e),
        })?;
        let target = self.folder_of(id);
        let placed = if target.is_dir() {
            let aside = TempFolder(temp_path(&self.packages_dir));
            change_places(&fresh.0, &target, &aside.0)
        } else {
            self.mark(id).and_then(|()| {
                point(Point::BeforePackageRename);
                fs::rename(&fresh.0, &target).inspect_err(|_| self.settle(id))
            })
        };
        placed.and_then(|()| sync_dir(&self.packages_dir)).map_err(|e| failed(&e))
    }

    /// Says that a package is to go, before the list ceases to name it. When that is not done, it is
    /// [listed](Self::settle) still.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED`.
    pub(crate) fn begin_removal(&self, id: &PackageId) -> Result<(), Failure> {
        let marked = self.mark(id).and_then(|()| sync_dir(&self.packages_dir));
        marked.map_err(|e| removal_failed(id, &e))
    }

    /// Removes the folder of a package that the list does not name any more. One that is not there is
    /// fine.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED` when the disk refuses; the next start tries again.
    pub fn remove(&self, id: &PackageId) -> Result<(), Failure> {
        let (target, aside) = (self.folder_of(id), TempFolder(temp_path(&self.packages_dir)));
        if target.is_dir() {
            fs::rename(&target, &aside.0).map_err(|e| removal_failed(id, &e))?;
        }
        point(Point::AfterPackageRemoval);
        self.settle(id);
        Ok(())
    }

    /// A package is listed and its folder is there, or neither: it is not pending any more.
    pub fn settle(&self, id: &PackageId) {
        // One that stays is looked at by the next start, which finds the same.
        let _ = fs::remove_file(self.mark_of(id));
    }

    /// Decides on the packages that a crash left pending: those of `named`, which a row names, stay.
    pub(crate) fn sweep_pending(&self, named: &BTreeSet<String>) {
        for entry in fs::read_dir(&self.packages_dir).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let id = name.to_str().and_then(|name| name.strip_prefix(PENDING_PREFIX));
            let Some(id) = id.and_then(|id| PackageId::new(id).ok()) else { continue };
            if named.contains(id.as_str()) {
                self.settle(&id);
            } else if let Err(failure) = self.remove(&id) {
                tracing::warn!(%failure, "the folder of a package that is not listed stays for now");
            }
        }
    }

    /// Lasting once the folder is flushed.
    fn mark(&self, id: &PackageId) -> io::Result<()> {
        private::file(&self.mark_of(id)).map(drop)
    }

    fn mark_of(&self, id: &PackageId) -> PathBuf {
        self.packages_dir.join(format!("{PENDING_PREFIX}{id}"))
    }

    fn folder_of(&self, id: &PackageId) -> PathBuf {
        self.packages_dir.join(id.as_str())
    }
}

/// Puts a finished folder in place of a damaged one, which moves out of the way, and comes back when
/// the other cannot have its name.
fn change_places(fresh: &Path, damaged: &Path, aside: &Path) -> io::Result<()> {
    fs::rename(damaged, aside)?;
    point(Point::AfterPackageAside);
    point(Point::BeforePackageRename);
    fs::rename(fresh, damaged).inspect_err(|_| {
        // When this fails, too, the damaged copy is lost, and the first error is the one to tell.
        let _ = fs::rename(aside, damaged);
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

fn removal_failed(id: &PackageId, error: &io::Error) -> Failure {
    crate::failure::io(ErrorCode::StoreWriteFailed, packages::removing(id), error)
}

fn not_installed(id: &PackageId) -> Failure {
    Failure::new(ErrorCode::PackageNotFound, packages::not_installed(id))
        .with_action(packages::import_it_again())
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
    let reading = PackageReading::default();
    let content = Content::of_folder(&path, folder::Purpose::Installed, &limits, &reading)?;
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
    content.begin_install();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_copy_comes_back_when_the_new_one_cannot_take_its_place() {
        let temp = tempfile::tempdir().unwrap();
        let [fresh, damaged, aside] = ["fresh", "damaged", "aside"].map(|n| temp.path().join(n));
        fs::create_dir(&damaged).unwrap();
        fs::write(damaged.join("bmad.json"), "damaged").unwrap();
        // What should take its place is gone: the second rename fails.
        let error = change_places(&fresh, &damaged, &aside).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert_eq!(fs::read_to_string(damaged.join("bmad.json")).unwrap(), "damaged");
        assert!(!aside.exists());
        fs::create_dir(&fresh).unwrap();
        change_places(&fresh, &damaged, &aside).unwrap();
        assert!(!fresh.exists() && !damaged.join("bmad.json").exists());
        assert!(aside.join("bmad.json").exists());
    }
}
