//! A result too big for a message goes to a file the model may read (spec 05 "Limits").

use cap_std::fs::Dir;
use kernel::ids::CallId;
use kernel::path::{AliasPath, Mount};
use kernel::text::prefix;
use kernel::tool::{TextOfFile, small_members};
use serde::Serialize;
use serde_json::Value;

use crate::atomic;

/// The largest result kept in line, bytes of JSON.
const MAX_BYTES: usize = 50 * 1024;
const PREVIEW_CHARS: usize = 500;
/// Members this small stay beside the preview.
const SMALL_BYTES: usize = 200;

/// The result as it goes into a message, and where the whole lies: nowhere without a place that the
/// model may read. When the file cannot be
/// written the result is only cut: a full disk must not turn a read into an error.
pub(super) fn within_limit(
    state: Option<&Dir>,
    call: &CallId,
    shown: Option<TextOfFile<'_>>,
    result: Value,
) -> (Value, Option<AliasPath>) {
    let size = result.to_string().len();
    if size <= MAX_BYTES {
        return (result, None);
    }
    let text = serde_json::to_string_pretty(&result).unwrap_or_default();
    let kept = state.and_then(|state| keep(state, call, &text));
    let beginning = Beginning {
        preview: text.chars().take(PREVIEW_CHARS).collect(),
        truncated: true,
        output_bytes: text.len(),
        hint: hint(shown, kept.as_ref()),
        full_output_path: kept.as_ref(),
    };
    let mut short = small_members(&result, SMALL_BYTES);
    if let Ok(Value::Object(beginning)) = serde_json::to_value(&beginning) {
        short.extend(beginning);
    }
    (Value::Object(short), kept)
}

/// What stands for the rest of a long result.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Beginning<'a> {
    preview: String,
    truncated: bool,
    output_bytes: usize,
    hint: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    full_output_path: Option<&'a AliasPath>,
}

fn keep(state: &Dir, call: &CallId, text: &str) -> Option<AliasPath> {
    let name = if call.is_empty() { "call" } else { call.as_str() };
    let name = format!("{name}.json");
    let path = AliasPath::new(Mount::State, &format!("logs/tool-results/{name}")).ok()?;
    let write = || {
        let folders = ["logs".to_owned(), "tool-results".to_owned()];
        let folder = atomic::make_folders(state.try_clone()?, &folders)?;
        atomic::sweep(&folder);
        atomic::replace(&folder, &name, text.as_bytes(), atomic::for_its_owner())
    };
    match write() {
        Ok(()) => Some(path),
        Err(e) => {
            let words = crate::failure::io_words(&e);
            tracing::warn!(%path, "a long result could not be kept: {words}");
            None
        }
    }
}

fn hint(shown: Option<TextOfFile<'_>>, kept: Option<&AliasPath>) -> String {
    let whole = kept.map_or_else(
        || "The whole result could not be kept: ask for less of it.".to_owned(),
        |kept| format!("The whole is at {kept}; read a window of it with startLine and endLine."),
    );
    match shown {
        Some(TextOfFile { path, total_lines: total }) => {
            let path = prefix(&path.to_string(), 300).to_owned();
            let lost = if kept.is_none() { " The whole result could not be kept." } else { "" };
            format!(
                "The text is too long for one message ({total} lines). Find the place with fs_search, then read a window of {path} with startLine and endLine.{lost}"
            )
        }
        None => whole,
    }
}
