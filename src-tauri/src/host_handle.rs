//! The handle of the host, which is opened once, in the background, while the window already shows.

use host::host::{Host, HostOptions};
use kernel::code::Failure;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OnceCell;

/// How long the program waits for the host to close. Nothing is lost when it takes longer: what
/// was acknowledged is on disk (law D).
const CLOSE_WITHIN: Duration = Duration::from_secs(5);

/// Holds the host, or why it could not be opened. The failure is kept and answers every command,
/// so that the window can show it instead of the program ending.
pub(crate) struct HostHandle {
    options: HostOptions,
    host: OnceCell<Result<Arc<Host>, Failure>>,
}

impl HostHandle {
    pub(crate) fn new(options: HostOptions) -> Self {
        Self { options, host: OnceCell::new() }
    }

    /// The host. Whoever asks first opens it; the others wait for that.
    pub(crate) async fn host(&self) -> Result<Arc<Host>, Failure> {
        self.host.get_or_init(|| Host::open(self.options.clone())).await.clone()
    }

    /// Lets the host end what it is doing, for a while.
    pub(crate) async fn close(&self) {
        if let Some(Ok(host)) = self.host.get()
            && tokio::time::timeout(CLOSE_WITHIN, host.close()).await.is_err()
        {
            host::process_group::end_all();
            tracing::warn!("the host was still closing when the program ended");
        }
    }
}
