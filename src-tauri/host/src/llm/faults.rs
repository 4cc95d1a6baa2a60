//! What real servers do wrong, on demand (spec 10): the demo server plays one of these per
//! request, so that the adapter is tested against a real socket.

use std::time::Duration;

/// How one answer goes wrong, or merely differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// As it should be.
    None,
    /// An error status with a body as given.
    Status {
        /// The status.
        status: u16,
        /// Seconds of `Retry-After`.
        retry_after: Option<u64>,
        /// The body.
        body: String,
    },
    /// Status 400 that names this field, as long as the request has it; else a good answer.
    Refuses(&'static str),
    /// The connection is closed without an answer.
    Refused,
    /// The connection breaks after this many pieces.
    DropAfter(usize),
    /// A clean end without `finish_reason` and `[DONE]`.
    NoFinish,
    /// No `[DONE]`.
    NoDone,
    /// No `[DONE]`, and the last event lacks its empty line.
    NoFinalBlankLine,
    /// A wait before the first byte of the body.
    SlowFirstByte(Duration),
    /// A wait after this many pieces, far longer than anybody's patience.
    StallAfter(usize),
    /// After this many pieces comments only, ten a second, for longer than anybody's patience.
    CommentsAfter(usize),
    /// Status 200 and a web page.
    Html,
    /// An event that is not JSON, when asked for a stream; a good answer when not.
    BadJson,
    /// An `{"error": …}` event after this many pieces.
    ErrorEventAfter(usize),
    /// Lines end in CR LF.
    Crlf,
    /// Comments and unknown events in between.
    Comments,
    /// Calls come whole and without `index`.
    NoIndex,
    /// The body arrives in pieces of this many bytes.
    Split(usize),
    /// A whole completion although a stream was asked for.
    WholeDespiteStream,
    /// Status 200 and nothing.
    Empty,
    /// A whole completion with this message, whatever the trace says.
    Says(serde_json::Value),
    /// Words that ran to the limit of the answer, whatever the trace says.
    RunsOn(String),
    /// One event with this many bytes of text before the answer.
    Huge(usize),
}

impl Fault {
    /// An error status with OpenAI's error object.
    pub fn status(status: u16, message: &str) -> Self {
        let body = serde_json::json!({ "error": { "message": message } }).to_string();
        Self::Status { status, retry_after: None, body }
    }
}
