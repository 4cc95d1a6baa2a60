//! Values as SQLite keeps them.

use kernel::ids::NodeId;
use kernel::state_doc::StepCount;
use rusqlite::Row;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A small closed value (phase, reason, role) as the text it has in JSON.
pub(super) fn to_sql<T: Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(text)) => text,
        other => other.map(|v| v.to_string()).unwrap_or_default(),
    }
}

/// The inverse of [`to_sql`].
pub(super) fn from_sql<T: DeserializeOwned>(text: String) -> Option<T> {
    serde_json::from_value(serde_json::Value::String(text)).ok()
}

/// An unsigned number for SQLite, which has signed ones. Ours never come near the limit.
pub(super) fn int(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// The inverse of [`int`]; negative numbers, which we never write, become 0.
pub(super) fn uint(n: i64) -> u64 {
    u64::try_from(n).unwrap_or(0)
}

/// The node that the run of a row is at.
pub(super) fn node_of(row: &Row<'_>) -> Result<Option<NodeId>, rusqlite::Error> {
    Ok(row.get::<_, Option<String>>("node_id")?.and_then(|id| id.parse().ok()))
}

/// How many of its steps are done, and of how many.
pub(super) fn steps_of(row: &Row<'_>) -> Option<StepCount> {
    // What is no count leaves the row as it is without one.
    let count = |column: &str| row.get(column).ok();
    Some(StepCount { done: count("steps_done")?, total: count("steps_total")? })
}
