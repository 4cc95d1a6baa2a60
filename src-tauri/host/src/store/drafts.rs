//! Drafts (spec 08 "Drafts"): what a person has written and not sent, and where they were. They are
//! no part of a journal; what is sent is forgotten in the transaction of the line that says so.

use kernel::bounds::{DRAFT_BYTES, DRAFTS};
use kernel::code::{ErrorCode, Failure};
use kernel::draft::{Draft, DraftPlace};
use kernel::event::{Event, Line};
use kernel::ids::ConversationId;
use kernel::phrase::{Why, general, store};
use kernel::text::bytes;
use kernel::time::Time;
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;

use super::{RuntimeStore, existing, lists, sqlite_error};

type Sql<T> = Result<T, rusqlite::Error>;

impl RuntimeStore {
    /// Keeps a draft in place of the one before, durable when this returns; the oldest beyond
    /// [`DRAFTS`] go, and never the window's.
    ///
    /// # Errors
    /// `BAD_REQUEST` for one over [`DRAFT_BYTES`]: the one before stays. `CONVERSATION_NOT_FOUND`
    /// when its conversation is not there. `STORE_WRITE_FAILED` when the store cannot be written.
    pub async fn keep_draft(&self, draft: Draft) -> Result<(), Failure> {
        let body = draft.value.to_string();
        if body.len() > DRAFT_BYTES {
            let (size, limit) = (bytes(body.len() as u64), bytes(DRAFT_BYTES as u64));
            let words = store::draft_too_large(size, limit);
            let failure = Failure::new(ErrorCode::BadRequest, words);
            return Err(failure.with_action(store::draft_elsewhere()));
        }
        let (place, at) = (key(&draft.place)?, draft.at.millis());
        let window = key(&DraftPlace::Window)?;
        self.write(move |db| {
            let conversation = draft.place.conversation();
            conversation.map_or(Ok(()), |id| existing::require(db, id))?;
            keep(db, &place, conversation, &body, at).map_err(|e| failed(&e))?;
            forget_oldest(db, &window).map_err(|e| failed(&e))
        })
        .await
    }

    /// Forgets a draft, also one that is not there.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED` when the store cannot be written.
    pub async fn forget_draft(&self, place: &DraftPlace) -> Result<(), Failure> {
        let place = key(place)?;
        self.write(move |db| forget(db, &place).map_err(|e| failed(&e))).await
    }

    /// Every draft, the one changed last first.
    ///
    /// # Errors
    /// `STORE_READ_FAILED` when the store cannot be read.
    pub async fn drafts(&self) -> Result<Vec<Draft>, Failure> {
        self.read(|db| {
            let sql = "SELECT place, body, at FROM drafts ORDER BY at DESC, place";
            lists::all(db, "drafts", sql, [], |row| {
                let place = serde_json::from_str(&row.get::<_, String>(0)?);
                let value = serde_json::from_str(&row.get::<_, String>(1)?);
                let at = Time::from_millis(row.get(2)?);
                Ok(place.ok().zip(value.ok()).map(|(place, value)| Draft { place, value, at }))
            })
        })
        .await
    }
}

fn key(place: &DraftPlace) -> Result<String, Failure> {
    serde_json::to_string(place)
        .map_err(|e| Failure::new(ErrorCode::Internal, general::in_its_words(Why::quoted(e))))
}

fn failed(error: &rusqlite::Error) -> Failure {
    sqlite_error::write_failed(store::the_draft(), error)
}

fn keep(
    db: &Connection,
    place: &str,
    conversation: Option<&ConversationId>,
    body: &str,
    at: i64,
) -> Sql<()> {
    db.prepare_cached(
        "INSERT INTO drafts (place, conversation, body, at) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (place) DO UPDATE SET body = ?3, at = ?4",
    )?
    .execute(params![place, conversation.map(ConversationId::as_str), body, at])
    .map(drop)
}

/// Forgets the oldest drafts beyond [`DRAFTS`], but not the place `kept`, which is none of them.
fn forget_oldest(db: &Connection, kept: &str) -> Sql<()> {
    db.prepare_cached(
        "DELETE FROM drafts WHERE place <> ?2 AND place NOT IN
           (SELECT place FROM drafts WHERE place <> ?2 ORDER BY at DESC, place LIMIT ?1)",
    )?
    .execute(params![DRAFTS, kept])
    .map(drop)
}

fn forget(db: &Connection, place: &str) -> Sql<()> {
    db.prepare_cached("DELETE FROM drafts WHERE place = ?1")?.execute([place]).map(drop)
}

/// Forgets what a line says was sent: an answer, whoever gave it, and words that are the draft's.
/// Other words than those being written were said elsewhere, at a terminal.
pub(super) fn sent(db: &Connection, conversation: &ConversationId, line: &Line) -> Sql<()> {
    let conversation_id = conversation.clone();
    for event in &line.events {
        let place = match event {
            Event::WidgetAnswered(e) => {
                DraftPlace::Widget { conversation_id, message_id: e.widget_message_id.clone() }
            }
            Event::UserSaid(_) => DraftPlace::Composer { conversation_id },
            _ => continue,
        };
        let Ok(place) = key(&place) else { return Ok(()) };
        let other = match event {
            Event::UserSaid(e) => written(db, &place)?.is_none_or(|w| w.trim() != e.text.trim()),
            _ => false,
        };
        // A line holds one input.
        return if other { Ok(()) } else { forget(db, &place) };
    }
    Ok(())
}

/// The words of a draft.
fn written(db: &Connection, place: &str) -> Sql<Option<String>> {
    let body: Option<String> = db
        .prepare_cached("SELECT body FROM drafts WHERE place = ?1")?
        .query_row([place], |row| row.get(0))
        .optional()?;
    let value: Option<Value> = body.and_then(|body| serde_json::from_str(&body).ok());
    Ok(value.and_then(|value| value.as_str().map(str::to_owned)))
}
