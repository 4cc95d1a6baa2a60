//! Results of calls: what a tool says of a call that it ran, and what the runtime itself reads of a
//! result.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::changed_files::LineCount;
use crate::code::Failure;
use crate::facts::Verification;
use crate::path::AliasPath;
use crate::restore::Restored;
use crate::subagent::TaskReport;
use crate::todo::Todo;

/// The most files that a result names as lost.
const NAMED_FILES: usize = 20;

/// The result of a call that was run, as a model reads it: `{ok: true, …}`.
pub fn done(output: &impl Serialize) -> Value {
    let mut result = Map::new();
    result.insert("ok".to_owned(), Value::Bool(true));
    // Outputs are structs of texts, numbers and lists, which all have a JSON form.
    if let Ok(Value::Object(said)) = serde_json::to_value(output) {
        result.extend(said);
    }
    Value::Object(result)
}

/// The files that a call changed for good: their bytes are not in the checkpoints.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Lost {
    #[serde(skip_serializing_if = "Option::is_none")]
    restorable: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_restorable: Vec<AliasPath>,
}

impl Lost {
    /// Names the first of these files; of none there is nothing to say.
    pub fn files<'p>(files: impl Iterator<Item = &'p AliasPath>) -> Self {
        let not_restorable: Vec<_> = files.take(NAMED_FILES).cloned().collect();
        Self { restorable: (!not_restorable.is_empty()).then_some(false), not_restorable }
    }
}

/// What the runtime itself reads of a result, whichever tool and program it comes from: the results
/// of old journals are read here too, so a member that has another shape is as good as absent.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CallResult {
    /// Whether the call was run.
    #[serde(deserialize_with = "lenient")]
    pub ok: bool,
    #[serde(deserialize_with = "lenient")]
    error: RefusedCall,
    /// The path it is about, as it says it.
    #[serde(deserialize_with = "lenient")]
    pub path: Option<String>,
    /// The file itself, where links lead to it.
    #[serde(rename = "resolvedPath", deserialize_with = "lenient")]
    pub resolved: Option<AliasPath>,
    /// The hash of a file that was read or moved.
    #[serde(deserialize_with = "lenient")]
    pub sha256: Option<String>,
    /// The hash of a file that was written.
    #[serde(deserialize_with = "lenient")]
    pub sha256_after: Option<String>,
    /// Whether the content was there already.
    #[serde(rename = "noop_write", deserialize_with = "lenient")]
    pub noop_write: bool,
    /// Whether there was no such file before.
    #[serde(deserialize_with = "lenient")]
    pub created: bool,
    /// How many lines of a file came and went.
    #[serde(deserialize_with = "lenient")]
    pub diffstat: Option<LineCount>,
    #[serde(deserialize_with = "lenient")]
    count: Option<u32>,
    #[serde(deserialize_with = "lenient")]
    stats: SearchStats,
    #[serde(deserialize_with = "lenient")]
    verification: Option<Verification>,
    /// The todos that are other than before.
    #[serde(deserialize_with = "lenient")]
    pub todos: Vec<Todo>,
    /// The ids of those that are new.
    #[serde(deserialize_with = "lenient")]
    pub added: Vec<String>,
    /// The ids of those that are gone.
    #[serde(rename = "removed", deserialize_with = "lenient")]
    pub removed_todos: Vec<String>,
    /// What a sub-agent hands in.
    #[serde(deserialize_with = "lenient")]
    pub report: Option<TaskReport>,
    /// What a rewind made of files.
    #[serde(skip)]
    pub restored: Option<Restored>,
}

/// How much a search came upon.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct SearchStats {
    #[serde(deserialize_with = "lenient")]
    matches_found: Option<u32>,
}

/// Why a call was not run, or failed.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RefusedCall {
    #[serde(deserialize_with = "lenient")]
    code: Option<String>,
    #[serde(deserialize_with = "lenient")]
    details: RefusalDetails,
}

/// What the runtime itself reads of the details of a refusal or a failure.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RefusalDetails {
    /// The files that a change of the state document lists and that are not there.
    #[serde(deserialize_with = "lenient")]
    pub unknown: Vec<AliasPath>,
    /// The hash of a file that is not as it should be.
    #[serde(deserialize_with = "lenient")]
    pub actual_sha256: Option<String>,
    /// The todo that is not as the caller believed.
    #[serde(deserialize_with = "lenient")]
    pub todo: Option<String>,
}

impl RefusalDetails {
    /// Those of a failure.
    pub fn of(failure: &Failure) -> Self {
        failure.details.as_ref().and_then(|it| Self::deserialize(it).ok()).unwrap_or_default()
    }
}

impl CallResult {
    /// Reads a result.
    pub fn of(result: &Value) -> Self {
        if !result.is_object() {
            return Self::default();
        }
        let read = Self::deserialize(result).unwrap_or_default();
        Self { restored: Restored::of(result), ..read }
    }

    /// The code of a refusal or a failure.
    pub fn code(&self) -> Option<&str> {
        self.error.code.as_deref()
    }

    /// The details of a refusal or a failure.
    pub fn details(&self) -> &RefusalDetails {
        &self.error.details
    }

    /// How many files or lines were found, by a call that looks for some.
    pub fn found(&self) -> Option<u32> {
        self.count.or(self.stats.matches_found)
    }

    /// The check that it tells of, when somebody looked.
    pub fn verification(&self) -> Option<&Verification> {
        self.verification.as_ref().filter(|check| check.performed)
    }
}

/// The result of a call that was refused or failed.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct FailedResult {
    /// What it came to.
    pub error: Failure,
}

/// The refusal or failure that a result tells of, whole.
pub fn failure_of(result: &Value) -> Option<Failure> {
    FailedResult::deserialize(result).ok().map(|failed| failed.error)
}

/// The members of a long result that stay beside its beginning: those of up to `most` bytes that
/// are no lists, and what facts are made of, which is short by its own limits.
pub fn small_members(result: &Value, most: usize) -> Map<String, Value> {
    let small = |key: &str, value: &Value| match value {
        _ if key == "verification" => true,
        Value::Array(_) => false,
        other => other.to_string().len() <= most,
    };
    let members = result.as_object().into_iter().flatten();
    members.filter(|(k, v)| small(k, v)).map(|(k, v)| (k.clone(), v.clone())).collect()
}

#[expect(clippy::unnecessary_wraps, reason = "serde asks for a result")]
pub(super) fn lenient<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    from: D,
) -> Result<T, D::Error> {
    Ok(T::deserialize(from).unwrap_or_default())
}
