//! Which conversations have a task, and whose turn it is to open one (law E).
//!
//! Each conversation has a slot of its own. Whoever opens, closes or deletes it holds the slot's
//! lock meanwhile, so that it never has two tasks; the other conversations go on.

use kernel::code::Failure;
use kernel::ids::ConversationId;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OwnedMutexGuard;
use tokio::sync::mpsc::UnboundedSender;

use super::mailbox::{RunnerMessage, task_ended};

type Mailbox = UnboundedSender<RunnerMessage>;
type RunnerSlot = Arc<tokio::sync::Mutex<Option<Mailbox>>>;

/// The mailboxes of the conversations that were touched since the program began.
#[derive(Default)]
pub(super) struct Runners {
    slots: Mutex<BTreeMap<ConversationId, RunnerSlot>>,
    /// No run is opened any more.
    closed: AtomicBool,
    /// Nor is a sub-agent: a run that was stopped stops its own first.
    tasks_closed: AtomicBool,
}

/// A conversation nobody else opens or closes while this lives.
pub(super) struct RunnerSlotGuard(OwnedMutexGuard<Option<Mailbox>>);

impl RunnerSlotGuard {
    /// The mailbox of its task, when it has one that is running.
    pub(super) fn mailbox(&self) -> Option<&Mailbox> {
        self.0.as_ref().filter(|mailbox| !mailbox.is_closed())
    }

    /// Its task runs from now on.
    pub(super) fn open(&mut self, mailbox: Mailbox) {
        *self.0 = Some(mailbox);
    }

    /// Its task is being closed.
    pub(super) fn take(&mut self) -> Option<Mailbox> {
        self.0.take()
    }
}

impl Runners {
    /// Waits until nobody else opens or closes this conversation.
    pub(super) async fn lock(&self, conversation: &ConversationId) -> RunnerSlotGuard {
        let slot = Arc::clone(self.slots().entry(conversation.clone()).or_default());
        RunnerSlotGuard(slot.lock_owned().await)
    }

    /// Tells every task something; one that is just being opened is left out. Slots that nobody
    /// needs are forgotten.
    pub(super) fn tell(&self, message: impl Fn() -> RunnerMessage) {
        self.slots().retain(|_, slot| {
            let told = match slot.try_lock() {
                Ok(mailbox) => mailbox.as_ref().is_some_and(|m| m.send(message()).is_ok()),
                Err(_) => true,
            };
            // Whoever is about to hold it has a handle on it already.
            told || Arc::strong_count(slot) > 1
        });
    }

    /// Whoever holds a slot asks this before opening it: a task that began after the host was
    /// closed would take a conversation away from the next program.
    pub(super) fn may_open(&self, conversation: &ConversationId) -> Result<(), Failure> {
        let closed = if conversation.is_task() { &self.tasks_closed } else { &self.closed };
        if closed.load(Ordering::SeqCst) { Err(task_ended()) } else { Ok(()) }
    }

    /// Takes the mailboxes of all runs out, waiting for those that are just being opened. None is
    /// opened afterwards.
    pub(super) async fn close_runs(&self) -> Vec<Mailbox> {
        self.closed.store(true, Ordering::SeqCst);
        self.take_mailboxes(|id| !id.is_task()).await
    }

    /// The same of the conversations of sub-agents.
    pub(super) async fn close_tasks(&self) -> Vec<Mailbox> {
        self.tasks_closed.store(true, Ordering::SeqCst);
        self.take_mailboxes(ConversationId::is_task).await
    }

    async fn take_mailboxes(&self, of: impl Fn(&ConversationId) -> bool) -> Vec<Mailbox> {
        let slots: Vec<RunnerSlot> = {
            let slots = self.slots();
            slots.iter().filter(|(id, _)| of(id)).map(|(_, slot)| Arc::clone(slot)).collect()
        };
        let mut mailboxes = Vec::with_capacity(slots.len());
        for slot in slots {
            mailboxes.extend(slot.lock_owned().await.take());
        }
        mailboxes
    }

    fn slots(&self) -> std::sync::MutexGuard<'_, BTreeMap<ConversationId, RunnerSlot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
