//! `crewagent mcp …`

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Servers of the Model Context Protocol.
#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    List,
    Add(McpAddArgs),
    Import {
        file: PathBuf,
        #[arg(value_name = "NAME")]
        name: Vec<String>,
    },
    Test {
        name: String,
    },
    Trust {
        #[arg(value_name = "NAME")]
        name: Vec<String>,
        #[arg(long)]
        yes: bool,
    },
    Untrust {
        #[arg(value_name = "NAME")]
        name: Vec<String>,
    },
    SignIn {
        name: String,
    },
    SignOut {
        name: String,
    },
    Enable {
        name: String,
    },
    Disable {
        name: String,
    },
    Remove {
        name: String,
    },
}

/// `crewagent mcp add …`
#[derive(Debug, Args)]
pub(crate) struct McpAddArgs {
    pub(crate) name: String,
    #[arg(long, value_name = "URL", conflicts_with_all = ["command", "env"])]
    pub(crate) url: Option<String>,
    #[arg(long, value_name = "NAME[=VALUE]")]
    pub(crate) env: Vec<String>,
    #[arg(long, value_name = "NAME[=VALUE]", requires = "url")]
    pub(crate) header: Vec<String>,
    #[arg(long)]
    pub(crate) replace: bool,
    #[arg(last = true, value_name = "COMMAND", required_unless_present = "url")]
    pub(crate) command: Vec<String>,
}
