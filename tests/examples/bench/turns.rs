//! Engine overhead per turn: answer received → next request on the wire, with the real host,
//! store and tools, against the bare loop.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use host::host::{Host, HostOptions, ModelChoice};
use host::store::RuntimeStore;
use kernel::command::Command;
use kernel::event::{Event, Line, Reason};
use kernel::ids::{ConversationId, PackageId, ProjectId};
use kernel::policy::ApproveWrites;
use kernel::settings::ModelSettings;
use serde_json::{Value, json};

use crate::append;
use crate::bare;
use crate::script::{KINDS, Kind, Script};
use crate::server::{Lane, Measured, Server};
use crate::stats::{median_us, percentile_us, processor_time, round};

/// Turns of each loop.
const TURNS: usize = 300;

/// Runs both loops in turns.
pub(crate) fn measure(folder: &Path) -> anyhow::Result<Value> {
    let script = Script::mixed(TURNS);
    let flush = bare::flush_times(folder)?;
    let both = race(folder, script)?;
    let mut report = figures(script, &both.engine, &both.bare);
    report["commits"] = json!({ "engine": both.ran.commits, "bare": script.commits() });
    report["flushUs"] = json!(round(median_us(&flush)));
    Ok(report)
}

/// What both loops took for the same script.
pub(crate) struct Both {
    pub(crate) engine: Measured,
    pub(crate) bare: Measured,
    /// The engine's run.
    pub(crate) ran: Ran,
}

/// Lets the engine and the bare loop do what a script says, in turns.
pub(crate) fn race(folder: &Path, script: Script) -> anyhow::Result<Both> {
    let server = Server::start(script)?;
    let (ran, looped) = std::thread::scope(|scope| {
        let bare = scope.spawn(|| {
            let url = server.base_url(Lane::Bare);
            let ran =
                (server.first_request()).and_then(|seed| bare::run(folder, &url, script, seed));
            server.without(Lane::Bare);
            ran
        });
        let engine = run_engine(folder, &server.base_url(Lane::Engine), script.turns);
        server.without(Lane::Engine);
        let bare = bare.join().map_err(|_| anyhow::anyhow!("the bare loop panicked"))?;
        anyhow::Ok((engine?, bare?))
    })?;
    let expected = script.commits();
    anyhow::ensure!(
        looped.commits == expected + 1,
        "the bare loop made {} commits, not {expected} and one for the last answer",
        looped.commits
    );
    let (engine, bare) = (server.measured(Lane::Engine), server.measured(Lane::Bare));
    Ok(Both { engine, bare, ran })
}

fn figures(script: Script, engine: &Measured, bare: &Measured) -> Value {
    let (of_engine, of_bare) = (&engine.overheads, &bare.overheads);
    let ms = |times: &[Duration], part: f64| round(percentile_us(times, part) / 1000.0);
    let mut kinds = json!({});
    for (kind, name) in KINDS {
        let (e, b) = (only(script, of_engine, kind), only(script, of_bare, kind));
        kinds[name] = json!({
            "ratio": round(median_us(&e) / median_us(&b)),
            "engineMs": ms(&e, 0.5), "bareMs": ms(&b, 0.5),
        });
    }
    let (engine_us, bare_us) = (typical_us(script, of_engine), typical_us(script, of_bare));
    json!({
        "ratio": round(engine_us / bare_us),
        "engineMs": round(engine_us / 1000.0), "bareMs": round(bare_us / 1000.0),
        "engineP95Ms": ms(of_engine, 0.95), "bareP95Ms": ms(of_bare, 0.95),
        "turns": of_engine.len(), "kinds": kinds,
        "lastRequestBytes": { "engine": engine.bytes.last(), "bare": bare.bytes.last() },
        "connections": { "engine": engine.connections, "bare": bare.connections },
    })
}

/// The times of the turns of one kind.
fn only(script: Script, times: &[Duration], kind: Kind) -> Vec<Duration> {
    let numbered = times.iter().enumerate();
    numbered.filter(|(turn, _)| script.kind(*turn) == kind).map(|(_, time)| *time).collect()
}

/// The medians of the kinds, each as often as the kind comes. One median of all would stand
/// between the quick reads and the slow writes and jump from one to the other.
#[expect(clippy::cast_precision_loss, reason = "a few hundred turns")]
fn typical_us(script: Script, times: &[Duration]) -> f64 {
    let kinds = KINDS.map(|(kind, _)| only(script, times, kind));
    let share = |kind: &Vec<Duration>| kind.len() as f64 / times.len() as f64;
    kinds.iter().map(|kind| median_us(kind) * share(kind)).sum()
}

/// A run that has ended.
pub(crate) struct Ran {
    pub(crate) id: ConversationId,
    /// Its journal.
    pub(crate) journal: Vec<Arc<Line>>,
    /// Transactions between its first and its last line.
    pub(crate) commits: u64,
    /// What this process had the processor do since its start.
    pub(crate) processor: Duration,
}

/// One run through the whole host until the model's last answer. The store is `folder/store`.
pub(crate) fn run_engine(folder: &Path, base_url: &str, turns: usize) -> anyhow::Result<Ran> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let store = RuntimeStore::open(&folder.join("store"))?;
        let host = Host::on(store.clone(), options(folder, base_url, turns)?).await?;
        append::warm_up(&store).await?;
        let before = store.commits();
        let id = start(&host, folder).await?;
        let began = processor_time();
        let journal = until_finished(&host, &id, 0).await?;
        let (commits, processor) =
            (store.commits() - before, processor_time().saturating_sub(began));
        host.close().await;
        check(&journal, turns)?;
        Ok(Ran { id, journal, commits, processor })
    })
}

/// What the person says first.
pub(crate) const NOTES: &str = "Work through the notes.";

/// Starts a run on the files of the script.
pub(crate) async fn start(host: &Host, folder: &Path) -> anyhow::Result<ConversationId> {
    let project = folder.join("engine-project");
    bare::make_files(&project)?;
    let project_id = host
        .submit(Command::OpenProject { path: shown(&project), create: true })
        .await?
        .project_id
        .context("no project")?;
    let path = shown(&crate::mini_package());
    let package_id = host
        .submit(Command::InstallPackage { path, content_hash: None })
        .await?
        .package_id
        .context("no package")?;
    start_run(host, project_id, package_id, NOTES).await
}

/// Starts a run of an installed package in a known project with these first words.
pub(crate) async fn start_run(
    host: &Host,
    project_id: ProjectId,
    package_id: PackageId,
    words: &str,
) -> anyhow::Result<ConversationId> {
    let start = Command::StartRun {
        project_id,
        package_id,
        workflow_id: None,
        agent_id: None,
        input: Some(words.into()),
        demo: false,
        conversation_id: None,
    };
    host.submit(start).await?.conversation_id.context("no conversation")
}

/// The lines from `seq` to the end of the turn.
pub(crate) async fn until_finished(
    host: &Host,
    id: &ConversationId,
    seq: u64,
) -> anyhow::Result<Vec<Arc<Line>>> {
    let mut lines = host.follow(id, seq).await?;
    let mut journal = Vec::new();
    while let Some(line) = lines.recv().await.transpose()? {
        let finished = line.events.iter().any(|e| matches!(e, Event::TurnFinished(_)));
        journal.push(line);
        if finished {
            break;
        }
    }
    Ok(journal)
}

/// A host whose model is at `base_url`, with its store in `folder/store`.
pub(crate) async fn open_host(
    folder: &Path,
    base_url: &str,
    turns: usize,
) -> anyhow::Result<std::sync::Arc<Host>> {
    Ok(Host::open(options(folder, base_url, turns)?).await?)
}

fn options(folder: &Path, base_url: &str, turns: usize) -> anyhow::Result<HostOptions> {
    let model = ModelSettings {
        base_url: base_url.into(),
        model: "bench".into(),
        context_tokens: Some(10_000_000),
        ..ModelSettings::default()
    };
    let mut options = HostOptions::new(folder.join("store"), "cli");
    // Nobody is there to be asked about the files of the script.
    options.approve_writes = Some(ApproveWrites::Auto);
    options.model = ModelChoice::Endpoint(model, None);
    options.max_turns = Some(u32::try_from(turns)? + 10);
    Ok(options)
}

/// A run that failed on the way would be fast.
fn check(journal: &[Arc<Line>], turns: usize) -> anyhow::Result<()> {
    let events = || journal.iter().flat_map(|line| &line.events);
    let refused = events().find_map(|e| match e {
        Event::CallEnded(e) if !e.ok => Some(e.result.to_string()),
        _ => None,
    });
    anyhow::ensure!(refused.is_none(), "a call was refused: {}", refused.unwrap_or_default());
    let calls = events().filter(|e| matches!(e, Event::CallEnded(_))).count();
    anyhow::ensure!(calls == turns, "{calls} of {turns} calls were made");
    must_be_answered(journal)
}

/// The turn has to have ended with an answer of the model.
pub(crate) fn must_be_answered(journal: &[Arc<Line>]) -> anyhow::Result<()> {
    let ended = journal.iter().flat_map(|line| &line.events).find_map(|event| match event {
        Event::TurnFinished(finished) => Some(finished),
        _ => None,
    });
    let ended = ended.context("the turn did not end")?;
    anyhow::ensure!(ended.reason == Reason::Answered, "the turn ended with {ended:?}");
    Ok(())
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
