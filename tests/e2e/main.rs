//! The real window, driven by WebDriver, and by the window system's own mouse and keys where
//! WebDriver's do not reach (spec 10 "end to end"). Needs Xvfb, WebKitWebDriver and xdotool, and the desktop program built with `--features custom-protocol`; `./dev test` sees to all three.
//!
//! Without them a test says so and passes, unless `CREWAGENT_E2E=1` says they must be there.
//! `CREWAGENT_APP` names another program to drive, an installed one for example.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking and says why it did not run by printing"
)]

mod processes;
mod window;

mod flow;
mod hands;
mod outside;
mod packages;
mod start;
