//! `ui.ask_user`: the person is asked, and the turn ends.

use serde::Serialize;
use serde_json::{Value, json};

use super::built_in::{BuiltIn, EffectClass, Offer, Tool, closed};
use super::output::CallResult;
use crate::code::Failure;
use crate::facts::Fact;
use crate::package::StepNotes;
use crate::widget::{self, Widget, WidgetKind, ask_user_schema};

/// What a model calls it, dotted.
pub const NAME: &str = "ui.ask_user";

pub(super) const TOOL: Tool = Tool {
    name: NAME,
    description: "Ask the user with a form, a selection, a confirmation, a plan review, feedback or an action selection. Ends your turn; the answer comes as the next user input.",
    class: EffectClass::Session,
    works_on_files: false,
    writes_one_file: false,
    offered: Offer::InConversations,
    other_names: &[],
    runs_need: None,
    schema: ask_user_schema,
};

/// Its schema for small models: the two kinds that are easy to write, or the one of them that a step
/// speaks of.
pub(super) fn short_schema(notes: &StepNotes) -> Value {
    let speaks_of = |kind| notes.mentions_widget(kind);
    let text = || json!({ "type": "string" });
    let of = |kind: Value| [("widgetId", text()), ("type", kind), ("message", text())];
    let options = json!({
        "type": "array",
        "items": closed([("value", text()), ("label", text())]),
        "minItems": 2,
        "maxItems": 8,
    });
    match (speaks_of(WidgetKind::Selection), speaks_of(WidgetKind::Confirmation)) {
        (true, false) => {
            let [id, kind, message] = of(json!({ "const": WidgetKind::Selection }));
            closed([id, kind, message, ("options", options)])
        }
        (false, true) => closed(of(json!({ "const": WidgetKind::Confirmation }))),
        (true, true) | (false, false) => {
            let kinds = [WidgetKind::Selection, WidgetKind::Confirmation];
            let mut either = closed(of(json!({ "type": "string", "enum": kinds })));
            // A confirmation has none, and servers refuse a schema that begins with a choice.
            either["properties"]["options"] = options;
            either
        }
    }
}

/// What it says: the answer comes later, as the person's next input.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    status: &'static str,
    widget_id: String,
    note: &'static str,
}

impl Output {
    /// The question is shown.
    pub fn shown(widget: &Widget) -> Self {
        Self {
            status: "waiting_for_user",
            widget_id: widget.widget_id.clone(),
            note: "The question is shown to the user; the answer comes as the next user input.",
        }
    }
}

/// What the model sent. The six types of widgets are checked when the question is its turn, because
/// a wrong one is still a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    args: Value,
}

impl Input {
    /// A call with these arguments, which [`widget`](Self::widget) checks.
    pub(super) fn of(args: Value) -> Self {
        Self { args }
    }

    /// The question, checked.
    ///
    /// # Errors
    /// `E_INVALID_ARGS`, which names the field and the expected shape.
    pub fn widget(&self) -> Result<Widget, Failure> {
        widget::parse(&self.args)
    }
}

impl BuiltIn for Input {
    fn tool(&self) -> &'static Tool {
        &TOOL
    }

    fn args(&self) -> Value {
        self.args.clone()
    }

    fn facts(&self, _: &CallResult) -> Vec<Fact> {
        Vec::new()
    }
}
