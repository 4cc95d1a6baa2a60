//! A demo trace: what the scripted model answers, turn by turn, and what it expects to be asked
//! (spec 07 "Scripted demo model"). A JSON file of a package, `assets/demo/*.trace.json`.
//!
//! Playing is stateless: the request holds the whole conversation, so the number of assistant
//! messages in it says which turn is asked for. A resumed run goes on where it was.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::chat::{ChatMessage, ChatRequest, Finish, Reply, Role, ToolCall, Usage};
use crate::code::{ErrorCode, Failure};
use crate::ids::CallId;
use crate::phrase::{Why, models};
use crate::policy::ApproveWrites;
use crate::text::ellipsis;
use crate::tokens::estimate_tokens;

/// The format this program reads.
const SCHEMA_VERSION: &str = "1";
/// What a served trace says when its turns have run out; in the program itself the runtime says so
/// (`DEMO_OVER`).
pub const THE_END: &str = "The demo is over; connect a model to go on.";
/// How the message begins that tells a sub-agent what to do.
const TASK_BRIEF: &str = "TASK_BRIEF\n";
/// What the scripted model calls itself.
pub const MODEL_NAME: &str = "demo";

/// The script of a demo: what is answered to each request, and what the person says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Trace {
    /// `"1"`.
    pub schema_version: String,
    /// For people.
    #[serde(default)]
    pub title: String,
    /// The workflow it was written for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow: Option<String>,
    /// `turns[i]` answers the request that holds i assistant messages, [`Turn::otherwise`] left
    /// out.
    pub turns: Vec<Turn>,
    /// What the person says, in order.
    #[serde(default)]
    pub answers: Vec<TraceAnswer>,
    /// What the models of sub-agents answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subagents: Vec<SubagentScript>,
    /// The words that a recorded run began with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// Which writes asked the person in a recorded run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approve_writes: Option<ApproveWrites>,
    /// Where a recorded run stood at its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<TraceEnd>,
}

/// Where a run stands when its script has been played.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TraceEnd {
    /// Its phase, `completed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// The node it is at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// The files of the project that it made or changed, by alias path; absent where nobody says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<BTreeSet<String>>,
}

/// What the model of a sub-agent answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubagentScript {
    /// A text in what it is told to do, by which it is found.
    pub prompt: String,
    /// As [`Trace::turns`].
    pub turns: Vec<Turn>,
}

/// One model request and its answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// What the request must be like.
    #[serde(default)]
    pub when: When,
    /// What is answered.
    pub reply: ScriptedReply,
    /// What is answered instead when the person did something else than the trace knows. The
    /// turn stays; without it such a request is a `DEMO_TRACE_MISMATCH`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub otherwise: Option<ScriptedReply>,
}

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
    /// The last message is a submission of this widget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub widget_id: Option<String>,
    /// Texts each of which some message holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub any_contains: Vec<String>,
}

/// What the scripted model answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScriptedReply {
    /// The reply's text, in Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Milliseconds between two pieces of the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chunk_ms: Option<u64>,
    /// Tools to call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ScriptedCall>,
}

/// A call the scripted model makes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptedCall {
    /// Wire name, `fs_read`.
    pub name: String,
    /// Usually an object; a string goes out as it is, to play a model that writes broken JSON.
    #[serde(default)]
    pub arguments: Value,
}

/// What the person says or submits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TraceAnswer {
    /// The person says something.
    Text {
        /// The words.
        text: String,
    },
    /// A widget's value.
    #[serde(rename_all = "camelCase")]
    Widget {
        /// Which widget; the one that waits when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        widget_id: Option<String>,
        /// Its type, for the reader.
        #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
        kind: Option<String>,
        /// The value, by widget type.
        value: Value,
    },
}

/// An answer ready to be played.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// The whole answer.
    pub reply: Reply,
    /// Its text in the pieces it is streamed in; joined they are `reply.text`.
    pub chunks: Vec<String>,
    /// Milliseconds between pieces, when the trace says.
    pub chunk_ms: Option<u64>,
}

impl Trace {
    /// A script of these turns, and of nothing else.
    pub fn of(turns: Vec<Turn>) -> Self {
        Self {
            schema_version: SCHEMA_VERSION.to_owned(),
            title: String::new(),
            workflow: None,
            turns,
            answers: Vec::new(),
            subagents: Vec::new(),
            input: None,
            approve_writes: None,
            expect: None,
        }
    }

    /// Reads a trace.
    ///
    /// # Errors
    /// `PACKAGE_INVALID`, which says which line or turn is wrong.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let bad = |why: Why| Failure::new(ErrorCode::PackageInvalid, models::demo_invalid(why));
        let trace: Self = serde_json::from_str(text.trim_start_matches('\u{feff}'))
            .map_err(|e| bad(Why::json(&e)))?;
        if trace.schema_version != SCHEMA_VERSION {
            let found = ellipsis(&trace.schema_version, 40);
            return Err(bad(models::demo_format(found, SCHEMA_VERSION).into()));
        }
        let of_subagents =
            trace.subagents.iter().flat_map(|script| script.turns.iter().enumerate());
        for (i, turn) in trace.turns.iter().enumerate().chain(of_subagents) {
            let replies = std::iter::once(&turn.reply).chain(&turn.otherwise);
            for reply in replies {
                if reply.text.as_deref().unwrap_or_default().is_empty() && reply.calls.is_empty() {
                    return Err(bad(models::demo_says_nothing(i).into()));
                }
                if reply.calls.iter().any(|c| c.name.is_empty()) {
                    return Err(bad(models::demo_nameless_call(i).into()));
                }
            }
        }
        Ok(trace)
    }

    /// What the person says, in order.
    pub fn answers(&self) -> &[TraceAnswer] {
        &self.answers
    }

    /// Leaves out the first `given` recorded answers: they were given before a restart.
    pub fn skip_answers(&mut self, given: usize) {
        self.answers.drain(..given.min(self.answers.len()));
    }

    /// The answer to a request.
    ///
    /// # Errors
    /// `DEMO_TRACE_MISMATCH` when the request is not what the turn expects; its details hold
    /// `turn`, `expected` and `got`.
    pub fn reply_to(&self, request: &ChatRequest) -> Result<Played, Failure> {
        let turns = self.turns_for(request);
        let index = position(turns, request);
        let Some(turn) = turns.get(index) else {
            return Ok(played(THE_END.to_owned(), Vec::new(), None, request));
        };
        let reply = match (turn.when.check(index, request), &turn.otherwise) {
            (Ok(()), _) => &turn.reply,
            (Err(_), Some(otherwise)) => otherwise,
            (Err(mismatch), None) => return Err(mismatch),
        };
        let calls = reply.calls.iter().enumerate().map(|(k, c)| c.call(index, k)).collect();
        Ok(played(reply.text.clone().unwrap_or_default(), calls, reply.chunk_ms, request))
    }

    /// Whether a request asks for a turn after the last.
    pub fn is_over(&self, request: &ChatRequest) -> bool {
        let turns = self.turns_for(request);
        position(turns, request) >= turns.len()
    }

    /// The script that a request belongs to: the run's own, or that of a sub-agent.
    fn turns_for(&self, request: &ChatRequest) -> &[Turn] {
        let mut briefs = request.messages.iter().filter(|message| message.role == Role::User);
        let brief = briefs.find(|message| message.content.starts_with(TASK_BRIEF));
        let Some(brief) = brief else { return &self.turns };
        let is_it = |script: &&SubagentScript| brief.content.contains(&script.prompt);
        self.subagents.iter().find(is_it).map_or(&[], |script| &script.turns)
    }
}

/// Which turn a request asks for: walked from its assistant messages, so that playing keeps
/// no state and survives restarts. A turn that was not accepted as an end is in no request; what
/// comes after it tells that it was there, and before anything does, the runtime's own words do.
fn position(turns: &[Turn], request: &ChatRequest) -> usize {
    let said = request.messages.iter().filter(|m| m.role == Role::Assistant);
    let index = said.fold(0, |index, message| after(turns, index, message));
    let told = request.messages.last().map_or(0, |last| not_accepted(&last.content));
    index + told + left_behind(&turns[(index + told).min(turns.len())..], request)
}

/// How many turns were not accepted before the person spoke: no request tells of them any more.
fn left_behind(turns: &[Turn], request: &ChatRequest) -> usize {
    let speaks =
        last_said(request).is_some_and(|it| it.role == Role::User && it.content.contains(WORDS));
    let may_be_left = |turn: &&Turn| {
        turn.reply.calls.is_empty() && turn.otherwise.is_none() && !turn.when.expects_words()
    };
    let passed_over = turns.iter().take_while(may_be_left).count();
    let is_answered = turns.get(passed_over).is_some_and(|turn| turn.when.expects_words());
    if speaks && is_answered { passed_over } else { 0 }
}

/// The turn after the one that said `message`, which is `index` or a later one.
fn after(turns: &[Turn], index: usize, message: &ChatMessage) -> usize {
    let turn = |index: usize| turns.get(index);
    let text = |reply: &ScriptedReply| reply.text.as_deref() == Some(&message.content);
    let otherwise = turn(index).and_then(|turn| turn.otherwise.as_ref());
    if otherwise.is_some_and(text) {
        return index;
    }
    let said_it = |turn: &&Turn| {
        let (calls, made) = (&turn.reply.calls, &message.tool_calls);
        let same = calls.iter().zip(made).all(|(call, made)| call.makes(made));
        same && calls.len() == made.len()
            && turn.reply.text.as_deref().unwrap_or_default() == message.content
    };
    let words_only = |turn: &&Turn| turn.reply.calls.is_empty();
    let passed_over = turns.iter().skip(index).take_while(|t| words_only(t) && !said_it(t));
    let skipped = passed_over.count();
    let found = turn(index + skipped).filter(said_it);
    index + 1 + found.map_or(0, |_| skipped)
}

/// How many turns were not accepted since the model last said something that was.
fn not_accepted(last: &str) -> usize {
    let told = last.strip_prefix("CONTINUE_DIRECTIVE\n");
    let mut lines = told.into_iter().flat_map(str::lines);
    let times = lines.find_map(|line| line.strip_prefix("- notAccepted: "));
    times.and_then(|times| times.parse().ok()).unwrap_or(0)
}

impl ScriptedCall {
    /// Whether a call is this one.
    fn makes(&self, made: &ToolCall) -> bool {
        self.name == made.name && self.arguments() == made.arguments
    }

    fn arguments(&self) -> String {
        match &self.arguments {
            Value::Null => "{}".to_owned(),
            Value::String(raw) => raw.clone(),
            other => other.to_string(),
        }
    }

    fn call(&self, turn: usize, k: usize) -> ToolCall {
        ToolCall {
            id: CallId::new(&format!("demo-{turn}-{k}")),
            name: self.name.clone(),
            arguments: self.arguments(),
        }
    }
}

/// The last message somebody said. The blocks that the runtime puts after it to anchor the model
/// (after a resume, or when the node changed) count only when there is nothing else.
fn last_said(request: &ChatRequest) -> Option<&ChatMessage> {
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
    let shown = last.map_or_else(
        || "a request without messages".to_owned(),
        |(role, content)| format!("a last message of {role:?}: `{}`", ellipsis(content, 300)),
    );
    Failure::new(ErrorCode::DemoTraceMismatch, models::demo_expects(turn, name, expected, shown))
        .with_details(json!({ "turn": turn, "expected": { name: expected }, "got": got }))
        .with_action(models::change_the_trace())
}

/// What a person's words are told with.
const WORDS: &str = "USER_INPUT";

impl When {
    /// A request that a person's words led to.
    pub fn words() -> Self {
        Self { last_contains: Some(WORDS.into()), ..Self::default() }
    }

    /// Whether a person's words are expected to lead to the request.
    pub fn expects_words(&self) -> bool {
        self.last_contains.as_deref() == Some(WORDS)
    }

    fn check(&self, turn: usize, request: &ChatRequest) -> Result<(), Failure> {
        let Some((name, expected)) = self.broken(request) else { return Ok(()) };
        let last = last_said(request).map(|m| (m.role, m.content.as_str()));
        Err(mismatch(turn, name, &expected, last))
    }

    /// The first expectation the request does not meet: its name and value.
    fn broken(&self, request: &ChatRequest) -> Option<(&'static str, Value)> {
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
        if let Some(id) = &self.widget_id
            && !is(&|m| submits(m, id))
        {
            return Some(("widgetId", json!(id)));
        }
        let missing = self
            .any_contains
            .iter()
            .find(|text| !request.messages.iter().any(|m| m.content.contains(text.as_str())))?;
        Some(("anyContains", json!(missing)))
    }
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

fn played(
    text: String,
    calls: Vec<ToolCall>,
    chunk_ms: Option<u64>,
    request: &ChatRequest,
) -> Played {
    let chunks = chunks(&text);
    let spent = calls.iter().fold(text.clone(), |all, c| all + &c.name + &c.arguments);
    let usage = Usage {
        prompt_tokens: tokens_of(request),
        completion_tokens: estimate_tokens(&spent),
        estimated: false,
    };
    let model = Some(MODEL_NAME.to_owned());
    Played {
        reply: Reply { text, calls, finish: Finish::Stop, usage, model, ..Reply::default() },
        chunks,
        chunk_ms,
    }
}

/// The scripted model's own count. White space is left out, so that a request whose system
/// messages were merged on the way counts the same.
fn tokens_of(request: &ChatRequest) -> u64 {
    let text: String = request
        .messages
        .iter()
        .flat_map(|m| m.content.chars().filter(|c| !c.is_whitespace()))
        .collect();
    estimate_tokens(&text)
}

/// Pieces of a few words; a piece never ends inside a character.
fn chunks(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut piece = String::new();
    for (n, c) in text.chars().enumerate() {
        piece.push(c);
        let long = piece.len() >= 12;
        if n == 0 || (long && (c.is_whitespace() || !c.is_ascii())) || piece.len() >= 48 {
            out.push(std::mem::take(&mut piece));
        }
    }
    if !piece.is_empty() {
        out.push(piece);
    }
    out
}

#[cfg(test)]
mod tests;
