//! The audit log, `@state/logs/execution.jsonl`: one line a call, also a refused one (spec 08
//! "Logs"). Contents are reduced to sizes, hashes and previews; no real folders, no keys.

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_std::fs::{Dir, File, OpenOptions};
use kernel::code::{ErrorCode, Failure};
use kernel::ids::CallId;
use kernel::mark;
use kernel::path::AliasPath;
use kernel::text::{ellipsis, prefix, sha256_hex};
use kernel::time::Time;
use kernel::tool::{ParsedCall, ReceivedCall};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};

use super::secrets::is_secret;
use crate::atomic;
use crate::failure;
use crate::logs;
use crate::redact::Redactor;

/// What one line of the audit log says.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditEntry {
    /// When the call ended.
    pub ts: Time,
    /// The call's id.
    pub call_id: CallId,
    /// Canonical tool name, or what the model wrote.
    pub tool: String,
    /// On whose behalf.
    pub agent: String,
    /// The call as the model wrote it, which may fit no tool; `None` when nobody knows it.
    pub call: Option<ReceivedCall>,
    /// `{ok:…}`, as the model gets it.
    pub output: Value,
    /// Milliseconds; 0 when it did not run.
    pub duration_ms: u64,
}

const PREVIEW_BYTES: usize = 200;
/// How much of a text is cleaned to make a preview of it: what is cut off by a preview must not be
/// cut in the middle of a folder's name or a key before that is found.
const CLEANED_BYTES: usize = 16 * 1024;
/// The longest name of a tool: a model may write anything there.
const NAME_BYTES: usize = 100;
/// How much of the end of the log is looked at for what is missing.
const TAIL_BYTES: u64 = 256 * 1024;
/// Members that hold file contents: never logged whole, however short.
const CONTENTS: &[&str] = &[
    "content",
    "contentPreview",
    "preview",
    "patch",
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

/// A line as it stands in the log: as text, and as the JSON that the text was made of.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditLine {
    pub(crate) text: String,
    pub(crate) value: Value,
}

/// Writes the line and returns it.
pub(super) fn append(
    state: &Dir,
    redactor: &Redactor,
    entry: &AuditEntry,
) -> Result<AuditLine, Failure> {
    let call = entry.call.as_ref();
    let written = call.map(|call| call.arguments.as_str()).unwrap_or_default();
    let input =
        call.and_then(ReceivedCall::json).map_or_else(|| Cow::Owned(json!(written)), Cow::Borrowed);
    let parsed = call.and_then(|call| call.parsed().ok()).map(AsRef::as_ref);
    let reduce = Reduce { redactor, parsed, secret: is_about_a_secret(parsed, &input) };
    let mut value = json!({
        "ts": entry.ts,
        "kind": "tool.exec",
        "toolCallId": entry.call_id,
        "toolName": ellipsis(&entry.tool, NAME_BYTES),
        "agentId": entry.agent,
        "input": reduce.input(&input),
        "output": reduce.value(None, &entry.output),
        "durationMs": entry.duration_ms,
    });
    redactor.redact_value(&mut value);
    logs::clean(&mut value);
    let text = value.to_string();
    write(state, &text)
        .map_err(|e| failure::io(ErrorCode::Io, "@state/logs/execution.jsonl", &e))?;
    Ok(AuditLine { text, value })
}

/// Whether a call is about a file of secrets. One that fits its tool says which files it names; of
/// another every word may name one.
fn is_about_a_secret(parsed: Option<&ParsedCall>, input: &Value) -> bool {
    match parsed {
        Some(call) => {
            call.paths().any(|path| is_secret(path.rel())) || call.pattern().is_some_and(is_secret)
        }
        None => mentions_a_secret(input),
    }
}

fn mentions_a_secret(input: &Value) -> bool {
    let ends = |c: char| c.is_whitespace() || "\"'`,;:=()[]{}<>".contains(c);
    match input {
        Value::String(text) => {
            text.replace('\\', "/").split(ends).any(|word| !word.is_empty() && is_secret(word))
        }
        Value::Array(items) => items.iter().any(mentions_a_secret),
        Value::Object(map) => map.values().any(mentions_a_secret),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
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

/// What is looked at of a line that was written before.
#[derive(Deserialize)]
struct Named {
    #[serde(rename = "toolCallId")]
    call: String,
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
    let call = |line: &[u8]| serde_json::from_slice(line).ok().map(|Named { call }| call);
    let calls = tail.split(|byte| *byte == b'\n').filter_map(call).collect();
    Ok(Logged { calls, whole: from == 0 })
}

/// Makes sizes, hashes and previews of contents.
struct Reduce<'r> {
    redactor: &'r Redactor,
    /// The call, when it fits its tool.
    parsed: Option<&'r ParsedCall>,
    /// The call is about a file of secrets: nothing of it is shown.
    secret: bool,
}

impl Reduce<'_> {
    /// Arguments. Of a file of secrets only what names it: the contents may stand in a member of
    /// any name.
    fn input(&self, input: &Value) -> Value {
        if self.secret { self.without_texts(input) } else { self.value(None, input) }
    }

    fn without_texts(&self, input: &Value) -> Value {
        match input {
            Value::String(text) if !self.names_files(text) => self.content(text),
            Value::Array(items) => items.iter().map(|item| self.without_texts(item)).collect(),
            Value::Object(map) => {
                map.iter().map(|(key, value)| (key.clone(), self.without_texts(value))).collect()
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => input.clone(),
        }
    }

    /// Whether an argument says no more than which files the call is about.
    fn names_files(&self, text: &str) -> bool {
        let alias = mark::as_alias(text);
        AliasPath::parse(alias.as_deref().unwrap_or(text)).is_ok()
            || self.parsed.and_then(ParsedCall::pattern) == Some(text)
    }

    fn value(&self, key: Option<&str>, value: &Value) -> Value {
        let contents = key.is_some_and(|key| CONTENTS.contains(&key));
        match value {
            Value::String(text) if contents || text.len() > PREVIEW_BYTES => self.content(text),
            Value::Array(items) if key.is_some_and(|key| LISTS.contains(&key)) => {
                json!({ "count": items.len() })
            }
            // The shape of a tool's arguments, after a call that did not fit it.
            Value::Object(map) if key == Some("expected") => json!({ "count": map.len() }),
            Value::Array(items) => items.iter().map(|item| self.value(key, item)).collect(),
            Value::Object(map) => {
                map.iter().map(|(key, value)| (key.clone(), self.value(Some(key), value))).collect()
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
        }
    }

    fn content(&self, text: &str) -> Value {
        let preview = if self.secret { String::new() } else { self.preview(text) };
        json!({ "bytes": text.len(), "sha256": sha256_hex(text.as_bytes()), "preview": preview })
    }

    /// Cleaned first, then cut.
    fn preview(&self, text: &str) -> String {
        let cleaned = |text: &str| logs::cleaned(&self.redactor.redact(text));
        let mut clean = cleaned(prefix(text, CLEANED_BYTES));
        if clean.len() < CLEANED_BYTES / 2 && text.len() > CLEANED_BYTES {
            clean = cleaned(text);
        }
        prefix(&clean, PREVIEW_BYTES).to_owned()
    }
}

/// One write of one line at the end of the file, so that lines of two writers never mix. A line
/// torn by a crash is closed first.
fn write(state: &Dir, line: &str) -> io::Result<()> {
    let folder = atomic::make_folders(state.try_clone()?, &["logs".to_owned()])?;
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true).follow(FollowSymlinks::No).nonblock(true);
    let mut file = folder.open_with("execution.jsonl", &options)?;
    let close = mend_end(&mut file)?;
    file.write_all(format!("{close}{line}\n").as_bytes())
}

/// A program that is killed while it writes may leave a part of a line. It is cut off: its call is
/// missing then, and is entered anew. A whole line that only lacks its end gets it from what is
/// returned.
fn mend_end(file: &mut File) -> io::Result<&'static str> {
    let len = file.metadata()?.len();
    let mut last = [b'\n'];
    if len > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    if last == *b"\n" {
        return Ok("");
    }
    let from = len.saturating_sub(TAIL_BYTES);
    file.seek(SeekFrom::Start(from))?;
    let mut tail = Vec::new();
    io::Read::by_ref(file).take(TAIL_BYTES).read_to_end(&mut tail)?;
    let line = tail.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let begins_here = line.len() < tail.len() || from == 0;
    if begins_here && serde_json::from_slice::<IgnoredAny>(line).is_err() {
        file.set_len(len - line.len() as u64)?;
        return Ok("");
    }
    Ok("\n")
}
