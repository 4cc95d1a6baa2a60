//! Conversations at rest: holding them while they are deleted, or while their project moves.

use kernel::code::{ErrorCode, Failure};
use kernel::draft::DraftPlace;
use kernel::ids::{ConversationId, ProjectId};
use kernel::phrase::projects;
use std::collections::BTreeSet;

use super::Sessions;
use super::mailbox::{close, is_idle};
use super::runners::RunnerSlotGuard;
use crate::library::projects::ProjectRegistration;
use crate::projects::Project;
use crate::store::{Lease, ListedConversation};

/// Conversations at rest, which nobody opens or works on while this lives.
struct AtRest {
    _slots: Vec<RunnerSlotGuard>,
    _leases: Vec<Lease>,
}

impl Sessions {
    /// What lists show now of the conversations: two of these differ when they are worth reading
    /// again.
    pub(crate) async fn listed(&self) -> Result<BTreeSet<ListedConversation>, Failure> {
        self.store.listed().await
    }

    /// Calls a conversation by a title of the person's; an empty one brings the generated title
    /// back.
    pub(crate) async fn rename(&self, id: &ConversationId, title: &str) -> Result<(), Failure> {
        self.store.rename_conversation(id, title).await
    }

    /// Deletes a conversation with everything the store holds of it. `RUN_BUSY` when somebody
    /// works on it; `NOT_NOW` for that of a sub-agent, which goes with its run.
    pub(crate) async fn delete(&self, id: ConversationId) -> Result<(), Failure> {
        if id.is_task() {
            let failure = Failure::new(ErrorCode::NotNow, projects::belongs_to_a_run());
            return Err(failure.with_action(projects::delete_the_run()));
        }
        self.delete_all(vec![id]).await
    }

    /// Deletes every conversation of a project, also the run that was to be started there.
    pub(crate) async fn delete_of_project(&self, project_id: ProjectId) -> Result<(), Failure> {
        let ids = self.store.conversations_of(&project_id).await?;
        self.delete_all(ids).await?;
        self.store.forget_draft(&DraftPlace::NewRun { project_id }).await
    }

    /// All of them, or none when somebody works on one.
    async fn delete_all(&self, ids: Vec<ConversationId>) -> Result<(), Failure> {
        let mut ids: BTreeSet<ConversationId> = ids.into_iter().collect();
        for id in ids.clone() {
            ids.extend(self.store.tasks_of(&id).await?);
        }
        let held = self.lock(ids.iter().cloned()).await?;
        self.store.delete_conversations(ids.iter().cloned().collect()).await?;
        for id in &ids {
            self.watchers.forget(id);
        }
        drop(held);
        Ok(())
    }

    /// Enters a folder into the list of projects, and brings the runs of a project that moves there
    /// along: none of them may be at work meanwhile (`RUN_BUSY`), and those at rest are opened anew
    /// in the new place.
    pub(crate) async fn enter(&self, entry: ProjectRegistration) -> Result<Project, Failure> {
        let runs = match entry.moves() {
            Some(project) => self.store.conversations_of(project).await?,
            None => Vec::new(),
        };
        let resting = self.lock(runs).await?;
        let project = self.library.projects.enter(entry).await;
        drop(resting);
        project
    }

    /// Holds conversations and closes those that are open: all of them, or none when somebody works
    /// on one (`RUN_BUSY`).
    async fn lock(&self, ids: impl IntoIterator<Item = ConversationId>) -> Result<AtRest, Failure> {
        // Held to the end, in one order: nobody opens one of them meanwhile.
        let ids: BTreeSet<ConversationId> = ids.into_iter().collect();
        let mut held = Vec::with_capacity(ids.len());
        let mut leases = Vec::with_capacity(ids.len());
        for id in &ids {
            let mut slot = self.runners.lock(id).await;
            self.store.conversation(id).await?;
            // One that rests may still write its mirror; closing it waits for that.
            if let Some(mailbox) = slot.mailbox().cloned()
                && is_idle(&mailbox).await
            {
                slot.take();
                close(&mailbox).await;
            }
            // A runner at work has its lease: RUN_BUSY.
            leases.push(self.store.acquire(id, self.factory.holder()).await?);
            held.push(slot);
        }
        // Those that could not go on, because the disk did not take something.
        for mailbox in held.iter_mut().filter_map(RunnerSlotGuard::take) {
            close(&mailbox).await;
        }
        Ok(AtRest { _slots: held, _leases: leases })
    }
}
