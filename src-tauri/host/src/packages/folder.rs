//! Reads a package from a folder: one under development, or an installed one.

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use kernel::bounds::ArchiveLimits;
use kernel::code::{ErrorCode, Failure};
use kernel::package::PackageFiles;
use kernel::phrase::packages;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use super::hashed::{PIECE, hashed};
use super::names::{Names, is_litter, shown};
use super::reading::PackageReading;
use super::refusal::PackageRefusal;
use crate::plain_file;

/// Why a folder is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// An author's folder: version control, dependencies, litter and packed packages are skipped.
    Development,
    /// An installed package: every file counts, or its id could not be checked.
    Installed,
}

impl Purpose {
    fn skips(self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let packed = !path.contains('/') && path.to_ascii_lowercase().ends_with(".bmad");
        self == Self::Development
            && (matches!(name, ".git" | "node_modules") || is_litter(path) || packed)
    }
}

struct PackageFolderWalk<'a> {
    purpose: Purpose,
    limits: &'a ArchiveLimits,
    reading: &'a PackageReading,
    names: Names,
    files: PackageFiles,
    spelt: BTreeMap<String, String>,
    entries: usize,
    left: u64,
    piece: Vec<u8>,
}

/// All files of a folder, read once, and the names that the disk spells in another way than the
/// package. Opened by handle, so that nothing outside of it can be read.
///
/// # Errors
/// `PACKAGE_NOT_FOUND`, `ARCHIVE_LIMIT`, `ARCHIVE_UNSAFE` (also for links),
/// `PACKAGE_READING_STOPPED`.
pub(super) fn survey(
    path: &Path,
    purpose: Purpose,
    limits: &ArchiveLimits,
    reading: &PackageReading,
) -> Result<(PackageFiles, BTreeMap<String, String>), Failure> {
    let dir = Dir::open_ambient_dir(path, ambient_authority())
        .map_err(|e| unreadable(&shown(path), &e))?;
    let mut walk = PackageFolderWalk {
        purpose,
        limits,
        reading,
        names: match purpose {
            Purpose::Development => Names::default(),
            Purpose::Installed => Names::of_installed(),
        },
        files: PackageFiles::default(),
        spelt: BTreeMap::new(),
        entries: 0,
        left: limits.total_bytes,
        piece: vec![0; PIECE],
    };
    reading.begin(None);
    walk.folder(&dir, "")?;
    Ok((walk.files, walk.spelt))
}

fn unreadable(what: &str, error: &io::Error) -> Failure {
    crate::failure::io(ErrorCode::PackageNotFound, packages::the_packages_entry(what), error)
        .with_action(packages::check_the_folder())
}

impl PackageFolderWalk<'_> {
    fn folder(&mut self, dir: &Dir, prefix: &str) -> Result<(), Failure> {
        let shown = if prefix.is_empty() { "folder" } else { prefix };
        let mut entries = Vec::new();
        for entry in dir.entries().map_err(|e| unreadable(shown, &e))? {
            let entry = entry.map_err(|e| unreadable(shown, &e))?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else {
                let name = name.to_string_lossy();
                return Err(PackageRefusal::of_entry(&name, packages::entry_not_utf8()).into());
            };
            let path = format!("{prefix}{name}");
            if self.purpose.skips(&path) {
                continue;
            }
            self.entries += 1;
            if self.entries > self.limits.entries {
                let most = self.limits.entries as u64;
                return Err(PackageRefusal::over_limit("entries", most, Some(&path)).into());
            }
            entries.push((path, entry));
        }
        entries.sort_by(|one, other| one.0.cmp(&other.0));
        entries.iter().try_for_each(|(path, entry)| self.entry(dir, entry, path))
    }

    fn entry(
        &mut self,
        dir: &Dir,
        entry: &cap_std::fs::DirEntry,
        path: &str,
    ) -> Result<(), Failure> {
        let kind = entry.file_type().map_err(|e| unreadable(path, &e))?;
        if !kind.is_file() && !kind.is_dir() {
            return Err(PackageRefusal::of_entry(path, packages::entry_link()).into());
        }
        let accepted = self.names.accept(path, kind.is_file(), self.limits)?;
        if kind.is_dir() {
            let inner = entry.open_dir().map_err(|e| unreadable(path, &e))?;
            return self.folder(&inner, &format!("{path}/"));
        }
        let name = path.rsplit('/').next().unwrap_or(path);
        if !self.reading.goes_on() {
            return Err(PackageRefusal::Stopped.into());
        }
        let file = plain_file::open_in(dir, name).map_err(|e| unreadable(path, &e))?;
        let cap = self.limits.entry_bytes.min(self.left);
        let read = hashed(file, cap, &mut self.piece, |_| true);
        let read = read.map_err(|e| unreadable(path, &e))?;
        let Some(file) = read else {
            let (limit, max) = if cap == self.limits.entry_bytes {
                ("entryBytes", self.limits.entry_bytes)
            } else {
                ("totalBytes", self.limits.total_bytes)
            };
            return Err(PackageRefusal::over_limit(limit, max, Some(path)).into());
        };
        self.left -= file.size;
        if accepted != path {
            self.spelt.insert(accepted.clone(), path.to_owned());
        }
        self.files.files.insert(accepted, file.into());
        Ok(())
    }
}
