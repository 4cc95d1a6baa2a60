//! Renaming so that nothing is overwritten.

use cap_std::fs::Dir;
use std::io;
use std::path::Path;

/// Renames `name` of `from` to `new` of `to`; `AlreadyExists` when something is there.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(crate) fn no_replace(
    from: &Dir,
    name: &str,
    to: &Dir,
    new: impl AsRef<Path>,
) -> io::Result<()> {
    use rustix::fs::{RenameFlags, renameat_with};
    let new = new.as_ref();
    match renameat_with(from, name, to, new, RenameFlags::NOREPLACE) {
        // Some file systems do not know the flag.
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOTSUP | rustix::io::Errno::NOSYS) => {
            checked(from, name, to, new)
        }
        other => other.map_err(io::Error::from),
    }
}

/// Elsewhere the two steps of [`checked`] are the nearest one can get.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(crate) fn no_replace(
    from: &Dir,
    name: &str,
    to: &Dir,
    new: impl AsRef<Path>,
) -> io::Result<()> {
    checked(from, name, to, new.as_ref())
}

/// Looks first. Between the two steps somebody could make a file there.
fn checked(from: &Dir, name: &str, to: &Dir, new: &Path) -> io::Result<()> {
    match to.symlink_metadata(new) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => from.rename(name, to, new),
        Err(e) => Err(e),
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
    }
}
