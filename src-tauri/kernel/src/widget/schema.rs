//! What the model is told about `ui.ask_user`.

use serde_json::{Value, json};
use strum::VariantNames as _;

use super::WidgetKind;

/// The JSON Schema of `ui.ask_user`'s arguments: one flat closed object, since small models
/// follow that better than a union of six.
pub fn ask_user_schema() -> Value {
    json!({
        "type": "object",
        "required": ["widgetId", "type", "message"],
        "additionalProperties": false,
        "properties": {
            "widgetId": text("Your own name for this question, e.g. `story_details`."),
            "type": {
                "type": "string",
                "enum": WidgetKind::VARIANTS,
                "description": "form: named fields (needs schema). selection: choose from options (needs options). confirmation: Confirm or Cancel. plan_review: approve a plan (needs planContent). feedback: a comment on each item (needs items). action_selection: choose what to do next (needs actions).",
            },
            "message": text("The question, in the user's language."),
            "schema": {
                "type": "object",
                "description": "Only for form: a flat JSON Schema object, e.g. {\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\",\"title\":\"Name\"}},\"required\":[\"name\"]}. Property types: string, number, integer, boolean, or an enum.",
            },
            "options": rows(
                "Only for selection: what to choose from.",
                &json!({
                    "value": text("What you get back. Unique."),
                    "label": text("What the user sees."),
                    "description": text("More words for the user."),
                }),
                &json!(["value", "label"]),
            ),
            "multi": {
                "type": "boolean",
                "description": "Only for selection: true lets the user choose several. Default false.",
            },
            "planContent": text("Only for plan_review: the plan, in Markdown."),
            "items": rows(
                "Only for feedback: what to comment on.",
                &json!({
                    "id": text("The key of the comment you get back. Unique."),
                    "content": text("What the user reads and comments on."),
                }),
                &json!(["id", "content"]),
            ),
            "actions": rows(
                "Only for action_selection: what to choose from.",
                &json!({
                    "id": text("What you get back. Unique."),
                    "label": text("What the user sees."),
                    "description": text("More words for the user."),
                }),
                &json!(["id", "label"]),
            ),
            "changeId": text("Only for a confirmation of a state change: the pendingChange.id you were given."),
        },
    })
}

fn text(words: &str) -> Value {
    json!({ "type": "string", "description": words })
}

/// A list of closed objects.
fn rows(words: &str, properties: &Value, required: &Value) -> Value {
    json!({
        "type": "array",
        "minItems": 1,
        "description": words,
        "items": {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        },
    })
}
