//! A demo trace: what the scripted model answers, turn by turn, and what it expects to be asked
//! (spec 07 "Scripted demo model"). A JSON file of a package, `assets/demo/*.trace.json`.
//!
//! Playing is stateless: the request holds the whole conversation, so the number of assistant
//! messages in it says which turn is asked for. A resumed run goes on where it was. A trace of
//! rules does not count: each request is answered by the first rule that fits it, so the person may
//! choose another way, refuse and go back.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use std::collections::BTreeSet;

use crate::bounds::TRACE_RULES;
use crate::chat::{ChatMessage, ChatRequest, Finish, Reply, Role, ToolCall, Usage};
use crate::code::{ErrorCode, Failure};
use crate::ids::CallId;
use crate::phrase::{Why, models};
use crate::policy::ApproveWrites;
use crate::text::ellipsis;
use crate::tokens::estimate_tokens;

mod when;

pub use when::{SubmittedAnswer, When, mismatch};
use when::{WORDS, last_said};

/// Where the traces of a package lie.
pub const TRACE_FOLDER: &str = "assets/demo/";
/// What their names end with.
pub const TRACE_ENDING: &str = ".trace.json";

/// Whether a file of a package is a trace.
pub fn is_trace(path: &str) -> bool {
    path.starts_with(TRACE_FOLDER) && path.ends_with(TRACE_ENDING)
}

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
#[serde(rename_all = "camelCase", deny_unknown_fields)]
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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<Turn>,
    /// In place of turns: a request is answered by the first of them that fits it. Where none
    /// does, the demo is over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rule>,
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

/// What is answered to every request that is like this.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// What the request must be like.
    #[serde(default)]
    pub when: When,
    /// What is answered.
    pub reply: ScriptedReply,
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
#[serde(untagged, deny_unknown_fields)]
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
            rules: Vec::new(),
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
    /// `DEMO_TRACE_INVALID`, which says which line or turn is wrong.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let bad = |why: Why| Failure::new(ErrorCode::DemoTraceInvalid, models::demo_invalid(why));
        let trace: Self = serde_json::from_str(text.trim_start_matches('\u{feff}'))
            .map_err(|e| bad(Why::json(&e)))?;
        if trace.schema_version != SCHEMA_VERSION {
            let found = ellipsis(&trace.schema_version, 40);
            return Err(bad(models::demo_format(found, SCHEMA_VERSION).into()));
        }
        if !trace.turns.is_empty() && !trace.rules.is_empty() {
            return Err(bad(models::demo_turns_and_rules().into()));
        }
        if trace.rules.len() > TRACE_RULES {
            return Err(bad(models::demo_too_many_rules(TRACE_RULES).into()));
        }
        let of_subagents =
            trace.subagents.iter().flat_map(|script| script.turns.iter().enumerate());
        let turns = trace.turns.iter().enumerate().chain(of_subagents);
        let of_turns = turns.flat_map(|(i, turn)| {
            std::iter::once(&turn.reply).chain(&turn.otherwise).map(move |it| ("turns", i, it))
        });
        let of_rules = trace.rules.iter().enumerate().map(|(i, rule)| ("rules", i, &rule.reply));
        for (list, i, reply) in of_turns.chain(of_rules) {
            if reply.text.as_deref().unwrap_or_default().is_empty() && reply.calls.is_empty() {
                return Err(bad(models::demo_says_nothing(list, i).into()));
            }
            if reply.calls.iter().any(|c| c.name.is_empty()) {
                return Err(bad(models::demo_nameless_call(list, i).into()));
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
        let (id, reply) = match self.script_for(request) {
            Script::Rules(rules) => match rules.iter().position(|rule| rule.fits(request)) {
                // The calls of each reply have names of their own, however often a rule answers.
                Some(at) => (said_before(request), &rules[at].reply),
                None => return Ok(the_end(request)),
            },
            Script::Turns(turns) => {
                let index = position(turns, request);
                let Some(turn) = turns.get(index) else { return Ok(the_end(request)) };
                let reply = match (turn.when.check(index, request), &turn.otherwise) {
                    (Ok(()), _) => &turn.reply,
                    (Err(_), Some(otherwise)) => otherwise,
                    (Err(mismatch), None) => return Err(mismatch),
                };
                (index, reply)
            }
        };
        let calls = reply.calls.iter().enumerate().map(|(k, c)| c.call(id, k)).collect();
        Ok(played(reply.text.clone().unwrap_or_default(), calls, reply.chunk_ms, request))
    }

    /// Whether a request asks for a turn after the last, or for what no rule answers.
    pub fn is_over(&self, request: &ChatRequest) -> bool {
        match self.script_for(request) {
            Script::Rules(rules) => !rules.iter().any(|rule| rule.fits(request)),
            Script::Turns(turns) => position(turns, request) >= turns.len(),
        }
    }

    /// The script that a request belongs to: the run's own, or that of a sub-agent.
    fn script_for(&self, request: &ChatRequest) -> Script<'_> {
        let mut briefs = request.messages.iter().filter(|message| message.role == Role::User);
        let brief = briefs.find(|message| message.content.starts_with(TASK_BRIEF));
        let Some(brief) = brief else {
            let by_rules = !self.rules.is_empty();
            return if by_rules { Script::Rules(&self.rules) } else { Script::Turns(&self.turns) };
        };
        let is_it = |script: &&SubagentScript| brief.content.contains(&script.prompt);
        Script::Turns(self.subagents.iter().find(is_it).map_or(&[], |script| &script.turns))
    }
}

/// What answers a request.
enum Script<'a> {
    /// One turn after the other.
    Turns(&'a [Turn]),
    /// The first rule that fits.
    Rules(&'a [Rule]),
}

impl Rule {
    fn fits(&self, request: &ChatRequest) -> bool {
        self.when.broken(request).is_none()
    }
}

/// How many messages of the model a request holds.
fn said_before(request: &ChatRequest) -> usize {
    request.messages.iter().filter(|message| message.role == Role::Assistant).count()
}

fn the_end(request: &ChatRequest) -> Played {
    played(THE_END.to_owned(), Vec::new(), None, request)
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
