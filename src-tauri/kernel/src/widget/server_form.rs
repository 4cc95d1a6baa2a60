//! A form that a server asks for, as far as it can be drawn here. A stranger wrote it: its texts are
//! made visible and cut.

use serde_json::{Map, Value, json};

use super::DECLINED;
use super::form::{PROPERTY, TYPES};
use crate::bounds::{CHOICES, FORM_FIELDS};
use crate::text::ellipsis;
use crate::visible::visible;

/// Bytes of a text that a person reads beside a field.
const TEXT: usize = 1000;
/// Bytes of a value that can be chosen, or that stands in a field before it is filled in.
const VALUE: usize = 4000;
/// Bytes of the name of a field.
const NAME: usize = 128;
/// Bytes of a whole form.
const FORM: usize = 64 * 1024;

/// The schema with what can be drawn of it; `None` where there is no such form. A field that cannot
/// be drawn is left out, unless it has to be filled in. Of what came from here nothing changes.
pub(super) fn drawn(schema: &Value) -> Option<Value> {
    let map = schema.as_object()?;
    let required: Vec<Value> =
        map.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let mut properties = Map::new();
    let fields = map.get("properties").and_then(Value::as_object);
    for (name, property) in fields.into_iter().flatten() {
        let needed = required.iter().any(|it| it == name);
        let hides = visible(name) != *name || name == DECLINED || name.len() > NAME;
        match field(property).filter(|_| !hides) {
            Some(field) => _ = properties.insert(name.clone(), field),
            None if needed => return None,
            None => {}
        }
        if properties.len() > FORM_FIELDS {
            return None;
        }
    }
    let mut form = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        form["required"] = Value::Array(required);
    }
    (form.to_string().len() <= FORM).then_some(form)
}

/// A field of one value; `None` for one of several.
fn field(property: &Value) -> Option<Value> {
    let map = property.as_object()?;
    let kind = map.get("type").and_then(Value::as_str);
    if kind.is_some_and(|kind| !TYPES.contains(&kind)) {
        return None;
    }
    let known = |(key, _): &(&String, &Value)| PROPERTY.contains(&key.as_str());
    let mut field: Map<String, Value> =
        map.iter().filter(known).map(|(key, value)| (key.clone(), value.clone())).collect();
    let titles = titles(map);
    if let Some(choices) = choices(map) {
        field.insert("enum".to_owned(), Value::Array(choices));
    }
    for key in ["title", "description"] {
        if let Some(Value::String(text)) = field.get_mut(key) {
            *text = shown(text);
        }
    }
    if let Some(titles) = titles {
        let said = field.get("description").and_then(Value::as_str).unwrap_or_default();
        let both = [said, &titles].into_iter().filter(|text| !text.is_empty());
        let both = both.collect::<Vec<_>>().join(" · ");
        field.insert("description".to_owned(), Value::String(shown(&both)));
    }
    let chosen = field.get("enum").and_then(Value::as_array).into_iter().flatten();
    let long = |value: &Value| value.as_str().is_some_and(|text| text.len() > VALUE);
    if chosen.chain(field.get("default")).any(long) {
        return None;
    }
    Some(Value::Object(field))
}

/// A stranger's text beside a field. What was shown once stays as it is.
fn shown(text: &str) -> String {
    ellipsis(&visible(text), TEXT)
}

/// The values of choices that have titles.
fn choices(map: &Map<String, Value>) -> Option<Vec<Value>> {
    let titled = map.get("oneOf")?.as_array()?;
    titled.iter().take(CHOICES + 1).map(|choice| choice.get("const").cloned()).collect()
}

/// What the choices of a field are called, for people.
fn titles(map: &Map<String, Value>) -> Option<String> {
    let pair = |value: &Value, title: &Value| {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Some(format!("{value}: {}", title.as_str()?))
    };
    let pairs: Vec<String> = if let Some(Value::Array(titled)) = map.get("oneOf") {
        let both = |choice: &Value| pair(choice.get("const")?, choice.get("title")?);
        titled.iter().take(CHOICES).filter_map(both).collect()
    } else {
        let names = map.get("enumNames")?.as_array()?;
        let values = map.get("enum")?.as_array()?;
        values.iter().zip(names).take(CHOICES).filter_map(|(v, n)| pair(v, n)).collect()
    };
    (!pairs.is_empty()).then(|| pairs.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_drawn_is_kept_and_what_cannot_is_left_out() {
        let asked = json!({ "type": "object", "required": ["name"], "properties": {
            "name": { "type": "string", "title": "Na\u{202e}me", "x-secret": 1 },
            "hero": { "type": "string", "oneOf": [
                { "const": "h1", "title": "Superman" }, { "const": "h2", "title": "Robin" }] },
            "pet": { "type": "string", "enum": ["a", "b"], "enumNames": ["Cats", "Dogs"] },
            "many": { "type": "array", "items": { "type": "string", "enum": ["x"] } },
        } });
        let form = drawn(&asked).unwrap();
        let fields = form["properties"].as_object().unwrap();
        assert_eq!(fields.keys().collect::<Vec<_>>(), ["name", "hero", "pet"]);
        assert!(!form.to_string().contains(['\u{202e}']), "{form}");
        assert_eq!(form["properties"]["hero"]["enum"], json!(["h1", "h2"]));
        assert_eq!(form["properties"]["hero"]["description"], "h1: Superman, h2: Robin");
        assert_eq!(form["properties"]["pet"]["description"], "a: Cats, b: Dogs");
        assert_eq!(form["required"], json!(["name"]));
        assert_eq!(drawn(&form).as_ref(), Some(&form), "what was drawn once stays as it is");
        assert!(super::super::form::checked_schema(Some(&form)).is_ok());
    }

    #[test]
    fn a_form_with_a_needed_field_that_cannot_be_drawn_is_refused() {
        let asked = json!({ "type": "object", "required": ["many"], "properties": {
            "many": { "type": "array", "items": { "type": "string" } } } });
        assert_eq!(drawn(&asked), None);
    }
}
