//! Locks between programs that are held for moments.

use std::fs::{File, TryLockError};
use std::io;
use std::time::Duration;

/// A lock is tried this often before somebody is told.
const TRIES: u32 = 200;
const PAUSE: Duration = Duration::from_millis(10);

/// Locks `file` until it is dropped; false when another program holds it for two seconds, stopped
/// or on a disk that does not answer. Blocks: not for async code.
pub(crate) fn lock_in_time(file: &File) -> io::Result<bool> {
    for _ in 0..TRIES {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            Err(TryLockError::Error(e)) => return Err(e),
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_somebody_keeps_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let (held, wanted) = (File::create(&path).unwrap(), File::create(&path).unwrap());
        assert!(lock_in_time(&held).unwrap());
        assert!(!lock_in_time(&wanted).unwrap());
        drop(held);
        assert!(lock_in_time(&wanted).unwrap());
    }
}
