//! Which hooks of the person an event makes due, and what events make of those that are
//! (spec 06 "Hooks").

use std::sync::Arc;

use super::core::Core;
use crate::event::{CallEnded, DecisionStatus, Event, HookEnded, HooksDue, Phase, Reason};
use crate::hook::{self, DueHook, GateAnswer, HookPoint, HookRule, HookSubject};
use crate::ids::{CallId, NodeId};
use crate::tool::{CallResult, ReceivedCall};
use crate::widget::TOOL_APPROVAL;

/// The hooks that an event makes due. `core` has folded it; the run was on `before` until then, and
/// over or not.
pub(super) fn after(
    core: &Core,
    rules: &[HookRule],
    event: &Event,
    before: Option<&NodeId>,
    was_over: bool,
) -> Option<HooksDue> {
    // What a sub-agent does is the run's: only its calls are looked at one by one.
    let of_call = matches!(event, Event::CallEnded(_));
    if core.task.is_some() && !of_call {
        return None;
    }
    let (point, subject) = match event {
        Event::RunStarted(_) => (HookPoint::RunStart, subject(core)),
        Event::StateChanged(e) if e.enters(before) && core.ended.is_none() => {
            (HookPoint::NodeEntered, subject(core))
        }
        Event::CallEnded(e) => (HookPoint::AfterToolResult, of_result(core, e)),
        Event::DecisionMade(_) => (HookPoint::BeforeCompletionDecision, subject(core)),
        Event::TurnFinished(e) if e.phase == Phase::Completed && !was_over => {
            (HookPoint::RunEnd, subject(core))
        }
        _ => return None,
    };
    at(core, rules, point, subject)
}

/// The hooks of a point; `None` when there are none.
pub(super) fn at(
    core: &Core,
    rules: &[HookRule],
    point: HookPoint,
    subject: HookSubject,
) -> Option<HooksDue> {
    let of_point = hook::at(rules, point, subject.tool.as_deref());
    let hooks: Vec<String> = of_point.map(|rule| rule.name.clone()).collect();
    let first = core.hooks_counted + 1;
    (!hooks.is_empty()).then_some(HooksDue { point, hooks, first, subject })
}

/// What a hook is run for that is about no call.
pub(super) fn subject(core: &Core) -> HookSubject {
    let (node_id, workflow_id) = (core.node.clone(), core.nesting.active.clone());
    HookSubject { node_id, workflow_id, ..HookSubject::default() }
}

/// What a hook is run for before a call.
pub(super) fn before_call(core: &Core, call: &ReceivedCall) -> HookSubject {
    let tool = Some(call.tool_name().to_owned());
    HookSubject { tool, call_id: Some(call.id.clone()), ..subject(core) }
}

fn of_result(core: &Core, e: &CallEnded) -> HookSubject {
    HookSubject {
        call_id: Some(e.call_id.clone()),
        tool: Some(e.tool.clone()),
        ok: Some(e.ok),
        code: CallResult::of(&e.result).code().map(str::to_owned),
        ..subject(core)
    }
}

impl Core {
    /// Whether a call waits for what a hook says.
    pub(super) fn is_held(&self, call: &CallId) -> bool {
        self.hooks.iter().any(|due| due.holds(call))
    }

    /// Folds what an event means for hooks.
    pub(super) fn apply_to_hooks(&mut self, event: &Event) {
        match event {
            Event::HooksDue(e) => self.hooks_due(e),
            Event::HookEnded(e) => self.hook_ended(e),
            // Calls after it may wait for their hooks; the turn ends with the question all the same.
            Event::WidgetAsked(e) => {
                self.asking |= e.widget.widget_id != TOOL_APPROVAL && !e.widget.is_of_server();
            }
            Event::CandidateHeld(e) => self.held = Some(Arc::new((**e).clone())),
            Event::ModelReplied(_) | Event::ModelFailed(_) | Event::CandidateRejected(_) => {
                self.held = None;
                self.hooks.retain(|due| due.point != HookPoint::AcceptGate);
            }
            Event::CallEnded(e) => self.hooks.retain(|due| !due.holds(&e.call_id)),
            Event::DecisionMade(e) if e.decision.status == DecisionStatus::Accepted => {
                self.gates = Arc::default();
            }
            Event::CandidateAccepted(_) => self.gates = Arc::default(),
            Event::TurnFinished(e) => {
                self.over = e.phase == Phase::Completed;
                if e.reason == Reason::Stopped {
                    self.hooks.clear();
                }
            }
            _ => {}
        }
    }

    fn hooks_due(&mut self, e: &HooksDue) {
        if e.point == HookPoint::AcceptGate {
            self.gates = Arc::default();
            self.gated_at = self.seq;
        }
        for (number, hook) in (e.first..).zip(&e.hooks) {
            let (hook, point, subject) = (hook.clone(), e.point, e.subject.clone());
            self.hooks.push(DueHook { number, hook, point, subject });
            self.hooks_counted = number;
        }
    }

    fn hook_ended(&mut self, e: &HookEnded) {
        self.hooks.retain(|due| due.number != e.number);
        if e.point == HookPoint::AcceptGate {
            let (hook, status, output) = (e.hook.clone(), e.status, e.output.clone());
            Arc::make_mut(&mut self.gates).push(GateAnswer { hook, status, output });
        }
    }
}
