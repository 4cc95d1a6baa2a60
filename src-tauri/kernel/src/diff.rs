//! What differs between two texts, line by line.
//!
//! The one place that compares: for the state document, for what a person is asked about, for dry
//! runs and for the counts in results. A line of a journal is folded again at every opening, so
//! neither time nor the length of what is shown may get out of hand, whatever was changed.

use crate::bounds::EXACT_LINES;
use std::ops::Range;

use diffy::{DiffOptions, Line};

mod ends;
mod hunk;

use hunk::DiffHunk;

/// Unchanged lines shown around a change.
const CONTEXT: usize = 3;

/// The longest diff that a person is shown, bytes. What is approved is bound by hash, also what
/// lies beyond.
pub const SHOWN_BYTES: usize = 64 * 1024;

/// How two versions of a text differ, as far as a person is shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diff {
    /// In unified form; empty when nothing differs. In a cut one a line `…` stands for what is left
    /// out, and every other begins and ends as it does: what is removed, and what is added.
    pub text: String,
    /// How many lines are only in the old text.
    pub removed: usize,
    /// How many lines are only in the new text.
    pub added: usize,
    /// Whether there is more than `text` shows.
    pub cut: bool,
}

/// Compares two versions of the file `name`; of a longer diff the beginning and the end of what is
/// removed and of what is added are shown, about `max` bytes together.
pub fn unified(name: &str, old: &str, new: &str, max: usize) -> Diff {
    let hunks = Versions::of(old, new).hunks();
    let mut diff = Diff::default();
    for line in hunks.iter().flat_map(|hunk| &hunk.lines) {
        match line {
            Line::Delete(_) => diff.removed += 1,
            Line::Insert(_) => diff.added += 1,
            Line::Context(_) => {}
        }
    }
    if !hunks.is_empty() {
        diff.text = format!("--- {name}\n+++ {name}\n");
    }
    let head = diff.text.len();
    for hunk in &hunks {
        hunk.print(&mut diff.text, max);
    }
    if diff.text.len() > max {
        diff.cut = true;
        diff.text.truncate(head);
        ends::print(&hunks, &mut diff.text, max);
    }
    diff
}

/// How many lines are only in the old, and how many only in the new text.
pub fn count(old: &str, new: &str) -> (usize, usize) {
    let versions = Versions::of(old, new);
    let (left, right) = versions.middle();
    match (left, right) {
        ([line], lines) if lines.len() <= EXACT_LINES && lines.contains(line) => {
            (0, lines.len() - 1)
        }
        (lines, [line]) if lines.len() <= EXACT_LINES && lines.contains(line) => {
            (lines.len() - 1, 0)
        }
        // Nothing to find in common. A diff would say so too, slowly when the line is long.
        ([] | [_], _) | (_, [] | [_]) => (left.len(), right.len()),
        _ => versions.hunks().iter().flat_map(|hunk| &hunk.lines).fold(
            (0, 0),
            |(removed, added), line| match line {
                Line::Delete(_) => (removed + 1, added),
                Line::Insert(_) => (removed, added + 1),
                Line::Context(_) => (removed, added),
            },
        ),
    }
}

/// Two texts as lines, and how many of them are equal at both ends.
struct Versions<'t> {
    old: (&'t str, Vec<&'t str>),
    new: (&'t str, Vec<&'t str>),
    head: usize,
    tail: usize,
}

impl<'t> Versions<'t> {
    fn of(old: &'t str, new: &'t str) -> Self {
        let lines = |text: &'t str| (text, text.split_inclusive('\n').collect::<Vec<_>>());
        let (old, new) = (lines(old), lines(new));
        let head = old.1.iter().zip(&new.1).take_while(|(a, b)| a == b).count();
        let ends = old.1[head..].iter().rev().zip(new.1[head..].iter().rev());
        let tail = ends.take_while(|(a, b)| a == b).count();
        Self { old, new, head, tail }
    }

    /// What lies between the equal ends.
    fn middle(&self) -> (&[&'t str], &[&'t str]) {
        let middle = |lines: &[&'t str]| self.head..lines.len() - self.tail;
        (&self.old.1[middle(&self.old.1)], &self.new.1[middle(&self.new.1)])
    }

    fn hunks(&self) -> Vec<DiffHunk<'t>> {
        let (left, right) = self.middle();
        if left.is_empty() && right.is_empty() {
            return Vec::new();
        }
        if left.len().max(right.len()) > EXACT_LINES {
            let range = |lines: &[&str]| (self.head + usize::from(!lines.is_empty()), lines.len());
            let removed = left.iter().map(|line| Line::Delete(*line));
            let lines = removed.chain(right.iter().map(|line| Line::Insert(*line))).collect();
            return vec![DiffHunk { old: range(left), new: range(right), lines }];
        }
        // With the equal ends a comparison would take time for them too.
        let from = self.head.saturating_sub(CONTEXT);
        let around = |lines: &[&str]| from..(lines.len() - self.tail + CONTEXT).min(lines.len());
        let part = |(text, lines): &(&'t str, Vec<&'t str>)| span(text, lines, around(lines));
        let patch = DiffOptions::new()
            .set_context_len(CONTEXT)
            .create_patch(part(&self.old), part(&self.new));
        patch.hunks().iter().map(|hunk| self.hunk(hunk, from)).collect()
    }

    /// A hunk of the texts without their first `skipped` lines.
    fn hunk(&self, hunk: &diffy::Hunk<'_, str>, skipped: usize) -> DiffHunk<'t> {
        let range = |range: diffy::HunkRange| (skipped + range.start(), range.len());
        let (old, new) = (range(hunk.old_range()), range(hunk.new_range()));
        let from = |(first, lines): (usize, usize)| first - usize::from(lines > 0);
        let mut olds = self.old.1[from(old)..].iter().copied();
        let mut news = self.new.1[from(new)..].iter().copied();
        let lines = hunk.lines().iter().filter_map(|line| {
            Some(match line {
                Line::Context(_) => Line::Context(olds.next().and(news.next())?),
                Line::Delete(_) => Line::Delete(olds.next()?),
                Line::Insert(_) => Line::Insert(news.next()?),
            })
        });
        DiffHunk { old, new, lines: lines.collect() }
    }
}

/// The piece of a text that some of its lines make.
fn span<'t>(text: &'t str, lines: &[&str], range: Range<usize>) -> &'t str {
    let bytes = |lines: &[&str]| lines.iter().map(|line| line.len()).sum::<usize>();
    let from = bytes(&lines[..range.start]);
    &text[from..from + bytes(&lines[range])]
}

#[cfg(test)]
mod tests;
