//! A run that the person took back to a step.

use kernel::event::RewindEnded;
use kernel::phrase::decisions;
use kernel::restore::brought_back;

use crate::output::Output;
use crate::print::{StyledText, rows};

/// That the run is back at a step, and what became of files.
pub(crate) fn in_words(ended: &RewindEnded, out: &Output) -> StyledText {
    let told = if ended.undone {
        decisions::undone_to(&ended.title)
    } else {
        decisions::went_back_to(&ended.title)
    };
    let head = format!("  ↶ {}", out.say(told));
    rows(std::iter::once(head).chain(files(ended, out)))
}

/// What became of files, where nothing else happened.
pub(crate) fn files_in_words(ended: &RewindEnded, out: &Output) -> StyledText {
    rows(files(ended, out))
}

fn files(ended: &RewindEnded, out: &Output) -> impl Iterator<Item = String> {
    let files = brought_back(&ended.files.restored, &ended.files.conflicts);
    files.into_iter().map(|file| format!("    {}", out.say(file)))
}
