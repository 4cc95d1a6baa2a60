//! Installed packages are read-only on the disk, files and folders, so that no other program
//! changes one by accident. Whoever removes such a folder takes that back first.

use std::fs;
use std::io;
use std::path::Path;

/// Makes a folder read-only: nothing is added to it, renamed in it or removed from it.
#[cfg(unix)]
pub(super) fn seal_folder(folder: &Path) -> io::Result<()> {
    let mut permissions = fs::metadata(folder)?.permissions();
    permissions.set_readonly(true);
    fs::set_permissions(folder, permissions)
}

/// Windows knows no read-only folders; the attribute of that name only hinders their removal.
#[cfg(not(unix))]
pub(super) fn seal_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Removes a folder and everything below it, read-only or not. Links are removed, not followed.
///
/// # Errors
/// As [`fs::remove_dir_all`].
pub fn remove_folder(folder: &Path) -> io::Result<()> {
    // What cannot be made writable says so when its removal fails.
    _ = make_writable(folder);
    fs::remove_dir_all(folder)
}

#[cfg(unix)]
fn make_writable(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(folder)?.flatten() {
        if entry.file_type()?.is_dir() {
            make_writable(&entry.path())?;
        }
    }
    Ok(())
}

/// Windows does not delete read-only files.
#[cfg(not(unix))]
fn make_writable(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)?.flatten() {
        let kind = entry.file_type()?;
        if kind.is_dir() {
            make_writable(&entry.path())?;
        } else if kind.is_file() {
            let mut permissions = entry.metadata()?.permissions();
            #[expect(clippy::permissions_set_readonly_false, reason = "only Windows comes here")]
            permissions.set_readonly(false);
            fs::set_permissions(entry.path(), permissions)?;
        }
    }
    Ok(())
}
