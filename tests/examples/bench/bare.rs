//! The bare loop: what the engine is measured against. The same requests with the same client
//! library, the same number of durable transactions in an SQLite database of the same manner, the
//! same flushes of files, and nothing else.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::append;
use crate::script::{self, Kind, Script};
use crate::stats::processor_time;

/// The loop's disk.
struct Bare {
    script: Script,
    db: Connection,
    project: PathBuf,
    /// What the files held before they were written.
    kept: PathBuf,
    state: PathBuf,
    commits: u64,
}

/// A loop that has ended.
pub(crate) struct Looped {
    /// Transactions it made durable.
    pub(crate) commits: u64,
    /// What this process had the processor do meanwhile.
    pub(crate) processor: Duration,
}

/// Asks `base_url` until an answer has no call. `seed` is the first request's body.
pub(crate) fn run(
    folder: &Path,
    base_url: &str,
    script: Script,
    seed: Value,
) -> anyhow::Result<Looped> {
    // A host in the same process has done so already.
    drop(rustls::crypto::ring::default_provider().install_default());
    let mut bare = Bare::new(folder, script)?;
    let began = processor_time();
    // As a program without an engine would be written: one thread, everything in order.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(bare.talk(&format!("{base_url}/chat/completions"), seed))?;
    Ok(Looped { commits: bare.commits, processor: processor_time().saturating_sub(began) })
}

impl Bare {
    fn new(folder: &Path, script: Script) -> anyhow::Result<Self> {
        let db = Connection::open(folder.join("bare.db"))?;
        db.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
             CREATE TABLE lines (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;",
        )?;
        warm_up(&db)?;
        let project = folder.join("project");
        make_files(&project)?;
        let kept = folder.join("kept");
        fs::create_dir_all(&kept)?;
        let state = folder.join("workflow.md");
        fs::write(&state, "")?;
        Ok(Self { script, db, project, kept, state, commits: 0 })
    }

    async fn talk(&mut self, url: &str, mut body: Value) -> anyhow::Result<()> {
        let client = reqwest::Client::builder().no_proxy().build()?;
        for turn in 0.. {
            let response = client.post(url).json(&body).send().await?.error_for_status()?;
            let answer = response.text().await?;
            let call = call_of(&answer)?;
            self.commit(&answer)?;
            let Some(call) = call else { return Ok(()) };
            let result = self.act(turn, &call)?;
            let id = call["id"].clone();
            let messages = body["messages"].as_array_mut().context("the seed has no messages")?;
            messages.push(json!({ "role": "assistant", "content": null, "tool_calls": [call] }));
            messages.push(json!({ "role": "tool", "content": result, "tool_call_id": id }));
        }
        Ok(())
    }

    /// Does what the turn's call says. The result is as long as the engine's is.
    fn act(&mut self, turn: usize, call: &Value) -> anyhow::Result<String> {
        let arguments = call["function"]["arguments"].as_str().context("no arguments")?;
        let arguments: Value = serde_json::from_str(arguments)?;
        let hash = "0".repeat(64);
        let path = &arguments["path"];
        let result = match self.script.kind(turn) {
            Kind::Read => {
                let text = fs::read_to_string(self.project.join(self.script.file(turn)))?;
                json!({ "ok": true, "path": path, "sha256": hash, "totalLines": 3, "startLine": 1,
                        "endLine": 3, "truncated": false, "content": text })
            }
            Kind::Write => {
                let content = arguments["content"].as_str().context("no content")?;
                let path = self.project.join(self.script.file(turn));
                // So that the write can be undone, as the engine's can.
                replace(&self.kept.join(turn.to_string()), &fs::read_to_string(&path)?)?;
                self.commit("began")?;
                replace(&path, content)?;
                json!({ "ok": true, "path": path, "bytesWritten": content.len(),
                        "sha256Before": hash, "sha256After": hash,
                        "diffstat": { "added": 1, "removed": 1 } })
            }
            Kind::Patch => {
                replace(&self.state, &script::content(turn))?;
                json!({ "ok": true, "path": path, "sha256Before": hash, "sha256After": hash,
                        "currentNodeId": "ask", "complete": false })
            }
        };
        let result = result.to_string();
        self.commit(&result)?;
        Ok(result)
    }

    fn commit(&mut self, body: &str) -> anyhow::Result<()> {
        self.db.prepare_cached("INSERT INTO lines (body) VALUES (?1)")?.execute([body])?;
        self.commits += 1;
        Ok(())
    }
}

/// As [`append::warm_up`] for the engine's store.
fn warm_up(db: &Connection) -> anyhow::Result<()> {
    let body = "A few plain words. ".repeat(120);
    for _ in 0..append::WARM_LINES / 100 {
        db.execute_batch("BEGIN")?;
        for _ in 0..100 {
            db.execute("INSERT INTO lines (body) VALUES (?1)", [&body])?;
        }
        db.execute_batch("COMMIT")?;
    }
    let pages: i64 = db.query_row("PRAGMA page_count", [], |row| row.get(0))?;
    // More than the 1,000 pages after which SQLite brings the log round.
    anyhow::ensure!(pages > 1_500, "the bare loop's log has not come round: {pages} pages");
    Ok(())
}

/// The call of a streamed answer, when it has one.
fn call_of(answer: &str) -> anyhow::Result<Option<Value>> {
    let mut call = None;
    for data in answer.lines().filter_map(|line| line.strip_prefix("data: ")) {
        if data == "[DONE]" {
            break;
        }
        let mut event: Value = serde_json::from_str(data)?;
        if let Some(found) = event.pointer_mut("/choices/0/delta/tool_calls/0") {
            call = Some(found.take());
        }
    }
    if let Some(call) = call.as_mut().and_then(Value::as_object_mut) {
        call.shift_remove("index");
    }
    Ok(call)
}

/// The files that are read and overwritten.
pub(crate) fn make_files(project: &Path) -> anyhow::Result<()> {
    for folder in ["given", "made"] {
        fs::create_dir_all(project.join(folder))?;
        for n in 0..script::FILES {
            let path = project.join(folder).join(format!("note-{n}.md"));
            fs::write(path, script::content(n))?;
        }
    }
    Ok(())
}

/// A temporary file, flushed, renamed, the folder flushed.
fn replace(path: &Path, content: &str) -> anyhow::Result<()> {
    let folder = path.parent().context("a file lies in a folder")?;
    let temp = path.with_extension("tmp");
    let mut file = File::create(&temp)?;
    file.write_all(content.as_bytes())?;
    file.sync_all()?;
    drop(file);
    fs::rename(&temp, path)?;
    File::open(folder)?.sync_all()?;
    Ok(())
}

/// How long one flush of a small file takes here: what the turns are mostly made of.
pub(crate) fn flush_times(folder: &Path) -> anyhow::Result<Vec<Duration>> {
    let mut file = File::create(folder.join("flush"))?;
    let mut times = Vec::new();
    for _ in 0..100 {
        file.write_all(&[0; 512])?;
        let began = std::time::Instant::now();
        file.sync_data()?;
        times.push(began.elapsed());
    }
    Ok(times)
}
