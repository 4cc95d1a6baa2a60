//! How far a package is read or installed, for whoever waits for that and may not want to any more.

use kernel::wire::ReadingProgress;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// A reading of a package. Its copies are the same reading.
#[derive(Debug, Clone, Default)]
pub struct PackageReading(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    done: AtomicU32,
    of: AtomicU32,
    is_installing: AtomicBool,
    is_stopped: AtomicBool,
}

impl PackageReading {
    /// Ends it before its next file. What was written of an install is removed.
    pub fn stop(&self) {
        self.0.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Where it is now.
    pub fn progress(&self) -> ReadingProgress {
        let of = self.0.of.load(Ordering::Relaxed);
        ReadingProgress {
            done: self.0.done.load(Ordering::Relaxed),
            of: (of > 0).then_some(of),
            is_installing: self.0.is_installing.load(Ordering::Relaxed),
        }
    }

    /// Files are read from here on, so many of them where that is known.
    pub(super) fn begin(&self, of: Option<usize>) {
        self.0.done.store(0, Ordering::Relaxed);
        let of = of.map_or(0, |of| u32::try_from(of).unwrap_or(u32::MAX));
        self.0.of.store(of, Ordering::Relaxed);
    }

    /// The same of files that are written, too.
    pub(super) fn begin_install(&self, of: usize) {
        self.begin(Some(of));
        self.0.is_installing.store(true, Ordering::Relaxed);
    }

    /// One more file; false when nobody wants it any more.
    pub(super) fn goes_on(&self) -> bool {
        self.0.done.fetch_add(1, Ordering::Relaxed);
        !self.is_stopped()
    }

    /// The same of a file that was read before and is read again: it counts where it is installed.
    pub(super) fn goes_on_again(&self) -> bool {
        let counted = self.0.is_installing.load(Ordering::Relaxed);
        self.0.done.fetch_add(counted.into(), Ordering::Relaxed);
        !self.is_stopped()
    }

    /// Whether it is this very reading.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.0.is_stopped.load(Ordering::Relaxed)
    }
}
