//! Hooks (spec 06 "Hooks"): commands of the person that the host runs at certain points of a run.
//!
//! They stand in the project file ([`project_hooks`](crate::project_hooks)) and run once the person has seen and trusted them. The engine
//! knows their names and places ([`HookRule`]); the commands themselves are the host's.

use serde::{Deserialize, Serialize};

use crate::facts::{Fact, FactKind};
use crate::ids::{CallId, NodeId, WorkflowId};
use crate::path::AliasPath;
use crate::text::folded;

/// Where in a run a hook is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum HookPoint {
    /// Before a call of the model is worked on. It may keep the call from being run.
    BeforeToolCall,
    /// A call has its result.
    AfterToolResult,
    /// A candidate for the last words of a turn was judged. It sees the judgement and changes nothing.
    BeforeCompletionDecision,
    /// Before work is accepted that changed files. It may keep the work from being accepted.
    AcceptGate,
    /// A run began.
    RunStart,
    /// The workflow came to its end.
    RunEnd,
    /// The run moved to another step.
    NodeEntered,
}

impl HookPoint {
    /// As it is written.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether the run waits for what comes of it.
    pub const fn is_waited_for(self) -> bool {
        matches!(self, Self::BeforeToolCall | Self::AcceptGate)
    }
}

/// What the engine knows of a hook that the person trusts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HookRule {
    /// Its name within the project.
    pub name: String,
    /// Where it is run.
    pub at: HookPoint,
    /// The calls that it is run for, by the canonical names of their tools; all when empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// Files of the project that its command runs: who changes one changes the hook.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<AliasPath>,
}

impl HookRule {
    /// Whether a change at this path, of a file or of a folder with all that is in it, changes what
    /// the hook's command runs.
    pub fn runs(&self, path: &AliasPath) -> bool {
        let changed = folded(path.rel());
        self.files.iter().filter(|file| file.mount() == path.mount()).any(|file| {
            let file = folded(file.rel());
            let rest = file.strip_prefix(changed.as_str());
            changed.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }

    fn is_for(&self, tool: Option<&str>) -> bool {
        self.tools.is_empty() || tool.is_some_and(|tool| self.tools.iter().any(|name| name == tool))
    }
}

/// The hooks to be run at a point, in their order.
pub fn at<'r>(
    rules: &'r [HookRule],
    point: HookPoint,
    tool: Option<&'r str>,
) -> impl Iterator<Item = &'r HookRule> {
    rules.iter().filter(move |rule| rule.at == point && rule.is_for(tool))
}

/// What a hook is run for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HookSubject {
    /// The call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<CallId>,
    /// Its tool, by canonical name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Whether it was run without a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ok: Option<bool>,
    /// The code of its failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The step that the run is on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node_id: Option<NodeId>,
    /// The workflow that this is a step of, when another one called it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow_id: Option<WorkflowId>,
}

/// A hook that is to be run, or at work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DueHook {
    /// Its number in the conversation.
    pub number: u64,
    /// Its name.
    pub hook: String,
    /// Where the run is.
    pub point: HookPoint,
    /// What it is run for.
    pub subject: HookSubject,
}

impl DueHook {
    /// Whether this call waits for it.
    pub fn holds(&self, call: &CallId) -> bool {
        self.point == HookPoint::BeforeToolCall && self.subject.call_id.as_ref() == Some(call)
    }
}

/// What came of a hook's command: it ended by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookResult {
    /// Its exit code.
    pub exit_code: i32,
    /// What it wrote, the errors when there are any; the end of it when it is long.
    pub output: String,
    /// How long it took, milliseconds.
    pub duration_ms: u64,
}

/// What a hook came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum HookStatus {
    /// It had nothing against it.
    Passed,
    /// It did not allow the call, or does not take the work.
    Blocked,
    /// It did not end as it should. The run goes on.
    Warned,
    /// It could not say whether the work is as it should be: it did not start, or not end in time.
    Unanswered,
    /// Something that only a newer program knows.
    #[serde(other)]
    Unrecognised,
}

/// Exit codes of a shell that has not run the command: it is no program, or there is none.
const NOT_RUN: [i32; 2] = [126, 127];
/// The exit code that says no at every point where that counts.
const NO: i32 = 2;

/// What an exit code means at a point. A test program says with any code that something is wrong, so
/// a gate is passed with 0 only; elsewhere only 2 says no.
pub fn status(point: HookPoint, exit_code: i32) -> HookStatus {
    match (point, exit_code) {
        (_, 0) => HookStatus::Passed,
        (HookPoint::AcceptGate, code) if NOT_RUN.contains(&code) => HookStatus::Unanswered,
        (HookPoint::AcceptGate, _) | (HookPoint::BeforeToolCall, NO) => HookStatus::Blocked,
        _ => HookStatus::Warned,
    }
}

/// What it means that a command came to no end of its own.
pub const fn status_of_failure(point: HookPoint) -> HookStatus {
    match point {
        HookPoint::AcceptGate => HookStatus::Unanswered,
        _ => HookStatus::Warned,
    }
}

/// The last word of a gate on the work as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateAnswer {
    /// The hook.
    pub hook: String,
    /// What it came to.
    pub status: HookStatus,
    /// What it wrote.
    pub output: String,
}

/// What a gate that ended proves: that the command was run, and what it says of all files.
pub(crate) fn facts(hook: &str, point: HookPoint, status: HookStatus) -> Vec<Fact> {
    let outcome = match (point, status) {
        (HookPoint::AcceptGate, HookStatus::Passed) => "passed",
        (HookPoint::AcceptGate, HookStatus::Blocked) => "failed",
        _ => return Vec::new(),
    };
    let fact = |kind| Fact {
        outcome: Some(outcome.to_owned()),
        scope: Some("workspace".to_owned()),
        hook: Some(hook.to_owned()),
        ..Fact::new(kind)
    };
    vec![fact(FactKind::CommandExecuted), fact(FactKind::Verification)]
}
