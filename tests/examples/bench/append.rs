//! Append to journals of different lengths: must not depend on the length (spec 08).

use std::path::Path;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use host::store::{NewRun, RuntimeStore};
use kernel::event::Line;
use kernel::ids::{ConversationId, RunId};
use kernel::time::Time;
use serde_json::{Value, json};

use crate::stats::{median_us, percentile_us, round};

/// Lines in the journals.
const LENGTHS: [u64; 4] = [100, 1_000, 10_000, 100_000];
/// Appends to each.
const APPENDS: usize = 400;
/// Lines waiting for one commit while a journal is filled.
const BATCH: u64 = 256;

/// Lines that bring a store's log round: some times its 1,000 pages.
pub(crate) const WARM_LINES: u64 = 4_000;

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

/// A conversation of `length` lines in the store.
async fn fill(store: &RuntimeStore, run: &str, length: u64) -> anyhow::Result<ConversationId> {
    let run = new_run(run)?;
    let id = run.conversation_id.clone();
    store.create_run(run.clone(), &started(&run)?).await?;
    let mut next = 2;
    while next <= length {
        let until = (next + BATCH).min(length + 1);
        let lines = (next..until).map(said).collect::<Result<Vec<_>, _>>()?;
        for done in join_all(lines.iter().map(|line| store.append(&id, line))).await {
            done?;
        }
        next = until;
    }
    Ok(id)
}

/// Writes so much into the store that its log has come round once. A log that still grows is
/// slower to flush than one that is written over, and a store in use has one of the latter.
pub(crate) async fn warm_up(store: &RuntimeStore) -> anyhow::Result<()> {
    fill(store, "warm", WARM_LINES).await.map(drop)
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
        &json!({ "event": "run_started", "data": {
            "runId": run.run_id, "conversationId": run.conversation_id,
            "projectId": run.project_id, "packageId": run.package_id,
            "workflowId": run.workflow_id, "agentId": run.agent_id,
            "artifactsDir": "artifacts", "state": "---\n---\n" } }),
    )
}

fn said(seq: u64) -> anyhow::Result<Line> {
    let text = format!("Message {seq}. {}", "A few plain words. ".repeat(16));
    let data = json!({ "messageId": format!("m{seq}"), "text": text, "forNodeId": null });
    line(seq, &json!({ "event": "user_said", "data": data }))
}

fn line(seq: u64, event: &Value) -> anyhow::Result<Line> {
    let at = Time::from_millis(1_763_769_600_000 + i64::try_from(seq)?);
    let line = json!({ "v": 1, "seq": seq, "at": at, "turn": 0, "events": [event] });
    Ok(serde_json::from_value(line)?)
}
