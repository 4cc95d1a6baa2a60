//! What several test binaries and the benchmarks share. Each of them uses a part of it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::return_self_not_must_use,
    reason = "a test fails by panicking, and checks come in chains whose end nobody needs"
)]

pub mod corpus;
pub mod mcp_servers;
pub mod old_store;
pub mod program;

use kernel::ids::PackageId;
use kernel::wire::PackageView;
use serde_json::json;

/// What the list says of an installed package: a run that nobody plays needs no more of it.
pub fn package_row(id: &PackageId) -> PackageView {
    serde_json::from_value(json!({
        "packageId": id, "name": "demo", "version": "1.0.0", "description": null,
        "workflows": [], "agents": [], "installedAt": "2026-01-01T00:00:00Z", "hasDemo": false,
    }))
    .unwrap()
}
