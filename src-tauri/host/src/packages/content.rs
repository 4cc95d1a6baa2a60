//! The bytes of a package, left where they lie: a package may be far larger than what a program
//! should keep in memory. What was read once is known by its hash; whoever needs bytes later gets
//! the same ones, or is told that they changed.

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use kernel::bounds::ArchiveLimits;
use kernel::code::{ErrorCode, Failure};
use kernel::package::{PackageFile, PackageFiles};
use kernel::phrase::{Phrase, packages};
use kernel::text::sha256_hex;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use super::archive::{self, Zip};
use super::folder;
use super::hashed::{PIECE, hashed};
use super::names::shown;
use super::reading::PackageReading;
use super::refusal::PackageRefusal;
use crate::plain_file;

/// The files of a package that was read once, and where they lie.
#[derive(Debug, Clone)]
pub(crate) struct Content {
    /// What was found, by path in the package.
    pub(crate) files: PackageFiles,
    source: ContentSource,
    reading: PackageReading,
}

#[derive(Debug, Clone)]
enum ContentSource {
    /// The files of a package that comes with the program.
    Memory(BTreeMap<String, Vec<u8>>),
    /// An archive, and which of its entries a file is.
    Archive(PathBuf, BTreeMap<String, usize>),
    /// A folder, and the names in it that the disk spells in another way than the package.
    Folder(PathBuf, BTreeMap<String, String>),
}

/// Why bytes that were there once cannot be had.
#[derive(Debug)]
pub(crate) enum ContentError {
    /// They are others now, or none.
    Changed,
    /// Nobody wants them any more.
    Stopped,
    /// Whoever was given them could not take them.
    Sink(io::Error),
}

impl ContentError {
    /// The failure where nothing is installed: `PACKAGE_CHANGED`, or `IO`.
    pub(crate) fn while_reading(self) -> Failure {
        match self {
            Self::Changed => changed(packages::changed_meanwhile()),
            Self::Stopped => PackageRefusal::Stopped.into(),
            Self::Sink(e) => crate::failure::io(ErrorCode::Io, packages::writing("package"), &e),
        }
    }
}

/// `PACKAGE_CHANGED`.
pub(super) fn changed(says: Phrase) -> Failure {
    Failure::new(ErrorCode::PackageChanged, says)
}

impl Content {
    pub(super) fn in_memory(files: BTreeMap<String, Vec<u8>>) -> Self {
        let seen =
            |bytes: &Vec<u8>| PackageFile { sha256: sha256_hex(bytes), size: bytes.len() as u64 };
        let listed = files.iter().map(|(path, bytes)| (path.clone(), seen(bytes))).collect();
        let (files, source) = (PackageFiles { files: listed }, ContentSource::Memory(files));
        Self { files, source, reading: PackageReading::default() }
    }

    /// Of an archive that is open.
    ///
    /// # Errors
    /// As [`archive::survey`].
    pub(super) fn of_archive(
        file: File,
        path: &Path,
        limits: &ArchiveLimits,
        reading: &PackageReading,
    ) -> Result<Self, Failure> {
        let file = BufReader::new(file);
        let (_, surveyed) = archive::survey(file, &shown(path), limits, reading)?;
        let archive::Surveyed { files, index } = surveyed;
        let source = ContentSource::Archive(path.to_owned(), index);
        Ok(Self { files, source, reading: reading.clone() })
    }

    /// Of a folder.
    ///
    /// # Errors
    /// As [`folder::survey`].
    pub(super) fn of_folder(
        path: &Path,
        purpose: folder::Purpose,
        limits: &ArchiveLimits,
        reading: &PackageReading,
    ) -> Result<Self, Failure> {
        let (files, spelt) = folder::survey(path, purpose, limits, reading)?;
        let source = ContentSource::Folder(path.to_owned(), spelt);
        Ok(Self { files, source, reading: reading.clone() })
    }

    /// Its files are installed from here on.
    pub(super) fn begin_install(&self) {
        self.reading.begin_install(self.files.files.len());
    }

    /// Whether nobody wants it any more.
    pub(super) fn is_stopped(&self) -> bool {
        self.reading.is_stopped()
    }

    /// Opens the package to read it again.
    pub(crate) fn open(&self) -> Result<OpenedContent<'_>, ContentError> {
        let at = match &self.source {
            ContentSource::Memory(files) => OpenedSource::Memory(files),
            ContentSource::Archive(path, index) => {
                let file = plain_file::open(path).map_err(|_| ContentError::Changed)?;
                let zip = archive::reopen(BufReader::new(file)).ok_or(ContentError::Changed)?;
                OpenedSource::Archive(Box::new(zip), index)
            }
            ContentSource::Folder(path, spelt) => {
                let dir = Dir::open_ambient_dir(path, ambient_authority());
                OpenedSource::Folder(dir.map_err(|_| ContentError::Changed)?, spelt)
            }
        };
        Ok(OpenedContent { files: &self.files, at, reading: &self.reading })
    }

    /// All of it, in memory. `PACKAGE_CHANGED` when it is not what was read before.
    pub(crate) fn bytes(&self) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
        let mut opened = self.open().map_err(ContentError::while_reading)?;
        let each = self.files.files.keys().map(|path| Ok((path.clone(), opened.bytes(path)?)));
        each.collect::<Result<_, ContentError>>().map_err(ContentError::while_reading)
    }
}

/// A package that is being read again.
pub(crate) struct OpenedContent<'c> {
    files: &'c PackageFiles,
    at: OpenedSource<'c>,
    reading: &'c PackageReading,
}

enum OpenedSource<'c> {
    Memory(&'c BTreeMap<String, Vec<u8>>),
    Archive(Box<Zip<BufReader<File>>>, &'c BTreeMap<String, usize>),
    Folder(Dir, &'c BTreeMap<String, String>),
}

impl OpenedContent<'_> {
    /// Hands the bytes of a file to `sink`, piece by piece. When they turn out to be others than
    /// before, `sink` has got some of them.
    pub(crate) fn copy(&mut self, path: &str, sink: &mut impl Write) -> Result<(), ContentError> {
        let seen = self.files.files.get(path).ok_or(ContentError::Changed)?;
        if !self.reading.goes_on_again() {
            return Err(ContentError::Stopped);
        }
        match &mut self.at {
            OpenedSource::Memory(files) => {
                let bytes = files.get(path).ok_or(ContentError::Changed)?;
                sink.write_all(bytes).map_err(ContentError::Sink)
            }
            OpenedSource::Archive(zip, index) => {
                let at = *index.get(path).ok_or(ContentError::Changed)?;
                again(zip.by_index(at).map_err(|_| ContentError::Changed)?, seen, sink)
            }
            OpenedSource::Folder(dir, spelt) => {
                let name = spelt.get(path).map_or(path, String::as_str);
                let file = plain_file::open_in(dir, name).map_err(|_| ContentError::Changed)?;
                again(file, seen, sink)
            }
        }
    }

    /// The bytes of one file.
    pub(crate) fn bytes(&mut self, path: &str) -> Result<Vec<u8>, ContentError> {
        let mut bytes = Vec::new();
        self.copy(path, &mut bytes)?;
        Ok(bytes)
    }
}

/// Copies what has to be what was seen.
pub(crate) fn again(
    from: impl Read,
    seen: &PackageFile,
    sink: &mut impl Write,
) -> Result<(), ContentError> {
    let mut sinking = Ok(());
    let found = hashed(from, seen.size, &mut vec![0; PIECE], |piece| {
        sinking = sink.write_all(piece);
        sinking.is_ok()
    });
    sinking.map_err(ContentError::Sink)?;
    let same = found.ok().flatten().is_some_and(|found| PackageFile::from(found) == *seen);
    if same { Ok(()) } else { Err(ContentError::Changed) }
}
