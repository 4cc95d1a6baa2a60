//! Renaming so that nothing is overwritten.

use cap_std::fs::Dir;
use std::io;
use std::path::Path;

/// Renames `name` of `from` to `new` of `to`; `AlreadyExists` when something is there.
pub(crate) fn no_replace(
    from: &Dir,
    name: &str,
    to: &Dir,
    new: impl AsRef<Path>,
) -> io::Result<()> {
    let new = new.as_ref();
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    {
        use rustix::fs::{RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(from, name, to, new, RenameFlags::NOREPLACE) {
            // Some file systems do not know the flag.
            Err(Errno::INVAL | Errno::NOTSUP | Errno::NOSYS) => {}
            done => return done.map_err(io::Error::from),
        }
    }
    // There, and on other systems, the two steps are the nearest one can get.
    checked(from, name, to, new)
}

/// Looks first. Between the two steps somebody could make a file there.
fn checked(from: &Dir, name: &str, to: &Dir, new: &Path) -> io::Result<()> {
    match to.symlink_metadata(new) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => from.rename(name, to, new),
        Err(e) => Err(e),
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
    }
}
