//! What is wanted, and the request to the model.

use std::collections::BTreeSet;

use super::core::{Activity, CallStatus, Core, QueuedCall};
use super::machine::ExecutionEngine;
use super::rules::{CallRules, must_ask};
use crate::code::Failure;
use crate::effect::{EffectId, Think};
use crate::event::Phase;
use crate::hook::DueHook;
use crate::policy::ToolPolicy;
use crate::tool::{self, EffectClass};

impl Core {
    /// True when nothing is going on and nothing is left to be done: it is the person's move.
    pub fn is_at_rest(&self) -> bool {
        self.phase != Phase::Running && wanted(self, None).is_empty()
    }

    /// True when all that may still be going on are commands of the person that look on: nobody waits
    /// for them.
    pub(super) fn rests_but_for_hooks(&self) -> bool {
        let looks_on = |effect: &EffectId| matches!(effect, EffectId::Hook(_));
        self.phase != Phase::Running && wanted(self, None).iter().all(looks_on)
    }
}

/// See [`ExecutionEngine::wanted`].
pub(super) fn wanted(core: &Core, rules: Option<&CallRules>) -> BTreeSet<EffectId> {
    let mut wanted = BTreeSet::new();
    if core.compaction_due.is_some() {
        wanted.insert(EffectId::Compact(core.requests + 1));
    }
    let mirror = core.unmirrored();
    if let Some(doc) = mirror
        && !core.mirror_blocked
    {
        wanted.insert(EffectId::Mirror(doc.sha256().to_owned()));
    }
    wanted.extend(core.by_person.iter().map(|it| it.wanted()));
    for queued in &core.queue {
        match queued.status {
            // Also after Stop: a write in flight finishes.
            CallStatus::Began(_) => _ = wanted.insert(EffectId::Perform(queued.call.id.clone())),
            CallStatus::InDoubt(_) => _ = wanted.insert(EffectId::Settle(queued.call.id.clone())),
            CallStatus::Delegated if core.phase == Phase::Running => {
                wanted.insert(EffectId::Delegate(queued.call.id.clone()));
            }
            CallStatus::Waiting | CallStatus::Delegated => {}
            CallStatus::Recalled => _ = wanted.insert(EffectId::Recall(queued.call.id.clone())),
        }
    }
    // While the person is asked about one call, the hooks of the others go on.
    let works = core.phase == Phase::Running || core.approvals.asked().is_some();
    let wait = |due: &&DueHook| due.point.is_waited_for() && !works;
    wanted.extend(core.hooks.iter().filter(|due| !wait(due)).map(|due| EffectId::Hook(due.number)));
    if core.phase == Phase::Running {
        // Nothing is read or asked while the person brings files back, or the state document on disk is
        // older than the accepted one, and two versions of it are never on their way at once.
        match core.activity {
            _ if mirror.is_some() || core.by_person.is_some() => {}
            Activity::Thinking if core.held.is_some() || core.compaction_due.is_some() => {}
            Activity::Thinking => _ = wanted.insert(EffectId::Think(core.requests + 1)),
            Activity::Acting => wanted.extend(next_calls(core, rules)),
            Activity::Resting => {}
        }
    }
    wanted
}

/// The reading calls at the head of the queue together, or one mutating call alone. Calls that
/// the kernel answers itself never stay at the head (see `decide::advance`).
fn next_calls(core: &Core, rules: Option<&CallRules>) -> Vec<EffectId> {
    let policy = rules.map(|rules| &rules.policy);
    let mut calls = Vec::new();
    for queued in &core.queue {
        if queued.status != CallStatus::Waiting || core.is_held(&queued.call.id) {
            break;
        }
        match host_class(core, queued, policy) {
            // What it brings in may leave less for the calls behind it.
            Some(EffectClass::Read) if activates_a_skill(queued) => {
                if calls.is_empty() {
                    calls.push(EffectId::Perform(queued.call.id.clone()));
                }
                break;
            }
            Some(EffectClass::Read) => calls.push(EffectId::Perform(queued.call.id.clone())),
            Some(class) if calls.is_empty() => {
                let id = queued.call.id.clone();
                calls.push(match class {
                    EffectClass::WriteState if !core.restores(queued) => EffectId::Look(id),
                    _ if must_be_shown(core, rules, queued) => EffectId::Preview(id),
                    _ => EffectId::Prepare(id),
                });
                break;
            }
            Some(_) | None => break,
        }
    }
    calls
}

fn activates_a_skill(queued: &QueuedCall) -> bool {
    tool::find(&queued.call.name).is_some_and(|tool| tool.name == tool::skill_activate::NAME)
}

/// Whether the person has to see what a call would do before it may begin.
fn must_be_shown(core: &Core, rules: Option<&CallRules>, queued: &QueuedCall) -> bool {
    let both = rules.zip(queued.call.parsed().ok());
    both.is_some_and(|(rules, parsed)| must_ask(core, rules, &queued.call.id, parsed))
}

/// The effect class of a call the host has to run; `None` when the kernel answers it itself.
pub(super) fn host_class(
    core: &Core,
    queued: &QueuedCall,
    policy: Option<&ToolPolicy>,
) -> Option<EffectClass> {
    let parsed = queued.call.parsed().ok()?;
    if !parsed.is_offered(policy?) {
        return None;
    }
    if tool::out_of_scope(policy?, parsed).is_some() {
        return None;
    }
    match parsed.class {
        // A rewind that brings files back.
        class if !core.to_restore(parsed).is_empty() => Some(class),
        // A change that lists files: somebody has to look whether they are there.
        class @ EffectClass::WriteState if !core.claims(parsed).is_empty() => Some(class),
        EffectClass::WriteState | EffectClass::Session | EffectClass::Delegate => None,
        class @ (EffectClass::Read | EffectClass::WriteProject | EffectClass::External) => {
            Some(class)
        }
    }
}

/// The same with what the settings say: a conversation that is too long for its model is made shorter
/// before the request is built.
pub(super) fn wanted_of(engine: &ExecutionEngine) -> BTreeSet<EffectId> {
    let mut wanted = wanted(&engine.core, engine.rules().as_ref());
    let request = engine.core.requests + 1;
    if wanted.contains(&EffectId::Think(request)) && engine.is_to_be_compacted() {
        wanted.remove(&EffectId::Think(request));
        wanted.insert(EffectId::Compact(request));
    }
    wanted
}

/// Builds the request that is due.
pub(super) fn think(engine: &ExecutionEngine) -> Result<Think, Failure> {
    let policy = engine.known_policy()?;
    let request = engine.request(&policy)?;
    if engine.core.task.is_some() {
        return Ok(Think { request, state_sha256: None, written: Vec::new(), policy });
    }
    let state_sha256 = engine.core.doc.as_ref().map(|doc| doc.sha256().to_owned());
    Ok(Think { request, state_sha256, written: engine.written(), policy })
}
