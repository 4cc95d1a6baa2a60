//! The JSON Schema subset of forms: flat objects of texts, numbers, booleans and enums.

use jsonschema::{PatternOptions, Validator};
use serde_json::{Map, Value, json};

use crate::bounds::{CHOICES, FORM_FIELDS, PATTERN_BYTES, PATTERN_COMPILED_BYTES, PATTERNS};

const TOP: [&str; 7] =
    ["type", "properties", "required", "title", "description", "additionalProperties", "$schema"];
pub(super) const PROPERTY: [&str; 11] = [
    "type",
    "title",
    "description",
    "default",
    "enum",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "pattern",
    "format",
];
pub(super) const TYPES: [&str; 4] = ["string", "number", "integer", "boolean"];

/// The schema of a form, when it keeps to the subset; in words, what is wrong otherwise. An
/// absent `type` becomes `object`.
pub(super) fn checked_schema(schema: Option<&Value>) -> Result<Value, String> {
    let expected = "expected {\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}";
    let map = match schema {
        None | Some(Value::Null) => return Err(format!("`schema` is missing: {expected}")),
        Some(Value::Object(map)) => map,
        Some(_) => return Err(format!("`schema` must be an object: {expected}")),
    };
    known_keys(map, "schema", &TOP)?;
    match map.get("type") {
        None => {}
        Some(kind) if kind == "object" => {}
        Some(_) => return Err("`schema.type` must be `object`".into()),
    }
    let properties = match map.get("properties") {
        Some(Value::Object(properties)) if !properties.is_empty() => properties,
        _ => return Err(format!("`schema.properties` must name at least one field: {expected}")),
    };
    if properties.len() > FORM_FIELDS {
        return Err(format!(
            "`schema.properties` has more than {FORM_FIELDS} fields: ask for less"
        ));
    }
    for (name, property) in properties {
        check_property(property, &format!("schema.properties.{name}"))?;
    }
    if properties.values().filter(|property| property.get("pattern").is_some()).count() > PATTERNS {
        return Err(format!("`schema.properties` has more than {PATTERNS} patterns: use fewer"));
    }
    check_required(map.get("required"), properties)?;
    let mut schema = map.clone();
    schema.insert("type".to_owned(), json!("object"));
    let schema = Value::Object(schema);
    validator(&schema)?;
    Ok(schema)
}

/// Every way in which `value` does not fit: JSON pointer and words.
pub(super) fn errors(schema: &Value, value: &Value) -> Result<Vec<(String, String)>, String> {
    Ok(validator(schema)?
        .iter_errors(value)
        .map(|e| (e.instance_path().to_string(), e.to_string()))
        .collect())
}

/// Closed, formats on, and patterns on an engine that runs in linear time and bounded memory: the
/// schema is a model's.
fn validator(schema: &Value) -> Result<Validator, String> {
    let mut closed = schema.clone();
    if let Some(map) = closed.as_object_mut() {
        map.shift_remove("$schema");
        map.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    jsonschema::options()
        .should_validate_formats(true)
        .with_pattern_options(PatternOptions::regex().size_limit(PATTERN_COMPILED_BYTES))
        .build(&closed)
        .map_err(|e| {
            let place = e.instance_path().to_string().replace('/', ".");
            let too_large =
                if place.ends_with(".pattern") { ", or it takes too much memory" } else { "" };
            format!("`schema{place}` is not valid: {e}{too_large}")
        })
}

fn known_keys(map: &Map<String, Value>, at: &str, known: &[&str]) -> Result<(), String> {
    match map.keys().find(|k| !known.contains(&k.as_str())) {
        Some(key) => Err(format!("`{at}.{key}` is not supported: only {} are", known.join(", "))),
        None => Ok(()),
    }
}

fn check_property(property: &Value, at: &str) -> Result<(), String> {
    let map = property.as_object().ok_or_else(|| format!("`{at}` must be an object"))?;
    known_keys(map, at, &PROPERTY)?;
    if let Some(pattern) = map.get("pattern").and_then(Value::as_str)
        && pattern.len() > PATTERN_BYTES
    {
        return Err(format!("`{at}.pattern` is longer than {PATTERN_BYTES} bytes"));
    }
    let choices = match map.get("enum") {
        None => false,
        Some(Value::Array(list)) if list.len() > CHOICES => {
            return Err(format!("`{at}.enum` has more than {CHOICES} values"));
        }
        Some(Value::Array(list))
            if !list.is_empty()
                && list.iter().all(|v| v.is_string() || v.is_number() || v.is_boolean()) =>
        {
            true
        }
        Some(_) => {
            return Err(format!("`{at}.enum` must be a list of texts, numbers or booleans"));
        }
    };
    match map.get("type") {
        None if choices => Ok(()),
        Some(Value::String(kind)) if TYPES.contains(&kind.as_str()) => Ok(()),
        _ => Err(format!("`{at}.type` must be one of {}", TYPES.join(", "))),
    }
}

fn check_required(required: Option<&Value>, properties: &Map<String, Value>) -> Result<(), String> {
    let Some(required) = required else { return Ok(()) };
    let names: Option<Vec<&str>> =
        required.as_array().and_then(|list| list.iter().map(Value::as_str).collect());
    let names = names.ok_or("`schema.required` must be a list of property names")?;
    match names.iter().find(|name| !properties.contains_key(**name)) {
        Some(name) => {
            Err(format!("`schema.required` names `{name}`, which `schema.properties` lacks"))
        }
        None => Ok(()),
    }
}
