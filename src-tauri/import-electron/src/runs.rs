//! `runsIndex.json`: where a run stands, and whether it can go on.

use kernel::chat::Role;
use kernel::code::{ErrorCode, Failure};
use kernel::event::{ImportedRun, MessageImported, Phase, Reason};
use kernel::ids::{AgentId, PackageId, RunId, WorkflowId};
use kernel::package::Workflow;
use kernel::phrase::imports as said;
use kernel::state_doc::{StateDoc, check_user_edit};
use kernel::time::Time;
use serde_json::Value;

use crate::entries::{id, object, text, time};
use crate::problem::ImportProblem;

/// The five phases, in either of the two vocabularies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OldPhase {
    /// It was at work when the old program ended, or before it began.
    Interrupted,
    /// It was the person's move.
    Waiting,
    /// It had ended.
    Completed,
    /// A request had failed.
    Failed,
}

/// An entry of `runsIndex.json`.
#[derive(Debug, Clone, PartialEq)]
pub struct OldRun {
    /// Its id.
    pub id: RunId,
    /// Its package, by the old id.
    pub package_id: Option<String>,
    /// Which workflow of it; absent when the package has one.
    pub workflow_ref: Option<String>,
    /// The run's own agent.
    pub agent_id: Option<String>,
    /// Where it stood.
    pub phase: OldPhase,
    /// When it was made.
    pub created_at: Time,
    /// When something last happened.
    pub updated_at: Option<Time>,
}

impl OldRun {
    /// One that no index knows.
    pub fn unlisted(id: RunId, created_at: Time) -> Self {
        let (package_id, workflow_ref, agent_id) = (None, None, None);
        let (phase, updated_at) = (OldPhase::Waiting, None);
        Self { id, package_id, workflow_ref, agent_id, phase, created_at, updated_at }
    }
}

/// Reads one entry; `now` stands in for a missing time. The second value is what was repaired.
///
/// # Errors
/// The [`ImportProblem`] that keeps it from being taken over.
pub fn run(
    value: &Value,
    listed_as: Option<&str>,
    place: &str,
    now: Time,
) -> Result<(OldRun, Option<ImportProblem>), ImportProblem> {
    let map = object(value, place)?;
    let id: RunId = id(map, &["runId", "id"], listed_as, place)?;
    let owned = |names: &[&str]| text(map, names).map(str::to_owned);
    let phase = text(map, &["phase"]).and_then(phase);
    let note = phase.is_none().then(|| ImportProblem::changed(id.as_str(), said::run_phase()));
    let updated_at = time(map, &["lastUpdatedAt", "updatedAt"]);
    let run = OldRun {
        id,
        package_id: owned(&["packageId"]),
        workflow_ref: owned(&["workflowRef", "workflowId"]),
        agent_id: owned(&["activeAgentId", "agentId"]),
        phase: phase.unwrap_or(OldPhase::Waiting),
        created_at: time(map, &["createdAt"]).or(updated_at).unwrap_or(now),
        updated_at,
    };
    Ok((run, note))
}

fn phase(text: &str) -> Option<OldPhase> {
    Some(match text.to_ascii_lowercase().replace(['-', '_'], "").as_str() {
        "idle" | "running" => OldPhase::Interrupted,
        "waitinguser" => OldPhase::Waiting,
        "completed" => OldPhase::Completed,
        "failed" => OldPhase::Failed,
        _ => return None,
    })
}

/// What a run is pinned to, found among the packages installed here.
#[derive(Debug, Clone)]
pub struct Pinned<'a> {
    /// The package's id here.
    pub package_id: PackageId,
    /// Its workflow.
    pub workflow: &'a Workflow,
    /// Its agent.
    pub agent_id: AgentId,
}

/// The run as it goes into the journal. Without its package, or with a state document that a
/// person's edit could not be (spec 03), it is kept to be read: `locked` says why.
pub fn placed(
    old: &OldRun,
    pinned: Result<Pinned<'_>, Failure>,
    state: Result<String, Failure>,
    messages: &[MessageImported],
    artifacts_dir: &str,
) -> ImportedRun {
    let judged = pinned.as_ref().map_err(Clone::clone).and_then(|pinned| {
        let text = state.as_ref().map_err(Clone::clone)?;
        let doc = check_user_edit(None, text, &pinned.workflow.graph)?;
        let node = doc.effective_node(&pinned.workflow.graph)?;
        Ok((doc.is_complete(&pinned.workflow.graph), node))
    });
    let (phase, reason) =
        stands(old.phase, &judged.as_ref().map(|(complete, _)| *complete), messages);
    let pinned = pinned.ok();
    let named = |text: Option<&String>| text.map_or("unknown", String::as_str).to_owned();
    let workflow_id = pinned.as_ref().map(|p| p.workflow.id.clone());
    ImportedRun {
        run_id: old.id.clone(),
        package_id: pinned.as_ref().map_or_else(
            || valid(&named(old.package_id.as_ref()), PackageId::new),
            |pinned| pinned.package_id.clone(),
        ),
        workflow_id: workflow_id
            .unwrap_or_else(|| valid(&named(old.workflow_ref.as_ref()), WorkflowId::new)),
        agent_id: pinned.as_ref().map_or_else(
            || valid(&named(old.agent_id.as_ref()), AgentId::new),
            |pinned| pinned.agent_id.clone(),
        ),
        title: pinned.map_or_else(
            || named(old.workflow_ref.as_ref()),
            |pinned| pinned.workflow.display_name.clone(),
        ),
        artifacts_dir: artifacts_dir.to_owned(),
        state: state.ok().filter(|text| StateDoc::parse(text).is_ok()),
        node_id: judged.as_ref().ok().map(|(_, node)| node.clone()),
        phase,
        reason,
        created_at: old.created_at,
        locked: judged.err().map(|why| locked(&old.id, why)),
    }
}

/// From the state document and the graph, never from what was said (spec 03
/// "Completion"). A run that
/// was at work, or whose next move was the model's, is left running: the journal's last line finds
/// it interrupted.
fn stands(
    old: OldPhase,
    complete: &Result<bool, &Failure>,
    messages: &[MessageImported],
) -> (Phase, Option<Reason>) {
    let waits = |reason| (Phase::WaitingUser, Some(reason));
    match (old, complete) {
        (_, Ok(true)) | (OldPhase::Completed, Err(_)) => {
            (Phase::Completed, Some(Reason::Completed))
        }
        (_, Err(_)) => (Phase::Failed, Some(Reason::Failed)),
        // A request that failed can be made again.
        (OldPhase::Failed, Ok(false)) => waits(Reason::Failed),
        (OldPhase::Interrupted, Ok(false)) => (Phase::Running, None),
        (OldPhase::Waiting | OldPhase::Completed, Ok(false)) => match waits_for(messages) {
            Reason::Interrupted => (Phase::Running, None),
            reason => waits(reason),
        },
    }
}

/// Whose move it is, by the last message that a model saw or that asks the person something.
fn waits_for(messages: &[MessageImported]) -> Reason {
    let asks = |m: &MessageImported| m.question().is_some() && m.answer().is_none();
    match messages.iter().rev().find(|m| m.in_context() || asks(m)) {
        Some(last) if asks(last) => Reason::Widget,
        Some(last) if last.role == Role::Assistant && last.tool_calls.is_empty() => {
            Reason::Answered
        }
        _ => Reason::Interrupted,
    }
}

fn locked(run: &RunId, why: Failure) -> Failure {
    let message = said::run_read_only(run, why.to_part());
    let failure = Failure::new(ErrorCode::ImportReadOnly, message)
        .with_details(serde_json::json!({ "code": why.code }));
    Failure { action: why.action, advice: why.advice, ..failure }
}

/// An id that was only written down stays readable, or becomes `unknown`.
fn valid<T, E>(text: &str, parse: impl Fn(String) -> Result<T, E>) -> T {
    parse(text.to_owned())
        .or_else(|_| parse("unknown".to_owned()))
        .unwrap_or_else(|_| unreachable!("`unknown` is a valid id"))
}
