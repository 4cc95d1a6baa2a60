//! What the program keeps is read by the person who runs it and by nobody else on the machine.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

/// Makes a folder of the program's own, and what is missing above it. One that was there is closed
/// to others too: an older version, or a person's `mkdir`, may have left it open.
pub(crate) fn folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    close(path)
}

/// Opens a file of the program's own for writing, made when it is missing; what is in it stays.
pub(crate) fn file(path: &Path) -> io::Result<File> {
    let file = options().create(true).truncate(false).open(path)?;
    close(path)?;
    Ok(file)
}

/// Makes a file of the program's own; `AlreadyExists` when something is there.
pub(crate) fn new_file(path: &Path) -> io::Result<File> {
    options().create_new(true).open(path)
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Takes the rights of others away. What is somebody else's, or a folder where everybody keeps
/// files of his own (`/tmp`), stays as it is.
#[cfg(unix)]
fn close(path: &Path) -> io::Result<()> {
    use io::ErrorKind as K;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let meta = fs::metadata(path)?;
    let mode = meta.mode() & 0o7777;
    let ours = meta.uid() == rustix::process::geteuid().as_raw();
    let (everybodys, closed) = (mode & 0o1000 != 0, mode & 0o700);
    if !ours || everybodys || mode == closed {
        return Ok(());
    }
    match fs::set_permissions(path, fs::Permissions::from_mode(closed)) {
        // A disk that knows no rights: nothing there can be closed, and the program still works.
        Err(e) if matches!(e.kind(), K::PermissionDenied | K::Unsupported) => {
            tracing::warn!("this disk keeps no rights: others may read the store");
            Ok(())
        }
        done => done,
    }
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere folders are closed by what they lie in")]
fn close(_path: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn what_is_made_and_what_was_open_is_closed_to_others() {
        let temp = tempfile::tempdir().unwrap();
        let (root, left) = (temp.path().join("a/b"), temp.path().join("left"));
        folder(&root).unwrap();
        assert_eq!((mode(&root), mode(&temp.path().join("a"))), (0o700, 0o700));
        fs::create_dir(&left).unwrap();
        fs::set_permissions(&left, fs::Permissions::from_mode(0o755)).unwrap();
        folder(&left).unwrap();
        assert_eq!(mode(&left), 0o700);
        fs::write(left.join("x"), "kept").unwrap();
        fs::set_permissions(left.join("x"), fs::Permissions::from_mode(0o644)).unwrap();
        file(&left.join("x")).unwrap();
        new_file(&left.join("y")).unwrap();
        assert_eq!((mode(&left.join("x")), mode(&left.join("y"))), (0o600, 0o600));
        assert_eq!(fs::read_to_string(left.join("x")).unwrap(), "kept");
    }

    #[test]
    fn a_folder_that_everybody_writes_into_stays_everybodys() {
        let temp = tempfile::tempdir().unwrap();
        fs::set_permissions(temp.path(), fs::Permissions::from_mode(0o1777)).unwrap();
        folder(temp.path()).unwrap();
        assert_eq!(mode(temp.path()), 0o1777);
    }
}
