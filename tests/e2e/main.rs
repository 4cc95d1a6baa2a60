//! The real window, driven by WebDriver, and by the window system's own mouse and keys where
//! WebDriver's do not reach (spec 10 "End to end"). Needs Xvfb, WebKitWebDriver and xdotool, and
//! the desktop program built with `--features custom-protocol`; `./dev test` sees to all of them.
//!
//! Without them a test says so and passes, unless `CREWAGENT_E2E=1` says they must be there. The
//! program is the debug build beside the tests, or the release that `CREWAGENT_APP` names: the one
//! `./dev test` has built, or an installed one.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking and says why it did not run by printing"
)]

mod hand;
mod processes;
#[cfg(target_os = "linux")]
mod root;
mod window;

mod bmad;
#[cfg(target_os = "linux")]
mod deb;
mod flow;
mod hands;
mod hooks;
mod models;
mod nested;
mod outside;
mod packages;
mod servers;
mod skills;
mod start;
mod subagents;
mod talks;
mod ways;
mod widgets;
