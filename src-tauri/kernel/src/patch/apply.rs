//! The text that placed hunks make of a file.

use std::collections::BTreeMap;

use super::parse::{HunkLineKind, PatchHunk};
use super::place::{FileLine, HunkPlacement, Indent};

/// Two hunks that change the same place, from 0.
pub(super) struct Overlap(pub(super) usize, pub(super) usize);

/// What happens to a file's lines.
#[derive(Default)]
struct Edits {
    /// Which hunk deletes a line.
    deleted: BTreeMap<usize, usize>,
    /// Which hunk needs a line to stay.
    context: BTreeMap<usize, usize>,
    /// What is inserted before a line, and by which hunk.
    inserted: BTreeMap<usize, (usize, Vec<String>)>,
}

/// All hunks at once; every place is one of the old file.
pub(super) fn apply(
    lines: &[FileLine<'_>],
    hunks: &[PatchHunk],
    places: &[HunkPlacement],
) -> Result<String, Overlap> {
    let mut edits = Edits::default();
    for (index, (hunk, place)) in hunks.iter().zip(places).enumerate() {
        edits.add(index, hunk, place)?;
    }
    Ok(edits.render(lines, hunks))
}

impl Edits {
    fn add(
        &mut self,
        index: usize,
        hunk: &PatchHunk,
        place: &HunkPlacement,
    ) -> Result<(), Overlap> {
        let mut old = place.at.iter();
        let first = place.at.iter().flatten().next().copied();
        let mut next = first.unwrap_or(place.bare);
        for (kind, text) in &hunk.lines {
            if *kind == HunkLineKind::Insert {
                let (by, texts) = self.inserted.entry(next).or_insert((index, Vec::new()));
                if *by != index {
                    return Err(Overlap(*by, index));
                }
                texts.push(indented(text, &place.indent));
                continue;
            }
            let Some(Some(at)) = old.next() else { continue };
            let (mine, others) = match kind {
                HunkLineKind::Delete => (&mut self.deleted, &self.context),
                HunkLineKind::Context | HunkLineKind::Insert => (&mut self.context, &self.deleted),
            };
            if let Some(other) = others.get(at) {
                return Err(Overlap(*other, index));
            }
            let taken = mine.insert(*at, index).filter(|_| *kind == HunkLineKind::Delete);
            if let Some(other) = taken {
                return Err(Overlap(other, index));
            }
            next = at + 1;
        }
        Ok(())
    }

    fn render(&self, lines: &[FileLine<'_>], hunks: &[PatchHunk]) -> String {
        let usual = lines.iter().map(|line| line.end).find(|end| !end.is_empty()).unwrap_or("\n");
        let mut out: Vec<(&str, &str)> = Vec::new();
        for at in 0..=lines.len() {
            if let Some((_, texts)) = self.inserted.get(&at) {
                let near = at.checked_sub(1).or(Some(at)).and_then(|at| lines.get(at));
                let end = near.map_or(usual, |line| line.end);
                out.extend(texts.iter().map(|text| (text.as_str(), end)));
            }
            if let Some(line) = lines.get(at)
                && !self.deleted.contains_key(&at)
            {
                out.push((line.text, line.end));
            }
        }
        let open = stays_open(lines, hunks);
        let last = out.len().saturating_sub(1);
        let mut text = String::new();
        for (index, (line, end)) in out.into_iter().enumerate() {
            text.push_str(line);
            // An empty line is its line end.
            if index < last || !open || line.is_empty() {
                text.push_str(if end.is_empty() { usual } else { end });
            }
        }
        text
    }
}

/// Whether the text ends without a line end afterwards: as the diff says, else as it was.
fn stays_open(lines: &[FileLine<'_>], hunks: &[PatchHunk]) -> bool {
    if hunks.iter().any(|hunk| hunk.new_open) {
        return true;
    }
    let was_open = lines.last().is_some_and(|line| line.end.is_empty());
    was_open && !hunks.iter().any(|hunk| hunk.old_open)
}

fn indented(text: &str, indent: &Indent) -> String {
    match indent {
        Indent::Add(more) if !text.trim().is_empty() => format!("{more}{text}"),
        Indent::Strip(less) => text.strip_prefix(less.as_str()).unwrap_or(text).to_owned(),
        Indent::Same | Indent::Add(_) => text.to_owned(),
    }
}
