//! The answer of a model server, in pieces cut anywhere: no panic, and neither the cuts nor the key
//! it was sent make a difference to what is shown and kept.
//!
//! The first byte says which kind of answer the server names, the rest of the first line where the
//! answer is cut: a byte stands for a piece that is so long. The answer follows.

#![no_main]

use std::sync::{Arc, LazyLock};

use host::llm::fuzzing::Reader;
use kernel::bounds::{ARGUMENT_BYTES, CALLS_PER_REPLY};
use kernel::chat::{ChatMessage, ChatRequest, ToolSpec};
use libfuzzer_sys::fuzz_target;

const KEY: &str = "sk-fuzz-0123";
const KINDS: [&str; 4] = ["text/event-stream", "application/json", "text/plain", ""];

thread_local! {
    static READER: Option<Reader> = Reader::new(KEY);
}

static REQUEST: LazyLock<ChatRequest> = LazyLock::new(|| {
    let tool = ToolSpec {
        name: "fs_read".into(),
        description: String::new(),
        parameters: serde_json::json!({ "type": "object" }),
    };
    ChatRequest::new([ChatMessage::user("go on")], vec![Arc::new(tool)])
});

fuzz_target!(|data: &[u8]| {
    let Some((kind, data)) = data.split_first() else { return };
    let kind = KINDS[usize::from(*kind) % KINDS.len()];
    let end = data.iter().position(|byte| *byte == b'\n').unwrap_or(0);
    let (cuts, answer) = data.split_at(end);
    let answer = answer.strip_prefix(b"\n").unwrap_or(answer);
    READER.with(|reader| {
        assert!(reader.is_some(), "an endpoint and a clock are all it takes");
        let Some(reader) = reader else { return };
        let whole = reader.read(&REQUEST, kind, [answer.to_vec()]);
        let cut = reader.read(&REQUEST, kind, pieces(cuts, answer));
        assert_eq!(whole, cut, "the cuts changed the answer");
        let kept = format!("{cut:?}");
        assert!(!kept.contains(KEY), "the key was heard: {kept}");
        let Ok(reply) = &cut.reply else { return };
        let most =
            |calls: usize, longest: usize| calls <= CALLS_PER_REPLY && longest <= ARGUMENT_BYTES;
        let longest = reply.calls.iter().map(|call| call.arguments.len()).max();
        // A call that stands in the text is judged with the reply.
        let written = reply.calls.iter().any(|call| call.id.as_str().starts_with("repaired_"));
        assert!(written || most(reply.calls.len(), longest.unwrap_or(0)));
    });
});

fn pieces(cuts: &[u8], mut answer: &[u8]) -> Vec<Vec<u8>> {
    let mut pieces = Vec::new();
    for cut in cuts {
        let (piece, rest) = answer.split_at(usize::from(*cut).min(answer.len()));
        pieces.push(piece.to_vec());
        answer = rest;
    }
    pieces.push(answer.to_vec());
    pieces
}
