//! `PromptComposer`: the one place where a prompt is put together (spec 04 "Layers").
//!
//! Templates are Markdown in `templates/prompts/`, embedded at build time, rendered with strict
//! undefined variables.

mod anchor;
mod blocks;
mod redact;
mod summary;
mod templates;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::chat::ChatMessage;
use crate::code::{ErrorCode, Failure};
use crate::graph::{Graph, Node};
use crate::ids::{AgentId, NodeId, WorkflowId};
use crate::package::Agent;
use crate::phrase::engine as said;
use crate::policy::ToolPolicy;
use crate::state_doc::StateDoc;

use anchor::Anchor;
use templates::Templates;

pub use blocks::{
    ContinueDirective, MissingFact, NextAction, SUMMARY_HEADER, SUMMARY_HEADINGS, SummaryRequest,
};
pub use redact::{redact_paths, redact_text};

/// What a conversation is in (spec 01 "Modes").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A workflow, its node's persona, the run directive.
    Run,
    /// A persona.
    Agent,
    /// No persona.
    Chat,
}

/// Which blocks a run's prompt has. Only `Normal` carries a node, so post-completion code has
/// nothing to leak.
#[derive(Debug, Clone, PartialEq)]
pub enum PromptProfile<'a> {
    /// The workflow is under way.
    Normal(ActiveStep<'a>),
    /// The workflow has ended.
    PostCompletion,
}

/// The step under way.
#[derive(Debug, Clone, PartialEq)]
pub struct ActiveStep<'a> {
    /// Its node.
    pub node: &'a Node,
}

impl<'a> PromptProfile<'a> {
    /// Which profile a state document asks for.
    ///
    /// # Errors
    /// `CURRENT_NODE_INVALID` when the graph does not have the current node.
    pub fn of(doc: &StateDoc, graph: &'a Graph) -> Result<Self, Failure> {
        if doc.is_complete(graph) {
            return Ok(Self::PostCompletion);
        }
        let id = doc.effective_node(graph)?;
        match graph.node(&id) {
            Some(node) => Ok(Self::Normal(ActiveStep { node })),
            None => Err(Failure::new(ErrorCode::CurrentNodeInvalid, said::node_unknown(id))),
        }
    }
}

/// Why the run directive is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Intent {
    /// A fresh run with nothing completed.
    Start,
    /// The same session goes on.
    Continue,
    /// The run existed and the program was restarted.
    Resume,
}

impl Intent {
    /// As written in `RUN_DIRECTIVE`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Continue => "continue",
            Self::Resume => "resume",
        }
    }
}

/// Everything a run's prompt depends on.
#[derive(Debug, Clone)]
pub struct RunPrompt<'a> {
    /// Normal or post-completion.
    pub profile: PromptProfile<'a>,
    /// The state document.
    pub doc: &'a StateDoc,
    /// The graph.
    pub graph: &'a Graph,
    /// Why the model is asked now.
    pub intent: Intent,
    /// The workflow.
    pub workflow_id: &'a WorkflowId,
    /// Its graph file, package-relative.
    pub graph_path: &'a str,
    /// Project-relative folder for artifacts.
    pub artifacts_dir: &'a str,
    /// Who speaks now.
    pub agent_id: &'a AgentId,
    /// Whether the model goes on by itself until it needs the user.
    pub autopilot: bool,
}

/// A data file shown to the model by name and preview.
#[derive(Debug, Clone, PartialEq)]
pub struct DataContext {
    /// For people.
    pub label: String,
    /// Where it lies.
    pub path: crate::path::AliasPath,
    /// Its beginning.
    pub preview: String,
}

/// Everything a whole request's messages are put together from.
#[derive(Debug, Clone)]
pub struct ComposeInput<'a> {
    /// Run, agent or chat.
    pub mode: Mode,
    /// What the speaker may use.
    pub policy: &'a ToolPolicy,
    /// Who speaks. Needed in run and agent mode, ignored in chat mode.
    pub persona: Option<&'a Agent>,
    /// The conversation so far, protocol-valid, without system layers.
    pub history: &'a [ChatMessage],
    /// The anchor's values. Needed in run mode, ignored in the others; `None` in run mode means
    /// that this turn carries history only (spec 04 "Re-anchor").
    pub run: Option<&'a RunPrompt<'a>>,
    /// Data files to show, in the normal profile.
    pub data: &'a [DataContext],
    /// What the person just said. Blank makes no layer.
    pub user_input: Option<&'a str>,
}

/// Renders the layers.
#[derive(Debug)]
pub struct PromptComposer {
    templates: Templates,
}

impl PromptComposer {
    /// With the embedded templates.
    ///
    /// # Errors
    /// `E_INTERNAL` when a template is broken, which a test excludes.
    pub fn new() -> Result<Self, Failure> {
        Ok(Self { templates: Templates::new()? })
    }

    /// A whole request's messages in the fixed order of spec 04 "Layers": system layers, history,
    /// anchor, user input. One path for all modes and both profiles.
    ///
    /// # Errors
    /// As [`system`](Self::system) and [`anchor`](Self::anchor).
    pub fn compose(&self, input: &ComposeInput<'_>) -> Result<Vec<ChatMessage>, Failure> {
        let anchor = match (input.mode, input.run) {
            (Mode::Run, Some(run)) => Some(Anchor::of(run)?),
            _ => None,
        };
        self.compose_with(input, anchor.as_ref())
    }

    fn compose_with(
        &self,
        input: &ComposeInput<'_>,
        anchor: Option<&Anchor>,
    ) -> Result<Vec<ChatMessage>, Failure> {
        let mut messages = self.system(input.mode, input.policy, input.persona)?;
        messages.extend_from_slice(input.history);
        if let Some(anchor) = anchor {
            messages.extend(self.anchor_blocks(anchor, input.data)?);
        }
        if let Some(raw) = input.user_input.filter(|raw| !raw.trim().is_empty()) {
            let node = anchor.and_then(|a| a.step.as_ref()).map(|s| s.node_id.as_str());
            messages.push(ChatMessage::user(self.user_input_block(raw, node)?));
        }
        Ok(messages)
    }

    /// The system layers: base rules → tool policy → persona (never in chat mode).
    ///
    /// # Errors
    /// `AGENT_NOT_FOUND` for a run or an agent without a persona: it is never dropped silently.
    pub fn system(
        &self,
        mode: Mode,
        policy: &ToolPolicy,
        persona: Option<&Agent>,
    ) -> Result<Vec<ChatMessage>, Failure> {
        let mut layers = vec![self.base_rules(mode)?, self.tool_policy(policy)?];
        match (mode, persona) {
            (Mode::Chat, _) => {}
            (Mode::Run | Mode::Agent, Some(agent)) => layers.push(self.persona(agent)?),
            (Mode::Run | Mode::Agent, None) => {
                return Err(Failure::new(ErrorCode::AgentNotFound, said::no_persona())
                    .with_action(said::choose_an_agent()));
            }
        }
        Ok(layers.into_iter().map(ChatMessage::system).collect())
    }

    /// The anchor: `RUN_DIRECTIVE`, and in the normal profile `NODE_BRIEF`, `DATA_CONTEXT` for
    /// each of `data`, and `STATE_SUMMARY` when there are variables.
    ///
    /// # Errors
    /// `ENGINE_PRECONDITION_FAILED` when a path in the package or the project file is not relative.
    pub fn anchor(
        &self,
        run: &RunPrompt<'_>,
        data: &[DataContext],
    ) -> Result<Vec<ChatMessage>, Failure> {
        self.anchor_blocks(&Anchor::of(run)?, data)
    }

    fn anchor_blocks(
        &self,
        anchor: &Anchor,
        data: &[DataContext],
    ) -> Result<Vec<ChatMessage>, Failure> {
        let mut blocks = vec![self.run_directive(anchor)?];
        if let Some(step) = &anchor.step {
            blocks.push(self.node_brief(step)?);
            for item in data {
                blocks.push(self.data_context(item)?);
            }
            blocks.extend(self.state_summary(step)?);
        }
        Ok(blocks.into_iter().map(ChatMessage::user).collect())
    }

    /// `USER_INPUT` round a person's own words, never rewritten. `for_node` only in the normal
    /// profile of a run.
    ///
    /// # Errors
    /// What rendering fails with: a bug in a template.
    pub fn user_input(&self, raw: &str, for_node: Option<&NodeId>) -> Result<String, Failure> {
        self.user_input_block(raw, for_node.map(NodeId::as_str))
    }

    /// `CONTINUE_DIRECTIVE`: why a final answer was not accepted, and the calls that would make
    /// it so (spec 06). Sent once, never stored as a message.
    ///
    /// # Errors
    /// What rendering fails with: a bug in a template.
    pub fn continue_directive(&self, directive: &ContinueDirective) -> Result<String, Failure> {
        self.continue_block(directive)
    }

    /// The request for a summary of older messages (spec 04 "Not built yet"). The answer
    /// must begin with [`SUMMARY_HEADER`] and have every one of [`SUMMARY_HEADINGS`].
    ///
    /// # Errors
    /// What rendering fails with: a bug in a template.
    pub fn summary_request(&self, request: &SummaryRequest<'_>) -> Result<String, Failure> {
        self.summary_block(request)
    }
}
