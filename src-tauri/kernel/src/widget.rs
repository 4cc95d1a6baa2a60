//! The six widgets: payloads, submitted values, and their checks (spec 05 "Widgets").

mod fence;
mod form;
mod payload;
mod schema;
mod server_form;
mod value;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::ids::ChangeId;
use crate::path::AliasPath;

pub use fence::fenced;
pub use payload::{of_server, parse};
pub use schema::ask_user_schema;
pub use value::check_value;

/// The widget id that asks for a change of a completed run (spec 06 "Confirmation").
pub const STATE_CHANGE_CONFIRM: &str = "workflow_state_change_confirm";

/// The widget id of the runtime's own question about a call that waits. A model may not use it.
pub const TOOL_APPROVAL: &str = "tool_approval";
/// The id of the form that a server asks the person to fill in, during a call.
pub const SERVER_QUESTION: &str = "server_question";
/// The member of an answer to a server by which the person says that they will not tell it. No
/// field of a form has such a name.
pub const DECLINED: &str = "$declined";

/// The member of an approval's value that allows the folder, not only the one call.
pub const FOR_FOLDER: &str = "forFolder";

/// The member of a yes that says: although not all of the change was shown.
pub const UNSEEN: &str = "unseen";

/// The member of a yes that names the change which was opened whole.
pub const WHOLE: &str = "whole";

/// The member of a no that says what the person wants instead.
pub const INSTEAD: &str = "instead";

/// Which of the six.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantNames,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum WidgetKind {
    /// Fields from a JSON Schema subset; the value is an object.
    Form,
    /// One or several of a list; the value is always an array of values.
    Selection,
    /// Confirm or cancel; the value is `{confirmed}`, of a no also `{confirmed, instead}`.
    Confirmation,
    /// A plan to approve; the value is `{decision, feedback?}`.
    PlanReview,
    /// One text per item; the value maps item ids to texts.
    Feedback,
    /// One of several actions; the value is its id.
    ActionSelection,
}

impl WidgetKind {
    /// Each as it is written in a payload.
    pub const NAMES: &'static [&'static str] = <Self as strum::VariantNames>::VARIANTS;

    /// Whether an answer can authorise something that was shown: it must have been seen first.
    pub const fn authorises(self) -> bool {
        matches!(self, Self::Confirmation | Self::PlanReview)
    }

    /// As it is written in a payload.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A checked widget payload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Widget {
    /// The model's id for it.
    pub widget_id: String,
    /// Which of the six.
    #[serde(rename = "type")]
    pub kind: WidgetKind,
    /// The question, in the model's words.
    pub message: String,
    /// `form`: a JSON Schema object of string, number, integer, boolean and enum properties.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional, type = "unknown"))]
    pub schema: Option<Value>,
    /// `selection`: what to choose from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub options: Option<Vec<WidgetOption>>,
    /// `selection`: whether several may be chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub multi: Option<bool>,
    /// `plan_review`: the plan, Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub plan_content: Option<String>,
    /// `feedback`: what to comment on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub items: Option<Vec<WidgetItem>>,
    /// `action_selection`: what to choose from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub actions: Option<Vec<WidgetAction>>,
    /// `confirmation` of a state change: the pending change it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub change_id: Option<String>,
    /// The runtime's own question about a call: the folder that can be allowed for the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub grant: Option<WidgetGrant>,
    /// `confirmation` of a change that is not shown whole: a yes has to say that it knows.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub cut: bool,
}

impl Widget {
    /// The runtime's own question about a call that waits. No payload of a model makes one. What is
    /// not shown whole can be allowed once, never with a folder.
    pub fn approval(
        message: String,
        grant: Option<WidgetGrant>,
        change: &ChangeId,
        cut: bool,
    ) -> Self {
        Self {
            widget_id: TOOL_APPROVAL.to_owned(),
            kind: WidgetKind::Confirmation,
            message,
            schema: None,
            options: None,
            multi: None,
            plan_content: None,
            items: None,
            actions: None,
            change_id: Some(change.to_string()),
            grant: grant.filter(|_| !cut),
            cut,
        }
    }
}

impl Widget {
    /// The texts of what an answer chose, as the person read them; none for other kinds of answer.
    pub fn chosen<'a>(&'a self, value: &'a Value) -> Vec<&'a str> {
        let values = match value {
            Value::Array(values) => values.as_slice(),
            one => std::slice::from_ref(one),
        };
        let is_chosen = |id: &str| values.iter().any(|value| value.as_str() == Some(id));
        let options = self.options.iter().flatten().filter(|option| is_chosen(&option.value));
        let actions = self.actions.iter().flatten().filter(|action| is_chosen(&action.id));
        let labels = options.map(|option| option.label.as_str());
        labels.chain(actions.map(|action| action.label.as_str())).collect()
    }

    /// Whether a server asks.
    pub fn is_of_server(&self) -> bool {
        self.widget_id == SERVER_QUESTION
    }
}

/// Whether an answer to a server says that the person will not tell it.
pub fn declines(value: &Value) -> bool {
    value.get(DECLINED) == Some(&Value::Bool(true))
}

/// What the wider choice of an approval covers: one tool, on files directly in one folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct WidgetGrant {
    /// The tool, by canonical name.
    pub tool: String,
    /// The folder.
    pub folder: AliasPath,
}

/// One option of a selection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct WidgetOption {
    /// What is submitted.
    pub value: String,
    /// What is shown.
    pub label: String,
    /// More words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub description: Option<String>,
}

/// One item of a feedback widget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct WidgetItem {
    /// What is submitted.
    pub id: String,
    /// What is shown.
    pub content: String,
}

/// One action of an action selection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct WidgetAction {
    /// What is submitted.
    pub id: String,
    /// What is shown.
    pub label: String,
    /// More words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub description: Option<String>,
}

/// What the message of a submitted widget begins with.
pub const SUBMISSION: &str = "WIDGET_SUBMIT\n";

/// The user message of a submission: `WIDGET_SUBMIT` and the JSON `{widgetId, type, value}`
/// (spec 05 "Widgets"). Only a record of the runtime makes it a submission; the text alone is
/// inert.
pub fn submission_text(widget_id: &str, kind: WidgetKind, value: &Value) -> String {
    let body = json!({ "widgetId": widget_id, "type": kind, "value": value });
    format!("{SUBMISSION}{body}")
}

/// What the person wants instead of what they said no to, in their words.
pub fn instead(value: &Value) -> Option<&str> {
    value.get(INSTEAD).and_then(Value::as_str)
}

/// Whether `value` is the Confirm of a confirmation. Any other widget or value is no consent.
pub fn confirmed(widget: &Widget, value: &Value) -> bool {
    widget.kind == WidgetKind::Confirmation
        && value.get("confirmed").and_then(Value::as_bool) == Some(true)
}
