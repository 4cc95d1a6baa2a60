//! Looking back: where a run stood at an earlier version of its state document.

use kernel::code::{ErrorCode, Failure};
use kernel::engine::ExecutionEngine;
use kernel::event::{Author, Event, Line};
use kernel::ids::ConversationId;
use kernel::phrase::projects;
use kernel::snapshot;
use kernel::wire::RevisionState;
use std::ops::ControlFlow;

use super::Sessions;

impl Sessions {
    /// Where the run of a conversation stood when the event `seq` had accepted a version of its
    /// state document: folded from the journal.
    ///
    /// # Errors
    /// `NOT_FOUND` when that event accepted none.
    pub(crate) async fn revision(
        &self,
        conversation: &ConversationId,
        seq: u64,
    ) -> Result<RevisionState, Failure> {
        let env = self.factory.read_env(conversation).await?;
        let nothing = (ExecutionEngine::new(conversation.clone(), env), None);
        let folded = self.store.fold_lines(conversation, nothing, move |(engine, found), line| {
            let end = line.seq.saturating_add(line.events.len() as u64);
            if end <= seq {
                engine.apply(line);
                return ControlFlow::Continue(());
            }
            let part = up_to(line, seq);
            engine.apply(&part);
            *found = part.numbered().last().filter(|(at, _)| *at == seq).and_then(|(_, event)| {
                let (by, text) = accepted(event)?;
                let progress = snapshot::progress(engine.run_package(), engine.core());
                Some(RevisionState { seq, at: line.at, by, progress, text: text.to_owned() })
            });
            ControlFlow::Break(())
        });
        let (_, found) = Box::pin(folded).await?;
        found.ok_or_else(|| Failure::new(ErrorCode::NotFound, projects::no_such_revision(seq)))
    }
}

/// The events of a line that are not after `seq`.
fn up_to(line: &Line, seq: u64) -> Line {
    let mut part = line.clone();
    part.events.truncate(line.numbered().take_while(|(at, _)| *at <= seq).count());
    part
}

/// Who made the version of the state document that an event accepted, and its text.
fn accepted(event: &Event) -> Option<(Author, &str)> {
    match event {
        Event::RunStarted(e) => Some((Author::Runtime, &e.state)),
        Event::StateChanged(e) => Some((e.by, &e.text)),
        _ => None,
    }
}
