//! A diff that is too long to be shown whole: of everything removed and added its beginning and its
//! end. A diff that began at the front and stopped would show what goes and nothing of what comes.

use std::borrow::Cow;

use super::hunk::{CUT, DiffHunk, NO_LINE_END, head, signed};
use crate::mark;

/// One line with its place in both texts, counted from 0.
struct DiffRow<'t> {
    sign: char,
    text: Cow<'t, str>,
    old: usize,
    new: usize,
    /// What stands before it.
    gap: Gap,
}

#[derive(Clone, Copy, PartialEq)]
enum Gap {
    /// The line above.
    None,
    /// Lines that stay.
    Unchanged,
    /// Changed lines that are not shown.
    Cut,
}

/// Prints about `max` bytes.
pub(super) fn print(hunks: &[DiffHunk<'_>], text: &mut String, max: usize) {
    let mut rows: Vec<DiffRow<'_>> = Vec::new();
    for hunk in hunks {
        take(hunk, max, &mut rows);
    }
    let rows = both_ends(rows, max.saturating_sub(text.len()));
    let mut rest = rows.as_slice();
    while let Some(first) = rest.first() {
        let until =
            rest[1..].iter().position(|row| row.gap != Gap::None).map_or(rest.len(), |n| n + 1);
        let (piece, after) = rest.split_at(until);
        if first.gap == Gap::Cut {
            text.push_str(CUT);
        }
        let lines = |without: char| piece.iter().filter(|row| row.sign != without).count();
        let range = |from: usize, lines: usize| (from + usize::from(lines > 0), lines);
        head(text, range(first.old, lines('+')), range(first.new, lines('-')));
        for row in piece {
            text.push(row.sign);
            text.push_str(&row.text);
            if !row.text.ends_with('\n') {
                text.push_str(NO_LINE_END);
            }
        }
        rest = after;
    }
}

/// The lines of a hunk; of more than a fifth of `max` that are removed, or added, one after the
/// other, the first and the last.
fn take<'t>(hunk: &DiffHunk<'t>, max: usize, rows: &mut Vec<DiffRow<'t>>) {
    let from = |(first, lines): (usize, usize)| first - usize::from(lines > 0);
    let (mut old, mut new) = (from(hunk.old), from(hunk.new));
    let mut gap = Gap::Unchanged;
    for run in hunk.lines.chunk_by(|a, b| signed(a).0 == signed(b).0) {
        let sizes: Vec<usize> = run.iter().map(|line| signed(line).1.len() + 1).collect();
        let first = fitting(sizes.iter(), max / 5);
        let last = fitting(sizes.iter().rev(), max / 5).min(run.len() - first);
        for (n, line) in run.iter().enumerate() {
            let (sign, line) = signed(line);
            if n < first || n >= run.len() - last {
                rows.push(DiffRow { sign, text: shortened(line, max / 5), old, new, gap });
                gap = Gap::None;
            } else {
                gap = Gap::Cut;
            }
            old += usize::from(sign != '+');
            new += usize::from(sign != '-');
        }
    }
}

/// How many fit; one at least.
fn fitting<'n>(sizes: impl Iterator<Item = &'n usize>, max: usize) -> usize {
    let mut sum = 0;
    let fits = sizes.take_while(|size| {
        sum += **size;
        sum <= max
    });
    fits.count().max(1)
}

/// The first and the last rows when they are still too many.
fn both_ends(mut rows: Vec<DiffRow<'_>>, max: usize) -> Vec<DiffRow<'_>> {
    // A gap costs two lines of its own.
    let size = |row: &DiffRow<'_>| row.text.len() + 1 + if row.gap == Gap::None { 0 } else { 50 };
    let sizes: Vec<usize> = rows.iter().map(size).collect();
    if sizes.iter().sum::<usize>() <= max {
        return rows;
    }
    let half = max / 2;
    let first = fitting(sizes.iter(), half);
    let last = fitting(sizes.iter().rev(), half).min(rows.len() - first);
    let tail = rows.split_off(rows.len() - last);
    rows.truncate(first);
    let cut = tail.into_iter().enumerate().map(|(n, row)| match n {
        0 => DiffRow { gap: Gap::Cut, ..row },
        _ => row,
    });
    rows.into_iter().chain(cut).collect()
}

/// Both ends of a line that is too long.
fn shortened(line: &str, max: usize) -> Cow<'_, str> {
    if line.len() <= max {
        return Cow::Borrowed(line);
    }
    let begin = mark::ellipsis(line, max / 2);
    let end = mark::ending(line, max / 2);
    // What is shown of it ends the line: nothing is said of a line end that is not shown.
    let close = if end.ends_with('\n') { "" } else { "\n" };
    Cow::Owned(format!("{begin}{end}{close}"))
}
