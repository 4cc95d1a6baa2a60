//! Servers of the Model Context Protocol (spec 05 "MCP"): how one is started or reached, and the
//! tools, prompts and resources that it offers. What a server says of itself is the text of a stranger.

mod client_files;
mod draft;
mod launch;
mod name;
mod prompts;
mod tools;
mod trust;

pub use client_files::{ClientFile, read_client_file};
pub use draft::{LaunchDraft, ServerDraft};
pub use launch::{Launch, Server, ServerValue, ShownLaunch};
pub use name::ServerName;
pub use prompts::{
    ListedPrompt, PromptArgument, PromptWords, ServerOffers, ServerPrompt, ServerResource,
    prompt_call,
};
pub use tools::{ListedTool, ServerTool, ServerTools, ToolHint, is_server_tool, offered};
pub use trust::{fingerprint, is_full};
