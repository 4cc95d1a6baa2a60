//! The command line as types (spec 11). What its help says stands in the catalogues of words: see
//! [`crate::help`].

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use kernel::policy::ApproveWrites;
use kernel::words::Lang;
use std::path::PathBuf;

mod chosen;
mod requests;
mod runs;
mod servers;
mod skills;

pub(crate) use chosen::{model_choice, store_dir};
pub(crate) use requests::WhichRequests;
pub(crate) use runs::{RevisionsArgs, RewindArgs, RunsCommand};
pub(crate) use servers::{McpAddArgs, McpCommand};
pub(crate) use skills::SkillsCommand;

/// Runs packaged LLM workflows without a window.
#[derive(Debug, Parser)]
#[command(name = "crewagent", version, propagate_version = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: CliCommand,
}

/// Options of every command.
#[derive(Debug, Clone, Args)]
pub(crate) struct Global {
    #[arg(long, global = true, env = "CREWAGENT_STORE", value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,
    #[arg(long, global = true, value_name = "DIR", default_value = ".")]
    pub(crate) project: PathBuf,
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[arg(long, global = true, value_parser = languages(), default_value = "en", env = "CREWAGENT_LANG")]
    pub(crate) lang: Lang,
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    #[arg(long, global = true)]
    pub(crate) no_color: bool,
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) model: Option<String>,
    #[arg(long, global = true, value_name = "N", value_parser = context_tokens())]
    pub(crate) context_tokens: Option<u32>,
    #[arg(long, global = true)]
    pub(crate) own_model: bool,
    #[arg(long, global = true, value_name = "PRESET", value_parser = PossibleValuesParser::new(kernel::settings::PROVIDERS))]
    pub(crate) provider: Option<String>,
    #[arg(long, global = true, value_enum, value_name = "MODE")]
    pub(crate) approve: Option<Approve>,
}

/// The setting `approval.writes`, for one command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Approve {
    /// No others.
    Auto,
    /// Those outside the step's declared outputs and the artifacts folder.
    AskOutside,
    /// Ask before every change of a file.
    Ask,
}

impl From<Approve> for ApproveWrites {
    fn from(approve: Approve) -> Self {
        match approve {
            Approve::Auto => Self::Auto,
            Approve::AskOutside => Self::AskOutside,
            Approve::Ask => Self::Ask,
        }
    }
}

/// How much a model may be said to read.
fn context_tokens() -> impl TypedValueParser<Value = u32> {
    let (least, most) = kernel::bounds::CONTEXT_TOKENS;
    clap::value_parser!(u32).range(i64::from(least)..=i64::from(most))
}

/// The languages there are catalogues for, by their names.
fn languages() -> impl TypedValueParser<Value = Lang> {
    PossibleValuesParser::new(Lang::ALL.map(Lang::tag))
        .map(|tag| Lang::of_tag(&tag).unwrap_or(Lang::En))
}

/// What a package can begin as.
fn starters() -> PossibleValuesParser {
    PossibleValuesParser::new(host::packages::starters())
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum CliCommand {
    #[command(subcommand)]
    Projects(ProjectsCommand),
    #[command(subcommand)]
    Package(PackageCommand),
    Run(RunArgs),
    Chat {
        #[arg(long, value_name = "PACKAGE:ID")]
        agent: Option<String>,
        #[command(flatten)]
        talk: TalkArgs,
    },
    Agent {
        #[arg(value_name = "PACKAGE:ID")]
        agent: String,
        #[command(flatten)]
        talk: TalkArgs,
    },
    Say {
        conversation: String,
        text: String,
    },
    Answer {
        conversation: String,
        #[arg(long)]
        widget: Option<String>,
        #[arg(long)]
        value: String,
    },
    Stop {
        run: String,
    },
    #[command(subcommand)]
    Runs(RunsCommand),
    #[command(subcommand)]
    Conversations(ConversationsCommand),
    Todos {
        run: String,
    },
    #[command(subcommand)]
    Hooks(HooksCommand),
    #[command(subcommand)]
    Mcp(McpCommand),
    #[command(subcommand)]
    Skills(SkillsCommand),
    Snapshot {
        conversation: String,
    },
    #[command(subcommand)]
    Model(ModelCommand),
    #[command(subcommand)]
    Settings(SettingsCommand),
    MigrateElectron(MigrateArgs),
    DemoModel(DemoArgs),
    Doctor {
        #[arg(long)]
        policy: bool,
        #[arg(long, conflicts_with = "policy")]
        sizes: bool,
        #[arg(long, conflicts_with_all = ["policy", "sizes"])]
        save: Option<PathBuf>,
        #[arg(long, requires = "save")]
        force: bool,
    },
}

/// `crewagent projects …`
#[derive(Debug, Subcommand)]
pub(crate) enum ProjectsCommand {
    List,
    Open {
        dir: PathBuf,
        #[arg(long = "as", value_enum)]
        what: Option<CopiedFolder>,
    },
    Rebind {
        #[arg(value_name = "PROJECT")]
        id: String,
        dir: PathBuf,
        #[arg(long)]
        adopt: bool,
    },
    Forget {
        #[arg(value_name = "PROJECT")]
        id: String,
    },
}

/// What a folder with another folder's project id is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CopiedFolder {
    /// A project of its own: it gets a new id and begins without runs.
    Copy,
    /// The project itself in its new place: its runs go on here.
    Moved,
}

/// `crewagent hooks …`
#[derive(Debug, Subcommand)]
pub(crate) enum HooksCommand {
    List,
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
}

/// `crewagent package …`
#[derive(Debug, Subcommand)]
pub(crate) enum PackageCommand {
    New {
        dir: PathBuf,
        #[arg(long, value_name = "TEMPLATE", default_value = "linear", value_parser = starters())]
        template: String,
    },
    Inspect {
        file: PathBuf,
    },
    Import {
        file: PathBuf,
        #[arg(long)]
        yes: bool,
    },
    List,
    Show {
        id: String,
        #[arg(long)]
        graph: bool,
    },
    Remove {
        id: String,
    },
    Validate {
        path: PathBuf,
    },
    Test {
        package: String,
        #[arg(long, value_name = "NAME")]
        trace: Option<String>,
    },
    Pack {
        dir: PathBuf,
        #[arg(short, long)]
        output: Option<PathBuf>,
        #[arg(long)]
        force: bool,
    },
    FromSkills {
        source: PathBuf,
        #[arg(short, long)]
        output: Option<PathBuf>,
        #[arg(long)]
        force: bool,
    },
}

/// `crewagent run …`
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    pub(crate) package: String,
    #[arg(long)]
    pub(crate) workflow: Option<String>,
    #[arg(long)]
    pub(crate) agent: Option<String>,
    #[arg(long, value_name = "TEXT")]
    pub(crate) input: Vec<String>,
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    #[arg(long, value_name = "N")]
    pub(crate) max_turns: Option<u32>,
    #[arg(long, value_name = "ID")]
    pub(crate) conversation: Option<String>,
    #[arg(long, value_name = "NAME")]
    pub(crate) trust_mcp: Vec<String>,
}

/// What is said in a talk outside of a run.
#[derive(Debug, Clone, Args)]
pub(crate) struct TalkArgs {
    #[arg(long, value_name = "ID")]
    pub(crate) conversation: Option<String>,
    #[arg(long, value_name = "TEXT")]
    pub(crate) input: Vec<String>,
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    #[arg(long, value_name = "NAME")]
    pub(crate) trust_mcp: Vec<String>,
    #[arg(long, value_name = "NAME")]
    pub(crate) skill: Vec<String>,
}

/// `crewagent conversations …`
#[derive(Debug, Subcommand)]
pub(crate) enum ConversationsCommand {
    List {
        #[arg(long)]
        all: bool,
        #[arg(long, value_name = "N", default_value_t = 50)]
        limit: u32,
        #[arg(long, value_name = "NEXT")]
        after: Option<String>,
    },
    Show {
        id: String,
        #[arg(long, value_name = "N", conflicts_with = "before")]
        page: Option<u32>,
        #[arg(long, value_name = "SEQ")]
        before: Option<u64>,
        #[arg(long, value_name = "N", default_value_t = 50)]
        limit: u32,
    },
    Search {
        text: String,
        #[arg(long)]
        all: bool,
        #[arg(long, value_name = "ID", conflicts_with = "all")]
        conversation: Option<String>,
        #[arg(long, value_name = "N", default_value_t = 30)]
        limit: u32,
        #[arg(long, value_name = "N")]
        per_conversation: Option<u32>,
        #[arg(long, value_name = "NEXT")]
        before: Option<i64>,
    },
    Rename {
        id: String,
        title: String,
    },
    Compact {
        id: String,
        #[arg(long)]
        hard: bool,
    },
    Export {
        id: String,
        #[arg(long, value_enum, default_value_t = Format::Markdown)]
        format: Format,
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    Delete {
        #[arg(required_unless_present = "everything")]
        id: Option<String>,
        #[arg(long, conflicts_with = "id")]
        everything: bool,
        #[arg(long)]
        yes: bool,
    },
}

/// How a conversation is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The older runtime's file.
    #[value(name = "messages.json")]
    Messages,
    /// Markdown, for people.
    #[value(name = "md")]
    Markdown,
    /// One message a line, with all its fields.
    #[value(name = "jsonl")]
    Lines,
}

/// `crewagent model …`
#[derive(Debug, Subcommand)]
pub(crate) enum ModelCommand {
    Test,
    List,
    Detect,
}

/// `crewagent settings …`
#[derive(Debug, Subcommand)]
pub(crate) enum SettingsCommand {
    Get {
        key: Option<String>,
    },
    Set {
        key: String,
        value: String,
    },
    SetKey {
        endpoint: Option<String>,
        #[arg(long)]
        forget: bool,
    },
}

/// `crewagent migrate-electron …`
#[derive(Debug, Args)]
pub(crate) struct MigrateArgs {
    pub(crate) dir: PathBuf,
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[arg(long)]
    pub(crate) with_keys: bool,
    #[arg(long)]
    pub(crate) yes: bool,
}

/// `crewagent demo-model …`
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: PathBuf,
    #[arg(long, default_value_t = 0)]
    pub(crate) port: u16,
}

#[cfg(test)]
mod tests;
