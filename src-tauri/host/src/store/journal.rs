//! Journals: appending a decision, reading it back, paging messages.

use kernel::code::{ErrorCode, Failure};
use kernel::event::{Event, FORMAT, Line, RunStarted, TaskStarted, upcast};
use kernel::ids::{ConversationId, ProjectId};
use kernel::state_doc::StepCount;
use kernel::wire::{MessagePage, MessageRow, Origin};
use rusqlite::{Connection, Row, params};
use serde_json::json;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use super::existing::{not_found, require};
use super::rows::{self, NewRun};
use super::sql::{int, uint};
use super::{RuntimeStore, drafts, sqlite_error};
use crate::crash::{Point, point};
use kernel::phrase::{Phrase, Why, general, store};
use kernel::time::Time;

impl RuntimeStore {
    /// Appends one decision and the rows that follow from it, durable when this returns. The line
    /// must go on exactly where the last one ended (the first starts at 0 or 1), so that two
    /// writers can never both succeed.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED` when the store cannot be written, and with details
    /// `{conversation, expected, got}` for a line that does not go on there.
    /// `CONVERSATION_NOT_FOUND` when the conversation was never created.
    pub async fn append(
        &self,
        conversation: &ConversationId,
        line: impl Into<Arc<Line>>,
    ) -> Result<(), Failure> {
        self.append_counted(conversation, line.into(), None).await
    }

    /// The same, of a run that is so far in its graph afterwards.
    ///
    /// # Errors
    /// As [`append`](Self::append).
    pub(crate) async fn append_counted(
        &self,
        conversation: &ConversationId,
        line: Arc<Line>,
        steps: Option<StepCount>,
    ) -> Result<(), Failure> {
        let conversation = conversation.clone();
        let body = body(&conversation, &line)?;
        self.write(move |db| append(db, &conversation, &line, &body, steps)).await
    }

    /// Appends many decisions as [`RuntimeStore::append`] does one, all or none of them: for what
    /// was decided elsewhere or before.
    ///
    /// # Errors
    /// As [`append`](Self::append).
    pub async fn append_all(
        &self,
        conversation: &ConversationId,
        lines: Vec<Line>,
    ) -> Result<(), Failure> {
        let conversation = conversation.clone();
        let bodies = lines.iter().map(|line| body(&conversation, line));
        let bodies = bodies.collect::<Result<Vec<_>, _>>()?;
        self.write(move |db| {
            let mut pairs = lines.iter().zip(&bodies);
            pairs.try_for_each(|(line, body)| append(db, &conversation, line, body, None))
        })
        .await
    }

    /// Makes a run with its conversation and the first line of its journal: all or nothing.
    ///
    /// # Errors
    /// `PACKAGE_NOT_FOUND` when its package is not installed, or not any more. `STORE_WRITE_FAILED`
    /// when the store cannot be written.
    pub async fn create_run(&self, run: NewRun, first: &Line) -> Result<(), Failure> {
        let line = first.clone();
        let body = body(&run.conversation_id, &line)?;
        self.write(move |db| {
            rows::require_package(db, &run.package_id, store::package_went(&run.package_id))?;
            rows::insert_conversation(db, &run)
                .and_then(|_| rows::insert_run(db, &run))
                .map_err(|e| sqlite_error::write_failed(store::the_run(&run.run_id), &e))?;
            append(db, &run.conversation_id, &line, &body, None)
        })
        .await
    }

    /// Makes a conversation without a run, with the first line of its journal.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED` when the store cannot be written.
    pub async fn create_talk(
        &self,
        conversation: &ConversationId,
        project: &ProjectId,
        first: &Line,
    ) -> Result<(), Failure> {
        let (id, project, line) = (conversation.clone(), project.clone(), first.clone());
        let body = body(&id, &line)?;
        self.write(move |db| {
            rows::insert_talk(db, &id, &project, line.at)
                .map_err(|e| sqlite_error::write_failed(store::the_conversation(&id), &e))?;
            append(db, &id, &line, &body, None)
        })
        .await
    }

    /// Makes the conversation of a sub-agent with the first line of its journal.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED` when the store cannot be written.
    pub async fn create_task(&self, task: TaskStarted, first: &Line) -> Result<(), Failure> {
        let line = first.clone();
        let body = body(&task.conversation_id, &line)?;
        self.write(move |db| {
            let id = &task.conversation_id;
            rows::insert_task(db, &task, line.at)
                .map_err(|e| sqlite_error::write_failed(store::the_conversation(id), &e))?;
            append(db, id, &line, &body, None)
        })
        .await
    }

    /// The journal from the line that holds `from_seq` to its end, in order. 0 means all.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND` for a conversation that was never created; `STORE_READ_FAILED`
    /// names the conversation and the sequence number of a line that cannot be read.
    pub async fn lines(
        &self,
        conversation: &ConversationId,
        from_seq: u64,
    ) -> Result<Vec<Line>, Failure> {
        let conversation = conversation.clone();
        self.read(move |db| {
            let mut lines = Vec::new();
            each_line(db, &conversation, from_seq..u64::MAX, |line| {
                lines.push(line);
                ControlFlow::Continue(())
            })?;
            Ok(lines)
        })
        .await
    }

    /// Takes the lines of a journal in order, until `take` breaks off. The journal never lies in
    /// memory as a whole.
    ///
    /// # Errors
    /// As [`lines`](Self::lines).
    pub(crate) async fn fold_lines<T: Send + 'static>(
        &self,
        conversation: &ConversationId,
        mut folded: T,
        mut take: impl FnMut(&mut T, &Line) -> ControlFlow<()> + Send + 'static,
    ) -> Result<T, Failure> {
        let conversation = conversation.clone();
        self.read(move |db| {
            each_line(db, &conversation, 0..u64::MAX, |line| take(&mut folded, &line))?;
            Ok(folded)
        })
        .await
    }

    /// The first line of a journal; `None` before there is one.
    ///
    /// # Errors
    /// `STORE_READ_FAILED` when the store cannot be read.
    pub async fn first_line(&self, conversation: &ConversationId) -> Result<Option<Line>, Failure> {
        let conversation = conversation.clone();
        self.read(move |db| {
            let mut first = None;
            // The first sequence number is 0 or 1.
            each_line(db, &conversation, 0..2, |line| {
                first = Some(line);
                ControlFlow::Break(())
            })?;
            Ok(first)
        })
        .await
    }

    /// How often the person had the word: what they said, and the widgets they answered. The
    /// runtime's own questions about calls are no part of a conversation with the model.
    ///
    /// # Errors
    /// `STORE_READ_FAILED` when the store cannot be read.
    pub async fn inputs(&self, conversation: &ConversationId) -> Result<usize, Failure> {
        let conversation = conversation.clone();
        self.read(move |db| {
            require(db, &conversation)?;
            let sql = "SELECT count(*) FROM messages WHERE conversation = ?1 AND role = 'user' \
                       AND include_in_context";
            let count = db.query_row(sql, [conversation.as_str()], |row| row.get(0).map(uint));
            count
                .map(|n| usize::try_from(n).unwrap_or(usize::MAX))
                .map_err(|e| sqlite_error::read_failed(store::the_messages_of(&conversation), &e))
        })
        .await
    }

    /// The journal as it is stored, one JSON text a line, every line checked.
    ///
    /// # Errors
    /// As [`RuntimeStore::lines`].
    pub async fn stored_journal(
        &self,
        conversation: &ConversationId,
    ) -> Result<Vec<String>, Failure> {
        let conversation = conversation.clone();
        self.read(move |db| {
            let mut bodies = Vec::new();
            each_body(db, &conversation, 0..u64::MAX, |_, body| {
                bodies.push(body.to_owned());
                ControlFlow::Continue(())
            })?;
            Ok(bodies)
        })
        .await
    }

    /// At most `limit` messages that lie before `before` (all of them when `None`), the newest
    /// ones, oldest first.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND` for one that was never created. `STORE_READ_FAILED` when the store
    /// cannot be read.
    pub async fn messages(
        &self,
        conversation: &ConversationId,
        before: Option<u64>,
        limit: u32,
    ) -> Result<MessagePage, Failure> {
        let conversation = conversation.clone();
        self.read(move |db| {
            require(db, &conversation)?;
            page(db, &conversation, before, limit)
                .map_err(|e| sqlite_error::read_failed(store::the_messages_of(&conversation), &e))
        })
        .await
    }
}

pub(super) fn body(conversation: &ConversationId, line: &Line) -> Result<String, Failure> {
    let wrong = |why: Phrase| {
        Failure::new(
            ErrorCode::StoreWriteFailed,
            store::line_wrong(store::the_line_of(line.seq, conversation), why),
        )
        .with_action(general::report_defect())
    };
    if line.events.is_empty() {
        return Err(wrong(store::line_says_nothing()));
    }
    serde_json::to_string(line).map_err(|e| wrong(store::line_not_json(Why::quoted(e))))
}

fn append(
    db: &Connection,
    conversation: &ConversationId,
    line: &Line,
    body: &str,
    steps: Option<StepCount>,
) -> Result<(), Failure> {
    let what = || store::the_line_of(line.seq, conversation);
    let failed = |e: rusqlite::Error| sqlite_error::write_failed(what(), &e);
    let expected = rows::next_seq(db, conversation).map_err(failed)?;
    // Where there is a line there is a conversation.
    if expected.is_none() && !rows::conversation_exists(db, conversation).map_err(failed)? {
        return Err(not_found(conversation));
    }
    if expected.map_or(line.seq > 1, |seq| seq != line.seq) {
        let expected = expected.unwrap_or(1);
        return Err(Failure::new(
            ErrorCode::StoreWriteFailed,
            store::line_behind(what(), expected),
        )
        .with_details(
            json!({ "conversation": conversation, "expected": expected, "got": line.seq }),
        )
        .with_action(store::open_run_again()));
    }
    for event in &line.events {
        // One that was taken over may have been left without its package.
        if let Event::RunStarted(RunStarted { package_id, origin: None, .. }) = event {
            rows::require_package(db, package_id, store::package_went(package_id))?;
        }
    }
    point(Point::BeforeLine);
    rows::insert_line(db, conversation, line, body).map_err(failed)?;
    point(Point::BeforeRows);
    rows::apply_derived(db, conversation, line, steps).map_err(failed)?;
    drafts::sent(db, conversation, line).map_err(failed)
}

/// Gives `act` the lines that begin in `range` in order, one at a time: a long journal never lies
/// in memory as a whole. The line that holds the start of the range is the first, and the one at
/// which `act` breaks off is the last.
pub(super) fn each_line(
    db: &Connection,
    conversation: &ConversationId,
    range: Range<u64>,
    mut act: impl FnMut(Line) -> ControlFlow<()>,
) -> Result<(), Failure> {
    each_body(db, conversation, range, |line, _| act(line))
}

/// The same with the text each line is stored as.
fn each_body(
    db: &Connection,
    conversation: &ConversationId,
    range: Range<u64>,
    mut act: impl FnMut(Line, &str) -> ControlFlow<()>,
) -> Result<(), Failure> {
    require(db, conversation)?;
    let failed =
        |e: rusqlite::Error| sqlite_error::read_failed(store::the_journal_of(conversation), &e);
    let mut statement = db.prepare_cached(LINES_OF_RANGE).map_err(failed)?;
    let range = params![conversation.as_str(), int(range.start), int(range.end)];
    let mut rows = statement.query(range).map_err(failed)?;
    let mut expected = None;
    while let Some(row) = rows.next().map_err(failed)? {
        let read = || Ok((row.get(0).map(uint)?, row.get(1).map(uint)?, row.get_ref(2)?));
        let (seq, format, body) = read().map_err(failed)?;
        let body = body.as_str().map_err(|e| unreadable(conversation, seq, Why::quoted(e)))?;
        let line = parse(conversation, seq, format, body)?;
        if let Some(expected) = expected.filter(|expected| *expected != seq) {
            return Err(unreadable(conversation, expected, store::line_missing()));
        }
        expected = Some(line.next_seq());
        if act(line, body).is_break() {
            break;
        }
    }
    Ok(())
}

const LINES_OF_RANGE: &str = "SELECT seq, format, body FROM lines
     WHERE conversation = ?1 AND seq < ?3 AND next_seq > ?2 AND seq >= coalesce(
         (SELECT max(seq) FROM lines WHERE conversation = ?1 AND seq <= ?2), 0)
     ORDER BY seq";

/// One line, read and checked against the row it stood in.
pub(super) fn parse(
    conversation: &ConversationId,
    seq: u64,
    format: u64,
    body: &str,
) -> Result<Line, Failure> {
    if format > u64::from(FORMAT) {
        let why = store::line_format(format, FORMAT);
        let failure = unreadable(conversation, seq, why);
        return Err(failure.with_action(general::update_the_program()));
    }
    let line = upcast(body).map_err(|e| unreadable(conversation, seq, Why::json(&e)))?;
    if line.seq == seq && !line.events.is_empty() {
        Ok(line)
    } else {
        Err(unreadable(conversation, seq, store::line_of_another()))
    }
}

fn unreadable(conversation: &ConversationId, seq: u64, why: impl Into<Why>) -> Failure {
    Failure::new(ErrorCode::StoreReadFailed, store::line_unreadable(seq, conversation, why))
        .with_details(json!({ "conversation": conversation, "seq": seq }))
        .with_action(store::start_a_new_run())
}

fn page(
    db: &Connection,
    conversation: &ConversationId,
    before: Option<u64>,
    limit: u32,
) -> Result<MessagePage, rusqlite::Error> {
    let mut messages = Vec::new();
    let mut found: u32 = 0;
    let mut statement = db.prepare_cached(
        "SELECT * FROM messages WHERE conversation = ?1 AND seq < ?2 ORDER BY seq DESC LIMIT ?3",
    )?;
    let before = before.map_or(i64::MAX, int);
    let mut rows = statement.query(params![conversation.as_str(), before, i64::from(limit) + 1])?;
    while let Some(row) = rows.next()? {
        found += 1;
        if found > limit {
            break;
        }
        if let Some(message) = message(row)? {
            messages.push(message);
        } else {
            tracing::warn!(%conversation, "a message row cannot be read and is left out");
        }
    }
    messages.reverse();
    Ok(MessagePage { messages, earlier: found > limit })
}

/// `None` for a row with an id or JSON that does not parse.
pub(super) fn message(row: &Row<'_>) -> Result<Option<MessageRow>, rusqlite::Error> {
    fn json<T: serde::de::DeserializeOwned>(text: Option<String>) -> Option<T> {
        text.and_then(|t| serde_json::from_str(&t).ok())
    }
    fn id<T: std::str::FromStr>(text: Option<String>) -> Option<T> {
        text.and_then(|t| t.parse().ok())
    }
    let Some(message_id) = id(row.get("id")?) else { return Ok(None) };
    Ok(Some(MessageRow {
        id: message_id,
        seq: uint(row.get("seq")?),
        role: row.get("role")?,
        content: row.get("content")?,
        thinking: row.get("thinking")?,
        tool_calls: json(row.get("tool_calls")?),
        tool_call_id: row
            .get::<_, Option<String>>("tool_call_id")?
            .map(|t| kernel::ids::CallId::new(&t)),
        part_type: row.get("part_type")?,
        tool_name: row.get("tool_name")?,
        duration_ms: row.get::<_, Option<i64>>("duration_ms")?.map(uint),
        widget: json(row.get("widget")?),
        files: json(row.get("files")?).unwrap_or_default(),
        origin: Origin {
            mode: row.get("mode")?,
            run_id: id(row.get("run_id")?),
            workflow_id: id(row.get("workflow_id")?),
            agent_id: id(row.get("agent_id")?),
        },
        include_in_context: row.get("include_in_context")?,
        full_output_path: id(row.get("full_output_path")?),
        created_at: Time::from_millis(row.get("created_at")?),
        turn: uint(row.get("turn")?),
        tokens: row.get::<_, Option<i64>>("tokens")?.map(uint),
        usage: json(row.get("usage")?),
    }))
}
