//! `artifacts`: the project files that a run lists as its own (spec 03, guard check 9).

use serde_json::json;
use std::collections::BTreeSet;

use super::{STATE, StateDoc, named, texts};
use crate::code::{ErrorCode, Failure};
use crate::frontmatter;
use crate::path::{AliasPath, Mount};
use crate::phrase::engine as said;
use crate::time::Time;

/// An entry as a path of the project: `artifacts/a.md`, `@project/artifacts/a.md`. `None` when it
/// names no file there.
pub fn path_of(entry: &str) -> Option<AliasPath> {
    let path = match AliasPath::parse(entry) {
        Ok(path) => path,
        Err(_) => AliasPath::new(Mount::Project, entry).ok()?,
    };
    (path.mount() == Mount::Project && !path.rel().is_empty()).then_some(path)
}

/// The files of the project that `text` lists as artifacts and `old` does not. Whoever accepts
/// the text has to look first whether they are there.
pub fn claims(old: &StateDoc, text: &str) -> Vec<AliasPath> {
    let Ok(front) = frontmatter::parse(text) else { return Vec::new() };
    let listed = front.get("artifacts").cloned().unwrap_or_default();
    claimed(old, texts(&listed))
}

/// Those of `entries` that are new. What was listed before is not judged again: it may have come
/// from another store, or have gone since.
pub(super) fn claimed<'e>(
    old: &StateDoc,
    entries: impl Iterator<Item = &'e str>,
) -> Vec<AliasPath> {
    let listed: BTreeSet<&str> = old.artifacts.iter().map(String::as_str).collect();
    let mut known: BTreeSet<AliasPath> = old.artifacts.iter().filter_map(|e| path_of(e)).collect();
    let new = entries.filter(|entry| !listed.contains(entry)).filter_map(path_of);
    new.filter(|path| known.insert(path.clone())).collect()
}

/// Every new entry is a path of the project.
pub(super) fn check_paths(old: &[String], new: &StateDoc) -> Result<(), Failure> {
    let listed: BTreeSet<&String> = old.iter().collect();
    let foreign = |entry: &&String| !listed.contains(*entry) && path_of(entry).is_none();
    let unknown: Vec<&String> = new.artifacts.iter().filter(foreign).collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let words: Vec<String> = unknown.iter().map(|e| format!("`{}`", e.escape_debug())).collect();
    let message = said::artifacts_no_path(STATE, words.join(", "));
    Err(Failure::new(ErrorCode::ArtifactUnknown, message)
        .with_details(json!({ "unknown": unknown, "reason": "not_a_project_path" }))
        .with_action(said::list_project_paths()))
}

/// Every new entry is there: `missing` are those that somebody looked for in vain.
pub(super) fn check_files(claimed: &[AliasPath], missing: &[AliasPath]) -> Result<(), Failure> {
    let unknown: Vec<&AliasPath> = claimed.iter().filter(|path| missing.contains(path)).collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let shown = |path: &&AliasPath| format!("`{}`", path.to_string().escape_debug());
    let words: Vec<String> = unknown.iter().map(shown).collect();
    Err(Failure::for_model(
        ErrorCode::ArtifactUnknown,
        format!("{STATE}: artifacts names {}: there is no such file", words.join(", ")),
    )
    .with_details(json!({ "unknown": unknown, "reason": "no_such_file" }))
    .with_action_for_model(
        "Write the file first and list it then; leave out what is no file. Files that the run \
         makes below the artifacts folder are listed by themselves.",
    ))
}

/// The document with these artifacts; `None` when it has exactly these.
///
/// # Errors
/// `E_INVALID_FRONTMATTER` when the document cannot be edited.
pub fn with_artifacts(
    old: &StateDoc,
    artifacts: &[String],
    now: Time,
) -> Result<Option<StateDoc>, Failure> {
    if old.artifacts == artifacts {
        return Ok(None);
    }
    let text = frontmatter::edit(old.text(), |front| {
        front.insert("artifacts".to_owned(), json!(artifacts));
        front.insert("updatedAt".to_owned(), json!(now));
    });
    StateDoc::parse(&text.map_err(named)?).map(Some)
}
