//! The tools that one step of a workflow can need, for models that are too small for all of them
//! (spec 04 "Tools of a step"). What is to be done next follows from facts; the arguments that are
//! known already stand in the schemas.
//!
//! This is what a model is offered, not what it may do: another call that the policy allows is
//! carried out all the same.

use serde_json::Value;
use std::sync::Arc;

use super::patch::StepRecord;
use super::{
    Tool, ask_user, glob, list, patch, read, rewind, search, specs, tokens, wire_name, write,
};
use crate::chat::ToolSpec;
use crate::graph::{AllowedNext, Node, NodeType};
use crate::package::StepNotes;
use crate::path::AliasPath;
use crate::policy::ToolPolicy;
use crate::tokens::Tokenizer;

/// The block in which the answer of the person comes: a step file that speaks of it waits for one.
const ANSWER_BLOCK: &str = "USER_INPUT";

/// The tools that find files whose names nobody knows before.
const LOOKS_AROUND: [&Tool; 3] = [&list::TOOL, &search::TOOL, &glob::TOOL];

/// The tools of a request.
#[derive(Debug, Clone, Default)]
pub struct OfferedTools {
    /// As the request carries them.
    pub specs: Vec<Arc<ToolSpec>>,
    /// Whether words alone would be of no use.
    pub must_call: bool,
    /// How many tokens their parameters take.
    pub tokens: u64,
}

impl OfferedTools {
    /// All that the policy allows.
    pub fn all(policy: &ToolPolicy, tokenizer: Tokenizer) -> Self {
        Self { specs: specs(policy), must_call: false, tokens: tokens(policy, tokenizer) }
    }

    /// Those of a run that is over: what is needed to answer questions and to go back.
    pub fn after_the_end(policy: &ToolPolicy, tokenizer: Tokenizer) -> Self {
        let needed =
            [&list::TOOL, &read::TOOL, &write::TOOL, &patch::TOOL, &ask_user::TOOL, &rewind::TOOL];
        let offered = needed.into_iter().filter(|tool| tool.is_offered(policy));
        Self::of(offered.map(whole).collect(), false, tokenizer)
    }

    fn of(specs: Vec<Arc<ToolSpec>>, must_call: bool, tokenizer: Tokenizer) -> Self {
        let tokens = specs.iter().map(|spec| tokenizer.count(&spec.parameters.to_string()));
        Self { tokens: tokens.sum(), must_call: must_call && !specs.is_empty(), specs }
    }
}

/// What is to be done next in a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepMove {
    /// To read its file.
    Read(AliasPath),
    /// To ask the person what its file says; with the tool for questions, when the file names it.
    Ask(Option<String>),
    /// To ask what to change, as the person said no.
    AskWhatToChange,
    /// To write this file.
    Write(AliasPath),
    /// To record that it is done; or to ask with this tool first, when the file names it and no
    /// such question was answered yet.
    Record(Option<String>),
    /// The step before is done, and the person wants to be told that before the next begins.
    Report,
    /// The run is over: to say so.
    Close,
    /// The tool that the next move needs is switched off: to say so.
    SayWhatIsOff,
}

impl StepMove {
    /// The move itself; where its tool is switched off, to say so: no call can do it.
    #[must_use]
    pub fn within(self, policy: &ToolPolicy) -> Self {
        let needs = match &self {
            Self::Read(_) => Some(&read::TOOL),
            Self::Write(_) => Some(&write::TOOL),
            Self::Record(_) => Some(&patch::TOOL),
            Self::Ask(_)
            | Self::AskWhatToChange
            | Self::Report
            | Self::Close
            | Self::SayWhatIsOff => None,
        };
        if needs.is_none_or(|tool| tool.is_offered(policy)) { self } else { Self::SayWhatIsOff }
    }
}

/// What the person has said in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepAnswer {
    /// They have said nothing.
    None,
    /// They have said something in words.
    Words,
    /// They said no to what was shown, and nothing since.
    Refusal,
    /// The answer to a question that was shown.
    Question,
}

/// Where a step stands.
#[derive(Debug, Clone)]
pub struct StepNow<'a> {
    /// The step.
    pub node: &'a Node,
    /// Its file.
    pub step_file: &'a AliasPath,
    /// Whether the step before is to be told of first.
    pub reports: bool,
    /// Whether the model has read it since the step began.
    pub was_read: bool,
    /// What the person has said since then.
    pub answered: StepAnswer,
    /// The files it promises that no fact says are there.
    pub missing: &'a [AliasPath],
    /// The files of the project that it may want to read.
    pub readable: &'a [AliasPath],
    /// What its file mentions.
    pub notes: &'a StepNotes,
    /// The steps that may follow.
    pub next: &'a [AllowedNext],
}

impl StepNow<'_> {
    /// What is to be done next.
    pub fn next_move(&self) -> StepMove {
        let asks = self.names(&ask_user::TOOL).then(|| wire_name(ask_user::NAME));
        let waits = asks.is_some() || self.notes.mentions(ANSWER_BLOCK);
        if self.reports {
            StepMove::Report
        } else if !self.was_read {
            StepMove::Read(self.step_file.clone())
        } else if self.answered == StepAnswer::Refusal {
            StepMove::AskWhatToChange
        } else if waits && self.answered < self.waits_for() {
            StepMove::Ask(asks)
        } else if let Some(path) = self.missing.first() {
            StepMove::Write(path.clone())
        } else {
            StepMove::Record(asks.filter(|_| self.answered < StepAnswer::Question))
        }
    }

    /// The tools for it.
    pub fn offered(&self, policy: &ToolPolicy, tokenizer: Tokenizer) -> OfferedTools {
        let next = self.next_move();
        let tools = match &next {
            StepMove::Read(path) => {
                vec![(&read::TOOL, read::schema_for(std::slice::from_ref(path)))]
            }
            StepMove::AskWhatToChange
            | StepMove::Report
            | StepMove::Close
            | StepMove::SayWhatIsOff => Vec::new(),
            StepMove::Ask(_) => self.beside(None),
            StepMove::Write(_) => {
                let outputs = write::schema_for(&self.node.checkable_outputs());
                self.beside(Some((&write::TOOL, outputs)))
            }
            StepMove::Record(_) => {
                let mut tools = self.beside(Some((&patch::TOOL, self.record().schema())));
                // Nobody knows which file it writes, and whether it has.
                if self.node.checkable_outputs().is_empty() && self.names(&write::TOOL) {
                    tools.push((&write::TOOL, write::schema_for(&[])));
                }
                tools
            }
        };
        let offered = tools.into_iter().filter(|(tool, _)| tool.is_offered(policy));
        let specs: Vec<_> = offered.map(|(tool, parameters)| narrowed(tool, parameters)).collect();
        OfferedTools::of(specs, self.is_done_by_a_call(&next), tokenizer)
    }

    /// A step that promises no file and sets no variable may consist of words.
    fn is_done_by_a_call(&self, next: &StepMove) -> bool {
        match next {
            StepMove::Read(_) | StepMove::Write(_) => true,
            // What the question is about may have to be asked first, in words.
            StepMove::Ask(tool) => tool.is_some() && self.answered == StepAnswer::Words,
            StepMove::AskWhatToChange
            | StepMove::Report
            | StepMove::Close
            | StepMove::SayWhatIsOff => false,
            StepMove::Record(_) => {
                let knows = self.answered > StepAnswer::None && !self.notes.variables().is_empty();
                let wrote = !self.node.checkable_outputs().is_empty();
                knows || wrote || self.node.kind != NodeType::Step
            }
        }
    }

    /// The tool that the next move needs, and those that a step may need at any time.
    fn beside(&self, first: Option<(&'static Tool, Value)>) -> Vec<(&'static Tool, Value)> {
        let mut tools: Vec<(&'static Tool, Value)> = first.into_iter().collect();
        if self.names(&ask_user::TOOL) {
            tools.push((&ask_user::TOOL, ask_user::short_schema(self.notes)));
        }
        let looks = LOOKS_AROUND.iter().copied().filter(|tool| self.names(tool));
        let looks: Vec<_> = looks.map(|tool| (tool, (tool.schema)())).collect();
        if !looks.is_empty() {
            tools.push((&read::TOOL, read::schema_for(&[])));
        } else if !self.readable.is_empty() {
            tools.push((&read::TOOL, read::schema_for(self.readable)));
        }
        tools.extend(looks);
        tools
    }

    /// What the person has to say before the step goes on. A step file that shows a question wants
    /// the answer to that; a small model that has got words would guess it.
    fn waits_for(&self) -> StepAnswer {
        let shows = self.names(&ask_user::TOOL) && self.notes.shows_a_question();
        if shows { StepAnswer::Question } else { StepAnswer::Words }
    }

    fn record(&self) -> StepRecord<'_> {
        StepRecord { node: self.node, next: self.next, variables: self.notes.variables() }
    }

    fn names(&self, tool: &Tool) -> bool {
        self.notes.mentions(tool.name) || self.notes.mentions(&wire_name(tool.name))
    }
}

fn whole(tool: &Tool) -> Arc<ToolSpec> {
    narrowed(tool, (tool.schema)())
}

fn narrowed(tool: &Tool, parameters: Value) -> Arc<ToolSpec> {
    let description = tool.description.to_owned();
    Arc::new(ToolSpec { name: wire_name(tool.name), description, parameters })
}

#[cfg(test)]
mod tests;
