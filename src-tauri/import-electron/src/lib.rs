//! What the JSON of an Electron runtime's store means here (spec 08 "Import of an Electron runtime's
//! store"): its projects, runs, messages and settings, and the lines that become of a conversation.
//!
//! Pure, like the kernel (law A): the host reads the files and appends the lines. Nothing is
//! refused as a whole. What cannot be understood is a [`ImportProblem`] of its own and the rest
//! goes on; ids are kept wherever they can name a file.

mod entries;
mod messages;
mod problem;
mod runs;
mod settings;

#[cfg(test)]
mod tests;

pub use entries::{OldConversation, OldProject, conversation, listed, project, safe_id};
pub use messages::Messages;
pub use problem::ImportProblem;
pub use runs::{OldPhase, OldRun, Pinned, placed, run};
pub use settings::{Fate, OldSetting, settings};

use kernel::event::{ConversationOrigin, ImportedRun, Line, MessageImported, TakenOver};
use kernel::ids::ProjectId;
use kernel::time::Time;

/// How journals name the kind of store they were taken over from.
const STORE: &str = "electron";

/// The journal of an imported conversation.
pub fn journal(
    old: &OldConversation,
    project_id: &ProjectId,
    run: Option<ImportedRun>,
    messages: Vec<MessageImported>,
    imported_at: Time,
) -> Vec<Line> {
    let origin = ConversationOrigin {
        store: STORE.to_owned(),
        imported_at,
        created_at: old.created_at,
        title: old.title.clone(),
        meta: old.meta.clone(),
    };
    let taken_over = TakenOver {
        conversation_id: old.id.clone(),
        project_id: project_id.clone(),
        origin,
        last_active_at: old.last_active_at,
        run,
        messages,
    };
    taken_over.lines()
}
