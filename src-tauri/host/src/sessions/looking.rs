//! Looking at conversations: frames for who watches, snapshots for who asks.

use kernel::changed_files::FileEffect;
use kernel::code::Failure;
use kernel::engine::ExecutionEngine;
use kernel::ids::ConversationId;
use kernel::snapshot;
use kernel::wire::{FactRecord, Frame, RunSummary, RuntimeSnapshot, Standing, Status, TodoList};
use std::path::Path;
use std::sync::Arc;
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::sync::oneshot;

use super::Sessions;
use super::mailbox::{RunnerMessage, task_ended};
use super::runner_factory::shows_anyway;
use crate::blocking::on_disk;
use crate::real_path::RealPath;
use crate::runs;
use crate::store::LastPage;
use crate::tools::{ToolHost, effects};

/// What is to be known of the state document of a conversation that is looked at.
pub(crate) enum StateDocument {
    /// A conversation without a run has none.
    None,
    /// Its hash when the conversation was left, as far as that is known. A task that runs has read
    /// it by itself.
    LeftAs(Option<String>),
}

impl Sessions {
    /// Shows a conversation to `watcher`: the last page first, then increments.
    ///
    /// Looking takes no lease and starts nothing: a conversation at rest is read from its last
    /// snapshots on. One that was at work when the program ended is opened, so that a crash is
    /// told; when it cannot be run here (its project folder is gone, another process works on it)
    /// it is shown as it stands.
    pub(crate) async fn watch(
        &self,
        conversation: &ConversationId,
        watcher: UnboundedSender<Frame>,
    ) -> Result<StateDocument, Failure> {
        if let Some(mailbox) = self.running(conversation).await {
            watch_through(&mailbox, watcher).await?;
            return Ok(StateDocument::LeftAs(None));
        }
        let run = self.store.run_of_conversation(conversation).await?;
        let last = self.store.last_page(conversation, None).await?;
        let core = last.snapshot.core();
        if core.workplace.is_some() && !core.is_at_rest() {
            match self.mailbox(conversation).await {
                Ok(mailbox) => {
                    watch_through(&mailbox, watcher).await?;
                    return Ok(StateDocument::LeftAs(None));
                }
                Err(failure) if shows_anyway(failure.code) => {}
                Err(failure) => return Err(failure),
            }
        }
        let on_disk = last.snapshot.core().mirrored.clone();
        let has_document = last.snapshot.core().run.is_some();
        let status = self.status_at_rest(conversation, run.as_ref(), &last).await?;
        let next_seq = last.snapshot.seq();
        // Whoever starts a runner holds this slot until it can be found.
        let slot = self.runners.lock(conversation).await;
        if let Some(mailbox) = slot.mailbox().cloned() {
            drop(slot);
            watch_through(&mailbox, watcher).await?;
        } else {
            let whole = last.into_frame(status);
            self.watchers.add(conversation, watcher, next_seq, whole, None);
            drop(slot);
        }
        let has_one = run.is_some() && has_document;
        Ok(if has_one { StateDocument::LeftAs(on_disk) } else { StateDocument::None })
    }

    /// What [`watch`](Self::watch) would show first, as the conversation stands: one that was at
    /// work when the program ended is not opened for it.
    pub(crate) async fn opening_of(&self, conversation: &ConversationId) -> Result<Frame, Failure> {
        if let Some(mailbox) = self.running(conversation).await {
            let (watcher, mut frames) = mpsc::unbounded_channel();
            watch_through(&mailbox, watcher).await?;
            let first = frames.recv().await.ok_or_else(task_ended);
            drop(frames);
            self.watchers.forget_gone(conversation);
            return first;
        }
        let run = self.store.run_of_conversation(conversation).await?;
        let last = self.store.last_page(conversation, None).await?;
        let status = self.status_at_rest(conversation, run.as_ref(), &last).await?;
        Ok(last.into_frame(status))
    }

    /// Where a conversation without a task stands.
    async fn status_at_rest(
        &self,
        conversation: &ConversationId,
        run: Option<&RunSummary>,
        last: &LastPage,
    ) -> Result<Status, Failure> {
        let package = match run {
            Some(run) => Some(self.factory.known_package(&run.package_id).await?),
            None => None,
        };
        let mut status = last.snapshot.status(conversation, package.as_deref());
        // A folder is allowed only while the program that asked works on the run. Where that cannot be
        // told, it is shown.
        if !status.grants.is_empty() && !self.store.is_worked_on(conversation).await.unwrap_or(true)
        {
            status.grants.clear();
        }
        Ok(status)
    }

    /// The mailbox of a conversation whose task is running.
    pub(super) async fn running(
        &self,
        conversation: &ConversationId,
    ) -> Option<UnboundedSender<RunnerMessage>> {
        self.runners.lock(conversation).await.mailbox().cloned()
    }

    /// Whether a conversation has a task.
    pub(crate) async fn is_running(&self, conversation: &ConversationId) -> bool {
        self.running(conversation).await.is_some()
    }

    /// `runtime.snapshot.get`, with what the disk tells of the run's changes.
    pub(crate) async fn snapshot(
        &self,
        conversation: &ConversationId,
    ) -> Result<RuntimeSnapshot, Failure> {
        let snapshot = self.state_of(conversation).await?;
        self.with_effects(snapshot).await
    }

    /// Where a conversation stands, for who answers it.
    pub(crate) async fn standing(
        &self,
        conversation: &ConversationId,
    ) -> Result<Standing, Failure> {
        let mut standing = self.standing_of(conversation).await?;
        let changes = std::mem::take(&mut standing.changes);
        standing.changes = self.with_current_state(conversation, changes).await?;
        Ok(standing)
    }

    /// The same as the journal has it: nobody looks at the disk.
    pub(super) async fn standing_of(
        &self,
        conversation: &ConversationId,
    ) -> Result<Standing, Failure> {
        if let Some(mailbox) = self.running(conversation).await {
            let (answer, answered) = oneshot::channel();
            let told = move |engine: &ExecutionEngine, _: &Arc<ToolHost>| {
                _ = answer.send(snapshot::standing(engine));
            };
            if mailbox.send(RunnerMessage::Read(Box::new(told))).is_ok() {
                return answered.await.map_err(|_| task_ended());
            }
        }
        let env = self.factory.read_env(conversation).await?;
        Ok(snapshot::standing(&self.store.recall(conversation, env).await?.engine))
    }

    /// `session.todos.list`.
    pub(crate) async fn todos(&self, conversation: &ConversationId) -> Result<TodoList, Failure> {
        self.standing_of(conversation).await.map(|standing| standing.todos)
    }

    /// From the running task, else folded from the journal.
    pub(super) async fn state_of(
        &self,
        conversation: &ConversationId,
    ) -> Result<RuntimeSnapshot, Failure> {
        if let Some(mailbox) = self.running(conversation).await {
            let (answer, answered) = oneshot::channel();
            if mailbox.send(RunnerMessage::Snapshot(answer)).is_ok() {
                return answered.await.map_err(|_| task_ended())?;
            }
        }
        let env = self.factory.read_env(conversation).await?;
        let engine = self.store.recall(conversation, env).await?.engine;
        snapshot::snapshot(&engine).map_err(|why| engine.core().locked.clone().unwrap_or(why))
    }

    /// Reads of the engine of a run, with the tools that read its files. Nothing is started for it: a
    /// conversation at rest is read from its journal.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        conversation: &ConversationId,
        read: impl Fn(&ExecutionEngine) -> Result<T, Failure> + Clone + Send + 'static,
    ) -> Result<(T, Arc<ToolHost>), Failure> {
        if let Some(mailbox) = self.running(conversation).await {
            let (answer, answered) = oneshot::channel();
            let read = read.clone();
            let told = move |engine: &ExecutionEngine, tools: &Arc<ToolHost>| {
                _ = answer.send(read(engine).map(|found| (found, Arc::clone(tools))));
            };
            if mailbox.send(RunnerMessage::Read(Box::new(told))).is_ok() {
                return answered.await.map_err(|_| task_ended())?;
            }
        }
        let run = self.conversation_ref(conversation).await?;
        let deps = self.factory.deps(&run, false).await?;
        // It is large.
        let engine = Box::pin(self.store.recall(conversation, deps.env)).await?.engine;
        Ok((read(&engine)?, deps.effects.tools))
    }

    /// Every fact of a conversation, the oldest first: folded from the journal.
    pub(crate) async fn facts(
        &self,
        conversation: &ConversationId,
    ) -> Result<Vec<FactRecord>, Failure> {
        let env = self.factory.read_env(conversation).await?;
        Ok(self.store.recall(conversation, env).await?.engine.record().facts.clone())
    }

    /// The snapshot with what the disk tells of the run's changes. A project that is gone tells
    /// nothing.
    pub(super) async fn with_effects(
        &self,
        mut snapshot: RuntimeSnapshot,
    ) -> Result<RuntimeSnapshot, Failure> {
        let changes = std::mem::take(&mut snapshot.changes);
        let of = snapshot.run.conversation_id.clone();
        snapshot.changes = self.with_current_state(&of, changes).await?;
        Ok(snapshot)
    }

    pub(super) async fn with_current_state(
        &self,
        conversation: &ConversationId,
        mut changes: Vec<FileEffect>,
    ) -> Result<Vec<FileEffect>, Failure> {
        if changes.is_empty() {
            return Ok(changes);
        }
        let of = self.conversation_ref(conversation).await?;
        let project = self.store.project(&of.project_id).await?;
        let folder = runs::run_dir(self.store.root(), &of.project_id, &of.kept_in);
        on_disk(move || {
            effects::add_current_state(Path::new(&project.location), &folder, &mut changes);
            Ok(changes)
        })
        .await
    }

    /// Where the state document and the audit log of a conversation lie.
    pub(crate) async fn state_folder(
        &self,
        conversation: &ConversationId,
    ) -> Result<RealPath, Failure> {
        let run = self.conversation_ref(conversation).await?;
        Ok(runs::state_dir(self.store.root(), &run.project_id, run.state_in()))
    }

    /// The state document may have been edited: its task looks, and is started when there is none.
    pub(crate) async fn state_touched(&self, conversation: &ConversationId) -> Result<(), Failure> {
        let mailbox = match self.running(conversation).await {
            Some(mailbox) => mailbox,
            None => self.mailbox(conversation).await?,
        };
        // A task that has ended looks when it is started again.
        _ = mailbox.send(RunnerMessage::StateTouched);
        Ok(())
    }
}

async fn watch_through(
    mailbox: &UnboundedSender<RunnerMessage>,
    watcher: UnboundedSender<Frame>,
) -> Result<(), Failure> {
    let (answer, answered) = oneshot::channel();
    mailbox.send(RunnerMessage::Watch(watcher, answer)).map_err(|_| task_ended())?;
    answered.await.map_err(|_| task_ended())?
}
