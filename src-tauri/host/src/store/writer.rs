//! The one writer: a thread that owns the writing connection. Whatever waits is put into one
//! transaction, so a hundred waiting requests cost one fsync. Each request has its own savepoint:
//! one that fails takes nothing with it. Replies go out after the commit (law D).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use kernel::code::{ErrorCode, Failure};
use kernel::phrase::store;
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::sqlite_error;
use crate::crash::{Point, point};

/// Requests put into one transaction at most: keeps one commit's memory and delay bounded.
const BATCH: usize = 256;

/// How long nobody must have wanted anything before the chore is done.
const QUIET: Duration = Duration::from_millis(200);
/// Transactions after which the chore is done although there was no quiet.
const BUSY_COMMITS: u32 = 256;

/// What the writer does when nobody waits for it, a part at a time, each in a transaction of its
/// own: returns whether there is more.
pub(super) type Chore = fn(&Connection) -> Result<bool, rusqlite::Error>;

/// What a request does. It may be called again, after a rollback.
trait Job: Send {
    /// Does the work and remembers the result. False when it failed.
    fn run(&mut self, db: &Connection) -> bool;
    /// Overwrites the result: the transaction came to nothing.
    fn fail(&mut self, failure: Failure);
    /// Sends the result.
    fn reply(self: Box<Self>);
}

struct Request<F, T> {
    work: F,
    result: Option<Result<T, Failure>>,
    reply: oneshot::Sender<Result<T, Failure>>,
}

impl<F, T> Job for Request<F, T>
where
    F: Fn(&Connection) -> Result<T, Failure> + Send,
    T: Send,
{
    fn run(&mut self, db: &Connection) -> bool {
        let result = (self.work)(db);
        let ok = result.is_ok();
        self.result = Some(result);
        ok
    }

    fn fail(&mut self, failure: Failure) {
        self.result = Some(Err(failure));
    }

    fn reply(self: Box<Self>) {
        // Nobody may be waiting any more; the work is done all the same.
        let _ = self.reply.send(self.result.unwrap_or_else(|| Err(stopped())));
    }
}

/// The handle of the writer thread. Dropping it finishes what is queued and joins the thread.
pub(super) struct Writer {
    queue: Option<Sender<Box<dyn Job>>>,
    thread: Option<JoinHandle<()>>,
    commits: Arc<AtomicU64>,
}

impl Writer {
    /// Starts the thread.
    pub(super) fn start(db: Connection, chore: Chore) -> Result<Self, Failure> {
        let (queue, jobs) = channel();
        let commits = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&commits);
        let thread = std::thread::Builder::new()
            .name("store-writer".into())
            .spawn(move || work(&db, &jobs, &counter, chore))
            .map_err(|e| sqlite_error::folder_failed(&e))?;
        Ok(Self { queue: Some(queue), thread: Some(thread), commits })
    }

    /// Queues `work`; the receiver gets its result after the commit. `work` must do all its
    /// reading and writing through the connection it is given, and may be called twice.
    pub(super) fn submit<F, T>(&self, work: F) -> oneshot::Receiver<Result<T, Failure>>
    where
        F: Fn(&Connection) -> Result<T, Failure> + Send + 'static,
        T: Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        if let Some(queue) = &self.queue {
            // A dead thread drops the request, and the receiver sees that.
            let _ = queue.send(Box::new(Request { work, result: None, reply }));
        }
        answer
    }

    /// How many transactions were committed.
    pub(super) fn commits(&self) -> u64 {
        self.commits.load(Ordering::Relaxed)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the store's writer ended with a panic");
        }
    }
}

/// The writer thread is gone.
pub(super) fn stopped() -> Failure {
    Failure::new(ErrorCode::StoreWriteFailed, store::stopped_writing())
        .with_action(store::restart_nothing_lost())
}

fn work(db: &Connection, jobs: &Receiver<Box<dyn Job>>, commits: &AtomicU64, chore: Chore) {
    // An earlier process may have left some.
    let mut idle = Idle::Later;
    let mut since = 0;
    loop {
        let Some(first) = (match wait(jobs, idle) {
            Ok(job) => job,
            Err(Closed) => return,
        }) else {
            (idle, since) = (do_part(db, chore), 0);
            continue;
        };
        let mut batch = vec![first];
        batch.extend(jobs.try_iter().take(BATCH - 1));
        match transaction(db, &mut batch, commits) {
            Ok(()) => {}
            Err(_) if batch.len() > 1 => one_by_one(db, &mut batch, commits),
            Err(undone) => tell(&mut batch, &undone),
        }
        for job in batch {
            job.reply();
        }
        since += 1;
        idle = Idle::Later;
        if since >= BUSY_COMMITS {
            (idle, since) = (do_part(db, chore), 0);
        }
    }
}

/// When the chore is to be gone on with.
#[derive(Clone, Copy)]
enum Idle {
    /// As soon as no request waits.
    Now,
    /// When no request came for a while.
    Later,
    /// Not before the next change.
    Done,
}

/// The store was closed, and nothing is left to do.
struct Closed;

/// The next request; `None` when it is the chore's turn.
fn wait(jobs: &Receiver<Box<dyn Job>>, idle: Idle) -> Result<Option<Box<dyn Job>>, Closed> {
    let pause = match idle {
        Idle::Done => return jobs.recv().map(Some).map_err(|_| Closed),
        Idle::Now => Duration::ZERO,
        Idle::Later => QUIET,
    };
    match jobs.recv_timeout(pause) {
        Ok(job) => Ok(Some(job)),
        Err(RecvTimeoutError::Timeout) => Ok(None),
        Err(RecvTimeoutError::Disconnected) => Err(Closed),
    }
}

/// Does a part of the chore. One that fails is tried again after the next change: its only user
/// can do without it.
fn do_part(db: &Connection, chore: Chore) -> Idle {
    let part = || {
        step(db, "BEGIN IMMEDIATE")?;
        let more = chore(db)?;
        step(db, "COMMIT")?;
        Ok(if more { Idle::Now } else { Idle::Done })
    };
    part().unwrap_or_else(|error: rusqlite::Error| {
        undo(db);
        tracing::warn!(code = ?error.sqlite_error_code(), "the store's chore was put off");
        Idle::Done
    })
}

/// A full disk ends the whole transaction: a request that would fit on its own must not suffer
/// from a larger one beside it.
fn one_by_one(db: &Connection, batch: &mut [Box<dyn Job>], commits: &AtomicU64) {
    for job in batch.chunks_mut(1) {
        if let Err(undone) = transaction(db, job, commits) {
            tell(job, &undone);
        }
    }
}

/// Why a transaction came to nothing.
enum Undone {
    /// By a request, which holds the reason itself.
    ByRequest,
    /// By the transaction's own statements.
    BySql(rusqlite::Error),
}

impl From<rusqlite::Error> for Undone {
    fn from(error: rusqlite::Error) -> Self {
        Self::BySql(error)
    }
}

fn tell(jobs: &mut [Box<dyn Job>], undone: &Undone) {
    let Undone::BySql(error) = undone else { return };
    tracing::warn!(code = ?error.sqlite_error_code(), "a write failed");
    for job in jobs {
        job.fail(sqlite_error::write_failed(store::the_change(), error));
    }
}

/// Runs `jobs` and commits, or leaves no trace of any of them.
fn transaction(
    db: &Connection,
    jobs: &mut [Box<dyn Job>],
    commits: &AtomicU64,
) -> Result<(), Undone> {
    let result = attempt(db, jobs);
    match result {
        Ok(()) => {
            commits.fetch_add(1, Ordering::Relaxed);
        }
        Err(_) => undo(db),
    }
    result
}

fn attempt(db: &Connection, jobs: &mut [Box<dyn Job>]) -> Result<(), Undone> {
    point(Point::BeforeBegin);
    step(db, "BEGIN IMMEDIATE")?;
    if let [only] = jobs {
        // The transaction itself is all the shelter one request needs.
        if !only.run(db) {
            return Err(Undone::ByRequest);
        }
        return commit(db);
    }
    for job in jobs {
        step(db, "SAVEPOINT request")?;
        if !job.run(db) {
            if db.is_autocommit() {
                // SQLite has rolled everything back by itself (disk full, I/O error).
                return Err(Undone::ByRequest);
            }
            step(db, "ROLLBACK TO request")?;
        }
        step(db, "RELEASE request")?;
    }
    commit(db)
}

fn commit(db: &Connection) -> Result<(), Undone> {
    point(Point::BeforeCommit);
    step(db, "COMMIT")?;
    point(Point::AfterCommit);
    Ok(())
}

fn step(db: &Connection, sql: &str) -> Result<(), rusqlite::Error> {
    db.prepare_cached(sql)?.execute([]).map(drop)
}

fn undo(db: &Connection) {
    if !db.is_autocommit()
        && let Err(error) = db.execute_batch("ROLLBACK")
    {
        tracing::error!(code = ?error.sqlite_error_code(), "a rollback failed");
    }
}
