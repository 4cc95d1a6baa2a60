//! Reading bytes piece by piece, with their hash.

use kernel::package::PackageFile;
use kernel::text::hex;
use sha2::{Digest as _, Sha256};
use std::io::{self, Read};

/// How much is read at once.
pub(super) const PIECE: usize = 64 * 1024;

/// What was read to its end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hashed {
    sha256: [u8; 32],
    pub(super) size: u64,
}

impl From<Hashed> for PackageFile {
    fn from(found: Hashed) -> Self {
        Self { sha256: hex(&found.sha256), size: found.size }
    }
}

/// Reads to the end through `piece`, at most `most` bytes, and shows every piece; `None` when there
/// are more. Stops where a piece is not wanted.
pub(super) fn hashed(
    mut from: impl Read,
    most: u64,
    piece: &mut [u8],
    mut show: impl FnMut(&[u8]) -> bool,
) -> io::Result<Option<Hashed>> {
    let (mut hash, mut size) = (Sha256::new(), 0);
    loop {
        let read = match from.read(piece) {
            Ok(0) => break,
            Ok(read) => read,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        size += read as u64;
        if size > most || !show(&piece[..read]) {
            return Ok(None);
        }
        hash.update(&piece[..read]);
    }
    Ok(Some(Hashed { sha256: hash.finalize().into(), size }))
}
