//! What several test binaries and the benchmarks share. Each of them uses a part of it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::return_self_not_must_use,
    reason = "a test fails by panicking, and checks come in chains whose end nobody needs"
)]

pub mod corpus;
pub mod old_store;
pub mod program;
