//! Garbage, floods and lines without an end.

use serde_json::json;
use std::io::{self, Write};
use std::thread::sleep;
use std::time::Duration;

use crate::results;
use crate::server::{Request, Server};

const MIB: u64 = 1024 * 1024;

/// Three lines that are no JSON.
pub(crate) fn garbage(server: &Server) {
    server.line(b"Starting up...");
    server.line(b"{\"jsonrpc\": \"2.0\", \"id\": ");
    server.line(b"\x1b[32mready\x1b[0m <html>");
}

/// Nothing that is ever written is JSON: a line for every line that is read.
pub(crate) fn only_garbage(server: &Server) {
    garbage(server);
    for _ in io::stdin().lines() {
        server.line(b"I do not understand you.");
    }
    server.leave()
}

/// The answer to the call begins, and goes on for ever.
pub(crate) fn endless_line(server: &Server, request: &Request) {
    let id = &request.id;
    let content = r#"{"content":[{"type":"text","text":""#;
    server.write(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{content}"#).as_bytes());
    let more = vec![b'a'; 64 * 1024];
    loop {
        server.write(&more);
    }
}

pub(crate) fn notification_flood(server: &Server, request: &Request) {
    flood(server, request, |n| {
        let data = format!("Message {n} of a server that has much to say.");
        server.notify("notifications/message", &json!({ "level": "info", "data": data }));
    });
}

pub(crate) fn progress_flood(server: &Server, request: &Request) {
    flood(server, request, |n| progress(server, request, n));
}

/// Tells something again and again until the call is cancelled. With the option it does so that
/// many times, and then answers the call.
fn flood(server: &Server, request: &Request, tell: impl Fn(u64)) {
    for n in 1..=server.number().unwrap_or(u64::MAX) {
        if server.is_cancelled(&request.id) {
            return;
        }
        tell(n);
    }
    results::answer(server, request);
}

pub(crate) fn progress_without_end(server: &Server, request: &Request) {
    for n in 1.. {
        if server.is_cancelled(&request.id) {
            return;
        }
        progress(server, request, n);
        sleep(Duration::from_millis(50));
    }
}

fn progress(server: &Server, request: &Request, n: u64) {
    let token = request.progress_token();
    let params = json!({ "progressToken": token, "progress": n, "message": format!("step {n}") });
    server.notify("notifications/progress", &params);
}

/// More than a pipe holds, before anything is read.
pub(crate) fn stderr_drops(_: &Server) {
    write_to_stderr(MIB);
}

/// The call is answered after all of it, which somebody has to read.
pub(crate) fn stderr_flood(server: &Server, request: &Request) {
    write_to_stderr(server.number().unwrap_or(100) * MIB);
    results::answer(server, request);
}

/// Lines, each of 64 bytes, and at the end one of 64 KiB.
fn write_to_stderr(bytes: u64) {
    let line = format!("{:.<63}\n", "WARN this server has much to say about itself ");
    let block = line.repeat(1024);
    let mut err = io::stderr().lock();
    for _ in 0..bytes / 65_536 {
        // Where nobody reads it, that is all the same.
        _ = err.write_all(block.as_bytes());
    }
    _ = err.write_all(format!("{:.<65535}\n", "A long line ").as_bytes());
}
