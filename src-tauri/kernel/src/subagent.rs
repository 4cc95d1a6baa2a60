//! Sub-agents (spec 06 "Sub-agents"): what one is asked to do, what it may use, and what it hands in.
//!
//! A sub-agent works in a conversation of its own, on one task of the agent that asked for it. It may
//! use what that agent may use and what its kind of task needs, and no more. It asks the person nothing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

use crate::code::Failure;
use crate::ids::{AgentId, CallId, ConversationId, PackageId, ProjectId, RunId, WorkflowId};
use crate::path::AliasPath;
use crate::phrase::{Phrase, decisions as said};

/// What kind of work a sub-agent does. It says which tools it needs and what it has to hand in.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum TaskType {
    /// It reads and says what it finds.
    Review,
    /// It changes files.
    Edit,
    /// It reads and says whether something is as it should be.
    Verify,
}

impl TaskType {
    /// As it is written.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// In words.
    pub fn said(self) -> Phrase {
        match self {
            Self::Review => said::task_review(),
            Self::Edit => said::task_edit(),
            Self::Verify => said::task_verify(),
        }
    }

    /// Whether it may change files of the project.
    pub const fn edits(self) -> bool {
        matches!(self, Self::Edit)
    }
}

/// What a sub-agent is asked to do, and within which limits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Assignment {
    /// The kind of work.
    pub task_type: TaskType,
    /// What to do, in the words of the agent that asks.
    pub prompt: String,
    /// What the report is to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_output: Option<String>,
    /// Who does it: an agent of the package.
    pub agent_id: AgentId,
    /// The tools it may use at most, by canonical names; empty means all of its kind of work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// Where it may read and write; empty means wherever the other agent may.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<AliasPath>,
    /// How often the model may be asked.
    pub max_steps: u32,
    /// How long it may work without an interruption, in seconds.
    pub timeout_s: u32,
}

impl Assignment {
    /// What narrows the tools of whoever works on it.
    pub fn scope(&self) -> TaskScope {
        let (tools, paths) = (self.tools.clone(), self.paths.clone());
        TaskScope { task_type: self.task_type, tools, paths }
    }
}

/// The call that asked for a sub-agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ParentCall {
    /// The conversation it was made in.
    pub conversation_id: ConversationId,
    /// The run that conversation is.
    pub run_id: RunId,
    /// The call.
    pub call_id: CallId,
    /// The agent that made it.
    pub agent_id: AgentId,
}

/// The beginning of a sub-agent's conversation: see [`Event::TaskStarted`](crate::event::Event::TaskStarted).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TaskStarted {
    /// The sub-agent's conversation.
    pub conversation_id: ConversationId,
    /// Who asked for it.
    pub parent: ParentCall,
    /// The project it works in.
    pub project_id: ProjectId,
    /// The package, pinned.
    pub package_id: PackageId,
    /// The hash of its content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<String>,
    /// The workflow of the run.
    pub workflow_id: WorkflowId,
    /// What it is to do.
    pub assignment: Assignment,
    /// The folder it may write to although writes ask; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifacts_dir: Option<String>,
    /// The files that the step promises which the run is on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<AliasPath>,
    /// Whether the package's demo trace plays the model.
    #[serde(default)]
    pub demo: bool,
}

/// The end of its work: see [`Event::TaskEnded`](crate::event::Event::TaskEnded).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TaskEnded {
    /// How the work came to its end.
    pub end: TaskEnd,
    /// What it hands in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<TaskReport>,
    /// Why there is no report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
}

/// What narrows the tools of a sub-agent; part of its [`ToolPolicy`](crate::policy::ToolPolicy).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskScope {
    /// The kind of work.
    pub task_type: TaskType,
    /// See [`Assignment::tools`].
    pub tools: Vec<String>,
    /// See [`Assignment::paths`].
    pub paths: Vec<AliasPath>,
}

impl TaskScope {
    /// Whether a path may be touched.
    pub fn holds(&self, path: &AliasPath) -> bool {
        self.paths.is_empty() || self.paths.iter().any(|root| path.is_within(root))
    }

    /// Whether a tool of this name is among those that were named, if any were.
    pub fn names(&self, tool: &str) -> bool {
        self.tools.is_empty() || self.tools.iter().any(|name| name == tool)
    }
}

/// What a sub-agent hands in. Lists may be empty: a review that finds nothing is a good review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct TaskReport {
    /// What was done or found, in a few sentences.
    pub summary: String,
    /// What was found, an entry each. Empty when there is nothing to say.
    #[serde(default)]
    pub findings: Vec<String>,
    /// Whether what was to be verified is as it should be. Only in a task of type `verify`, and there always.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub status: Option<Verdict>,
    /// Changes that the other agent should make, an entry each: those that this one may not make itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<String>>"))]
    pub patches: Vec<String>,
}

/// Whether what a sub-agent looked at is as it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Verdict {
    /// It is.
    Passed,
    /// It is not.
    Failed,
}

/// How a sub-agent's work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum TaskEnd {
    /// It handed in its report.
    Completed,
    /// It was stopped.
    Stopped,
    /// Its time was over.
    TimedOut,
    /// The model was asked as often as it may be.
    MaxSteps,
    /// It ended without a report.
    NoReport,
    /// It could not go on: the model did not answer, or it repeated itself.
    Failed,
    /// Something that only a newer program knows.
    #[serde(other)]
    Unrecognised,
}

/// A sub-agent as the conversation knows it that asked for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subagent {
    /// The call that asked for it.
    pub call_id: CallId,
    /// Its own conversation.
    pub conversation_id: ConversationId,
    /// The agent that works on the task.
    pub agent_id: AgentId,
    /// The kind of work.
    pub task_type: TaskType,
    /// How it ended; absent while it works.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<TaskEnd>,
    /// What a verification said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// Why it handed in no report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// How often its model answered.
    #[serde(default)]
    pub steps: u32,
    /// The arguments of that call, as long as it may have to be made once more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Arc<Value>>,
    /// Whether nothing has to be done about it any more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub settled: bool,
}

impl Subagent {
    /// Whether it came to no good end: it did not hand in a report, or found that something is not as
    /// it should be.
    pub fn has_failed(&self) -> bool {
        match self.end {
            None => false,
            Some(TaskEnd::Completed) => self.verdict == Some(Verdict::Failed),
            Some(_) => true,
        }
    }
}

/// The sub-agents of a conversation, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Subagents(Arc<Vec<Subagent>>);

/// How the names of the conversations of sub-agents begin.
const TASK: &str = "task-";

/// How many are remembered for what follows; the conversation shows all.
const REMEMBERED: usize = 32;

impl Subagents {
    /// The one that a call asked for, if it is remembered.
    pub fn of(&self, call: &CallId) -> Option<&Subagent> {
        self.0.iter().find(|known| known.call_id == *call)
    }

    /// All that are remembered.
    pub fn all(&self) -> &[Subagent] {
        &self.0
    }

    /// One began, or came to its end. A good end settles what failed of the same task before.
    pub fn apply(&mut self, mut subagent: Subagent) {
        let all = Arc::make_mut(&mut self.0);
        if let Some(at) = all.iter().position(|known| known.call_id == subagent.call_id) {
            subagent.args = all.remove(at).args;
        }
        if subagent.end.is_some() && !subagent.has_failed() {
            let args = subagent.args.take();
            let same = |known: &&mut Subagent| known.args.is_some() && known.args == args;
            all.iter_mut().filter(same).for_each(|known| known.settled = true);
        }
        all.push(subagent);
        all.iter_mut().filter(|known| known.settled).for_each(|known| known.args = None);
        while all.len() > REMEMBERED {
            let done = |known: &Subagent| known.end.is_some();
            let forgettable =
                |known: &Subagent| done(known) && (known.settled || !known.has_failed());
            let oldest = all.iter().position(forgettable).or_else(|| all.iter().position(done));
            let Some(oldest) = oldest else { break };
            all.remove(oldest);
        }
    }

    /// The person lets be what failed.
    pub fn settle(&mut self) {
        if self.0.iter().any(|known| known.has_failed() && !known.settled) {
            for known in Arc::make_mut(&mut self.0).iter_mut().filter(|known| known.has_failed()) {
                known.settled = true;
                known.args = None;
            }
        }
    }

    /// Those that failed and of which nothing good came since, the newest of each task, with how often
    /// it failed.
    pub fn open(&self) -> impl Iterator<Item = (&Subagent, usize)> {
        let open = || self.0.iter().filter(|known| known.has_failed() && !known.settled);
        let same = move |one: &Subagent| open().filter(|other| other.args == one.args).count();
        let is_newest = |at: usize, one: &Subagent| {
            let newer = self.0.iter().skip(at + 1);
            !newer.into_iter().any(|other| other.has_failed() && other.args == one.args)
        };
        let all = self.0.iter().enumerate();
        all.filter(|(_, known)| known.has_failed() && !known.settled)
            .filter(move |(at, known)| is_newest(*at, known))
            .map(move |(_, known)| (known, same(known)))
    }
}

impl ConversationId {
    /// Whether it is the conversation of a sub-agent.
    pub fn is_task(&self) -> bool {
        self.as_str().starts_with(TASK)
    }

    /// The conversation of the sub-agent that a call asks for: always the same one.
    pub fn of_task(parent: &Self, call: &CallId) -> Option<Self> {
        let key = format!("task:{}", call.as_str());
        let uuid = crate::ids::derived_uuid(parent, crate::time::Time::from_millis(0), &key);
        Self::new(format!("{TASK}{uuid}")).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn one(n: usize, end: Option<TaskEnd>) -> Subagent {
        let mut subagent: Subagent = serde_json::from_value(json!({
            "callId": format!("c{n}"), "conversationId": format!("task-{n}"),
            "agentId": "ann", "taskType": "review", "args": { "prompt": n },
        }))
        .unwrap();
        subagent.end = end;
        subagent
    }

    #[test]
    fn one_at_work_and_what_failed_are_not_forgotten_for_what_went_well() {
        let mut known = Subagents::default();
        known.apply(one(0, None));
        known.apply(one(1, None));
        known.apply(one(1, Some(TaskEnd::Failed)));
        for n in 2..100 {
            known.apply(one(n, None));
            known.apply(one(n, Some(TaskEnd::Completed)));
        }
        assert_eq!(known.all().len(), REMEMBERED);
        assert_eq!(known.of(&CallId::new("c0")).unwrap().end, None);
        assert_eq!(known.open().count(), 1);
    }

    #[test]
    fn failures_are_bounded_too() {
        let mut known = Subagents::default();
        for n in 0..100 {
            known.apply(one(n, None));
            known.apply(one(n, Some(TaskEnd::Failed)));
        }
        assert_eq!(known.all().len(), REMEMBERED);
    }
}
