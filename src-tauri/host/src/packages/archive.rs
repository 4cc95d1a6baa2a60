//! Reads a `.bmad` or `.zip` archive, refusing what could harm (spec 03).

use kernel::bounds::{ArchiveLimits, PACKAGE_LIMITS, UNPACKED_FREELY};
use kernel::package::{MANIFEST_FILE, PackageFile, PackageFiles};
use kernel::phrase::{Part, Phrase, general, packages};
use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom};
use zip::ZipArchive;
use zip::result::ZipError;

use super::directory;
use super::directory::Metered;
use super::hashed::{Hashed, PIECE, hashed};
use super::names::{Names, is_litter};
use super::reading::PackageReading;
use super::refusal::PackageRefusal;

/// An archive whose list was read.
pub(crate) type Zip<R> = ZipArchive<Metered<R>>;

/// What an archive holds.
#[derive(Debug)]
pub(crate) struct Surveyed {
    /// Its files, by path in the package.
    pub(crate) files: PackageFiles,
    /// Which entry each of them is.
    pub(crate) index: BTreeMap<String, usize>,
}

/// Reads all files of an archive once, to their ends, and keeps none. `name` is what messages call
/// it.
///
/// # Errors
/// `ARCHIVE_INVALID`, `ARCHIVE_LIMIT`, `ARCHIVE_UNSAFE`, `PACKAGE_READING_STOPPED`.
pub(crate) fn survey<R: Read + Seek>(
    mut reader: R,
    name: &str,
    limits: &ArchiveLimits,
    reading: &PackageReading,
) -> Result<(Zip<R>, Surveyed), PackageRefusal> {
    let packed = reader
        .seek(SeekFrom::End(0))
        .map_err(|e| PackageRefusal::invalid(name, words(&e.into())))?;
    let most = packed.saturating_mul(limits.total_ratio).max(UNPACKED_FREELY);
    let limits = &ArchiveLimits { total_bytes: limits.total_bytes.min(most), ..*limits };
    let opened = directory::open(reader, limits.entries)
        .map_err(|e| PackageRefusal::invalid(name, words(&e)))?;
    let Some(mut archive) = opened else {
        return Err(PackageRefusal::over_limit("entries", limits.entries as u64, None));
    };
    if archive.has_duplicate_names() {
        return Err(PackageRefusal::of_entry(name, packages::entry_same_name()));
    }
    if archive.has_overlapping_entries().map_err(|e| PackageRefusal::invalid(name, words(&e)))? {
        return Err(PackageRefusal::of_entry(name, packages::entry_overlaps()));
    }
    let (accepted, refused) = accept_all(&archive, name, limits);
    reading.begin(Some(accepted.len()));
    let found = unpack_all(&mut archive, &accepted, limits, reading)?;
    refused.map_or(Ok(()), Err)?;
    let found = accepted.into_iter().zip(found);
    let found = found.map(|((path, at), file)| (path, (at, PackageFile::from(file)))).collect();
    let (mut files, mut index) = (BTreeMap::new(), BTreeMap::new());
    for (path, (at, file)) in strip_top_folder(found) {
        index.insert(path.clone(), at);
        files.insert(path, file);
    }
    Ok((archive, Surveyed { files: PackageFiles { files }, index }))
}

/// The files up to the first entry that is refused, and why that is.
fn accept_all<R: Read + Seek>(
    archive: &ZipArchive<R>,
    name: &str,
    limits: &ArchiveLimits,
) -> (Vec<(String, usize)>, Option<PackageRefusal>) {
    let mut names = Names::default();
    let mut accepted = Vec::new();
    for index in 0..archive.len() {
        match accept(archive, index, name, &mut names, limits) {
            Ok(Some(path)) => accepted.push((path, index)),
            Ok(None) => {}
            Err(refused) => return (accepted, Some(refused)),
        }
    }
    (accepted, None)
}

/// Reads these entries. Nothing that stays is allocated between them: it would lie among the
/// buffers of the unpacking, and those would then need new room for each entry.
fn unpack_all<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    accepted: &[(String, usize)],
    limits: &ArchiveLimits,
    reading: &PackageReading,
) -> Result<Vec<Hashed>, PackageRefusal> {
    let mut found = Vec::with_capacity(accepted.len());
    let (mut left, mut piece) = (limits.total_bytes, vec![0; PIECE]);
    for (path, index) in accepted {
        if !reading.goes_on() {
            return Err(PackageRefusal::Stopped);
        }
        let file = unpack(archive, *index, path, left, limits, &mut piece)?;
        left -= file.size;
        found.push(file);
    }
    Ok(found)
}

/// Opens an archive again that was surveyed before; `None` when it is none any more.
pub(super) fn reopen<R: Read + Seek>(reader: R) -> Option<Zip<R>> {
    directory::open(reader, PACKAGE_LIMITS.entries).ok().flatten()
}

/// Judges one entry by its headers. `None` for folders and litter.
fn accept<R: Read + Seek>(
    archive: &ZipArchive<R>,
    index: usize,
    name: &str,
    names: &mut Names,
    limits: &ArchiveLimits,
) -> Result<Option<String>, PackageRefusal> {
    let entry =
        archive.by_index_data(index).map_err(|e| PackageRefusal::invalid(name, words(&e)))?;
    let Ok(path) = std::str::from_utf8(entry.name_raw()) else {
        let shown = String::from_utf8_lossy(entry.name_raw());
        return Err(PackageRefusal::of_entry(&shown, packages::entry_not_utf8()));
    };
    let is_dir = path.ends_with('/');
    if entry.encrypted() {
        return Err(PackageRefusal::of_entry(path, packages::entry_encrypted()));
    }
    if let Some(mode) = entry.unix_mode() {
        let expected = if is_dir { 0o040_000 } else { 0o100_000 };
        let kind = mode & 0o170_000;
        if kind != 0 && kind != expected {
            return Err(PackageRefusal::of_entry(path, packages::entry_link()));
        }
    }
    let accepted = names.accept(path, !is_dir, limits)?;
    Ok(Some(accepted).filter(|p| !is_dir && !is_litter(p)))
}

/// Reads one entry, counted while it comes.
fn unpack<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    index: usize,
    path: &str,
    left: u64,
    limits: &ArchiveLimits,
    piece: &mut [u8],
) -> Result<Hashed, PackageRefusal> {
    let entry = archive.by_index(index).map_err(|e| PackageRefusal::invalid(path, words(&e)))?;
    // The packed size is honest: overlapping entries were refused, so it is bytes of the file.
    let ratio = entry.compressed_size().saturating_mul(limits.ratio).max(limits.ratio_from);
    let cap = limits.entry_bytes.min(left).min(ratio);
    let read = hashed(entry, cap, piece, |_| true);
    let read = read.map_err(|e| PackageRefusal::invalid(path, unreadable(&e).into()))?;
    read.ok_or_else(|| {
        if cap == limits.entry_bytes {
            PackageRefusal::over_limit("entryBytes", limits.entry_bytes, Some(path))
        } else if cap == left {
            PackageRefusal::over_limit("totalBytes", limits.total_bytes, Some(path))
        } else {
            PackageRefusal::over_limit("ratio", limits.ratio, Some(path))
        }
    })
}

/// When everything lies in one folder that holds the manifest, that folder is the package.
fn strip_top_folder<F>(files: BTreeMap<String, F>) -> BTreeMap<String, F> {
    let top = files.keys().next().and_then(|path| path.split_once('/')).map(|(top, _)| top);
    let Some(prefix) = top.map(|t| format!("{t}/")) else { return files };
    let nested = !files.contains_key(MANIFEST_FILE)
        && files.contains_key(&format!("{prefix}{MANIFEST_FILE}"))
        && files.keys().all(|path| path.starts_with(&prefix));
    if !nested {
        return files;
    }
    files.into_iter().map(|(path, file)| (path[prefix.len()..].to_owned(), file)).collect()
}

/// Why the bytes of an entry cannot be had: they do not unpack to what was packed, or the disk says
/// why.
fn unreadable(error: &io::Error) -> Phrase {
    match error.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
            general::disk_is_damaged()
        }
        _ => crate::failure::io_said(error),
    }
}

fn words(error: &ZipError) -> Part {
    match error {
        ZipError::Io(e) => crate::failure::io_said(e).into(),
        ZipError::InvalidArchive(_) => packages::no_zip().into(),
        other => other.into(),
    }
}
