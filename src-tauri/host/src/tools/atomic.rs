//! Replacing a file in one step: whoever looks sees the old bytes or the new ones, also after a
//! power cut.

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _};
use cap_std::fs::{Dir, OpenOptions, Permissions};
use std::fs::{File, TryLockError};
use std::io::{self, Write as _};

use super::rename::no_replace;
use crate::crash::{Point, point};

/// What a file is called while it is being written. A crash can leave one behind.
const TEMP_PREFIX: &str = ".crewagent.tmp-";

/// Puts `bytes` at `name` of `folder`: a temporary file beside it, flushed to disk, renamed over
/// it, the folder flushed too.
pub(crate) fn replace(
    folder: &Dir,
    name: &str,
    bytes: &[u8],
    permissions: Option<Permissions>,
) -> io::Result<()> {
    written(folder, bytes, permissions)?.rename(name)?;
    point(Point::AfterRename);
    sync(folder)
}

/// Puts a new file at `name` like [`replace`]; `AlreadyExists` when something is there.
pub(crate) fn create(
    folder: &Dir,
    name: &str,
    bytes: &[u8],
    permissions: Option<Permissions>,
) -> io::Result<()> {
    written(folder, bytes, permissions)?.rename_new(name)?;
    point(Point::AfterRename);
    sync(folder)
}

/// The temporary file, on disk and about to get its name.
fn written<'d>(
    folder: &'d Dir,
    bytes: &[u8],
    permissions: Option<Permissions>,
) -> io::Result<Temp<'d>> {
    point(Point::BeforeTemp);
    let mut temp = Temp::new(folder, permissions.as_ref())?;
    temp.file.write_all(bytes)?;
    if let Some(permissions) = permissions {
        // What the umask took away. By the handle: the name could be another file's by now.
        temp.file.set_permissions(permissions.into_std(&temp.file)?)?;
    }
    temp.file.sync_all()?;
    point(Point::BeforeRename);
    Ok(temp)
}

/// Puts the bytes of a checkpoint at `name` like [`replace`], but leaves flushing the folder to the
/// caller: for several files at once. Nobody else reads it: what it was made from may have been
/// closed to others.
pub(super) fn put(folder: &Dir, name: &str, bytes: &[u8]) -> io::Result<()> {
    let mut temp = Temp::new(folder, for_its_owner().as_ref())?;
    temp.file.write_all(bytes)?;
    temp.file.sync_all()?;
    point(Point::BeforeCheckpointRename);
    temp.rename(name)?;
    point(Point::AfterCheckpointRename);
    Ok(())
}

/// Permissions of a file that nobody else on this machine reads.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere there is nothing to set")]
pub(crate) fn for_its_owner() -> Option<Permissions> {
    use cap_std::fs::PermissionsExt as _;
    Some(Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
pub(crate) fn for_its_owner() -> Option<Permissions> {
    None
}

/// A locked file with a name of its own, gone with its owner unless it was renamed.
struct Temp<'d> {
    folder: &'d Dir,
    name: String,
    file: File,
    renamed: bool,
}

impl<'d> Temp<'d> {
    /// It is born with `permissions`, less what the umask takes away: no moment is left in which
    /// others could open it.
    fn new(folder: &'d Dir, permissions: Option<&Permissions>) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).follow(FollowSymlinks::No);
        #[cfg(unix)]
        if let Some(permissions) = permissions {
            use cap_std::fs::{OpenOptionsExt as _, PermissionsExt as _};
            options.mode(permissions.mode() & 0o777);
        }
        #[cfg(not(unix))]
        let _ = permissions;
        loop {
            let name = format!("{TEMP_PREFIX}{}", uuid::Uuid::now_v7().simple());
            let file = folder.open_with(&name, &options)?.into_std();
            let temp = Self { folder, name, file, renamed: false };
            // Between the two, a sweep may have taken it for one that was left behind.
            if temp.file.try_lock().is_ok() && folder.symlink_metadata(&temp.name).is_ok() {
                return Ok(temp);
            }
        }
    }

    fn rename(mut self, name: &str) -> io::Result<()> {
        self.folder.rename(&self.name, self.folder, name)?;
        self.renamed = true;
        Ok(())
    }

    fn rename_new(mut self, name: &str) -> io::Result<()> {
        no_replace(self.folder, &self.name, self.folder, name)?;
        self.renamed = true;
        Ok(())
    }
}

impl Drop for Temp<'_> {
    fn drop(&mut self) {
        if !self.renamed {
            // One that stays is swept later.
            let _ = self.folder.remove_file(&self.name);
        }
    }
}

/// Removes what a crash left of a [`replace`] in this folder. What a living process is writing is
/// locked and stays.
pub(crate) fn sweep(folder: &Dir) {
    let Ok(entries) = folder.entries() else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let left = name.to_string_lossy().starts_with(TEMP_PREFIX);
        if left && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let Ok(file) = entry.open().map(cap_std::fs::File::into_std) else { continue };
            if !matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
                let _ = folder.remove_file(&name);
            }
        }
    }
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

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use cap_std::ambient_authority;
    use cap_std::fs::PermissionsExt as _;
    use rstest::rstest;

    #[rstest]
    #[case(0o600)]
    #[case(0o400)]
    #[case(0o700)]
    fn a_file_that_replaces_a_closed_one_is_closed_from_its_first_moment(#[case] mode: u32) {
        let dir = tempfile::tempdir().unwrap();
        let folder = Dir::open_ambient_dir(dir.path(), ambient_authority()).unwrap();
        let temp = Temp::new(&folder, Some(&Permissions::from_mode(mode))).unwrap();
        let born = temp.file.metadata().unwrap();
        assert_eq!(std::os::unix::fs::PermissionsExt::mode(&born.permissions()) & 0o777, mode);
        drop(temp);
        replace(&folder, "a", b"x", Some(Permissions::from_mode(mode))).unwrap();
        assert_eq!(folder.metadata("a").unwrap().permissions().mode() & 0o777, mode);
    }

    #[test]
    fn a_checkpoint_is_its_owners() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Dir::open_ambient_dir(dir.path(), ambient_authority()).unwrap();
        put(&folder, "a.zst", b"x").unwrap();
        assert_eq!(folder.metadata("a.zst").unwrap().permissions().mode() & 0o777, 0o600);
    }
}
