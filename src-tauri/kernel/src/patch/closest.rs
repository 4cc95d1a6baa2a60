//! The lines most like a line that is not there: what a model needs to correct itself.

use std::collections::BTreeMap;

use crate::bounds::COMPARED_LINES;
use crate::text::ellipsis;

const CLOSEST: usize = 3;
const LINE_BYTES: usize = 200;
/// Percent of likeness below which a line is no help.
const LIKE: usize = 40;

/// The lines of `text` most like the first line of `old` that is not blank: at most three, best
/// first, each with its number from 1.
pub fn closest_lines(text: &str, old: &str) -> Vec<(usize, String)> {
    let Some(wanted) = old.lines().map(str::trim).find(|line| !line.is_empty()) else {
        return Vec::new();
    };
    let wanted = pairs(wanted);
    let mut scored: Vec<(usize, usize, &str)> = text
        .lines()
        .take(COMPARED_LINES)
        .enumerate()
        .map(|(index, line)| (likeness(&wanted, &pairs(line.trim())), index + 1, line))
        .filter(|(score, _, _)| *score >= LIKE)
        .collect();
    scored.sort_by_key(|(score, line, _)| (std::cmp::Reverse(*score), *line));
    scored.truncate(CLOSEST);
    scored
        .into_iter()
        .map(|(_, line, text)| (line, ellipsis(text.trim_end(), LINE_BYTES)))
        .collect()
}

/// The pairs of neighbouring letters of a line, lower case.
fn pairs(line: &str) -> BTreeMap<(char, char), usize> {
    let letters: Vec<char> = line.chars().take(LINE_BYTES).flat_map(char::to_lowercase).collect();
    let mut out = BTreeMap::new();
    for pair in letters.windows(2) {
        *out.entry((pair[0], pair[1])).or_insert(0) += 1;
    }
    out
}

/// Sørensen–Dice likeness of two lines, in percent.
fn likeness(a: &BTreeMap<(char, char), usize>, b: &BTreeMap<(char, char), usize>) -> usize {
    let total: usize = a.values().sum::<usize>() + b.values().sum::<usize>();
    let shared: usize = a.iter().map(|(pair, n)| b.get(pair).map_or(0, |m| *n.min(m))).sum();
    (200 * shared).checked_div(total).unwrap_or(0)
}
