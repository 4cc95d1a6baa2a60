//! Files that the person brought back, one by one or with the whole run.

use super::{Event, PutBackEnded};

impl Event {
    /// What became of files that the person brought back.
    pub fn brought_back(&self) -> Option<&PutBackEnded> {
        match self {
            Self::PutBackEnded(e) => Some(e),
            Self::RewindEnded(e) => Some(&e.files),
            _ => None,
        }
    }
}
