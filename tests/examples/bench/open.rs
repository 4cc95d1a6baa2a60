//! Opening a long conversation: time to its last page and memory, in a process of its own that
//! has done nothing else.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use host::host::{Host, HostOptions};
use host::store::{NewRun, RuntimeStore};
use kernel::command::{Command as Wish, Query};
use kernel::event::Line;
use kernel::ids::{ConversationId, PackageId, ProjectId};
use kernel::wire::{Answer, Frame};
use serde_json::{Value, json};

use crate::append::{line, new_run};
use crate::stats::{median_us, round};

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
        "items": report["items"], "grownKiB": report["grownKiB"],
        "withoutSnapshotsMs": first["firstMs"], "withoutSnapshotsGrownKiB": first["grownKiB"],
    }))
}

fn in_a_process(folder: &Path, id: &ConversationId) -> anyhow::Result<Value> {
    let out = Command::new(std::env::current_exe()?)
        .args([PROBE, &folder.to_string_lossy(), id.as_str()])
        .output()?;
    anyhow::ensure!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    Ok(serde_json::from_slice(&out.stdout)?)
}

async fn long_conversation(folder: &Path) -> anyhow::Result<ConversationId> {
    let store = RuntimeStore::open(&folder.join("store"))?;
    let options = HostOptions::new(folder.join("store"), "cli");
    let host = Host::on(store.clone(), options).await?;
    let path = folder.join("project").to_string_lossy().into_owned();
    let opened = host.submit(Wish::OpenProject { path, create: true }).await?;
    let path = crate::mini_package().to_string_lossy().into_owned();
    let installed = host.submit(Wish::InstallPackage { path, content_hash: None }).await?;
    let run = a_run(
        opened.project_id.context("no project")?,
        installed.package_id.context("no package")?,
    )?;
    let id = run.conversation_id.clone();
    store.create_run(run.clone(), &started(&run)?).await?;
    let mut lines: Vec<Line> = Vec::new();
    let mut next = 3;
    for turn in 0..MESSAGES / 4 {
        for events in turn_of(turn) {
            let line = line(next, &events)?;
            next = line.next_seq();
            lines.push(line);
        }
        if lines.len() >= BATCH {
            store.append_all(&id, std::mem::take(&mut lines)).await?;
        }
    }
    store.append_all(&id, lines).await?;
    host.close().await;
    Ok(id)
}

fn a_run(project_id: ProjectId, package_id: PackageId) -> anyhow::Result<NewRun> {
    Ok(NewRun { project_id, package_id, ..new_run("long")? })
}

const STATE: &str = "---\nrunId: long\nworkflowRef: mini\nactiveAgentId: ann\ncurrentNodeId: ''\n\
     stepsCompleted: []\nvariables: {}\ndecisionLog: []\nartifacts: []\n---\n\n# Mini\n";

fn started(run: &NewRun) -> anyhow::Result<Line> {
    let sha256 = kernel::text::sha256_hex(STATE.as_bytes());
    line(
        1,
        &json!([{ "event": "run_started", "data": {
            "runId": run.run_id, "conversationId": run.conversation_id,
            "projectId": run.project_id, "packageId": run.package_id,
            "workflowId": run.workflow_id, "agentId": run.agent_id,
            "artifactsDir": "artifacts", "state": STATE } },
            { "event": "state_mirrored", "data": { "sha256": sha256 } }]),
    )
}

/// The lines of a turn: the person asks, the model reads a file and answers. Four messages.
pub(crate) fn turn_of(turn: u64) -> [Value; 4] {
    let words = "A few plain words, as they are said in a long conversation. ".repeat(6);
    let reply = |n: u64, text: &str, calls: Value| {
        json!({ "event": "model_replied", "data": {
            "messageId": format!("r{n}-{turn}"), "request": turn * 2 + n, "requestSha256": "",
            "reply": { "text": text, "calls": calls, "finish": "stop",
                       "usage": { "promptTokens": 900, "completionTokens": 40, "estimated": false } },
            "durationMs": 800, "agentId": "ann" } })
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
        json!([reply(2, &words, json!([])), { "event": "turn_finished", "data": {
            "phase": "waiting-user", "reason": "answered" } }]),
    ]
}

/// Opens the conversation some times and says how long that took and how much memory it needed.
pub(crate) fn probe(folder: &Path, id: &str) -> anyhow::Result<Value> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let id = id.parse::<ConversationId>()?;
        let host = Host::open(HostOptions::new(folder.join("store"), "cli")).await?;
        let before = peak_kib();
        let (first, _) = open(&host, &id).await?;
        let grown = peak_kib().zip(before).map(|(now, before)| now - before);
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
        host.close().await;
        Ok(json!({
            "ms": ms(&times), "firstMs": ms(&[first]), "pageMs": ms(&page_times),
            "items": last.0, "grownKiB": grown,
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
fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
