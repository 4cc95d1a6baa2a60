//! What has no gate of its own: folding a journal, importing a package, starting after a crash.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use host::packages::{self, PackagesLock};
use host::store::RuntimeStore;
use kernel::engine::{Env, ExecutionEngine, Limits};
use kernel::event::Line;
use kernel::ids::ConversationId;
use kernel::prompt::PromptComposer;
use kernel::view::View;
use serde_json::{Value, json};

use crate::append::{Journal, new_run, started};
use crate::script::Script;
use crate::server::{Lane, Server};
use crate::stats::round;
use crate::turns;

/// Lines that are folded.
const LINES: usize = 10_000;
/// Files of the package that is imported.
const FILES: usize = 2_000;
/// Runs that were under way when the program died.
const RUNS: usize = 1_000;
/// Turns of the run whose lines are folded over and over.
const TURNS: usize = 100;

fn ms(since: Instant) -> f64 {
    round(since.elapsed().as_secs_f64() * 1000.0)
}

/// Reads a journal of 10⁴ lines, folds it into an engine, and into what a window shows.
pub(crate) fn replay(folder: &Path) -> anyhow::Result<Value> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let read_ms = runtime.block_on(async {
        let journal = Journal::filled(&folder.join("read"), LINES as u64).await?;
        let began = Instant::now();
        let lines = journal.store.lines(&journal.id, 0).await?;
        anyhow::ensure!(lines.len() == LINES, "{} lines came back", lines.len());
        anyhow::Ok(ms(began))
    })?;
    let journal = played(&folder.join("played"))?;
    let installed = folder.join("packages");
    fs::create_dir(&installed)?;
    let inspected = packages::inspect(&crate::mini_package())?;
    let id = PackagesLock::wait(&installed)?.install(&inspected)?;
    let env = Env {
        others: Vec::new(),
        package: Arc::new(packages::load_installed(&installed, &id)?),
        composer: Arc::new(PromptComposer::new()?),
        limits: Limits::default(),
    };
    let began = Instant::now();
    let engine = ExecutionEngine::replay("run-bench".parse::<ConversationId>()?, env, &journal);
    let fold_ms = ms(began);
    anyhow::ensure!(engine.record().history.next() > LINES / 2, "the engine lost something");
    let began = Instant::now();
    let view = View::replay(&journal);
    let view_ms = ms(began);
    drop(view);
    Ok(json!({ "lines": journal.len(), "readMs": read_ms, "foldMs": fold_ms, "viewMs": view_ms }))
}

/// The lines of a real run, repeated until there are enough.
fn played(folder: &Path) -> anyhow::Result<Vec<Line>> {
    fs::create_dir(folder)?;
    let server = Server::start(Script::mixed(TURNS))?;
    server.without(Lane::Bare);
    let run = turns::run_engine(folder, &server.base_url(Lane::Engine), TURNS)?.journal;
    let run: Vec<Line> = run.iter().map(|line| Line::clone(line)).collect();
    let mut journal = run.clone();
    // Without the first line, which starts a run, and the last, which ends its turn.
    let inner = &run[1..run.len() - 1];
    let mut next = run.last().map_or(1, Line::next_seq);
    while journal.len() < LINES {
        for line in inner.iter().take(LINES - journal.len()) {
            let mut line = line.clone();
            line.seq = next;
            next = line.next_seq();
            journal.push(line);
        }
    }
    Ok(journal)
}

/// Inspects and installs a package file of 2,000 files.
pub(crate) fn import(folder: &Path) -> anyhow::Result<Value> {
    let source = folder.join("source");
    copy(&crate::mini_package(), &source)?;
    fs::create_dir_all(source.join("assets"))?;
    let own = 7;
    for n in own..FILES {
        let text = format!("# Template {n}\n\n{}\n", "A few plain words. ".repeat(50));
        fs::write(source.join(format!("assets/template-{n:04}.md")), text)?;
    }
    let file = folder.join("big.bmad");
    packages::pack(&source, &file, false)?;
    let began = Instant::now();
    let inspected = packages::inspect(&file)?;
    let inspect_ms = ms(began);
    let files = inspected.report.file_count as usize;
    anyhow::ensure!(files == FILES, "{files} files");
    let installed = folder.join("packages");
    fs::create_dir(&installed)?;
    let began = Instant::now();
    let id = PackagesLock::wait(&installed)?.install(&inspected)?;
    let install_ms = ms(began);
    let began = Instant::now();
    packages::load_installed(&installed, &id)?;
    Ok(json!({
        "files": FILES, "inspectMs": inspect_ms, "installMs": install_ms, "loadMs": ms(began),
    }))
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Opens a store in which 1,000 runs were under way.
pub(crate) fn recovery(folder: &Path) -> anyhow::Result<Value> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let store = RuntimeStore::open(folder)?;
        for n in 0..RUNS {
            let run = new_run(&format!("run{n}"))?;
            let state = folder.join(format!("projects/p1/runs/run{n}/state/logs"));
            fs::create_dir_all(state)?;
            store.register_package(support::package_row(&run.package_id)).await?;
            store.create_run(run.clone(), &started(&run)?).await?;
        }
        drop(store);
        let began = Instant::now();
        let store = RuntimeStore::open(folder)?;
        let open_ms = ms(began);
        let began = Instant::now();
        let marked = store.recover().await?;
        let recover_ms = ms(began);
        anyhow::ensure!(marked == RUNS, "{marked} runs were marked");
        let ms = round(open_ms + recover_ms);
        Ok(json!({ "runs": RUNS, "ms": ms, "openMs": open_ms, "recoverMs": recover_ms }))
    })
}
