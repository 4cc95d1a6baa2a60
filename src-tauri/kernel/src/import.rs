//! Taking over the store of an Electron runtime (spec 08 "Import of an Electron runtime's
//! store"): what its JSON means here. Pure: the host reads the files and appends the lines.
//!
//! Nothing is refused as a whole. What cannot be understood is a [`Problem`] of its own and the
//! rest goes on; ids are kept wherever they can name a file.

mod entries;
mod messages;
mod report;
mod runs;
mod settings;

#[cfg(test)]
mod tests;

pub use entries::{OldConversation, OldProject, conversation, listed, project, safe_id};
pub use messages::Messages;
pub use report::{ImportEntry, ImportKind, ImportOutcome, ImportReport, ImportTotals, Problem};
pub use runs::{OldPhase, OldRun, Pinned, placed, run};
pub use settings::{Fate, OldSetting, settings};

use crate::event::{
    ConversationImported, Event, ImportedRun, Line, MessageImported, Phase, RunInterrupted,
};
use crate::ids::ProjectId;
use crate::time::Time;

/// So many messages in a line at most: one decision is one row, and a row is read whole.
pub const MESSAGES_PER_LINE: usize = 100;

/// The journal of an imported conversation. A line is as old as what it tells, so that lists
/// ordered by activity stay as they were; `imported_at` is in the first one.
pub fn journal(
    old: &OldConversation,
    project_id: &ProjectId,
    run: Option<ImportedRun>,
    messages: Vec<MessageImported>,
    imported_at: Time,
) -> Vec<Line> {
    let at_work = run.as_ref().is_some_and(|run| run.phase == Phase::Running);
    let first = ConversationImported {
        conversation_id: old.id.clone(),
        project_id: project_id.clone(),
        title: old.title.clone(),
        created_at: old.created_at,
        imported_at,
        meta: old.meta.clone(),
        run,
    };
    let mut events: Vec<Vec<Event>> = vec![vec![Event::ConversationImported(Box::new(first))]];
    let mut times = vec![old.created_at];
    let mut messages = messages.into_iter().peekable();
    while messages.peek().is_some() {
        let batch: Vec<MessageImported> = messages.by_ref().take(MESSAGES_PER_LINE).collect();
        times.push(batch.iter().map(|m| m.created_at).max().unwrap_or(old.created_at));
        events.push(batch.into_iter().map(|m| Event::MessageImported(Box::new(m))).collect());
    }
    if at_work {
        // No engine runs it any more.
        events.push(vec![Event::RunInterrupted(RunInterrupted {
            in_doubt: Vec::new(),
            resting: false,
        })]);
        times.push(old.created_at);
    }
    let mut at = old.created_at;
    let last = events.len() - 1;
    let mut seq = 1;
    let mut lines = Vec::with_capacity(events.len());
    for (index, (events, time)) in events.into_iter().zip(times).enumerate() {
        at = at.max(time);
        if index == last {
            at = at.max(old.last_active_at.unwrap_or(at));
        }
        let line = Line::new(seq, at, 0, events);
        seq = line.next_seq();
        lines.push(line);
    }
    lines
}
