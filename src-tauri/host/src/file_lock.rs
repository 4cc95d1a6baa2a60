//! Locks between programs that are held for moments.

use std::fs::{File, TryLockError};
use std::io;
use std::time::{Duration, Instant};

/// Somebody is told after this long.
const PATIENCE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(10);

/// Locks `file` until it is dropped; false when another program holds it for two seconds, stopped
/// or on a disk that does not answer. Blocks: not for async code.
pub(crate) fn lock_in_time(file: &File) -> io::Result<bool> {
    lock_within(file, PATIENCE)
}

/// The same with another patience.
pub(crate) fn lock_within(file: &File, patience: Duration) -> io::Result<bool> {
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) if begun.elapsed() >= patience => return Ok(false),
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            Err(TryLockError::Error(e)) => return Err(e),
        }
    }
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
