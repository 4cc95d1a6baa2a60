//! What a window shows of hooks.

use super::items::{ItemPosition, message, put};
use crate::event::{CandidateHeld, HookEnded};
use crate::hook::{HookPoint, HookStatus};
use crate::ids::MessageId;
use crate::wire::{Frame, ItemBody, Speaker};

/// Words that wait for the gates stand where they were written; the judgement takes their place when
/// they are not accepted.
pub(super) fn held(place: ItemPosition, e: &CandidateHeld, out: &mut Vec<Frame>) {
    let mut body = message(Speaker::Assistant, e.reply.text.clone());
    if let ItemBody::Message { agent, thinking, .. } = &mut body {
        *agent = e.agent_id.as_ref().map(ToString::to_string);
        thinking.clone_from(&e.reply.thinking);
    }
    put(place, Some(e.message_id.clone()), body, out);
}

/// A gate is always told, another hook when it had something to say.
pub(super) fn hook_ended(place: ItemPosition, e: &HookEnded, out: &mut Vec<Frame>) {
    let silent = e.status == HookStatus::Passed && e.output.is_empty();
    if silent && e.point != HookPoint::AcceptGate {
        return;
    }
    let body = ItemBody::Hook {
        name: e.hook.clone(),
        point: e.point,
        status: e.status,
        output: e.output.clone(),
        failure: e.failure.clone(),
        duration_ms: e.duration_ms,
        tool: e.subject.tool.clone(),
    };
    put(place, MessageId::new(format!("hook-{}", place.seq)).ok(), body, out);
}
