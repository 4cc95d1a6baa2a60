//! Opening files whose place somebody else chose: only plain ones, and never with a wait.

use cap_fs_ext::OpenOptionsSyncExt as _;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, OpenOptions};
use std::fmt;
use std::io::{self, Read};
use std::path::Path;

/// The bytes of a file are no text in UTF-8.
#[derive(Debug)]
pub(crate) struct NotText;

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes are not UTF-8")
    }
}

impl std::error::Error for NotText {}

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
    text_of(open(path)?, most)
}

/// Reads a text of at most `most` bytes.
///
/// # Errors
/// `FileTooLarge` for a longer one, whatever it holds; `InvalidData` for what is no UTF-8; what
/// reading fails with.
pub fn text_of(from: impl Read, most: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    from.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    utf8(bytes)
}

/// Bytes as a text.
///
/// # Errors
/// `InvalidData` for what is no UTF-8.
pub fn utf8(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, NotText))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::io_said;
    use kernel::phrase::general;

    #[test]
    fn a_long_text_is_too_long_also_when_the_limit_cuts_a_character() {
        for most in 5..9 {
            let failed = text_of("字字字".repeat(2).as_bytes(), most).unwrap_err();
            assert_eq!(failed.kind(), io::ErrorKind::FileTooLarge, "{most}");
        }
        assert_eq!(text_of("字字字".as_bytes(), 9).unwrap(), "字字字");
    }

    #[test]
    fn only_bytes_that_are_read_as_a_text_are_said_to_be_none() {
        let no_text = text_of(&b"\xff"[..], 9).unwrap_err();
        assert_eq!(io_said(&no_text), general::disk_is_no_text());
        let of_a_library = io::Error::new(io::ErrorKind::InvalidData, "Invalid checksum");
        assert_eq!(io_said(&of_a_library), general::disk_is_damaged());
    }
}
