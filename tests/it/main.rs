//! Behaviour across crates, one binary.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod cli;
mod electron;
mod housekeeping;
mod opening;
mod replays;
mod stories;
mod tidy;
mod watching;
mod wire;
mod world;
