//! The audit log, `@state/logs/execution.jsonl`: one line a call, also a refused one (spec 08,
//! reference §18.1). Contents are reduced to sizes, hashes and previews.

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_std::fs::{Dir, OpenOptions};
use kernel::code::{ErrorCode, Failure};
use kernel::ids::CallId;
use kernel::text::{prefix, sha256_hex};
use kernel::time::Time;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};

use super::atomic;
use super::secrets::is_secret;
use crate::failure;
use crate::redact::Redactor;

/// What one line of the audit log says.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditEntry {
    /// When the call ended.
    pub ts: Time,
    /// Which call.
    pub call_id: CallId,
    /// Canonical tool name, or what the model wrote.
    pub tool: String,
    /// On whose behalf.
    pub agent: String,
    /// The arguments as the model wrote them; may be no JSON at all.
    pub input: String,
    /// `{ok:…}`, as the model gets it.
    pub output: Value,
    /// Milliseconds; 0 when it did not run.
    pub duration_ms: u64,
}

const PREVIEW_BYTES: usize = 200;
/// How much of the end of the log is looked at for what is missing.
const TAIL_BYTES: u64 = 256 * 1024;
/// Members that hold file contents: never logged whole, however short.
const CONTENTS: &[&str] = &[
    "content",
    "contentPreview",
    "preview",
    "old",
    "new",
    "text",
    "diff",
    "expect_contains",
    "expected",
    "missing",
    "closest",
];
/// Members that are lists as long as a folder.
const LISTS: &[&str] = &["matches", "entries", "paths", "files", "notRestorable"];

/// Writes the line and returns it.
pub(super) fn append(
    state: &Dir,
    redactor: &Redactor,
    entry: &AuditEntry,
) -> Result<String, Failure> {
    let input = serde_json::from_str(&entry.input).unwrap_or_else(|_| json!(entry.input));
    let named = ["path", "from", "to", "pattern"].iter().filter_map(|key| input.get(key)?.as_str());
    let previews = !named.into_iter().any(|path| is_secret(&path.replace('\\', "/")));
    let mut line = json!({
        "ts": entry.ts,
        "kind": "tool.exec",
        "toolCallId": entry.call_id,
        "toolName": entry.tool,
        "agentId": entry.agent,
        "input": reduced(None, &input, previews),
        "output": reduced(None, &entry.output, previews),
        "durationMs": entry.duration_ms,
    });
    redactor.redact_value(&mut line);
    let line = line.to_string();
    write(state, &line)
        .map_err(|e| failure::io(ErrorCode::Io, "@state/logs/execution.jsonl", &e))?;
    Ok(line)
}

/// Which calls the end of the log names.
pub(crate) struct Logged {
    calls: BTreeSet<String>,
    /// The log was read from its beginning.
    whole: bool,
}

impl Logged {
    /// Of calls in the order they ended, those that are missing.
    pub(crate) fn missing<'a>(
        &self,
        ended: impl Iterator<Item = &'a CallId>,
    ) -> BTreeSet<&'a CallId> {
        let known = |call: &CallId| self.calls.contains(call.as_str());
        ended.skip_while(|call| !self.whole && !known(call)).filter(|call| !known(call)).collect()
    }
}

/// Reads the end of the log: more than what calls of one line leave there.
pub(super) fn logged(state: &Dir) -> io::Result<Logged> {
    let mut options = OpenOptions::new();
    options.read(true).follow(FollowSymlinks::No).nonblock(true);
    let mut file = match state.open_with("logs/execution.jsonl", &options) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            return Ok(Logged { calls: BTreeSet::new(), whole: true });
        }
        file => file?,
    };
    let from = file.metadata()?.len().saturating_sub(TAIL_BYTES);
    file.seek(SeekFrom::Start(from))?;
    let mut tail = Vec::new();
    file.take(2 * TAIL_BYTES).read_to_end(&mut tail)?;
    let call = |line: &[u8]| {
        let line: Value = serde_json::from_slice(line).ok()?;
        line["toolCallId"].as_str().map(str::to_owned)
    };
    let calls = tail.split(|byte| *byte == b'\n').filter_map(call).collect();
    Ok(Logged { calls, whole: from == 0 })
}

fn reduced(key: Option<&str>, value: &Value, previews: bool) -> Value {
    match value {
        Value::String(text) => {
            let contents = key.is_some_and(|key| CONTENTS.contains(&key));
            if !contents && text.len() <= PREVIEW_BYTES {
                return value.clone();
            }
            let preview = if previews { prefix(text, PREVIEW_BYTES) } else { "" };
            json!({ "bytes": text.len(), "sha256": sha256_hex(text.as_bytes()), "preview": preview })
        }
        Value::Array(items) if key.is_some_and(|key| LISTS.contains(&key)) => {
            json!({ "count": items.len() })
        }
        Value::Array(items) => items.iter().map(|item| reduced(key, item, previews)).collect(),
        Value::Object(map) => map
            .iter()
            .map(|(key, value)| (key.clone(), reduced(Some(key), value, previews)))
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// One write of one line at the end of the file, so that lines of two writers never mix. A line
/// torn by a crash is closed first.
fn write(state: &Dir, line: &str) -> io::Result<()> {
    let folder = atomic::make_folders(state.try_clone()?, &["logs".to_owned()])?;
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true).follow(FollowSymlinks::No).nonblock(true);
    let mut file = folder.open_with("execution.jsonl", &options)?;
    let torn = file.metadata()?.len() > 0 && {
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        last != *b"\n"
    };
    file.write_all(format!("{}{line}\n", if torn { "\n" } else { "" }).as_bytes())
}
