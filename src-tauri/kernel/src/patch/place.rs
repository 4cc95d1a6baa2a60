//! The lines of a file, and the places where hunks may belong among them.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::parse::PatchHunk;
use crate::bounds::Exhausted;

/// A line of a file, and how it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileLine<'t> {
    pub(super) text: &'t str,
    pub(super) end: &'t str,
}

/// The lines of a text. A text that ends in a line end has no empty line after it.
pub(super) fn split(text: &str) -> Vec<FileLine<'_>> {
    text.split_inclusive('\n')
        .map(|line| {
            let body = line.strip_suffix('\n').unwrap_or(line);
            let body = if body.len() < line.len() {
                body.strip_suffix('\r').unwrap_or(body)
            } else {
                body
            };
            FileLine { text: body, end: &line[body.len()..] }
        })
        .collect()
}

/// Where a hunk belongs: for each of its lines of the old file, which line of the file that is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HunkPlacement {
    /// `None` for a line of context the file does not have.
    pub(super) at: Vec<Option<usize>>,
    /// Where a hunk without such lines goes: before this line.
    pub(super) bare: usize,
    pub(super) indent: Indent,
    /// What was not as the hunk says.
    pub(super) notes: Vec<String>,
}

/// Why a hunk has no place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Miss {
    Nowhere,
    /// The first lines, from 0, of the places it fits at; no more than are counted.
    Ambiguous(Vec<usize>),
    /// Nothing to look for.
    NoContext,
    /// Too many lines are alike to look everywhere.
    TooMuch,
}

impl From<Exhausted> for Miss {
    fn from(_: Exhausted) -> Self {
        Self::TooMuch
    }
}

/// A file's lines, and where each text stands: a hunk is only looked for where its first line is.
pub(super) struct Lines<'t> {
    pub(super) all: Vec<FileLine<'t>>,
    /// By the text without white space at its end.
    ends: BTreeMap<&'t str, Vec<usize>>,
    /// By the words alone; made when a hunk is looked for by them.
    words: OnceCell<BTreeMap<String, Vec<usize>>>,
}

impl<'t> Lines<'t> {
    pub(super) fn of(all: Vec<FileLine<'t>>) -> Self {
        let mut ends: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, line) in all.iter().enumerate() {
            ends.entry(line.text.trim_end()).or_default().push(at);
        }
        Self { all, ends, words: OnceCell::new() }
    }

    /// The lines that are `text` but for white space at their ends.
    pub(super) fn ending_like(&self, text: &str) -> &[usize] {
        self.ends.get(text.trim_end()).map(Vec::as_slice).unwrap_or_default()
    }

    /// The lines that are `text` but for white space.
    pub(super) fn worded_like(&self, text: &str) -> &[usize] {
        let words = self.words.get_or_init(|| {
            let mut words: BTreeMap<String, Vec<usize>> = BTreeMap::new();
            for (at, line) in self.all.iter().enumerate() {
                words.entry(words_of(line.text)).or_default().push(at);
            }
            words
        });
        words.get(&words_of(text)).map(Vec::as_slice).unwrap_or_default()
    }
}

fn words_of(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How much fuel it takes to compare two lines.
pub(super) fn steps(a: &str, b: &str) -> usize {
    1 + a.len().min(b.len()) / 64
}

/// How inserted lines are brought to the file's indentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Indent {
    Same,
    Add(String),
    Strip(String),
}

/// The line a hunk says it begins at, from 0.
pub(super) fn stated(hunk: &PatchHunk) -> Option<usize> {
    hunk.start.and_then(|start| start.checked_sub(1))
}

/// What is said of a hunk that belongs elsewhere than it says.
pub(super) fn moved(hunk: &PatchHunk, at: usize) -> Option<String> {
    let stated = stated(hunk).filter(|stated| *stated != at)?;
    Some(format!("it belongs at line {}, not {}", at + 1, stated + 1))
}

/// Whether two lines are the same but for white space at their ends.
pub(super) fn same_end(a: &str, b: &str) -> bool {
    a.trim_end() == b.trim_end()
}
