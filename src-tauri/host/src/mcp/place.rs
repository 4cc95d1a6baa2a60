//! Where servers work, and how long they are waited for.

use kernel::bounds::{MCP_CALL_SECONDS, MCP_CALL_SECONDS_IN_ALL, MCP_START_SECONDS};
use std::time::Duration;

use crate::real_path::RealPath;

/// How long it may take to reach a server.
pub(super) const CONNECT: Duration = Duration::from_secs(10);

/// How long servers are waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// For a server to start, and to list its tools.
    pub start: Duration,
    /// For a sign of life during a call.
    pub call: Duration,
    /// For a call in all.
    pub call_in_all: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(MCP_START_SECONDS),
            call: Duration::from_secs(MCP_CALL_SECONDS),
            call_in_all: Duration::from_secs(MCP_CALL_SECONDS_IN_ALL),
        }
    }
}

/// Where a server works.
#[derive(Debug, Clone)]
pub(crate) struct ServerPlace {
    /// The project folder, when there is a project.
    pub(crate) project: Option<RealPath>,
    /// How long it is waited for.
    pub(crate) patience: Patience,
}
