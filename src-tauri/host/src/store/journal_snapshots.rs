//! Snapshots and pages: a conversation read from a place in it instead of from its beginning. What
//! a snapshot is, the kernel says; here it is kept, found again, and made anew when it is missing.

use kernel::code::Failure;
use kernel::event::Line;
use kernel::ids::ConversationId;
use kernel::journal_snapshot::{self, JournalSnapshot, Page};
use kernel::phrase::store;
use kernel::wire::{Frame, Item, ItemBody, ItemPage, Status};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;
use std::ops::{ControlFlow, Range};

use super::sql::{int, uint};
use super::{RuntimeStore, existing, journal, sqlite_error};

type Sql<T> = Result<T, rusqlite::Error>;

/// The last page of a conversation, and where it stands.
#[derive(Debug)]
pub struct LastPage {
    /// Where it stands.
    pub snapshot: JournalSnapshot,
    /// Its last items: those after the last snapshot but one, so that there are always some.
    pub page: ItemPage,
}

impl LastPage {
    /// What a watcher that begins is sent.
    pub fn into_frame(self, status: Status) -> Frame {
        let ItemPage { items, earlier } = self.page;
        Frame::Snapshot { items, earlier, status: Box::new(status) }
    }
}

/// A snapshot and the sequence number of the line after it. The table is called `folds`, as in the
/// first version that had it: another name would need a migration and bring nothing.
type StoredSnapshot = (u64, String);

impl RuntimeStore {
    /// Keeps a snapshot. Nobody waits for it and nobody is told when it fails: it is derived.
    pub fn keep_snapshot(&self, conversation: &ConversationId, seq: u64, text: String) {
        let snapshot = (seq, text);
        self.keep(conversation, move |db, id| keep(db, id, std::slice::from_ref(&snapshot)));
    }

    /// Keeps snapshots that were missing; those of another format are not needed any more.
    fn keep_made(&self, conversation: &ConversationId, made: Vec<StoredSnapshot>) {
        if !made.is_empty() {
            self.keep(conversation, move |db, id| {
                drop_others(db, id).and_then(|_| keep(db, id, &made))
            });
        }
    }

    fn keep(
        &self,
        conversation: &ConversationId,
        act: impl Fn(&Connection, &ConversationId) -> Sql<()> + Send + 'static,
    ) {
        let conversation = conversation.clone();
        let kept = self.inner.writer.submit(move |db| {
            act(db, &conversation).map_err(|e| {
                let failure = sqlite_error::write_failed(store::the_fold_of(&conversation), &e);
                tracing::warn!(%conversation, code = %failure.code, "a snapshot was not kept");
                failure
            })
        });
        drop(kept);
    }

    /// The last page of a conversation, up to the line that begins at `end` (to its end when
    /// `None`). Reads from the last snapshot but one on; a long conversation without snapshots is
    /// read whole, once.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND` when there is none. `STORE_READ_FAILED` when the store cannot be
    /// read.
    pub async fn last_page(
        &self,
        conversation: &ConversationId,
        end: Option<u64>,
    ) -> Result<LastPage, Failure> {
        let id = conversation.clone();
        let read = self.read(move |db| read_page(db, &id, end.unwrap_or(u64::MAX), 2)).await?;
        self.keep_made(conversation, read.made);
        Ok(LastPage { snapshot: read.snapshot, page: read.page })
    }

    /// Whether a demo's trace still answers: the person may have chosen a model since.
    ///
    /// # Errors
    /// As [`last_page`](Self::last_page).
    pub(crate) async fn plays_demo(&self, conversation: &ConversationId) -> Result<bool, Failure> {
        let first = self.first_line(conversation).await?;
        let begun = first.as_ref().and_then(Line::beginning);
        let may = begun.is_some_and(|begun| begun.is_demo() || begun.run.is_none());
        Ok(may && self.last_page(conversation, None).await?.snapshot.core().plays_demo())
    }

    /// The page of a conversation that ends where the line of `before` begins.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND` when there is no such conversation. `STORE_READ_FAILED` when the
    /// store cannot be read.
    pub async fn page_before(
        &self,
        conversation: &ConversationId,
        before: u64,
    ) -> Result<ItemPage, Failure> {
        let id = conversation.clone();
        let read = self.read(move |db| {
            let mut read = read_page(db, &id, before, 1)?;
            let failed = |e| sqlite_error::read_failed(store::the_answer_in(&id), &e);
            for item in &mut read.page.items {
                tell_answer(db, &id, item).map_err(failed)?;
            }
            if read.page.items.iter().any(Item::asks) {
                let now = read_page(db, &id, u64::MAX, 1)?.snapshot;
                let passed = |item: &&mut Item| item.asks() && !now.asks(&item.id);
                read.page.items.iter_mut().filter(passed).for_each(Item::close);
            }
            Ok(read)
        });
        let read = read.await?;
        self.keep_made(conversation, read.made);
        Ok(read.page)
    }
}

/// A page as it is read, and the snapshots that were missing on the way.
struct ReadPage {
    snapshot: JournalSnapshot,
    page: ItemPage,
    made: Vec<StoredSnapshot>,
}

/// Reads up to the line that begins at `end`, from so many snapshots before it.
fn read_page(
    db: &Connection,
    conversation: &ConversationId,
    end: u64,
    snapshots: usize,
) -> Result<ReadPage, Failure> {
    existing::require(db, conversation)?;
    let failed = |e| snapshot_failed(conversation, &e);
    let found = newest(db, conversation, end, snapshots - 1).map_err(failed)?;
    let readable = found.is_ok();
    let start = found.unwrap_or_default().unwrap_or_default();
    let range = start.seq()..end;
    let kept = if readable { kept(db, conversation, &range).map_err(failed)? } else { Vec::new() };
    let mut reading = PageReader::new(start, end, snapshots, kept);
    journal::each_line(db, conversation, range, |line| {
        reading.line(&line);
        ControlFlow::Continue(())
    })?;
    Ok(reading.done())
}

/// Lines on their way into a page.
struct PageReader {
    snapshot: JournalSnapshot,
    page: Page,
    end: u64,
    /// How many snapshots a page reaches back.
    snapshots: usize,
    /// Where pages may begin, as far as is known.
    begins: Vec<u64>,
    since: u64,
    /// Folds that need not be made.
    kept: Vec<u64>,
    made: Vec<StoredSnapshot>,
}

impl PageReader {
    fn new(start: JournalSnapshot, end: u64, snapshots: usize, kept: Vec<u64>) -> Self {
        let begins = vec![start.seq()];
        let page = Page::new(start.seq());
        Self { snapshot: start, page, end, snapshots, begins, since: 0, kept, made: Vec::new() }
    }

    fn line(&mut self, line: &Line) {
        self.page.take(self.snapshot.apply(line));
        self.since += 1;
        let seq = self.snapshot.seq();
        if self.kept.binary_search(&seq).is_err() {
            if self.since < journal_snapshot::LINES || seq >= self.end {
                return;
            }
            let Some(text) = self.snapshot.text() else { return };
            self.made.push((seq, text));
        }
        self.begins.push(seq);
        self.since = 0;
        if let Some(at) = self.begins.len().checked_sub(self.snapshots) {
            self.page.cut(self.begins[at]);
        }
    }

    fn done(self) -> ReadPage {
        let begin = self.begins[self.begins.len().saturating_sub(self.snapshots)];
        let earlier = Some(begin).filter(|begin| *begin > 1);
        let page = ItemPage { items: self.page.into_items(), earlier };
        ReadPage { snapshot: self.snapshot, page, made: self.made }
    }
}

/// A snapshot of this format that is not what it should be: all of them are made anew.
struct Unreadable;

/// The last snapshot of a conversation that can be read; an empty one when there is none.
pub(super) fn last(
    db: &Connection,
    conversation: &ConversationId,
) -> Result<JournalSnapshot, Failure> {
    let found =
        newest(db, conversation, u64::MAX, 0).map_err(|e| snapshot_failed(conversation, &e))?;
    Ok(found.unwrap_or_default().unwrap_or_default())
}

/// The newest snapshot before `end` but `skip`; `None` when there is none.
fn newest(
    db: &Connection,
    conversation: &ConversationId,
    end: u64,
    skip: usize,
) -> Sql<Result<Option<JournalSnapshot>, Unreadable>> {
    let found: Option<(u64, String)> = db
        .prepare_cached(
            "SELECT seq, body FROM folds WHERE conversation = ?1 AND format = ?2 AND seq < ?3
             ORDER BY seq DESC LIMIT 1 OFFSET ?4",
        )?
        .query_row(
            params![conversation.as_str(), journal_snapshot::FORMAT, int(end), int(skip as u64)],
            |row| Ok((row.get(0).map(uint)?, row.get(1)?)),
        )
        .optional()?;
    let Some((seq, text)) = found else { return Ok(Ok(None)) };
    let snapshot = JournalSnapshot::read(&text).filter(|snapshot| snapshot.seq() == seq);
    if snapshot.is_none() {
        tracing::warn!(%conversation, seq, "a snapshot cannot be read and is made anew");
    }
    Ok(snapshot.map(Some).ok_or(Unreadable))
}

/// Where snapshots of this format stand inside `range`, in order.
fn kept(db: &Connection, conversation: &ConversationId, range: &Range<u64>) -> Sql<Vec<u64>> {
    db.prepare_cached(
        "SELECT seq FROM folds WHERE conversation = ?1 AND format = ?2 AND seq > ?3 AND seq < ?4
         ORDER BY seq",
    )?
    .query_map(
        params![conversation.as_str(), journal_snapshot::FORMAT, int(range.start), int(range.end)],
        |row| row.get(0).map(uint),
    )?
    .collect()
}

fn snapshot_failed(conversation: &ConversationId, error: &rusqlite::Error) -> Failure {
    sqlite_error::read_failed(store::the_fold_of(conversation), error)
}

fn drop_others(db: &Connection, conversation: &ConversationId) -> Sql<usize> {
    db.prepare_cached("DELETE FROM folds WHERE conversation = ?1 AND format <> ?2")?
        .execute(params![conversation.as_str(), journal_snapshot::FORMAT])
}

fn keep(db: &Connection, conversation: &ConversationId, snapshots: &[StoredSnapshot]) -> Sql<()> {
    let mut insert = db.prepare_cached(
        "INSERT OR REPLACE INTO folds (conversation, seq, format, body) VALUES (?1, ?2, ?3, ?4)",
    )?;
    for (seq, text) in snapshots {
        insert.execute(params![
            conversation.as_str(),
            int(*seq),
            journal_snapshot::FORMAT,
            text
        ])?;
    }
    Ok(())
}

/// A question of this page that was answered in a later one.
fn tell_answer(db: &Connection, conversation: &ConversationId, item: &mut Item) -> Sql<()> {
    let ItemBody::Question { answer: answer @ None, .. } = &mut item.body else { return Ok(()) };
    let submitted: Option<Option<String>> = db
        .prepare_cached(
            "SELECT widget -> '$.submittedValue' FROM messages WHERE conversation = ?1 AND id = ?2
             ORDER BY seq DESC LIMIT 1",
        )?
        .query_row(params![conversation.as_str(), item.id.as_str()], |row| row.get(0))
        .optional()?;
    *answer = submitted.flatten().and_then(|text| serde_json::from_str::<Value>(&text).ok());
    Ok(())
}
