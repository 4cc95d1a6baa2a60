//! What a model sent to `ui.ask_user`, checked field by field.

use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use strum::VariantNames as _;

use super::{
    SERVER_QUESTION, Widget, WidgetAction, WidgetItem, WidgetKind, WidgetOption, ask_user_schema,
    form, server_form,
};
use crate::bounds::CHOICES;
use crate::code::{ErrorCode, Failure};
use crate::text::ellipsis;
use crate::visible::visible;

/// Bytes of what a server asks in its own words.
const QUESTION_BYTES: usize = 4000;

/// Checks what a model sent to `ui.ask_user`. `id` is understood as `widgetId`. Fields of another
/// type are dropped when they say nothing (`null`, `false`, empty) and refused otherwise.
///
/// # Errors
/// `E_INVALID_ARGS`, which names the field and the expected shape.
pub fn parse(args: &Value) -> Result<Widget, Failure> {
    read(args).map_err(|message| {
        Failure::for_model(ErrorCode::InvalidArgs, format!("ui_ask_user: {message}"))
            .with_details(json!({ "expected": ask_user_schema() }))
    })
}

/// A form that a server asks the person to fill in. No payload of a model makes one.
///
/// # Errors
/// What is wrong with it, for whoever reads the log.
pub fn of_server(message: &str, schema: &Value) -> Result<Widget, Failure> {
    let (kind, id) = (WidgetKind::Form.as_str(), SERVER_QUESTION);
    let message = ellipsis(&visible(message), QUESTION_BYTES);
    let schema = server_form::drawn(schema).unwrap_or_default();
    parse(&json!({ "widgetId": id, "type": kind, "message": message, "schema": schema }))
}

fn read(args: &Value) -> Result<Widget, String> {
    let map = args.as_object().ok_or("the arguments must be one JSON object")?;
    let kind = kind_of(map)?;
    check_fields(map, kind)?;
    let mut widget = Widget {
        widget_id: widget_id(map)?,
        kind,
        message: text(map, "message", "message")?,
        schema: None,
        options: None,
        multi: None,
        plan_content: None,
        items: None,
        actions: None,
        change_id: optional_text(map, "changeId", "changeId")?,
        grant: None,
        cut: false,
    };
    match kind {
        WidgetKind::Form => widget.schema = Some(form::checked_schema(map.get("schema"))?),
        WidgetKind::Selection => {
            widget.options = Some(rows(map, "options", "value", option)?);
            widget.multi = Some(match map.get("multi") {
                None | Some(Value::Null) => false,
                Some(Value::Bool(multi)) => *multi,
                Some(_) => return Err("`multi` must be true or false".into()),
            });
        }
        WidgetKind::Confirmation => {}
        WidgetKind::PlanReview => {
            widget.plan_content = Some(text(map, "planContent", "planContent")?);
        }
        WidgetKind::Feedback => widget.items = Some(rows(map, "items", "id", item)?),
        WidgetKind::ActionSelection => widget.actions = Some(rows(map, "actions", "id", action)?),
    }
    Ok(widget)
}

fn kind_of(map: &Map<String, Value>) -> Result<WidgetKind, String> {
    let known = || format!("`{}`", WidgetKind::VARIANTS.join("`, `"));
    let name = match map.get("type") {
        None | Some(Value::Null) => {
            return Err(format!("`type` is missing: use one of {}", known()));
        }
        Some(Value::String(name)) => name.trim(),
        Some(_) => return Err(format!("`type` must be a text, one of {}", known())),
    };
    name.parse().map_err(|_| format!("the type `{name}` is unknown: use one of {}", known()))
}

const COMMON: [&str; 5] = ["widgetId", "id", "type", "message", "changeId"];

/// What only a person's submission may say.
const SUBMISSION: [&str; 2] = ["submitted", "submittedValue"];

/// The payload fields and the types they belong to.
const PAYLOAD: [(&str, WidgetKind); 6] = [
    ("schema", WidgetKind::Form),
    ("options", WidgetKind::Selection),
    ("multi", WidgetKind::Selection),
    ("planContent", WidgetKind::PlanReview),
    ("items", WidgetKind::Feedback),
    ("actions", WidgetKind::ActionSelection),
];

fn check_fields(map: &Map<String, Value>, kind: WidgetKind) -> Result<(), String> {
    for (key, value) in map {
        // Hosts that echo a widget write down that nobody has answered it yet.
        let echoed = SUBMISSION.contains(&key.as_str()) && says_nothing(value);
        if COMMON.contains(&key.as_str()) || echoed {
            continue;
        }
        match PAYLOAD.iter().find(|(name, _)| name == key) {
            Some((_, owner)) if *owner == kind || says_nothing(value) => {}
            Some((_, owner)) => {
                return Err(format!(
                    "`{key}` belongs to the type `{}`, not to `{}`: leave it out",
                    owner.as_str(),
                    kind.as_str()
                ));
            }
            None => return Err(format!("the field `{key}` is unknown: leave it out")),
        }
    }
    Ok(())
}

fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(s) => s.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    }
}

fn widget_id(map: &Map<String, Value>) -> Result<String, String> {
    let synonym = optional_text(map, "id", "id")?;
    match optional_text(map, "widgetId", "widgetId")?.or_else(|| synonym.clone()) {
        None => text(map, "widgetId", "widgetId"),
        Some(id) if synonym.is_some_and(|other| other != id) => {
            Err("`widgetId` and `id` differ: send `widgetId` only".into())
        }
        Some(id) => Ok(id),
    }
}

/// A text with at least one visible character. `at` is how the message names the field.
fn text(map: &Map<String, Value>, key: &str, at: &str) -> Result<String, String> {
    match map.get(key) {
        None | Some(Value::Null) => Err(format!("`{at}` is missing: expected a text")),
        Some(Value::String(s)) if s.trim().is_empty() => {
            Err(format!("`{at}` is empty: expected a text"))
        }
        Some(Value::String(s)) => Ok(s.clone()),
        Some(_) => Err(format!("`{at}` must be a text")),
    }
}

fn optional_text(map: &Map<String, Value>, key: &str, at: &str) -> Result<Option<String>, String> {
    match map.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(s)) if s.trim().is_empty() => Ok(None),
        Some(_) => text(map, key, at).map(Some),
    }
}

type RowParser<T> = fn(&Map<String, Value>, &str) -> Result<T, String>;

/// A non-empty list of closed objects whose `unique` field differs in each.
fn rows<T>(
    map: &Map<String, Value>,
    key: &str,
    unique: &str,
    row: RowParser<T>,
) -> Result<Vec<T>, String> {
    let list = match map.get(key) {
        None | Some(Value::Null) => return Err(format!("`{key}` is missing: expected a list")),
        Some(Value::Array(list)) if list.is_empty() => {
            return Err(format!("`{key}` is empty: expected at least one entry"));
        }
        Some(Value::Array(list)) if list.len() > CHOICES => {
            return Err(format!("`{key}` has more than {CHOICES} entries: ask for less at once"));
        }
        Some(Value::Array(list)) => list,
        Some(_) => return Err(format!("`{key}` must be a list")),
    };
    let mut seen = BTreeSet::new();
    let mut out = Vec::with_capacity(list.len());
    for (i, entry) in list.iter().enumerate() {
        let at = format!("{key}[{i}]");
        let entry = entry.as_object().ok_or_else(|| format!("`{at}` must be an object"))?;
        out.push(row(entry, &at)?);
        if let Some(name) = entry.get(unique).and_then(Value::as_str)
            && !seen.insert(name)
        {
            return Err(format!("`{at}.{unique}` repeats `{name}`: each must differ"));
        }
    }
    Ok(out)
}

fn closed(entry: &Map<String, Value>, at: &str, known: &[&str]) -> Result<(), String> {
    match entry.keys().find(|k| !known.contains(&k.as_str())) {
        Some(key) => Err(format!("`{at}.{key}` is unknown: only {} are allowed", known.join(", "))),
        None => Ok(()),
    }
}

fn option(entry: &Map<String, Value>, at: &str) -> Result<WidgetOption, String> {
    closed(entry, at, &["value", "label", "description"])?;
    Ok(WidgetOption {
        value: text(entry, "value", &format!("{at}.value"))?,
        label: text(entry, "label", &format!("{at}.label"))?,
        description: optional_text(entry, "description", &format!("{at}.description"))?,
    })
}

fn item(entry: &Map<String, Value>, at: &str) -> Result<WidgetItem, String> {
    closed(entry, at, &["id", "content"])?;
    Ok(WidgetItem {
        id: text(entry, "id", &format!("{at}.id"))?,
        content: text(entry, "content", &format!("{at}.content"))?,
    })
}

fn action(entry: &Map<String, Value>, at: &str) -> Result<WidgetAction, String> {
    closed(entry, at, &["id", "label", "description"])?;
    Ok(WidgetAction {
        id: text(entry, "id", &format!("{at}.id"))?,
        label: text(entry, "label", &format!("{at}.label"))?,
        description: optional_text(entry, "description", &format!("{at}.description"))?,
    })
}
