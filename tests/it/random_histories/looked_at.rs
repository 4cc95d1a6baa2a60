//! What is looked at whenever something is asked of the model.

use super::outside::{KEY, Outside, SHARED};
use super::prefix::{Beginning, compare, in_common};
use kernel::chat::{ChatMessage, ChatRequest, Role};
use kernel::context::{MessageSource, protocol_errors};
use kernel::effect::Think;
use kernel::engine::ExecutionEngine;
use kernel::event::{CompactionReason, Event, Line};
use kernel::graph::AllowedNext;
use kernel::ids::{AgentId, NodeId};
use kernel::policy::ToolPolicy;
use kernel::prompt::{Intent, PromptProfile};
use kernel::todo::Todos;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the runtime may not say once the workflow is complete (spec 04 "Layers").
const OF_A_STEP: [&str; 7] = [
    "currentNodeId",
    "forNodeId",
    "NODE_BRIEF",
    "STATE_SUMMARY",
    "allowedNext",
    "stepFile",
    "steps/",
];
/// The steps of the package.
const STEPS: [&str; 6] =
    ["gather-topic", "choose-way", "plan-first", "write-note", "look-over", "farewell-all"];

/// What the layers of a request follow from.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Situation {
    pub(super) led: bool,
    pub(super) agent: Option<AgentId>,
    pub(super) policy: Option<ToolPolicy>,
    pub(super) complete: bool,
    pub(super) node: Option<NodeId>,
    pub(super) node_start: usize,
    pub(super) turn_start: usize,
    pub(super) intent: Option<Intent>,
    pub(super) autopilot: bool,
    pub(super) next: Vec<AllowedNext>,
    pub(super) variables: Value,
    pub(super) todos: Todos,
    /// How often the run was resumed.
    pub(super) resumed: usize,
    /// How often it was made shorter, by reason.
    pub(super) shortened: BTreeMap<u8, usize>,
}

/// A request that was sent.
pub(super) struct Request {
    pub(super) messages: Vec<Arc<ChatMessage>>,
    pub(super) sources: Vec<(MessageSource, Option<usize>)>,
    pub(super) situation: Situation,
}

/// Messages of a request, each with what it is.
type Part<'a> = (&'a [Arc<ChatMessage>], &'a [(MessageSource, Option<usize>)]);

impl Request {
    /// What comes after so many messages.
    fn since(&self, kept: usize) -> Part<'_> {
        (&self.messages[kept..], &self.sources[kept..])
    }

    pub(super) fn len(&self) -> usize {
        self.messages.len()
    }

    /// The first message of a kind.
    pub(super) fn first(&self, source: MessageSource) -> Option<usize> {
        self.sources.iter().position(|(of, _)| *of == source)
    }

    /// The first message that is no system layer.
    pub(super) fn first_of_conversation(&self) -> usize {
        self.messages.iter().take_while(|message| message.role == Role::System).count()
    }

    /// The n-th message, or the end.
    pub(super) fn first_of(&self, n: usize) -> usize {
        n.min(self.len())
    }

    /// Where a message of the conversation stands.
    pub(super) fn of_entry(&self, at: usize) -> Option<usize> {
        self.sources.iter().position(|(_, of)| *of == Some(at))
    }

    /// The place after the last block of the anchor.
    pub(super) fn end_of_anchor(&self) -> usize {
        let is_block = |(source, _): &(MessageSource, Option<usize>)| {
            matches!(
                source,
                MessageSource::RunDirective
                    | MessageSource::NodeBrief
                    | MessageSource::StateSummary
                    | MessageSource::TodoList
            )
        };
        self.sources.iter().rposition(is_block).map_or(self.len(), |last| last + 1)
    }
}

/// Looks at a request before it is answered.
pub(super) fn look_at(outside: &mut Outside, think: Think) {
    let think = outside.leaves(think);
    let request = &think.request;
    assert_eq!(protocol_errors(&request.messages), Vec::<String>::new());
    let sourced = outside.engine.sourced_messages().unwrap();
    let sources: Vec<_> = sourced.iter().map(|it| (it.source, it.at)).collect();
    assert_eq!(sources.len(), request.messages.len(), "each message is known by what it is");
    fits(&outside.engine, request);
    let situation = situation(outside, &sources);
    let messages = request.messages.iter().cloned().collect();
    let looked_at = Request { messages, sources, situation };
    let before = outside.last.take();
    let kept = before.as_ref().map_or(0, |before| in_common(before, &looked_at));
    // What was sent with the request before was looked at then.
    let new = looked_at.since(kept);
    holds_the_newest_words(outside, &looked_at);
    names_tools_as_they_are_called(new, request);
    hides_what_is_private(new);
    if looked_at.situation.complete {
        outside.tally.after_completion += 1;
        let was = before.as_ref().is_some_and(|before| before.situation.complete);
        tells_of_no_step(if was { new } else { looked_at.since(0) });
    }
    outside.tally.requests += 1;
    if let Some(before) = before {
        outside.tally.sent_bytes += bytes(&looked_at.messages);
        outside.tally.kept_bytes += bytes(&looked_at.messages[..kept]);
        match compare(&before, &looked_at, kept) {
            Beginning::Same => outside.tally.unbroken += 1,
            Beginning::Other(rule) => *outside.tally.broken.entry(rule).or_default() += 1,
        }
    }
    outside.last = Some(looked_at);
}

fn bytes(messages: &[Arc<ChatMessage>]) -> u64 {
    messages.iter().map(|message| message.content.len() as u64).sum()
}

fn situation(outside: &Outside, sources: &[(MessageSource, Option<usize>)]) -> Situation {
    let (engine, core) = (&outside.engine, outside.engine.core());
    let (doc, graph) = (core.doc.as_ref().unwrap(), engine.graph().unwrap());
    let complete = PromptProfile::of(doc, graph).unwrap() == PromptProfile::PostCompletion;
    let node = doc.effective_node(graph).ok();
    let next = node.as_ref().map(|id| graph.allowed_next(id, doc.variables()));
    Situation {
        led: !sources.iter().any(|(source, _)| *source == MessageSource::ToolPolicy),
        agent: engine.effective_agent().cloned(),
        policy: engine.policy(),
        complete,
        node,
        node_start: engine.record().node_start,
        turn_start: engine.record().turn_start,
        intent: core.intent,
        autopilot: engine.env().limits.autopilot,
        next: next.unwrap_or_default(),
        variables: doc.variables().clone(),
        todos: core.todos.clone(),
        resumed: outside.counted.resumed,
        shortened: outside.counted.shortened.clone(),
    }
}

/// What happened so often that it is counted, and not compared.
#[derive(Debug, Clone, Default)]
pub(super) struct Counted {
    pub(super) resumed: usize,
    pub(super) shortened: BTreeMap<u8, usize>,
    /// Whether the person's newest words were said before the run started afresh.
    pub(super) afresh: bool,
}

impl Counted {
    pub(super) fn line(&mut self, line: &Line) {
        for event in &line.events {
            match event {
                Event::RunResumed(_) => self.resumed += 1,
                Event::UserSaid(_) => self.afresh = false,
                Event::WidgetAnswered(e) if e.call_id.is_none() => self.afresh = false,
                Event::ContextCompacted(e) if e.result.compaction.is_some() => {
                    self.afresh |= e.why == CompactionReason::Fresh;
                    *self.shortened.entry(e.why as u8).or_default() += 1;
                }
                _ => {}
            }
        }
    }
}

/// A request with its tools is no longer than its model reads, where that is known.
fn fits(engine: &ExecutionEngine, request: &ChatRequest) {
    let Some(most) = engine.context_tokens() else { return };
    let tokenizer = engine.tokenizer();
    let messages: u64 = request.messages.iter().map(|message| message.tokens(tokenizer)).sum();
    let tools = request.tools.iter().map(|tool| tokenizer.count(&tool.parameters.to_string()));
    let used = messages + tools.sum::<u64>();
    assert!(used <= most, "{used} tokens for a model that reads {most}");
}

fn holds_the_newest_words(outside: &Outside, request: &Request) {
    let Some(words) = outside.newest_words.as_ref().filter(|_| !outside.counted.afresh) else {
        return;
    };
    let turn = request.situation.turn_start;
    let at = request.of_entry(turn).expect("the person's newest words are in the request");
    assert_eq!(request.sources[at].0, MessageSource::UserInput);
    let told = &request.messages[at].content;
    let hidden = SHARED.redactor.scan(words);
    assert!(hidden || told.ends_with(words.as_str()), "{words:?} is told as {told:?}");
}

/// No text names a tool by another name than a call would, and what is to be done next can be done.
fn names_tools_as_they_are_called((messages, sources): Part<'_>, sent: &ChatRequest) {
    for (message, (source, _)) in messages.iter().zip(sources) {
        if !is_of_the_runtime(*source) {
            continue;
        }
        let text = &message.content;
        for tool in kernel::tool::BUILT_IN {
            assert!(!text.contains(tool.name), "{source:?}: {text}");
            let name = kernel::tool::wire_name(tool.name);
            let names = *source == MessageSource::NextAction
                && [format!("Call {name} "), format!("the call of {name} ")]
                    .iter()
                    .any(|told| text.contains(told.as_str()));
            let offered = sent.tools.iter().any(|tool| tool.name == name);
            assert!(!names || offered, "{name} is to be called and is not on offer: {text}");
        }
    }
}

/// Whether the runtime itself wrote it, and not a person, a model or a tool.
fn is_of_the_runtime(source: MessageSource) -> bool {
    !matches!(
        source,
        MessageSource::UserInput
            | MessageSource::Reply
            | MessageSource::Result
            | MessageSource::ShortenedResult
            | MessageSource::MissingResult
    )
}

/// No real folder of this machine, and no key that the program knows, is in any message.
fn hides_what_is_private((messages, _): Part<'_>) {
    for message in messages {
        let calls = message.tool_calls.iter().map(|call| &call.arguments);
        for text in calls.chain([&message.content]) {
            assert!(!SHARED.redactor.scan(text), "a real folder: {text}");
            assert!(!text.contains(KEY), "a key: {text}");
        }
    }
}

/// After completion nothing of a step is told by the runtime: what the model itself wrote and read
/// before stays in its history.
fn tells_of_no_step((messages, sources): Part<'_>) {
    for (message, (source, _)) in messages.iter().zip(sources) {
        // What a person wrote themselves they may have copied from anywhere.
        let names = STEPS
            .iter()
            .any(|step| message.content.starts_with(&format!("USER_INPUT\n- forNodeId: {step}")));
        assert!(!names, "{}", message.content);
        if !is_of_the_runtime(*source) || *source == MessageSource::Summary {
            continue;
        }
        // A change that the model itself proposed and that waits for the person is told as what it
        // is, also when it goes back to a step.
        let waits = |line: &&str| line.contains("workflow_state_change_confirm\",\"type\"");
        for line in message.content.lines().filter(|line| !waits(line)) {
            for word in OF_A_STEP.iter().chain(&STEPS) {
                assert!(!line.contains(word), "{word}: {source:?}: {}", message.content);
            }
        }
    }
}
