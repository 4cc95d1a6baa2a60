//! `crewagent`: the same host without a window (spec 11).
//!
//! Human output on a terminal, one JSON document (or JSON lines for streams) with `--json`;
//! progress and notes on stderr. Exit codes are public: see [`exit`].

mod answers;
mod approvals;
mod args;
mod ask;
mod changes;
mod choose;
mod conversations;
mod differences;
mod doctor;
mod exit;
mod failures;
mod follow;
mod graph;
mod help;
mod hidden;
mod hook_words;
mod hooks;
mod interrupts;
mod judged;
mod live;
mod migrate;
mod models;
mod names;
mod output;
mod own_model;
mod package_test;
mod packages;
mod print;
mod projects;
mod put_back;
mod question;
mod reading;
mod reads;
mod replay;
mod requests;
mod revisions;
mod rewind;
mod rewind_result;
mod routed;
mod run;
mod runs;
mod screen;
mod server_words;
mod servers;
mod settings;
mod shorten;
mod skills;
mod status;
mod subagent_words;
mod talk;
mod transcript;
mod usage;

use clap::{CommandFactory as _, FromArgMatches as _};
use host::host::{Host, HostOptions};
use kernel::code::{ErrorCode, Failure};
use kernel::phrase::terminal;
use kernel::words::Lang;
use std::process::ExitCode;
use std::sync::Arc;

use args::{Cli, CliCommand, RunsCommand};
use exit::Exit;
use output::Output;

fn main() -> anyhow::Result<ExitCode> {
    let given: Vec<String> =
        std::env::args_os().map(|arg| arg.to_string_lossy().into_owned()).collect();
    let lang = usage::language(&given);
    let cli = match parsed(lang) {
        Ok(cli) => cli,
        Err(error) => return Ok(usage(&error, &given, lang)),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let out = Output::new(cli.global.json, cli.global.lang, cli.global.no_color);
    let code = runtime.block_on(async {
        match dispatch(&cli, &out).await {
            Ok(exit) => exit,
            Err(failure) => {
                out.failure(&failure);
                Exit::of(failure.code)
            }
        }
    });
    // A blocking read of the terminal must not keep the program.
    runtime.shutdown_background();
    Ok(ExitCode::from(code as u8))
}

fn parsed(lang: Lang) -> clap::error::Result<Cli> {
    let mut command = help::in_language(Cli::command(), lang);
    let mut matches = command.try_get_matches_from_mut(std::env::args_os())?;
    Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// Clap's own words to people who read English; with `--json` in the shape of every error.
fn usage(error: &clap::Error, given: &[String], lang: Lang) -> ExitCode {
    let json = given.iter().any(|arg| arg == "--json");
    if error.use_stderr() && (json || lang != Lang::En) {
        let failure = Failure::new(ErrorCode::BadRequest, usage::said(error))
            .with_action(terminal::see_help());
        Output::plain(json, lang).failure(&failure);
    } else {
        _ = error.print();
    }
    ExitCode::from(if error.use_stderr() { Exit::Usage as u8 } else { 0 })
}

async fn dispatch(cli: &Cli, out: &Output) -> Result<Exit, Failure> {
    if let CliCommand::DemoModel(demo) = &cli.command {
        return models::demo_server(demo, out).await;
    }
    if let CliCommand::Runs(RunsCommand::Replay { file }) = &cli.command {
        return replay::replay(file, out).await;
    }
    let store = args::store_dir(&cli.global)?;
    let _log = host::logs::init(&store, cli.global.verbose);
    let (global, root) = (cli.global.clone(), store.clone());
    let chosen = tokio::task::spawn_blocking(move || args::model_choice(&global, &root)).await;
    let model =
        chosen.map_err(|_| Failure::new(ErrorCode::Internal, terminal::settings_lost()))??;
    let approve_writes = cli.global.approve.map(Into::into);
    let max_turns = match &cli.command {
        CliCommand::Run(run) => run.max_turns,
        _ => None,
    };
    let options = HostOptions {
        model,
        approve_writes,
        max_turns,
        ..HostOptions::new(store, "cli").of_person()
    };
    let host = Host::open(options).await?;
    // Each start says so: what cannot be read of the settings may be what guards the files.
    reads::settings_problems(&host).await?.iter().for_each(|problem| out.problem(problem));
    let exit = Box::pin(command(cli, out, &host)).await;
    host.close().await;
    exit
}

async fn command(cli: &Cli, out: &Output, host: &Arc<Host>) -> Result<Exit, Failure> {
    own_model::take_over(host, cli, out).await?;
    match &cli.command {
        CliCommand::Projects(command) => projects::projects(host, command, out).await,
        CliCommand::Package(command) => packages::package(host, &cli.global, command, out).await,
        CliCommand::Run(run) => Box::pin(run::run(host, &cli.global, run, out)).await,
        CliCommand::Chat { agent, talk: args } => {
            Box::pin(talk::chat(host, &cli.global, agent.as_deref(), args, out)).await
        }
        CliCommand::Agent { agent, talk: args } => {
            Box::pin(talk::agent(host, &cli.global, agent, args, out)).await
        }
        CliCommand::Say { conversation, text } => {
            names::not_in_a_copy(host, conversation, &cli.global.project).await?;
            Box::pin(run::say(host, conversation, text, out)).await
        }
        CliCommand::Answer { conversation, widget, value } => {
            names::not_in_a_copy(host, conversation, &cli.global.project).await?;
            Box::pin(run::answer(host, conversation, widget.as_deref(), value, out)).await
        }
        CliCommand::Stop { run } => run::stop(host, run, out).await,
        CliCommand::Runs(command) => Box::pin(runs::runs(host, &cli.global, command, out)).await,
        CliCommand::Conversations(command) => {
            conversations::conversations(host, &cli.global, command, out).await
        }
        CliCommand::Hooks(command) => hooks::hooks(host, &cli.global, command, out).await,
        CliCommand::Mcp(command) => Box::pin(servers::mcp(host, &cli.global, command, out)).await,
        CliCommand::Skills(command) => skills::skills(host, &cli.global, command, out).await,
        CliCommand::Todos { run } => runs::todos(host, run, out).await,
        CliCommand::Snapshot { conversation } => runs::snapshot(host, conversation, out).await,
        CliCommand::MigrateElectron(args) => migrate::migrate(host, args, out).await,
        CliCommand::Model(command) => models::model(host, command, out).await,
        CliCommand::Settings(command) => settings::settings(host, command, out).await,
        CliCommand::Doctor { sizes: true, .. } => doctor::sizes(host, out).await,
        CliCommand::Doctor { save: Some(file), force, .. } => {
            doctor::save(host, file, *force, out).await
        }
        CliCommand::Doctor { policy, .. } => doctor::doctor(host, *policy, out).await,
        CliCommand::DemoModel(demo) => models::demo_server(demo, out).await,
    }
}
