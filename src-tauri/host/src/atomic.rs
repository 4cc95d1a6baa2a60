//! Replacing a file in one step: whoever looks sees the old bytes or the new ones, also after a
//! power cut. Everything that the program replaces as a whole is written through [`AtomicFile`]:
//! files of projects and runs, settings, keys, packages and exports.

mod rename;

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions, Permissions};
use std::borrow::Borrow;
use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::Path;

use crate::crash::{Point, point};

pub(crate) use rename::no_replace;

/// What a file is called while it is being written. A crash can leave one behind.
const TEMP_PREFIX: &str = ".crewagent.tmp-";

/// A file that is being written beside the one it will replace, under a name of its own, and
/// locked. It goes with its owner unless it was renamed.
pub(crate) struct AtomicFile<D: Borrow<Dir>> {
    folder: D,
    name: String,
    file: File,
    renamed: bool,
}

/// One whose bytes are on disk, and which can have its name now. The name itself is lasting once
/// the folder is flushed, too ([`sync`]).
pub(crate) struct Flushed<D: Borrow<Dir>>(AtomicFile<D>);

impl AtomicFile<Dir> {
    /// Begins one in the folder of `path`, which the person chose. What a crash left there of another
    /// one goes first.
    pub(crate) fn beside(path: &Path, permissions: Option<&Permissions>) -> io::Result<Self> {
        let folder = folder_of(path)?;
        sweep(&folder);
        Self::new(folder, permissions)
    }
}

impl<D: Borrow<Dir>> AtomicFile<D> {
    /// Begins one in `folder`. It is born with `permissions`, less what the umask takes away: no
    /// moment is left in which others could open it.
    pub(crate) fn new(folder: D, permissions: Option<&Permissions>) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true).follow(FollowSymlinks::No);
        #[cfg(unix)]
        if let Some(permissions) = permissions {
            use cap_std::fs::{OpenOptionsExt as _, PermissionsExt as _};
            options.mode(permissions.mode() & 0o777);
        }
        #[cfg(not(unix))]
        let _ = permissions;
        loop {
            let name = format!("{TEMP_PREFIX}{}", uuid::Uuid::now_v7().simple());
            let file = folder.borrow().open_with(&name, &options)?.into_std();
            // Between the two, a sweep may have taken it for one that was left behind. A disk
            // without locks refuses in another way, and is written to all the same.
            let swept = matches!(file.try_lock(), Err(TryLockError::WouldBlock))
                || folder.borrow().symlink_metadata(&name).is_err();
            if !swept {
                return Ok(Self { folder, name, file, renamed: false });
            }
        }
    }

    /// Its bytes, for what the [`Write`] of this type does not do.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Brings its bytes to the disk.
    pub(crate) fn flushed(self) -> io::Result<Flushed<D>> {
        self.file.sync_all()?;
        Ok(Flushed(self))
    }
}

impl<D: Borrow<Dir>> Flushed<D> {
    /// Its bytes.
    pub(crate) fn file(&self) -> &File {
        &self.0.file
    }

    /// Gives it the name `name`, in place of what has it now, and leaves flushing the folder to the
    /// caller.
    pub(crate) fn replace(self, name: impl AsRef<Path>) -> io::Result<()> {
        self.named(|folder, own| folder.rename(own, folder, name)).map(drop)
    }

    /// The same, and flushes the folder.
    pub(crate) fn put(self, name: impl AsRef<Path>) -> io::Result<()> {
        self.lastingly(|folder, own| folder.rename(own, folder, name))
    }

    /// The same, but `AlreadyExists` when something has that name.
    fn create(self, name: impl AsRef<Path>) -> io::Result<()> {
        self.lastingly(|folder, own| no_replace(folder, own, folder, name))
    }

    fn lastingly(self, rename: impl FnOnce(&Dir, &str) -> io::Result<()>) -> io::Result<()> {
        point(Point::BeforeRename);
        let file = self.named(rename)?;
        point(Point::AfterRename);
        sync(file.folder.borrow())
    }

    fn named(
        mut self,
        rename: impl FnOnce(&Dir, &str) -> io::Result<()>,
    ) -> io::Result<AtomicFile<D>> {
        rename(self.0.folder.borrow(), &self.0.name)?;
        self.0.renamed = true;
        Ok(self.0)
    }
}

impl<D: Borrow<Dir>> Write for AtomicFile<D> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl<D: Borrow<Dir>> Drop for AtomicFile<D> {
    fn drop(&mut self) {
        if !self.renamed {
            // One that stays is swept later.
            let _ = self.folder.borrow().remove_file(&self.name);
        }
    }
}

/// Puts `bytes` at `name` of `folder`, and flushes the folder.
pub(crate) fn replace(
    folder: &Dir,
    name: impl AsRef<Path>,
    bytes: &[u8],
    permissions: Option<Permissions>,
) -> io::Result<()> {
    written(folder, bytes, permissions)?.put(name)
}

/// Puts a new file at `name` like [`replace`]; `AlreadyExists` when something is there.
pub(crate) fn create(
    folder: &Dir,
    name: impl AsRef<Path>,
    bytes: &[u8],
    permissions: Option<Permissions>,
) -> io::Result<()> {
    written(folder, bytes, permissions)?.create(name)
}

/// The file, on disk and without its name.
fn written<'d>(
    folder: &'d Dir,
    bytes: &[u8],
    permissions: Option<Permissions>,
) -> io::Result<Flushed<&'d Dir>> {
    point(Point::BeforeTemp);
    let mut file = AtomicFile::new(folder, permissions.as_ref())?;
    file.write_all(bytes)?;
    if let Some(permissions) = permissions {
        // What the umask took away. By the handle: the name could be another file's by now.
        file.file.set_permissions(permissions.into_std(&file.file)?)?;
    }
    file.flushed()
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

/// Opens the folder that `path` lies in; that of the process when `path` is a name alone.
pub(crate) fn folder_of(path: &Path) -> io::Result<Dir> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Dir::open_ambient_dir(folder, ambient_authority())
}

/// Whether nobody is writing this file of an [`AtomicFile`]. Asking takes a shared lock, which is to be
/// had for a file that is open for reading, also on NFS. Where nobody can be asked, somebody may be.
pub(crate) fn is_left(file: &File) -> bool {
    file.try_lock_shared().is_ok()
}

/// Removes what a crash left of an [`AtomicFile`] in this folder. What a living process is writing
/// is locked and stays; on a disk without locks everything does.
pub(crate) fn sweep(folder: &Dir) {
    let Ok(entries) = folder.entries() else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let left = name.to_string_lossy().starts_with(TEMP_PREFIX);
        if left && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let Ok(file) = entry.open().map(cap_std::fs::File::into_std) else { continue };
            if is_left(&file) {
                let _ = folder.remove_file(&name);
            }
        }
    }
}

/// Makes the folders `names`, one in the other, below `folder`; each is on disk before the next.
pub(crate) fn make_folders(folder: Dir, names: &[String]) -> io::Result<Dir> {
    names.iter().try_fold(folder, |above, name| {
        // Most of them are there.
        match above.open_dir_nofollow(name) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            there => return there,
        }
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
pub(crate) fn sync(folder: &Dir) -> io::Result<()> {
    // Opened anew: the handle we walk with may not allow it.
    folder.open(".")?.sync_all()
}

/// Windows has no such call; its file system journals renames by itself.
#[cfg(not(unix))]
pub(crate) fn sync(_folder: &Dir) -> io::Result<()> {
    Ok(())
}

/// The same for a folder that is known by its path.
pub(crate) fn sync_dir(path: &Path) -> io::Result<()> {
    sync(&Dir::open_ambient_dir(path, ambient_authority())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn folder() -> (tempfile::TempDir, Dir) {
        let temp = tempfile::tempdir().unwrap();
        let folder = Dir::open_ambient_dir(temp.path(), ambient_authority()).unwrap();
        (temp, folder)
    }

    #[cfg(unix)]
    #[rstest]
    #[case(0o600)]
    #[case(0o400)]
    #[case(0o700)]
    fn a_file_that_replaces_a_closed_one_is_closed_from_its_first_moment(#[case] mode: u32) {
        use cap_std::fs::PermissionsExt as _;
        let (_temp, folder) = folder();
        let file = AtomicFile::new(&folder, Some(&Permissions::from_mode(mode))).unwrap();
        let born = file.file().metadata().unwrap();
        assert_eq!(std::os::unix::fs::PermissionsExt::mode(&born.permissions()) & 0o777, mode);
        drop(file);
        replace(&folder, "a", b"x", Some(Permissions::from_mode(mode))).unwrap();
        assert_eq!(folder.metadata("a").unwrap().permissions().mode() & 0o777, mode);
    }

    #[test]
    fn a_file_that_never_got_its_name_is_gone_and_what_it_would_have_replaced_stays() {
        let (_temp, folder) = folder();
        folder.write("a", "old").unwrap();
        let mut file = AtomicFile::new(&folder, None).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(folder.entries().unwrap().count(), 2);
        drop(file.flushed().unwrap());
        let refused = create(&folder, "a", b"new", None).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(folder.read_to_string("a").unwrap(), "old");
        assert_eq!(folder.entries().unwrap().count(), 1);
    }

    #[test]
    fn a_sweep_takes_what_a_crash_left_and_leaves_what_is_being_written() {
        let (_temp, folder) = folder();
        folder.write(format!("{TEMP_PREFIX}left"), "half").unwrap();
        let mut writing = AtomicFile::new(&folder, None).unwrap();
        writing.write_all(b"new").unwrap();
        sweep(&folder);
        writing.flushed().unwrap().replace("a").unwrap();
        assert_eq!(folder.read_to_string("a").unwrap(), "new");
        assert_eq!(folder.entries().unwrap().count(), 1);
    }
}
