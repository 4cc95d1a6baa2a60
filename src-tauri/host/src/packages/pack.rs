//! Packs a folder into a `.bmad` file. The same content gives the same bytes.

use kernel::code::{ErrorCode, Failure};
use kernel::ids::PackageId;
use kernel::phrase::{exports, packages};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Cursor, Read as _, Write as _};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::{inspect, install, shown};

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
/// Errors: as [`inspect`] and [`super::Inspected::usable`]; `EXPORT_EXISTS` for anything else that
/// is there, unless `replace`; `STORE_WRITE_FAILED` when `out` cannot be written. `out` is as it
/// was then.
pub fn pack(folder: &Path, out: &Path, replace: bool) -> Result<Packed, Failure> {
    let inspected = inspect(folder)?;
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
    let bytes = zip_bytes(&inspected.files).map_err(|e| failed(&e))?;
    write_whole(out, &bytes).map_err(|e| failed(&e))?;
    Ok(Packed {
        package_id: package.id.clone(),
        content_hash: package.content_hash.clone(),
        file_sha256: kernel::text::sha256_hex(&bytes),
        bytes: bytes.len() as u64,
        file: name.clone(),
    })
}

/// An archive in path order with fixed times and modes.
pub(crate) fn zip_bytes(files: &BTreeMap<String, Vec<u8>>) -> io::Result<Vec<u8>> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, bytes) in files {
        zip.start_file(path.as_str(), options)?;
        zip.write_all(bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}

/// Whether it is a file that begins as a ZIP archive does.
fn is_archive(path: &Path) -> bool {
    let mut start = [0; 2];
    let read = |mut file: fs::File| file.read_exact(&mut start);
    // Opening a pipe would wait for somebody to write.
    path.is_file() && fs::File::open(path).and_then(read).is_ok() && start == *b"PK"
}

/// Temporary file beside the target, then a rename: whole or not at all.
fn write_whole(out: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = out.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let temp = folder.join(format!(".tmp-{}", uuid::Uuid::now_v7()));
    let written = fs::File::create_new(&temp)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&temp, out))
        .and_then(|()| install::sync_dir(folder));
    if written.is_err() {
        // Already renamed or never made is fine too: there is nothing else to clean up.
        let _ = fs::remove_file(&temp);
    }
    written
}
