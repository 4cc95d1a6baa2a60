//! Replacing a file in one step: whoever looks sees the old bytes or the new ones, also after a
//! power cut.

use cap_fs_ext::DirExt as _;
use cap_std::fs::{Dir, Permissions};
use cap_tempfile::TempFile;
use std::io::{self, Write as _};

/// Puts `bytes` at `name` of `folder`: a temporary file beside it, flushed to disk, renamed over
/// it, the folder flushed too.
pub(super) fn replace(
    folder: &Dir,
    name: &str,
    bytes: &[u8],
    permissions: Option<Permissions>,
) -> io::Result<()> {
    let mut temp = TempFile::new(folder)?;
    temp.write_all(bytes)?;
    if let Some(permissions) = permissions {
        temp.as_file().set_permissions(permissions)?;
    }
    temp.as_file().sync_all()?;
    temp.replace(name)?;
    sync(folder)
}

/// Makes the folders `names`, one in the other, below `folder`; each is on disk before the next.
pub(super) fn make_folders(folder: Dir, names: &[String]) -> io::Result<Dir> {
    names.iter().try_fold(folder, |above, name| {
        match above.create_dir(name) {
            Ok(()) => sync(&above)?,
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
        above.open_dir_nofollow(name)
    })
}

/// Flushes a folder: a rename is only lasting once its folder is on disk.
#[cfg(unix)]
pub(super) fn sync(folder: &Dir) -> io::Result<()> {
    // Opened anew: the handle we walk with may not allow it.
    folder.open(".")?.sync_all()
}

/// Windows has no such call; its file system journals renames by itself.
#[cfg(not(unix))]
pub(super) fn sync(_folder: &Dir) -> io::Result<()> {
    Ok(())
}
