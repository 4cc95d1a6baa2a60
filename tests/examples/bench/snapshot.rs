//! What a client reads of a run whose journal is long: the snapshot as it crosses to a window.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use kernel::engine::{Env, ExecutionEngine, Input, Limits, StartRun};
use kernel::event::Line;
use kernel::ids::{ConversationId, RunId};
use kernel::package::Package;
use kernel::prompt::PromptComposer;
use kernel::snapshot::snapshot;
use kernel::state_doc::{Initial, StateDoc};
use kernel::time::Time;
use serde_json::{Value, json};

use crate::append::line;
use crate::open::turn_of;
use crate::stats::{median_us, percentile_us, round};

/// Turns of the conversation, each of five events; every second event line proves something.
const TURNS: u64 = 20_000;
/// How often it is read.
const ROUNDS: usize = 51;

/// What one snapshot takes, made and written as JSON.
pub(crate) fn measure(_: &Path) -> anyhow::Result<Value> {
    let engine = long_run(Limits::default(), TURNS, |turn| {
        let mut events = turn_of(turn);
        let path = format!("@project/notes/{turn}.md");
        events[2][0]["data"]["facts"] =
            json!([{ "kind": "file_read", "path": path, "sha256": format!("{turn:064x}") }]);
        events
    })?;
    let (mut made, mut both, mut bytes) = (Vec::<Duration>::new(), Vec::<Duration>::new(), 0);
    for _ in 0..ROUNDS {
        let began = Instant::now();
        let read = snapshot(&engine).map_err(|failure| anyhow::anyhow!("{failure}"))?;
        made.push(began.elapsed());
        let known = read.facts.len() + read.earlier_facts;
        anyhow::ensure!(known == engine.record().facts.len(), "{known} facts are told");
        bytes = serde_json::to_vec(&read)?.len();
        both.push(began.elapsed());
    }
    Ok(json!({
        "events": TURNS * 5, "facts": engine.record().facts.len(), "kib": bytes / 1024,
        "ms": round(median_us(&both) / 1000.0),
        "p99Ms": round(percentile_us(&both, 0.99) / 1000.0),
        "madeMs": round(median_us(&made) / 1000.0),
    }))
}

/// A run of so many turns.
pub(crate) fn long_run(
    limits: Limits,
    turns: u64,
    turn_of: impl Fn(u64) -> [Value; 4],
) -> anyhow::Result<ExecutionEngine> {
    let inspected = host::packages::inspect(&crate::mini_package())
        .map_err(|failure| anyhow::anyhow!("{failure}"))?;
    let package = Arc::new(inspected.package.context("no package")?);
    let begins = begins(&package)?;
    let composer = PromptComposer::new().map_err(|failure| anyhow::anyhow!("{failure}"))?;
    let env = Env { package, others: Vec::new(), composer: Arc::new(composer), limits };
    let sha256 = kernel::text::sha256_hex(begins.state.as_bytes());
    let mut engine = ExecutionEngine::new("run-long".parse::<ConversationId>()?, env);
    let now = Time::from_millis(1_767_225_600_000);
    let first = engine.decide(&Input::Start(begins), now)?.context("nothing began")?;
    engine.apply(&first);
    let mirrored = json!([{ "event": "state_mirrored", "data": { "sha256": sha256 } }]);
    let mut next = first.next_seq();
    for events in std::iter::once(mirrored).chain((0..turns).flat_map(turn_of)) {
        let line: Line = line(next, &events)?;
        next = line.next_seq();
        engine.apply(&line);
    }
    Ok(engine)
}

fn begins(package: &Package) -> anyhow::Result<StartRun> {
    let workflow = package.workflows.first().context("no workflow")?;
    let agent_id = package.agents.first().context("no agent")?.id.clone();
    let run_id: RunId = "long".parse()?;
    let now = Time::from_millis(1_767_225_600_000);
    let initial = Initial {
        run_id: &run_id,
        workflow_id: &workflow.id,
        agent_id: &agent_id,
        variables: None,
        artifacts: &[],
        now,
    };
    let state = StateDoc::initial(&workflow.state_template, &initial)
        .map_err(|failure| anyhow::anyhow!("{failure}"))?;
    Ok(StartRun {
        run_id: run_id.clone(),
        project_id: "p1".parse()?,
        package_id: package.id.clone(),
        content_hash: None,
        workflow_id: workflow.id.clone(),
        title: None,
        agent_id: agent_id.clone(),
        artifacts_dir: "artifacts".to_owned(),
        artifacts_ask: false,
        state: state.text().to_string(),
        input: None,
        files: Vec::new(),
        demo: false,
    })
}
