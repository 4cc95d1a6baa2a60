//! The search index: which words stand in which message (FTS5, spec 08).
//!
//! It follows the journal instead of being written with it: a line is durable with its rows, and
//! its words are added in batches afterwards, by the writer when nobody waits for it and by a
//! question before it is answered. `search_filled.until` says how far it has come, so a crash
//! loses no words. Added one by one they would double the time of every append.

use std::ops::Range;

use kernel::ids::ConversationId;
use kernel::text::{hex, prefix};
use kernel::widget::SUBMISSION;
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::sql::{int, uint};
use super::terms;

type Sql<T> = Result<T, rusqlite::Error>;

/// Bytes of a message that are searched.
const TEXT_BYTES: usize = 64 * 1024;
/// Bytes of a tool's result that are searched: what a file begins with tells which one it was.
const RESULT_BYTES: usize = 2 * 1024;
/// A sequence number above this is not indexed: there is no room for it in a row id.
const MAX_SEQ: u64 = (1 << 31) - 1;
/// The bit of a row id that says that the words are the person's or the model's: so they come before
/// results of tools, which mostly repeat a file.
const SAID: i64 = 1 << 31;

/// What of a message is searched: its text, or the strings of a tool's result or of an answer.
pub(super) fn searched(role: &str, content: &str) -> String {
    let json = if role == "tool" { Some(content) } else { content.strip_prefix(SUBMISSION) };
    let Some(value) = json.and_then(|json| serde_json::from_str::<Value>(json).ok()) else {
        return prefix(content, TEXT_BYTES).to_owned();
    };
    let mut out = String::new();
    strings(if role == "tool" { &value } else { &value["value"] }, &mut out);
    out
}

fn strings(value: &Value, out: &mut String) {
    match value {
        _ if out.len() >= RESULT_BYTES => {}
        Value::String(text) => {
            if !out.is_empty() {
                out.push('\n');
            }
            out.push_str(prefix(text, RESULT_BYTES - out.len().min(RESULT_BYTES)));
        }
        Value::Array(items) => items.iter().for_each(|item| strings(item, out)),
        Value::Object(map) => map.values().for_each(|item| strings(item, out)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A project as one term.
pub(super) fn project_term(project: &str) -> String {
    format!("p{}", hex(&Sha256::digest(project)[..8]))
}

/// The row ids of a conversation.
pub(super) fn range(number: i64) -> Range<i64> {
    number << 32..(number + 1) << 32
}

/// The row id of a message; `None` where there is no room for it.
fn row_id(number: i64, seq: u64, role: &str) -> Option<i64> {
    let said = if role == "tool" { 0 } else { SAID };
    (seq <= MAX_SEQ).then(|| range(number).start | said | int(seq))
}

/// The number of the conversation that a row id is of, and the message's place in it.
pub(super) const fn place(row_id: i64) -> (i64, i64) {
    (row_id >> 32, row_id & (SAID - 1))
}

/// The number of a conversation, given when it is first asked for, and its project.
fn number(db: &Connection, id: &ConversationId) -> Sql<(i64, String)> {
    let (number, project): (Option<i64>, String) = db
        .prepare_cached("SELECT number, project_id FROM conversations WHERE id = ?1")?
        .query_row([id.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if let Some(number) = number {
        return Ok((number, project));
    }
    let number = db
        .prepare_cached(
            "UPDATE conversations
             SET number = (SELECT coalesce(max(number), 0) + 1 FROM conversations)
             WHERE id = ?1 RETURNING number",
        )?
        .query_row([id.as_str()], |row| row.get(0))?;
    Ok((number, project))
}

/// Makes a message findable.
fn add(db: &Connection, id: &ConversationId, seq: u64, role: &str, content: &str) -> Sql<()> {
    let text = terms::indexed(&searched(role, content));
    if text.is_empty() {
        return Ok(());
    }
    let (number, project) = number(db, id)?;
    let Some(row_id) = row_id(number, seq, role) else { return Ok(()) };
    db.prepare_cached("INSERT OR REPLACE INTO search (rowid, text, project) VALUES (?1, ?2, ?3)")?
        .execute(params![row_id, text, project_term(&project)])
        .map(drop)
}

/// Takes the messages of a conversation out, before their rows go.
pub(super) fn forget(db: &Connection, id: &ConversationId) -> Sql<()> {
    let number: Option<Option<i64>> = db
        .query_row("SELECT number FROM conversations WHERE id = ?1", [id.as_str()], |row| {
            row.get(0)
        })
        .optional()?;
    let Some(number) = number.flatten() else { return Ok(()) };
    let rows: Vec<Option<i64>> = db
        .prepare("SELECT seq, role FROM messages WHERE conversation = ?1")?
        .query_map([id.as_str()], |row| {
            Ok(row_id(number, uint(row.get(0)?), row.get_ref(1)?.as_str().unwrap_or_default()))
        })?
        .collect::<Sql<_>>()?;
    let mut delete = db.prepare_cached("DELETE FROM search WHERE rowid = ?1")?;
    for row_id in rows.into_iter().flatten() {
        delete.execute([row_id])?;
    }
    Ok(())
}

/// Empties the index when another version of the program cut its terms in another way; it fills
/// itself again while the program is used.
pub(super) fn ensure_version(db: &mut Connection) -> Sql<()> {
    let version: Option<i64> =
        db.query_row("SELECT version FROM search_filled", [], |row| row.get(0)).optional()?;
    if version == Some(terms::VERSION) {
        return Ok(());
    }
    let transaction = db.transaction()?;
    transaction.execute("INSERT INTO search (search) VALUES ('delete-all')", [])?;
    transaction.execute("DELETE FROM search_filled", [])?;
    transaction
        .execute("INSERT INTO search_filled (version, until) VALUES (?1, 0)", [terms::VERSION])?;
    transaction.commit()
}

/// How many lines wait for being indexed; a little more when some were deleted.
pub(super) fn unindexed(db: &Connection) -> Sql<u64> {
    db.prepare_cached(
        "SELECT coalesce((SELECT max(id) FROM lines), 0)
              - coalesce((SELECT until FROM search_filled), 0)",
    )?
    .query_row([], |row| row.get(0).map(uint))
}

/// Indexes the messages of the next `most` lines, inside a transaction. Returns how many lines
/// still wait.
pub(super) fn catch_up(db: &Connection, most: u32) -> Sql<u64> {
    let until: i64 = db
        .prepare_cached("SELECT coalesce((SELECT until FROM search_filled), 0)")?
        .query_row([], |row| row.get(0))?;
    let mut lines = db.prepare_cached(
        "SELECT id, conversation, seq, next_seq FROM lines WHERE id > ?1 ORDER BY id LIMIT ?2",
    )?;
    let mut rows = lines.query(params![until, most])?;
    let mut last = until;
    while let Some(row) = rows.next()? {
        last = row.get(0)?;
        let conversation: String = row.get(1)?;
        // An id that is none belongs to a row nobody can open. Sub-agents are found by their run.
        let id = conversation.parse().ok().filter(|id: &ConversationId| !id.is_task());
        if let Some(id) = id {
            add_line(db, &id, row.get(2)?..row.get(3)?)?;
        }
    }
    if last != until {
        db.prepare_cached("UPDATE search_filled SET until = ?1")?.execute([last])?;
    }
    unindexed(db)
}

/// Indexes the messages of one line: those with a sequence number in `seqs`.
fn add_line(db: &Connection, id: &ConversationId, seqs: Range<i64>) -> Sql<()> {
    let mut messages = db.prepare_cached(
        "SELECT seq, role, content FROM messages
         WHERE conversation = ?1 AND seq >= ?2 AND seq < ?3 ORDER BY seq",
    )?;
    let mut rows = messages.query(params![id.as_str(), seqs.start, seqs.end])?;
    while let Some(row) = rows.next()? {
        let role: String = row.get(1)?;
        add(db, id, uint(row.get(0)?), &role, row.get_ref(2)?.as_str().unwrap_or_default())?;
    }
    Ok(())
}

/// Has every message indexed once more, because some were written anew. What is in the index
/// already stays there meanwhile.
pub(super) fn rebuild(db: &Connection) -> Sql<()> {
    db.execute("UPDATE search_filled SET until = 0", []).map(drop)
}

/// The newest lines may be gone, and their row numbers are given again.
pub(super) fn lines_were_deleted(db: &Connection) -> Sql<usize> {
    db.execute(
        "UPDATE search_filled SET until = min(until, (SELECT coalesce(max(id), 0) FROM lines))",
        [],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_result_its_strings_are_searched() {
        let result = r#"{"ok":true,"path":"@project/a.md","content":"first\nsecond","n":3}"#;
        assert_eq!(searched("tool", result), "@project/a.md\nfirst\nsecond");
        assert_eq!(searched("user", result), result);
        let answer = "WIDGET_SUBMIT\n{\"type\":\"form\",\"value\":{\"name\":\"Ann\",\"n\":1}}";
        assert_eq!(searched("user", answer), "Ann");
        let long = format!("{{\"a\":\"{}\",\"b\":\"last\"}}", "x".repeat(5000));
        assert_eq!(searched("tool", &long).len(), RESULT_BYTES);
    }
}
