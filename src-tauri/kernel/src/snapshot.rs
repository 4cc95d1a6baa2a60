//! What clients read of an engine: the status line and `runtime.snapshot.get` (spec 06). Folds of
//! the journal, never cached apart from it.

use crate::code::{ErrorCode, Failure};
use crate::engine::{Core, ExecutionEngine, OpenWidget};
use crate::event::{ChangeProposed, Reason};
use crate::graph::Graph;
use crate::ids::{ConversationId, MessageId};
use crate::package::Package;
use crate::path::AliasPath;
use crate::state_doc::StateDoc;
use crate::wire::{
    ChangeView, Progress, RunView, RuntimeSnapshot, StateView, Status, StepStatus, StepView,
    WaitingWidget,
};

/// Where a conversation stands.
pub fn status(engine: &ExecutionEngine) -> Status {
    status_of(engine.conversation(), Some(&engine.env().package), engine.core())
}

/// The same for a conversation nobody works on. One without a run has no package.
pub fn status_of(id: &ConversationId, package: Option<&Package>, core: &Core) -> Status {
    Status {
        seq: core.seq.saturating_sub(1),
        run: package.and_then(|package| run_view(id, package, core)),
        steps: package.map_or_else(Vec::new, |package| steps(package, core)),
        waiting_widget: waiting(core).map(|(id, _)| id.clone()),
        usage: core.usage,
        retry: None,
        state_edit: None,
    }
}

/// The whole of it, or why there is none.
pub fn snapshot(engine: &ExecutionEngine) -> Result<RuntimeSnapshot, Failure> {
    let no_run = || Failure::new(ErrorCode::RunNotFound, "the conversation has no run");
    let core = engine.core();
    let package = &engine.env().package;
    let run = run_view(engine.conversation(), package, core).ok_or_else(no_run)?;
    let doc = core.doc.as_ref().ok_or_else(|| {
        Failure::new(ErrorCode::StateFileNotFound, "@state/workflow.md cannot be read")
    })?;
    let graph = engine.graph()?;
    let record = engine.record();
    let widget = waiting(core).map(|(message_id, open)| WaitingWidget {
        message_id: message_id.clone(),
        widget: open.asked.widget.clone(),
        change: (core.confirm.pending())
            .filter(|p| open.asked.change_id.as_ref() == Some(&p.change_id))
            .map(change_view),
    });
    let profile = if doc.is_complete(graph) { "post-completion" } else { "normal" };
    Ok(RuntimeSnapshot {
        seq: core.seq.saturating_sub(1),
        run,
        profile: profile.into(),
        state: state_view(doc, graph)?,
        progress: Progress { steps: steps(package, core) },
        facts: record.facts.clone(),
        decision: record.decision.clone(),
        widget,
        usage: core.usage,
        approvals: record.approvals.clone(),
        revisions: record.revisions.clone(),
    })
}

/// The widget the run waits for. An older one that the person passed over can still be answered,
/// but nothing waits for it.
fn waiting(core: &Core) -> Option<(&MessageId, &OpenWidget)> {
    let asked = core.reason == Some(Reason::Widget);
    core.widgets.iter().next_back().filter(|_| asked)
}

/// A pending change as people are shown it.
pub fn change_view(change: &ChangeProposed) -> ChangeView {
    ChangeView {
        id: change.change_id.clone(),
        tool: change.tool.clone(),
        path: AliasPath::state_document(),
        summary: change.summary.clone(),
        diff: change.diff.clone(),
        undoes_completion: change.undoes_completion,
    }
}

fn run_view(id: &ConversationId, package: &Package, core: &Core) -> Option<RunView> {
    let run = core.run.as_ref()?;
    Some(RunView {
        run_id: run.run_id.clone(),
        conversation_id: id.clone(),
        package_id: run.package_id.clone(),
        workflow_id: run.workflow_id.clone(),
        active_agent_id: core.effective_agent(package).unwrap_or(&run.agent_id).clone(),
        phase: core.phase,
        reason: core.reason,
        demo: run.demo,
    })
}

fn state_view(doc: &StateDoc, graph: &Graph) -> Result<StateView, Failure> {
    Ok(StateView {
        current_node_id: doc.effective_node(graph)?,
        steps_completed: doc.steps_completed().to_vec(),
        variables: doc.variables().clone(),
        decision_log: doc.decision_log().clone(),
        artifacts: doc.artifacts().to_vec(),
        sha256: doc.sha256().to_owned(),
    })
}

/// The graph's nodes with their status; completed takes precedence over current.
fn steps(package: &Package, core: &Core) -> Vec<StepView> {
    let (Ok(graph), Some(doc)) = (core.graph(package), core.doc.as_ref()) else {
        return Vec::new();
    };
    let current = doc.effective_node(graph).ok();
    (graph.execution_order().into_iter())
        .map(|node| StepView {
            id: node.id.clone(),
            title: node.label().to_owned(),
            kind: node.kind,
            status: if doc.steps_completed().contains(&node.id) {
                StepStatus::Completed
            } else if current.as_ref() == Some(&node.id) {
                StepStatus::Current
            } else {
                StepStatus::Pending
            },
        })
        .collect()
}
