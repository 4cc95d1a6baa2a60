//! Patch operations on text, all or nothing. Pure.

use kernel::code::{ErrorCode, Failure};
use kernel::frontmatter;
use kernel::path::AliasPath;
use kernel::text::ellipsis;
use kernel::tool::PatchOp;
use serde_json::json;
use std::collections::BTreeMap;

/// How a text ends its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineEnds {
    /// `\n`, or no line end at all.
    Lf,
    /// `\r\n` throughout.
    Crlf,
    /// Both.
    Mixed,
}

impl LineEnds {
    pub(super) fn of(text: &str) -> Self {
        let all = text.matches('\n').count();
        match text.matches("\r\n").count() {
            0 => Self::Lf,
            crlf if crlf == all => Self::Crlf,
            _ => Self::Mixed,
        }
    }

    /// `text` with these line ends; as it is in a file that mixes them.
    fn adapt(self, text: &str) -> String {
        match self {
            Self::Lf => text.replace("\r\n", "\n"),
            Self::Crlf => text.replace("\r\n", "\n").replace('\n', "\r\n"),
            Self::Mixed => text.to_owned(),
        }
    }
}

/// The text after `ops`, and how many texts were replaced. `E_PATCH_FAILED` says which operation
/// did not fit and where the nearest lines are.
pub(super) fn apply(
    path: &AliasPath,
    text: &str,
    ops: &[PatchOp],
) -> Result<(String, usize), Failure> {
    if ops.is_empty() {
        return Err(failed(path, None, "the list of operations is empty")
            .with_action("Send at least one operation."));
    }
    let ends = LineEnds::of(text);
    let mut text = text.to_owned();
    let mut replaced = 0;
    for (index, op) in ops.iter().enumerate() {
        let place = (ops.len() > 1).then_some(index + 1);
        match op {
            PatchOp::Replace { old, new, all } => {
                let (old, new) = (ends.adapt(old), ends.adapt(new));
                let count = count(path, place, &text, &old, all.unwrap_or(false))?;
                text = text.replace(&old, &new);
                replaced += count;
            }
            PatchOp::UpdateFrontmatter { update } => {
                text = frontmatter::update(&text, update)
                    .map_err(|failure| named(path, place, failure))?;
            }
        }
    }
    Ok((text, replaced))
}

/// The kernel's failure, saying which file and which operation.
fn named(path: &AliasPath, place: Option<usize>, failure: Failure) -> Failure {
    let op = place.map_or(String::new(), |n| format!("operation {n}: "));
    let message = format!("{path}: {op}{}; nothing was changed", failure.message);
    Failure { message, ..failure }
}

fn failed(path: &AliasPath, place: Option<usize>, message: &str) -> Failure {
    let op = place.map_or(String::new(), |n| format!("operation {n}: "));
    Failure::new(ErrorCode::PatchFailed, format!("{path}: {op}{message}; nothing was changed"))
}

fn count(
    path: &AliasPath,
    place: Option<usize>,
    text: &str,
    old: &str,
    all: bool,
) -> Result<usize, Failure> {
    if old.is_empty() {
        return Err(failed(path, place, "`old` is empty").with_action(
            "Put the text to replace into `old`; to write a whole file use fs.write.",
        ));
    }
    match text.matches(old).count() {
        0 => Err(no_match(path, place, text, old)),
        1 => Ok(1),
        several if all => Ok(several),
        several => Err(several_matches(path, place, text, old, several)),
    }
}

const SHOWN_LINES: usize = 20;

fn several_matches(
    path: &AliasPath,
    place: Option<usize>,
    text: &str,
    old: &str,
    several: usize,
) -> Failure {
    let lines: Vec<usize> = text
        .match_indices(old)
        .take(SHOWN_LINES)
        .map(|(at, _)| text[..at].matches('\n').count() + 1)
        .collect();
    let shown: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let message = format!("`old` occurs {several} times, in lines {}", shown.join(", "));
    failed(path, place, &message)
        .with_details(json!({ "matches": several, "lines": lines }))
        .with_action("Add lines around it until it occurs once, or set all: true.")
}

const CLOSEST: usize = 3;
const LINE_BYTES: usize = 200;

fn no_match(path: &AliasPath, place: Option<usize>, text: &str, old: &str) -> Failure {
    let closest = closest_lines(text, old);
    let shown: Vec<String> =
        closest.iter().map(|(line, text)| format!("line {line}: `{text}`")).collect();
    let spaces = squeezed(text).contains(&squeezed(old));
    let message = match (spaces, shown.is_empty()) {
        (true, _) => {
            format!("`old` differs from the file in white space only ({})", shown.join("; "))
        }
        (false, false) => format!("`old` does not occur; closest is {}", shown.join("; ")),
        (false, true) => "`old` does not occur and nothing is like it".to_owned(),
    };
    let lines: Vec<_> =
        closest.iter().map(|(line, text)| json!({ "line": line, "text": text })).collect();
    failed(path, place, &message)
        .with_details(json!({ "matches": 0, "closest": lines }))
        .with_action("Read the place with fs.read and copy the text exactly, spaces included.")
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Files are compared up to this many lines: the search for a near miss must not take long.
const COMPARED_LINES: usize = 20_000;

/// The lines most like the first line of `old`, best first, with their numbers.
fn closest_lines(text: &str, old: &str) -> Vec<(usize, String)> {
    let Some(wanted) = old.lines().map(str::trim).find(|line| !line.is_empty()) else {
        return Vec::new();
    };
    let wanted = pairs(wanted);
    let mut scored: Vec<(usize, usize, &str)> = text
        .lines()
        .take(COMPARED_LINES)
        .enumerate()
        .map(|(index, line)| (likeness(&wanted, &pairs(line.trim())), index + 1, line))
        .filter(|(score, _, _)| *score >= 40)
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
