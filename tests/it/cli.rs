//! `crewagent` as its users run it: real processes of the built program, a real store, real files,
//! a real server on loopback (spec 11). Nothing here waits for time: a test waits for lines.

mod approvals;
mod asked;
mod audited;
mod authors;
mod bad_input;
mod broken_servers;
mod closed;
mod commands;
mod completed;
mod context;
mod conversations;
mod dead_ends;
mod differences;
mod exported;
mod file_tools;
mod hooks;
mod hostile_files;
mod hostile_servers;
mod judged;
mod killed;
pub(crate) mod languages;
mod malformed;
mod measured;
mod mentioned;
mod migrated;
mod models;
mod mutated;
mod nested;
mod newer;
mod own_data;
mod packages;
mod recorded;
mod requests;
mod rewinds;
mod runs;
mod servers;
mod settings;
#[cfg(unix)]
mod shut;
mod skills;
mod stopped;
#[cfg(unix)]
mod stopped_work;
mod subagents;
mod talks;
#[cfg(unix)]
mod terminal;
mod user_bytes;
mod whole;
