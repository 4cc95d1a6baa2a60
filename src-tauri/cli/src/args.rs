//! The command line as types (spec 11).

use clap::{Args, Parser, Subcommand, ValueEnum};
use kernel::policy::ApproveWrites;
use std::path::PathBuf;

mod chosen;

pub(crate) use crate::projects::ProjectsCommand;
pub(crate) use chosen::{model_choice, store_dir};

/// Runs packaged LLM workflows without a window.
#[derive(Debug, Parser)]
#[command(name = "crewagent", version, about, propagate_version = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every command.
#[derive(Debug, Clone, Args)]
pub(crate) struct Global {
    /// The store's folder.
    #[arg(long, global = true, env = "CREWAGENT_STORE", value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,
    /// The project's folder.
    #[arg(long, global = true, value_name = "DIR", default_value = ".")]
    pub(crate) project: PathBuf,
    /// One JSON document, or JSON lines for streams, on stdout and nothing else.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// The language of words.
    #[arg(long, global = true, value_enum, default_value_t = Language::En, env = "CREWAGENT_LANG")]
    pub(crate) lang: Language,
    /// Log to stderr.
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// Plain text on a terminal.
    #[arg(long, global = true)]
    pub(crate) no_color: bool,
    /// An OpenAI-compatible endpoint, up to and without /chat/completions.
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// The model's name there, or `demo` for the package's demo trace.
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// In a run that began as a demo: go on with the model of the settings (`say`, `answer`,
    /// `runs resume`). One named by --base-url or --model takes over by itself.
    #[arg(long, global = true)]
    pub(crate) own_model: bool,
    /// The preset of the endpoint's quirks, and of its address without --base-url.
    #[arg(long, global = true, value_name = "PRESET", value_parser = clap::builder::PossibleValuesParser::new(kernel::settings::PROVIDERS))]
    pub(crate) provider: Option<String>,
    /// Which changes of the project's files wait for your leave, instead of the setting
    /// approval.writes. Files that other programs run by themselves always do.
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

/// zh or en.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// 简体中文
    Zh,
    /// English
    En,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List, open, find again or forget projects.
    #[command(subcommand)]
    Projects(ProjectsCommand),
    /// Inspect, import, list, show, remove, validate or pack packages.
    #[command(subcommand)]
    Package(PackageCommand),
    /// Run a package in the project and stay until it rests. At a terminal each question is asked
    /// until it is answered right, or left with Ctrl-D. Ctrl-C stops the run (130) and keeps it;
    /// `runs resume` goes on.
    Run(RunArgs),
    /// Say something in a conversation.
    Say {
        /// The conversation's id.
        conversation: String,
        /// The words.
        text: String,
    },
    /// Answer a widget that waits.
    Answer {
        /// The conversation.
        conversation: String,
        /// The widget's id, or the id of the message that carries it.
        #[arg(long)]
        widget: Option<String>,
        /// The value as JSON.
        #[arg(long)]
        value: String,
    },
    /// Stop a run, whichever process works on it, and return when it has stopped. It is kept and
    /// can be resumed. Ends with 0 also when nobody works on it, and with RUN_BUSY (7) when the
    /// other process does not answer for 20 seconds.
    Stop {
        /// The run.
        run: String,
    },
    /// List, show, resume, export or replay runs, and take approvals back.
    #[command(subcommand)]
    Runs(RunsCommand),
    /// List, show, search, rename, export or delete conversations.
    #[command(subcommand)]
    Conversations(ConversationsCommand),
    /// The snapshot of a conversation (`runtime.snapshot.get`).
    Snapshot {
        /// The conversation's id.
        conversation: String,
    },
    /// Test the model, or look for one on this machine.
    #[command(subcommand)]
    Model(ModelCommand),
    /// Read or change settings, and store the API key.
    #[command(subcommand)]
    Settings(SettingsCommand),
    /// Take over the store of an Electron runtime. The old store is only read; what is here
    /// already stays. Each thing found is reported, on stderr as it comes.
    MigrateElectron(MigrateArgs),
    /// Serve a demo trace as an OpenAI-compatible endpoint on loopback.
    DemoModel(DemoArgs),
    /// What is there and what is missing.
    Doctor {
        /// What each agent of the installed packages may do: settings and package merged.
        #[arg(long)]
        policy: bool,
        /// What the store takes on the disk, by project.
        #[arg(long, conflicts_with = "policy")]
        sizes: bool,
    },
}

/// `crewagent package …`
#[derive(Debug, Subcommand)]
pub(crate) enum PackageCommand {
    /// What a package holds; writes nothing.
    Inspect {
        /// A `.bmad` file or a folder.
        file: PathBuf,
    },
    /// Install a package.
    Import {
        /// A `.bmad` file or a folder.
        file: PathBuf,
        /// Do not ask.
        #[arg(long)]
        yes: bool,
    },
    /// The installed packages.
    List,
    /// The report of an installed package.
    Show {
        /// Its id or name.
        id: String,
    },
    /// Remove an installed package.
    Remove {
        /// Its id.
        id: String,
    },
    /// Check a package; errors end with 5.
    Validate {
        /// A `.bmad` file or a folder.
        path: PathBuf,
    },
    /// Pack a folder into a `.bmad` file.
    Pack {
        /// The folder.
        dir: PathBuf,
        /// The file to write.
        #[arg(short, long)]
        output: Option<PathBuf>,
        /// Replace the file also when it is no package.
        #[arg(long)]
        force: bool,
    },
}

/// `crewagent run …`
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// An installed id or name, a `.bmad` file, or a folder.
    pub(crate) package: String,
    /// The workflow's id; may be left out when the package has one.
    #[arg(long)]
    pub(crate) workflow: Option<String>,
    /// The agent's id; the first of the package when it is left out.
    #[arg(long)]
    pub(crate) agent: Option<String>,
    /// The run's first words, which the model reads before it says anything. Given again, the next
    /// ones are said when the run waits, after the answers of --answers.
    #[arg(long, value_name = "TEXT")]
    pub(crate) input: Vec<String>,
    /// Answers in order, one for each time the run waits: a YAML or JSON list of plain texts and
    /// of {widgetId, type, value}. With --input or --answers a demo's own answers are not given.
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    /// Model requests in one user turn.
    #[arg(long, value_name = "N")]
    pub(crate) max_turns: Option<u32>,
}

/// `crewagent runs …`
#[derive(Debug, Subcommand)]
pub(crate) enum RunsCommand {
    /// The runs of the project.
    List,
    /// The snapshot of a run.
    Show {
        /// The run's id.
        run: String,
        /// Who approved what, and nothing else.
        #[arg(long)]
        approvals: bool,
    },
    /// The folders you allowed for the run; with --revoke, takes approvals back. A run that another
    /// program works on at this moment ends it with RUN_BUSY (7).
    Approvals {
        /// The run's id.
        run: String,
        /// Take back what is allowed in this folder, such as @project/docs; may be given several
        /// times.
        #[arg(long, value_name = "FOLDER")]
        revoke: Vec<String>,
    },
    /// Go on after a crash, a stop, an error or a question.
    Resume {
        /// The run's id.
        run: String,
        /// Words to go on with, said before any answer; a question that waits is passed over.
        #[arg(long, value_name = "TEXT")]
        input: Option<String>,
        /// Answers in order, one for each time the run waits: a YAML or JSON list of plain texts
        /// and of {widgetId, type, value}.
        #[arg(long, value_name = "FILE")]
        answers: Option<PathBuf>,
    },
    /// Delete a run with its conversation: messages, state, logs and tool results. Files of the
    /// project stay.
    Delete {
        /// The run's id.
        run: String,
        /// Do not ask.
        #[arg(long)]
        yes: bool,
    },
    /// Write a run to a `.crewrun` file: its journal and all it was decided on, no keys and no
    /// real paths.
    Export {
        /// The run's id.
        run: String,
        /// The file to write.
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
        /// Replace the file when it is there.
        #[arg(long)]
        force: bool,
    },
    /// Decide an exported run again, without a model, and compare every line, file and request.
    /// Ends with 0 when nothing differs and with 4 when something does.
    Replay {
        /// A `.crewrun` file.
        file: PathBuf,
    },
}

/// `crewagent conversations …`
#[derive(Debug, Subcommand)]
pub(crate) enum ConversationsCommand {
    /// The conversations of the project, last active first.
    List {
        /// Of every project.
        #[arg(long)]
        all: bool,
        /// How many; 500 at most.
        #[arg(long, value_name = "N", default_value_t = 50)]
        limit: u32,
        /// The `next` of the page before.
        #[arg(long, value_name = "NEXT")]
        after: Option<String>,
    },
    /// A page of messages; the newest ones when none is named.
    Show {
        /// A conversation's id, or a run's.
        id: String,
        /// Which page, counted from the end: 1 is the newest.
        #[arg(long, value_name = "N", conflicts_with = "before")]
        page: Option<u32>,
        /// The messages before this sequence number.
        #[arg(long, value_name = "SEQ")]
        before: Option<u64>,
        /// Messages of a page; 1,000 at most.
        #[arg(long, value_name = "N", default_value_t = 50)]
        limit: u32,
    },
    /// Messages and titles that hold words. There is no syntax: quotes and operators are text.
    Search {
        /// The words.
        text: String,
        /// In every project.
        #[arg(long)]
        all: bool,
        /// In this conversation only: its id, or its run's.
        #[arg(long, value_name = "ID", conflicts_with = "all")]
        conversation: Option<String>,
        /// How many messages; 200 at most.
        #[arg(long, value_name = "N", default_value_t = 30)]
        limit: u32,
        /// How many messages of one conversation at most.
        #[arg(long, value_name = "N")]
        per_conversation: Option<u32>,
        /// The `next` of the page before.
        #[arg(long, value_name = "NEXT")]
        before: Option<i64>,
    },
    /// Give a title of your own; an empty one brings the generated title back.
    Rename {
        /// A conversation's id, or a run's.
        id: String,
        /// The title.
        title: String,
    },
    /// Write a conversation into a file or to stdout, without real paths and keys.
    Export {
        /// A conversation's id, or a run's.
        id: String,
        /// The format of the file.
        #[arg(long, value_enum, default_value_t = Format::Markdown)]
        format: Format,
        /// The file; replaced when it is there.
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Delete a conversation with its run: messages, state, logs and tool results. Files of the
    /// project stay.
    Delete {
        /// A conversation's id, or a run's.
        #[arg(required_unless_present = "everything")]
        id: Option<String>,
        /// Every conversation of the project.
        #[arg(long, conflicts_with = "id")]
        everything: bool,
        /// Do not ask.
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
    /// Ask the endpoint for real: models, a one-token chat, a tool call.
    Test,
    /// The models the endpoint lists.
    List,
    /// Model servers on this machine, where each kind usually listens.
    Detect,
}

/// `crewagent settings …`
#[derive(Debug, Subcommand)]
pub(crate) enum SettingsCommand {
    /// All settings, or one by its dotted name. Values of headers are hidden.
    Get {
        /// Such as `model.baseUrl`.
        key: Option<String>,
    },
    /// Set one; `null` brings its default back. Keys are stored with `set-key`.
    Set {
        /// Such as `model.baseUrl`.
        key: String,
        /// JSON, or plain text.
        value: String,
    },
    /// Store the API key of the endpoint in the system's keychain, or where there is none in a
    /// file that only you can read. It is asked for without echo, or read from stdin.
    SetKey {
        /// The endpoint it is for, by address or preset: refused when the settings name another.
        endpoint: Option<String>,
        /// Forget the stored key.
        #[arg(long)]
        forget: bool,
    },
}

/// `crewagent migrate-electron …`
#[derive(Debug, Args)]
pub(crate) struct MigrateArgs {
    /// The old runtime's `runtime-store` folder, or the one above it.
    pub(crate) dir: PathBuf,
    /// Look and report; write nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Take over the API key too, into the key store.
    #[arg(long)]
    pub(crate) with_keys: bool,
    /// Do not ask.
    #[arg(long)]
    pub(crate) yes: bool,
}

/// `crewagent demo-model …`
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// The trace, or a package (folder, file or bundled name) that carries one.
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: PathBuf,
    /// The port on 127.0.0.1; 0 picks a free one.
    #[arg(long, default_value_t = 0)]
    pub(crate) port: u16,
}

#[cfg(test)]
mod tests;
