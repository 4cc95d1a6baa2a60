//! Packs a folder into a `.bmad` file. The same content gives the same bytes.

use kernel::code::{ErrorCode, Failure};
use kernel::ids::PackageId;
use kernel::package::PackageFile;
use kernel::phrase::{exports, packages};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Cursor, Read as _, Seek as _, Write as _};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::content::{Content, ContentError};
use super::hashed::{PIECE, hashed};
use super::inspect;
use super::inspected::Inspected;
use super::names::shown;
use crate::atomic::AtomicFile;

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// The file's name, without its folder.
    pub file: String,
    /// The id it will be installed under.
    pub package_id: PackageId,
    /// SHA-256 of the content, as in the report.
    pub content_hash: String,
    /// SHA-256 of the file's bytes, for publishing.
    pub file_sha256: String,
    /// Size of the file in bytes.
    pub bytes: u64,
}

/// Checks the folder and writes it to `out` as a package file, replacing an archive that is there.
///
/// # Errors
/// As [`inspect`] and [`super::Inspected::usable`]; `EXPORT_EXISTS` for anything else that is
/// there, unless `replace`; `STORE_WRITE_FAILED` when `out` cannot be written. `out` is as it was
/// then.
pub fn pack(folder: &Path, out: &Path, replace: bool) -> Result<Packed, Failure> {
    pack_inspected(&inspect(folder)?, out, replace)
}

/// The same of a package that was inspected.
pub(super) fn pack_inspected(
    inspected: &Inspected,
    out: &Path,
    replace: bool,
) -> Result<Packed, Failure> {
    let package = inspected.usable()?;
    let name = shown(out);
    if !replace && out.symlink_metadata().is_ok() && !is_archive(out) {
        let failure = Failure::new(ErrorCode::ExportExists, exports::exists(&name));
        return Err(failure.with_action(exports::other_name_or_force()));
    }
    let failed = |e: &io::Error| {
        crate::failure::io(ErrorCode::StoreWriteFailed, packages::writing(&name), e)
            .with_action(packages::choose_writable_folder())
    };
    let written = write_whole(out, &inspected.content).map_err(|unread| match unread {
        ContentError::Changed => unread.while_reading(),
        stopped @ ContentError::Stopped => stopped.while_reading(),
        ContentError::Sink(e) => failed(&e),
    })?;
    Ok(Packed {
        package_id: package.id.clone(),
        content_hash: package.content_hash.clone(),
        file_sha256: written.sha256,
        bytes: written.size,
        file: name.clone(),
    })
}

fn options() -> SimpleFileOptions {
    SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644)
}

/// An archive in path order with fixed times and modes.
pub(crate) fn zip_bytes(files: &BTreeMap<String, Vec<u8>>) -> io::Result<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, bytes) in files {
        zip.start_file(path.as_str(), options())?;
        zip.write_all(bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}

/// The same of a package that is read while it is written.
fn write_zip(into: &fs::File, content: &Content) -> Result<(), ContentError> {
    let sink = |e: zip::result::ZipError| ContentError::Sink(e.into());
    let mut opened = content.open()?;
    let mut zip = ZipWriter::new(into);
    for path in content.files.files.keys() {
        zip.start_file(path.as_str(), options()).map_err(sink)?;
        opened.copy(path, &mut zip)?;
    }
    zip.finish().map(drop).map_err(sink)
}

/// Whether it is a file that begins as a ZIP archive does.
fn is_archive(path: &Path) -> bool {
    let mut start = [0; 2];
    let read = |mut file: fs::File| file.read_exact(&mut start);
    // Opening a pipe would wait for somebody to write.
    path.is_file() && fs::File::open(path).and_then(read).is_ok() && start == *b"PK"
}

/// Whole or not at all. The file is hashed as it lies on the disk, before it has its name.
fn write_whole(out: &Path, content: &Content) -> Result<PackageFile, ContentError> {
    let file = AtomicFile::beside(out, None).map_err(ContentError::Sink)?;
    write_zip(file.file(), content)?;
    let finish = || {
        let file = file.flushed()?;
        let mut bytes = file.file();
        bytes.rewind()?;
        let written = hashed(&mut bytes, u64::MAX, &mut vec![0; PIECE], |_| true)?;
        let written = written.ok_or(io::ErrorKind::FileTooLarge)?;
        file.put(out.file_name().unwrap_or_default())?;
        Ok(written.into())
    };
    finish().map_err(ContentError::Sink)
}
