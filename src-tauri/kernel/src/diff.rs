//! What differs between two texts, line by line.
//!
//! The one place that compares: for the state document, for what a person is asked about, for dry
//! runs and for the counts in results. A line of a journal is folded again at every opening, so
//! neither time nor the length of what is shown may get out of hand, whatever was changed.

use std::fmt::Write as _;
use std::ops::Range;

use diffy::{DiffOptions, Line};

use crate::mark;
use crate::text::prefix;

/// Above this many changed lines a side, all from the first to the last change counts as replaced:
/// the exact answer would take time that grows with the square.
const EXACT_LINES: usize = 2000;

/// Unchanged lines shown around a change.
const CONTEXT: usize = 3;

/// The longest diff that a person is shown, bytes. What is approved is bound by hash, also what
/// lies beyond.
pub const SHOWN_BYTES: usize = 64 * 1024;

/// The last line of a diff that was cut.
const CUT: &str = "…\n";

/// Two texts, compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diff {
    /// In unified form; empty when nothing differs. A cut one ends with the line `…`.
    pub text: String,
    /// How many lines are only in the old text.
    pub removed: usize,
    /// How many lines are only in the new text.
    pub added: usize,
    /// Whether there is more than `text` shows.
    pub cut: bool,
}

/// Compares two versions of the file `name`; at most `max` bytes are shown, and the line that says
/// that they are not all.
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
    for hunk in &hunks {
        hunk.print(&mut diff.text, max);
    }
    if diff.text.len() > max {
        diff.cut = true;
        diff.text = shortened(&diff.text, max) + CUT;
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

/// Changed lines with the unchanged ones around them.
struct Hunk<'t> {
    /// The number of its first line, and how many they are.
    old: (usize, usize),
    new: (usize, usize),
    lines: Vec<Line<'t, str>>,
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

    fn hunks(&self) -> Vec<Hunk<'t>> {
        let (left, right) = self.middle();
        if left.is_empty() && right.is_empty() {
            return Vec::new();
        }
        if left.len().max(right.len()) > EXACT_LINES {
            let range = |lines: &[&str]| (self.head + usize::from(!lines.is_empty()), lines.len());
            let removed = left.iter().map(|line| Line::Delete(*line));
            let lines = removed.chain(right.iter().map(|line| Line::Insert(*line))).collect();
            return vec![Hunk { old: range(left), new: range(right), lines }];
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
    fn hunk(&self, hunk: &diffy::Hunk<'_, str>, skipped: usize) -> Hunk<'t> {
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
        Hunk { old, new, lines: lines.collect() }
    }
}

/// The piece of a text that some of its lines make.
fn span<'t>(text: &'t str, lines: &[&str], range: Range<usize>) -> &'t str {
    let bytes = |lines: &[&str]| lines.iter().map(|line| line.len()).sum::<usize>();
    let from = bytes(&lines[..range.start]);
    &text[from..from + bytes(&lines[range])]
}

impl Hunk<'_> {
    /// Stops once the text is longer than `max`.
    fn print(&self, text: &mut String, max: usize) {
        let range = |(start, lines): (usize, usize)| match lines {
            1 => start.to_string(),
            _ => format!("{start},{lines}"),
        };
        if text.len() <= max {
            _ = writeln!(text, "@@ -{} +{} @@", range(self.old), range(self.new));
        }
        for line in &self.lines {
            if text.len() > max {
                return;
            }
            let (sign, line) = match line {
                Line::Context(line) => (' ', line),
                Line::Delete(line) => ('-', line),
                Line::Insert(line) => ('+', line),
            };
            text.push(sign);
            text.push_str(line);
            if !line.ends_with('\n') {
                text.push_str("\n\\ No newline at end of file\n");
            }
        }
    }
}

/// Whole lines, as many as fit; of a first change that is longer than that, its beginning.
fn shortened(diff: &str, max: usize) -> String {
    let fitting = prefix(diff, max);
    let whole = &fitting[..fitting.rfind('\n').map_or(0, |at| at + 1)];
    let changes = whole.lines().skip(2).any(|line| line.starts_with(['+', '-']));
    if changes { whole.to_owned() } else { mark::ellipsis(diff, max) + "\n" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(old: &str, new: &str) -> Diff {
        unified("@project/a.md", old, new, SHOWN_BYTES)
    }

    fn numbered(sign: &str, lines: usize) -> String {
        (0..lines).map(|n| [sign, &n.to_string(), "\n"].concat()).collect()
    }

    #[test]
    fn a_change_stands_between_the_lines_around_it_under_its_own_numbers() {
        let old = numbered("", 30);
        let diff = of(&old, &old.replace("\n7\n", "\nseven\n").replace("\n20\n", "\n"));
        assert_eq!(
            diff.text,
            "--- @project/a.md\n+++ @project/a.md\n\
             @@ -5,7 +5,7 @@\n 4\n 5\n 6\n-7\n+seven\n 8\n 9\n 10\n\
             @@ -18,7 +18,6 @@\n 17\n 18\n 19\n-20\n 21\n 22\n 23\n"
        );
        assert_eq!((diff.removed, diff.added, diff.cut), (2, 1, false));
    }

    #[test]
    fn a_missing_line_end_is_said() {
        let diff = of("a\nb", "a\nb\n");
        assert!(
            diff.text.ends_with("@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"),
            "{}",
            diff.text
        );
        assert_eq!(of("a", "a"), Diff::default());
    }

    #[test]
    fn every_diff_that_is_not_cut_can_be_applied() {
        let texts = ["", "a", "a\n", "a\nb\nc\nd\ne\nf\ng\n", "b\na\n", "x\nd\ne\nf\ng\nh", "\n\n"];
        let (huge, other) = (numbered("", 2_500), format!("head\n{}", numbered("n", 2_500)));
        let texts = texts.into_iter().chain([huge.as_str(), other.as_str()]);
        let pairs = texts.clone().flat_map(|old| texts.clone().map(move |new| (old, new)));
        for (old, new) in pairs.filter(|(old, new)| old != new) {
            let diff = unified("a", old, new, usize::MAX);
            let patch = diffy::Patch::from_str(&diff.text).unwrap();
            assert_eq!(diffy::apply(old, &patch).unwrap(), new, "{}", diff.text);
            assert_eq!(count(old, new), (diff.removed, diff.added), "{}", diff.text);
        }
    }

    #[test]
    fn a_huge_rewrite_is_one_hunk_cut_at_a_line_and_says_so() {
        let (old, new) = ("old\n".repeat(300_000), format!("same\n{}", "new\n".repeat(200_000)));
        let diff = of(&format!("same\n{old}"), &new);
        assert_eq!((diff.removed, diff.added, diff.cut), (300_000, 200_000, true));
        assert!(diff.text.contains("@@ -2,300000 +2,200000 @@\n-old\n"), "{}", &diff.text[..80]);
        assert!(diff.text.len() <= SHOWN_BYTES + CUT.len() && diff.text.ends_with("\n-old\n…\n"));
    }

    #[test]
    fn few_changes_in_a_huge_text_are_shown_exactly() {
        let old = numbered("", 300_000);
        let diff = of(&old, &old.replacen("\n150000\n", "\nx\n", 1));
        assert_eq!((diff.removed, diff.added), (1, 1));
        assert!(diff.text.contains("@@ -149998,7 +149998,7 @@\n 149997\n"), "{}", diff.text);
    }

    #[test]
    fn of_one_line_too_long_its_beginning_is_shown_and_no_mark_is_cut() {
        let line = format!("{}⟦folder:project⟧/x", "y".repeat(50));
        let diff = unified("a", "", &line, 90);
        assert!(diff.cut && diff.text.contains("\n+yyyy"), "{}", diff.text);
        assert!(!diff.text.contains('⟦') && diff.text.ends_with("…\n…\n"), "{}", diff.text);
    }

    #[test]
    fn lines_that_stay_are_not_counted() {
        assert_eq!(count("a\nb\nc\nd\n", "a\nB\nc\nD\nE\n"), (2, 3));
        assert_eq!(count("", "a\nb\n"), (0, 2));
        assert_eq!(count("a\n", "a\n"), (0, 0));
        assert_eq!(count("a\n", "b\na\nc\n"), (0, 2));
        assert_eq!(count("b\na\nc\n", "a\n"), (2, 0));
        assert_eq!(count("a\nb\n", "c\n"), (2, 1));
        assert_eq!(count("a", "a\n"), (1, 1));
        // One line among too many to compare: counted as it is shown.
        let huge = format!("{}same\n{}", numbered("a", 1_500), numbered("b", 1_500));
        let diff = of("same\n", &huge);
        assert_eq!(count("same\n", &huge), (diff.removed, diff.added));
        assert_eq!(count(&"old\n".repeat(60_000), &"new\n".repeat(50_000)), (60_000, 50_000));
    }
}
