//! Opening files whose place somebody else chose: only plain ones, and never with a wait.

use cap_fs_ext::OpenOptionsSyncExt as _;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, OpenOptions};
use std::io::{self, Read as _};
use std::path::Path;

/// Opens a plain file to read it. A pipe or a device is `Unsupported`: opening or reading one may
/// never end. Links are followed.
pub(crate) fn open(path: &Path) -> io::Result<std::fs::File> {
    plain(File::open_ambient_with(path, &options(), ambient_authority())?)
}

/// The same below a folder that no link leads out of.
pub(crate) fn open_in(folder: &Dir, name: &str) -> io::Result<std::fs::File> {
    plain(folder.open_with(name, &options())?)
}

/// The text of a plain file of at most `most` bytes; a longer one is `FileTooLarge`.
pub(crate) fn read_to_string(path: &Path, most: u64) -> io::Result<String> {
    let mut text = String::new();
    open(path)?.take(most + 1).read_to_string(&mut text)?;
    if text.len() as u64 > most { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(text) }
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).nonblock(true);
    options
}

fn plain(file: File) -> io::Result<std::fs::File> {
    if file.metadata()?.is_file() {
        Ok(file.into_std())
    } else {
        Err(io::ErrorKind::Unsupported.into())
    }
}
