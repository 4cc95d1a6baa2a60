//! Where a hunk belongs. Each step is a little less strict than the one before and is only taken
//! when that one found no place; two places at the same step are refused.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::align::aligned;
use super::apply::FileLine;
use super::parse::{Hunk, Kind};
use crate::bounds::{self, Exhausted, Fuel};

/// Where a hunk belongs: for each of its lines of the old file, which line of the file that is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
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
    fn worded_like(&self, text: &str) -> &[usize] {
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

/// The only place `hunk` fits at.
pub(super) fn find(hunk: &Hunk, lines: &Lines<'_>, fuel: &mut Fuel) -> Result<Place, Miss> {
    let old: Vec<(Kind, &str)> = hunk.old().collect();
    let Some((_, first)) = old.first() else {
        return bare(hunk, lines.all.len());
    };
    let mut contiguous = |starts, eq: fn(&str, &str) -> bool, lenient| {
        let there = Contiguous { hunk, old: &old, lines: &lines.all, eq, lenient };
        there.place(starts, fuel)
    };
    let same: fn(&str, &str) -> bool = |a, b| a == b;
    if let Some(place) = contiguous(lines.ending_like(first), same, None)? {
        return Ok(place);
    }
    let what = Some("white space at line ends");
    if let Some(place) = contiguous(lines.ending_like(first), same_end, what)? {
        return Ok(place);
    }
    let spaces: fn(&str, &str) -> bool = |a, b| a.split_whitespace().eq(b.split_whitespace());
    if let Some(place) = contiguous(lines.worded_like(first), spaces, Some("white space"))? {
        return Ok(place);
    }
    aligned(&old, hunk, lines, fuel)
}

/// Lines to insert with nothing around them: only the ends of a file are places one can trust.
fn bare(hunk: &Hunk, len: usize) -> Result<Place, Miss> {
    let at = match hunk.start {
        Some(0) => 0,
        Some(start) if start == len => len,
        _ if len == 0 => 0,
        _ => return Err(Miss::NoContext),
    };
    Ok(Place { at: Vec::new(), bare: at, indent: Indent::Same, notes: Vec::new() })
}

/// A hunk whose lines are to stand one after the other.
struct Contiguous<'h> {
    hunk: &'h Hunk,
    old: &'h [(Kind, &'h str)],
    lines: &'h [FileLine<'h>],
    eq: fn(&str, &str) -> bool,
    lenient: Option<&'h str>,
}

impl Contiguous<'_> {
    fn fits(&self, at: usize, fuel: &mut Fuel) -> Result<bool, Exhausted> {
        let window = self.lines.get(at..).and_then(|rest| rest.get(..self.old.len()));
        let Some(window) = window else { return Ok(false) };
        for (line, (_, wanted)) in window.iter().zip(self.old) {
            fuel.spend(steps(line.text, wanted))?;
            if !(self.eq)(line.text, wanted) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The line it says it begins at, else the only one of `starts` where it fits.
    fn start(&self, starts: &[usize], fuel: &mut Fuel) -> Result<Option<usize>, Miss> {
        if let Some(at) = stated(self.hunk)
            && self.fits(at, fuel)?
        {
            return Ok(Some(at));
        }
        let mut found = Vec::new();
        for at in starts.iter().copied() {
            if self.fits(at, fuel)? {
                found.push(at);
            }
            if found.len() == bounds::PLACES {
                break;
            }
        }
        match found.as_slice() {
            [] => Ok(None),
            [at] => Ok(Some(*at)),
            _ => Err(Miss::Ambiguous(found)),
        }
    }

    fn place(&self, starts: &[usize], fuel: &mut Fuel) -> Result<Option<Place>, Miss> {
        let Some(at) = self.start(starts, fuel)? else { return Ok(None) };
        let mut notes: Vec<String> = moved(self.hunk, at).into_iter().collect();
        notes.extend(self.lenient.map(|what| format!("{what} is different in the file")));
        let window = &self.lines[at..at + self.old.len()];
        let inserts = self.hunk.lines.iter().any(|(kind, _)| *kind == Kind::Insert);
        let indent = match indent(window, self.old) {
            Some(indent) => indent,
            None if inserts => return Ok(None),
            None => Indent::Same,
        };
        let at = (at..at + self.old.len()).map(Some).collect();
        Ok(Some(Place { at, bare: 0, indent, notes }))
    }
}

/// The line a hunk says it begins at, from 0.
fn stated(hunk: &Hunk) -> Option<usize> {
    hunk.start.and_then(|start| start.checked_sub(1))
}

/// What is said of a hunk that belongs elsewhere than it says.
pub(super) fn moved(hunk: &Hunk, at: usize) -> Option<String> {
    let stated = stated(hunk).filter(|stated| *stated != at)?;
    Some(format!("it belongs at line {}, not {}", at + 1, stated + 1))
}

/// How the file is indented against the hunk; `None` when that is not the same in all lines.
fn indent(window: &[FileLine<'_>], old: &[(Kind, &str)]) -> Option<Indent> {
    let mut found: Option<Indent> = None;
    for (line, (_, wanted)) in window.iter().zip(old) {
        if wanted.trim().is_empty() {
            continue;
        }
        let (have, want) = (leading(line.text), leading(wanted));
        let this = if have == want {
            Indent::Same
        } else if let Some(more) = have.strip_suffix(want) {
            Indent::Add(more.to_owned())
        } else if let Some(less) = want.strip_suffix(have) {
            Indent::Strip(less.to_owned())
        } else {
            return None;
        };
        if *found.get_or_insert_with(|| this.clone()) != this {
            return None;
        }
    }
    Some(found.unwrap_or(Indent::Same))
}

fn leading(text: &str) -> &str {
    &text[..text.len() - text.trim_start().len()]
}

/// Whether two lines are the same but for white space at their ends.
pub(super) fn same_end(a: &str, b: &str) -> bool {
    a.trim_end() == b.trim_end()
}

/// The line of a hunk that fits nowhere which is not in the text; else its first that says
/// something.
pub(super) fn missing_line<'h>(hunk: &'h Hunk, text: &str) -> &'h str {
    let old = || hunk.old().map(|(_, line)| line).filter(|line| !line.trim().is_empty());
    let there: std::collections::BTreeSet<&str> = text.lines().map(str::trim).collect();
    old().find(|line| !there.contains(line.trim())).or_else(|| old().next()).unwrap_or_default()
}
