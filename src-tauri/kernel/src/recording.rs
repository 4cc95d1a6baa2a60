//! A run as the script of a demo: what its model answered, and what the person said. Played again it
//! leads the same way, so that an author can keep it as a test.

use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;

use crate::changed_files::ChangedFiles;
use crate::chat::Reply;
use crate::event::{Event, Line, Reason};
use crate::facts::{Fact, FactKind};
use crate::ids::NodeId;
use crate::path::{AliasPath, Mount};
use crate::policy::ApproveWrites;
use crate::text::{is_blank, prefix};
use crate::tool::CallResult;
use crate::trace::{
    ScriptedCall, ScriptedReply, SubagentScript, Trace, TraceAnswer, TraceEnd, Turn, When,
};

/// Bytes of what a sub-agent was told by which its script is found.
const PROMPT_BYTES: usize = 200;

/// Who spoke before the model did: what the next request is expected to be like.
#[derive(Debug, Clone, Default, PartialEq)]
enum Before {
    /// Nobody: the run began at this step.
    #[default]
    Nothing,
    /// The person wrote.
    Words,
    /// The person submitted this widget.
    Widget(String),
    /// A call came to this end.
    Result(bool),
    /// The runtime told the model something.
    Runtime,
}

/// Reads a journal from its first line on.
#[derive(Debug, Default)]
pub struct TraceRecorder {
    workflow: Option<String>,
    input: Option<String>,
    turns: Vec<Turn>,
    answers: Vec<TraceAnswer>,
    before: Before,
    node: Option<NodeId>,
    /// What a sub-agent was told to do.
    prompt: String,
    /// Words that were cut: what comes next is their end.
    cut: Option<String>,
    /// The turn came to no answer. A script is asked for its next one at once, so that it has no
    /// place for what the person did to go on.
    broke_off: bool,
    /// The newest of the person's words have no answer.
    unanswered: bool,
    end: TraceEnd,
    /// Files of the project that the run wrote or moved.
    own: BTreeSet<AliasPath>,
    /// Those that it read and that were there before.
    found: BTreeSet<AliasPath>,
    /// The run goes on from one of another program, whose beginning no script knows.
    began_elsewhere: bool,
    approve_writes: Option<ApproveWrites>,
    /// The person ended the run, which no script does.
    ended_early: bool,
}

impl TraceRecorder {
    /// Takes the next line.
    pub fn line(&mut self, line: &Line) {
        let begins = matches!(line.events.first(), Some(Event::RunStarted(_)));
        if let Some(limits) = line.settings.as_deref() {
            self.approve_writes = Some(limits.approve_writes);
        }
        for event in &line.events {
            self.event(event, begins);
        }
    }

    fn event(&mut self, event: &Event, begins: bool) {
        match event {
            Event::RunStarted(e) => {
                self.workflow = Some(e.workflow_id.to_string());
                self.began_elsewhere = e.origin.is_some();
                self.node.clone_from(&e.node_id);
            }
            Event::UserSaid(e) if begins => {
                self.input = Some(e.text.clone());
                self.before = Before::Words;
            }
            Event::UserSaid(_) if self.broke_off => {}
            Event::UserSaid(e) => {
                self.end_cut_words();
                self.answers.push(TraceAnswer::Text { text: e.text.clone() });
                self.unanswered = true;
                self.before = Before::Words;
            }
            Event::WidgetAnswered(e) => {
                self.end_cut_words();
                self.answers.push(TraceAnswer::Widget {
                    widget_id: Some(e.widget_id.clone()),
                    kind: name_of(e.kind),
                    value: e.value.clone(),
                });
                // The answer to a question of the runtime is told as the result of the call.
                if e.call_id.is_none() {
                    self.before = Before::Widget(e.widget_id.clone());
                }
            }
            Event::CallEnded(e) => {
                self.before = Before::Result(CallResult::of(&e.result).ok);
                for fact in &e.facts {
                    self.fact(fact);
                }
            }
            Event::ModelReplied(e) => self.replied(&e.reply),
            Event::CandidateRejected(e) => {
                self.replied(&e.reply);
                self.before = Before::Runtime;
            }
            Event::StateChanged(e) => {
                self.node = Some(e.node_id.clone());
                self.end.node = Some(e.node_id.to_string());
            }
            Event::TurnFinished(e) if is_broken_off(e.reason) && self.cut.is_none() => {
                self.breaks_off();
            }
            Event::TurnFinished(e) => self.end.phase = name_of(e.phase),
            // At rest nothing broke off: what ends is a click that nothing has used.
            Event::RunInterrupted(e) if e.resting => {}
            Event::RunInterrupted(_) if self.cut.is_none() => self.breaks_off(),
            Event::RunEnded(_) => self.ended_early = true,
            Event::TaskStarted(e) => self.prompt.clone_from(&e.assignment.prompt),
            _ => {}
        }
    }

    /// The turn came to no answer. What a call came to by then, the script's may not.
    fn breaks_off(&mut self) {
        self.broke_off = true;
        if let Before::Result(_) = self.before {
            self.before = Before::Runtime;
        }
    }

    fn fact(&mut self, fact: &Fact) {
        let Some(path) = &fact.path else { return };
        if path.mount() != Mount::Project {
            return;
        }
        match fact.kind {
            FactKind::FileRead if !self.is_own(path) => _ = self.found.insert(path.clone()),
            FactKind::FileWritten => _ = self.own.insert(path.clone()),
            FactKind::FileMoved => self.own.extend(fact.to.clone()),
            _ => {}
        }
    }

    /// Whether the run made a file, or moved it there with its folder.
    fn is_own(&self, path: &AliasPath) -> bool {
        let below = |own: &AliasPath| {
            path.rel().strip_prefix(own.rel()).is_some_and(|rest| rest.starts_with('/'))
        };
        self.own.contains(path) || self.own.iter().any(below)
    }

    /// Whether the run goes on from one of another program: no script plays it.
    pub const fn began_elsewhere(&self) -> bool {
        self.began_elsewhere
    }

    /// Files of the project that the run read and had not made. Where a script is played there is
    /// none of them.
    pub const fn found(&self) -> &BTreeSet<AliasPath> {
        &self.found
    }

    fn replied(&mut self, reply: &Reply) {
        self.broke_off = false;
        self.unanswered = false;
        let text = self.cut.take().unwrap_or_default() + &reply.text;
        if reply.is_cut_off() {
            self.cut = Some(text);
            return;
        }
        let calls = reply.calls.iter().map(|call| ScriptedCall {
            name: call.name.clone(),
            arguments: serde_json::from_str(&call.arguments)
                .ok()
                .filter(Value::is_object)
                .unwrap_or_else(|| call.arguments.clone().into()),
        });
        self.turn(text, calls.collect());
    }

    /// Words that were cut and never gone on with are all that was said.
    fn end_cut_words(&mut self) {
        if let Some(text) = self.cut.take() {
            self.turn(text, Vec::new());
        }
    }

    fn turn(&mut self, text: String, calls: Vec<ScriptedCall>) {
        let text = Some(text).filter(|text| !text.is_empty());
        let reply = ScriptedReply { text, chunk_ms: None, calls };
        let when = self.when();
        self.turns.push(Turn { when, reply, otherwise: None });
    }

    fn when(&mut self) -> When {
        let when = When::default();
        match std::mem::replace(&mut self.before, Before::Runtime) {
            Before::Nothing => {
                let step = self.node.iter().map(|node| format!("currentNodeId: {node}"));
                When { any_contains: step.collect(), ..when }
            }
            Before::Words => When::words(),
            Before::Widget(id) => When { widget_id: Some(id), ..when },
            Before::Result(ok) => When { last_tool_ok: Some(ok), ..when },
            Before::Runtime => when,
        }
    }

    /// The script of a sub-agent. It is found by how that what it was told begins.
    pub fn into_subagent(mut self) -> SubagentScript {
        self.end_cut_words();
        let turns = self.turns.into_iter().map(|turn| Turn { when: When::default(), ..turn });
        // An empty text would be found in what every sub-agent is told.
        let first_line = self.prompt.lines().find(|line| !is_blank(line)).unwrap_or_default();
        let prompt = prefix(first_line, PROMPT_BYTES).to_owned();
        SubagentScript { prompt, turns: turns.collect() }
    }

    /// The script of the run, with those of its sub-agents and what they changed in all.
    pub fn into_trace(
        mut self,
        title: String,
        subagents: Vec<SubagentScript>,
        changes: &ChangedFiles,
    ) -> Trace {
        let changed = changes.effects().into_iter().map(|effect| effect.path);
        let files = changed.map(|path| path.to_string()).collect();
        self.end_cut_words();
        if self.broke_off && self.unanswered {
            // A script has no place for words that came to nothing.
            self.answers.pop();
        }
        Trace {
            title,
            workflow: self.workflow,
            input: self.input,
            answers: self.answers,
            subagents,
            approve_writes: self.approve_writes,
            expect: Some(TraceEnd { files: Some(files), ..self.end })
                .filter(|end| end.phase.is_some() && !self.ended_early),
            ..Trace::of(self.turns)
        }
    }
}

/// Whether a turn ended before its model had answered.
fn is_broken_off(reason: Reason) -> bool {
    matches!(reason, Reason::Stopped | Reason::Interrupted | Reason::Failed)
}

/// The name that a value has in JSON.
fn name_of(value: impl Serialize) -> Option<String> {
    Some(serde_json::to_value(value).ok()?.as_str()?.to_owned())
}
