//! Servers that answer with as much as they can, at the real program: what it takes of them is
//! little, and it says what it did not take.

use rstest::rstest;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use super::measured::{MOST_KIB, measured};
use support::program::Sandbox;

/// How an answer goes on behind its events.
pub(super) enum Then {
    /// It ends.
    Done,
    /// Nothing more comes, and the connection stays.
    Nothing,
    /// Such a line comes again and again.
    Again(&'static str),
}

/// Answers the n-th chat with what is made for it, without end.
pub(super) struct Flood {
    address: SocketAddr,
    /// Says the number of each chat when it is asked.
    pub(super) asked: Receiver<usize>,
}

impl Flood {
    pub(super) fn of(
        answers: impl Fn(usize) -> (Vec<Value>, Then) + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let (says, asked) = channel();
        let (answers, count) = (Arc::new(answers), Arc::new(AtomicUsize::new(0)));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (answers, count, says) = (answers.clone(), count.clone(), says.clone());
                // Who is not listened to any more has hung up.
                std::thread::spawn(move || _ = answer(stream, &*answers, &count, &says));
            }
        });
        Self { address, asked }
    }

    pub(super) fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }
}

/// Requests of one connection, each with a body of a told length.
fn answer(
    stream: TcpStream,
    answers: &impl Fn(usize) -> (Vec<Value>, Then),
    count: &AtomicUsize,
    says: &Sender<usize>,
) -> std::io::Result<()> {
    let mut requests = BufReader::new(stream.try_clone()?);
    let mut out = stream;
    loop {
        let (mut line, mut chat, mut length) = (String::new(), false, 0);
        while line != "\r\n" {
            line.clear();
            if requests.read_line(&mut line)? == 0 {
                return Ok(());
            }
            chat |= line.starts_with("POST") && line.contains("/chat/completions");
            let told = line.to_ascii_lowercase();
            if let Some(told) = told.strip_prefix("content-length:") {
                length = told.trim().parse().unwrap_or_default();
            }
        }
        std::io::copy(&mut requests.by_ref().take(length), &mut std::io::sink())?;
        if !chat {
            out.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")?;
            continue;
        }
        let head =
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
        out.write_all(head.as_bytes())?;
        let number = count.fetch_add(1, Ordering::Relaxed);
        let (events, then) = answers(number);
        for event in events {
            out.write_all(format!("data: {event}\n\n").as_bytes())?;
        }
        _ = says.send(number);
        match then {
            Then::Done => return out.write_all(b"data: [DONE]\n\n"),
            // Until the other side hangs up.
            Then::Nothing => return requests.read_line(&mut String::new()).map(|_| ()),
            Then::Again(line) => loop {
                out.write_all(line.as_bytes())?;
                // Slowly, so that it is not too long before somebody has enough of it.
                std::thread::sleep(Duration::from_millis(20));
            },
        }
    }
}

pub(super) fn delta(delta: &Value) -> Value {
    json!({ "choices": [{ "index": 0, "delta": delta }] })
}

pub(super) fn call(index: usize, id: &str, name: &str, arguments: &str) -> Value {
    let function = json!({ "name": name, "arguments": arguments });
    delta(&json!({ "tool_calls": [{ "index": index, "id": id, "function": function }] }))
}

pub(super) fn finish() -> Value {
    json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "tool_calls" }] })
}

const MIB: usize = 1024 * 1024;

/// Replies that are as long as they may be, one of which asks for the next.
fn longest(kind: &str, n: usize) -> Vec<Value> {
    if kind == "results" && n == 3 {
        return vec![delta(&json!({ "content": "Enough." })), finish()];
    }
    let list = json!({ "path": "@project", "n": n }).to_string();
    let mut events = match kind {
        "text" => vec![delta(&json!({ "content": "x".repeat(MIB - 100) }))],
        "text of escapes" => vec![delta(&json!({ "content": "\u{1}".repeat(MIB - 100) }))],
        "thinking" => vec![delta(&json!({ "reasoning_content": "y".repeat(MIB - 100) }))],
        "arguments" => {
            let text = json!({ "path": format!("@pkg/{n}"), "content": "z".repeat(900_000) });
            let write = |k| call(k, &format!("w{n}-{k}"), "fs_write", &text.to_string());
            (0..4).map(write).collect()
        }
        "results" => {
            // Every byte of it takes six in JSON.
            let text = json!({ "path": "@project/large.txt" }).to_string();
            (0..63).map(|k| call(k, &format!("r{n}-{k}"), "fs_read", &text)).collect()
        }
        "everything too long" => vec![delta(&json!({ "content": "x".repeat(7 * MIB) }))],
        _ => unreachable!("{kind}"),
    };
    events.push(call(63, &format!("l{n}"), "fs_list", &list));
    events.push(finish());
    events
}

#[test]
fn words_that_no_request_holds_are_refused_and_the_conversation_goes_on() {
    let sandbox = Sandbox::new();
    let hello = |_| (vec![delta(&json!({ "content": "Hello." })), finish()], Then::Done);
    let base_url = Flood::of(hello).base_url();
    let model = ["--base-url", &base_url, "--model", "m", "--json"];
    let run = |args: &[&str]| sandbox.run(&[args, &model[..]].concat());
    run(&["run", "hello-linear"]).exits(3);
    let long = sandbox.write("long", json!(["x".repeat(MIB + 1)]).to_string());
    for (lang, words) in [("en", "longer than 1 MiB"), ("zh", "超过 1 MiB")] {
        let resume = ["runs", "resume", &sandbox.run_id(), "--answers", &long, "--lang", lang];
        let refused = run(&resume);
        assert!(refused.stderr.contains(words) || refused.stdout.contains(words), "{lang}");
    }
    let most = sandbox.write("most", json!(["x".repeat(MIB)]).to_string());
    let resume = ["runs", "resume", &sandbox.run_id(), "--answers", &most];
    assert_eq!(run(&resume).exits(3).finish()["phase"], "waiting-user");
}

#[rstest]
#[case("text")]
#[case("text of escapes")]
#[case("thinking")]
#[case("arguments")]
#[case("results")]
#[case("everything too long")]
fn replies_as_long_as_they_may_be_take_little_memory(#[case] kind: &'static str) {
    let sandbox = Sandbox::new();
    sandbox.write("project/large.txt", "\u{1}\u{2}\u{3}\n".repeat(130_000));
    let server = Flood::of(move |n| (longest(kind, n), Then::Done));
    let base_url = server.base_url();
    let args = ["run", "hello-linear", "--base-url", &base_url, "--model", "m", "--json"];
    let seen = measured(&sandbox, &args);
    let last: Value = serde_json::from_str(seen.stdout.lines().last().unwrap()).unwrap();
    assert_eq!(last["event"], "turn_finished", "{kind}: {last} {}", seen.stderr);
    let peak = seen.peak_kib.unwrap_or_default();
    assert!(peak <= MOST_KIB, "{kind}: {peak} KiB");
    // What was said is still there for those who look.
    for args in [&["runs", "show", &sandbox.run_id(), "--json"][..], &["runs", "list", "--json"]] {
        let seen = measured(&sandbox, args);
        assert!(seen.status.success(), "{kind}: {}", seen.stderr);
        let peak = seen.peak_kib.unwrap_or_default();
        assert!(peak <= MOST_KIB, "{kind}: {args:?} {peak} KiB");
    }
}
