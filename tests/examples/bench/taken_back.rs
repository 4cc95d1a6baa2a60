//! Going back over 1,000 files that a run changed, against copying as many of the same size to the
//! same disk, each made durable.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use anyhow::Context as _;
use host::host::Host;
use kernel::command::{Query, SessionCommand};
use kernel::event::Event;
use kernel::ids::{ConversationId, NodeId};
use kernel::tool::rewind::RewindTarget;
use kernel::wire::Answer;
use serde_json::{Value, json};
use support::program::Server;

use crate::stats::round;
use crate::turns;

/// Files that go back.
const FILES: usize = 1_000;
/// Calls in one reply of the model.
const CALLS: usize = 50;
/// Bytes of a file.
const BYTES: usize = 3 << 10;
/// The step where the run of the package begins.
const TARGET: &str = "ask";

/// A run that changes the files and is taken back to its first step.
pub(crate) fn measure(folder: &Path) -> anyhow::Result<Value> {
    let project = folder.join("engine-project");
    fs::create_dir_all(project.join("notes"))?;
    for n in 0..FILES {
        fs::write(project.join(name(n)), content(n))?;
    }
    let server = Server::saying(&replies());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (ms, preview_ms) = runtime.block_on(async {
        let host = turns::open_host(folder, &server.base_url(), FILES).await?;
        let id = turns::start(&host, folder).await?;
        let journal = turns::until_finished(&host, &id, 0).await?;
        let refused = journal.iter().flat_map(|line| &line.events).find_map(|event| match event {
            Event::CallEnded(ended) if !ended.ok => Some(ended.result.to_string()),
            _ => None,
        });
        anyhow::ensure!(refused.is_none(), "a call was refused: {}", refused.unwrap_or_default());
        turns::must_be_answered(&journal)?;
        let times = go_back(&host, &id).await?;
        host.close().await;
        anyhow::Ok(times)
    })?;
    for n in 0..FILES {
        let text = fs::read_to_string(project.join(name(n)))?;
        anyhow::ensure!(text == content(n), "{} did not come back", name(n));
    }
    let copy_ms = copied(&project, &folder.join("copies"))?;
    Ok(json!({
        "files": FILES, "ms": round(ms), "previewMs": round(preview_ms), "copyMs": round(copy_ms),
        "ratio": round(ms / copy_ms),
    }))
}

/// From the command until the journal says that the files are back.
async fn go_back(host: &Host, id: &ConversationId) -> anyhow::Result<(f64, f64)> {
    let target = RewindTarget::of(NodeId::new(TARGET)?);
    let began = Instant::now();
    let query = Query::RewindPreview { conversation_id: id.clone(), target: target.clone() };
    let Answer::RewindPreview(preview) = host.query(query).await? else {
        anyhow::bail!("another answer");
    };
    let preview_ms = began.elapsed().as_secs_f64() * 1000.0;
    let mut lines = host.follow(id, 0).await?;
    let command = SessionCommand::Rewind { target, reason: None, seen: preview.seen };
    let began = Instant::now();
    host.submit(command.to(id.clone())).await?;
    while let Some(line) = lines.recv().await.transpose()? {
        if line.events.iter().any(|event| matches!(event, Event::RewindEnded(_))) {
            return Ok((began.elapsed().as_secs_f64() * 1000.0, preview_ms));
        }
    }
    anyhow::bail!("the run did not go back")
}

fn replies() -> Vec<Value> {
    let call = |n: usize| {
        let path = format!("@project/{}", name(n));
        let arguments = json!({ "path": path, "content": "A new end.\n", "mode": "append" });
        json!({ "name": "fs_write", "arguments": arguments })
    };
    let reply = |from: usize| {
        let calls: Vec<Value> = (from..FILES.min(from + CALLS)).map(call).collect();
        json!({ "text": "", "calls": calls })
    };
    let mut replies: Vec<Value> = (0..FILES).step_by(CALLS).map(reply).collect();
    replies.extend([json!({ "text": "Is that well?" }), json!({ "text": "Good." })]);
    replies
}

fn name(n: usize) -> String {
    format!("notes/note-{n:04}.md")
}

fn content(n: usize) -> String {
    let line = format!("What note {n} says before the change.\n");
    line.repeat(BYTES / line.len())
}

/// Each file read, written beside its name, flushed and renamed, as any program does that means to
/// keep what it writes.
fn copied(from: &Path, to: &Path) -> anyhow::Result<f64> {
    fs::create_dir_all(to.join("notes"))?;
    let began = Instant::now();
    for n in 0..FILES {
        let bytes = fs::read(from.join(name(n)))?;
        let target = to.join(name(n));
        let beside = target.with_extension("tmp");
        let mut file = File::create(&beside)?;
        file.write_all(&bytes)?;
        file.sync_all()?;
        fs::rename(&beside, &target)?;
        File::open(target.parent().context("a folder")?)?.sync_all()?;
    }
    Ok(began.elapsed().as_secs_f64() * 1000.0)
}
