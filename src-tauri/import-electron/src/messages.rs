//! `messages.json` (spec 08 "Messages"): one message after the other, each repaired where that
//! loses nothing and left out where it says nothing.

use kernel::bounds::IMPORT_PROBLEMS;
use kernel::chat::{Role, ToolCall};
use kernel::code::ErrorCode;
use kernel::event::MessageImported;
use kernel::ids::{CallId, ConversationId, MessageId, derived_uuid};
use kernel::path::AliasPath;
use kernel::phrase::{Part, Phrase, imports as said};
use kernel::text::prefix;
use kernel::time::Time;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

use crate::entries::{object, safe_id, shown, text, time};
use crate::problem::ImportProblem;

const PARTS: [&str; 5] = ["content", "thinking", "tool_start", "tool_result", "error"];

/// Reads the messages of one conversation in order. Their order in the file is the one that
/// holds: calls come before results, whatever a clock said.
#[derive(Debug)]
pub struct Messages {
    conversation: ConversationId,
    kept: Vec<MessageImported>,
    problems: Vec<ImportProblem>,
    untold: usize,
    ids: BTreeSet<MessageId>,
    calls: BTreeMap<String, CallId>,
    call_ids: BTreeSet<CallId>,
    at: Time,
    read: usize,
}

/// What is wrong with a message beside what it says.
type Notes = Vec<Phrase>;

impl Messages {
    /// For a conversation that began at `created_at`, which stands in for missing times.
    pub fn new(conversation: ConversationId, created_at: Time) -> Self {
        Self {
            conversation,
            kept: Vec::new(),
            problems: Vec::new(),
            untold: 0,
            ids: BTreeSet::new(),
            calls: BTreeMap::new(),
            call_ids: BTreeSet::new(),
            at: created_at,
            read: 0,
        }
    }

    /// Reads the next element of the array.
    pub fn read(&mut self, value: &Value) {
        self.read += 1;
        let place = format!("#{}", self.read);
        let mut notes = Notes::new();
        match self.message(value, &place, &mut notes) {
            Ok(message) => {
                self.at = message.created_at;
                if message.widget.is_some() && message.question().is_none() {
                    notes.push(said::message_widget());
                }
                if !notes.is_empty() {
                    self.note(changed(value, &message, &place, notes));
                }
                self.kept.push(message);
            }
            Err(problem) => self.note(problem),
        }
    }

    /// The messages, and what was wrong.
    pub fn finish(mut self) -> (Vec<MessageImported>, Vec<ImportProblem>) {
        if self.untold > 0 {
            let reason = said::more_problems(self.untold);
            self.problems.push(ImportProblem::lost("", ErrorCode::ImportMalformed, reason));
        }
        (self.kept, self.problems)
    }

    fn note(&mut self, problem: ImportProblem) {
        if self.problems.len() < IMPORT_PROBLEMS {
            self.problems.push(problem);
        } else {
            self.untold += 1;
        }
    }

    fn message(
        &mut self,
        value: &Value,
        place: &str,
        notes: &mut Notes,
    ) -> Result<MessageImported, ImportProblem> {
        let map = object(value, place)?;
        let named = text(map, &["id"]).map_or_else(|| place.to_owned(), shown);
        let malformed = |why: Phrase| ImportProblem::lost(&named, ErrorCode::ImportMalformed, why);
        let role = role(map).ok_or_else(|| malformed(said::message_role()))?;
        let content = content(map).map_err(|()| malformed(said::message_content()))?;
        let content = if role == Role::User { content.map(unwrapped) } else { content };
        if role == Role::User && content.is_none() {
            return Err(malformed(said::message_no_content()));
        }
        let created_at = self.created_at(map, notes);
        let message_id = self.message_id(map, created_at, notes)?;
        let tool_calls = if role == Role::Assistant { self.calls(map, notes) } else { Vec::new() };
        let tool_call_id = text(map, &["tool_call_id", "toolCallId"])
            .map(|id| self.calls.get(id).cloned().unwrap_or_else(|| CallId::new(id)));
        if role == Role::Tool && tool_call_id.is_none() {
            notes.push(said::message_no_call());
        }
        Ok(MessageImported {
            message_id,
            role,
            content,
            created_at,
            part_type: part_type(map, role, &tool_calls, notes),
            tool_calls,
            tool_call_id,
            tool_name: text(map, &["toolName"]).map(str::to_owned),
            duration_ms: duration(map),
            widget: widget(map, notes),
            mode: mode(map),
            run_id: provenance(map, "runId", notes),
            workflow_id: provenance(map, "workflowId", notes),
            agent_id: provenance(map, "agentId", notes),
            include_in_context: map.get("includeInContext") != Some(&Value::Bool(false)),
            full_output_path: full_output(map, notes),
        })
    }

    fn created_at(&self, map: &Map<String, Value>, notes: &mut Notes) -> Time {
        let Some(at) = time(map, &["createdAt"]) else {
            notes.push(said::message_no_time());
            return self.at;
        };
        if at < self.at && !self.kept.is_empty() {
            notes.push(said::message_older());
        }
        at
    }

    fn message_id(
        &mut self,
        map: &Map<String, Value>,
        at: Time,
        notes: &mut Notes,
    ) -> Result<MessageId, ImportProblem> {
        let given = text(map, &["id"]).and_then(safe_id::<MessageId>);
        let id = given.or_else(|| {
            notes.push(said::message_new_id());
            let key = format!("imported:{}", self.read);
            MessageId::new(derived_uuid(&self.conversation, at, &key)).ok()
        });
        let place = format!("#{}", self.read);
        let Some(id) = id else {
            return Err(ImportProblem::lost(
                place,
                ErrorCode::ImportIdUnsafe,
                said::message_no_id(),
            ));
        };
        if !self.ids.insert(id.clone()) {
            let reason = said::message_twice(place);
            return Err(ImportProblem::lost(id.as_str(), ErrorCode::ImportDuplicate, reason));
        }
        Ok(id)
    }

    /// The calls with ids that are unique in the conversation: servers repeat theirs.
    fn calls(&mut self, map: &Map<String, Value>, notes: &mut Notes) -> Vec<ToolCall> {
        let list = match map.get("tool_calls") {
            None | Some(Value::Null) => return Vec::new(),
            Some(Value::Array(list)) => list,
            Some(_) => {
                notes.push(said::message_calls_no_list());
                return Vec::new();
            }
        };
        let mut calls = Vec::new();
        for (n, call) in list.iter().enumerate() {
            let Some((id, name, arguments)) = call_of(call) else {
                notes.push(said::message_call_nameless(n));
                continue;
            };
            let mut own = CallId::new(&id);
            if own.is_empty() || self.call_ids.contains(&own) {
                let stem = if own.is_empty() { "call" } else { prefix(own.as_str(), 40) };
                own = CallId::new(&format!("{stem}-m{}-{n}", self.read));
                notes.push(said::message_call_new_id(n));
            }
            self.call_ids.insert(own.clone());
            self.calls.insert(id, own.clone());
            calls.push(ToolCall { id: own, name, arguments });
        }
        calls
    }
}

/// A message that was repaired, under the id it had.
fn changed(value: &Value, message: &MessageImported, place: &str, notes: Notes) -> ImportProblem {
    let id = message.message_id.as_str();
    let kept = value.get("id").and_then(Value::as_str).is_some_and(|old| old.trim() == id);
    let problem =
        ImportProblem::changed(if kept { id } else { place }, said::repaired(Part::All(notes)));
    ImportProblem { new_id: (!kept).then(|| id.to_owned()), ..problem }
}

fn role(map: &Map<String, Value>) -> Option<Role> {
    serde_json::from_value(map.get("role")?.clone()).ok()
}

/// A text, nothing, or the text parts of a list.
fn content(map: &Map<String, Value>) -> Result<Option<String>, ()> {
    match map.get("content") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(Value::Array(parts)) if !parts.is_empty() => {
            let texts = parts.iter().map(|part| part.get("text").and_then(Value::as_str));
            texts.collect::<Option<Vec<_>>>().map(|t| Some(t.join("\n"))).ok_or(())
        }
        Some(_) => Err(()),
    }
}

/// A person's own words: some versions stored the shell that prompts put round them.
fn unwrapped(words: String) -> String {
    let Some(rest) = words.strip_prefix("USER_INPUT\n") else { return words };
    match rest.split_once('\n') {
        Some((line, own)) if line.trim_start().starts_with("- forNodeId:") => own.to_owned(),
        _ => rest.to_owned(),
    }
}

/// Id, tool name and arguments as text.
fn call_of(call: &Value) -> Option<(String, String, String)> {
    let function = call.get("function").unwrap_or(call);
    let name = function.get("name")?.as_str().filter(|name| !name.is_empty())?;
    let arguments = match function.get("arguments") {
        None | Some(Value::Null) => "{}".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    let id = call.get("id").and_then(Value::as_str).unwrap_or_default();
    Some((id.to_owned(), name.to_owned(), arguments))
}

/// As it is written; inferred when it is missing.
fn part_type(
    map: &Map<String, Value>,
    role: Role,
    calls: &[ToolCall],
    notes: &mut Notes,
) -> String {
    match map.get("partType") {
        None | Some(Value::Null) => {}
        Some(Value::String(part)) if PARTS.contains(&part.as_str()) => return part.clone(),
        Some(_) => notes.push(said::message_part()),
    }
    match role {
        Role::Tool => "tool_result",
        Role::Assistant if !calls.is_empty() => "tool_start",
        Role::System | Role::User | Role::Assistant => "content",
    }
    .to_owned()
}

fn duration(map: &Map<String, Value>) -> Option<u64> {
    let number = map.get("duration")?;
    let whole = || number.as_f64().filter(|n| (0.0..1e12).contains(n)).map(|n| format!("{n:.0}"));
    number.as_u64().or_else(|| whole()?.parse().ok())
}

fn widget(map: &Map<String, Value>, notes: &mut Notes) -> Option<Value> {
    match map.get("widget")? {
        Value::Null => None,
        widget @ Value::Object(_) => Some(widget.clone()),
        _ => {
            notes.push(said::message_widget_no_object());
            None
        }
    }
}

fn mode(map: &Map<String, Value>) -> String {
    match text(map, &["mode"]) {
        Some(mode @ ("chat" | "agent" | "run")) => mode.to_owned(),
        _ if text(map, &["runId"]).is_some() => "run".to_owned(),
        _ => "chat".to_owned(),
    }
}

fn provenance<T: std::str::FromStr>(
    map: &Map<String, Value>,
    name: &str,
    notes: &mut Notes,
) -> Option<T> {
    let id = text(map, &[name])?.parse().ok();
    if id.is_none() {
        notes.push(said::message_no_such_id(name));
    }
    id
}

fn full_output(map: &Map<String, Value>, notes: &mut Notes) -> Option<AliasPath> {
    let path = AliasPath::parse(text(map, &["fullOutputPath"])?).ok();
    if path.is_none() {
        notes.push(said::message_no_output());
    }
    path
}
