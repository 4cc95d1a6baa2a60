//! What a window shows of hooks. Words that wait for a gate are what was written so far of a reply.

use super::items::{ItemPosition, put};
use crate::event::HookEnded;
use crate::hook::{HookPoint, HookStatus};
use crate::ids::MessageId;
use crate::wire::{Frame, ItemBody};

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
