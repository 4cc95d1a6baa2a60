//! Where a hunk belongs. Each step is a little less strict than the one before and is only taken
//! when that one found no place; two places at the same step are refused.

use super::align::aligned;
use super::parse::{HunkLineKind, PatchHunk};
use super::place::{FileLine, HunkPlacement, Indent, Lines, Miss, moved, same_end, stated, steps};
use crate::bounds::{self, Exhausted, Fuel};

/// The only place `hunk` fits at.
pub(super) fn find(
    hunk: &PatchHunk,
    lines: &Lines<'_>,
    fuel: &mut Fuel,
) -> Result<HunkPlacement, Miss> {
    let old: Vec<(HunkLineKind, &str)> = hunk.old().collect();
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
fn bare(hunk: &PatchHunk, len: usize) -> Result<HunkPlacement, Miss> {
    let at = match hunk.start {
        Some(0) => 0,
        Some(start) if start == len => len,
        _ if len == 0 => 0,
        _ => return Err(Miss::NoContext),
    };
    Ok(HunkPlacement { at: Vec::new(), bare: at, indent: Indent::Same, notes: Vec::new() })
}

/// A hunk whose lines are to stand one after the other.
struct Contiguous<'h> {
    hunk: &'h PatchHunk,
    old: &'h [(HunkLineKind, &'h str)],
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

    fn place(&self, starts: &[usize], fuel: &mut Fuel) -> Result<Option<HunkPlacement>, Miss> {
        let Some(at) = self.start(starts, fuel)? else { return Ok(None) };
        let mut notes: Vec<String> = moved(self.hunk, at).into_iter().collect();
        notes.extend(self.lenient.map(|what| format!("{what} is different in the file")));
        let window = &self.lines[at..at + self.old.len()];
        let inserts = self.hunk.lines.iter().any(|(kind, _)| *kind == HunkLineKind::Insert);
        let indent = match indent(window, self.old) {
            Some(indent) => indent,
            None if inserts => return Ok(None),
            None => Indent::Same,
        };
        let at = (at..at + self.old.len()).map(Some).collect();
        Ok(Some(HunkPlacement { at, bare: 0, indent, notes }))
    }
}

/// How the file is indented against the hunk; `None` when that is not the same in all lines.
fn indent(window: &[FileLine<'_>], old: &[(HunkLineKind, &str)]) -> Option<Indent> {
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

/// The line of a hunk that fits nowhere which is not in the text; else its first that says
/// something.
pub(super) fn missing_line<'h>(hunk: &'h PatchHunk, text: &str) -> &'h str {
    let old = || hunk.old().map(|(_, line)| line).filter(|line| !line.trim().is_empty());
    let there: std::collections::BTreeSet<&str> = text.lines().map(str::trim).collect();
    old().find(|line| !there.contains(line.trim())).or_else(|| old().next()).unwrap_or_default()
}
