//! What a prompt is put together from.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::code::{ErrorCode, Failure};
use crate::context::{AnchorAt, Seen};
use crate::decision::Decision;
use crate::graph::{Graph, Node, SaidInStep};
use crate::ids::{AgentId, WorkflowId};
use crate::mention::GivenFile;
use crate::package::Agent;
use crate::phrase::engine as said;
use crate::policy::ToolPolicy;
use crate::settings::ToolOffer;
use crate::state_doc::StateDoc;
use crate::subagent::Assignment;
use crate::todo::Todos;
use crate::tokens::{RecurringTexts, Tokenizer};
use crate::tool::{CallingStep, StepMove};

/// What a request is about, as far as it decides the system layers (spec 04 "Layers").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptKind {
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
    /// The steps of other workflows that wait for its end, the outermost first.
    pub call_stack: &'a [CallingStep],
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
    /// What the person said in the step under way.
    pub said: &'a SaidInStep,
    /// Which tools the model is offered.
    pub offer: ToolOffer,
    /// What is to be done next in the step, where the model is offered what that needs.
    pub next_move: Option<&'a StepMove>,
}

/// What a request is about: it decides the layers (spec 04 "Layers").
#[derive(Debug, Clone, Copy)]
pub enum Subject<'a> {
    /// A workflow.
    Run(&'a RunPrompt<'a>),
    /// The task of a sub-agent.
    Task(&'a TaskPrompt<'a>),
    /// A talk with a persona.
    Agent,
    /// A talk with nobody in particular.
    Chat,
}

impl Subject<'_> {
    /// The kind that this is.
    pub fn kind(&self) -> PromptKind {
        match self {
            Self::Run(_) => PromptKind::Run,
            Self::Task(_) => PromptKind::Task,
            Self::Agent => PromptKind::Agent,
            Self::Chat => PromptKind::Chat,
        }
    }

    /// Which tools are on offer.
    pub(super) fn offer(&self) -> ToolOffer {
        match self {
            Self::Run(run) => run.offer,
            Self::Task(_) | Self::Agent | Self::Chat => ToolOffer::All,
        }
    }

    /// What is to be done next and the variables of the run, where the model is told that.
    pub(super) fn next_move(&self) -> Option<(&StepMove, &Value)> {
        match self {
            Self::Run(run) => run.next_move.map(|next| (next, run.doc.variables())),
            Self::Task(_) | Self::Agent | Self::Chat => None,
        }
    }

    /// A task is told once, before everything else.
    pub(super) fn anchor_at(&self) -> Option<AnchorAt> {
        matches!(self, Self::Task(_)).then_some(AnchorAt(0))
    }

    /// Whether a message may name a node: only while a workflow is under way.
    pub(super) fn names_nodes(&self) -> bool {
        matches!(self, Self::Run(run) if matches!(run.profile, PromptProfile::Normal(_)))
    }
}

/// Everything a whole request's messages are put together from.
#[derive(Debug, Clone, Copy)]
pub struct ComposeInput<'a> {
    /// What it is about.
    pub subject: Subject<'a>,
    /// What the speaker may use.
    pub policy: &'a ToolPolicy,
    /// Who speaks. Needed in every mode but chat, where there is nobody.
    pub persona: Option<&'a Agent>,
    /// What the model sees of the conversation so far.
    pub history: Seen<'a>,
    /// Of what was said before this message the model sees the person's words alone; 0 for all of it.
    pub since: usize,
    /// Where the anchor stands in it.
    pub anchor_at: AnchorAt,
    /// Index of the newest user input.
    pub turn_start: usize,
    /// The files that the newest user input mentions: shown while a workflow is under way.
    pub data: &'a [GivenFile],
    /// The judgement on the model's last words, when they were not accepted, and how many of its
    /// last words were not, in a row.
    pub not_accepted: Option<(&'a Decision, u32)>,
    /// Whether the model's last words were cut at the output limit, and it is to go on.
    pub was_cut: bool,
    /// What counts the tokens.
    pub tokenizer: Tokenizer,
    /// The texts that it counted for the requests before.
    pub counted: &'a RecurringTexts,
}
