//! `PromptComposer`: the one place where a prompt is put together (spec 04 "Layers").
//!
//! Templates are Markdown in `templates/prompts/`, embedded at build time, rendered with strict
//! undefined variables.

use serde_json::Value;

use crate::chat::ChatMessage;
use crate::code::Failure;
use crate::graph::{Graph, Node};
use crate::ids::{AgentId, NodeId, WorkflowId};
use crate::package::Agent;
use crate::policy::ToolPolicy;
use crate::state_doc::StateDoc;

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
    pub fn of(doc: &StateDoc, graph: &'a Graph) -> Result<Self, Failure> {
        if doc.is_complete(graph) {
            return Ok(Self::PostCompletion);
        }
        let id = doc.effective_node(graph)?;
        match graph.node(&id) {
            Some(node) => Ok(Self::Normal(ActiveStep { node })),
            None => Err(Failure::new(
                crate::code::ErrorCode::CurrentNodeInvalid,
                format!("@state/workflow.md names the node `{id}`, which the graph does not have"),
            )),
        }
    }
}

/// Why the run directive is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent {
    /// A fresh run with nothing completed.
    Start,
    /// The same session goes on.
    Continue,
    /// The run existed and the program was restarted.
    Resume,
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
    /// Why.
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

/// Renders the layers.
#[derive(Debug)]
pub struct PromptComposer {}

impl PromptComposer {
    /// With the embedded templates. Fails only when a template is broken, which a test excludes.
    pub fn new() -> Result<Self, Failure> {
        unimplemented!()
    }

    /// The system layers: base rules → tool policy → persona (never in chat mode).
    pub fn system(
        &self,
        _mode: Mode,
        _policy: &ToolPolicy,
        _persona: Option<&Agent>,
    ) -> Result<Vec<ChatMessage>, Failure> {
        unimplemented!()
    }

    /// The anchor: `RUN_DIRECTIVE` → `NODE_BRIEF` (normal profile only) → `DATA_CONTEXT`?
    pub fn anchor(
        &self,
        _run: &RunPrompt<'_>,
        _data: &[DataContext],
    ) -> Result<Vec<ChatMessage>, Failure> {
        unimplemented!()
    }

    /// `USER_INPUT` round a person's own words, never rewritten. `for_node` only in the normal
    /// profile of a run.
    pub fn user_input(&self, _raw: &str, _for_node: Option<&NodeId>) -> Result<String, Failure> {
        unimplemented!()
    }
}

/// Replaces absolute paths (POSIX, drive, UNC, `file://`) in every string of an injected value by
/// `[path]`. Alias paths and relative paths stay.
pub fn redact_paths(_value: &Value) -> Value {
    unimplemented!()
}
