//! Behaviour across crates, one binary.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod acceptance;
mod approvals;
mod asked;
mod bmad;
mod changes;
mod cli;
mod confirmation;
mod context;
mod demo;
mod electron;
mod error_pages;
mod evidence;
mod graph;
mod hostile;
mod housekeeping;
mod huge;
mod in_doubt;
mod laws;
mod local_model;
mod locales;
mod mentioned;
mod modes;
mod moved_projects;
mod opening;
mod outside_the_window;
mod own_model;
mod put_back;
mod random_histories;
mod replays;
mod seed_004;
mod servers;
mod shown;
mod skills;
mod stories;
mod subagent_world;
mod subagents;
mod subworkflows;
mod talk;
mod tidy;
mod truth;
mod watching;
mod went_back;
mod wire;
mod world;
