//! The one patch of a front matter a model may send (spec 05 "Front matter
//! updates").

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{edit, parse};
use crate::code::{ErrorCode, Failure};

/// Members of a front matter update (spec 05 "Front matter updates"). All optional; what is absent
/// stays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FrontmatterUpdate {
    /// `{"set": "node-id"}`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_node_id: Option<SetText>,
    /// `{"append": ["node-id"]}`; duplicates are dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps_completed: Option<AppendTexts>,
    /// `{"set": {"name": value}}`; merged key by key, `null` removes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variables: Option<SetMap>,
    /// `{"append": [{"from","to","label","reason"}]}`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision_log: Option<AppendValues>,
    /// `{"append": ["artifacts/x.md"]}`; duplicates are dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifacts: Option<AppendTexts>,
    /// `{"set": "2026-01-01T00:00:00Z"}`; filled in when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<SetText>,
}

/// `{"set": text}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetText {
    /// The new value.
    pub set: String,
}

/// `{"set": {…}}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetMap {
    /// Key → new value; `null` removes the key.
    pub set: Map<String, Value>,
}

/// `{"append": [text]}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AppendTexts {
    /// What to add.
    pub append: Vec<String>,
}

/// `{"append": [value]}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AppendValues {
    /// What to add.
    pub append: Vec<Map<String, Value>>,
}

/// The text with the members of `update` changed: texts set, lists appended to (texts without
/// duplicates), variables merged key by key with `null` removing. What is absent stays, and an
/// update that changes nothing returns the same bytes.
///
/// # Errors
/// `E_INVALID_FRONTMATTER` as [`edit`], `E_SCHEMA_VALIDATION` when a member is no list or no map.
pub fn update(text: &str, update: &FrontmatterUpdate) -> Result<String, Failure> {
    let mut map = parse(text)?;
    apply(&mut map, update)?;
    edit(text, |old| *old = map)
}

fn apply(map: &mut Map<String, Value>, update: &FrontmatterUpdate) -> Result<(), Failure> {
    if let Some(text) = &update.current_node_id {
        map.insert("currentNodeId".into(), text.set.as_str().into());
    }
    for (key, more) in
        [("stepsCompleted", &update.steps_completed), ("artifacts", &update.artifacts)]
    {
        if let Some(more) = more {
            let mut list = list_of(map, key)?;
            for text in &more.append {
                let text = Value::from(text.as_str());
                if !list.contains(&text) {
                    list.push(text);
                }
            }
            put(map, key, list.into(), more.append.is_empty());
        }
    }
    if let Some(more) = &update.decision_log {
        let mut list = list_of(map, "decisionLog")?;
        list.extend(more.append.iter().cloned().map(Value::Object));
        put(map, "decisionLog", list.into(), more.append.is_empty());
    }
    if let Some(changes) = &update.variables {
        let mut variables = variables_of(map)?;
        for (key, value) in &changes.set {
            if value.is_null() {
                variables.shift_remove(key);
            } else {
                variables.insert(key.clone(), value.clone());
            }
        }
        put(map, "variables", variables.into(), changes.set.is_empty());
    }
    if let Some(text) = &update.updated_at {
        map.insert("updatedAt".into(), text.set.as_str().into());
    }
    Ok(())
}

/// Nothing to add leaves an absent key absent.
fn put(map: &mut Map<String, Value>, key: &str, value: Value, nothing: bool) {
    if !nothing {
        map.insert(key.to_owned(), value);
    }
}

fn list_of(map: &Map<String, Value>, key: &str) -> Result<Vec<Value>, Failure> {
    match map.get(key) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(items)) => Ok(items.clone()),
        Some(_) => Err(wrong_type(key, "a list")),
    }
}

fn variables_of(map: &Map<String, Value>) -> Result<Map<String, Value>, Failure> {
    match map.get("variables") {
        None | Some(Value::Null) => Ok(Map::new()),
        Some(Value::Object(items)) => Ok(items.clone()),
        Some(_) => Err(wrong_type("variables", "a map")),
    }
}

fn wrong_type(key: &str, expected: &str) -> Failure {
    let message =
        format!("the front matter key `{key}` is not {expected}, so it cannot be added to");
    let errors = json!([{ "path": format!("/{key}"), "message": format!("expected {expected}") }]);
    Failure::for_model(ErrorCode::SchemaValidation, message)
        .with_details(json!({ "errors": errors }))
}
