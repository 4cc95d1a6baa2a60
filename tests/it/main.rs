//! Behaviour across crates, one binary.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod cli;
mod housekeeping;
mod opening;
mod stories;
mod tidy;
mod wire;
mod world;
