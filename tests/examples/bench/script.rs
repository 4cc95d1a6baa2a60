//! What the model does in the benchmarks of turns: one tool call a turn, the same for both loops.

use serde_json::{Value, json};

/// Files that are read and written over and over.
pub(crate) const FILES: usize = 8;

/// What a turn does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Reads a small file.
    Read,
    /// Writes a small file.
    Write,
    /// Changes a variable of the state document.
    Patch,
}

/// The kinds with the names they have in the report.
pub(crate) const KINDS: [(Kind, &str); 3] =
    [(Kind::Read, "read"), (Kind::Write, "write"), (Kind::Patch, "patch")];

/// A conversation of so many turns, each with one call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Script {
    /// How many turns have a call; the answer after them has none.
    pub(crate) turns: usize,
    only_reads: bool,
}

impl Script {
    /// Reads, writes and changes of the state document.
    pub(crate) fn mixed(turns: usize) -> Self {
        Self { turns, only_reads: false }
    }

    /// Reads alone: all turns do the same, so that the first can be compared with the last.
    pub(crate) fn reads(turns: usize) -> Self {
        Self { turns, only_reads: true }
    }

    /// What turn `turn` does.
    pub(crate) fn kind(self, turn: usize) -> Kind {
        match turn {
            _ if self.only_reads => Kind::Read,
            _ if turn % 10 == 9 => Kind::Patch,
            _ if turn.is_multiple_of(2) => Kind::Read,
            _ => Kind::Write,
        }
    }

    /// Project-relative name of the file a turn reads or writes.
    pub(crate) fn file(self, turn: usize) -> String {
        let folder = if self.kind(turn) == Kind::Read { "given" } else { "made" };
        format!("{folder}/note-{}.md", turn / 2 % FILES)
    }

    /// The call of a turn: wire name and arguments.
    fn call(self, turn: usize) -> (&'static str, Value) {
        match self.kind(turn) {
            Kind::Read => ("fs_read", json!({ "path": format!("@project/{}", self.file(turn)) })),
            Kind::Write => {
                let path = format!("@project/{}", self.file(turn));
                ("fs_write", json!({ "path": path, "content": content(turn) }))
            }
            Kind::Patch => {
                let update = json!({ "variables": { "set": { "turn": turn } } });
                let patch = json!({ "operation": "updateFrontmatter", "update": update });
                ("fs_apply_patch", json!({ "path": "@state/workflow.md", "patch": patch }))
            }
        }
    }

    /// Transactions the engine makes durable: for each turn the reply, the beginning of a write,
    /// the end. A change of the state document is in the reply's line, and its mirror is one more.
    pub(crate) fn commits(self) -> u64 {
        let of = |turn| match self.kind(turn) {
            Kind::Read | Kind::Patch => 2,
            Kind::Write => 3,
        };
        (0..self.turns).map(of).sum()
    }

    /// The events of a streamed answer to request `turn`; the last has no call.
    pub(crate) fn answer(self, turn: usize) -> String {
        let calls = turn < self.turns;
        let delta = if calls {
            let (name, arguments) = self.call(turn);
            let function = json!({ "name": name, "arguments": arguments.to_string() });
            let id = format!("call-{turn}");
            let call = json!({ "index": 0, "id": id, "type": "function", "function": function });
            json!({ "tool_calls": [call] })
        } else {
            json!({ "content": "Done." })
        };
        stream(&delta, if calls { "tool_calls" } else { "stop" })
    }
}

/// What is written.
pub(crate) fn content(turn: usize) -> String {
    format!("# Note of turn {turn}\n\n{}\n", "A few plain words. ".repeat(16))
}

/// The events of an answer that comes in one piece.
fn stream(delta: &Value, finish: &str) -> String {
    let chunk = |choices: Value| json!({ "id": "bench", "object": "chat.completion.chunk", "choices": choices });
    let mut usage = chunk(json!([]));
    usage["usage"] = json!({ "prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120 });
    let events = [
        chunk(json!([{ "index": 0, "delta": { "role": "assistant", "content": "" } }])),
        chunk(json!([{ "index": 0, "delta": delta }])),
        chunk(json!([{ "index": 0, "delta": {}, "finish_reason": finish }])),
        usage,
    ];
    let done = "[DONE]".to_owned();
    let data = events.iter().map(Value::to_string).chain([done]);
    data.flat_map(|data| ["data: ".to_owned(), data, "\n\n".to_owned()]).collect()
}
