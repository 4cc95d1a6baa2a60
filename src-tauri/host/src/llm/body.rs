//! A [`ChatRequest`] as the JSON of `/chat/completions`, with the endpoint's quirks.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use kernel::bounds::{ECHO_BYTES, ECHOES};
use kernel::chat::{ChatMessage, ChatRequest, Reply, RequestMessages, Role, ToolSpec};
use kernel::ids::CallId;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use super::presets::Quirks;
use crate::requests::LastTools;

/// Fields a server may refuse; each can be left out.
const OPTIONAL: &[&str] = &[
    "stream_options",
    "parallel_tool_calls",
    "max_completion_tokens",
    "max_tokens",
    "tool_choice",
    "reasoning_content",
    "extra_content",
];

/// The choice of tools with which a server sees to it that one is called.
const REQUIRED: &str = "required";

/// What an endpoint taught: fields it refuses, and what it wants back beside its own calls; and what
/// it was offered last.
#[derive(Debug, Default)]
pub(super) struct Learned {
    /// The tools as they are sent, when there are some.
    tools: LastTools<Option<Arc<RawValue>>>,
    refused: BTreeSet<&'static str>,
    echoes: BTreeMap<String, CallEcho>,
    order: VecDeque<String>,
    /// Bytes of all echoes.
    bytes: usize,
}

/// What a server sent with a call and wants to see again: reasoning (DeepSeek, Kimi), signatures
/// (Gemini).
#[derive(Debug, Clone, Default)]
pub(super) struct CallEcho {
    pub(super) reasoning: Option<String>,
    pub(super) extra: Option<Value>,
}

impl CallEcho {
    fn bytes(&self) -> usize {
        let extra = self.extra.as_ref().map(|extra| extra.to_string().len());
        self.reasoning.as_ref().map_or(0, String::len) + extra.unwrap_or_default()
    }
}

impl Learned {
    /// Of a server that refuses these fields.
    pub(super) fn of_server(refused: &BTreeSet<String>) -> Self {
        let known = OPTIONAL.iter().chain([&REQUIRED]).copied();
        let refused = known.filter(|field| refused.contains(*field)).collect();
        Self { refused, ..Self::default() }
    }

    /// The field of `sent` that a refusal names, unless it was left out before.
    pub(super) fn refuse(&mut self, refusal: &str, sent: &RequestBody<'_>) -> Option<&'static str> {
        let sent = json!(sent);
        let named = OPTIONAL.iter().find(|f| refusal.contains(**f) && holds(&sent, f))?;
        self.refused.insert(named).then_some(named)
    }

    /// Keeps what came with the calls of a reply.
    pub(super) fn remember(&mut self, reply: &Reply, extras: &BTreeMap<String, Value>) {
        for (k, call) in reply.calls.iter().enumerate() {
            let id = call.id.as_str().to_owned();
            let echo = CallEcho {
                reasoning: reply.thinking.clone().filter(|_| k == 0),
                extra: extras.get(&id).cloned(),
            };
            if echo.reasoning.is_none() && echo.extra.is_none() {
                continue;
            }
            self.order.push_back(id.clone());
            self.bytes += echo.bytes();
            let replaced = self.echoes.insert(id, echo);
            self.bytes -= replaced.map_or(0, |echo| echo.bytes());
            while (self.order.len() > ECHOES || self.bytes > ECHO_BYTES)
                && let Some(oldest) = self.order.pop_front()
            {
                let forgotten = self.echoes.remove(&oldest);
                self.bytes -= forgotten.map_or(0, |echo| echo.bytes());
            }
        }
    }

    /// A reply to a request for a call has none: the server does not see to it.
    pub(super) fn requires_in_vain(&mut self) -> &'static str {
        self.refused.insert(REQUIRED);
        REQUIRED
    }

    /// Whether the server is asked to see to it that a tool is called.
    pub(super) fn requires(&self) -> bool {
        self.takes("tool_choice") && self.takes(REQUIRED)
    }

    fn takes(&self, field: &str) -> bool {
        !self.refused.contains(field)
    }
}

fn tools_json(tools: &[Arc<ToolSpec>]) -> Option<Arc<RawValue>> {
    let all = tools.iter().map(|function| BodyTool { r#type: "function", function });
    // Names, texts and schemas: there is nothing in them that JSON cannot say.
    let json = to_raw_value(&all.collect::<Vec<_>>()).ok();
    json.filter(|_| !tools.is_empty()).map(Arc::from)
}

fn holds(body: &Value, field: &str) -> bool {
    let nested = |v: &Value| v.get(field).is_some() || v["tool_calls"][0].get(field).is_some();
    body.get(field).is_some()
        || body.get("messages").and_then(Value::as_array).is_some_and(|m| m.iter().any(nested))
}

/// The body of a request, to be written as JSON. It borrows what it can: a long conversation is
/// sent anew with every turn.
#[derive(Debug, Serialize)]
pub(super) struct RequestBody<'a> {
    model: &'a str,
    messages: Vec<BodyMessage<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<Arc<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parallel_tool_calls: Option<bool>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<Value>,
    /// The limit of the answer, under the name the endpoint knows.
    #[serde(flatten)]
    limit: Option<BTreeMap<&'static str, u32>>,
}

#[derive(Debug, Serialize)]
struct BodyTool<'a> {
    r#type: &'static str,
    function: &'a ToolSpec,
}

#[derive(Debug, Serialize)]
struct BodyMessage<'a> {
    role: Role,
    /// `null` for an assistant that only called tools.
    content: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'a CallId>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_content: Option<String>,
}

#[derive(Debug, Serialize)]
struct Call<'a> {
    id: &'a CallId,
    r#type: &'static str,
    function: Function<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extra_content: Option<Value>,
}

#[derive(Debug, Serialize)]
struct Function<'a> {
    name: &'a str,
    arguments: &'a str,
}

/// The body of a request, answered in pieces where it is to `stream`.
pub(super) fn body<'a>(
    model: &'a str,
    request: &'a ChatRequest,
    stream: bool,
    quirks: &Quirks,
    learned: &mut Learned,
) -> RequestBody<'a> {
    let tools = learned.tools.of(&request.tools, tools_json).clone();
    let has_tools = !request.tools.is_empty();
    let parallel = has_tools && quirks.parallel_tool_calls && learned.takes("parallel_tool_calls");
    let usage = stream && quirks.stream_usage && learned.takes("stream_options");
    let limit = request.max_tokens.and_then(|limit| {
        let fields = [quirks.max_tokens_field, "max_completion_tokens", "max_tokens"];
        let field = fields.into_iter().find(|field| learned.takes(field))?;
        Some(BTreeMap::from([(field, limit)]))
    });
    let choice = if request.must_call && learned.takes(REQUIRED) { REQUIRED } else { "auto" };
    RequestBody {
        model,
        messages: messages(&request.messages, quirks, learned),
        tools,
        tool_choice: (has_tools && learned.takes("tool_choice")).then_some(choice),
        parallel_tool_calls: parallel.then_some(true),
        stream,
        stream_options: usage.then(|| json!({ "include_usage": true })),
        limit,
    }
}

/// The messages in the order and with the roles the endpoint accepts.
fn messages<'a>(
    all: &'a RequestMessages,
    quirks: &Quirks,
    learned: &Learned,
) -> Vec<BodyMessage<'a>> {
    let mut out: Vec<BodyMessage<'a>> = Vec::with_capacity(all.len());
    let mut leading = true;
    for message in all {
        let late = message.role == Role::System && !leading;
        let role = if late && quirks.strict_roles { Role::User } else { message.role };
        leading &= role == Role::System;
        let joins = match role {
            Role::System => quirks.merge_system,
            Role::User => quirks.strict_roles,
            Role::Assistant | Role::Tool => false,
        };
        let above = out.last_mut().filter(|last| joins && last.role == role);
        if let Some(content) = above.and_then(|last| last.content.as_mut()) {
            let content = content.to_mut();
            content.push_str("\n\n");
            content.push_str(&message.content);
        } else {
            out.push(BodyMessage { role, ..one(message, quirks, learned) });
        }
    }
    out
}

fn one<'a>(message: &'a ChatMessage, quirks: &Quirks, learned: &Learned) -> BodyMessage<'a> {
    let echo = |id: &CallId| learned.echoes.get(id.as_str());
    let calls = message.tool_calls.iter().map(|call| Call {
        id: &call.id,
        r#type: "function",
        function: Function { name: &call.name, arguments: &call.arguments },
        extra_content: echo(&call.id)
            .and_then(|e| e.extra.clone())
            .filter(|_| learned.takes("extra_content")),
    });
    let echoes = quirks.reasoning_echo && learned.takes("reasoning_content");
    // After a restart the reasoning is gone, but the field must be there.
    let reasoning = |id| echo(id).and_then(|e| e.reasoning.clone()).unwrap_or_default();
    let silent = message.content.is_empty() && !message.tool_calls.is_empty();
    BodyMessage {
        role: message.role,
        content: (!silent).then_some(Cow::Borrowed(message.content.as_str())),
        tool_call_id: message.tool_call_id.as_ref(),
        tool_calls: calls.collect(),
        reasoning_content: (message.tool_calls.first())
            .filter(|_| echoes)
            .map(|call| reasoning(&call.id)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::presets::preset;
    use super::*;
    use kernel::chat::ToolCall;

    const STREAM: bool = true;

    fn call(id: &str) -> ToolCall {
        ToolCall { id: CallId::new(id), name: "fs_read".into(), arguments: "{}".into() }
    }

    fn request() -> ChatRequest {
        let assistant = ChatMessage { tool_calls: vec![call("c1")], ..ChatMessage::assistant("") };
        let messages = [
            ChatMessage::system("a"),
            ChatMessage::system("b"),
            ChatMessage::user("u"),
            assistant,
            ChatMessage::tool(CallId::new("c1"), "{}"),
            ChatMessage::system("late"),
            ChatMessage::user("v"),
        ];
        let tool = ToolSpec {
            name: "fs_read".into(),
            description: "d".into(),
            parameters: json!({"type": "object"}),
        };
        ChatRequest::new(messages, vec![Arc::new(tool)])
    }

    fn of(provider: &str, stream: bool, learned: &mut Learned) -> Value {
        json!(body("m", &request(), stream, &preset(provider).quirks, learned))
    }

    #[test]
    fn leading_system_messages_become_one_separated_by_a_blank_line() {
        let body = of("custom", STREAM, &mut Learned::default());
        assert_eq!(body["messages"][0], json!({"role": "system", "content": "a\n\nb"}));
        assert_eq!(of("openai", STREAM, &mut Learned::default())["messages"][1]["content"], "b");
    }

    #[test]
    fn strict_servers_get_no_late_system_message_and_no_two_user_messages_in_a_row() {
        let body = of("ollama", STREAM, &mut Learned::default());
        let last = body["messages"].as_array().unwrap().last().unwrap();
        assert_eq!(*last, json!({"role": "user", "content": "late\n\nv"}));
    }

    #[test]
    fn a_call_without_text_has_null_content_and_its_name_as_given() {
        let body = of("custom", STREAM, &mut Learned::default());
        let expected = json!({
            "role": "assistant", "content": null,
            "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "fs_read", "arguments": "{}"}}],
        });
        assert_eq!(body["messages"][2], expected);
        assert_eq!(body["messages"][3]["tool_call_id"], "c1");
        assert_eq!(body["tools"][0]["function"]["name"], "fs_read");
        assert_eq!(body["tool_choice"], "auto");
    }

    #[test]
    fn a_refused_field_is_left_out_and_the_other_limit_field_is_tried() {
        let mut learned = Learned::default();
        let quirks = &preset("custom").quirks;
        let asked = ChatRequest { max_tokens: Some(1), ..request() };
        let sent = body("m", &asked, STREAM, quirks, &mut learned);
        assert!(learned.refuse("Unsupported parameter: 'max_tokens'", &sent).is_some());
        assert!(learned.refuse("unknown field `stream_options`", &sent).is_some());
        assert!(learned.refuse("unknown field `stream_options`", &sent).is_none(), "only once");
        assert!(
            learned.refuse("unknown field `parallel_tool_calls`", &sent).is_none(),
            "was not sent"
        );
        let body = json!(body("m", &asked, STREAM, quirks, &mut learned));
        assert_eq!(body["max_completion_tokens"], 1);
        assert!(body.get("max_tokens").is_none() && body.get("stream_options").is_none());
    }

    #[test]
    fn what_a_server_wants_back_is_remembered_up_to_a_bound() {
        let mut learned = Learned::default();
        let long = |id: &str, bytes| Reply {
            thinking: Some("y".repeat(bytes)),
            calls: vec![call(id)],
            ..Reply::default()
        };
        for n in 0..10 {
            learned.remember(&long(&format!("c{n}"), ECHO_BYTES / 4), &BTreeMap::new());
            assert!(learned.bytes <= ECHO_BYTES);
        }
        let kept: Vec<&String> = learned.echoes.keys().collect();
        assert_eq!(kept, ["c6", "c7", "c8", "c9"]);
        learned.remember(&long("c9", 1), &BTreeMap::new());
        assert_eq!(learned.bytes, ECHO_BYTES / 4 * 3 + 1, "the same call counts once");
        learned.remember(&long("c0", ECHO_BYTES + 1), &BTreeMap::new());
        assert!(learned.echoes.is_empty() && learned.bytes == 0);
    }

    #[test]
    fn reasoning_and_signatures_come_back_with_the_call_they_came_with() {
        let mut learned = Learned::default();
        assert_eq!(of("deepseek", STREAM, &mut learned)["messages"][2]["reasoning_content"], "");
        let reply =
            Reply { thinking: Some("because".into()), calls: vec![call("c1")], ..Reply::default() };
        let extras =
            BTreeMap::from([("c1".to_owned(), json!({"google": {"thought_signature": "s"}}))]);
        learned.remember(&reply, &extras);
        let body = of("deepseek", STREAM, &mut learned);
        assert_eq!(body["messages"][2]["reasoning_content"], "because");
        let call = &body["messages"][2]["tool_calls"][0];
        assert_eq!(call["extra_content"]["google"]["thought_signature"], "s");
        assert!(
            of("custom", STREAM, &mut learned)["messages"][2].get("reasoning_content").is_none()
        );
    }
}
