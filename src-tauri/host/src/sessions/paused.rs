//! Work that stops without a line in the journal: what windows are shown, and when another program
//! wants it.

use kernel::code::Failure;
use kernel::event::Phase;
use kernel::ids::MessageId;
use kernel::time::Time;
use kernel::wire::{Frame, Item, ItemBody, NoticeKind, Status};

use crate::store::Lease;

/// What windows are shown of work that stopped because no line can be written.
pub(super) fn frames(failure: Failure, seq: u64, at: Time, mut status: Status) -> Vec<Frame> {
    let Ok(id) = MessageId::new("store-error") else { return Vec::new() };
    let body = ItemBody::Notice {
        kind: NoticeKind::StoreError,
        failure: Some(failure),
        parts: Vec::new(),
        can_resume: true,
    };
    if let Some(run) = &mut status.run {
        run.phase = Phase::WaitingUser;
    }
    let item = Box::new(Item { id, seq, at, body });
    vec![Frame::Upsert { item }, Frame::Status { status: Box::new(status) }]
}

/// Returns when another program wants the work to stop; never while nothing is going on.
pub(super) async fn stop_asked(lease: Option<&Lease>) {
    match lease {
        Some(lease) => lease.stop_asked().await,
        None => std::future::pending().await,
    }
}
