//! What must survive (spec 01 "Promises", spec 10 "Crashes and faults"): the real program is
//! killed, its disk fails, a second program works on the same store, an older program wrote it.
//! Linux and macOS only where a signal or a system call is meant; nothing here waits for time.
//!
//! A release holds no crash points, so this binary tests a debug build.
#![cfg(debug_assertions)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test fails by panicking, and the suite prints its summary"
)]

mod clicks;
mod edits;
mod end;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod faults;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod faulty_disk;
#[cfg(unix)]
mod given_up;
#[cfg(unix)]
mod kills;
mod panics;
mod plain;
mod points;
mod release;
mod schema;
mod stories;
mod story;
mod takeover;
#[cfg(unix)]
mod together;
mod whole;
