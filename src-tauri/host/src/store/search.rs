//! Full-text search over messages (spec 08 "Full-text search"): FTS5 keeps the words, `messages`
//! the text.
//!
//! Hits come newest conversation first; within one the person's words and the model's before results
//! of tools, the newest first: row ids say so, and so a word in a million messages costs no more than a
//! page of hits.

use std::ops::Range;

use kernel::code::Failure;
use kernel::command::SearchQuery;
use kernel::ids::MessageId;
use kernel::phrase::store;
use kernel::text::prefix;
use kernel::time::Time;
use kernel::wire::{MoreHits, SearchHit, SearchPage, SnippetPart};
use rusqlite::{Connection, OptionalExtension, Row, named_params, params};

use super::index::{self, place, project_term, range, searched};
use super::sql::uint;
use super::terms::Question;
use super::{RuntimeStore, conversations, existing, sqlite_error};

type Sql<T> = Result<T, rusqlite::Error>;

/// Bytes of a snippet before its first mark, and in all.
const SNIPPET_BEFORE: usize = 48;
const SNIPPET_BYTES: usize = 240;
/// Marks in a snippet at most.
const SNIPPET_MARKS: usize = 12;
/// Hits of a conversation beyond its share that are counted; the rest is not gone through.
const COUNTED: u64 = 2_000;
/// Places of a conversation that read like one of its hits and are left out, before it has enough.
const ALIKE: u64 = 20;
/// Hits of a page when the question does not say, and at most.
const HITS: u32 = 30;
const MAX_HITS: u32 = 200;
/// Conversations found by their title at most.
const TITLES: usize = 20;
/// Lines a question waits for to be indexed: a second at most. There are more only after a
/// migration or a large import.
const AWAITED_LINES: u32 = 8_192;

impl RuntimeStore {
    /// Messages that hold the words, newest conversation first, and within one what was said before
    /// results of tools, the newest first; on the first page also the conversations whose title holds
    /// them. Where a conversation has a share of the hits, those that read alike are there once, and
    /// how many more there are is told. Empty for a text without a
    /// letter or digit. What was written before is found, except while `unindexed` says that a
    /// large part is not indexed yet.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND` for a conversation that is not there. `STORE_READ_FAILED` when the
    /// store cannot be read.
    pub async fn search(&self, search: SearchQuery) -> Result<SearchPage, Failure> {
        let Some(question) = Question::new(&search.text) else { return Ok(SearchPage::default()) };
        self.index_the_newest().await;
        self.read(move |db| {
            let failed =
                |e: rusqlite::Error| sqlite_error::read_failed(store::the_search_index(), &e);
            if let Some(id) = &search.conversation_id {
                existing::require(db, id)?;
            }
            let mut page = find(db, &search, &question).map_err(failed)?;
            page.unindexed = index::unindexed(db).map_err(failed)?;
            if search.before.is_none() && search.conversation_id.is_none() {
                let project = search.project_id.as_ref();
                page.titles = conversations::titled(db, project, &question, TITLES)?;
            }
            Ok(page)
        })
        .await
    }

    /// Brings the index up to date before a question is asked. A disk that refuses is no reason
    /// not to answer from what is there.
    async fn index_the_newest(&self) {
        let failed = |e: rusqlite::Error| sqlite_error::write_failed(store::the_search_index(), &e);
        let waiting = self.read(move |db| index::unindexed(db).map_err(failed)).await;
        if waiting.is_ok_and(|lines| lines == 0) {
            return;
        }
        let done = self.write(move |db| index::catch_up(db, AWAITED_LINES).map_err(failed)).await;
        if let Err(failure) = done {
            tracing::warn!(%failure, "the search index is behind");
        }
    }
}

fn find(db: &Connection, search: &SearchQuery, question: &Question) -> Sql<SearchPage> {
    let Some(within) = within(db, search)? else { return Ok(SearchPage::default()) };
    let mut found = Found::new(search);
    let mut before = search.before.unwrap_or(i64::MAX).min(within.end);
    while let Some(next) = read(db, search, question, within.start..before, &mut found)? {
        before = next;
    }
    found.leave();
    Ok(found.page)
}

/// The row ids to look through; `None` when there can be no hit.
fn within(db: &Connection, search: &SearchQuery) -> Sql<Option<Range<i64>>> {
    let Some(id) = &search.conversation_id else { return Ok(Some(0..i64::MAX)) };
    let number: Option<i64> =
        db.query_row("SELECT number FROM conversations WHERE id = ?1", [id.as_str()], |row| {
            row.get(0)
        })?;
    Ok(number.map(range))
}

/// A page while it is filled.
struct Found {
    page: SearchPage,
    limit: usize,
    /// Hits of one conversation at most; `None` for all of them.
    share: Option<usize>,
    /// The number of the conversation that is gone through, its hits on the page, and how many others
    /// are left out: because they read like one of these, and because these are enough.
    number: i64,
    here: usize,
    alike: u64,
    beyond: u64,
}

impl Found {
    fn new(search: &SearchQuery) -> Self {
        Self {
            page: SearchPage::default(),
            limit: search.limit.unwrap_or(HITS).clamp(1, MAX_HITS) as usize,
            share: search.per_conversation.map(|most| most.max(1) as usize),
            number: 0,
            here: 0,
            alike: 0,
            beyond: 0,
        }
    }

    /// The next places are of the conversation with this number.
    fn enter(&mut self, number: i64) {
        if self.number != number {
            self.leave();
            (self.number, self.here, self.alike, self.beyond) = (number, 0, 0, 0);
        }
    }

    /// Says of the conversation how many places of it are left out.
    fn leave(&mut self) {
        let count = self.alike + self.beyond.min(COUNTED);
        if let Some(last) = self.page.hits.last().filter(|_| count > 0) {
            let conversation_id = last.conversation_id.clone();
            let at_least = self.beyond > COUNTED;
            self.page.more.push(MoreHits { conversation_id, count, at_least });
        }
    }

    /// Whether the conversation has its share.
    fn is_enough(&self) -> bool {
        self.share.is_some_and(|share| self.here >= share) || self.alike >= ALIKE
    }

    fn put(&mut self, hit: SearchHit) {
        let of_it = self.page.hits.iter().rev().take(self.here);
        if self.share.is_some() && of_it.into_iter().any(|one| one.snippet == hit.snippet) {
            self.alike += 1;
        } else {
            self.here += 1;
            self.page.hits.push(hit);
        }
    }
}

/// Goes through one stretch of hits. Returns where to go on when more of a conversation that has
/// its share are in the way than are counted.
fn read(
    db: &Connection,
    search: &SearchQuery,
    question: &Question,
    ids: Range<i64>,
    found: &mut Found,
) -> Sql<Option<i64>> {
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
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        let (number, _) = place(id);
        found.enter(number);
        let is_full = found.page.hits.len() == found.limit;
        // A page does not end within a conversation that has a share: the next one would give it
        // another.
        if found.is_enough() || (is_full && found.share.is_some() && found.here > 0) {
            found.beyond += 1;
            if found.beyond > COUNTED {
                return Ok(Some(range(number).start));
            }
        } else if is_full {
            found.page.next = Some(id + 1);
            return Ok(None);
        } else if let Some(hit) = hit(db, id, question)? {
            found.put(hit);
        }
    }
    Ok(None)
}

/// The message behind a row id; `None` for one whose ids do not parse.
fn hit(db: &Connection, id: i64, question: &Question) -> Sql<Option<SearchHit>> {
    let (number, seq) = place(id);
    db.prepare_cached(
        "SELECT c.id AS conversation, c.project_id, coalesce(c.custom_title, c.title) AS title,
                m.id, m.seq, m.role, m.tool_name, m.tool_call_id, m.created_at, m.content
         FROM conversations c JOIN messages m ON m.conversation = c.id AND m.seq = ?2
         WHERE c.number = ?1",
    )?
    .query_row(params![number, seq], |row| row_hit(row, id, question))
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
}
