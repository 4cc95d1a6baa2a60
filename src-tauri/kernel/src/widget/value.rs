//! What a person submitted, checked against the widget it answers.

use serde_json::{Value, json};

use super::{
    DECLINED, FOR_FOLDER, INSTEAD, UNSEEN, WHOLE, Widget, WidgetKind, declines, form, instead,
};
use crate::code::{ErrorCode, Failure};
use crate::phrase::{Part, Phrase, Why, engine as said, general};

/// Checks what a person submitted against the widget, and returns it in its canonical shape (a
/// selection's single text becomes an array).
///
/// # Errors
/// `WIDGET_VALUE_INVALID` with `details.errors: [{path, message}]`.
pub fn check_value(widget: &Widget, value: Value) -> Result<Value, Failure> {
    if widget.is_of_server() && declines(&value) {
        return Ok(json!({ DECLINED: true }));
    }
    let checked = match widget.kind {
        WidgetKind::Form => form_value(widget, value),
        WidgetKind::Selection => selection(widget, value),
        WidgetKind::Confirmation => confirmation(widget, value),
        WidgetKind::PlanReview => plan_review(&value),
        WidgetKind::Feedback => feedback(widget, value),
        WidgetKind::ActionSelection => action_selection(widget, value),
    };
    checked.map_err(|errors| {
        let words: Vec<Phrase> = errors
            .iter()
            .map(|(path, message)| match path.as_str() {
                "" => message.clone(),
                path => general::about(path, message.clone()),
            })
            .collect();
        let errors: Vec<Value> = errors
            .iter()
            .map(|(path, message)| json!({ "path": path, "message": message.english() }))
            .collect();
        Failure::new(
            ErrorCode::WidgetValueInvalid,
            said::answer_does_not_fit(&widget.widget_id, Part::All(words)),
        )
        .with_details(
            json!({ "widgetId": widget.widget_id, "type": widget.kind, "errors": errors }),
        )
    })
}

/// Where, as a JSON pointer into the value, and what.
type Errors = Vec<(String, Phrase)>;

fn at(path: impl Into<String>, message: Phrase) -> Errors {
    vec![(path.into(), message)]
}

fn form_value(widget: &Widget, value: Value) -> Result<Value, Errors> {
    let none = Value::Null;
    let errors = form::errors(widget.schema.as_ref().unwrap_or(&none), &value);
    let errors = errors.map_err(|message| at("", said::value_other(Why::quoted(message))))?;
    let errors: Errors =
        errors.into_iter().map(|(path, why)| (path, said::value_other(Why::quoted(why)))).collect();
    if errors.is_empty() { Ok(value) } else { Err(errors) }
}

fn selection(widget: &Widget, value: Value) -> Result<Value, Errors> {
    let chosen = match value {
        Value::String(one) => vec![Value::String(one)],
        Value::Array(list) => list,
        _ => return Err(at("", said::value_list())),
    };
    let options = widget.options.as_deref().unwrap_or_default();
    let known = || options.iter().map(|o| format!("`{}`", o.value)).collect::<Vec<_>>().join(", ");
    for (i, item) in chosen.iter().enumerate() {
        let Some(text) = item.as_str() else {
            return Err(at(format!("/{i}"), said::value_option_text()));
        };
        if !options.iter().any(|o| o.value == text) {
            return Err(at(format!("/{i}"), said::value_no_option(text, known())));
        }
        if chosen[..i].contains(item) {
            return Err(at(format!("/{i}"), said::value_twice(text)));
        }
    }
    if widget.multi != Some(true) && chosen.len() != 1 {
        return Err(at("", said::value_one_option(chosen.len())));
    }
    Ok(Value::Array(chosen))
}

fn confirmation(widget: &Widget, value: Value) -> Result<Value, Errors> {
    let expected = || said::value_confirmation(r#"{"confirmed": true} / {"confirmed": false}"#);
    let Some(map) = value.as_object() else { return Err(at("", expected())) };
    let confirmed = map.get("confirmed").and_then(Value::as_bool);
    if widget.cut && confirmed == Some(true) {
        let unseen = map.get(UNSEEN) == Some(&Value::Bool(true));
        let opened = map.get(WHOLE).is_some_and(Value::is_string);
        let shape = r#"{"confirmed": true, "whole": "…"} / {"confirmed": true, "unseen": true}"#;
        let knows = map.len() == 2 && (unseen || opened);
        return if knows { Ok(value) } else { Err(at("", said::value_unseen(shape))) };
    }
    if confirmed == Some(false) && map.contains_key(INSTEAD) {
        let says = instead(&value).is_some_and(|words| !words.trim().is_empty());
        let shape = r#"{"confirmed": false, "instead": "…"}"#;
        let fits = map.len() == 2 && says;
        return if fits { Ok(value) } else { Err(at("", said::value_confirmation(shape))) };
    }
    let fits = match (map.get(FOR_FOLDER), confirmed) {
        (None, Some(_)) => map.len() == 1,
        // Only where the dialog offered a folder, and only together with consent.
        (Some(Value::Bool(true)), Some(true)) => map.len() == 2 && widget.grant.is_some(),
        _ => false,
    };
    if fits { Ok(value) } else { Err(at("", expected())) }
}

fn plan_review(value: &Value) -> Result<Value, Errors> {
    let expected = r#"{"decision": "approve"} / {"decision": "request_changes", "feedback": "…"}"#;
    let map = value.as_object().ok_or_else(|| at("", said::value_confirmation(expected)))?;
    if let Some(key) = map.keys().find(|k| !["decision", "feedback"].contains(&k.as_str())) {
        return Err(at(format!("/{key}"), said::value_unknown_field(expected)));
    }
    let feedback = match map.get("feedback") {
        None | Some(Value::Null) => "",
        Some(Value::String(text)) => text.trim(),
        Some(_) => return Err(at("/feedback", said::value_text())),
    };
    match map.get("decision").and_then(Value::as_str) {
        Some("approve") if feedback.is_empty() => Ok(json!({ "decision": "approve" })),
        Some("approve") => Err(at("/feedback", said::value_approval_feedback())),
        Some("request_changes") if feedback.is_empty() => {
            Err(at("/feedback", said::value_feedback_empty()))
        }
        Some("request_changes") => {
            Ok(json!({ "decision": "request_changes", "feedback": map.get("feedback") }))
        }
        _ => Err(at("/decision", said::value_confirmation(expected))),
    }
}

fn feedback(widget: &Widget, value: Value) -> Result<Value, Errors> {
    let items = widget.items.as_deref().unwrap_or_default();
    let Value::Object(map) = value else {
        return Err(at("", said::value_items()));
    };
    let errors: Errors =
        map.iter().filter_map(|(id, text)| wrong_comment(items, id, text)).collect();
    if errors.is_empty() { Ok(Value::Object(map)) } else { Err(errors) }
}

fn wrong_comment(items: &[super::WidgetItem], id: &str, text: &Value) -> Option<(String, Phrase)> {
    if !items.iter().any(|item| item.id == id) {
        let known: Vec<String> = items.iter().map(|item| format!("`{}`", item.id)).collect();
        return Some((format!("/{id}"), said::value_unknown_item(known.join(", "))));
    }
    (!text.is_string()).then(|| (format!("/{id}"), said::value_text()))
}

fn action_selection(widget: &Widget, value: Value) -> Result<Value, Errors> {
    let actions = widget.actions.as_deref().unwrap_or_default();
    let known: Vec<String> = actions.iter().map(|a| format!("`{}`", a.id)).collect();
    match value.as_str() {
        Some(id) if actions.iter().any(|a| a.id == id) => Ok(value),
        Some(id) => Err(at("", said::value_no_action(id, known.join(", ")))),
        None => Err(at("", said::value_action_text(known.join(", ")))),
    }
}
