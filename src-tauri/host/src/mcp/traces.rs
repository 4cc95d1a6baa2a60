//! What a server leaves behind, from its start on.

use super::asker::Challenge;
use super::bounded::LogTail;

/// What a server leaves behind.
#[derive(Debug, Clone, Default)]
pub(super) struct Traces {
    /// What it writes to its standard error.
    pub(super) log: LogTail,
    /// What it says of how one signs in there.
    pub(super) challenge: Challenge,
}
