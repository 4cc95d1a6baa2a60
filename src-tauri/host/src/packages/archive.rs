//! Reads a `.bmad` or `.zip` archive into memory, refusing what could harm (spec 03).

use kernel::code::{ErrorCode, Failure};
use kernel::package::MANIFEST_FILE;
use kernel::phrase::{Part, packages};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{Read, Seek, SeekFrom};
use zip::ZipArchive;
use zip::result::ZipError;

use super::names::{Names, is_litter, over_limit, unsafe_entry};
use super::{Limits, UNPACKED_FREELY, directory};

/// Reads all files of an archive. `name` is what messages call it.
///
/// Errors: `ARCHIVE_INVALID`, `ARCHIVE_LIMIT`, `ARCHIVE_UNSAFE`.
pub(crate) fn read(
    mut reader: impl Read + Seek,
    name: &str,
    limits: &Limits,
) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
    let packed = reader.seek(SeekFrom::End(0)).map_err(|e| invalid(name, words(&e.into())))?;
    let most = packed.saturating_mul(limits.total_ratio).max(UNPACKED_FREELY);
    let limits = &Limits { total_bytes: limits.total_bytes.min(most), ..*limits };
    let opened = directory::open(reader, limits.entries).map_err(|e| invalid(name, words(&e)))?;
    let Some(mut archive) = opened else {
        return Err(over_limit("entries", limits.entries as u64, None));
    };
    if archive.has_duplicate_names() {
        return Err(unsafe_entry(name, packages::entry_same_name()));
    }
    if archive.has_overlapping_entries().map_err(|e| invalid(name, words(&e)))? {
        return Err(unsafe_entry(name, packages::entry_overlaps()));
    }
    let mut names = Names::default();
    let mut files = BTreeMap::new();
    let mut left = limits.total_bytes;
    for index in 0..archive.len() {
        let Some(path) = accept(&archive, index, name, &mut names, limits)? else { continue };
        let bytes = unpack(&mut archive, index, &path, left, limits)?;
        left -= bytes.len() as u64;
        files.insert(path, bytes);
    }
    Ok(strip_top_folder(files))
}

/// Judges one entry by its headers. `None` for folders and litter.
fn accept<R: Read + Seek>(
    archive: &ZipArchive<R>,
    index: usize,
    name: &str,
    names: &mut Names,
    limits: &Limits,
) -> Result<Option<String>, Failure> {
    let entry = archive.by_index_data(index).map_err(|e| invalid(name, words(&e)))?;
    let Ok(path) = std::str::from_utf8(entry.name_raw()) else {
        let shown = String::from_utf8_lossy(entry.name_raw());
        return Err(unsafe_entry(&shown, packages::entry_not_utf8()));
    };
    let is_dir = path.ends_with('/');
    if entry.encrypted() {
        return Err(unsafe_entry(path, packages::entry_encrypted()));
    }
    if let Some(mode) = entry.unix_mode() {
        let expected = if is_dir { 0o040_000 } else { 0o100_000 };
        let kind = mode & 0o170_000;
        if kind != 0 && kind != expected {
            return Err(unsafe_entry(path, packages::entry_link()));
        }
    }
    let accepted = names.accept(path, !is_dir, limits)?;
    Ok(Some(accepted).filter(|p| !is_dir && !is_litter(p)))
}

/// The bytes of one entry, counted while they come.
fn unpack<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    index: usize,
    path: &str,
    left: u64,
    limits: &Limits,
) -> Result<Vec<u8>, Failure> {
    let mut entry = archive.by_index(index).map_err(|e| invalid(path, words(&e)))?;
    // The packed size is honest: overlapping entries were refused, so it is bytes of the file.
    let ratio = entry.compressed_size().saturating_mul(limits.ratio).max(limits.ratio_from);
    let cap = limits.entry_bytes.min(left).min(ratio);
    let mut bytes = Vec::new();
    (&mut entry)
        .take(cap + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| invalid(path, crate::failure::io_said(&e).into()))?;
    if bytes.len() as u64 <= cap {
        return Ok(bytes);
    }
    Err(if cap == limits.entry_bytes {
        over_limit("entryBytes", limits.entry_bytes, Some(path))
    } else if cap == left {
        over_limit("totalBytes", limits.total_bytes, Some(path))
    } else {
        over_limit("ratio", limits.ratio, Some(path))
    })
}

/// When everything lies in one folder that holds the manifest, that folder is the package.
fn strip_top_folder(files: BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    let top = files.keys().next().and_then(|path| path.split_once('/')).map(|(top, _)| top);
    let Some(prefix) = top.map(|t| format!("{t}/")) else { return files };
    let nested = !files.contains_key(MANIFEST_FILE)
        && files.contains_key(&format!("{prefix}{MANIFEST_FILE}"))
        && files.keys().all(|path| path.starts_with(&prefix));
    if !nested {
        return files;
    }
    files.into_iter().map(|(path, bytes)| (path[prefix.len()..].to_owned(), bytes)).collect()
}

fn invalid(what: &str, why: Part) -> Failure {
    let what = kernel::text::ellipsis(&what.escape_debug().to_string(), 240);
    let details = json!({ "entry": what, "reason": why.english() });
    Failure::new(ErrorCode::ArchiveInvalid, packages::not_unpacked(what, why))
        .with_details(details)
        .with_action(packages::must_be_zip())
}

fn words(error: &ZipError) -> Part {
    match error {
        ZipError::Io(e) => crate::failure::io_said(e).into(),
        ZipError::InvalidArchive(_) => packages::no_zip().into(),
        other => other.into(),
    }
}
