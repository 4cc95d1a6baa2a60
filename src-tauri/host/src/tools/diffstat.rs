//! How many lines a write adds and removes.

use diffy::{DiffOptions, Line};
use serde_json::{Value, json};

/// Above this many changed lines a side, the middle counts as replaced whole: the exact answer
/// would take time that grows with the square.
const EXACT_LINES: usize = 2000;

/// `{added, removed}` in lines.
pub(super) fn diffstat(before: &str, after: &str) -> Value {
    let (removed, added) = count(before, after);
    json!({ "added": added, "removed": removed })
}

pub(super) fn count(before: &str, after: &str) -> (usize, usize) {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[head..], &new[head..]);
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[..old.len() - tail], &new[..new.len() - tail]);
    match (old, new) {
        ([line], lines) if lines.contains(line) => return (0, lines.len() - 1),
        (lines, [line]) if lines.contains(line) => return (lines.len() - 1, 0),
        // Nothing to find in common. A diff would say so too, slowly when the line is long.
        ([] | [_], _) | (_, [] | [_]) => return (old.len(), new.len()),
        _ if old.len().max(new.len()) > EXACT_LINES => return (old.len(), new.len()),
        _ => {}
    }
    let (old, new) = (old.concat(), new.concat());
    let patch = DiffOptions::new().set_context_len(0).create_patch(&old, &new);
    let lines = patch.hunks().iter().flat_map(diffy::Hunk::lines);
    lines.fold((0, 0), |(removed, added), line| match line {
        Line::Delete(_) => (removed + 1, added),
        Line::Insert(_) => (removed, added + 1),
        Line::Context(_) => (removed, added),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_stay_are_not_counted() {
        assert_eq!(count("a\nb\nc\nd\n", "a\nB\nc\nD\nE\n"), (2, 3));
        assert_eq!(count("", "a\nb\n"), (0, 2));
        assert_eq!(count("a\n", "a\n"), (0, 0));
        assert_eq!(count("a\n", "b\na\nc\n"), (0, 2));
        assert_eq!(count("b\na\nc\n", "a\n"), (2, 0));
        assert_eq!(count("a\nb\n", "c\n"), (2, 1));
        assert_eq!(count("a", "a\n"), (1, 1));
    }

    #[test]
    fn a_huge_rewrite_is_counted_without_a_diff() {
        let old = "old\n".repeat(60_000);
        let new = "new\n".repeat(50_000);
        assert_eq!(count(&old, &new), (60_000, 50_000));
    }
}
