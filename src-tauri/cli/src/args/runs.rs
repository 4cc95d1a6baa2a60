//! `crewagent runs …`

use clap::{Args, Subcommand};
use std::path::PathBuf;

use super::requests::WhichRequests;

/// Runs of workflows.
#[derive(Debug, Subcommand)]
pub(crate) enum RunsCommand {
    List,
    Show {
        run: String,
        #[arg(long)]
        approvals: bool,
        #[arg(long, conflicts_with = "approvals")]
        facts: bool,
        #[arg(long, conflicts_with_all = ["approvals", "facts"])]
        decisions: bool,
        #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "all")]
        #[arg(conflicts_with_all = ["approvals", "facts", "decisions"])]
        requests: Option<WhichRequests>,
    },
    Diff {
        run: String,
        file: Option<String>,
    },
    PutBack {
        run: String,
        file: String,
        #[arg(long, short)]
        yes: bool,
    },
    Revisions(RevisionsArgs),
    Rewind(RewindArgs),
    Record {
        run: String,
        #[arg(long, short, value_name = "TRACE")]
        output: PathBuf,
        #[arg(long)]
        force: bool,
    },
    Approvals {
        run: String,
        #[arg(long, value_name = "FOLDER")]
        revoke: Vec<String>,
    },
    Resume {
        run: String,
        #[arg(long, value_name = "TEXT")]
        input: Option<String>,
        #[arg(long, value_name = "FILE")]
        answers: Option<PathBuf>,
    },
    Accept {
        run: String,
    },
    Fresh {
        run: String,
    },
    End {
        run: String,
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    Delete {
        run: String,
        #[arg(long)]
        yes: bool,
    },
    Export {
        run: String,
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
        #[arg(long)]
        force: bool,
    },
    Replay {
        file: PathBuf,
    },
}

/// `crewagent runs rewind …`
#[derive(Debug, Args)]
pub(crate) struct RewindArgs {
    pub(crate) run: String,
    #[arg(long, value_name = "NODE", required_unless_present = "undo", conflicts_with = "undo")]
    pub(crate) to: Option<String>,
    #[arg(long)]
    pub(crate) undo: bool,
    #[arg(long)]
    pub(crate) keep_files: bool,
    #[arg(long, value_name = "FILE", conflicts_with = "keep_files")]
    pub(crate) overwrite: Vec<String>,
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
    #[arg(long, short)]
    pub(crate) yes: bool,
}

/// `crewagent runs revisions …`
#[derive(Debug, Args)]
pub(crate) struct RevisionsArgs {
    pub(crate) run: String,
    #[arg(long, value_name = "N")]
    pub(crate) show: Option<u64>,
    #[arg(long, num_args = 2, value_names = ["N", "M"], conflicts_with = "show")]
    pub(crate) diff: Option<Vec<u64>>,
}
