//! A long answer in small pieces: what they cost the processor, of the whole process with somebody
//! who watches, against a bare reader that parses them and does nothing else.

use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::Context as _;
use kernel::command::SessionCommand;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::server::Request;
use crate::stats::{median_us, processor_time, round};
use crate::turns;

/// Pieces of the answer, a word each.
const DELTAS: usize = 20_000;
/// How often each reads it, in turns.
const ROUNDS: usize = 5;

/// The argument that makes the benchmark a process in which the engine is answered so.
pub(crate) const PROBE_ENGINE: &str = "--probe-stream";
/// The argument that makes it the bare reader's process.
pub(crate) const PROBE_BARE: &str = "--probe-stream-bare";

/// Processor time of both.
pub(crate) fn measure(folder: &Path) -> anyhow::Result<Value> {
    let url = serve()?;
    let (mut engines, mut readers) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let folder = folder.join(round.to_string());
        std::fs::create_dir(&folder)?;
        engines.push(in_a_process(PROBE_ENGINE, &folder, &url)?);
        readers.push(in_a_process(PROBE_BARE, &folder, &url)?);
    }
    let (engine, bare) = (median_us(&engines), median_us(&readers));
    Ok(json!({
        "deltas": DELTAS, "ratio": round(engine / bare),
        "ms": round(engine / 1000.0), "bareMs": round(bare / 1000.0),
    }))
}

fn in_a_process(probe: &str, folder: &Path, url: &str) -> anyhow::Result<Duration> {
    let out = Command::new(std::env::current_exe()?)
        .args([probe, &folder.to_string_lossy(), url, ""])
        .output()?;
    anyhow::ensure!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let report: Value = serde_json::from_slice(&out.stdout)?;
    Ok(Duration::from_nanos(report["ns"].as_u64().context("no time came")?))
}

fn report(taken: Duration) -> anyhow::Result<Value> {
    Ok(json!({ "ns": u64::try_from(taken.as_nanos())? }))
}

/// A server whose first answer on a connection is short, and every later one long.
fn serve() -> anyhow::Result<String> {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    let port = listener.local_addr()?.port();
    std::thread::spawn(move || {
        for socket in listener.incoming().flatten() {
            // A connection that breaks shows as a client that fails.
            std::thread::spawn(move || answer_all(socket));
        }
    });
    Ok(format!("http://127.0.0.1:{port}/v1"))
}

fn answer_all(mut socket: TcpStream) -> Option<()> {
    socket.set_nodelay(true).ok()?;
    for deltas in [1, DELTAS].into_iter().chain(std::iter::repeat(DELTAS)) {
        Request::read(&mut socket)?;
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\
                    transfer-encoding: chunked\r\n\r\n";
        socket.write_all(head.as_bytes()).ok()?;
        for n in 0..deltas {
            let delta = json!({ "content": format!("word{n} ") });
            event(&mut socket, &json!([{ "index": 0, "delta": delta, "finish_reason": null }]))?;
        }
        event(&mut socket, &json!([{ "index": 0, "delta": {}, "finish_reason": "stop" }]))?;
        chunk(&mut socket, "data: [DONE]\n\n")?;
        socket.write_all(b"0\r\n\r\n").ok()?;
    }
    Some(())
}

pub(crate) fn event(socket: &mut TcpStream, choices: &Value) -> Option<()> {
    let event = json!({
        "id": "chatcmpl-bench", "object": "chat.completion.chunk", "created": 1_767_225_600,
        "model": "bench", "choices": choices,
    });
    chunk(socket, &format!("data: {event}\n\n"))
}

/// A piece of its own on the wire, as servers send them.
pub(crate) fn chunk(socket: &mut TcpStream, text: &str) -> Option<()> {
    socket.write_all(format!("{:x}\r\n{text}\r\n", text.len()).as_bytes()).ok()
}

/// What the engine's process does.
pub(crate) fn probe_engine(folder: &Path, url: &str, _: &str) -> anyhow::Result<Value> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let host = turns::open_host(folder, url, 1).await?;
        let id = turns::start(&host, folder).await?;
        let journal = turns::until_finished(&host, &id, 0).await?;
        turns::must_be_answered(&journal)?;
        let next = journal.last().context("no line came")?.next_seq();
        let mut frames = host.watch(&id).await?;
        let began = processor_time();
        let text = "Tell me all of it.".to_owned();
        host.submit(SessionCommand::Say { text }.to(id.clone())).await?;
        let watching = tokio::spawn(async move { while frames.recv().await.is_some() {} });
        let journal = turns::until_finished(&host, &id, next).await?;
        let taken = processor_time().saturating_sub(began);
        host.close().await;
        drop(host);
        turns::must_be_answered(&journal)?;
        watching.abort();
        report(taken)
    })
}

/// What is parsed of an event.
#[derive(Deserialize)]
struct Chunk {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    delta: Delta,
}

#[derive(Deserialize)]
struct Delta {
    #[serde(default)]
    content: String,
}

/// What the bare reader's process does.
pub(crate) fn probe_bare(_: &Path, url: &str, _: &str) -> anyhow::Result<Value> {
    drop(rustls::crypto::ring::default_provider().install_default());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let client = reqwest::Client::builder().no_proxy().build()?;
        let url = format!("{url}/chat/completions");
        anyhow::ensure!(read(&client, &url).await? == 1, "the first answer is short");
        let began = processor_time();
        let pieces = read(&client, &url).await?;
        anyhow::ensure!(pieces == DELTAS, "{pieces} pieces came");
        report(processor_time().saturating_sub(began))
    })
}

/// Reads an answer and counts its words.
async fn read(client: &reqwest::Client, url: &str) -> anyhow::Result<usize> {
    let body = json!({ "model": "bench", "stream": true, "messages": [] });
    let mut response = client.post(url).json(&body).send().await?.error_for_status()?;
    let (mut buffer, mut text) = (Vec::new(), String::new());
    while let Some(bytes) = response.chunk().await? {
        buffer.extend_from_slice(&bytes);
        let mut from = 0;
        while let Some(end) = buffer[from..].iter().position(|byte| *byte == b'\n') {
            let line = &buffer[from..from + end];
            from += end + 1;
            let Some(data) = line.strip_prefix(b"data: ").filter(|it| *it != b"[DONE]") else {
                continue;
            };
            let chunk: Chunk = serde_json::from_slice(data)?;
            chunk.choices.iter().for_each(|choice| text.push_str(&choice.delta.content));
        }
        buffer.drain(..from);
    }
    Ok(text.matches(' ').count())
}
