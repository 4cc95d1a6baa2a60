//! The values of a run's anchor: `RUN_DIRECTIVE`, `NODE_BRIEF`, `STATE_SUMMARY` (spec 04).
//!
//! Read from the run's prompt in one place, so that rendering sees plain values only. A completed
//! run has no [`CurrentStep`], so there is nothing of a node that could reach its prompt.

use serde::Serialize;
use serde_json::{Value, json};

use super::input::{Intent, PromptProfile, RunPrompt};
use super::redact::{redact_paths, redact_text};
use crate::code::{ErrorCode, Failure};
use crate::graph::{AllowedNext, Node, Premises};
use crate::path::{AliasPath, Mount, PathError};
use crate::phrase::{engine, general};
use crate::settings::ToolOffer;
use crate::todo::{Todo, Todos};

/// Open todos that a request lists.
const LISTED_TODOS: usize = 50;

/// The values, checked and without absolute paths.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Anchor {
    pub(super) intent: Intent,
    pub(super) workflow: String,
    /// The steps that wait for the end of the workflow, as JSON; `None` for none.
    pub(super) call_stack: Option<String>,
    pub(super) graph: AliasPath,
    pub(super) artifacts: AliasPath,
    pub(super) agent: String,
    pub(super) autopilot: bool,
    /// Whether the model is told little at a time.
    pub(super) step_by_step: bool,
    /// In the normal profile only.
    pub(super) step: Option<CurrentStep>,
    /// The todos of the run, when there are any.
    pub(super) todos: Option<TodoLines>,
}

/// The todos of a run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TodoLines {
    /// How many have come to an end.
    pub(super) ended: usize,
    /// One JSON object for each of the others, the first of them when there are many.
    pub(super) open: Vec<String>,
    /// How many are not listed.
    pub(super) more: usize,
}

impl TodoLines {
    /// Of the todos of a run; `None` when there are none.
    pub(super) fn of(todos: &Todos) -> Option<Self> {
        if todos.is_empty() {
            return None;
        }
        let open = || todos.items().iter().filter(|todo| !todo.status.is_terminal());
        let line = |todo: &Todo| {
            json!({
                "id": todo.id, "status": todo.status, "required": todo.required,
                "revision": todo.revision, "content": line(&todo.content),
            })
            .to_string()
        };
        let count = open().count();
        Some(Self {
            ended: todos.items().len() - count,
            open: open().take(LISTED_TODOS).map(line).collect(),
            more: count.saturating_sub(LISTED_TODOS),
        })
    }
}

/// The step under way.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CurrentStep {
    pub(super) node_id: String,
    pub(super) kind: &'static str,
    /// The workflow that was run in its place: the step is current again once that has ended.
    pub(super) called: Option<String>,
    pub(super) file: AliasPath,
    /// `artifacts/x -> @project/artifacts/x`.
    pub(super) inputs: Vec<String>,
    /// The same for what it promises.
    pub(super) outputs: Vec<String>,
    /// One JSON object an edge.
    pub(super) next: Vec<String>,
    /// The run's variables, an object.
    pub(super) variables: Value,
}

impl Anchor {
    /// Reads the values of `run`.
    pub(super) fn of(run: &RunPrompt<'_>) -> Result<Self, Failure> {
        let step = match &run.profile {
            PromptProfile::PostCompletion => None,
            PromptProfile::Normal(active) => {
                let variables = run.doc.variables();
                let given = Premises { variables, said: Some(run.said) };
                let next = run.graph.allowed_next(&active.node.id, given);
                Some(CurrentStep::of(active.node, &next, variables)?)
            }
        };
        Ok(Self {
            intent: run.intent,
            workflow: run.workflow_id.to_string(),
            call_stack: (!run.call_stack.is_empty()).then(|| json!(run.call_stack).to_string()),
            graph: alias(Mount::Pkg, run.graph_path, "the workflow's graph file")?,
            artifacts: alias(Mount::Project, run.artifacts_dir, "the project's artifacts folder")?,
            agent: run.agent_id.to_string(),
            autopilot: run.autopilot,
            step_by_step: run.offer == ToolOffer::Step,
            step,
            todos: TodoLines::of(run.todos),
        })
    }
}

impl CurrentStep {
    /// The values of `node`.
    pub(super) fn of(
        node: &Node,
        next: &[AllowedNext],
        variables: &Value,
    ) -> Result<Self, Failure> {
        Ok(Self {
            node_id: node.id.to_string(),
            kind: node.kind.as_str(),
            called: node.called_workflow().map(ToString::to_string),
            file: alias(Mount::Pkg, &node.file, &format!("the step file of node `{}`", node.id))?,
            inputs: node.inputs.iter().map(|p| file_line(p)).collect(),
            outputs: node.outputs.iter().map(|p| file_line(p)).collect(),
            next: next.iter().map(edge_line).collect(),
            variables: redact_paths(variables),
        })
    }
}

/// What an edge looks like in `allowedNext` (spec 04 "Layers"), and no key without a value.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EdgeLine<'a> {
    to: &'a str,
    label: String,
    is_default: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    condition_text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    holds_now: Option<bool>,
}

fn edge_line(edge: &AllowedNext) -> String {
    json!(EdgeLine {
        to: edge.to.as_str(),
        label: line(&redact_text(&edge.label)),
        is_default: edge.is_default,
        condition_text: edge.condition_text.as_deref().map(|t| line(&redact_text(t))),
        holds_now: edge.condition_holds,
    })
    .to_string()
}

/// `artifacts/x -> @project/artifacts/x`. Some packages already write the alias.
fn file_line(declared: &str) -> String {
    let path = AliasPath::parse(declared).or_else(|_| AliasPath::new(Mount::Project, declared));
    match path {
        Ok(path) => format!("{} -> {path}", line(declared)),
        // Not repeated: the place is not the model's to know. The findings name it.
        Err(reason @ PathError::Climbs) => format!("none ({reason})"),
        Err(reason) => format!("{} ({reason})", line(&redact_text(declared))),
    }
}

fn alias(mount: Mount, rel: &str, what: &str) -> Result<AliasPath, Failure> {
    AliasPath::new(mount, rel).map_err(|reason| {
        Failure::new(ErrorCode::EnginePreconditionFailed, general::about(what, reason.says()))
            .with_action(engine::correct_the_path())
    })
}

/// A value of a `- key: value` line: no line break in it can begin another key.
pub(super) fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
