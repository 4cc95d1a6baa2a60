//! The host: makes it happen (ARCHITECTURE.md). Disk, model, tools, clock, chance, the person.
//!
//! It performs what the kernel wants and tells the kernel what came of it. It never decides.
//! Deliberately not here: Tauri, windows, terminals.

mod answered;
mod atomic;
mod blocking;
pub mod clock;
pub mod crash;
pub mod crewrun;
mod electron;
mod event_lines;
pub mod executor;
pub mod export;
pub mod failure;
mod file_lock;
pub mod hooks;
pub mod host;
mod json;
mod keys;
mod known_keys;
mod library;
pub mod llm;
pub mod logs;
mod mcp;
mod models;
mod observe;
mod own_writes;
pub mod packages;
pub mod plain_file;
mod private;
pub mod process_group;
pub mod projects;
pub mod real_path;
pub mod redact;
mod requests;
pub mod runs;
pub mod secrets;
mod sessions;
pub mod settings;
pub mod skills;
pub mod state_file;
pub mod store;
mod taught;
pub mod tools;
mod transfer;

use std::path::PathBuf;

/// The application's identifier: the name of its folder among the platform's data folders, the
/// same for the window and the command line.
pub const IDENTIFIER: &str = "dev.crewagent.runtime";

/// The platform's folder for the store, when there is a home folder.
pub fn store_root() -> Option<PathBuf> {
    directories::BaseDirs::new().map(|dirs| dirs.data_dir().join(IDENTIFIER))
}
