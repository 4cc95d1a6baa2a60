//! The command line as types (spec 11).

use clap::{Args, Parser, Subcommand, ValueEnum};
use host::host::ModelChoice;
use host::secrets::Secret;
use kernel::code::{ErrorCode, Failure};
use kernel::settings::ModelSettings;
use std::path::PathBuf;

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
    /// The preset of the endpoint's quirks.
    #[arg(long, global = true, value_name = "PRESET")]
    pub(crate) provider: Option<String>,
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
    /// Inspect, import, list, show, remove, validate or pack packages.
    #[command(subcommand)]
    Package(PackageCommand),
    /// Run a package in the project and stay until it rests.
    Run(RunArgs),
    /// Say something in a conversation.
    Say {
        /// Which.
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
    /// Stop a run; it is kept and can be resumed.
    Stop {
        /// The run.
        run: String,
    },
    /// List, show or resume runs.
    #[command(subcommand)]
    Runs(RunsCommand),
    /// The snapshot of a conversation (`runtime.snapshot.get`).
    Snapshot {
        /// Which.
        conversation: String,
    },
    /// Test the model.
    #[command(subcommand)]
    Model(ModelCommand),
    /// Read or change settings.
    #[command(subcommand)]
    Settings(SettingsCommand),
    /// Serve a demo trace as an OpenAI-compatible endpoint on loopback.
    DemoModel(DemoArgs),
    /// What is there and what is missing.
    Doctor,
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
    },
}

/// `crewagent run …`
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// An installed id or name, a `.bmad` file, or a folder.
    pub(crate) package: String,
    /// Which workflow.
    #[arg(long)]
    pub(crate) workflow: Option<String>,
    /// Which agent.
    #[arg(long)]
    pub(crate) agent: Option<String>,
    /// First words; may be given several times, one for each time the run waits.
    #[arg(long)]
    pub(crate) input: Vec<String>,
    /// Answers in order, YAML or JSON.
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
        /// Which.
        run: String,
        /// Who approved what, and nothing else.
        #[arg(long)]
        approvals: bool,
    },
    /// Go on after a crash, a stop or an error.
    Resume {
        /// Which.
        run: String,
        /// Words to go on with.
        #[arg(long)]
        input: Option<String>,
        /// Answers in order, YAML or JSON.
        #[arg(long, value_name = "FILE")]
        answers: Option<PathBuf>,
    },
}

/// `crewagent model …`
#[derive(Debug, Subcommand)]
pub(crate) enum ModelCommand {
    /// Ask the endpoint for real: models, a one-token chat, a tool call.
    Test,
    /// The models the endpoint lists.
    List,
}

/// `crewagent settings …`
#[derive(Debug, Subcommand)]
pub(crate) enum SettingsCommand {
    /// All settings, or one by its dotted name.
    Get {
        /// Such as `model.baseUrl`.
        key: Option<String>,
    },
    /// Set one.
    Set {
        /// Such as `model.baseUrl`.
        key: String,
        /// JSON, or plain text.
        value: String,
    },
}

/// `crewagent demo-model …`
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// The trace, or a package folder or file that carries one.
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: PathBuf,
    /// The port on 127.0.0.1; 0 picks a free one.
    #[arg(long, default_value_t = 0)]
    pub(crate) port: u16,
}

/// `--store`, else the platform's data folder.
pub(crate) fn store_dir(global: &Global) -> Result<PathBuf, Failure> {
    if let Some(dir) = &global.store {
        return std::path::absolute(dir)
            .map_err(|e| host::failure::io(ErrorCode::StoreOpenFailed, "--store", &e));
    }
    host::store_root().ok_or_else(|| {
        Failure::new(ErrorCode::StoreOpenFailed, "there is no home folder to put the store into")
            .with_action("Pass --store DIR or set CREWAGENT_STORE.")
    })
}

/// `--model demo`, `--base-url` and `--model`, or the settings.
pub(crate) fn model_choice(global: &Global) -> Result<ModelChoice, Failure> {
    match (global.model.as_deref(), &global.base_url) {
        (Some("demo"), None) => Ok(ModelChoice::Demo),
        (None, None) if global.provider.is_none() => Ok(ModelChoice::Configured),
        (model, Some(base_url)) => {
            let model = model.map(str::to_owned).or_else(|| std::env::var("CREWAGENT_MODEL").ok());
            let settings = ModelSettings {
                provider: global.provider.clone().unwrap_or_else(|| "custom".into()),
                base_url: base_url.clone(),
                model: model.unwrap_or_else(|| "default".into()),
                ..ModelSettings::default()
            };
            let key = std::env::var("CREWAGENT_API_KEY").ok().and_then(|key| Secret::new(&key));
            Ok(ModelChoice::Endpoint(settings, key))
        }
        (_, None) => Err(Failure::new(
            ErrorCode::BadRequest,
            "--model needs --base-url (or the name `demo`)",
        )
        .with_action(
            "Pass --base-url URL too, or set the endpoint with `crewagent settings set`.",
        )),
    }
}
