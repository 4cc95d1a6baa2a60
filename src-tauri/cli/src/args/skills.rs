//! `crewagent skills …`

use clap::Subcommand;

/// Agent Skills.
#[derive(Debug, Subcommand)]
pub(crate) enum SkillsCommand {
    List {
        #[arg(long, value_name = "PACKAGE")]
        package: Option<String>,
    },
    Use {
        conversation: String,
        name: String,
    },
    End {
        conversation: String,
        name: String,
    },
}
