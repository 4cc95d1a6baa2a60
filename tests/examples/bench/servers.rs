//! What a call of a server's tool takes beyond the server's own time: from the model's answer that asks
//! for it to its result in the journal, against the same call written to the same program by hand.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Command as Program, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use host::host::Host;
use host::llm::DemoServer;
use kernel::command::{Command, Query, SeenServer, ServerCommand};
use kernel::event::{Event, Line};
use kernel::ids::ProjectId;
use kernel::mcp::{LaunchDraft, ServerDraft, ServerName};
use kernel::mode::Mode;
use kernel::trace::Trace;
use kernel::wire::Answer;
use serde_json::{Value, json};

use crate::stats::{median_us, round};
use crate::turns::{must_be_answered, open_host, until_finished};

/// Calls of each.
const CALLS: usize = 200;

/// A call by the host and one by hand, both with their journal and pipe.
pub(crate) fn measure(folder: &Path) -> anyhow::Result<Value> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let journal = runtime.block_on(by_the_host(folder))?;
    let (host, bare) = (of_calls(&journal), by_hand()?);
    anyhow::ensure!(host.len() == CALLS && bare.len() == CALLS, "not all calls were made");
    let (host, bare) = (mean_ms(&host), median_us(&bare) / 1000.0);
    Ok(json!({ "addedMs": round(host - bare), "ms": round(host), "serverMs": round(bare) }))
}

/// A server that does what its first argument says.
pub(crate) fn program() -> anyhow::Result<PathBuf> {
    let this = std::env::current_exe()?;
    let folder = this.parent().and_then(Path::parent).context("no folder")?;
    Ok(folder.join("hostile-mcp-server"))
}

async fn by_the_host(folder: &Path) -> anyhow::Result<Vec<Arc<Line>>> {
    // The same call again and again would be stopped as a loop.
    let call = |number: usize| json!({ "name": "mcp__s__echo", "arguments": { "text": format!("hello {number}") } });
    let mut turns: Vec<Value> =
        (0..CALLS).map(|number| json!({ "reply": { "calls": [call(number)] } })).collect();
    turns.push(json!({ "reply": { "text": "Done." } }));
    let trace = json!({ "schemaVersion": "1", "turns": turns }).to_string();
    let trace = Trace::parse(&trace).map_err(|why| anyhow::anyhow!("{why:?}"))?;
    let model = DemoServer::start_with(trace, Vec::new()).await?;
    let host = open_host(folder, &model.base_url(), CALLS).await?;
    let path = folder.join("project").to_string_lossy().into_owned();
    let opened = host.submit(Command::OpenProject { path, create: true }).await?;
    let project_id = opened.project_id.context("no project")?;
    let name = ServerName::new("s").map_err(|why| anyhow::anyhow!("{}", why.english()))?;
    let command = program()?.to_string_lossy().into_owned();
    let launch = LaunchDraft::Command { command, args: vec!["good".into()], env: [].into() };
    let server = ServerDraft { name: name.clone(), launch };
    let save = ServerCommand::Save { server, replaces: None };
    host.submit(Command::Servers { command: save }).await?;
    trust(&host, &project_id, name).await?;
    let begin =
        Command::BeginConversation { project_id, with: Mode::Chat, input: Some("Go.".into()) };
    let id = host.submit(begin).await?.conversation_id.context("no conversation")?;
    let journal = until_finished(&host, &id, 0).await?;
    host.close().await;
    must_be_answered(&journal)?;
    Ok(journal)
}

/// Looks at a server, and trusts it.
pub(crate) async fn trust(
    host: &Host,
    project: &ProjectId,
    name: ServerName,
) -> anyhow::Result<()> {
    let project_id = Some(project.clone());
    let test = ServerCommand::Test { name: name.clone(), project_id: project_id.clone() };
    host.submit(Command::Servers { command: test }).await?;
    let Answer::Servers(servers) = host.query(Query::Servers { project_id }).await? else {
        anyhow::bail!("another answer");
    };
    let server = servers.into_iter().find(|server| server.name == name).context("no server")?;
    let sha256 = server.sha256.context("its tools are not known")?;
    let servers = vec![SeenServer { name, sha256 }];
    let command = ServerCommand::Trust { project_id: project.clone(), servers, trusted: true };
    host.submit(Command::Servers { command }).await?;
    Ok(())
}

/// From each answer of the model to the result of its call, as the journal tells it. The first call
/// starts the server, and is left out of the mean by its length.
fn of_calls(journal: &[Arc<Line>]) -> Vec<Duration> {
    let mut asked = None;
    let mut times = Vec::new();
    for line in journal {
        for event in &line.events {
            match event {
                Event::ModelReplied(_) => asked = Some(line.at),
                Event::CallEnded(e) if e.ok => {
                    let took = asked.take().map(|asked| line.at.millis() - asked.millis());
                    let took = took.and_then(|took| u64::try_from(took).ok());
                    times.extend(took.map(Duration::from_millis));
                }
                _ => {}
            }
        }
    }
    times
}

/// The journal tells milliseconds, so that a median would be a whole number of them. The first, which
/// started the server, is no part of it.
#[expect(clippy::cast_precision_loss, reason = "a few hundred calls")]
fn mean_ms(times: &[Duration]) -> f64 {
    let rest = &times[1..];
    rest.iter().map(Duration::as_secs_f64).sum::<f64>() * 1000.0 / rest.len() as f64
}

/// The same calls, each written to the program and its answer read.
fn by_hand() -> anyhow::Result<Vec<Duration>> {
    let mut command = Program::new(program()?);
    command.arg("good").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    let mut input = child.stdin.take().context("no input")?;
    let mut output = BufReader::new(child.stdout.take().context("no output")?);
    let client = json!({ "protocolVersion": "2025-06-18", "capabilities": {},
                         "clientInfo": { "name": "bench", "version": "1" } });
    ask(&mut input, &mut output, &json!({ "id": 0, "method": "initialize", "params": client }))?;
    let greeted = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    writeln!(input, "{greeted}")?;
    let mut times = Vec::with_capacity(CALLS);
    for id in 1..=CALLS {
        let params = json!({ "name": "echo", "arguments": { "text": "hello" } });
        let begun = Instant::now();
        ask(
            &mut input,
            &mut output,
            &json!({ "id": id, "method": "tools/call", "params": params }),
        )?;
        times.push(begun.elapsed());
    }
    drop(input);
    child.wait()?;
    Ok(times)
}

fn ask(
    input: &mut ChildStdin,
    output: &mut BufReader<ChildStdout>,
    request: &Value,
) -> anyhow::Result<()> {
    let mut request = request.clone();
    request["jsonrpc"] = json!("2.0");
    writeln!(input, "{request}")?;
    let mut line = String::new();
    anyhow::ensure!(output.read_line(&mut line)? > 0, "the server ended");
    Ok(())
}
