//! Unified diffs as models write them: applied where each hunk fits and nowhere else (spec 05).
//!
//! Strict first: the hunk's lines, verbatim, at the line it names. Then, one step at a time, at
//! another line, with other white space, with a line of context too much or too little. At every
//! step the place must be the only one; two places are refused, and so is none. A diff without a
//! hunk is an error: it would do nothing and look as if it had worked.

mod align;
mod apply;
mod closest;
mod fit;
mod parse;
mod place;

use serde_json::json;

use crate::bounds::{self, Fuel};
use crate::code::Failure;
use crate::text::ellipsis;
use parse::failed;
use place::{Lines, Miss};

pub use closest::closest_lines;

/// A text after a diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// The text. Line ends, byte order mark and the end of the file are as they were found.
    pub text: String,
    /// How many hunks it had; at least 1.
    pub hunks: usize,
    /// What was not as the diff says, for the model to see.
    pub repaired: Vec<String>,
}

/// Applies `diff` to `text`: all of its hunks, or none.
///
/// ```
/// let text = "one\ntwo\nthree\n";
/// let patched = kernel::patch::unified(text, "@@\n-two\n+zwei\n")?;
/// assert_eq!(patched.text, "one\nzwei\nthree\n");
///
/// // A hunk that fits at two places fits nowhere.
/// assert!(kernel::patch::unified("a\na\n", "@@\n-a\n+b\n").is_err());
/// # Ok::<(), kernel::code::Failure>(())
/// ```
///
/// # Errors
/// `E_PATCH_FAILED`, with the nearest lines or the several places in its details.
pub fn unified(text: &str, diff: &str) -> Result<Applied, Failure> {
    unified_within(text, diff, &mut Fuel::new(bounds::FIT_STEPS))
}

/// The same, with what is left of the steps of several operations.
///
/// # Errors
/// As [`unified`], and when the steps are used up.
pub fn unified_within(text: &str, diff: &str, fuel: &mut Fuel) -> Result<Applied, Failure> {
    let hunks = parse::hunks(diff)?;
    let (mark, body) = match text.strip_prefix('\u{feff}') {
        Some(body) => ("\u{feff}", body),
        None => ("", text),
    };
    let lines = Lines::of(place::split(body));
    let mut repaired = Vec::new();
    let mut placed = Vec::new();
    for (index, hunk) in hunks.iter().enumerate() {
        let found =
            fit::find(hunk, &lines, fuel).map_err(|miss| refused(index, hunk, body, &miss))?;
        let notes = hunk.repaired.iter().copied().map(str::to_owned).chain(found.notes.clone());
        repaired.extend(notes.map(|note| format!("hunk {}: {note}", index + 1)));
        placed.push(found);
    }
    let text = apply::apply(&lines.all, &hunks, &placed).map_err(|overlap| {
        failed(&format!("hunks {} and {} change the same place", overlap.0 + 1, overlap.1 + 1))
            .with_action_for_model("Make one hunk of them.")
    })?;
    Ok(Applied { text: format!("{mark}{text}"), hunks: hunks.len(), repaired })
}

const SHOWN_PLACES: usize = 20;
const LINE_BYTES: usize = 200;

fn refused(index: usize, hunk: &parse::PatchHunk, text: &str, miss: &Miss) -> Failure {
    let hunk_no = index + 1;
    match miss {
        Miss::Ambiguous(places) => {
            let lines: Vec<usize> = places.iter().take(SHOWN_PLACES).map(|at| at + 1).collect();
            let shown: Vec<String> = lines.iter().map(ToString::to_string).collect();
            let least = if places.len() == bounds::PLACES { "at least " } else { "" };
            let message = format!(
                "hunk {hunk_no} fits at {least}{} places, from lines {}",
                places.len(),
                shown.join(", ")
            );
            failed(&message)
                .with_details(json!({ "hunk": hunk_no, "places": places.len(), "lines": lines }))
                .with_action_for_model("Add lines of context until it fits at one place only.")
        }
        Miss::TooMuch => failed(&format!(
            "hunk {hunk_no} was not looked for everywhere: too many lines of the file are alike"
        ))
        .with_details(json!({ "hunk": hunk_no }))
        .with_action_for_model(
            "Write the line it begins at into its @@ line and copy the lines exactly, or send smaller hunks.",
        ),
        Miss::NoContext => failed(&format!(
            "hunk {hunk_no} has no line of the file in it, so its place cannot be checked"
        ))
        .with_details(json!({ "hunk": hunk_no }))
        .with_action_for_model("Add the lines around it as context, each with a space before it."),
        Miss::Nowhere => {
            let wanted = fit::missing_line(hunk, text);
            let closest = closest_lines(text, wanted);
            let shown: Vec<String> =
                closest.iter().map(|(line, text)| format!("line {line}: `{text}`")).collect();
            let near = if shown.is_empty() {
                "nothing in the file is like it".to_owned()
            } else {
                format!("closest is {}", shown.join("; "))
            };
            let wanted = ellipsis(wanted.trim(), LINE_BYTES);
            let lines: Vec<_> =
                closest.iter().map(|(line, text)| json!({ "line": line, "text": text })).collect();
            failed(&format!("hunk {hunk_no} fits nowhere, at `{wanted}`; {near}"))
                .with_details(json!({ "hunk": hunk_no, "places": 0, "closest": lines }))
                .with_action_for_model("Read the place with fs_read and copy the lines exactly.")
        }
    }
}

#[cfg(test)]
mod tests;
