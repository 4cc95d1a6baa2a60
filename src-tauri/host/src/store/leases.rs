//! Leases: who works on a conversation (spec 08). One row per conversation says who holds it, and
//! carries the wish that the work stops; the loser is told who holds it. Whether the holder lives is
//! asked of the operating system alone ([`Instance`]): nothing is renewed, and nothing expires
//! (ADR 17).

use std::sync::{Arc, Weak};
use std::time::Duration;

use kernel::code::{ErrorCode, Failure};
use kernel::ids::ConversationId;
use kernel::phrase::store;
use kernel::time::Time;
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::json;
use tokio::sync::{Notify, oneshot};

use super::inner::Inner;
use super::instance::Instance;
use super::own_leases::OwnLeases;
use super::{RuntimeStore, sqlite_error, writer};
use crate::clock::{Clock, SystemClock};
use crate::failure;

/// How often a holder looks at its mark, and an asker whether the work has ended.
pub(super) const LOOK: Duration = Duration::from_millis(100);

/// Who takes a lease: shown to whoever finds the run busy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// `window`, `cli`, …
    pub name: String,
    /// The process.
    pub pid: u32,
}

impl Holder {
    /// This process under a name.
    pub fn this_process(name: &str) -> Self {
        Self { name: name.into(), pid: std::process::id() }
    }
}

/// The right to work on a conversation. It lasts until it is dropped, or its process ends.
#[must_use = "the lease ends when it is dropped"]
pub struct Lease {
    store: RuntimeStore,
    token: String,
    stop: Arc<Notify>,
    attending: Option<tokio::task::AbortHandle>,
}

impl std::fmt::Debug for Lease {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Lease")
    }
}

impl Lease {
    /// Returns when somebody asks for the work to stop; told once.
    pub async fn stop_asked(&self) {
        self.stop.notified().await;
    }

    /// Ends the lease and waits until others can see that. Dropping does the same without
    /// waiting.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED` when the disk does not take it, or the store has stopped writing; other
    /// programs then take the lease for held until this one ends.
    pub async fn release(self) -> Result<(), Failure> {
        let ending = self.end();
        ending.await.unwrap_or_else(|_| Err(writer::stopped()))
    }

    fn end(&self) -> oneshot::Receiver<Result<(), Failure>> {
        self.store.inner.held.tokens().remove(&self.token);
        let token = self.token.clone();
        self.store.inner.writer.submit(move |db| {
            db.execute("DELETE FROM leases WHERE token = ?1", [&token])
                .map(drop)
                .map_err(|e| sqlite_error::write_failed(store::the_end_of_a_lease(), &e))
        })
    }

    fn attend(&mut self) {
        // Weak: a lease must not keep the store's thread alive.
        let store = Arc::downgrade(&self.store.inner);
        let attending = attend(store, self.token.clone(), Arc::clone(&self.stop));
        self.attending = Some(tokio::spawn(attending).abort_handle());
    }
}

/// Looks whether somebody asks for the work to stop.
async fn attend(store: Weak<Inner>, token: String, stop: Arc<Notify>) {
    let mut asked = false;
    loop {
        tokio::time::sleep(LOOK).await;
        let Some(inner) = store.upgrade() else { return };
        let now = RuntimeStore { inner }.stop_is_asked(&token).await.unwrap_or_default();
        if now && !asked {
            stop.notify_one();
        }
        asked |= now;
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(task) = &self.attending {
            task.abort();
        }
        // Not waited for: a row left behind counts as dead, its token being held by nobody.
        drop(self.end());
    }
}

impl RuntimeStore {
    /// Takes the right to work on a conversation. A lease whose process is dead is taken over. The
    /// conversation need not exist yet.
    ///
    /// # Errors
    /// `RUN_BUSY` with details `{holder, pid, since}` when somebody has it, also within this
    /// process. `STORE_WRITE_FAILED` when the store cannot be written.
    pub async fn acquire(
        &self,
        conversation: &ConversationId,
        holder: Holder,
    ) -> Result<Lease, Failure> {
        let token = uuid::Uuid::now_v7().to_string();
        self.inner.held.tokens().insert(token.clone());
        // Made first, so that a caller who stops waiting still releases what was taken.
        let mut lease = Lease {
            store: self.clone(),
            token: token.clone(),
            stop: Arc::default(),
            attending: None,
        };
        let request = LeaseRequest {
            conversation: conversation.clone(),
            token,
            holder,
            now: SystemClock.now(),
            instance: Arc::clone(&self.inner.instance),
            held: Arc::clone(&self.inner.held),
        };
        self.write(move |db| request.take(db)).await?;
        lease.attend();
        Ok(lease)
    }
}

struct LeaseRequest {
    conversation: ConversationId,
    token: String,
    holder: Holder,
    now: Time,
    instance: Arc<Instance>,
    held: Arc<OwnLeases>,
}

impl LeaseRequest {
    fn take(&self, db: &Connection) -> Result<(), Failure> {
        let what = || store::the_lease_of(&self.conversation);
        let failed = |e: rusqlite::Error| sqlite_error::write_failed(what(), &e);
        let not_shown = |e| failure::io(ErrorCode::StoreWriteFailed, what(), &e);
        // Before the row: from then on others ask for it.
        self.instance.keep_file().map_err(not_shown)?;
        let found = db
            .query_row(
                "SELECT * FROM leases WHERE conversation = ?1",
                [self.conversation.as_str()],
                row,
            )
            .optional()
            .map_err(failed)?;
        if let Some(found) = found
            && found.is_alive(&self.instance, &self.held)
        {
            return Err(busy(&self.conversation, &found));
        }
        // `heartbeat_at` is for older programs, which ask it where there is no lock file.
        db.execute(
            "INSERT OR REPLACE INTO leases
                 (conversation, token, instance, holder, pid, since, heartbeat_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)",
            params![
                self.conversation.as_str(),
                self.token,
                self.instance.id(),
                self.holder.name,
                self.holder.pid,
                self.now.millis()
            ],
        )
        .map(drop)
        .map_err(failed)
    }
}

/// `RUN_BUSY`, with who has it.
pub(super) fn busy(conversation: &ConversationId, by: &LeaseRow) -> Failure {
    Failure::new(
        ErrorCode::RunBusy,
        store::conversation_busy(conversation, &by.holder, by.pid, by.since),
    )
    .with_details(json!({ "holder": by.holder, "pid": by.pid, "since": by.since }))
    .with_action(store::close_it_there())
}

/// Who works on a conversation.
pub(super) struct LeaseRow {
    conversation: String,
    pub(super) token: String,
    instance: String,
    holder: String,
    pid: i64,
    since: Time,
}

pub(super) fn row(row: &rusqlite::Row<'_>) -> Result<LeaseRow, rusqlite::Error> {
    Ok(LeaseRow {
        conversation: row.get("conversation")?,
        token: row.get("token")?,
        instance: row.get("instance")?,
        holder: row.get("holder")?,
        pid: row.get("pid")?,
        since: Time::from_millis(row.get("since")?),
    })
}

impl LeaseRow {
    /// Our own: held or not. Another store's: its lock says so.
    pub(super) fn is_alive(&self, instance: &Instance, held: &OwnLeases) -> bool {
        if self.instance == instance.id() {
            held.tokens().contains(&self.token)
        } else {
            instance.is_alive(&self.instance)
        }
    }
}

/// Deletes the leases of the dead; returns the conversations of the living.
pub(super) fn release_dead(
    db: &Connection,
    instance: &Instance,
    held: &OwnLeases,
) -> Result<Vec<String>, rusqlite::Error> {
    let rows: Vec<LeaseRow> =
        db.prepare("SELECT * FROM leases")?.query_map([], row)?.collect::<Result<_, _>>()?;
    let mut live = Vec::new();
    for lease in rows {
        if lease.is_alive(instance, held) {
            live.push(lease.conversation);
        } else {
            db.execute("DELETE FROM leases WHERE token = ?1", [&lease.token])?;
        }
    }
    Ok(live)
}
