//! Opening conversations: from a row and a journal to a running task.

use kernel::code::{ErrorCode, Failure};
use kernel::engine::{ExecutionEngine, Input, Limits, StartRun};
use kernel::event::Line;
use kernel::ids::ConversationId;
use kernel::phrase::projects;
use kernel::snapshot;
use kernel::view::View;
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::JoinHandle;

use super::conversation_ref::{ConversationRef, OpenedWith};
use super::mailbox::{self, RunnerMessage, task_ended};
use super::naming::with_named_files;
use super::renewing::with_settings;
use super::runner::{Runner, RunnerDeps};
use super::{Sessions, audited};
use crate::blocking::on_disk;
use crate::packages;
use crate::store::{NewRun, Recalled};
use crate::tools::Logged;

/// A task that was started.
struct OpenedTask {
    mailbox: UnboundedSender<RunnerMessage>,
    /// What a turn may do, as it was when it was started.
    limits: Limits,
    demo: bool,
}

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
        let of = self.conversation_ref(conversation).await?;
        // It is large, and rarely needed.
        let opened = Box::pin(self.open(&of, false)).await?;
        slot.open(opened.mailbox.clone());
        drop(slot);
        self.tell_newer_limits(&opened);
        Ok(opened.mailbox)
    }

    /// Starts the task of a conversation whose journal was left before, with the folders and packages
    /// of `of`. `demo`: a demo is about to begin in it. Whoever holds its slot lets others find it.
    async fn open(&self, of: &ConversationRef, demo: bool) -> Result<OpenedTask, Failure> {
        let conversation = &of.conversation_id;
        self.runners.may_open(conversation)?;
        let first = self.store.first_line(conversation).await?;
        let beginning = first.as_ref().and_then(Line::beginning);
        if let Some(why) = beginning.and_then(|begun| begun.locked().cloned()) {
            return Err(why);
        }
        // The lease first: what is read under it is the whole journal.
        let lease = self.store.acquire(conversation, self.factory.holder()).await?;
        let project = self.store.project(&of.project_id).await?;
        // The journal is read while the folders are opened and the package is checked.
        let journal = self.store.begin_to_recall(conversation);
        let mut deps = self.factory.deps_in(&project, of, demo).await?;
        let logged = logged(&deps);
        let mut journal = journal.fold(deps.env.clone()).await?;
        is_what_it_began_with(&journal.engine)?;
        let of_run = journal.engine.core().newest_run();
        if of_run.is_some_and(|run| run.demo) && !demo {
            deps.effects.model = self.factory.model(of, true).await?;
        }
        let demo = demo || deps.effects.model.always_demo || journal.engine.core().plays_demo();
        let limits = with_settings(&deps.env.limits, self.library.preferences.limits(demo), demo);
        journal.engine.set_limits(limits.clone());
        if of.is_where(journal.engine.core()) {
            complete_audit(&deps, &journal.engine, logged.await.ok().flatten()).await?;
        }
        self.renew_watchers(&journal.engine).await?;
        let (runner, mailbox) = Runner::new(deps, journal, Some(lease));
        // Whatever was in flight when the journal was left is not any more.
        tokio::spawn(runner.run(Some(Input::Reopened)));
        Ok(OpenedTask { mailbox, limits, demo })
    }

    /// Lets something be decided in a conversation after which it works with other folders and
    /// packages, those of `of`: what is on its way is settled with the old ones, then its task is
    /// opened with the new ones, and closed again when it is refused.
    pub(super) async fn turn(
        &self,
        of: &ConversationRef,
        input: Input,
        demo: bool,
    ) -> Result<(), Failure> {
        let conversation = &of.conversation_id;
        let mut slot = self.runners.lock(conversation).await;
        let mut task = slot.mailbox().cloned();
        if let Some(mailbox) = &task
            && self.works_elsewhere(conversation, mailbox).await?
        {
            slot.take();
            mailbox::close(mailbox).await;
            task = None;
        }
        let mailbox = if let Some(mailbox) = task {
            mailbox
        } else {
            let before = self.conversation_ref(conversation).await?;
            let opened = Box::pin(self.open(&before, false)).await?;
            slot.open(opened.mailbox.clone());
            opened.mailbox
        };
        // A refusal closes nothing.
        mailbox::may_turn(&mailbox, matches!(input, Input::Start(_))).await?;
        mailbox::wait_for_rest(&mailbox).await?;
        slot.take();
        mailbox::close(&mailbox).await;
        let opened = Box::pin(self.open(of, demo)).await?;
        match mailbox::ask(&opened.mailbox, input).await {
            Ok(()) => {
                slot.open(opened.mailbox.clone());
                drop(slot);
                self.tell_newer_limits(&opened);
                Ok(())
            }
            Err(failure) => {
                mailbox::close(&opened.mailbox).await;
                self.factory.forget_place(conversation);
                Err(failure)
            }
        }
    }

    /// Makes a run's first line durable, then lets it run.
    pub(super) async fn begin(&self, of: ConversationRef, start: StartRun) -> Result<(), Failure> {
        let demo = start.demo;
        let begun = self.begin_with(of, Input::Start(start), demo, async |line| {
            let begun = line.beginning().and_then(|begun| begun.run);
            let run = begun.map(|run| NewRun::of(run, line.at)).ok_or_else(task_ended)?;
            self.store.create_run(run, line).await
        });
        // It is large, and whoever waits for it would be as large.
        Box::pin(begun).await
    }

    /// Makes the first line of a conversation durable with its rows, which `create` inserts, then lets
    /// it run.
    pub(super) async fn begin_with(
        &self,
        of: ConversationRef,
        first: Input,
        demo: bool,
        create: impl AsyncFnOnce(&Line) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let conversation = of.conversation_id.clone();
        let deps = self.factory.deps(&of, demo).await?;
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
        self.tell_newer_limits(&OpenedTask { mailbox, limits, demo });
        Ok(())
    }

    /// Whether a task that rests has other folders open than those of its conversation: another
    /// program was told of the project's new place, or let the person turn to somebody else.
    async fn works_elsewhere(
        &self,
        conversation: &ConversationId,
        mailbox: &UnboundedSender<RunnerMessage>,
    ) -> Result<bool, Failure> {
        let of = self.conversation_ref(conversation).await?;
        let project = self.store.project(&of.project_id).await?;
        let then = self.factory.opened_with(conversation);
        let now = OpenedWith::of(&project, &of);
        Ok(then.is_some_and(|then| then != now) && mailbox::is_idle(mailbox).await)
    }

    /// Whoever changes the settings tells every open conversation, and leaves out those that are
    /// being opened: they look once more when they can be found.
    fn tell_newer_limits(&self, opened: &OpenedTask) {
        let now = self.library.preferences.limits(opened.demo);
        let now = with_settings(&opened.limits, now, opened.demo);
        if now != opened.limits {
            // One that has ended needs no limits.
            _ = opened.mailbox.send(RunnerMessage::Limits(now));
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
fn is_what_it_began_with(engine: &ExecutionEngine) -> Result<(), Failure> {
    let core = engine.core();
    let of_run = core.newest_run().map(|run| (&run.package_id, &run.content_hash));
    let of_task = core.task.as_ref().map(|task| (&task.package_id, &task.content_hash));
    let Some((id, Some(hash))) = of_run.or(of_task) else { return Ok(()) };
    let package = engine.env().package_of(Some(id));
    if package.id == *id && *hash != package.content_hash {
        return Err(packages::damaged(id));
    }
    Ok(())
}
