//! The desktop program's entry.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use std::process::ExitCode;

fn main() -> anyhow::Result<ExitCode> {
    Ok(crewagent_desktop::run()?)
}
