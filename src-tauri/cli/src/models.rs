//! `model test|list`, `settings get|set`, `demo-model`, `doctor`.

use host::host::Host;
use host::llm::DemoServer;
use host::packages;
use kernel::code::{ErrorCode, Failure};
use kernel::command::{Command, Query};
use kernel::trace::Trace;
use kernel::wire::{Answer, ModelTest};
use serde_json::{Value, json};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use crate::args::{DemoArgs, ModelCommand, SettingsCommand};
use crate::exit::Exit;
use crate::output::Output;

/// `crewagent model …`
pub(crate) async fn model(
    host: &Arc<Host>,
    command: &ModelCommand,
    out: &Output,
) -> Result<Exit, Failure> {
    let Answer::ModelTest(test) = host.query(Query::TestModel).await? else {
        return Err(unexpected());
    };
    match command {
        ModelCommand::List => out.result(&test.models, || test.models.join("\n")),
        ModelCommand::Test => out.result(&test, || words(&test)),
    }
    match &test.failure {
        Some(failure) if !test.answers => {
            if !out.json {
                out.failure(failure);
            }
            Ok(Exit::Model)
        }
        Some(_) | None => Ok(Exit::Done),
    }
}

fn words(test: &ModelTest) -> String {
    match (test.answers, test.calls_tools) {
        (true, true) => format!("answers in {} ms and calls tools", test.latency_ms),
        (true, false) => "answers, but did not call the tool: workflows will not run well".into(),
        (false, _) => "does not answer".into(),
    }
}

/// `crewagent settings …`
pub(crate) async fn settings(
    host: &Arc<Host>,
    command: &SettingsCommand,
    out: &Output,
) -> Result<Exit, Failure> {
    if let SettingsCommand::Set { key, value } = command {
        let value: Value =
            serde_json::from_str(value).unwrap_or_else(|_| Value::from(value.as_str()));
        let patch = key.rsplit('.').fold(value, |inner, name| json!({ name: inner }));
        host.submit(Command::Configure { patch }).await?;
    }
    let Answer::Settings(view) = host.query(Query::Settings).await? else {
        return Err(unexpected());
    };
    let key = match command {
        SettingsCommand::Get { key } => key.clone(),
        SettingsCommand::Set { key, .. } => Some(key.clone()),
    };
    let all = serde_json::to_value(&view.settings).unwrap_or_default();
    let shown = match key {
        None => all,
        Some(key) => {
            all.pointer(&format!("/{}", key.replace('.', "/"))).cloned().ok_or_else(|| {
                Failure::new(ErrorCode::SettingInvalid, format!("there is no setting `{key}`"))
            })?
        }
    };
    out.result(&shown, || serde_json::to_string_pretty(&shown).unwrap_or_default());
    Ok(Exit::Done)
}

/// `crewagent demo-model --trace FILE --port N`: serves until Ctrl-C.
pub(crate) async fn demo_server(args: &DemoArgs, out: &Output) -> Result<Exit, Failure> {
    let trace = read_trace(args)?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let server = DemoServer::start(trace, address).await?;
    let base_url = server.base_url();
    out.result(&json!({ "baseUrl": base_url }), || base_url.clone());
    if tokio::signal::ctrl_c().await.is_err() {
        return Err(Failure::new(ErrorCode::Internal, "Ctrl-C cannot be waited for"));
    }
    server.stop();
    Ok(Exit::Done)
}

fn read_trace(args: &DemoArgs) -> Result<Trace, Failure> {
    if args.trace.is_dir() {
        return packages::demo_trace_of(&args.trace, None);
    }
    let text = std::fs::read_to_string(&args.trace)
        .map_err(|e| host::failure::io(ErrorCode::BadRequest, "--trace", &e))?;
    Trace::parse(&text)
}

/// `crewagent doctor`
pub(crate) async fn doctor(host: &Arc<Host>, out: &Output) -> Result<Exit, Failure> {
    let Answer::Doctor(rows) = host.query(Query::Doctor).await? else {
        return Err(unexpected());
    };
    out.result(&rows, || {
        let line = |row: &kernel::wire::DoctorRow| {
            let mark = if row.ok { "✓" } else { "✗" };
            let action = row.action.as_ref().map(|a| format!("  → {a}")).unwrap_or_default();
            format!("{mark} {}: {}{action}", row.check, row.found)
        };
        rows.iter().map(line).collect::<Vec<_>>().join("\n")
    });
    Ok(Exit::Done)
}

fn unexpected() -> Failure {
    Failure::new(ErrorCode::Internal, "another answer than the one asked for")
}
