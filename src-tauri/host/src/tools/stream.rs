//! Reading a file piece by piece: hashing without keeping, and stopping when asked.

use cap_std::fs::File;
use kernel::code::{ErrorCode, Failure};
use kernel::path::AliasPath;
use kernel::text::hex;
use sha2::{Digest as _, Sha256};
use std::io::{self, Read};
use tokio_util::sync::CancellationToken;

use super::mounts::io_failure;

const CHUNK: usize = 64 * 1024;

/// The user pressed Stop.
pub(super) fn stopped() -> Failure {
    Failure::for_model(ErrorCode::EngineAborted, "stopped by the user before it was done")
}

/// SHA-256 of all that is left of `file`; `see` gets each piece.
pub(super) fn hash(
    mut file: impl Read,
    path: &AliasPath,
    cancel: &CancellationToken,
    mut see: impl FnMut(&[u8]) -> Result<(), Failure>,
) -> Result<String, Failure> {
    let mut sha = Sha256::new();
    let mut buffer = vec![0; CHUNK];
    loop {
        if cancel.is_cancelled() {
            return Err(stopped());
        }
        let count = match file.read(&mut buffer) {
            Ok(0) => return Ok(hex(&sha.finalize())),
            Ok(count) => count,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(io_failure(path, &e)),
        };
        sha.update(&buffer[..count]);
        see(&buffer[..count])?;
    }
}

/// A reader that ends with an error once `cancel` is set.
pub(super) struct Stoppable<'c> {
    pub(super) file: File,
    pub(super) cancel: &'c CancellationToken,
}

impl Read for Stoppable<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.cancel.is_cancelled() {
            return Err(io::Error::other("stopped"));
        }
        self.file.read(buffer)
    }
}
