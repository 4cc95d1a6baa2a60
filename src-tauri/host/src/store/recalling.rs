//! Folding a whole journal: its lines are read and parsed on one thread while they are folded on
//! another, and reading may begin before it is known what they are folded with.

use kernel::code::{ErrorCode, Failure};
use kernel::engine::{Env, ExecutionEngine};
use kernel::event::Line;
use kernel::ids::ConversationId;
use kernel::journal_snapshot::JournalSnapshot;
use kernel::phrase::general;
use kernel::view::View;
use rusqlite::Connection;
use std::ops::ControlFlow;
use std::sync::mpsc as std_mpsc;
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::task::JoinHandle;

use super::{RuntimeStore, existing, journal, journal_snapshots};

/// Lines that are handed over together.
const TOGETHER: usize = 64;
/// How often that may be done before they are folded: a long journal never lies in memory as a
/// whole.
const AHEAD: usize = 8;

/// A journal folded whole.
#[derive(Debug)]
pub struct Recalled {
    /// The engine that goes on from it.
    pub engine: ExecutionEngine,
    /// The view that goes on from it.
    pub view: View,
    /// How many lines stand behind the last snapshot.
    pub since_snapshot: u64,
}

/// A journal that is being read. Until it is folded it may hold one of the few readers: nothing else
/// may be read from the store before.
#[derive(Debug)]
pub(crate) struct Recalling {
    conversation: ConversationId,
    pieces: Receiver<JournalPiece>,
    spent: Spent,
    reading: JoinHandle<Result<(), Failure>>,
}

/// What is handed over.
#[derive(Debug)]
pub(super) enum JournalPiece {
    /// The last snapshot; comes first.
    Snapshot(Box<JournalSnapshot>),
    /// The journal from its first line on.
    Lines(Vec<Line>),
}

/// The way back for lines that were folded. They are dropped by the thread that made them: a
/// memory allocator keeps the memory of each thread apart, and two that give and take at once wait
/// for each other.
type Spent = std_mpsc::Sender<Vec<Line>>;

impl RuntimeStore {
    /// Folds a whole journal. Its small part is taken from the last snapshot.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND` when there is none. `STORE_READ_FAILED` when the store cannot be
    /// read.
    pub async fn recall(
        &self,
        conversation: &ConversationId,
        env: Env,
    ) -> Result<Recalled, Failure> {
        self.begin_to_recall(conversation).fold(env).await
    }

    /// Begins to read a journal that is about to be folded.
    pub(crate) fn begin_to_recall(&self, conversation: &ConversationId) -> Recalling {
        let (sender, pieces) = mpsc::channel(AHEAD);
        let (spent, folded) = std_mpsc::channel();
        let (store, id) = (self.clone(), conversation.clone());
        let reading =
            tokio::spawn(
                async move { store.read(move |db| read(db, &id, &sender, &folded)).await },
            );
        Recalling { conversation: conversation.clone(), pieces, spent, reading }
    }
}

impl Recalling {
    /// Folds it.
    ///
    /// # Errors
    /// As [`RuntimeStore::recall`].
    pub(crate) async fn fold(self, env: Env) -> Result<Recalled, Failure> {
        let Self { conversation, pieces, spent, reading } = self;
        let folding = tokio::task::spawn_blocking(move || fold(conversation, env, pieces, &spent));
        let ended = || Failure::new(ErrorCode::Internal, general::ended_early());
        let (folded, read) = tokio::join!(folding, reading);
        read.map_err(|_| ended())??;
        folded.ok().flatten().ok_or_else(ended)
    }
}

/// Hands a journal over, to its end or as long as somebody waits for it.
pub(super) fn read(
    db: &Connection,
    id: &ConversationId,
    to: &Sender<JournalPiece>,
    folded: &std_mpsc::Receiver<Vec<Line>>,
) -> Result<(), Failure> {
    existing::require(db, id)?;
    let snapshot = journal_snapshots::last(db, id)?;
    // Nobody waits any more when what it is read for has failed: the rest is not read then.
    let hand_over = |piece| {
        let sent = to.blocking_send(piece);
        folded.try_iter().for_each(drop);
        if sent.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    if hand_over(JournalPiece::Snapshot(Box::new(snapshot))).is_break() {
        return Ok(());
    }
    let mut lines = Vec::with_capacity(TOGETHER);
    journal::each_line(db, id, 0..u64::MAX, |line| {
        lines.push(line);
        if lines.len() < TOGETHER {
            return ControlFlow::Continue(());
        }
        hand_over(JournalPiece::Lines(std::mem::take(&mut lines)))
    })?;
    _ = hand_over(JournalPiece::Lines(lines));
    Ok(())
}

/// `None` when the reading ended before it began.
fn fold(
    id: ConversationId,
    env: Env,
    mut pieces: Receiver<JournalPiece>,
    spent: &Spent,
) -> Option<Recalled> {
    let Some(JournalPiece::Snapshot(snapshot)) = pieces.blocking_recv() else { return None };
    let from = snapshot.seq();
    let (core, view) = snapshot.into_parts();
    let engine = ExecutionEngine::resumed(id, env, core);
    let mut recalled = Recalled { engine, view, since_snapshot: 0 };
    while let Some(JournalPiece::Lines(lines)) = pieces.blocking_recv() {
        for line in &lines {
            recalled.engine.recall(line);
            if line.seq >= from {
                recalled.view.project(line);
                recalled.since_snapshot += 1;
            }
        }
        // Reading may have come to its end before.
        _ = spent.send(lines);
    }
    Some(recalled)
}
