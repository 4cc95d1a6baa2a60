//! How long a call is waited for: for a sign of life, and in all, without the time that the server
//! waits for the person.

use kernel::code::Failure;
use kernel::mcp::ServerName;
use tokio::time::Instant;

use super::failures::{never_done, too_late};
use super::place::Patience;

/// When a call has taken too long.
pub(super) struct Deadline {
    patience: Patience,
    /// When it has to be done.
    end: Instant,
    /// When it has been silent for too long.
    silent: Instant,
    asked_at: Instant,
}

impl Deadline {
    /// Of a call that begins now.
    pub(super) fn new(patience: Patience) -> Self {
        let now = Instant::now();
        let (end, silent) = (now + patience.call_in_all, now + patience.call);
        Self { patience, end, silent, asked_at: now }
    }

    /// The server gave a sign of life.
    pub(super) fn signed(&mut self) {
        self.silent = Instant::now() + self.patience.call;
    }

    /// The server waits for the person from now on.
    pub(super) fn asked(&mut self) {
        self.asked_at = Instant::now();
    }

    /// The person has answered.
    pub(super) fn answered(&mut self) {
        self.end += self.asked_at.elapsed();
        self.signed();
    }

    /// When it is reached.
    pub(super) fn at(&self) -> Instant {
        self.silent.min(self.end)
    }

    /// That it was reached.
    pub(super) fn failure(&self, name: &ServerName) -> Failure {
        if self.silent < self.end {
            too_late(name, self.patience.call)
        } else {
            never_done(name, self.patience.call_in_all)
        }
    }
}
