//! Disk work off the async threads.

use kernel::code::{ErrorCode, Failure};
use kernel::phrase::general;

/// Runs what may block on a thread that may be blocked.
pub(crate) async fn on_disk<T: Send + 'static>(
    act: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let ended = |_| Failure::new(ErrorCode::Internal, general::ended_early());
    tokio::task::spawn_blocking(act).await.map_err(ended)?
}
