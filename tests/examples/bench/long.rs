//! Long conversations: how a turn's cost grows with the turns before it, what a turn costs the
//! processor, and how long it takes to go on with a conversation.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use kernel::command::SessionCommand;
use kernel::event::{Event, Line};
use kernel::ids::{ConversationId, PackageId, ProjectId};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::bare;
use crate::script::Script;
use crate::server::{Lane, Server};
use crate::stats::{median_us, round};
use crate::turns;

/// Turns of the long conversation; each is two messages.
const TURNS: usize = 1_000;
/// Turns of the run whose processor time is taken: its requests have 70 KB on average.
const SHORT_TURNS: usize = 100;
/// How many such runs there are, and as many of the bare loop.
const PROCESSOR_ROUNDS: usize = 3;
/// How often the long conversation is gone on with, and a new one started.
const ROUNDS: usize = 9;

/// The argument that makes the benchmark a process that runs a script.
pub(crate) const PROBE_TURNS: &str = "--probe-turns";
/// The argument that makes it the bare loop's process, which begins with the request in [`SEED`].
pub(crate) const PROBE_BARE: &str = "--probe-bare";
const SEED: &str = "first-request.json";
/// The argument that makes it a process that starts a run, or goes on with one.
pub(crate) const PROBE_FIRST: &str = "--probe-first";

/// How the time between an answer and the next request grows over the turns, against the bare
/// loop's; then how long it takes to go on.
pub(crate) fn measure(folder: &Path) -> anyhow::Result<Value> {
    let both = turns::race(folder, Script::reads(TURNS))?;
    let growth = |times: &[Duration]| {
        let tenth = times.len() / 10;
        let (first, last) = (median_us(&times[..tenth]), median_us(&times[times.len() - tenth..]));
        (last / first, first / 1000.0, last / 1000.0)
    };
    let (engine, engine_first, engine_last) = growth(&both.engine.overheads);
    let (bare, bare_first, bare_last) = growth(&both.bare.overheads);
    let next = both.ran.journal.last().map_or(0, |line| line.next_seq());
    let like = both.ran.journal.first().context("the journal is empty")?;
    let mut report = first_requests(folder, &both.ran.id, like, next)?;
    report["turns"] = json!(TURNS);
    report["growthRatio"] = json!(round(engine / bare));
    report["engineFirstMs"] = json!(round(engine_first));
    report["engineLastMs"] = json!(round(engine_last));
    report["bareFirstMs"] = json!(round(bare_first));
    report["bareLastMs"] = json!(round(bare_last));
    report["lastRequestBytes"] = json!(both.engine.bytes.last());
    Ok(report)
}

/// From the start of a process to its first request: of a conversation that goes on, against a
/// new run of the same package in the same project. `next` is where the journal of `long` goes on,
/// `like` its first line.
fn first_requests(
    folder: &Path,
    long: &ConversationId,
    like: &Line,
    mut next: u64,
) -> anyhow::Result<Value> {
    let (mut resumed, mut fresh) = (Vec::new(), Vec::new());
    let like = like.events.iter().find_map(|event| match event {
        Event::RunStarted(e) => Some(First::Fresh(e.project_id.clone(), e.package_id.clone())),
        _ => None,
    });
    let like = like.context("the journal does not begin with a run")?;
    for _ in 0..ROUNDS {
        fresh.push(first_request(folder, &like)?.0);
        let (time, seq) = first_request(folder, &First::Resumed(long.clone(), next))?;
        resumed.push(time);
        next = seq;
    }
    let (resumed, fresh) = (median_us(&resumed), median_us(&fresh));
    Ok(json!({
        "resumeRatio": round(resumed / fresh),
        "resumeMs": round(resumed / 1000.0), "startMs": round(fresh / 1000.0),
    }))
}

/// What a process of its own does first.
#[derive(Serialize, Deserialize)]
pub(crate) enum First {
    /// It starts a run.
    Fresh(ProjectId, PackageId),
    /// It goes on with a conversation whose journal ends before this number.
    Resumed(ConversationId, u64),
}

fn first_request(folder: &Path, first: &First) -> anyhow::Result<(Duration, u64)> {
    let server = Server::start(Script::reads(0))?;
    server.without(Lane::Bare);
    let began = Instant::now();
    let report = in_a_process(
        PROBE_FIRST,
        folder,
        &server.base_url(Lane::Engine),
        &serde_json::to_string(first)?,
    )?;
    let came = server.measured(Lane::Engine).began.context("no request came")?;
    Ok((came - began, report["next"].as_u64().context("the journal has no end")?))
}

/// What the process does in [`first_request`].
pub(crate) fn probe_first(folder: &Path, base_url: &str, first: &str) -> anyhow::Result<Value> {
    let first: First = serde_json::from_str(first)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let host = turns::open_host(folder, base_url, TURNS).await?;
        let (id, seq) = match first {
            First::Fresh(project, package) => {
                (turns::start_run(&host, project, package, turns::NOTES).await?, 0)
            }
            First::Resumed(conversation_id, seq) => {
                let text = "And one more thing.".to_owned();
                host.submit(SessionCommand::Say { text }.to(conversation_id.clone())).await?;
                (conversation_id, seq)
            }
        };
        let journal = turns::until_finished(&host, &id, seq).await?;
        host.close().await;
        turns::must_be_answered(&journal)?;
        Ok(json!({ "next": journal.last().map(|line| line.next_seq()) }))
    })
}

/// Processor time of a turn, of the whole process without the server: the engine's against the bare
/// loop's. Both have a process of their own for each round.
pub(crate) fn processor(folder: &Path) -> anyhow::Result<Value> {
    let turns = SHORT_TURNS.to_string();
    let (mut engines, mut loops, mut bytes) = (Vec::new(), Vec::new(), 0);
    for round in 0..PROCESSOR_ROUNDS {
        let folder = folder.join(round.to_string());
        std::fs::create_dir(&folder)?;
        let server = Server::start(Script::reads(SHORT_TURNS))?;
        server.without(Lane::Bare);
        let url = server.base_url(Lane::Engine);
        engines.push(turn_time(&in_a_process(PROBE_TURNS, &folder, &url, &turns)?)?);
        let engine = server.measured(Lane::Engine);
        bytes = engine.bytes.iter().sum::<usize>() / engine.bytes.len();
        std::fs::write(folder.join(SEED), engine.first.context("no request came")?)?;
        let server = Server::start(Script::reads(SHORT_TURNS))?;
        server.without(Lane::Engine);
        let url = server.base_url(Lane::Bare);
        loops.push(turn_time(&in_a_process(PROBE_BARE, &folder, &url, &turns)?)?);
    }
    let (engine, bare) = (median_us(&engines), median_us(&loops));
    Ok(json!({
        "ratio": round(engine / bare),
        "ms": round(engine / 1000.0), "bareMs": round(bare / 1000.0),
        "turns": SHORT_TURNS, "meanRequestBytes": bytes,
    }))
}

fn turn_time(report: &Value) -> anyhow::Result<Duration> {
    Ok(Duration::from_nanos(report["ns"].as_u64().context("no time came")?))
}

/// What the engine's process does in [`processor`].
pub(crate) fn probe_turns(folder: &Path, base_url: &str, turns: &str) -> anyhow::Result<Value> {
    let turns = turns.parse()?;
    let ran = turns::run_engine(folder, base_url, turns)?;
    each(ran.processor, turns)
}

/// What the bare loop's process does in [`processor`].
pub(crate) fn probe_bare(folder: &Path, base_url: &str, turns: &str) -> anyhow::Result<Value> {
    let turns = turns.parse()?;
    let seed = serde_json::from_slice(&std::fs::read(folder.join(SEED))?)?;
    each(bare::run(folder, base_url, Script::reads(turns), seed)?.processor, turns)
}

fn each(processor: Duration, turns: usize) -> anyhow::Result<Value> {
    let each = processor / u32::try_from(turns)?;
    Ok(json!({ "ns": u64::try_from(each.as_nanos())? }))
}

fn in_a_process(probe: &str, folder: &Path, url: &str, what: &str) -> anyhow::Result<Value> {
    let out = Command::new(std::env::current_exe()?)
        .args([probe, &folder.to_string_lossy(), url, what])
        .output()?;
    anyhow::ensure!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    Ok(serde_json::from_slice(&out.stdout)?)
}
