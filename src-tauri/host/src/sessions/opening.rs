//! Opening conversations: from a row and a journal to a running task.

use kernel::code::{ErrorCode, Failure};
use kernel::engine::{ExecutionEngine, Input, Limits, StartRun};
use kernel::event::{Event, Line};
use kernel::ids::ConversationId;
use kernel::package::Package;
use kernel::phrase::projects;
use kernel::snapshot;
use kernel::view::View;
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::JoinHandle;

use super::mailbox::{self, RunnerMessage};
use super::naming::with_named_files;
use super::runner::{Runner, RunnerDeps};
use super::runner_factory::RunRef;
use super::runners::RunnerSlotGuard;
use super::{Sessions, audited};
use crate::blocking::on_disk;
use crate::packages;
use crate::store::{NewRun, Recalled};
use crate::tools::Logged;

impl Sessions {
    /// The mailbox of a conversation, whose task is started when it is not running yet.
    pub(super) async fn mailbox(
        &self,
        conversation: &ConversationId,
    ) -> Result<UnboundedSender<RunnerMessage>, Failure> {
        let mut slot = self.runners.lock(conversation).await;
        if let Some(mailbox) = slot.mailbox().cloned() {
            if !self.works_elsewhere(conversation, &mailbox).await? {
                return Ok(mailbox);
            }
            slot.take();
            mailbox::close(&mailbox).await;
        }
        // It is large, and rarely needed.
        Box::pin(self.open(conversation, slot)).await
    }

    /// Starts the task of a conversation whose journal was left before.
    async fn open(
        &self,
        conversation: &ConversationId,
        mut slot: RunnerSlotGuard,
    ) -> Result<UnboundedSender<RunnerMessage>, Failure> {
        self.runners.may_open(conversation)?;
        let run = self.factory.run_of(conversation).await?;
        let first = self.store.first_line(conversation).await?;
        let beginning = first.as_ref().and_then(Line::beginning);
        if let Some(why) = beginning.and_then(|begun| begun.locked().cloned()) {
            return Err(why);
        }
        // The lease first: what is read under it is the whole journal.
        let lease = self.store.acquire(conversation, self.factory.holder()).await?;
        let began_as_demo = beginning.is_some_and(|begun| begun.is_demo());
        let project = self.store.project(&run.project_id).await?;
        // The journal is read while the folders are opened and the package is checked.
        let journal = self.store.begin_to_recall(conversation);
        let deps = self.factory.deps_in(&project, &run, began_as_demo).await?;
        is_what_it_began_with(&deps.env.package, first.as_ref())?;
        let logged = logged(&deps);
        let mut journal = journal.fold(deps.env.clone()).await?;
        let demo = deps.effects.model.always_demo || journal.engine.core().plays_demo();
        let hooks = Arc::clone(&deps.env.limits.hooks);
        let limits = Limits { hooks, ..self.library.preferences.limits(demo) };
        journal.engine.set_limits(limits.clone());
        complete_audit(&deps, &journal.engine, logged.await.ok().flatten()).await?;
        self.renew_watchers(&journal.engine).await?;
        let (runner, mailbox) = Runner::new(deps, journal, Some(lease));
        // Whatever was in flight when the journal was left is not any more.
        tokio::spawn(runner.run(Some(Input::Reopened)));
        slot.open(mailbox.clone());
        drop(slot);
        self.tell_newer_limits(&mailbox, &limits, demo);
        Ok(mailbox)
    }

    /// Makes a run's first line durable, then lets it run.
    pub(super) async fn begin(&self, run: RunRef, start: StartRun) -> Result<(), Failure> {
        let (demo, agent_id) = (start.demo, start.agent_id.clone());
        let package = self.library.packages.load(&run.package_id).await?;
        let title = package.workflow(&run.workflow_id).map(|w| w.display_name.clone());
        let new = run.clone();
        let begun = self.begin_with(run, Input::Start(start), demo, async |line| {
            let new = NewRun {
                run_id: new.run_id.clone(),
                conversation_id: new.conversation_id.clone(),
                project_id: new.project_id.clone(),
                package_id: new.package_id.clone(),
                title: title.clone().unwrap_or_else(|| new.workflow_id.to_string()),
                workflow_id: new.workflow_id.clone(),
                agent_id: agent_id.clone(),
                created_at: line.at,
            };
            self.store.create_run(new, line).await
        });
        // It is large, and whoever waits for it would be as large.
        Box::pin(begun).await
    }

    /// Makes the first line of a conversation durable with its rows, which `create` inserts, then lets
    /// it run.
    pub(super) async fn begin_with(
        &self,
        run: RunRef,
        first: Input,
        demo: bool,
        create: impl AsyncFnOnce(&Line) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let conversation = run.conversation_id.clone();
        let deps = self.factory.deps(&run, demo).await?;
        let mut engine = ExecutionEngine::new(conversation.clone(), deps.env.clone());
        let first = with_named_files(&engine, &deps.effects.tools, first).await;
        let line = engine
            .decide(&first, self.clock.now())
            .map_err(|refusal| refusal.0)?
            .ok_or_else(|| Failure::new(ErrorCode::Internal, projects::must_begin_with_a_line()))?;
        let mut slot = self.runners.lock(&conversation).await;
        self.runners.may_open(&conversation)?;
        // The lease first: a run that exists can be worked on.
        let lease = self.store.acquire(&conversation, self.factory.holder()).await?;
        create(&line).await?;
        engine.apply(&line);
        let journal = Recalled { engine, view: View::replay([&line]), since_snapshot: 1 };
        let limits = deps.env.limits.clone();
        let (runner, mailbox) = Runner::new(deps, journal, Some(lease));
        tokio::spawn(runner.run(None));
        slot.open(mailbox.clone());
        drop(slot);
        self.tell_newer_limits(&mailbox, &limits, demo);
        Ok(())
    }

    /// Whether a task that rests has its project open where the project is no more: another program
    /// was told of the new place.
    async fn works_elsewhere(
        &self,
        conversation: &ConversationId,
        mailbox: &UnboundedSender<RunnerMessage>,
    ) -> Result<bool, Failure> {
        let run = self.factory.run_of(conversation).await?;
        let now = self.store.project(&run.project_id).await?.location;
        let then = self.factory.opened_in(conversation);
        Ok(then.is_some_and(|then| then != now) && mailbox::is_idle(mailbox).await)
    }

    /// Whoever changes the settings tells every open conversation, and leaves out those that are
    /// being opened: they look once more when they can be found.
    fn tell_newer_limits(
        &self,
        mailbox: &UnboundedSender<RunnerMessage>,
        then: &Limits,
        demo: bool,
    ) {
        let hooks = Arc::clone(&then.hooks);
        let now = Limits { hooks, ..self.library.preferences.limits(demo) };
        if now != *then {
            // One that has ended needs no limits.
            _ = mailbox.send(RunnerMessage::Limits(now));
        }
    }

    /// Who began to look while nothing ran has missed what another process did since.
    async fn renew_watchers(&self, engine: &ExecutionEngine) -> Result<(), Failure> {
        let (id, next_seq) = (engine.conversation(), engine.core().seq);
        if self.watchers.are_behind(id, next_seq) {
            let last = self.store.last_page(id, Some(next_seq)).await?;
            self.watchers.renew(id, next_seq, &last.into_frame(snapshot::status(engine)));
        }
        Ok(())
    }
}

/// Reads the end of the audit log, beside whatever else is done.
fn logged(deps: &RunnerDeps) -> JoinHandle<Option<Logged>> {
    let tools = Arc::clone(&deps.effects.tools);
    tokio::task::spawn_blocking(move || tools.logged())
}

/// Writes the audit lines that are missing: a line of the journal comes before those of its calls.
async fn complete_audit(
    deps: &RunnerDeps,
    engine: &ExecutionEngine,
    logged: Option<Logged>,
) -> Result<(), Failure> {
    let lacks_some = |logged: &Logged| {
        let ended = engine.record().ended_calls();
        !logged.missing(ended.into_iter()).is_empty()
    };
    let Some(logged) = logged.filter(lacks_some) else { return Ok(()) };
    let lines = deps.store.lines(&deps.conversation, 0).await?;
    let tools = Arc::clone(&deps.effects.tools);
    let fresh = ExecutionEngine::new(deps.conversation.clone(), deps.env.clone());
    on_disk(move || {
        for entry in audited::unlogged(fresh, &lines, &logged) {
            tools.audit(&entry);
        }
        Ok(())
    })
    .await
}

/// A run goes on with the very package it began with; its id is only a part of the hash.
fn is_what_it_began_with(package: &Package, first: Option<&Line>) -> Result<(), Failure> {
    let began_with = first.iter().flat_map(|line| &line.events).find_map(|event| match event {
        Event::RunStarted(e) => e.content_hash.as_ref(),
        Event::TaskStarted(e) => e.content_hash.as_ref(),
        _ => None,
    });
    if began_with.is_none_or(|hash| *hash == package.content_hash) {
        return Ok(());
    }
    Err(packages::damaged(&package.id))
}
