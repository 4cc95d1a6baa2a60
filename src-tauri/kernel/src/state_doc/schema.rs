//! The schema of the workflow front matter, and the normalisation before it (guard check 2).

use jsonschema::Validator;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

use crate::code::{ErrorCode, Failure};
use crate::ids::NodeId;
use crate::phrase::{Part, Why, engine as said, general};

/// How messages and diffs name the document.
pub(super) const STATE: &str = "@state/workflow.md";

static VALIDATOR: LazyLock<Result<Validator, String>> = LazyLock::new(|| {
    let schema: Value =
        serde_json::from_str(include_str!("../package/schemas/workflow.schema.json"))
            .map_err(|e| e.to_string())?;
    jsonschema::options().should_validate_formats(true).build(&schema).map_err(|e| e.to_string())
});

/// Optional keys for which `null` means "not there".
const OPTIONAL: [&str; 5] = ["runId", "project_name", "user_name", "date", "updatedAt"];

/// The map as everybody reads it: absent or `null` lists empty, variables a map, an absent or
/// `null` current node `""`, optional keys that are `null` absent.
pub(super) fn normalised(front: &Map<String, Value>) -> Map<String, Value> {
    let mut map = front.clone();
    for (key, empty) in [
        ("stepsCompleted", json!([])),
        ("decisionLog", json!([])),
        ("artifacts", json!([])),
        ("variables", json!({})),
        ("currentNodeId", json!("")),
    ] {
        if map.get(key).is_none_or(Value::is_null) {
            map.insert(key.to_owned(), empty);
        }
    }
    for key in OPTIONAL {
        if map.get(key).is_some_and(Value::is_null) {
            map.shift_remove(key);
        }
    }
    map
}

/// Checks a normalised map and reports every error, not the first: `E_SCHEMA_VALIDATION` with
/// `details.errors: [{path, message}]`.
pub(super) fn check(map: &Map<String, Value>) -> Result<(), Failure> {
    let validator = VALIDATOR
        .as_ref()
        .map_err(|e| Failure::new(ErrorCode::Internal, said::schema_broken(Why::quoted(e))))?;
    let value = Value::Object(map.clone());
    let mut errors: Vec<(String, Part)> = validator
        .iter_errors(&value)
        .map(|e| (e.instance_path().to_string(), Part::Text(e.to_string())))
        .collect();
    // The schema says "texts"; a text that can be no id of any graph is wrong already here.
    for (i, item) in
        map.get("stepsCompleted").and_then(Value::as_array).into_iter().flatten().enumerate()
    {
        if let Some(Err(e)) = item.as_str().map(NodeId::new) {
            errors.push((format!("/stepsCompleted/{i}"), e.says().into()));
        }
    }
    if errors.is_empty() {
        return Ok(());
    }
    let message =
        |(path, message): &(String, Part)| json!({ "path": path, "message": message.english() });
    let messages: Vec<Value> = errors.iter().map(message).collect();
    let says = |(path, message): (String, Part)| {
        general::about(if path.is_empty() { "/" } else { &path }, message)
    };
    let says = Part::All(errors.into_iter().map(says).collect());
    Err(Failure::new(ErrorCode::SchemaValidation, said::front_not_schema(STATE, says))
        .with_details(json!({ "errors": messages }))
        .with_action(said::correct_the_fields()))
}
