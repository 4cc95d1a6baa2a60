//! `model test|list|detect`, `demo-model`.

use host::host::Host;
use host::llm::{DemoServer, summary};
use host::packages::{self, Inspected};
use kernel::code::{ErrorCode, Failure};
use kernel::command::Query;
use kernel::phrase::{printed, terminal};
use kernel::trace::{MODEL_NAME, Trace};
use kernel::wire::{Answer, LocalServer, LocalState};
use kernel::words::say;
use serde_json::json;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use crate::args::{DemoArgs, ModelCommand};
use crate::exit::Exit;
use crate::interrupts::Interrupts;
use crate::output::Output;
use crate::print::rows;
use crate::settings;

/// `crewagent model …`
pub(crate) async fn model(
    host: &Arc<Host>,
    command: &ModelCommand,
    out: &Output,
) -> Result<Exit, Failure> {
    if let ModelCommand::Detect = command {
        return detect(host, out).await;
    }
    settings::caution(host, out).await?;
    let Answer::ModelTest(test) = host.query(Query::TestModel).await? else {
        return Err(unexpected());
    };
    match (command, &test.failure) {
        // What the endpoint lists may be known although it does not answer a chat.
        (ModelCommand::List, Some(failure)) if test.models.is_empty() => Err(failure.clone()),
        (ModelCommand::List, _) => {
            out.result(&test.models, || rows(test.models.iter().map(String::as_str)));
            Ok(Exit::Done)
        }
        (ModelCommand::Test | ModelCommand::Detect, failure) => {
            out.result(&test, || rows([say(&[summary(&test)], out.lang)]));
            match failure {
                Some(failure) if !test.answers => {
                    out.failure_in_words(failure);
                    Ok(Exit::Model)
                }
                Some(_) | None => Ok(Exit::Done),
            }
        }
    }
}

/// What listens on this machine; the first one found can be set as it stands.
async fn detect(host: &Arc<Host>, out: &Output) -> Result<Exit, Failure> {
    let Answer::LocalModels(servers) = host.query(Query::LocalModels).await? else {
        return Err(unexpected());
    };
    out.result(&servers, || rows(servers.iter().map(|server| found(server, out))));
    if let Some(server) = servers.iter().find(|s| s.state == LocalState::Found) {
        // The server's words are not for a shell: only a name that is nothing but a name.
        let model = server.models.first().filter(|name| is_word(name));
        let model = model.map_or("NAME", String::as_str);
        let (provider, url) = (&server.provider, &server.base_url);
        let set = format!(
            "crewagent settings set model.provider {provider}; crewagent settings set \
             model.baseUrl {url}; crewagent settings set model.model {model}"
        );
        out.note(printed::to_use_it(set));
    }
    Ok(Exit::Done)
}

/// Whether a shell takes it for one word, whatever the shell, and a program for no option.
fn is_word(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._:/@-".contains(c);
    !name.is_empty() && !name.starts_with('-') && name.chars().all(plain)
}

fn found(server: &LocalServer, out: &Output) -> String {
    let what = match server.state {
        LocalState::Found if server.models.is_empty() => out.say(printed::server_without_models()),
        LocalState::Found => server.models.join(", "),
        LocalState::Other => out.say(printed::server_is_another()),
        LocalState::Nothing => out.say(printed::server_is_off()),
    };
    format!("{:<10} {}  {what}", server.title, server.base_url)
}

/// `crewagent demo-model --trace FILE --port N`: serves until Ctrl-C.
pub(crate) async fn demo_server(args: &DemoArgs, out: &Output) -> Result<Exit, Failure> {
    let trace = read_trace(args)?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let server = DemoServer::start(trace, address).await?;
    let base_url = server.base_url();
    let mut ctrl_c = Interrupts::listen();
    out.result(&json!({ "baseUrl": base_url, "model": MODEL_NAME }), || base_url.clone());
    ctrl_c.pressed().await;
    server.stop();
    Ok(Exit::Done)
}

/// A trace file, or the first trace of a package folder, a `.bmad` file or a bundled package.
fn read_trace(args: &DemoArgs) -> Result<Trace, Failure> {
    let file = args.trace.as_path();
    if file.is_dir() {
        return packages::demo_trace_of(file, None);
    }
    let bundled = file.to_str().filter(|name| packages::bundled::list().contains(name));
    if let Some(name) = bundled.filter(|_| !file.exists()) {
        return trace_in(&packages::bundled::inspect(name)?);
    }
    let text = packages::trace_text(file).map_err(|e| {
        host::failure::io(ErrorCode::BadRequest, "--trace", &e)
            .with_action(terminal::name_a_trace())
    })?;
    text.map_or_else(|| trace_in(&packages::inspect(file)?), |text| Trace::parse(&text))
}

fn trace_in(package: &Inspected) -> Result<Trace, Failure> {
    let text = package.first_demo()?.ok_or_else(|| {
        let message = kernel::phrase::packages::no_demo("@pkg/assets/demo/");
        Failure::new(ErrorCode::DemoTraceInvalid, message)
    })?;
    Trace::parse(&text)
}

fn unexpected() -> Failure {
    Failure::new(ErrorCode::Internal, terminal::another_answer())
}
