//! What the operations of `fs.apply_patch` make of a text.

use serde_json::json;

use super::{StateDoc, named};
use crate::bounds::{FIT_STEPS, Fuel, STATE_GROWN_BYTES, size};
use crate::code::{ErrorCode, Failure};
use crate::frontmatter;
use crate::patch;
use crate::tool::patch::PatchOp;

/// The text that `ops` make of `old`, untouched parts byte for byte. Not judged yet: pass it to
/// [`check_transition`](super::check_transition).
///
/// # Errors
/// `E_INVALID_FRONTMATTER`, `E_SCHEMA_VALIDATION` or `E_PATCH_FAILED`, and then nothing of the list
/// has happened.
pub fn patched(old: &StateDoc, ops: &[PatchOp]) -> Result<String, Failure> {
    let mut text = old.text().to_string();
    let mut fuel = Fuel::new(FIT_STEPS);
    for op in ops {
        text = match op {
            PatchOp::UpdateFrontmatter { update } => frontmatter::update(&text, update),
            PatchOp::Replace { old, new, all } => replaced(&text, old, new, all.unwrap_or(false)),
            PatchOp::Unified { diff } => {
                patch::unified_within(&text, diff, &mut fuel).map(|applied| applied.text)
            }
        }
        .map_err(named)?;
    }
    Ok(text)
}

/// How long a text gets when `old` becomes `new` at `n` places.
fn grown(text: &str, old: &str, new: &str, n: usize) -> usize {
    (text.len() - n * old.len()).saturating_add(n.saturating_mul(new.len()))
}

/// `text` with `old` replaced by `new`. `old` must stand there exactly once, or at least once when
/// `all` is true. In a text with CRLF line
/// endings an `old` written with line feeds is found too, and `new` gets the file's endings.
///
/// # Errors
/// `E_PATCH_FAILED` with `details.occurrences` otherwise.
pub fn replaced(text: &str, old: &str, new: &str, all: bool) -> Result<String, Failure> {
    let refuse = |message: &str, occurrences: usize, action: &str| {
        Err(Failure::for_model(ErrorCode::PatchFailed, message)
            .with_details(json!({ "occurrences": occurrences }))
            .with_action_for_model(action))
    };
    if old.is_empty() {
        return refuse("the text to replace is empty", 0, "Send the text to replace in `old`.");
    }
    let crlf = |t: &str| t.replace("\r\n", "\n").replace('\n', "\r\n");
    let translate = !text.contains(old) && text.contains("\r\n");
    let (old, new) = if translate { (crlf(old), crlf(new)) } else { (old.into(), new.into()) };
    match text.matches(&old).count() {
        0 => refuse(
            "the text to replace does not stand in the file",
            0,
            "Read the file again and copy the text exactly, white space included.",
        ),
        1 => Ok(text.replacen(&old, &new, 1)),
        n if all && grown(text, &old, &new, n) > STATE_GROWN_BYTES => refuse(
            &format!(
                "the text to replace stands in the file {n} times, and what comes out would be over {}",
                size(STATE_GROWN_BYTES as u64)
            ),
            n,
            "Send a shorter text, or one that stands there less often.",
        ),
        _ if all => Ok(text.replace(&old, &new)),
        n => refuse(
            &format!("the text to replace stands in the file {n} times"),
            n,
            "Send a longer text that stands there once, or set `all` to true.",
        ),
    }
}
