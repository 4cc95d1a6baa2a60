//! A [`ChatRequest`] as the JSON of `/chat/completions`, with the endpoint's quirks.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use kernel::chat::{ChatMessage, ChatRequest, Reply, Role};
use serde_json::{Map, Value, json};

use super::presets::Quirks;

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

/// How many replies' extras are remembered.
const REMEMBERED: usize = 200;

/// What an endpoint taught: fields it refuses, and what it wants back beside its own calls.
#[derive(Debug, Default)]
pub(super) struct Learned {
    refused: BTreeSet<&'static str>,
    echoes: BTreeMap<String, Echo>,
    order: VecDeque<String>,
}

/// What a server sent with a call and wants to see again: reasoning (DeepSeek, Kimi), signatures
/// (Gemini).
#[derive(Debug, Clone, Default)]
pub(super) struct Echo {
    pub(super) reasoning: Option<String>,
    pub(super) extra: Option<Value>,
}

impl Learned {
    /// The field of `sent` that a refusal names, unless it was left out before.
    pub(super) fn refuse(&mut self, refusal: &str, sent: &Map<String, Value>) -> bool {
        let named = OPTIONAL.iter().find(|f| refusal.contains(**f) && holds(sent, f));
        named.is_some_and(|field| self.refused.insert(field))
    }

    /// Keeps what came with the calls of a reply.
    pub(super) fn remember(&mut self, reply: &Reply, extras: &BTreeMap<String, Value>) {
        for (k, call) in reply.calls.iter().enumerate() {
            let id = call.id.as_str().to_owned();
            let echo = Echo {
                reasoning: reply.thinking.clone().filter(|_| k == 0),
                extra: extras.get(&id).cloned(),
            };
            if echo.reasoning.is_none() && echo.extra.is_none() {
                continue;
            }
            self.order.push_back(id.clone());
            self.echoes.insert(id, echo);
            if self.order.len() > REMEMBERED
                && let Some(oldest) = self.order.pop_front()
            {
                self.echoes.remove(&oldest);
            }
        }
    }

    fn takes(&self, field: &str) -> bool {
        !self.refused.contains(field)
    }
}

fn holds(body: &Map<String, Value>, field: &str) -> bool {
    let nested = |v: &Value| v.get(field).is_some() || v["tool_calls"][0].get(field).is_some();
    body.contains_key(field)
        || body.get("messages").and_then(Value::as_array).is_some_and(|m| m.iter().any(nested))
}

/// How one request is made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner {
    /// Ask for pieces.
    pub(super) stream: bool,
    /// Limit of the answer in tokens.
    pub(super) max_tokens: Option<u32>,
}

/// The body of a request.
pub(super) fn body(
    model: &str,
    request: &ChatRequest,
    manner: Manner,
    quirks: &Quirks,
    learned: &Learned,
) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("model".into(), model.into());
    let messages = arranged(&request.messages, quirks);
    let messages = messages.iter().map(|m| message(m, quirks, learned)).collect();
    body.insert("messages".into(), Value::Array(messages));
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|t| json!({ "type": "function", "function": t }));
        body.insert("tools".into(), tools.collect());
        if learned.takes("tool_choice") {
            body.insert("tool_choice".into(), "auto".into());
        }
        if quirks.parallel_tool_calls && learned.takes("parallel_tool_calls") {
            body.insert("parallel_tool_calls".into(), true.into());
        }
    }
    body.insert("stream".into(), manner.stream.into());
    if manner.stream && quirks.stream_usage && learned.takes("stream_options") {
        body.insert("stream_options".into(), json!({ "include_usage": true }));
    }
    if let Some(limit) = manner.max_tokens {
        let fields = [quirks.max_tokens_field, "max_completion_tokens", "max_tokens"];
        if let Some(field) = fields.into_iter().find(|f| learned.takes(f)) {
            body.insert(field.into(), limit.into());
        }
    }
    body
}

/// The messages in the order and with the roles the endpoint accepts.
fn arranged(messages: &[ChatMessage], quirks: &Quirks) -> Vec<ChatMessage> {
    let mut out: Vec<ChatMessage> = Vec::with_capacity(messages.len());
    for message in messages {
        let mut message = message.clone();
        let leading = out.iter().all(|m| m.role == Role::System);
        if quirks.strict_roles && message.role == Role::System && !leading {
            message.role = Role::User;
        }
        let joins = match message.role {
            Role::System => quirks.merge_system,
            Role::User => quirks.strict_roles,
            Role::Assistant | Role::Tool => false,
        };
        match out.last_mut() {
            Some(last) if joins && last.role == message.role => {
                last.content.push_str("\n\n");
                last.content.push_str(&message.content);
            }
            _ => out.push(message),
        }
    }
    out
}

fn message(message: &ChatMessage, quirks: &Quirks, learned: &Learned) -> Value {
    let mut out = Map::new();
    out.insert("role".into(), json!(message.role));
    let silent = message.content.is_empty() && !message.tool_calls.is_empty();
    let content = if silent { Value::Null } else { message.content.as_str().into() };
    out.insert("content".into(), content);
    if let Some(id) = &message.tool_call_id {
        out.insert("tool_call_id".into(), id.as_str().into());
    }
    if message.tool_calls.is_empty() {
        return Value::Object(out);
    }
    let echo = |id: &str| learned.echoes.get(id);
    let calls = message.tool_calls.iter().map(|call| {
        let mut out = json!({
            "id": call.id.as_str(),
            "type": "function",
            "function": { "name": call.name, "arguments": call.arguments },
        });
        let extra = echo(call.id.as_str()).and_then(|e| e.extra.clone());
        if let Some(extra) = extra.filter(|_| learned.takes("extra_content")) {
            out["extra_content"] = extra;
        }
        out
    });
    out.insert("tool_calls".into(), calls.collect());
    if quirks.reasoning_echo && learned.takes("reasoning_content") {
        // After a restart the reasoning is gone, but the field must be there.
        let known = echo(message.tool_calls[0].id.as_str()).and_then(|e| e.reasoning.clone());
        out.insert("reasoning_content".into(), known.unwrap_or_default().into());
    }
    Value::Object(out)
}

#[cfg(test)]
mod tests {
    use super::super::presets::preset;
    use super::*;
    use kernel::chat::{ToolCall, ToolSpec};
    use kernel::ids::CallId;

    const STREAM: Manner = Manner { stream: true, max_tokens: None };

    fn call(id: &str) -> ToolCall {
        ToolCall { id: CallId::new(id), name: "fs_read".into(), arguments: "{}".into() }
    }

    fn request() -> ChatRequest {
        let assistant = ChatMessage { tool_calls: vec![call("c1")], ..ChatMessage::assistant("") };
        ChatRequest {
            messages: vec![
                ChatMessage::system("a"),
                ChatMessage::system("b"),
                ChatMessage::user("u"),
                assistant,
                ChatMessage::tool(CallId::new("c1"), "{}"),
                ChatMessage::system("late"),
                ChatMessage::user("v"),
            ],
            tools: vec![ToolSpec {
                name: "fs_read".into(),
                description: "d".into(),
                parameters: json!({"type": "object"}),
            }],
        }
    }

    fn of(provider: &str, manner: Manner, learned: &Learned) -> Value {
        Value::Object(body("m", &request(), manner, &preset(provider).quirks, learned))
    }

    #[test]
    fn leading_system_messages_become_one_separated_by_a_blank_line() {
        let body = of("custom", STREAM, &Learned::default());
        assert_eq!(body["messages"][0], json!({"role": "system", "content": "a\n\nb"}));
        assert_eq!(of("openai", STREAM, &Learned::default())["messages"][1]["content"], "b");
    }

    #[test]
    fn strict_servers_get_no_late_system_message_and_no_two_user_messages_in_a_row() {
        let body = of("ollama", STREAM, &Learned::default());
        let last = body["messages"].as_array().unwrap().last().unwrap();
        assert_eq!(*last, json!({"role": "user", "content": "late\n\nv"}));
    }

    #[test]
    fn a_call_without_text_has_null_content_and_its_name_as_given() {
        let body = of("custom", STREAM, &Learned::default());
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
        let manner = Manner { stream: true, max_tokens: Some(1) };
        let Value::Object(sent) = of("custom", manner, &learned) else { panic!("an object") };
        assert!(learned.refuse("Unsupported parameter: 'max_tokens'", &sent));
        assert!(learned.refuse("unknown field `stream_options`", &sent));
        assert!(!learned.refuse("unknown field `stream_options`", &sent), "only once");
        assert!(!learned.refuse("unknown field `parallel_tool_calls`", &sent), "was not sent");
        let body = of("custom", manner, &learned);
        assert_eq!(body["max_completion_tokens"], 1);
        assert!(body.get("max_tokens").is_none() && body.get("stream_options").is_none());
    }

    #[test]
    fn reasoning_and_signatures_come_back_with_the_call_they_came_with() {
        let mut learned = Learned::default();
        assert_eq!(of("deepseek", STREAM, &learned)["messages"][2]["reasoning_content"], "");
        let reply =
            Reply { thinking: Some("because".into()), calls: vec![call("c1")], ..Reply::default() };
        let extras =
            BTreeMap::from([("c1".to_owned(), json!({"google": {"thought_signature": "s"}}))]);
        learned.remember(&reply, &extras);
        let body = of("deepseek", STREAM, &learned);
        assert_eq!(body["messages"][2]["reasoning_content"], "because");
        let call = &body["messages"][2]["tool_calls"][0];
        assert_eq!(call["extra_content"]["google"]["thought_signature"], "s");
        assert!(of("custom", STREAM, &learned)["messages"][2].get("reasoning_content").is_none());
    }
}
