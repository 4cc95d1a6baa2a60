//! What a person trusts of a server.

use super::launch::ShownLaunch;
use super::tools::ServerTools;
use crate::bounds::MCP_SERVERS;
use crate::text::sha256_hex;

/// What a person trusts: how the server is started or reached, and every tool that it offers.
pub fn fingerprint(launch: &ShownLaunch, tools: &ServerTools) -> String {
    let parts = (launch, &tools.tools);
    sha256_hex(serde_json::to_string(&parts).unwrap_or_default().as_bytes())
}

/// Whether one more server can be set up beside so many.
pub const fn is_full(servers: usize) -> bool {
    servers >= MCP_SERVERS
}
