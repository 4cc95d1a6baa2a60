//! The host: makes it happen (ARCHITECTURE.md). Disk, model, tools, clock, chance, the person.
//!
//! It performs what the kernel wants and tells the kernel what came of it. It never decides.
//! Deliberately not here: Tauri, windows, terminals.

pub mod clock;
pub mod failure;
pub mod llm;
pub mod logs;
pub mod packages;
pub mod projects;
pub mod real_path;
pub mod redact;
pub mod secrets;
pub mod settings;
pub mod store;
pub mod tools;
