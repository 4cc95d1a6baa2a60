//! Leases: who works on a conversation (spec 08). One row per conversation, renewed by a
//! heartbeat; the loser is told who holds it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

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

/// How often a lease is renewed.
const RENEWAL: Duration = Duration::from_secs(10);

/// Milliseconds after which a lease counts as dead when its owner cannot be asked.
const EXPIRY: i64 = 30_000;

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

/// The right to work on a conversation. Renews itself; released when dropped.
#[must_use = "the lease ends when it is dropped"]
pub struct Lease {
    store: RuntimeStore,
    token: String,
    lost: Arc<AtomicBool>,
    stop: Arc<Notify>,
    renewal: Option<tokio::task::AbortHandle>,
}

impl std::fmt::Debug for Lease {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lease").field("lost", &self.is_lost()).finish_non_exhaustive()
    }
}

impl Lease {
    /// True when another process has taken the conversation over, which it only does when it
    /// takes this one for dead. Nothing can be damaged then: the journal refuses the next line.
    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// Returns when somebody asks for the work to stop; told once.
    pub async fn stop_asked(&self) {
        self.stop.notified().await;
    }

    /// Ends the lease and waits until others can see that. Dropping does the same without
    /// waiting.
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

    fn start_renewal(&mut self, every: Duration) {
        // Weak: a lease must not keep the store's thread alive.
        let store = Arc::downgrade(&self.store.inner);
        let (lost, stop) = (Arc::clone(&self.lost), Arc::clone(&self.stop));
        let attending = attend(store, self.token.clone(), every, lost, stop);
        self.renewal = Some(tokio::spawn(attending).abort_handle());
    }
}

/// Renews a lease, and looks whether somebody asks for the work to stop.
async fn attend(
    store: Weak<Inner>,
    token: String,
    every: Duration,
    lost: Arc<AtomicBool>,
    stop: Arc<Notify>,
) {
    let mut renewed = Instant::now();
    let mut asked = false;
    loop {
        tokio::time::sleep(LOOK.min(every)).await;
        let Some(inner) = store.upgrade() else { return };
        let store = RuntimeStore { inner };
        if !asked && store.stop_is_asked(&token).await.unwrap_or_default() {
            asked = true;
            stop.notify_one();
        }
        if renewed.elapsed() < every {
            continue;
        }
        renewed = Instant::now();
        match renew(store, &token).await {
            Ok(true) => {}
            Ok(false) => {
                lost.store(true, Ordering::Relaxed);
                tracing::warn!("another process has taken a conversation over");
                return;
            }
            Err(failure) => tracing::warn!(%failure, "a lease was not renewed"),
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(task) = &self.renewal {
            task.abort();
        }
        // Not waited for: a row left behind counts as dead, its token being held by nobody.
        drop(self.end());
    }
}

async fn renew(store: RuntimeStore, token: &str) -> Result<bool, Failure> {
    let (token, now) = (token.to_owned(), SystemClock.now());
    store
        .write(move |db| {
            db.execute(
                "UPDATE leases SET heartbeat_at = ?2 WHERE token = ?1",
                params![token, now.millis()],
            )
            .map(|changed| changed == 1)
            .map_err(|e| sqlite_error::write_failed(store::the_lease(), &e))
        })
        .await
}

impl RuntimeStore {
    /// Takes the right to work on a conversation. `RUN_BUSY` with details `{holder, pid, since}`
    /// when somebody has it, also within this process. A lease whose process is dead is taken
    /// over. The conversation need not exist yet.
    pub async fn acquire(
        &self,
        conversation: &ConversationId,
        holder: Holder,
    ) -> Result<Lease, Failure> {
        self.acquire_renewing(conversation, holder, RENEWAL).await
    }

    /// [`RuntimeStore::acquire`] with the time between heartbeats.
    pub(super) async fn acquire_renewing(
        &self,
        conversation: &ConversationId,
        holder: Holder,
        every: Duration,
    ) -> Result<Lease, Failure> {
        let token = uuid::Uuid::now_v7().to_string();
        self.inner.held.tokens().insert(token.clone());
        // Made first, so that a caller who stops waiting still releases what was taken.
        let mut lease = Lease {
            store: self.clone(),
            token: token.clone(),
            lost: Arc::default(),
            stop: Arc::default(),
            renewal: None,
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
        lease.start_renewal(every);
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
        let found = db
            .query_row(
                "SELECT * FROM leases WHERE conversation = ?1",
                [self.conversation.as_str()],
                row,
            )
            .optional()
            .map_err(failed)?;
        if let Some(found) = found
            && found.is_alive(&self.instance, &self.held, self.now)
        {
            return Err(busy(&self.conversation, &found));
        }
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
    heartbeat_at: Time,
}

pub(super) fn row(row: &rusqlite::Row<'_>) -> Result<LeaseRow, rusqlite::Error> {
    Ok(LeaseRow {
        conversation: row.get("conversation")?,
        token: row.get("token")?,
        instance: row.get("instance")?,
        holder: row.get("holder")?,
        pid: row.get("pid")?,
        since: Time::from_millis(row.get("since")?),
        heartbeat_at: Time::from_millis(row.get("heartbeat_at")?),
    })
}

impl LeaseRow {
    /// Our own: held or not. Another store's: its lock says so; only when that cannot be asked
    /// does the heartbeat decide, because a sleeping laptop must not cost a living window its run.
    pub(super) fn is_alive(&self, instance: &Instance, held: &OwnLeases, now: Time) -> bool {
        if self.instance == instance.id() {
            return held.tokens().contains(&self.token);
        }
        instance
            .is_alive(&self.instance)
            .unwrap_or(now.millis() - self.heartbeat_at.millis() <= EXPIRY)
    }
}

/// Deletes the leases of the dead; returns the conversations of the living.
pub(super) fn release_dead(
    db: &Connection,
    instance: &Instance,
    held: &OwnLeases,
    now: Time,
) -> Result<Vec<String>, rusqlite::Error> {
    let rows: Vec<LeaseRow> =
        db.prepare("SELECT * FROM leases")?.query_map([], row)?.collect::<Result<_, _>>()?;
    let mut live = Vec::new();
    for lease in rows {
        if lease.is_alive(instance, held, now) {
            live.push(lease.conversation);
        } else {
            db.execute("DELETE FROM leases WHERE token = ?1", [&lease.token])?;
        }
    }
    Ok(live)
}
