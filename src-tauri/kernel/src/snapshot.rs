//! What clients read of an engine: the status line and `runtime.snapshot.get` (spec 06). Folds of
//! the journal, never cached apart from it.

use std::collections::BTreeSet;

use crate::bounds::FACTS_IN_SNAPSHOT;
use crate::changed_files::{EffectKind, FileEffect};
use crate::code::{ErrorCode, Failure};
use crate::engine::{Caller, Core, ExecutionEngine, OpenWidget};
use crate::event::{ChangeProposed, Phase, Reason};
use crate::graph::Graph;
use crate::ids::{ConversationId, MessageId, NodeId, WorkflowId};
use crate::mode::Mode;
use crate::package::Package;
use crate::path::AliasPath;
use crate::phrase::engine as said;
use crate::state_doc::{StateDoc, artifact_path};
use crate::wire::{
    CalledWorkflow, ChangeEffect, ChangeView, Progress, RewindUnderWay, RunView, RuntimeSnapshot,
    SkillAtWork, Standing, StateView, Status, StepView, SubagentView, TakenWay, TalkView, TodoList,
    UndoableRewind, WaitingStep, WaitingWidget,
};

/// Where a conversation stands.
pub fn status(engine: &ExecutionEngine) -> Status {
    status_of(engine.conversation(), Some(engine.run_package()), engine.core())
}

/// The same for a conversation nobody works on. One without a run has no package.
pub fn status_of(id: &ConversationId, package: Option<&Package>, core: &Core) -> Status {
    let of_run = core.of_the_run();
    Status {
        seq: core.seq.saturating_sub(1),
        run: package.and_then(|package| run_view(id, package, &of_run)),
        talk: talk(core),
        steps: package.map_or_else(Vec::new, |package| steps(package, &of_run)),
        called: package.and_then(|package| called(package, &of_run)),
        undo: package.filter(|_| core.aside.is_none()).and_then(|package| undo(package, &of_run)),
        waiting_widget: waiting(core).first().map(|(id, _)| (*id).clone()),
        waiting_widgets: waiting(core).into_iter().map(|(id, _)| id.clone()).collect(),
        grants: core.approvals.grants().to_vec(),
        usage: core.usage,
        usage_by_model: core.usage_by_model.clone(),
        todos: core.todos.summary(),
        waits_for: waits_for(core),
        subagents: subagents(core),
        server: None,
        skills: core.skills.iter().map(|skill| SkillAtWork::from(&**skill)).collect(),
        context: None,
        retry: None,
        state_edit: None,
    }
}

/// The whole of it.
///
/// # Errors
/// `RUN_NOT_FOUND` without a run, `NOT_NOW` of a sub-agent's conversation, `STATE_FILE_NOT_FOUND` when its state document cannot be read.
pub fn snapshot(engine: &ExecutionEngine) -> Result<RuntimeSnapshot, Failure> {
    let core = &*engine.core().of_the_run();
    let no_run = || match core.task {
        None => Failure::new(ErrorCode::RunNotFound, said::has_no_run()),
        Some(_) => Failure::new(ErrorCode::NotNow, said::only_the_run_talks())
            .with_action(said::talk_to_the_run()),
    };
    let package = engine.run_package();
    let run = run_view(engine.conversation(), package, core).ok_or_else(no_run)?;
    let doc = core
        .doc
        .as_ref()
        .ok_or_else(|| Failure::new(ErrorCode::StateFileNotFound, said::state_unreadable()))?;
    let graph = core.graph(package)?;
    let record = engine.record();
    let earlier_facts = record.facts.len().saturating_sub(FACTS_IN_SNAPSHOT);
    let profile = if doc.is_complete(graph) { "post-completion" } else { "normal" };
    Ok(RuntimeSnapshot {
        seq: core.seq.saturating_sub(1),
        run,
        profile: profile.into(),
        state: state_view(doc, graph, &core.found)?,
        progress: progress(package, core),
        undo: undo(package, core),
        going_back: core.going_back().map(|asked| RewindUnderWay {
            target: asked.target.clone(),
            reason: asked.reason.clone(),
        }),
        todos: todos_of(core),
        subagents: subagents(core),
        facts: record.facts[earlier_facts..].to_vec(),
        earlier_facts,
        obligations: engine.open_obligations(),
        decision: record.decision.clone(),
        rejected: rejected(engine),
        widget: waiting(core).first().map(|(id, widget)| widget_view(core, id, widget)),
        widgets: open(core).into_iter().map(|(id, widget)| widget_view(core, id, widget)).collect(),
        grants: core.approvals.grants().to_vec(),
        usage: core.usage,
        usage_by_model: core.usage_by_model.clone(),
        context: engine.context_usage(),
        approvals: record.approvals.clone(),
        revisions: record.revisions.clone(),
        changes: changes(engine),
    })
}

/// The talk outside of a run that the conversation is.
fn talk(core: &Core) -> Option<TalkView> {
    if core.workplace.is_none() || core.mode == Mode::Run {
        return None;
    }
    // Before something was said nobody waits for the person.
    let phase = if core.phase == Phase::WaitingUser && core.reason.is_none() {
        Phase::Idle
    } else {
        core.phase
    };
    Some(TalkView { with: core.mode.clone(), phase, reason: core.reason })
}

/// Where a conversation stands, for who answers it.
pub fn standing(engine: &ExecutionEngine) -> Standing {
    let core = engine.core();
    Standing {
        seq: core.seq.saturating_sub(1),
        with: core.mode.clone(),
        demo: core.plays_demo(),
        phase: core.phase,
        reason: core.reason,
        widget: waiting(core).first().map(|(id, widget)| widget_view(core, id, widget)),
        widgets: open(core).into_iter().map(|(id, widget)| widget_view(core, id, widget)).collect(),
        grants: core.approvals.grants().to_vec(),
        todos: todos_of(core),
        changes: changes(engine),
        context: engine.context_usage(),
    }
}

/// What the run changed in all, and what of it a check says.
fn changes(engine: &ExecutionEngine) -> Vec<FileEffect> {
    let evidence = &engine.record().evidence;
    let mut changes = engine.core().files.effects();
    for change in &mut changes {
        let known = evidence.of(&change.path).filter(|_| change.kind != EffectKind::Deleted);
        change.verified = known.is_some_and(|known| evidence.is_verified(known));
    }
    changes
}

/// The sub-agents that are remembered.
fn subagents(core: &Core) -> Vec<SubagentView> {
    core.subagents.all().iter().map(SubagentView::from).collect()
}

/// The hooks that the run waits for.
fn waits_for(core: &Core) -> Vec<String> {
    let waited_for = core.hooks.iter().filter(|due| due.point.is_waited_for());
    waited_for.filter(|_| core.phase == Phase::Running).map(|due| due.hook.clone()).collect()
}

/// The message whose words were not accepted and may be let stand.
fn rejected(engine: &ExecutionEngine) -> Option<MessageId> {
    let rejected = engine.record().rejected.as_ref();
    let open = rejected.filter(|_| engine.core().reason == Some(Reason::NotAccepted));
    open.map(|rejected| rejected.message_id.clone())
}

/// `session.todos.list`: the todos of the run.
fn todos_of(core: &Core) -> TodoList {
    let (items, summary) = (core.todos.items().to_vec(), core.todos.summary());
    TodoList { seq: core.seq.saturating_sub(1), items, summary }
}

/// The widgets the run waits for: those of the newest reply. Older ones that the person passed
/// over can still be answered, but nothing waits for them.
fn waiting(core: &Core) -> Vec<(&MessageId, &OpenWidget)> {
    let mut widgets = open(core);
    let newest = widgets.iter().map(|(_, widget)| widget.request).max();
    let asked = core.reason == Some(Reason::Widget);
    widgets.retain(|(_, widget)| asked && Some(widget.request) == newest);
    widgets
}

/// Every widget that can be answered, in the order they were asked.
fn open(core: &Core) -> Vec<(&MessageId, &OpenWidget)> {
    let mut widgets: Vec<_> = core.widgets.iter().collect();
    widgets.sort_by_key(|(_, widget)| widget.seq);
    widgets
}

fn widget_view(core: &Core, message_id: &MessageId, widget: &OpenWidget) -> WaitingWidget {
    let changes = [core.confirm.pending(), core.approvals.asked()];
    let bound = |c: &&ChangeProposed| widget.asked.change_id.as_ref() == Some(&c.change_id);
    WaitingWidget {
        message_id: message_id.clone(),
        widget: widget.asked.widget.clone(),
        change: changes.into_iter().flatten().find(bound).map(change_view),
    }
}

/// A pending change as people are shown it.
pub fn change_view(change: &ChangeProposed) -> ChangeView {
    let restore = change.restore.as_deref().cloned().unwrap_or_default();
    ChangeView {
        id: change.change_id.clone(),
        tool: change.tool.clone(),
        path: change.path.clone().unwrap_or_else(AliasPath::state_document),
        effect: ChangeEffect::of(change),
        back_to: change.back_to.clone(),
        summary: change.summary.clone(),
        parts: change.parts.clone(),
        diff: change.diff.clone(),
        undoes_completion: change.undoes_completion,
        files: restore.files,
        conflicts: restore.conflicts,
        call_id: change.call_id.clone(),
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
        ended: core.ended.clone(),
    })
}

fn state_view(
    doc: &StateDoc,
    graph: &Graph,
    found: &BTreeSet<AliasPath>,
) -> Result<StateView, Failure> {
    let is_found = |entry: &&String| artifact_path(entry).is_some_and(|path| found.contains(&path));
    Ok(StateView {
        current_node_id: doc.effective_node(graph)?,
        steps_completed: doc.steps_completed().to_vec(),
        variables: doc.variables().clone(),
        decision_log: doc.decision_log().clone(),
        artifacts: doc.artifacts().to_vec(),
        found: doc.artifacts().iter().filter(is_found).cloned().collect(),
        sha256: doc.sha256().to_owned(),
    })
}

/// How far the run is in its graph.
pub fn progress(package: &Package, core: &Core) -> Progress {
    let reason = |from: &NodeId, to: &NodeId| core.doc.as_ref()?.reason(from, to);
    let ways = core.walked.iter().map(|(from, to)| TakenWay {
        from: from.clone(),
        to: to.clone(),
        reason: reason(from, to).map(str::to_owned),
    });
    Progress { steps: steps(package, core), ways: ways.collect(), called: called(package, core) }
}

/// The last rewind, while it can be undone.
pub fn undo(package: &Package, core: &Core) -> Option<UndoableRewind> {
    let before = core.before_rewind.as_ref()?;
    let graph = &package.workflow(&core.workflow_before(before)?)?.graph;
    let (node_id, title) = (before.node.clone(), graph.label(&before.node).to_owned());
    Some(UndoableRewind { node_id, title })
}

/// The workflow that is worked on, when another one called it.
fn called(package: &Package, core: &Core) -> Option<CalledWorkflow> {
    let title = |id: &WorkflowId| {
        let workflow = package.workflow(id);
        workflow.map_or(id.as_str(), |workflow| &workflow.display_name).to_owned()
    };
    let waiting = |(depth, caller): (usize, &Caller)| {
        let workflow = package.workflow(&caller.workflow_id);
        let node = |id: &NodeId| workflow.map_or(id.as_str(), |it| it.graph.label(id)).to_owned();
        let steps = workflow.and_then(|workflow| caller.step_count(&workflow.graph));
        WaitingStep {
            workflow_id: caller.workflow_id.clone(),
            workflow: title(&caller.workflow_id),
            node_id: caller.node_id.clone(),
            title: node(&caller.node_id),
            steps: steps.unwrap_or_default(),
            is_meant: core.depth_of(&caller.node_id) == depth,
        }
    };
    let callers: Vec<WaitingStep> = core.nesting.callers().enumerate().map(waiting).collect();
    let workflow_id = core.active_workflow().filter(|_| !callers.is_empty())?.clone();
    Some(CalledWorkflow { title: title(&workflow_id), workflow_id, callers })
}

fn steps(package: &Package, core: &Core) -> Vec<StepView> {
    match (core.graph(package), core.doc.as_ref()) {
        (Ok(graph), Some(doc)) => steps_of(graph, doc),
        _ => Vec::new(),
    }
}

/// The graph's nodes with their status; completed takes precedence over current.
fn steps_of(graph: &Graph, doc: &StateDoc) -> Vec<StepView> {
    let status = doc.standing(graph);
    (graph.execution_order().into_iter())
        .map(|node| StepView {
            id: node.id.clone(),
            title: node.label().to_owned(),
            kind: node.kind,
            status: status(&node.id),
        })
        .collect()
}

#[cfg(test)]
mod tests;
