//! Which conversations have a task, and whose turn it is to open one (law E).
//!
//! Each conversation has a place of its own. Whoever opens, closes or deletes it holds the place
//! meanwhile, so that it never has two tasks; the other conversations go on.

use kernel::code::Failure;
use kernel::ids::ConversationId;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OwnedMutexGuard;
use tokio::sync::mpsc::UnboundedSender;

use super::mailbox::{RunnerMessage, gone};

type Mailbox = UnboundedSender<RunnerMessage>;
type Place = Arc<tokio::sync::Mutex<Option<Mailbox>>>;

/// The mailboxes of the conversations that were touched since the program began.
#[derive(Default)]
pub(super) struct Runners {
    places: Mutex<BTreeMap<ConversationId, Place>>,
    closed: AtomicBool,
}

/// A conversation nobody else opens or closes while this lives.
pub(super) struct Held(OwnedMutexGuard<Option<Mailbox>>);

impl Held {
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
    pub(super) async fn hold(&self, conversation: &ConversationId) -> Held {
        let place = Arc::clone(self.places().entry(conversation.clone()).or_default());
        Held(place.lock_owned().await)
    }

    /// Tells every task something; one that is just being opened is left out. Places nobody needs
    /// are forgotten.
    pub(super) fn tell(&self, message: impl Fn() -> RunnerMessage) {
        self.places().retain(|_, place| {
            let told = match place.try_lock() {
                Ok(mailbox) => mailbox.as_ref().is_some_and(|m| m.send(message()).is_ok()),
                Err(_) => true,
            };
            // Whoever is about to hold it has a handle on it already.
            told || Arc::strong_count(place) > 1
        });
    }

    /// Whoever holds a place asks this before opening it: a task that began after the host was
    /// closed would take a conversation away from the next program.
    pub(super) fn may_open(&self) -> Result<(), Failure> {
        if self.closed.load(Ordering::SeqCst) { Err(gone()) } else { Ok(()) }
    }

    /// Takes all mailboxes out, waiting for those that are just being opened. None is opened
    /// afterwards.
    pub(super) async fn close(&self) -> Vec<Mailbox> {
        self.closed.store(true, Ordering::SeqCst);
        let places: Vec<Place> = self.places().values().cloned().collect();
        let mut mailboxes = Vec::with_capacity(places.len());
        for place in places {
            mailboxes.extend(place.lock_owned().await.take());
        }
        mailboxes
    }

    fn places(&self) -> std::sync::MutexGuard<'_, BTreeMap<ConversationId, Place>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
