//! The indexes of the old store: projects, conversations.

use kernel::bounds::IMPORTED_ID_BYTES;
use kernel::code::ErrorCode;
use kernel::ids::{ConversationId, ProjectId, RunId};
use kernel::path::is_device_name;
use kernel::phrase::imports as said;
use kernel::text::prefix;
use kernel::time::Time;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::str::FromStr;

use crate::problem::ImportProblem;

/// An id that can name a file on every system. `None` for anything else.
pub fn safe_id<T: FromStr>(text: &str) -> Option<T> {
    let names_a_file = text.len() <= IMPORTED_ID_BYTES
        && !text.contains(':')
        && !text.ends_with('.')
        && !is_device_name(text);
    text.parse().ok().filter(|_| names_a_file)
}

/// What a bad id may be called in a report: short, and without anything that could be a path.
pub(crate) fn shown(text: &str) -> String {
    let name = text.rsplit(['/', '\\']).next().unwrap_or_default();
    prefix(name, 60).chars().filter(|c| !c.is_control()).collect()
}

/// The entries of an index, each with the id that it was listed under: an array, a map by id, or
/// either below the member `name`.
pub fn listed<'a>(index: &'a Value, name: &str) -> Option<Vec<(Option<&'a str>, &'a Value)>> {
    match index {
        Value::Array(list) => Some(list.iter().map(|entry| (None, entry)).collect()),
        Value::Object(map) => match map.get(name) {
            Some(inner @ (Value::Array(_) | Value::Object(_))) => listed(inner, ""),
            _ => Some(map.iter().map(|(id, entry)| (Some(id.as_str()), entry)).collect()),
        },
        _ => None,
    }
}

/// The first member that is a text with something in it.
pub(crate) fn text<'a>(map: &'a Map<String, Value>, names: &[&str]) -> Option<&'a str> {
    let found = names.iter().filter_map(|name| map.get(*name)?.as_str());
    found.map(str::trim).find(|text| !text.is_empty())
}

/// A time as RFC 3339, or as milliseconds since 1970.
pub(crate) fn time(map: &Map<String, Value>, names: &[&str]) -> Option<Time> {
    names.iter().find_map(|name| match map.get(*name)? {
        Value::String(text) => text.parse().ok(),
        Value::Number(n) => n.as_i64().filter(|n| *n > 0).map(Time::from_millis),
        _ => None,
    })
}

/// The id of an entry, checked. `names` are its members in order of trust.
pub(crate) fn id<T: FromStr>(
    map: &Map<String, Value>,
    names: &[&str],
    listed_as: Option<&str>,
    place: &str,
) -> Result<T, ImportProblem> {
    let Some(found) = text(map, names).or(listed_as) else {
        let reason = said::entry_without(place, names[0]);
        return Err(ImportProblem::lost(place, ErrorCode::ImportMalformed, reason));
    };
    safe_id(found).ok_or_else(|| {
        let reason = said::entry_unsafe_id(names[0], place);
        ImportProblem::lost(shown(found), ErrorCode::ImportIdUnsafe, reason)
    })
}

pub(crate) fn object<'a>(
    value: &'a Value,
    place: &str,
) -> Result<&'a Map<String, Value>, ImportProblem> {
    value.as_object().ok_or_else(|| {
        let reason = said::entry_no_object(place);
        ImportProblem::lost(place, ErrorCode::ImportMalformed, reason)
    })
}

/// An entry of `projects.json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OldProject {
    /// Its id.
    pub id: ProjectId,
    /// Its name; empty when it had none.
    pub name: String,
    /// Its folder as it was written: a real path, never for reports.
    pub root: Option<String>,
    /// When it was last opened.
    pub last_opened_at: Option<Time>,
}

/// Reads one entry of `projects.json`; `place` names it in reports.
///
/// # Errors
/// The [`ImportProblem`] that keeps it from being taken over.
pub fn project(
    value: &Value,
    listed_as: Option<&str>,
    place: &str,
) -> Result<OldProject, ImportProblem> {
    let map = object(value, place)?;
    Ok(OldProject {
        id: id(map, &["projectId", "id"], listed_as, place)?,
        name: text(map, &["projectName", "name"]).unwrap_or_default().to_owned(),
        root: text(map, &["projectRoot", "root", "path"]).map(str::to_owned),
        last_opened_at: time(map, &["lastOpenedAt", "updatedAt", "createdAt"]),
    })
}

/// An entry of `conversations/index.json`, or what stands in for one.
#[derive(Debug, Clone, PartialEq)]
pub struct OldConversation {
    /// Its id.
    pub id: ConversationId,
    /// Its title; empty when it had none.
    pub title: String,
    /// When it began.
    pub created_at: Time,
    /// When something last happened in it.
    pub last_active_at: Option<Time>,
    /// Every other member, as it stood.
    pub meta: Value,
    /// The runs it names.
    pub runs: BTreeSet<RunId>,
}

impl OldConversation {
    /// One that no index knows.
    pub fn unlisted(id: ConversationId, created_at: Time) -> Self {
        let (title, last_active_at, meta) = (String::new(), None, Value::Null);
        Self { id, title, created_at, last_active_at, meta, runs: BTreeSet::new() }
    }
}

/// The members that have a place of their own.
const OWN: [&str; 8] = [
    "id",
    "title",
    "customTitle",
    "generatedTitle",
    "createdAt",
    "lastActiveAt",
    "runs",
    "messages",
];

/// Reads one entry of `conversations/index.json`; `now` stands in for a missing time.
///
/// # Errors
/// The [`ImportProblem`] that keeps it from being taken over.
pub fn conversation(
    value: &Value,
    listed_as: Option<&str>,
    place: &str,
    now: Time,
) -> Result<OldConversation, ImportProblem> {
    let map = object(value, place)?;
    let rest: Map<String, Value> = (map.iter())
        .filter(|(name, _)| !OWN.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let last_active_at = time(map, &["lastActiveAt"]);
    Ok(OldConversation {
        id: id(map, &["id", "conversationId"], listed_as, place)?,
        title: text(map, &["customTitle", "title", "generatedTitle"]).unwrap_or_default().into(),
        created_at: time(map, &["createdAt"]).or(last_active_at).unwrap_or(now),
        last_active_at,
        meta: if rest.is_empty() { Value::Null } else { Value::Object(rest) },
        runs: references(map),
    })
}

/// Run references: ids, or objects with one.
fn references(map: &Map<String, Value>) -> BTreeSet<RunId> {
    let lists = ["runs", "runIds"].iter().filter_map(|name| map.get(*name)?.as_array()).flatten();
    let id = |entry: &Value| match entry {
        Value::String(id) => safe_id(id),
        Value::Object(run) => safe_id(text(run, &["runId", "id"])?),
        _ => None,
    };
    lists.filter_map(id).collect()
}
