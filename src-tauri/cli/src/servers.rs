//! `mcp …`: servers of the Model Context Protocol, and `--trust-mcp`.

use host::host::Host;
use kernel::code::{ErrorCode, Failure};
use kernel::command::{Command, Query, SeenServer, ServerCommand};
use kernel::ids::ProjectId;
use kernel::mcp::{LaunchDraft, ServerDraft, ServerName, ServerValue, ShownLaunch};
use kernel::phrase::{asking, mcp as said, terminal};
use kernel::visible::visible_line;
use kernel::wire::{Answer, ServerFile, ServerTrust, ServerView};
use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::Arc;

use crate::args::{Global, McpAddArgs, McpCommand};
use crate::ask;
use crate::exit::Exit;
use crate::interrupts::Interrupts;
use crate::names;
use crate::output::Output;
use crate::print::rows;
use crate::server_words::{found, listed, shown};

/// `crewagent mcp …`
pub(crate) async fn mcp(
    host: &Arc<Host>,
    global: &Global,
    command: &McpCommand,
    out: &Output,
) -> Result<Exit, Failure> {
    let project = project_here(host, global).await?;
    let done = match command {
        McpCommand::List => {
            let servers = servers(host, project.as_ref()).await?;
            out.result(&servers, || listed(&servers, project.is_some(), out));
            return Ok(Exit::Done);
        }
        McpCommand::Add(args) => add(args)?,
        McpCommand::Import { file, name } => return import(host, file, name, out).await,
        McpCommand::Test { name } => return test(host, project, name, out).await,
        McpCommand::Trust { name, yes } => {
            let project = names::project(host, &global.project).await?;
            return trust(host, &project, name, *yes, out).await;
        }
        McpCommand::Untrust { name } => {
            let project_id = names::project(host, &global.project).await?;
            let servers = named(host, Some(&project_id), name).await?;
            let servers = servers.iter().map(seen).collect();
            ServerCommand::Trust { project_id, servers, trusted: false }
        }
        McpCommand::SignIn { name } => return sign_in(host, project, name, out).await,
        McpCommand::SignOut { name } => ServerCommand::SignOut { name: server_name(name)? },
        McpCommand::Enable { name } => {
            ServerCommand::Switch { name: server_name(name)?, enabled: true }
        }
        McpCommand::Disable { name } => {
            ServerCommand::Switch { name: server_name(name)?, enabled: false }
        }
        McpCommand::Remove { name } => ServerCommand::Remove { name: server_name(name)? },
    };
    host.submit(Command::Servers { command: done }).await?;
    let project = project_here(host, global).await?;
    let now = servers(host, project.as_ref()).await?;
    out.result(&now, || listed(&now, project.is_some(), out));
    Ok(Exit::Done)
}

/// The project of the folder, when it is one: to look at servers makes no project.
async fn project_here(host: &Arc<Host>, global: &Global) -> Result<Option<ProjectId>, Failure> {
    if global.project.join(".crewagent.json").exists() {
        return names::project(host, &global.project).await.map(Some);
    }
    Ok(None)
}

async fn servers(host: &Host, project: Option<&ProjectId>) -> Result<Vec<ServerView>, Failure> {
    match host.query(Query::Servers { project_id: project.cloned() }).await? {
        Answer::Servers(servers) => Ok(servers),
        _ => Err(Failure::new(ErrorCode::Internal, terminal::another_answer())),
    }
}

/// Ctrl-C ends a test that it starts, and the server with it.
async fn submit(host: &Host, command: ServerCommand) -> Result<(), Failure> {
    let mut ctrl_c = Interrupts::listen();
    ctrl_c.submit(host, Command::Servers { command }).await.map(drop)
}

/// Those of these names; all when none is given.
async fn named(
    host: &Host,
    project: Option<&ProjectId>,
    names: &[String],
) -> Result<Vec<ServerView>, Failure> {
    let all = servers(host, project).await?;
    let find = |name: &String| {
        all.iter().find(|server| server.name.as_str() == name.trim()).cloned().ok_or_else(|| {
            Failure::new(
                ErrorCode::McpServerUnknown,
                kernel::phrase::servers::no_server_named(name),
            )
        })
    };
    if names.is_empty() { Ok(all.clone()) } else { names.iter().map(find).collect() }
}

fn server_name(name: &str) -> Result<ServerName, Failure> {
    ServerName::new(name).map_err(|why| Failure::new(ErrorCode::McpServerInvalid, why))
}

fn add(args: &McpAddArgs) -> Result<ServerCommand, Failure> {
    let name = server_name(&args.name)?;
    let launch = if let Some(url) = &args.url {
        LaunchDraft::Url { url: url.clone(), headers: values(&args.header)? }
    } else {
        let mut words = args.command.iter().cloned();
        let command = words.next().unwrap_or_default();
        LaunchDraft::Command { command, args: words.collect(), env: values(&args.env)? }
    };
    let replaces = args.replace.then(|| name.clone());
    Ok(ServerCommand::Save { server: ServerDraft { name, launch }, replaces })
}

/// `NAME=VALUE`, or `NAME` with the value that this program's own environment has.
fn values(given: &[String]) -> Result<BTreeMap<String, Option<ServerValue>>, Failure> {
    let value = |text: &String| match text.split_once('=') {
        Some((name, value)) => Ok((name.to_owned(), Some(ServerValue::new(value)))),
        None => match std::env::var(text) {
            Ok(value) => Ok((text.clone(), Some(ServerValue::new(value)))),
            Err(_) => {
                Err(Failure::new(ErrorCode::McpServerInvalid, said::value_not_in_environment(text)))
            }
        },
    };
    given.iter().map(value).collect()
}

async fn import(
    host: &Arc<Host>,
    file: &Path,
    names: &[String],
    out: &Output,
) -> Result<Exit, Failure> {
    let path = file.to_string_lossy().into_owned();
    let file: ServerFile = match host.query(Query::ServerFile { path: path.clone() }).await? {
        Answer::ServerFile(file) => file,
        _ => return Err(Failure::new(ErrorCode::Internal, terminal::another_answer())),
    };
    let names: Vec<ServerName> = if names.is_empty() {
        file.servers.iter().map(|server| server.name.clone()).collect()
    } else {
        names.iter().map(|name| server_name(name)).collect::<Result<_, _>>()?
    };
    let command = ServerCommand::Import { path, names };
    host.submit(Command::Servers { command }).await?;
    out.result(&file, || found(&file, out));
    Ok(Exit::Done)
}

async fn test(
    host: &Arc<Host>,
    project_id: Option<ProjectId>,
    name: &str,
    out: &Output,
) -> Result<Exit, Failure> {
    let name = server_name(name)?;
    let command = ServerCommand::Test { name: name.clone(), project_id: project_id.clone() };
    let tested = submit(host, command).await;
    let server = named(host, project_id.as_ref(), &[name.to_string()]).await?;
    if let Err(failure) = tested {
        if let Some(log) =
            server.first().map(|server| server.log.trim()).filter(|it| !it.is_empty())
        {
            out.note(said::server_log());
            out.told(rows(log.lines().map(str::to_owned)));
        }
        return Err(failure);
    }
    out.result(&server, || shown(&server, project_id.is_some(), out));
    Ok(Exit::Done)
}

/// Shows where the person signs in, waits until they have, and looks at the server's tools.
async fn sign_in(
    host: &Arc<Host>,
    project_id: Option<ProjectId>,
    name: &str,
    out: &Output,
) -> Result<Exit, Failure> {
    let server = server_name(name)?;
    let shown = named(host, project_id.as_ref(), &[name.to_owned()]).await?;
    let lets_nobody_in =
        |it: &ServerView| matches!(it.launch, ShownLaunch::Url { .. }) && !it.signed_in;
    if shown.iter().any(lets_nobody_in) {
        // A server tells how one signs in when it refuses a request.
        let asked = ServerCommand::Test { name: server.clone(), project_id: project_id.clone() };
        _ = submit(host, asked).await;
    }
    let command = ServerCommand::SignIn { name: server.clone() };
    let page = host.submit(Command::Servers { command }).await?.sign_in;
    let page = page.ok_or_else(|| Failure::new(ErrorCode::Internal, terminal::another_answer()))?;
    out.note(said::sign_in_here(visible_line(&page.host)));
    out.told(rows(["", &page.url, ""]));
    out.note(said::waiting_for_browser());
    submit(host, ServerCommand::WaitForSignIn { name: server }).await?;
    test(host, project_id, name, out).await
}

/// Trusts servers as they are now, once the person has seen what that is.
async fn trust(
    host: &Arc<Host>,
    project: &ProjectId,
    names: &[String],
    yes: bool,
    out: &Output,
) -> Result<Exit, Failure> {
    let chosen = named(host, Some(project), names).await?;
    for server in chosen.iter().filter(|server| server.sha256.is_none()) {
        if !yes && !agreed_to_start(server, out)? {
            return Ok(Exit::Waiting);
        }
        let (name, project_id) = (server.name.clone(), Some(project.clone()));
        let command = ServerCommand::Test { name, project_id };
        submit(host, command).await?;
    }
    let chosen: Vec<ServerView> = named(host, Some(project), names).await?;
    let new: Vec<ServerView> =
        chosen.into_iter().filter(|server| server.trust != ServerTrust::Trusted).collect();
    if !new.is_empty() && !agreed(&new, yes, out)? {
        return Ok(Exit::Waiting);
    }
    let servers = new.iter().map(seen).collect();
    let command = ServerCommand::Trust { project_id: project.clone(), servers, trusted: true };
    host.submit(Command::Servers { command }).await?;
    let now = named(host, Some(project), names).await?;
    out.result(&now, || listed(&now, true, out));
    Ok(Exit::Done)
}

/// Trusts servers for a run, by their names on the command line: whoever writes them there knows them.
pub(crate) async fn trust_named(
    host: &Arc<Host>,
    project: &ProjectId,
    names: &[String],
) -> Result<(), Failure> {
    if names.is_empty() {
        return Ok(());
    }
    for server in named(host, Some(project), names).await? {
        if server.trust == ServerTrust::Trusted {
            continue;
        }
        let (name, project_id) = (server.name.clone(), Some(project.clone()));
        let command = ServerCommand::Test { name, project_id };
        submit(host, command).await?;
    }
    let servers = named(host, Some(project), names).await?.iter().map(seen).collect();
    let command = ServerCommand::Trust { project_id: project.clone(), servers, trusted: true };
    host.submit(Command::Servers { command }).await.map(drop)
}

/// Says that there are servers which cannot be used here, because nobody has looked at them.
pub(crate) async fn tell_untrusted(
    host: &Host,
    project: &ProjectId,
    out: &Output,
) -> Result<(), Failure> {
    let servers = servers(host, Some(project)).await?;
    let unseen = |it: &&ServerView| it.enabled && it.trust != ServerTrust::Trusted;
    let unseen: Vec<&str> = servers.iter().filter(unseen).map(|it| it.name.as_str()).collect();
    if !unseen.is_empty() && !out.json {
        out.note(said::servers_not_trusted_yet(unseen.join(", ")));
    }
    Ok(())
}

fn seen(server: &ServerView) -> SeenServer {
    let sha256 = server.sha256.clone().unwrap_or_default();
    SeenServer { name: server.name.clone(), sha256 }
}

/// A server whose tools nobody knows has to be started to tell them.
fn agreed_to_start(server: &ServerView, out: &Output) -> Result<bool, Failure> {
    look(std::slice::from_ref(server), out)?;
    out.note(asking::start_server(&server.name));
    Ok(ask::agrees(out.lang))
}

/// Nobody trusts a server that they have not seen.
fn agreed(servers: &[ServerView], yes: bool, out: &Output) -> Result<bool, Failure> {
    if yes {
        return Ok(true);
    }
    look(servers, out)?;
    out.note(asking::trust_servers(servers.len()));
    Ok(ask::agrees(out.lang))
}

fn look(servers: &[ServerView], out: &Output) -> Result<(), Failure> {
    if out.json || !std::io::stdin().is_terminal() {
        return Err(Failure::new(ErrorCode::BadRequest, said::nobody_trusts_servers())
            .with_action(said::say_yes_to_servers()));
    }
    out.print(shown(servers, true, out));
    Ok(())
}
