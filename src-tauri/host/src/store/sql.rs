//! Values as SQLite keeps them.

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
