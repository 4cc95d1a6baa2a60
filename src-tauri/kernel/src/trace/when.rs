//! What a turn or a rule of a trace expects of a request.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use std::sync::Arc;

use crate::chat::{ChatMessage, ChatRequest, Role};
use crate::code::{ErrorCode, Failure};
use crate::phrase::models;
use crate::text::ellipsis;

/// Expectations on a request; an absent one expects nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct When {
    /// Who wrote the last message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_role: Option<Role>,
    /// A text in the last message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_contains: Option<String>,
    /// The last message is a tool result with this `ok`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_tool_ok: Option<bool>,
    /// No call of the last reply failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all_tools_ok: bool,
    /// The last message is a submission of this widget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub widget_id: Option<String>,
    /// Texts each of which some message holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub any_contains: Vec<String>,
    /// The node that the run is at, as the request says it last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// The last message is the result of this tool, by its wire name, `fs_read`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_tool: Option<String>,
    /// What the person last submitted in a widget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submitted: Option<SubmittedAnswer>,
}

/// An answer that the person gave, somewhere in the conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SubmittedAnswer {
    /// The widget.
    pub widget_id: String,
    /// A text in the newest submission of it.
    pub contains: String,
}

/// The last message somebody said. The blocks that the runtime puts after it to anchor the model
/// (after a resume, or when the node changed) count only when there is nothing else.
pub(super) fn last_said(request: &ChatRequest) -> Option<&ChatMessage> {
    let anchors =
        ["RUN_DIRECTIVE\n", "NODE_BRIEF\n", "DATA_CONTEXT\n", "STATE_SUMMARY\n", "TODO_LIST\n"];
    let is_anchor = |m: &&ChatMessage| {
        m.role == Role::User && anchors.iter().any(|header| m.content.starts_with(header))
    };
    let messages = || request.messages.iter().map(Arc::as_ref);
    let said = messages().rfind(|m| !is_anchor(m) && m.role != Role::System);
    said.or_else(|| messages().next_back())
}

/// What a request that a turn does not expect is told: which turn, the expectation's name and
/// value, and the role and text of the message there was. Made of these alone, so that one that
/// comes from a demo server has this program's words.
pub fn mismatch(turn: usize, name: &str, expected: &Value, last: Option<(Role, &str)>) -> Failure {
    let got = last.map_or(
        Value::Null,
        |(role, content)| json!({ "role": role, "content": ellipsis(content, 2000) }),
    );
    let shown = last.map_or_else(models::demo_got_nothing, |(role, content)| {
        models::demo_got(format!("{role:?}"), ellipsis(content, 300))
    });
    Failure::new(ErrorCode::DemoTraceMismatch, models::demo_expects(turn, name, expected, shown))
        .with_details(json!({ "turn": turn, "expected": { name: expected }, "got": got }))
        .with_action(models::change_the_trace())
}

/// What a person's words are told with.
pub(super) const WORDS: &str = "USER_INPUT";

impl When {
    /// A request that a person's words led to.
    pub fn words() -> Self {
        Self { last_contains: Some(WORDS.into()), ..Self::default() }
    }

    /// Whether a person's words are expected to lead to the request.
    pub fn expects_words(&self) -> bool {
        self.last_contains.as_deref() == Some(WORDS)
    }

    pub(super) fn check(&self, turn: usize, request: &ChatRequest) -> Result<(), Failure> {
        let Some((name, expected)) = self.broken(request) else { return Ok(()) };
        let last = last_said(request).map(|m| (m.role, m.content.as_str()));
        Err(mismatch(turn, name, &expected, last))
    }

    /// The first expectation the request does not meet: its name and value.
    pub(super) fn broken(&self, request: &ChatRequest) -> Option<(&'static str, Value)> {
        let last = last_said(request);
        let is = |test: &dyn Fn(&ChatMessage) -> bool| last.is_some_and(test);
        if let Some(role) = self.last_role
            && !is(&|m| m.role == role)
        {
            return Some(("lastRole", json!(role)));
        }
        if let Some(text) = &self.last_contains
            && !is(&|m| m.content.contains(text))
        {
            return Some(("lastContains", json!(text)));
        }
        if let Some(ok) = self.last_tool_ok
            && !is(&|m| tool_ok(m) == Some(ok))
        {
            return Some(("lastToolOk", json!(ok)));
        }
        if self.all_tools_ok && !all_tools_ok(request) {
            return Some(("allToolsOk", json!(true)));
        }
        if let Some(id) = &self.widget_id
            && !is(&|m| submits(m, id))
        {
            return Some(("widgetId", json!(id)));
        }
        if let Some(node) = &self.node
            && node_of(request) != Some(node.as_str())
        {
            return Some(("node", json!(node)));
        }
        if let Some(tool) = &self.last_tool
            && !is(&|m| tool_of(m, request) == Some(tool.as_str()))
        {
            return Some(("lastTool", json!(tool)));
        }
        if let Some(answer) = &self.submitted
            && !answer.is_in(request)
        {
            return Some(("submitted", json!(answer)));
        }
        let missing = self
            .any_contains
            .iter()
            .find(|text| !request.messages.iter().any(|m| m.content.contains(text.as_str())))?;
        Some(("anyContains", json!(missing)))
    }
}

impl SubmittedAnswer {
    fn is_in(&self, request: &ChatRequest) -> bool {
        let newest = request.messages.iter().rfind(|message| submits(message, &self.widget_id));
        newest.is_some_and(|message| message.content.contains(&self.contains))
    }
}

/// The node that a request says the run is at. Only the runtime's own block counts: a file may
/// hold the same words.
fn node_of(request: &ChatRequest) -> Option<&str> {
    let node = |message: &'_ Arc<ChatMessage>| message.content.starts_with(NODE_BRIEF);
    let brief = request.messages.iter().rfind(|m| m.role == Role::User && node(m))?;
    brief.content[NODE_BRIEF.len()..].split_whitespace().next()
}

/// How the block begins that says which node the run is at.
const NODE_BRIEF: &str = "NODE_BRIEF\n- currentNodeId: ";

/// The tool whose result a message is.
fn tool_of<'a>(message: &ChatMessage, request: &'a ChatRequest) -> Option<&'a str> {
    let id = message.tool_call_id.as_ref()?;
    let mut made = request.messages.iter().rev().flat_map(|message| &message.tool_calls);
    made.find(|call| call.id == *id).map(|call| call.name.as_str())
}

/// Whether the calls of the last reply that made some all came out well.
fn all_tools_ok(request: &ChatRequest) -> bool {
    let made = |message: &&Arc<ChatMessage>| message.tool_calls.is_empty();
    let mut since = request.messages.iter().rev().take_while(made);
    since.all(|message| message.role != Role::Tool || tool_ok(message) == Some(true))
}

/// The `ok` of a tool result.
fn tool_ok(message: &ChatMessage) -> Option<bool> {
    if message.role != Role::Tool {
        return None;
    }
    serde_json::from_str::<Value>(&message.content).ok()?.get("ok")?.as_bool()
}

/// Whether a user message is the submission of the widget (spec 05: `WIDGET_SUBMIT` and JSON).
fn submits(message: &ChatMessage, id: &str) -> bool {
    let Some((_, rest)) = message.content.split_once("WIDGET_SUBMIT") else { return false };
    let Some(start) = rest.find('{') else { return false };
    let mut values = serde_json::Deserializer::from_str(&rest[start..]).into_iter::<Value>();
    message.role == Role::User
        && values.next().and_then(Result::ok).is_some_and(|v| v["widgetId"] == id)
}
