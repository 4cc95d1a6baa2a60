//! What items are made of, and what each is called.

use crate::code::Failure;
use crate::ids::{CallId, MessageId};
use crate::time::Time;
use crate::tool::{EffectClass, ReceivedCall};
use crate::wire::{CallDetails, CallState, Frame, Item, ItemBody, NoticeKind, Speaker};

/// Where a new item stands.
#[derive(Clone, Copy)]
pub(super) struct ItemPosition {
    pub(super) seq: u64,
    pub(super) at: Time,
}

/// Shows an item and returns it.
pub(super) fn put(
    place: ItemPosition,
    id: Option<MessageId>,
    body: ItemBody,
    out: &mut Vec<Frame>,
) -> Option<Item> {
    let item = Item { id: id?, seq: place.seq, at: place.at, body };
    out.push(Frame::Upsert { item: Box::new(item.clone()) });
    Some(item)
}

impl Item {
    /// Whether it is a question that has no answer, and may need one.
    pub fn asks(&self) -> bool {
        matches!(self.body, ItemBody::Question { answer: None, closed: false, .. })
    }

    /// Of a question: nobody needs to answer it any more.
    pub fn close(&mut self) {
        if let ItemBody::Question { closed, .. } = &mut self.body {
            *closed = true;
        }
    }
}

/// A call as the model wrote it.
pub(super) fn call_body(call: &ReceivedCall, repaired: bool) -> ItemBody {
    let parsed = call.parsed().ok();
    ItemBody::Call {
        call_id: call.id.clone(),
        tool: call.tool_name().to_owned(),
        path: parsed.and_then(|p| p.path().cloned()),
        class: parsed.map_or(EffectClass::Read, |p| p.class),
        args: call.json().cloned().unwrap_or_else(|| call.arguments.clone().into()),
        state: CallState::Running,
        details: parsed.map(|call| CallDetails::of(call)).unwrap_or_default(),
        result: None,
        duration_ms: 0,
        diff: None,
        repaired,
    }
}

pub(super) fn message(by: Speaker, text: String) -> ItemBody {
    ItemBody::Message {
        by,
        text,
        thinking: None,
        streaming: false,
        cut: false,
        agent: None,
        files: Vec::new(),
    }
}

pub(super) fn notice(kind: NoticeKind, failure: Option<Failure>, can_resume: bool) -> ItemBody {
    ItemBody::Notice { kind, failure, parts: Vec::new(), can_resume }
}

pub(super) fn notice_id(place: ItemPosition) -> Option<MessageId> {
    MessageId::new(format!("notice-{}", place.seq)).ok()
}

pub(super) fn call_item(id: &CallId) -> Option<MessageId> {
    MessageId::new(format!("call-{id}")).ok()
}
