//! Where a hunk belongs whose context is not quite the file's: a line too much or too little.
//!
//! Every way to read the hunk is tried, one state after the other and under the fuel of the whole
//! diff: neither the length of a hunk nor that of a file is a depth of calls.

use super::parse::{HunkLineKind, PatchHunk};
use super::place::{HunkPlacement, Indent, Lines, Miss, moved, same_end, steps};
use crate::bounds::{self, Exhausted, Fuel};

/// Lines of context that may be too much or too little.
const MAX_SLIPS: usize = 2;

/// A place with some lines of context missing, on either side. What is deleted must be there
/// word for word, and what is inserted must have its neighbours.
pub(super) fn aligned(
    old: &[(HunkLineKind, &str)],
    hunk: &PatchHunk,
    lines: &Lines<'_>,
    fuel: &mut Fuel,
) -> Result<HunkPlacement, Miss> {
    let max = MAX_SLIPS.min(old.len() / 3);
    let mut best = Best { hunk, slips: max, found: Vec::new() };
    for dropped in 0..=max {
        if max == 0 || old[..dropped].iter().any(|(kind, _)| *kind != HunkLineKind::Context) {
            break;
        }
        for first in lines.ending_like(old[dropped].1).iter().copied() {
            let begun =
                HunkReading { line: dropped, next: first, dropped, first, slips: [None; 2] };
            begun.go_on(old, lines, max, fuel, &mut best)?;
        }
    }
    let Some(found) = best.found.first() else { return Err(Miss::Nowhere) };
    if best.found.len() > 1 {
        let mut places: Vec<usize> = best.found.iter().map(|found| found.first).collect();
        places.sort_unstable();
        return Err(Miss::Ambiguous(places));
    }
    let mut notes: Vec<String> = moved(hunk, found.first).into_iter().collect();
    notes.push(format!("{} line(s) of context are different in the file", best.slips));
    Ok(HunkPlacement { at: found.at.clone(), bare: 0, indent: Indent::Same, notes })
}

/// What a reading takes for a slip, before it reads the line of the hunk named beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slip {
    /// A line of the file that the hunk leaves out.
    LeftOut,
    /// The line of the hunk, which the file does not have.
    MadeUp,
}

/// One way to read a hunk, as far as it has come.
#[derive(Debug, Clone, Copy)]
struct HunkReading {
    /// The next line of the hunk's old side, and of the file.
    line: usize,
    next: usize,
    /// How many lines of the hunk were left out at its head, and where the next one stands.
    dropped: usize,
    first: usize,
    slips: [Option<(usize, Slip)>; MAX_SLIPS],
}

impl HunkReading {
    fn count(&self) -> usize {
        self.dropped + self.slips.iter().flatten().count()
    }

    /// The same after one slip more.
    fn after(mut self, slip: Slip) -> Self {
        let here = self.line;
        if let Some(free) = self.slips.iter_mut().find(|slip| slip.is_none()) {
            *free = Some((here, slip));
        }
        match slip {
            Slip::LeftOut => self.next += 1,
            Slip::MadeUp => self.line += 1,
        }
        self
    }

    /// Reads on to the end, in every allowed way.
    fn go_on(
        self,
        old: &[(HunkLineKind, &str)],
        lines: &Lines<'_>,
        max: usize,
        fuel: &mut Fuel,
        best: &mut Best<'_>,
    ) -> Result<(), Exhausted> {
        let mut open = vec![self];
        while let Some(mut reading) = open.pop() {
            while let Some((kind, wanted)) = old.get(reading.line) {
                let here = lines.all.get(reading.next);
                fuel.spend(here.map_or(1, |line| steps(line.text, wanted)))?;
                if here.is_some_and(|line| same_end(line.text, wanted)) {
                    reading.line += 1;
                    reading.next += 1;
                    continue;
                }
                if reading.count() < max && *kind == HunkLineKind::Context {
                    open.push(reading.after(Slip::MadeUp));
                }
                if reading.count() < max && here.is_some() {
                    open.push(reading.after(Slip::LeftOut));
                }
                break;
            }
            if reading.line == old.len() {
                best.take(&reading, old.len(), fuel)?;
            }
        }
        Ok(())
    }

    /// For each line of the hunk's old side, which line of the file that is.
    fn places(&self, len: usize) -> Vec<Option<usize>> {
        let mut slips = self.slips.iter().flatten().peekable();
        let mut at = vec![None; self.dropped];
        let mut next = self.first;
        while at.len() < len {
            match slips.next_if(|(line, _)| *line == at.len()) {
                Some((_, Slip::LeftOut)) => next += 1,
                Some((_, Slip::MadeUp)) => at.push(None),
                None => {
                    at.push(Some(next));
                    next += 1;
                }
            }
        }
        at
    }
}

/// The readings with the fewest slips, each with a change of its own.
struct Best<'h> {
    hunk: &'h PatchHunk,
    slips: usize,
    found: Vec<Alignment>,
}

struct Alignment {
    first: usize,
    at: Vec<Option<usize>>,
    change: Vec<usize>,
}

impl Best<'_> {
    fn take(
        &mut self,
        reading: &HunkReading,
        len: usize,
        fuel: &mut Fuel,
    ) -> Result<(), Exhausted> {
        let slips = reading.count();
        if slips > self.slips || (slips == self.slips && self.found.len() == bounds::PLACES) {
            return Ok(());
        }
        // Making it, and comparing it with the others.
        fuel.spend(len * (1 + self.found.len()))?;
        let at = reading.places(len);
        if !keeps_neighbours(self.hunk, &at) {
            return Ok(());
        }
        if slips < self.slips {
            self.found.clear();
            self.slips = slips;
        }
        // Two ways to read the context that come to the same change are one place.
        let change = changed(self.hunk, &at);
        let left_out = |at: &[Option<usize>]| at.iter().filter(|at| at.is_none()).count();
        match self.found.iter_mut().find(|found| found.change == change) {
            Some(same) if left_out(&same.at) <= left_out(&at) => {}
            Some(same) => *same = Alignment { first: reading.first, at, change },
            None => self.found.push(Alignment { first: reading.first, at, change }),
        }
        Ok(())
    }
}

/// Which lines of the file an alignment deletes and before which it inserts.
fn changed(hunk: &PatchHunk, at: &[Option<usize>]) -> Vec<usize> {
    let mut old = at.iter();
    let mut next = at.iter().flatten().next().copied().unwrap_or(0);
    let mut changed = Vec::new();
    for (kind, _) in &hunk.lines {
        if *kind == HunkLineKind::Insert {
            changed.push(next);
        } else if let Some(Some(here)) = old.next() {
            if *kind == HunkLineKind::Delete {
                changed.push(*here);
            }
            next = here + 1;
        }
    }
    changed
}

/// Beside what is inserted, the lines before and after it in the hunk must be neighbours in the
/// file too: else nobody knows on which side of the unknown line it belongs.
fn keeps_neighbours(hunk: &PatchHunk, at: &[Option<usize>]) -> bool {
    let mut old = 0;
    let mut before: Option<Option<usize>> = None;
    let mut inserting = false;
    for (kind, _) in &hunk.lines {
        if *kind == HunkLineKind::Insert {
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
