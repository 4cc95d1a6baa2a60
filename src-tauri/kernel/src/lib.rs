//! The kernel: what should happen (ARCHITECTURE.md, laws A–J).
//!
//! Pure: no I/O, no clock, no chance, no threads, not async. Everything here is a function of
//! (package, templates, journal). The six things that are not functions (disk, model, tools,
//! clock, chance, the person) live in `crewagent-host`.
//!
//! Reading order: [`ids`] [`path`] [`text`] [`time`] are values that cannot be wrong; [`chat`]
//! and [`package`] describe what is talked to and what is run; [`event`] [`effect`] [`command`]
//! are what happened, what is wanted and what a person may ask; [`engine`] decides.

#![warn(clippy::missing_errors_doc)]

pub mod acceptance;
pub mod bounds;
pub mod changed_files;
pub mod chat;
pub mod code;
pub mod command;
pub mod confirm;
pub mod context;
pub mod decision;
pub mod diff;
pub mod draft;
pub mod effect;
pub mod engine;
pub mod event;
pub mod facts;
pub mod frontmatter;
pub mod graph;
pub mod hook;
pub mod ids;
pub mod import;
pub mod journal_snapshot;
pub mod limits;
pub mod mark;
pub mod mcp;
pub mod mention;
pub mod menu;
pub mod mode;
pub mod outside;
pub mod package;
pub mod patch;
pub mod path;
pub mod phrase;
pub mod policy;
pub mod project_hooks;
pub mod prompt;
pub mod recording;
pub mod replay;
pub mod requests;
pub mod restore;
pub mod settings;
pub mod skill;
pub mod snapshot;
pub mod state_doc;
pub mod subagent;
pub mod text;
pub mod time;
pub mod todo;
pub mod tokens;
pub mod tool;
pub mod trace;
pub mod view;
pub mod visible;
pub mod whole;
pub mod widget;
pub mod wire;
pub mod words;
pub mod write_scope;
