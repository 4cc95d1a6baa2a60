//! The conversations that run: from a row and a journal to a task, what a person says to it, and
//! what is read of it.
//!
//! A conversation has at most one task ([`runners`]); it is given what it needs ([`runner_factory`])
//! and opened when somebody acts ([`opening`]) or follows its journal ([`following`]). Looking
//! ([`looking`]) takes no lease and starts nothing. Here is what all of them share.

mod asked;
mod asking;
mod audit_trail;
pub(crate) mod audited;
mod compacting;
pub(crate) mod conversation_ref;
mod delegating;
mod demo;
mod evidence;
mod following;
pub(crate) mod looking;
mod mailbox;
mod naming;
mod offering;
mod opening;
mod paused;
mod pieces;
mod progress;
mod renewing;
mod rest;
mod revisions;
mod rewind_preview;
mod routing;
mod runner;
mod runner_factory;
mod runners;
mod server_calls;
mod server_prompts;
mod skills;
mod so_far;
pub(crate) mod starting;
mod subagents;
mod talks;
pub(crate) mod tasks;
mod telling;
mod trusting;
mod turn_limits;
mod viewing;
pub(crate) mod watchers;
mod whole;

use kernel::code::Failure;
use kernel::draft::{Draft, DraftPlace};
use kernel::ids::ConversationId;
use serde_json::Value;
use std::sync::Arc;
use tokio::sync::mpsc;

use crate::clock::{Clock, Ids};
use crate::library::Library;
use crate::store::RuntimeStore;
use conversation_ref::ConversationRef;
use mailbox::RunnerMessage;
use runner_factory::RunnerFactory;
use runners::Runners;
use watchers::Watchers;

/// The conversations of one store, as far as this program works on them or looks at them.
pub(crate) struct Sessions {
    store: RuntimeStore,
    library: Arc<Library>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    watchers: Arc<Watchers>,
    factory: RunnerFactory,
    runners: Runners,
}

impl Sessions {
    /// Nothing runs yet. `surface` is what a second process is told when a run is busy.
    pub(crate) fn new(
        store: RuntimeStore,
        library: Arc<Library>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn Ids>,
        surface: &'static str,
    ) -> Result<Arc<Self>, Failure> {
        let watchers = Arc::<Watchers>::default();
        let (delegations, asked) = mpsc::unbounded_channel();
        let factory = RunnerFactory::new(
            store.clone(),
            Arc::clone(&library),
            Arc::clone(&clock),
            Arc::clone(&watchers),
            surface,
            delegations,
        )?;
        let runners = Runners::default();
        let sessions = Arc::new(Self { store, library, clock, ids, watchers, factory, runners });
        sessions.serve_subagents(asked);
        Ok(sessions)
    }

    /// What a conversation works with.
    async fn conversation_ref(
        &self,
        conversation: &ConversationId,
    ) -> Result<ConversationRef, Failure> {
        conversation_ref::find(&self.store, conversation).await
    }

    /// Who is looking at which conversation.
    pub(crate) fn watchers(&self) -> &Arc<Watchers> {
        &self.watchers
    }

    /// Tells every task what a turn may do that begins now. A conversation at rest is opened anew
    /// when it is needed; one at work keeps its model.
    pub(crate) fn renew_limits(&self) {
        let limits = self.library.preferences.limits(false);
        // One that is being opened looks for itself (`tell_newer_limits`).
        self.runners.tell(|| RunnerMessage::Limits(limits.clone()));
    }

    /// Reads the settings file again, and tells every task when it says something else: its problems
    /// then. `None` when nothing has changed.
    pub(crate) async fn reload_settings(&self) -> Result<Option<Vec<Failure>>, Failure> {
        let reloaded = self.library.preferences.reload().await?;
        if !reloaded.changed {
            return Ok(None);
        }
        self.renew_limits();
        Ok(Some(reloaded.problems))
    }

    /// Keeps what is being written; `null` forgets it.
    pub(crate) async fn keep_draft(&self, place: DraftPlace, value: Value) -> Result<(), Failure> {
        if value.is_null() {
            self.store.forget_draft(&place).await
        } else {
            self.store.keep_draft(Draft { place, value, at: self.clock.now() }).await
        }
    }

    /// Ends every conversation's task and gives the leases back.
    pub(crate) async fn close(&self) {
        for mailbox in self.runners.close_runs().await {
            mailbox::close(&mailbox).await;
        }
        for mailbox in self.runners.close_tasks().await {
            mailbox::close(&mailbox).await;
        }
    }
}
