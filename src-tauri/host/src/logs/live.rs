//! Rows as they are written: the newest thousand of this process, and a bounded stream of what
//! comes. Writing never waits for anybody who reads: a reader that is too slow loses the oldest
//! and is told how many.

use kernel::ids::ConversationId;
use kernel::wire::LogRow;
use std::collections::VecDeque;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use tokio::sync::broadcast;

/// Rows that are kept, and rows that may wait for a reader.
pub(crate) const ROWS: usize = 1_000;

/// A row, and whose it is.
#[derive(Debug)]
pub(crate) struct LogEntry {
    pub(crate) row: LogRow,
    /// Whose tool call; `None` for the program's own words.
    pub(crate) conversation: Option<ConversationId>,
    /// Of the line in the file, so that it is not shown twice.
    pub(super) mark: u64,
}

impl LogEntry {
    /// Whether somebody who looks at `conversation` wants to see it.
    pub(crate) fn concerns(&self, conversation: Option<&ConversationId>) -> bool {
        self.conversation.is_none() || self.conversation.as_ref() == conversation
    }
}

struct LiveLog {
    newest: Mutex<VecDeque<Arc<LogEntry>>>,
    stream: broadcast::Sender<Arc<LogEntry>>,
}

static LIVE: LazyLock<LiveLog> =
    LazyLock::new(|| LiveLog { newest: Mutex::default(), stream: broadcast::Sender::new(ROWS) });

pub(super) fn publish(line: &str, row: LogRow, conversation: Option<ConversationId>) {
    let entry = Arc::new(LogEntry { row, conversation, mark: mark(line) });
    let mut newest = LIVE.newest.lock().unwrap_or_else(PoisonError::into_inner);
    if newest.len() == ROWS {
        newest.pop_front();
    }
    newest.push_back(Arc::clone(&entry));
    // Nobody listens: it is kept all the same. Sent under the lock, so that no reader misses or
    // doubles a row between the two.
    _ = LIVE.stream.send(entry);
}

/// The newest rows, oldest first, and those that come.
pub(crate) fn subscribe() -> (Vec<Arc<LogEntry>>, broadcast::Receiver<Arc<LogEntry>>) {
    let newest = LIVE.newest.lock().unwrap_or_else(PoisonError::into_inner);
    (newest.iter().cloned().collect(), LIVE.stream.subscribe())
}

/// What two copies of one line have in common.
pub(super) fn mark(line: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    line.trim_end().hash(&mut hasher);
    hasher.finish()
}
