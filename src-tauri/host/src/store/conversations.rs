//! Conversations as people handle them: the list, their titles, their messages page by page.
//! Everything comes from table rows, never from folding a journal.

use kernel::code::{ErrorCode, Failure};
use kernel::ids::{ConversationId, ProjectId};
use kernel::mode::Mode;
use kernel::phrase::store;
use kernel::time::Time;
use kernel::wire::{
    ConversationPage, ConversationRun, ConversationSummary, MessagePage, MessageRow, TalkView,
};
use rusqlite::{Connection, Params, Row, named_params, params};

use super::lists::all;
use super::sql::{from_sql, int, node_of, steps_of, uint};
use super::terms::Question;
use super::{RuntimeStore, existing, journal, sqlite_error};

type Sql<T> = Result<T, rusqlite::Error>;

/// Characters of a title at most.
const TITLE_CHARS: usize = 200;
/// Conversations of a page when nobody says, and at most.
const PAGE: u32 = 50;
const MAX_PAGE: u32 = 500;

/// Where a page of the list begins: behind this conversation. Its text is opaque to clients.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cursor {
    at: Time,
    id: ConversationId,
}

impl Cursor {
    fn parse(text: &str) -> Result<Self, Failure> {
        let parts = text.split_once('~').map(|(at, id)| (at.parse(), id.parse()));
        let Some((Ok(at), Ok(id))) = parts else {
            return Err(Failure::new(ErrorCode::BadRequest, store::place_unknown())
                .with_action(store::read_from_beginning()));
        };
        Ok(Self { at: Time::from_millis(at), id })
    }

    fn of(last: &ConversationSummary) -> String {
        format!("{}~{}", last.last_active_at.millis(), last.conversation_id)
    }
}

fn summary(row: &Row<'_>) -> Sql<Option<ConversationSummary>> {
    let ids = (row.get::<_, String>("id")?.parse(), row.get::<_, String>("project_id")?.parse());
    let (Ok(conversation_id), Ok(project_id)) = ids else { return Ok(None) };
    let (generated_title, custom_title): (String, Option<String>) =
        (row.get("title")?, row.get("custom_title")?);
    Ok(Some(ConversationSummary {
        conversation_id,
        project_id,
        title: custom_title.clone().unwrap_or_else(|| generated_title.clone()),
        generated_title,
        custom_title,
        mode: row.get("mode")?,
        talk: talk(row)?,
        runs: Vec::new(),
        message_count: uint(row.get("message_count")?),
        created_at: Time::from_millis(row.get("created_at")?),
        last_active_at: Time::from_millis(row.get("last_active_at")?),
    }))
}

/// The talk that a conversation is while no run is gone on with.
fn talk(row: &Row<'_>) -> Sql<Option<TalkView>> {
    let text = |column: &str| row.get::<_, Option<String>>(column);
    let Some(phase) = text("phase")?.and_then(from_sql) else { return Ok(None) };
    let package = text("agent_package")?.and_then(|id| id.parse().ok());
    let agent = package.zip(text("agent")?.and_then(|id| id.parse().ok()));
    let with =
        agent.map_or(Mode::Chat, |(package_id, agent_id)| Mode::Agent { package_id, agent_id });
    Ok(Some(TalkView { with, phase, reason: text("reason")?.and_then(from_sql) }))
}

fn run(row: &Row<'_>) -> Sql<Option<ConversationRun>> {
    let text = |column: &str| row.get::<_, String>(column);
    let ids = (text("id")?.parse(), text("package_id")?.parse(), text("workflow_id")?.parse());
    let (Ok(run_id), Ok(package_id), Ok(workflow_id)) = ids else { return Ok(None) };
    let Some(phase) = from_sql(text("phase")?) else { return Ok(None) };
    let reason = row.get::<_, Option<String>>("reason")?.and_then(from_sql);
    let since = Time::from_millis(row.get("updated_at")?);
    let (node_id, steps) = (node_of(row)?, steps_of(row));
    Ok(Some(ConversationRun {
        run_id,
        package_id,
        workflow_id,
        phase,
        reason,
        since,
        node_id,
        steps,
    }))
}

/// Conversations with their runs, newest run first.
pub(super) fn summaries<P: Params>(
    db: &Connection,
    sql: &str,
    params: P,
) -> Result<Vec<ConversationSummary>, Failure> {
    let mut found = all(db, "conversations", sql, params, summary)?;
    for conversation in &mut found {
        // Which run is the newest says the journal, not the clock.
        let sql = "SELECT * FROM runs WHERE conversation_id = ?1
             ORDER BY id = (SELECT run FROM conversations WHERE id = ?1) DESC, created_at DESC, id DESC";
        conversation.runs = all(db, "runs", sql, [conversation.conversation_id.as_str()], run)?;
    }
    Ok(found)
}

/// Conversations whose title holds every phrase, newest first.
pub(super) fn titled(
    db: &Connection,
    project: Option<&ProjectId>,
    question: &Question,
    limit: usize,
) -> Result<Vec<ConversationSummary>, Failure> {
    let read = || -> Sql<Vec<String>> {
        let mut statement = db.prepare_cached(
            "SELECT id, coalesce(custom_title, title) FROM conversations
             WHERE parent IS NULL AND (?1 IS NULL OR project_id = ?1) ORDER BY last_active_at DESC, id DESC",
        )?;
        let mut rows = statement.query([project.map(ProjectId::as_str)])?;
        let mut ids = Vec::new();
        while let Some(row) = rows.next()? {
            if question.is_in(row.get_ref(1)?.as_str().unwrap_or_default()) {
                ids.push(row.get(0)?);
            }
            if ids.len() == limit {
                break;
            }
        }
        Ok(ids)
    };
    let ids = read().map_err(|e| sqlite_error::read_failed(store::the_titles(), &e))?;
    let ids = serde_json::to_string(&ids).unwrap_or_default();
    let sql = "SELECT * FROM conversations WHERE id IN (SELECT value FROM json_each(?1))
               ORDER BY last_active_at DESC, id DESC";
    summaries(db, sql, [ids])
}

impl RuntimeStore {
    /// A page of conversations, last active first; of every project when none is named. `after` is
    /// the `next` of the page before, `limit` is 50 when absent and 500 at most.
    ///
    /// # Errors
    /// `BAD_REQUEST` for an `after` that is none. `STORE_READ_FAILED` when the store cannot be
    /// read.
    pub async fn conversations(
        &self,
        project_id: Option<ProjectId>,
        limit: Option<u32>,
        after: Option<&str>,
    ) -> Result<ConversationPage, Failure> {
        let after = after.map(Cursor::parse).transpose()?;
        let limit = limit.unwrap_or(PAGE).clamp(1, MAX_PAGE);
        self.read(move |db| {
            // Two statements, so that the second has its index.
            let own =
                if project_id.is_some() { "project_id = :project" } else { ":project IS NULL" };
            let sql = format!(
                "SELECT * FROM conversations WHERE parent IS NULL AND {own}
                   AND (last_active_at, id) < (:at, :id)
                 ORDER BY last_active_at DESC, id DESC LIMIT :limit"
            );
            let (at, id) = match &after {
                Some(cursor) => (cursor.at.millis(), cursor.id.as_str()),
                None => (i64::MAX, ""),
            };
            let mut found = summaries(
                db,
                &sql,
                named_params! {
                    ":project": project_id.as_ref().map(ProjectId::as_str),
                    ":at": at, ":id": id, ":limit": i64::from(limit) + 1,
                },
            )?;
            let more = found.len() > limit as usize;
            found.truncate(limit as usize);
            let next = found.last().filter(|_| more).map(Cursor::of);
            Ok(ConversationPage { conversations: found, next })
        })
        .await
    }

    /// One conversation.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND` when there is none of that id. `STORE_READ_FAILED` when the store
    /// cannot be read.
    pub async fn conversation(&self, id: &ConversationId) -> Result<ConversationSummary, Failure> {
        let wanted = id.clone();
        self.read(move |db| {
            let sql = "SELECT * FROM conversations WHERE id = ?1";
            summaries(db, sql, [wanted.as_str()])?.pop().ok_or_else(|| existing::not_found(&wanted))
        })
        .await
    }

    /// The conversations of a project, without their runs' details.
    ///
    /// # Errors
    /// `STORE_READ_FAILED` when the store cannot be read.
    pub async fn conversations_of(
        &self,
        project_id: &ProjectId,
    ) -> Result<Vec<ConversationId>, Failure> {
        let wanted = project_id.clone();
        self.read(move |db| {
            let sql = "SELECT id FROM conversations WHERE project_id = ?1 ORDER BY id";
            all(db, "conversations", sql, [wanted.as_str()], |row| {
                Ok(row.get::<_, String>(0)?.parse().ok())
            })
        })
        .await
    }

    /// Calls a conversation by a title of the person's; an empty one brings the generated title
    /// back. Line breaks become spaces and what is over 200 characters goes.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND` when there is none of that id. `STORE_WRITE_FAILED` when the store
    /// cannot be written.
    pub async fn rename_conversation(
        &self,
        id: &ConversationId,
        title: &str,
    ) -> Result<(), Failure> {
        let title = one_line(title);
        let id = id.clone();
        self.write(move |db| {
            let changed = db
                .execute(
                    "UPDATE conversations SET custom_title = nullif(?2, '') WHERE id = ?1",
                    params![id.as_str(), title],
                )
                .map_err(|e| sqlite_error::write_failed(store::the_title_of(&id), &e))?;
            if changed == 1 { Ok(()) } else { Err(existing::not_found(&id)) }
        })
        .await
    }

    /// At most `limit` messages behind `after` (from the first one when `None`), oldest first, up
    /// to `until`: the way to read a whole conversation without holding it.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND` for one that is not there. `STORE_READ_FAILED` when the store
    /// cannot be read.
    pub async fn messages_from(
        &self,
        id: &ConversationId,
        after: Option<u64>,
        until: u64,
        limit: u32,
    ) -> Result<Vec<MessageRow>, Failure> {
        let id = id.clone();
        self.read(move |db| {
            existing::require(db, &id)?;
            let sql = "SELECT * FROM messages WHERE conversation = ?1 AND seq > ?2 AND seq <= ?3
                       ORDER BY seq LIMIT ?4";
            let after = after.map_or(-1, int);
            let params = params![id.as_str(), after, int(until), i64::from(limit)];
            all(db, "messages", sql, params, journal::message)
        })
        .await
    }

    /// The `page`th page of `limit` messages counted from the end: 1 is the newest.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND` for one that was never created. `STORE_READ_FAILED` when the store
    /// cannot be read.
    pub async fn message_page(
        &self,
        id: &ConversationId,
        page: u32,
        limit: u32,
    ) -> Result<MessagePage, Failure> {
        let wanted = id.clone();
        let skipped = i64::from(page.max(1) - 1) * i64::from(limit);
        let before: Option<i64> = self
            .read(move |db| {
                existing::require(db, &wanted)?;
                db.prepare_cached(
                    "SELECT seq FROM messages WHERE conversation = ?1
                     ORDER BY seq DESC LIMIT 1 OFFSET ?2",
                )
                .and_then(|mut s| {
                    let mut rows = s.query(params![wanted.as_str(), skipped])?;
                    rows.next()?.map(|row| row.get(0)).transpose()
                })
                .map_err(|e| sqlite_error::read_failed(store::the_messages(), &e))
            })
            .await?;
        match before {
            Some(seq) => self.messages(id, Some(uint(seq) + 1), limit).await,
            None => Ok(MessagePage::default()),
        }
    }
}

/// A title as it is kept.
fn one_line(title: &str) -> String {
    let words: Vec<&str> = title.split(|c: char| c.is_whitespace() || c.is_control()).collect();
    let words: Vec<&str> = words.into_iter().filter(|w| !w.is_empty()).collect();
    words.join(" ").chars().take(TITLE_CHARS).collect::<String>().trim_end().to_owned()
}
