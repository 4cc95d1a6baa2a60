//! Opening a long conversation: time to its last page and memory, in a process of its own that
//! has done nothing else.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use host::host::{Host, HostOptions};
use host::store::RuntimeStore;
use kernel::command::{Command as Wish, Query, SearchQuery, SessionCommand};
use kernel::event::Line;
use kernel::ids::{ConversationId, PackageId, ProjectId};
use kernel::wire::{Answer, Frame};
use serde_json::{Value, json};

use crate::append::line;
use crate::stats::{median_us, round};
use crate::turns;

/// Messages of the conversation.
const MESSAGES: u64 = 100_000;
/// Lines in one transaction while it is made.
const BATCH: usize = 4_096;
/// How often it is opened.
const OPENINGS: usize = 25;
/// The argument that makes the benchmark a process that opens a conversation.
pub(crate) const PROBE: &str = "--probe-open";

/// Makes the conversation, then opens it in other processes.
pub(crate) fn measure(folder: &Path) -> anyhow::Result<Value> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let id = runtime.block_on(long_conversation(folder))?;
    drop(runtime);
    let first = in_a_process(folder, &id)?;
    let report = in_a_process(folder, &id)?;
    Ok(json!({
        "messages": MESSAGES, "ms": report["ms"], "pageMs": report["pageMs"],
        "items": report["items"], "grownMiB": report["grownMiB"],
        "workedOnGrownMiB": report["workedOnGrownMiB"],
        "withoutSnapshotsMs": first["firstMs"], "withoutSnapshotsGrownMiB": first["grownMiB"],
    }))
}

fn in_a_process(folder: &Path, id: &ConversationId) -> anyhow::Result<Value> {
    let out = Command::new(std::env::current_exe()?)
        .args([PROBE, &folder.to_string_lossy(), id.as_str()])
        .output()?;
    anyhow::ensure!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    Ok(serde_json::from_slice(&out.stdout)?)
}

/// A store with a project and a package in it, and the program on it.
pub(crate) struct Place {
    pub(crate) host: Arc<Host>,
    store: RuntimeStore,
    project: ProjectId,
    package: PackageId,
}

impl Place {
    pub(crate) async fn make(folder: &Path) -> anyhow::Result<Self> {
        let store = RuntimeStore::open(&folder.join("store"))?;
        let options = HostOptions::new(folder.join("store"), "cli");
        let host = Host::on(store.clone(), options).await?;
        let path = folder.join("project").to_string_lossy().into_owned();
        let opened = host.submit(Wish::OpenProject { path, create: true }).await?;
        let path = crate::mini_package().to_string_lossy().into_owned();
        let installed = host.submit(Wish::InstallPackage { path, content_hash: None }).await?;
        let project = opened.project_id.context("no project")?;
        let package = installed.package_id.context("no package")?;
        Ok(Self { host, store, project, package })
    }

    /// A run that begins with these words. There is no model: it rests at once, and has all that it
    /// needs on the disk. Also returns the number of its next line.
    pub(crate) async fn begin(&self, words: &str) -> anyhow::Result<(ConversationId, u64)> {
        let (project, package) = (self.project.clone(), self.package.clone());
        let id = turns::start_run(&self.host, project, package, words).await?;
        let begun = turns::until_finished(&self.host, &id, 0).await?;
        Ok((id, begun.last().context("no line came")?.next_seq()))
    }

    /// A conversation that goes on with these turns.
    pub(crate) async fn with_turns<const LINES: usize>(
        &self,
        words: &str,
        turns: impl Iterator<Item = [Value; LINES]>,
    ) -> anyhow::Result<ConversationId> {
        let (id, mut next) = self.begin(words).await?;
        let mut lines: Vec<Line> = Vec::new();
        for turn in turns {
            for events in turn {
                let line = line(next, &events)?;
                next = line.next_seq();
                lines.push(line);
            }
            if lines.len() >= BATCH {
                self.store.append_all(&id, std::mem::take(&mut lines)).await?;
            }
        }
        self.store.append_all(&id, lines).await?;
        Ok(id)
    }

    /// A conversation with so many messages.
    pub(crate) async fn long(&self, words: &str, messages: u64) -> anyhow::Result<ConversationId> {
        self.with_turns(words, (0..messages / 4).map(turn_of)).await
    }

    /// Ends the program when the search index, which follows in the background and takes memory of
    /// its own meanwhile, knows all.
    pub(crate) async fn close(self) -> anyhow::Result<()> {
        let question = SearchQuery { text: "plain".into(), ..SearchQuery::default() };
        while self.store.search(question.clone()).await?.unindexed > 0 {}
        self.host.close().await;
        Ok(())
    }
}

async fn long_conversation(folder: &Path) -> anyhow::Result<ConversationId> {
    let place = Place::make(folder).await?;
    let id = place.long(turns::NOTES, MESSAGES).await?;
    place.close().await?;
    Ok(id)
}

/// The lines of a turn: the person asks, the model reads a file and answers. Four messages.
pub(crate) fn turn_of(turn: u64) -> [Value; 4] {
    let words = "A few plain words, as they are said in a long conversation. ".repeat(6);
    turn_with(turn, &words)
}

/// What the model answers to the request of this number.
fn reply(id: &str, request: u64, text: &str, calls: &Value) -> Value {
    json!({ "event": "model_replied", "data": {
        "messageId": id, "request": request, "requestSha256": "",
        "reply": { "text": text, "calls": calls, "finish": "stop",
                   "usage": { "promptTokens": 900, "completionTokens": 40, "estimated": false } },
        "durationMs": 800, "agentId": "ann" } })
}

/// The lines of a turn in which the model answers at once.
pub(crate) fn answered(turn: u64, text: &str) -> [Value; 2] {
    [
        json!([{ "event": "user_said", "data": {
            "messageId": format!("u{turn}"), "text": "Go on.", "forNodeId": "ask" } }]),
        json!([reply(&format!("r{turn}"), turn + 1, text, &json!([])), { "event": "turn_finished",
            "data": { "phase": "waiting-user", "reason": "answered" } }]),
    ]
}

/// The same with these words as all its texts.
pub(crate) fn turn_with(turn: u64, words: &str) -> [Value; 4] {
    let reply = |n: u64, text: &str, calls: Value| {
        reply(&format!("r{n}-{turn}"), turn * 2 + n, text, &calls)
    };
    let call = json!([{ "id": format!("c{turn}"), "name": "fs_read",
                        "arguments": "{\"path\":\"@project/notes.md\"}" }]);
    let result = json!({ "ok": true, "path": "@project/notes.md", "content": words });
    [
        json!([{ "event": "user_said", "data": {
            "messageId": format!("u{turn}"), "text": words, "forNodeId": "ask" } }]),
        json!([reply(1, "", call)]),
        json!([{ "event": "call_ended", "data": {
            "callId": format!("c{turn}"), "messageId": format!("t{turn}"), "tool": "fs.read",
            "ok": true, "result": result, "fullOutput": null, "durationMs": 2, "facts": [] } }]),
        json!([reply(2, words, json!([])), { "event": "turn_finished", "data": {
            "phase": "waiting-user", "reason": "answered" } }]),
    ]
}

/// Opens the conversation some times and says how long that took and how much memory it needed.
pub(crate) fn probe(folder: &Path, id: &str) -> anyhow::Result<Value> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let id = id.parse::<ConversationId>()?;
        let host = Host::open(HostOptions::new(folder.join("store"), "cli")).await?;
        let before = peak_mib();
        let (first, _) = open(&host, &id).await?;
        let grown = peak_mib().zip(before).map(|(now, before)| round(now - before));
        let mut times = Vec::new();
        let mut last = (0, None);
        for _ in 0..OPENINGS {
            let (time, page) = open(&host, &id).await?;
            times.push(time);
            last = page;
        }
        let mut page_times = Vec::new();
        let mut earlier = last.1;
        for _ in 0..OPENINGS {
            let Some(before) = earlier else { break };
            let began = Instant::now();
            let query = Query::Items { conversation_id: id.clone(), before };
            let Answer::Items(page) = host.query(query).await? else { break };
            page_times.push(began.elapsed());
            earlier = page.earlier;
        }
        let ms = |times: &[Duration]| round(median_us(times) / 1000.0);
        // There is no model: the turn ends at once, and the conversation stays open.
        let text = "Go on.".to_owned();
        host.submit(SessionCommand::Say { text }.to(id.clone())).await?;
        let worked_on = peak_mib().zip(before).map(|(now, before)| round(now - before));
        host.close().await;
        Ok(json!({
            "ms": ms(&times), "firstMs": ms(&[first]), "pageMs": ms(&page_times),
            "items": last.0, "grownMiB": grown, "workedOnGrownMiB": worked_on,
        }))
    })
}

/// Items of the page, and where the page before it ends.
type Shown = (usize, Option<u64>);

async fn open(host: &Arc<Host>, id: &ConversationId) -> anyhow::Result<(Duration, Shown)> {
    let began = Instant::now();
    let mut frames = host.watch(id).await?;
    let Some(Frame::Snapshot { items, earlier, status }) = frames.recv().await else {
        anyhow::bail!("no page came");
    };
    let time = began.elapsed();
    anyhow::ensure!(status.run.is_some() && !items.is_empty(), "an empty page came");
    Ok((time, (items.len(), earlier)))
}

/// The most memory this process ever had, where the system tells.
pub(crate) fn peak_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024.0)
}
