//! What the model is told of what the person undid, in its own language.

use std::fmt::Write as _;

use crate::event::RewindEnded;
use crate::restore::{Conflict, ConflictReason, NAMED_FILES, RestoredFile};

/// Of files that the person put back.
pub(super) fn files_put_back(restored: &[RestoredFile]) -> String {
    let lines: String = restored.iter().map(|file| line(file, "before this run")).collect();
    format!(
        "FILES_PUT_BACK\nThe user put these files back by hand, and what you know of them does not \
         hold any more:\n{lines}"
    )
}

/// Of the run that the person took back to a step.
pub(super) fn went_back(e: &RewindEnded) -> String {
    let (step, title) = (&e.node_id, &e.title);
    let mut note = if e.undone {
        format!(
            "WENT_BACK\nThe user undid the rewind: the run stands at the step `{step}` (\"{title}\") again, \
             as it stood before, and what you did until then counts. Go on from there.\n"
        )
    } else {
        format!(
            "WENT_BACK\nThe user took the run back to the step `{step}` (\"{title}\"). Go on from there; \
             what you did at it and after it does not count any more.\n"
        )
    };
    if let Some(reason) = &e.reason {
        _ = writeln!(note, "Why, in the user's words: {reason}");
    }
    if !e.again.is_empty() {
        let steps: Vec<String> = e.again.iter().map(|step| format!("`{step}`")).collect();
        _ = writeln!(note, "To be done again: {}.", steps.join(", "));
    }
    let (restored, conflicts) = (&e.files.restored, &e.files.conflicts);
    if !restored.is_empty() {
        let when = if e.undone { "before that rewind" } else { "when the step began" };
        _ = writeln!(
            note,
            "These files are again as they were {when}, and what you know of them does not hold any more:"
        );
        note += &listed(restored, |file| line(file, when));
    }
    if !conflicts.is_empty() {
        note += "These files stay as they are now:\n";
        note += &listed(conflicts, stays);
    }
    note
}

fn listed<T>(all: &[T], line: impl Fn(&T) -> String) -> String {
    let named: String = all.iter().take(NAMED_FILES).map(line).collect();
    match all.len().saturating_sub(NAMED_FILES) {
        0 => named,
        more => format!("{named}- and {more} more\n"),
    }
}

fn line(file: &RestoredFile, when: &str) -> String {
    let path = &file.path;
    if file.removed {
        format!("- {path} is gone: there was no such file {when}\n")
    } else {
        format!("- {path} is again what it was {when}\n")
    }
}

fn stays(conflict: &Conflict) -> String {
    let why = match conflict.reason {
        ConflictReason::Changed => "somebody else changed it",
        ConflictReason::NotKept => "its content is not kept",
        ConflictReason::NotAllowed => "it may not be written",
        ConflictReason::Failed => "it cannot be written",
    };
    format!("- {}: {why}\n", conflict.path)
}
