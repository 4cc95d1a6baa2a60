//! What 20 servers that are set up, trusted and not used cost at the start: the time until a project is
//! shown, against the same store without them, and memory, against one server: the first takes what
//! reading servers takes at all. Each in processes that do nothing else.

use std::path::Path;
use std::process::Command as Program;
use std::time::Instant;

use anyhow::Context as _;
use host::host::{Host, HostOptions};
use kernel::command::{Command, Query, ServerCommand};
use kernel::ids::ProjectId;
use kernel::mcp::{LaunchDraft, ServerDraft, ServerName};
use kernel::wire::Answer;
use serde_json::{Value, json};

use crate::open::peak_mib;
use crate::servers::{program, trust};
use crate::stats::{median, round};

/// Servers that are set up.
const SERVERS: usize = 20;
/// Starts with and without them.
const STARTS: usize = 25;
/// The argument that makes the benchmark a process that shows a project.
pub(crate) const PROBE: &str = "--probe-start";

/// The three stores, each started again and again, by turns.
pub(crate) fn measure(folder: &Path) -> anyhow::Result<Value> {
    let counts = [0, 1, SERVERS];
    let places = counts.map(|servers| folder.join(format!("with-{servers}")));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    for (place, servers) in places.iter().zip(counts) {
        runtime.block_on(make(place, servers))?;
    }
    drop(runtime);
    let (mut times, mut memories) = ([const { Vec::new() }; 3], [const { Vec::new() }; 3]);
    for _ in 0..STARTS {
        for (at, place) in places.iter().enumerate() {
            let report = in_a_process(place)?;
            times[at].push(report["ms"].as_f64().context("no time")?);
            memories[at].push(report["peakMiB"].as_f64().context("no memory")?);
        }
    }
    let [none, _, all] = times.map(median);
    let [nothing, one, more] = memories.map(median);
    Ok(json!({
        "ms": round(all), "addedMs": round(all - none),
        "firstMiB": round(one - nothing), "addedMiB": round(more - one),
    }))
}

async fn make(folder: &Path, servers: usize) -> anyhow::Result<()> {
    std::fs::create_dir(folder)?;
    let host = Host::open(HostOptions::new(folder.join("store"), "cli")).await?;
    let path = folder.join("project").to_string_lossy().into_owned();
    let opened = host.submit(Command::OpenProject { path, create: true }).await?;
    let project = opened.project_id.context("no project")?;
    for number in 0..servers {
        let name = ServerName::new(&format!("server {number}"));
        let name = name.map_err(|why| anyhow::anyhow!("{}", why.english()))?;
        let command = program()?.to_string_lossy().into_owned();
        let args = vec!["resources-and-prompts".to_owned()];
        let server = ServerDraft {
            name: name.clone(),
            launch: LaunchDraft::Command { command, args, env: [].into() },
        };
        let save = ServerCommand::Save { server, replaces: None };
        host.submit(Command::Servers { command: save }).await?;
        trust(&host, &project, name).await?;
    }
    host.close().await;
    Ok(())
}

fn in_a_process(folder: &Path) -> anyhow::Result<Value> {
    let this = std::env::current_exe()?;
    let out = Program::new(this).args([PROBE, &folder.to_string_lossy(), "", ""]).output()?;
    anyhow::ensure!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    Ok(serde_json::from_slice(&out.stdout)?)
}

/// What a window asks for before it shows a project.
pub(crate) fn probe(folder: &Path, _: &str, _: &str) -> anyhow::Result<Value> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let began = Instant::now();
        let host = Host::open(HostOptions::new(folder.join("store"), "cli")).await?;
        let Answer::Projects(projects) = host.query(Query::Projects).await? else {
            anyhow::bail!("another answer");
        };
        let project_id: ProjectId = projects[0].project_id.clone();
        let of = Some(project_id.clone());
        host.query(Query::Conversations { project_id: of, limit: None, after: None }).await?;
        host.query(Query::Servers { project_id: Some(project_id) }).await?;
        let ms = began.elapsed().as_secs_f64() * 1000.0;
        let peak = peak_mib();
        host.close().await;
        Ok(json!({ "ms": ms, "peakMiB": peak }))
    })
}
