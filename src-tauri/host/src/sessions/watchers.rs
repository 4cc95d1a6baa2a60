//! Who is looking at which conversation. Outlives runners, so that a window keeps watching while
//! a conversation rests.

use kernel::code::Failure;
use kernel::event::Line;
use kernel::ids::ConversationId;
use kernel::wire::Frame;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

use crate::own_writes::OwnWrites;

/// Where a follower's lines go; a failure when the work stopped without a line.
pub(crate) type Follower = UnboundedSender<Result<Arc<Line>, Failure>>;

/// The lists. The lock is held for a push at a time, never across an await.
#[derive(Default)]
pub(crate) struct Watchers {
    lists: Mutex<BTreeMap<ConversationId, Lists>>,
    /// What runs wrote: no news for whoever watches a project.
    pub(crate) own: OwnWrites,
}

#[derive(Default)]
struct Lists {
    frames: Vec<Watcher>,
    lines: Vec<Follower>,
    /// Cancelled when the conversation is no more.
    gone: CancellationToken,
}

struct Watcher {
    frames: UnboundedSender<Frame>,
    /// Where the journal went on when it began to watch.
    next_seq: u64,
}

impl Watchers {
    /// Adds a watcher and sends it the last page first, which ends before `next_seq`.
    pub(crate) fn add(
        &self,
        conversation: &ConversationId,
        watcher: UnboundedSender<Frame>,
        next_seq: u64,
        whole: Frame,
        so_far: Option<Frame>,
    ) {
        let mut frames = std::iter::once(whole).chain(so_far);
        if frames.all(|frame| watcher.send(frame).is_ok()) {
            let watcher = Watcher { frames: watcher, next_seq };
            self.with(conversation, |lists| lists.frames.push(watcher));
        }
    }

    /// True when somebody began to watch before the journal went on with `next_seq`, and nobody
    /// has shown them what came in between.
    pub(crate) fn are_behind(&self, conversation: &ConversationId, next_seq: u64) -> bool {
        let mut behind = false;
        self.with(conversation, |lists| {
            behind = lists.frames.iter().any(|watcher| watcher.next_seq < next_seq);
        });
        behind
    }

    /// Sends the last page, which ends before `next_seq`, to those who are behind.
    pub(crate) fn renew(&self, conversation: &ConversationId, next_seq: u64, whole: &Frame) {
        self.with(conversation, |lists| {
            for watcher in lists.frames.iter_mut().filter(|w| w.next_seq < next_seq) {
                watcher.next_seq = next_seq;
                // Who is gone is dropped with the next frame.
                _ = watcher.frames.send(whole.clone());
            }
        });
    }

    /// Adds a follower of lines and sends it those it missed first.
    pub(crate) fn follow(
        &self,
        conversation: &ConversationId,
        follower: Follower,
        missed: Vec<Line>,
    ) {
        if missed.into_iter().all(|line| follower.send(Ok(Arc::new(line))).is_ok()) {
            self.with(conversation, |lists| lists.lines.push(follower));
        }
    }

    /// Whether anybody watches the frames of a conversation.
    pub(crate) fn are_there(&self, conversation: &ConversationId) -> bool {
        let lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        lists.get(conversation).is_some_and(|of| !of.frames.is_empty())
    }

    /// Sends frames to everybody; who is gone is dropped.
    pub(crate) fn show(&self, conversation: &ConversationId, frames: &[Frame]) {
        self.with(conversation, |lists| {
            lists
                .frames
                .retain(|w| frames.iter().all(|frame| w.frames.send(frame.clone()).is_ok()));
        });
    }

    /// Sends a line to everybody; who is gone is dropped.
    pub(crate) fn tell(&self, conversation: &ConversationId, line: &Arc<Line>) {
        self.with(conversation, |lists| {
            lists.lines.retain(|follower| follower.send(Ok(Arc::clone(line))).is_ok());
        });
    }

    /// Tells the followers of lines that the work stopped and no line could say so.
    pub(crate) fn work_paused(&self, conversation: &ConversationId, failure: &Failure) {
        self.with(conversation, |lists| {
            lists.lines.retain(|follower| follower.send(Err(failure.clone())).is_ok());
        });
    }

    /// Lets go of everybody: the conversation is no more.
    pub(crate) fn forget(&self, conversation: &ConversationId) {
        let mut lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(of) = lists.remove(conversation) {
            of.gone.cancel();
        }
    }

    /// Cancelled when the conversation is no more: for whoever works for its watchers.
    pub(crate) fn gone(&self, conversation: &ConversationId) -> CancellationToken {
        let mut gone = CancellationToken::new();
        self.with(conversation, |lists| gone = lists.gone.clone());
        gone
    }

    /// Forgets who is gone, without waiting for something to send.
    pub(crate) fn forget_gone(&self, conversation: &ConversationId) {
        let mut lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(of) = lists.get_mut(conversation) {
            of.frames.retain(|watcher| !watcher.frames.is_closed());
            of.lines.retain(|follower| !follower.is_closed());
            if of.frames.is_empty() && of.lines.is_empty() {
                lists.remove(conversation);
            }
        }
    }

    /// How many watch the frames of a conversation.
    #[cfg(test)]
    pub(crate) fn count(&self, conversation: &ConversationId) -> usize {
        let lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        lists.get(conversation).map_or(0, |of| of.frames.len())
    }

    fn with(&self, conversation: &ConversationId, act: impl FnOnce(&mut Lists)) {
        let mut lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        act(lists.entry(conversation.clone()).or_default());
    }
}
