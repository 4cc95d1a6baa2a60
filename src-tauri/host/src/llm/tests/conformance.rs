//! What real servers send and how real connections end, byte by byte, with what has to come of it:
//! the exact reply or the exact error code, and how often the server is asked.
//!
//! [`super::Fault`] holds what a good server can be told to do wrong. Here the server is a socket
//! and a script of bytes, so that also HTTP itself can be wrong.

use std::time::Duration;

use kernel::chat::{Finish, Reply, ToolCall, Usage};
use kernel::code::ErrorCode;
use kernel::ids::CallId;
use serde_json::{Value, json};

use self::server::{RawServer, Script};
use super::*;

mod breaking;
mod framing;
mod pieces;
mod refusals;
mod server;

/// Nothing here takes longer; what does is a hang.
const LIMIT: Duration = Duration::from_mins(1);

/// What came of one request to the adapter.
#[derive(Debug)]
struct Outcome {
    reply: Result<Reply, ModelError>,
    signals: Vec<Signal>,
    /// Head and body of every request the server saw.
    requests: Vec<String>,
}

impl Outcome {
    /// The reply; what was shown of it is its text.
    #[track_caller]
    fn replies(self) -> Reply {
        let shown = text_of_last_try(&self.signals);
        let reply = self.reply.unwrap_or_else(|error| panic!("{:?}", error.failure));
        assert_eq!(shown, reply.text);
        reply
    }

    /// The failure, which says what to do, after so many requests.
    #[track_caller]
    fn fails(self, code: ErrorCode, asked: usize) -> Failure {
        let failure = self.reply.expect_err("this is no reply").failure;
        assert_eq!((failure.code, self.requests.len()), (code, asked), "{failure}");
        assert_eq!(retries(&self.signals), asked - 1);
        assert!(failure.action.is_some(), "{failure}");
        failure
    }
}

/// Asks a server that plays these scripts, one a request.
async fn outcome(scripts: impl IntoIterator<Item = Script>) -> Outcome {
    outcome_with(scripts, model).await
}

async fn outcome_with(
    scripts: impl IntoIterator<Item = Script>,
    model: impl FnOnce(String) -> OpenAiModel,
) -> Outcome {
    let server = RawServer::playing(scripts).await;
    let model = model(server.base_url.clone());
    let (reply, signals) = in_time(&model).await;
    Outcome { reply, signals, requests: server.requests() }
}

/// Asks, and fails where there is no end to it.
async fn in_time(model: &OpenAiModel) -> (Result<Reply, ModelError>, Vec<Signal>) {
    tokio::time::timeout(LIMIT, ask(model, &first())).await.expect("it hangs")
}

/// An event of a stream.
fn event(value: &Value) -> String {
    format!("data: {value}\n\n")
}

/// An event with a piece of the answer.
fn delta(delta: &Value) -> String {
    event(&json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] }))
}

/// An event with the reason to stop.
fn finish(reason: &str) -> String {
    event(&json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] }))
}

const DONE: &str = "data: [DONE]\n\n";

/// A stream as a large provider sends it: a role, a text in pieces, two calls with their arguments in
/// pieces, the reason to stop, the usage and the end.
fn recorded() -> String {
    let head = |index: u8, id: &str, name: &str| {
        json!({ "tool_calls": [{ "index": index, "id": id, "type": "function",
            "function": { "name": name, "arguments": "" } }] })
    };
    let piece = |index: u8, arguments: &str| {
        let function = json!({ "arguments": arguments });
        json!({ "tool_calls": [{ "index": index, "function": function }] })
    };
    let deltas = [
        json!({ "role": "assistant", "content": "" }),
        json!({ "content": "Hello 你" }),
        json!({ "content": "好 é 🦀.\n" }),
        head(0, "call_a", "fs_read"),
        piece(0, "{\"path\":\"@pkg"),
        piece(0, "/资料.md\"}"),
        head(1, "call_b", "fs_write"),
        piece(1, "{\"content\":\"\\u4f"),
        piece(1, "60 \\\"q\\"),
        piece(1, "\"\"}"),
    ];
    let usage = json!({ "model": "demo-1", "choices": [],
        "usage": { "prompt_tokens": 12, "completion_tokens": 34, "total_tokens": 46 } });
    let deltas: String = deltas.iter().map(delta).collect();
    [deltas, finish("tool_calls"), event(&usage), DONE.to_owned()].concat()
}

/// What the recorded stream says.
fn expected() -> Reply {
    Reply {
        text: "Hello 你好 é 🦀.\n".into(),
        calls: vec![
            call("call_a", "fs_read", "{\"path\":\"@pkg/资料.md\"}"),
            call("call_b", "fs_write", r#"{"content":"\u4f60 \"q\""}"#),
        ],
        usage: Usage { prompt_tokens: 12, completion_tokens: 34, estimated: false },
        model: Some("demo-1".into()),
        ..Reply::default()
    }
}

fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall { id: CallId::new(id), name: name.into(), arguments: arguments.into() }
}

/// The answer in one piece.
fn completion(message: &Value) -> Value {
    json!({ "object": "chat.completion", "model": "demo-1",
        "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 3, "completion_tokens": 2 } })
}

/// "Fine." in one piece, for a second try.
fn fine() -> Script {
    let message = json!({ "role": "assistant", "content": "Fine." });
    server::ok("application/json", completion(&message).to_string())
}
