//! `agent.spawn`: another agent works on a task, in a conversation of its own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::built_in::{BuiltIn, EffectClass, Offer, Tool, schema_of};
use super::check::{canonical, invalid, named_path, typed};
use super::output::CallResult;
use crate::bounds::{
    SUBAGENT_CHANGED, SUBAGENT_PATHS, SUBAGENT_PROMPT_BYTES, SUBAGENT_SECONDS, SUBAGENT_STEPS,
    SUBAGENT_TOOLS, SUBAGENTS_PER_TURN,
};
use crate::changed_files::CallFileChange;
use crate::code::{ErrorCode, Failure};
use crate::facts::Fact;
use crate::ids::AgentId;
use crate::path::{AliasPath, Mount};
use crate::subagent::{TaskEnd, TaskEnded, TaskReport, TaskType};

/// What a model calls it, dotted.
pub const NAME: &str = "agent.spawn";

pub(super) const TOOL: Tool = Tool {
    name: NAME,
    description: "Let a sub-agent do one task by itself and report. It sees only the prompt: name the files. It asks the user nothing. Types: `review` and `verify` read, `edit` also changes files. Several reviews in one reply run at once.",
    class: EffectClass::Delegate,
    works_on_files: true,
    writes_one_file: false,
    offered: Offer::InRuns,
    other_names: &[],
    runs_need: None,
    schema: schema_of::<Args>,
};

/// The arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The kind of work.
    #[serde(alias = "taskType")]
    pub task_type: TaskType,
    /// What to do, complete in itself. Never a path alone.
    #[schemars(length(min = 1))]
    pub prompt: String,
    /// What the report is to say.
    #[serde(default, alias = "expectedOutput", skip_serializing_if = "Option::is_none")]
    pub expected_output: Option<String>,
    /// An agent of the package; the present one when absent.
    #[serde(
        default,
        rename = "agentId",
        alias = "agent_id",
        skip_serializing_if = "Option::is_none"
    )]
    pub agent_id: Option<String>,
    /// The tools it may use at most.
    #[serde(default, alias = "allowedTools", skip_serializing_if = "Option::is_none")]
    pub allowed_tools: Option<Vec<String>>,
    /// Files and folders below @project or @pkg that it may touch at most.
    #[serde(default, alias = "allowedPaths", skip_serializing_if = "Option::is_none")]
    pub allowed_paths: Option<Vec<String>>,
    /// Model requests it may make.
    #[serde(default, alias = "maxSteps", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 50))]
    pub max_steps: Option<u32>,
    /// Seconds it may take.
    #[serde(default, alias = "timeoutSec", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 3600))]
    pub timeout_sec: Option<u32>,
}

/// What it says when the sub-agent handed in its report.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Output<'r> {
    /// How it ended.
    pub end: TaskEnd,
    /// How often its model answered.
    pub steps: u32,
    /// What it says.
    pub report: &'r TaskReport,
    /// The files that it changed, the first [`SUBAGENT_CHANGED`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<AliasPath>,
    /// How many there are besides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_more: Option<usize>,
}

/// The files that a sub-agent changed, as a model is told them, and how many there are besides.
pub(crate) fn changed(changes: &[CallFileChange]) -> (Vec<AliasPath>, Option<usize>) {
    let told = changes.iter().take(SUBAGENT_CHANGED).map(|change| change.path().clone());
    let more = changes.len().checked_sub(SUBAGENT_CHANGED).filter(|more| *more > 0);
    (told.collect(), more)
}

/// A checked call.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// As the model wrote them; without marks in the paths.
    pub args: Args,
    /// Where it may read and write at most.
    pub paths: Vec<AliasPath>,
}

impl BuiltIn for Input {
    fn tool(&self) -> &'static Tool {
        &TOOL
    }

    fn args(&self) -> Value {
        canonical(&self.args)
    }

    /// What a sub-agent did is told by the event that ends it.
    fn facts(&self, _: &CallResult) -> Vec<Fact> {
        Vec::new()
    }
}

pub(super) fn parse(args: Value) -> Result<Input, Failure> {
    let mut args: Args = typed(&TOOL, args)?;
    let wrong = |message: String| Err(invalid(&TOOL, &message));
    if args.prompt.trim().is_empty() {
        return wrong("prompt: say what to do".to_owned());
    }
    let words = args.prompt.len() + args.expected_output.as_ref().map_or(0, String::len);
    if words > SUBAGENT_PROMPT_BYTES {
        return wrong(format!(
            "prompt: {SUBAGENT_PROMPT_BYTES} bytes at most; put the rest into a file"
        ));
    }
    if args.max_steps.is_some_and(|steps| !(1..=SUBAGENT_STEPS).contains(&steps)) {
        return wrong(format!("max_steps: 1 to {SUBAGENT_STEPS}"));
    }
    if args.timeout_sec.is_some_and(|seconds| !(1..=SUBAGENT_SECONDS).contains(&seconds)) {
        return wrong(format!("timeout_sec: 1 to {SUBAGENT_SECONDS}"));
    }
    let tools = args.allowed_tools.as_ref().map(Vec::len);
    if tools.is_some_and(|tools| !(1..=SUBAGENT_TOOLS).contains(&tools)) {
        return wrong("allowed_tools: name at least one, or leave it out".to_owned());
    }
    let paths = paths(&mut args)?;
    Ok(Input { args, paths })
}

/// Why there is no sub-agent of this name.
pub(crate) fn no_such_agent(name: &str, known: &mut dyn Iterator<Item = &AgentId>) -> Failure {
    let known: Vec<&AgentId> = known.collect();
    Failure::for_model(ErrorCode::InvalidArgs, format!("agentId: there is no agent `{name}`"))
        .with_details(json!({ "available": known }))
}

/// Why a sub-agent's tools are not narrowed to this one.
pub(crate) fn no_such_tool(name: &str, task: TaskType) -> Failure {
    let kind = task.as_str();
    invalid(&TOOL, &format!("allowed_tools: a sub-agent of type `{kind}` has no tool `{name}`"))
}

/// Why no more sub-agents begin.
pub(crate) fn too_many() -> Failure {
    let message = format!(
        "{SUBAGENTS_PER_TURN} sub-agents were asked for since the user last spoke; that is all there are"
    );
    Failure::for_model(ErrorCode::NotNow, message)
        .with_action_for_model("Do the rest yourself, or tell the user what is left.")
}

/// The result of a sub-agent that handed in no report.
pub(crate) fn without_report(ended: &TaskEnded, steps: u32, changes: &[CallFileChange]) -> Failure {
    let (changed, more) = changed(changes);
    let end: &str = ended.end.into();
    let why = ended.failure.as_ref().map_or("", |failure| failure.message.as_str());
    let message = format!("the sub-agent ended without a report ({end}): {why}");
    Failure::for_model(ErrorCode::SubagentFailed, message)
        .with_details(
            json!({ "end": ended.end, "steps": steps, "changed": changed, "changedMore": more }),
        )
        .with_action_for_model("Do the task yourself, ask for a smaller one, or tell the user.")
}

fn paths(args: &mut Args) -> Result<Vec<AliasPath>, Failure> {
    let Some(named) = &mut args.allowed_paths else { return Ok(Vec::new()) };
    if named.is_empty() || named.len() > SUBAGENT_PATHS {
        return Err(invalid(&TOOL, "allowed_paths: name at least one, or leave it out"));
    }
    let mut paths = Vec::with_capacity(named.len());
    for text in named {
        let path = named_path("allowed_paths", text)?;
        if path.mount() == Mount::State {
            let message = "allowed_paths: a sub-agent sees nothing of @state";
            return Err(invalid(&TOOL, message));
        }
        paths.push(path);
    }
    Ok(paths)
}
