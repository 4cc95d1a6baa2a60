//! The desktop program's entry.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

fn main() -> anyhow::Result<()> {
    crewagent_desktop::run()?;
    Ok(())
}
