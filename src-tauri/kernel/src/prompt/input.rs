//! What a prompt is put together from.

use serde::{Deserialize, Serialize};

use crate::chat::ChatMessage;
use crate::code::{ErrorCode, Failure};
use crate::graph::{Graph, Node};
use crate::ids::{AgentId, WorkflowId};
use crate::package::Agent;
use crate::path::AliasPath;
use crate::phrase::engine as said;
use crate::policy::ToolPolicy;
use crate::state_doc::StateDoc;
use crate::subagent::Assignment;
use crate::todo::Todos;

/// What a conversation is in (spec 01 "Modes").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A workflow, its node's persona, the run directive.
    Run,
    /// A persona.
    Agent,
    /// No persona.
    Chat,
    /// One task of a sub-agent: a persona and no person.
    Task,
}

/// Everything a sub-agent's prompt depends on.
#[derive(Debug, Clone, Copy)]
pub struct TaskPrompt<'a> {
    /// What it is to do.
    pub assignment: &'a Assignment,
    /// Project-relative folder that it may write to although writes ask.
    pub artifacts_dir: Option<&'a str>,
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
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
    pub fn as_str(self) -> &'static str {
        self.into()
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
    /// The todos of the run.
    pub todos: &'a Todos,
}

/// A data file shown to the model by name and preview.
#[derive(Debug, Clone, PartialEq)]
pub struct DataContext {
    /// For people.
    pub label: String,
    /// Where it lies.
    pub path: AliasPath,
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
