//! What a new package begins as: small packages that are whole, and explain themselves.

use include_dir::{Dir, include_dir};
use kernel::code::{ErrorCode, Failure};
use kernel::package::slug;
use kernel::phrase::{exports, general, packages};
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use super::bundled::files_of;
use super::names::shown;

static STARTERS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../templates/starters");

/// What a package is called in them.
const NAME: &str = "starter-name";

/// What a package can begin as, sorted.
pub fn starters() -> Vec<&'static str> {
    let mut names: Vec<&str> =
        STARTERS.dirs().filter_map(|dir| dir.path().file_name()?.to_str()).collect();
    names.sort_unstable();
    names
}

/// A package that was begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartedPackage {
    /// What it is called.
    pub name: String,
    /// Its files, by their path in it.
    pub files: Vec<String>,
}

/// Makes a package in a folder that is not there or holds nothing, called as the folder is.
///
/// # Errors
/// `BAD_REQUEST` for an unknown starter; `EXPORT_EXISTS` when something is there;
/// `STORE_WRITE_FAILED`. What was written until then stays.
pub fn start_package(folder: &Path, starter: &str) -> Result<StartedPackage, Failure> {
    let dir = STARTERS.dirs().find(|dir| dir.path().as_os_str() == starter).ok_or_else(|| {
        let name = kernel::text::ellipsis(starter, 80);
        Failure::new(ErrorCode::BadRequest, packages::no_starter(name))
            .with_action(general::one_of(starters().join(", ")))
    })?;
    let name = shown(folder);
    let failed = |e: &io::Error| {
        crate::failure::io(ErrorCode::StoreWriteFailed, packages::writing(&name), e)
            .with_action(packages::choose_writable_folder())
    };
    fs::create_dir_all(folder).map_err(|e| failed(&e))?;
    if fs::read_dir(folder).map_err(|e| failed(&e))?.next().is_some() {
        let failure = Failure::new(ErrorCode::ExportExists, exports::exists(&name));
        return Err(failure.with_action(packages::choose_an_empty_folder()));
    }
    // `.` has no name of its own.
    let whole = folder.canonicalize().map_err(|e| failed(&e))?;
    let called = slug(&whole.file_name().unwrap_or_default().to_string_lossy());
    let files = files_of(dir);
    for (path, bytes) in &files {
        let text = String::from_utf8_lossy(bytes).replace(NAME, &called);
        write(&folder.join(path), text.as_bytes()).map_err(|e| failed(&e))?;
    }
    Ok(StartedPackage { name: called, files: files.into_keys().collect() })
}

/// In place of nothing that came there meanwhile.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::File::create_new(path)?.write_all(bytes)
}
