//! Full-text search over messages (spec 08): FTS5 keeps the words, `messages` the text.
//!
//! Hits come newest conversation first, newest message first within one: row ids say so, and so a
//! word in a million messages costs no more than a page of hits.

use std::ops::Range;

use kernel::code::Failure;
use kernel::ids::{ConversationId, MessageId, ProjectId};
use kernel::text::{hex, prefix};
use kernel::time::Time;
use kernel::widget::SUBMISSION;
use kernel::wire::{SearchHit, SearchPage, SnippetPart};
use rusqlite::{Connection, OptionalExtension, Row, named_params, params};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::rows::{int, uint};
use super::terms::{self, Question};
use super::{RuntimeStore, conversations, words};

type Sql<T> = Result<T, rusqlite::Error>;

/// Bytes of a message that are searched.
const TEXT_BYTES: usize = 64 * 1024;
/// Bytes of a tool's result that are searched: what a file begins with tells which one it was.
const RESULT_BYTES: usize = 2 * 1024;
/// A sequence number above this is not indexed: there is no room for it in a row id.
const MAX_SEQ: u64 = u32::MAX as u64;
/// Bytes of a snippet before its first mark, and in all.
const SNIPPET_BEFORE: usize = 48;
const SNIPPET_BYTES: usize = 240;
/// Marks in a snippet at most.
const SNIPPET_MARKS: usize = 12;
/// Rows of conversations that have enough hits which are passed over before a new start.
const PASSED_OVER: u32 = 2_000;
/// Hits of a page when the question does not say, and at most.
const HITS: u32 = 30;
const MAX_HITS: u32 = 200;
/// Conversations found by their title at most.
const TITLES: usize = 20;

/// What to look for and where.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Search {
    /// A person's words. Each piece between spaces must be there, in any order; the letters of a
    /// piece in this order. Quotes and operators are text.
    pub text: String,
    /// Only in this project.
    pub project_id: Option<ProjectId>,
    /// Only in this conversation.
    pub conversation_id: Option<ConversationId>,
    /// Hits at most; 30 when absent, 200 at most.
    pub limit: Option<u32>,
    /// Hits of one conversation at most.
    pub per_conversation: Option<u32>,
    /// Where the page before ended: its `next`.
    pub before: Option<i64>,
}

/// What of a message is searched: its text, or the strings of a tool's result or of an answer.
fn searched(role: &str, content: &str) -> String {
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
fn project_term(project: &str) -> String {
    format!("p{}", hex(&Sha256::digest(project)[..8]))
}

/// The row ids of a conversation.
fn range(number: i64) -> Range<i64> {
    number << 32..(number + 1) << 32
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

/// Makes a message findable, in the transaction that adds its row.
pub(super) fn add(
    db: &Connection,
    id: &ConversationId,
    seq: u64,
    role: &str,
    content: &str,
) -> Sql<()> {
    let text = terms::indexed(&searched(role, content));
    if text.is_empty() || seq > MAX_SEQ {
        return Ok(());
    }
    let (number, project) = number(db, id)?;
    db.prepare_cached("INSERT OR REPLACE INTO search (rowid, text, project) VALUES (?1, ?2, ?3)")?
        .execute(params![range(number).start | int(seq), text, project_term(&project)])
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
    let seqs: Vec<i64> = db
        .prepare("SELECT seq FROM messages WHERE conversation = ?1")?
        .query_map([id.as_str()], |row| row.get(0))?
        .collect::<Sql<_>>()?;
    let mut delete = db.prepare_cached("DELETE FROM search WHERE rowid = ?1")?;
    for seq in seqs.into_iter().filter(|seq| uint(*seq) <= MAX_SEQ) {
        delete.execute([range(number).start | seq])?;
    }
    Ok(())
}

/// Fills the index from the messages unless it holds today's terms already: after a migration,
/// and when a newer program cuts terms in another way.
pub(super) fn ensure_filled(db: &mut Connection) -> Sql<()> {
    let version: Option<i64> =
        db.query_row("SELECT version FROM search_filled", [], |row| row.get(0)).optional()?;
    if version == Some(terms::VERSION) {
        return Ok(());
    }
    let transaction = db.transaction()?;
    fill(&transaction)?;
    transaction.execute("DELETE FROM search_filled", [])?;
    transaction.execute("INSERT INTO search_filled VALUES (?1)", [terms::VERSION])?;
    transaction.commit()
}

fn fill(db: &Connection) -> Sql<()> {
    db.execute("INSERT INTO search (search) VALUES ('delete-all')", [])?;
    let ids: Vec<String> = db
        .prepare("SELECT id FROM conversations ORDER BY number IS NULL, number, created_at, id")?
        .query_map([], |row| row.get(0))?
        .collect::<Sql<_>>()?;
    let mut count = 0_u64;
    for id in ids {
        // An id that is none belongs to a row nobody can open.
        let Ok(id) = id.parse::<ConversationId>() else { continue };
        number(db, &id)?;
        let mut messages = db.prepare_cached(
            "SELECT seq, role, content FROM messages WHERE conversation = ?1 ORDER BY seq",
        )?;
        let mut rows = messages.query([id.as_str()])?;
        while let Some(row) = rows.next()? {
            let text = row.get_ref(2)?.as_str().unwrap_or_default();
            add(db, &id, uint(row.get(0)?), &row.get::<_, String>(1)?, text)?;
            count += 1;
        }
    }
    tracing::info!(messages = count, "the search index was filled");
    Ok(())
}

impl RuntimeStore {
    /// Messages that hold the words, newest conversation first, newest message first within one;
    /// on the first page also the conversations whose title holds them. Empty for a text without
    /// a letter or digit. `CONVERSATION_NOT_FOUND` for a conversation that is not there.
    pub async fn search(&self, search: Search) -> Result<SearchPage, Failure> {
        let Some(question) = Question::new(&search.text) else { return Ok(SearchPage::default()) };
        self.read(move |db| {
            let failed = |e: rusqlite::Error| words::read_failed("the search index", &e);
            if let Some(id) = &search.conversation_id {
                super::journal::require(db, id)?;
            }
            let mut page = find(db, &search, &question).map_err(failed)?;
            if search.before.is_none() && search.conversation_id.is_none() {
                let project = search.project_id.as_ref();
                page.titles = conversations::titled(db, project, &question, TITLES)?;
            }
            Ok(page)
        })
        .await
    }
}

fn find(db: &Connection, search: &Search, question: &Question) -> Sql<SearchPage> {
    let Some(within) = within(db, search)? else { return Ok(SearchPage::default()) };
    let mut page = SearchPage::default();
    let mut before = search.before.unwrap_or(i64::MAX).min(within.end);
    while let Some(next) = read(db, search, question, within.start..before, &mut page)? {
        before = next;
    }
    Ok(page)
}

/// The row ids to look through; `None` when there can be no hit.
fn within(db: &Connection, search: &Search) -> Sql<Option<Range<i64>>> {
    let Some(id) = &search.conversation_id else { return Ok(Some(0..i64::MAX)) };
    let number: Option<i64> =
        db.query_row("SELECT number FROM conversations WHERE id = ?1", [id.as_str()], |row| {
            row.get(0)
        })?;
    Ok(number.map(range))
}

/// Goes through one stretch of hits. Returns where to go on when too many rows of a conversation
/// that has enough hits lay in the way.
fn read(
    db: &Connection,
    search: &Search,
    question: &Question,
    ids: Range<i64>,
    page: &mut SearchPage,
) -> Sql<Option<i64>> {
    let limit = search.limit.unwrap_or(HITS).clamp(1, MAX_HITS) as usize;
    let mut statement = db.prepare_cached(
        "SELECT rowid FROM search WHERE search MATCH :question AND rowid >= :from
           AND rowid < :before ORDER BY rowid DESC",
    )?;
    let question_text = match &search.project_id {
        Some(id) => {
            let project = project_term(id.as_str());
            format!("text : ({}) AND project : {project}", question.fts())
        }
        None => format!("text : ({})", question.fts()),
    };
    let mut rows = statement.query(
        named_params! { ":question": question_text, ":from": ids.start, ":before": ids.end },
    )?;
    let mut passed_over = 0;
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        if is_enough(search, page, id >> 32) {
            passed_over += 1;
            if passed_over > PASSED_OVER {
                return Ok(Some(range(id >> 32).start));
            }
            continue;
        }
        if page.hits.len() == limit {
            page.next = page.hits.last().map(|hit| hit.id);
            return Ok(None);
        }
        page.hits.extend(hit(db, id, question)?);
    }
    Ok(None)
}

/// Whether the conversation of that number has its share of the hits.
fn is_enough(search: &Search, page: &SearchPage, number: i64) -> bool {
    let Some(most) = search.per_conversation else { return false };
    let of_it = page.hits.iter().rev().take_while(|hit| hit.id >> 32 == number).count();
    of_it >= most.max(1) as usize
}

/// The message behind a row id; `None` for one whose ids do not parse.
fn hit(db: &Connection, id: i64, question: &Question) -> Sql<Option<SearchHit>> {
    db.prepare_cached(
        "SELECT c.id AS conversation, c.project_id, coalesce(c.custom_title, c.title) AS title,
                m.id, m.seq, m.role, m.tool_name, m.tool_call_id, m.created_at, m.content
         FROM conversations c JOIN messages m ON m.conversation = c.id AND m.seq = ?2
         WHERE c.number = ?1",
    )?
    .query_row(params![id >> 32, id & 0xffff_ffff], |row| row_hit(row, id, question))
    .optional()
    .map(Option::flatten)
}

fn row_hit(row: &Row<'_>, id: i64, question: &Question) -> Sql<Option<SearchHit>> {
    let (conversation, project, message): (String, String, String) =
        (row.get("conversation")?, row.get("project_id")?, row.get("id")?);
    let ids = (conversation.parse(), project.parse(), message.parse::<MessageId>());
    let (Ok(conversation_id), Ok(project_id), Ok(message_id)) = ids else { return Ok(None) };
    let role: String = row.get("role")?;
    let text = searched(&role, row.get_ref("content")?.as_str().unwrap_or_default());
    let call = row.get::<_, Option<String>>("tool_call_id")?.filter(|_| role == "tool");
    Ok(Some(SearchHit {
        id,
        item_id: call.map_or(message, |call| format!("call-{call}")),
        conversation_id,
        project_id,
        title: row.get("title")?,
        message_id,
        seq: uint(row.get("seq")?),
        role,
        tool_name: row.get("tool_name")?,
        created_at: Time::from_millis(row.get("created_at")?),
        snippet: snippet(&text, question),
    }))
}

/// The text round the first place that was found, in pieces: found ones and others.
fn snippet(text: &str, question: &Question) -> Vec<SnippetPart> {
    let places = question.places(text, SNIPPET_MARKS);
    let first = places.first().map_or(0, |at| at.start);
    let mut start = first.saturating_sub(SNIPPET_BEFORE);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let end = start + prefix(&text[start..], SNIPPET_BYTES).len();
    let mut out = Vec::new();
    let mut put = |from: usize, to: usize, hit: bool| {
        let piece = &text[from..to.clamp(from, end)];
        if !piece.is_empty() {
            // A snippet is one line.
            let text = piece.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            out.push(SnippetPart { text, hit });
        }
    };
    let mut at = start;
    for place in places.iter().filter(|place| place.start < end) {
        put(at, place.start, false);
        put(place.start, place.end, true);
        at = place.end.min(end);
    }
    put(at, end, false);
    mark_cuts(&mut out, start > 0, end < text.len());
    out
}

/// An ellipsis where the text goes on.
fn mark_cuts(parts: &mut [SnippetPart], before: bool, after: bool) {
    if before && let Some(first) = parts.first_mut() {
        first.text.insert(0, '…');
    }
    if after && let Some(last) = parts.last_mut() {
        last.text.push('…');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, question: &str) -> String {
        let parts = snippet(text, &Question::new(question).unwrap());
        let part = |p: &SnippetPart| if p.hit { format!("[{}]", p.text) } else { p.text.clone() };
        parts.iter().map(part).collect()
    }

    #[test]
    fn a_snippet_shows_the_words_round_the_first_place() {
        assert_eq!(shown("Plain words.", "plain"), "[Plain] words.");
        assert_eq!(shown("一个工作流\n已完成", "工作流"), "一个[工作流] 已完成");
        let long = format!("{}needle{}", "hay ".repeat(100), " straw".repeat(100));
        let found = shown(&long, "needle");
        assert!(found.starts_with('…') && found.ends_with('…'), "{found}");
        assert!(found.contains("hay [needle] straw") && found.len() < 300, "{found}");
    }

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
