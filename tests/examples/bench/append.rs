//! Append to journals of different lengths: must not depend on the length (spec 08). And against
//! bare SQLite: what a decision costs beside making it durable.

use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use host::store::{NewRun, RuntimeStore};
use kernel::event::Line;
use kernel::ids::{ConversationId, RunId};
use kernel::time::Time;
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::stats::{median_us, percentile_us, round};

/// Lines in the journals.
const LENGTHS: [u64; 3] = [100, 10_000, 1_000_000];
/// Appends to each.
const APPENDS: usize = 400;
/// Lines in one transaction while a journal is filled.
const BATCH: u64 = 8_192;

/// Lines that bring a store's log round: some times its 1,000 pages.
pub(crate) const WARM_LINES: u64 = 4_000;
/// The conversation they are in. Ids are in the order of time, and what was there before has smaller
/// ones: rows of the newest conversation are added at the end of a table.
const WARM: &str = "0-warm";

/// Each journal has a store of its own: a long conversation makes the whole database large.
pub(crate) struct Journal {
    pub(crate) store: RuntimeStore,
    pub(crate) id: ConversationId,
    next: u64,
    times: Vec<Duration>,
}

/// Appends to the journals in turns.
pub(crate) fn measure(folder: &Path) -> anyhow::Result<Value> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut journals = Vec::new();
        for length in LENGTHS {
            journals.push(Journal::filled(&folder.join(length.to_string()), length).await?);
        }
        for _ in 0..APPENDS {
            for journal in &mut journals {
                journal.append_one().await?;
            }
        }
        Ok(figures(&journals))
    })
}

fn figures(journals: &[Journal]) -> Value {
    let mut report = json!({ "ratio": 0, "appends": APPENDS });
    for (journal, length) in journals.iter().zip(LENGTHS) {
        report[format!("at{length}Us")] = json!(round(median_us(&journal.times)));
        report[format!("at{length}P95Us")] = json!(round(percentile_us(&journal.times, 0.95)));
    }
    if let [first, .., last] = journals {
        report["ratio"] = json!(round(median_us(&last.times) / median_us(&first.times)));
    }
    report
}

/// Appends to a journal and to a bare table in turns: the same lines, each in a transaction of
/// its own, with the same promise that it is on disk.
pub(crate) fn commits(folder: &Path) -> anyhow::Result<Value> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut journal = Journal::filled(&folder.join("store"), LENGTHS[0]).await?;
        let bare = BareLines::new(&folder.join("bare.db"))?;
        let mut times = Vec::new();
        for _ in 0..APPENDS * 2 {
            let line = said(journal.next)?;
            let began = Instant::now();
            bare.append_one(&line).await?;
            times.push(began.elapsed());
            journal.append_one().await?;
        }
        let (ours, theirs) = (median_us(&journal.times), median_us(&times));
        Ok(json!({
            "ratio": round(ours / theirs), "engineUs": round(ours), "bareUs": round(theirs),
            "engineP95Us": round(percentile_us(&journal.times, 0.95)),
            "bareP95Us": round(percentile_us(&times, 0.95)), "appends": times.len(),
        }))
    })
}

/// A table of lines and nothing else, with a thread that writes them as the store has one.
struct BareLines(mpsc::Sender<Handed>);

/// A line's number and text, and who waits for it.
type Handed = (u64, String, oneshot::Sender<rusqlite::Result<usize>>);

impl BareLines {
    fn new(file: &Path) -> anyhow::Result<Self> {
        let db = Connection::open(file)?;
        db.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;
             CREATE TABLE lines (conversation TEXT NOT NULL, seq INTEGER NOT NULL,
                 body TEXT NOT NULL, PRIMARY KEY (conversation, seq)) STRICT;",
        )?;
        db.execute_batch("BEGIN")?;
        for seq in 0..WARM_LINES {
            insert(&db, WARM, seq, &serde_json::to_string(&said(seq)?)?)?;
        }
        db.execute_batch("COMMIT")?;
        let (sender, lines) = mpsc::channel::<Handed>();
        std::thread::spawn(move || {
            for (seq, body, done) in lines {
                // Nobody waits any more when the benchmark was ended.
                _ = done.send(insert(&db, "bench", seq, &body));
            }
        });
        Ok(Self(sender))
    }

    async fn append_one(&self, line: &Line) -> anyhow::Result<()> {
        let (done, written) = oneshot::channel();
        self.0.send((line.seq, serde_json::to_string(line)?, done))?;
        written.await??;
        Ok(())
    }
}

fn insert(db: &Connection, conversation: &str, seq: u64, body: &str) -> rusqlite::Result<usize> {
    let mut insert = db.prepare_cached("INSERT INTO lines VALUES (?1, ?2, ?3)")?;
    insert.execute(params![conversation, i64::try_from(seq).unwrap_or(i64::MAX), body])
}

/// A conversation of `length` lines in the store.
async fn fill(store: &RuntimeStore, run: &str, length: u64) -> anyhow::Result<ConversationId> {
    let run = new_run(run)?;
    let id = run.conversation_id.clone();
    store.register_package(support::package_row(&run.package_id)).await?;
    store.create_run(run.clone(), &started(&run)?).await?;
    let mut next = 2;
    while next <= length {
        let until = (next + BATCH).min(length + 1);
        store.append_all(&id, (next..until).map(said).collect::<Result<_, _>>()?).await?;
        next = until;
    }
    Ok(id)
}

/// Writes so much into the store that its log has come round once. A log that still grows is
/// slower to flush than one that is written over, and a store in use has one of the latter.
pub(crate) async fn warm_up(store: &RuntimeStore) -> anyhow::Result<()> {
    fill(store, WARM, WARM_LINES).await.map(drop)
}

impl Journal {
    /// A store with one conversation of `length` lines.
    pub(crate) async fn filled(folder: &Path, length: u64) -> anyhow::Result<Self> {
        let store = RuntimeStore::open(folder)?;
        let id = fill(&store, "bench", length).await?;
        warm_up(&store).await?;
        Ok(Self { store, id, next: length + 1, times: Vec::new() })
    }

    async fn append_one(&mut self) -> anyhow::Result<()> {
        let line = said(self.next)?;
        let began = Instant::now();
        self.store.append(&self.id, &line).await?;
        self.times.push(began.elapsed());
        self.next += 1;
        Ok(())
    }
}

/// A run of that name.
pub(crate) fn new_run(run: &str) -> anyhow::Result<NewRun> {
    let run_id = RunId::new(run)?;
    Ok(NewRun {
        conversation_id: ConversationId::of_run(&run_id),
        run_id,
        project_id: "p1".parse()?,
        package_id: "mini-1.0.0-0123456789ab".parse()?,
        workflow_id: "mini".parse()?,
        agent_id: "ann".parse()?,
        title: "Mini".into(),
        created_at: Time::from_millis(1_763_769_600_000),
    })
}

/// Its first line.
pub(crate) fn started(run: &NewRun) -> anyhow::Result<Line> {
    line(
        1,
        &json!([{ "event": "run_started", "data": {
            "runId": run.run_id, "conversationId": run.conversation_id,
            "projectId": run.project_id, "packageId": run.package_id,
            "workflowId": run.workflow_id, "agentId": run.agent_id,
            "artifactsDir": "artifacts", "state": "---\n---\n" } }]),
    )
}

pub(crate) fn said(seq: u64) -> anyhow::Result<Line> {
    let text = format!("Message {seq}. {}", "A few plain words. ".repeat(16));
    let data = json!({ "messageId": format!("m{seq}"), "text": text, "forNodeId": null });
    line(seq, &json!([{ "event": "user_said", "data": data }]))
}

pub(crate) fn line(seq: u64, events: &Value) -> anyhow::Result<Line> {
    let at = Time::from_millis(1_763_769_600_000 + i64::try_from(seq)?);
    let line = json!({ "v": 1, "seq": seq, "at": at, "turn": 0, "events": events });
    Ok(serde_json::from_value(line)?)
}
