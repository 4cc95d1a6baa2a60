//! Where a hunk belongs. Each step is a little less strict than the one before and is only taken
//! when that one found no place; two places at the same step are refused.

use super::apply::FileLine;
use super::parse::{Hunk, Kind};

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
    /// The first lines, from 0, of all the places it fits at.
    Ambiguous(Vec<usize>),
    /// Nothing to look for.
    NoContext,
}

/// How inserted lines are brought to the file's indentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Indent {
    Same,
    Add(String),
    Strip(String),
}

/// The only place `hunk` fits at.
pub(super) fn find(hunk: &Hunk, lines: &[FileLine<'_>]) -> Result<Place, Miss> {
    let old: Vec<(Kind, &str)> = hunk.old().collect();
    if old.is_empty() {
        return bare(hunk, lines.len());
    }
    let same = |a: &str, b: &str| a == b;
    if let Some(place) = contiguous(hunk, &old, lines, same, None)? {
        return Ok(place);
    }
    let ends = |a: &str, b: &str| a.trim_end() == b.trim_end();
    if let Some(place) = contiguous(hunk, &old, lines, ends, Some("white space at line ends"))? {
        return Ok(place);
    }
    let spaces = |a: &str, b: &str| a.split_whitespace().eq(b.split_whitespace());
    if let Some(place) = contiguous(hunk, &old, lines, spaces, Some("white space"))? {
        return Ok(place);
    }
    aligned(&old, hunk, lines)
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

/// A place where the hunk's lines stand one after the other.
fn contiguous(
    hunk: &Hunk,
    old: &[(Kind, &str)],
    lines: &[FileLine<'_>],
    eq: impl Fn(&str, &str) -> bool,
    lenient: Option<&str>,
) -> Result<Option<Place>, Miss> {
    let fits = |at: usize| {
        let window = lines.get(at..).and_then(|rest| rest.get(..old.len()));
        window.is_some_and(|window| {
            window.iter().zip(old).all(|(line, (_, wanted))| eq(line.text, wanted))
        })
    };
    let stated = hunk.start.and_then(|start| start.checked_sub(1));
    let at = match stated.filter(|at| fits(*at)) {
        Some(at) => at,
        None => match (0..lines.len()).filter(|at| fits(*at)).collect::<Vec<_>>().as_slice() {
            [] => return Ok(None),
            [at] => *at,
            several => return Err(Miss::Ambiguous(several.to_vec())),
        },
    };
    let mut notes: Vec<String> = moved(stated, at).into_iter().collect();
    notes.extend(lenient.map(|what| format!("{what} is different in the file")));
    let window = &lines[at..at + old.len()];
    let inserts = hunk.lines.iter().any(|(kind, _)| *kind == Kind::Insert);
    let indent = match indent(window, old) {
        Some(indent) => indent,
        None if inserts => return Ok(None),
        None => Indent::Same,
    };
    let at = (at..at + old.len()).map(Some).collect();
    Ok(Some(Place { at, bare: 0, indent, notes }))
}

fn moved(stated: Option<usize>, at: usize) -> Option<String> {
    let stated = stated.filter(|stated| *stated != at)?;
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

/// Lines of context that may be too much or too little.
const MAX_SLIPS: usize = 2;
/// Files longer than this are only searched for whole hunks.
const ALIGNED_LINES: usize = 50_000;

/// A place with some lines of context missing, on either side. What is deleted must be there
/// word for word, and what is inserted must have its neighbours.
fn aligned(old: &[(Kind, &str)], hunk: &Hunk, lines: &[FileLine<'_>]) -> Result<Place, Miss> {
    let slips = MAX_SLIPS.min(old.len() / 3);
    if slips == 0 || lines.len() > ALIGNED_LINES {
        return Err(Miss::Nowhere);
    }
    let mut best: Vec<Alignment> = Vec::new();
    for first in 0..lines.len() {
        for dropped in 0..=slips {
            let mut search = Alignment { at: vec![None; dropped], slips: dropped };
            let head_is_context = old[..dropped].iter().all(|(kind, _)| *kind == Kind::Context);
            if head_is_context && same_end(lines[first].text, old[dropped].1) {
                search.go(old, lines, first, slips, &mut best);
            }
        }
    }
    best.retain(|found| keeps_neighbours(hunk, &found.at));
    let least = best.iter().map(|found| found.slips).min().ok_or(Miss::Nowhere)?;
    best.retain(|found| found.slips == least);
    // Two ways to read the context that come to the same change are one place.
    best.sort_by_key(|found| found.at.iter().filter(|at| at.is_none()).count());
    let mut changes: Vec<Vec<usize>> = Vec::new();
    best.retain(|found| {
        let change = changed(hunk, &found.at);
        let new = !changes.contains(&change);
        changes.extend(new.then_some(change));
        new
    });
    let [found] = best.as_slice() else {
        return Err(Miss::Ambiguous(best.iter().filter_map(Alignment::first).collect()));
    };
    let at = found.first().unwrap_or(0);
    let stated = hunk.start.and_then(|start| start.checked_sub(1));
    let mut notes: Vec<String> = moved(stated, at).into_iter().collect();
    notes.push(format!("{least} line(s) of context are different in the file"));
    Ok(Place { at: found.at.clone(), bare: 0, indent: Indent::Same, notes })
}

fn same_end(a: &str, b: &str) -> bool {
    a.trim_end() == b.trim_end()
}

/// Which lines of the file an alignment deletes and before which it inserts.
fn changed(hunk: &Hunk, at: &[Option<usize>]) -> Vec<usize> {
    let mut old = at.iter();
    let mut next = at.iter().flatten().next().copied().unwrap_or(0);
    let mut changed = Vec::new();
    for (kind, _) in &hunk.lines {
        if *kind == Kind::Insert {
            changed.push(next);
        } else if let Some(Some(here)) = old.next() {
            if *kind == Kind::Delete {
                changed.push(*here);
            }
            next = here + 1;
        }
    }
    changed
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Alignment {
    at: Vec<Option<usize>>,
    slips: usize,
}

impl Alignment {
    fn first(&self) -> Option<usize> {
        self.at.iter().flatten().next().copied()
    }

    /// Goes on with the next line of the hunk at line `next` of the file, in every allowed way.
    fn go(
        &mut self,
        old: &[(Kind, &str)],
        lines: &[FileLine<'_>],
        next: usize,
        max: usize,
        found: &mut Vec<Self>,
    ) {
        let Some((kind, wanted)) = old.get(self.at.len()) else {
            found.push(self.clone());
            return;
        };
        if let Some(line) = lines.get(next)
            && same_end(line.text, wanted)
        {
            self.at.push(Some(next));
            self.go(old, lines, next + 1, max, found);
            self.at.pop();
            return;
        }
        if self.slips == max {
            return;
        }
        self.slips += 1;
        if next < lines.len() {
            self.go(old, lines, next + 1, max, found);
        }
        if *kind == Kind::Context {
            self.at.push(None);
            self.go(old, lines, next, max, found);
            self.at.pop();
        }
        self.slips -= 1;
    }
}

/// Beside what is inserted, the lines before and after it in the hunk must be neighbours in the
/// file too: else nobody knows on which side of the unknown line it belongs.
fn keeps_neighbours(hunk: &Hunk, at: &[Option<usize>]) -> bool {
    let mut old = 0;
    let mut before: Option<Option<usize>> = None;
    let mut inserting = false;
    for (kind, _) in &hunk.lines {
        if *kind == Kind::Insert {
            inserting = true;
            continue;
        }
        let here = at.get(old).copied().flatten();
        old += 1;
        if inserting {
            let adjacent = match (before, here) {
                (None, Some(_)) => true,
                (Some(Some(before)), Some(here)) => here == before + 1,
                (_, None) | (Some(None), Some(_)) => false,
            };
            if !adjacent {
                return false;
            }
        }
        inserting = false;
        before = Some(here);
    }
    !inserting || matches!(before, Some(Some(_)))
}

/// The line of a hunk that fits nowhere which is not in the text; else its first that says
/// something.
pub(super) fn missing_line<'h>(hunk: &'h Hunk, text: &str) -> &'h str {
    let old = || hunk.old().map(|(_, line)| line).filter(|line| !line.trim().is_empty());
    let there: std::collections::BTreeSet<&str> = text.lines().map(str::trim).collect();
    old().find(|line| !there.contains(line.trim())).or_else(|| old().next()).unwrap_or_default()
}
