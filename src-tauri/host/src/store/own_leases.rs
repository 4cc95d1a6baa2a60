//! The leases that this store holds itself.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The tokens of this store's own leases.
#[derive(Default)]
pub(super) struct OwnLeases(Mutex<BTreeSet<String>>);

impl OwnLeases {
    pub(super) fn tokens(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
