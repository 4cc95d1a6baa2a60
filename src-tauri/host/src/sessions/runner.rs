//! The loop that drives one conversation (laws C, D and E).
//!
//! One task owns the engine and the view; others send it [`RunnerMessage`]. Durable, then visible,
//! then acted on: append → apply → show → reconcile, in [`Runner::step`] and nowhere else.

use futures_util::FutureExt as _;
use kernel::code::{ErrorCode, Failure};
use kernel::effect::{EffectId, Signal};
use kernel::engine::{Env, ExecutionEngine, Input, Limits};
use kernel::event::{Line, Phase};
use kernel::ids::{ConversationId, ProjectId};
use kernel::journal_snapshot;
use kernel::project_hooks::Hook;
use kernel::snapshot;
use kernel::view::View;
use kernel::wire::{Frame, StateEdit, Status};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

use super::audit_trail::AuditTrail;
use super::audited::audit_entries;
use super::conversation_ref::OpenedWith;
use super::mailbox::{RunnerMessage, moved_on};
use super::naming::with_named_files;
use super::paused::{self, stop_asked};
use super::progress::{GoingOn, SubagentProgress, ends_a_reply, settles_an_edit};
use super::renewing::{OfferedServers, with_servers, with_settings};
use super::server_calls::{ServerQuestions, asked, let_go_after, lost_trust};
use super::so_far::ReplySoFar;
use super::tasks::{EffectRunner, Tasks, lost};
use super::turn_limits::for_input;
use super::watchers::{Follower, Watchers};
use crate::clock::Clock;
use crate::crash::{Point, point};
use crate::executor::edit_of;
use crate::mcp::Saying;
use crate::store::{Holder, Lease, Recalled, RuntimeStore};
use crate::tools::StateText;

/// Everything a runner needs from the host.
pub(crate) struct RunnerDeps {
    pub(crate) conversation: ConversationId,
    pub(crate) env: Env,
    pub(crate) store: RuntimeStore,
    pub(crate) watchers: Arc<Watchers>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) holder: Holder,
    pub(super) opened_with: OpenedWith,
    pub(crate) effects: EffectRunner,
}

/// The task that owns one conversation: it asks the engine, writes the journal, and starts and
/// aborts effects.
pub(crate) struct Runner {
    deps: RunnerDeps,
    engine: ExecutionEngine,
    view: View,
    /// Lines since the last snapshot of the journal was kept.
    since_snapshot: u64,
    tasks: Tasks,
    /// Held while something is going on, so that no other process works on the conversation.
    lease: Option<Lease>,
    /// Text of the reply being written, for Stop.
    so_far: ReplySoFar,
    /// How far others are that work for it, and how full the model is.
    going_on: GoingOn,
    /// A person's edit of the state document, as it was last seen.
    edit: Option<StateEdit>,
    audit: AuditTrail,
    /// A line could not be written: nothing is acted on before the person's next move.
    paused: Option<Failure>,
    closing: Option<oneshot::Sender<()>>,
    wait_for_rest: Vec<oneshot::Sender<()>>,
    server_questions: ServerQuestions,
    messages: mpsc::UnboundedReceiver<RunnerMessage>,
}

impl Runner {
    /// A runner that goes on from a journal and waits for messages. The returned sender is its
    /// mailbox.
    pub(crate) fn new(
        deps: RunnerDeps,
        journal: Recalled,
        lease: Option<Lease>,
    ) -> (Self, mpsc::UnboundedSender<RunnerMessage>) {
        let (sender, messages) = mpsc::unbounded_channel();
        let tasks = Tasks::new(sender.clone(), deps.effects.clone());
        let audit = AuditTrail::begin(Arc::clone(&deps.effects.tools), deps.conversation.clone());
        let runner = Self {
            engine: journal.engine,
            view: journal.view,
            since_snapshot: journal.since_snapshot,
            tasks,
            lease,
            so_far: ReplySoFar::default(),
            going_on: GoingOn::default(),
            edit: None,
            audit,
            paused: None,
            closing: None,
            wait_for_rest: Vec::new(),
            server_questions: ServerQuestions::default(),
            messages,
            deps,
        };
        (runner, sender)
    }

    /// Runs until closed. `first` is `Reopened` for a journal that was left before: nothing is
    /// started until it has said what was interrupted. The lease is given back whenever nothing
    /// is going on.
    pub(crate) async fn run(mut self, first: Option<Input>) {
        // After a panic the journal is whole, and whoever moves next opens it again.
        if AssertUnwindSafe(self.work(first)).catch_unwind().await.is_err() {
            self.pause(lost());
        }
        self.tasks.abort_all();
        self.deps.effects.servers.close().await;
        self.audit.flush().await;
        if let Some(lease) = self.lease.take()
            && let Err(failure) = lease.release().await
        {
            tracing::warn!(code = %failure.code, "a lease could not be given back; it ends with this program");
        }
        if let Some(done) = self.closing.take() {
            _ = done.send(());
        }
    }

    async fn work(&mut self, first: Option<Input>) {
        match first {
            Some(input) => {
                if let Err(failure) = self.step(&input).await {
                    self.pause(failure);
                }
            }
            None => self.reconcile(),
        }
        self.release_when_idle().await;
        loop {
            tokio::select! {
                message = self.messages.recv() => match message {
                    Some(message) => self.receive(message).await,
                    None => break,
                },
                () = stop_asked(self.lease.as_ref()) => self.stop_for_another().await,
            }
            self.release_when_idle().await;
            if self.may_close() {
                break;
            }
        }
    }

    async fn receive(&mut self, message: RunnerMessage) {
        match message {
            RunnerMessage::Input(input, answer) => {
                let done = self.ask(input).await;
                _ = answer.send(done);
            }
            RunnerMessage::Outcome(input) => {
                if let Input::Outcome(id, _) = &input {
                    self.tasks.ended(id);
                }
                // Before the model is told: it is not offered the server any more.
                if lost_trust(&input)
                    && let Ok(now) = self.deps.effects.servers.offered().await
                {
                    self.renew_servers(&now).await;
                }
                if let Err(failure) = self.step(&input).await {
                    self.pause(failure);
                }
            }
            RunnerMessage::Unknown(id, failure) => {
                self.tasks.ended(&id);
                self.pause(failure);
            }
            RunnerMessage::ServerSays(id, said) => self.server_says(&id, said).await,
            RunnerMessage::Signal(id, signal) => self.signal(&id, signal),
            RunnerMessage::Subagent(id, progress) => self.subagent_goes_on(&id, progress),
            RunnerMessage::Watch(watcher, answer) => {
                self.catch_up().await;
                _ = answer.send(self.watch(watcher).await);
            }
            RunnerMessage::Follow(from, follower) => {
                self.catch_up().await;
                self.follow(from, follower).await;
            }
            RunnerMessage::Snapshot(answer) => {
                self.catch_up().await;
                _ = answer.send(snapshot::snapshot(&self.engine));
            }
            RunnerMessage::TaskResult(answer) => _ = answer.send(self.engine.task_result()),
            RunnerMessage::Read(read) => {
                self.catch_up().await;
                read(&self.engine, &self.deps.effects.tools);
            }
            RunnerMessage::Clients(give) => _ = give.send(self.deps.effects.servers.clone()),
            RunnerMessage::Limits(limits) => {
                let demo = self.plays_demo();
                let limits = with_settings(&self.engine.env().limits, limits, demo);
                self.renew_limits(limits).await;
            }
            RunnerMessage::Hooks(project, trusted) => self.renew_hooks(&project, trusted).await,
            RunnerMessage::Servers(offered) => self.renew_servers(&offered).await,
            RunnerMessage::StateTouched => self.tasks.look_at_state(),
            RunnerMessage::StateSeen(found) => self.state_seen(found),
            RunnerMessage::AtRest(told) => self.wait_for_rest.push(told),
            RunnerMessage::Close(done) => self.closing = Some(done),
        }
    }

    async fn renew_limits(&mut self, limits: Limits) {
        self.engine.set_limits(limits);
        if let Err(failure) = self.step(&Input::LimitsChanged).await {
            self.pause(failure);
        }
    }

    async fn renew_hooks(&mut self, project: &ProjectId, trusted: Vec<Hook>) {
        if self.engine.core().project() == Some(project) {
            self.deps.effects.hooks.trust(trusted);
            let hooks = self.deps.effects.hooks.rules();
            let limits = self.engine.env().limits.clone();
            self.renew_limits(Limits { hooks, ..limits }).await;
        }
    }

    async fn renew_servers(&mut self, offered: &OfferedServers) {
        let (known, project) = (&self.engine.env().limits, self.engine.core().project());
        if let Some(limits) = with_servers(known, project, offered) {
            self.renew_limits(limits).await;
        }
    }

    async fn server_says(&mut self, id: &EffectId, said: Saying) {
        let tools = &self.deps.effects.tools;
        match said {
            Saying::Question(question) => {
                let Some(input) = asked(id, &question, tools) else { return };
                let shown = self.step(&input).await;
                self.server_questions.shown(question, &shown, self.engine.core());
            }
            Saying::Progress(progress) => {
                if self.tasks.is_running(id) && self.going_on.server.hear(id, progress, tools) {
                    self.show_status();
                }
            }
        }
    }

    /// At rest, what is still on its way to the disk is waited for; a turn at work is left to be
    /// found interrupted.
    fn may_close(&self) -> bool {
        let core = self.engine.core();
        let at_work = core.phase == Phase::Running || core.server_question().is_some();
        self.closing.is_some() && (self.paused.is_some() || at_work || self.tasks.is_idle())
    }

    async fn ask(&mut self, input: Input) -> Result<(), Failure> {
        self.make_ready().await?;
        let (known, demo) = (&self.engine.env().limits, self.plays_demo());
        self.engine.set_limits(for_input(known, &self.deps.effects, &input, demo).await);
        let input = match input {
            Input::Stop { partial: None } => {
                self.deps.effects.servers.stop_prompt();
                Input::Stop { partial: self.so_far.words() }
            }
            other => with_named_files(&self.engine, &self.deps.effects.tools, other).await,
        };
        self.step(&input).await
    }

    /// Another program asks for the turn to stop. One that has just ended is stopped already.
    async fn stop_for_another(&mut self) {
        match self.ask(Input::Stop { partial: None }).await {
            Err(failure) if failure.code != ErrorCode::NotNow => self.pause(failure),
            Ok(()) | Err(_) => {}
        }
    }

    /// The loop of law D.
    async fn step(&mut self, input: &Input) -> Result<(), Failure> {
        let now = self.deps.clock.now();
        let Some(judged) = self.engine.judge(input, now).map_err(|refusal| refusal.0)? else {
            self.reconcile();
            return Ok(());
        };
        let steps = judged.steps(self.engine.env());
        let line = Arc::clone(&judged.line);
        self.deps.store.append_counted(&self.deps.conversation, line, steps).await?;
        let audit = audit_entries(&self.engine, &judged.line);
        let line = self.engine.adopt(judged);
        point(Point::BeforeShow);
        self.show(&line);
        self.server_questions.pass_on(&line, self.engine.core());
        point(Point::BeforeReconcile);
        self.reconcile();
        point(Point::BeforeAudit);
        self.audit.write(audit);
        let_go_after(&line, &self.deps.effects.servers);
        self.keep_snapshot();
        Ok(())
    }

    /// Now and then, so that the conversation can be opened from there. Nobody waits for it.
    fn keep_snapshot(&mut self) {
        if self.since_snapshot >= journal_snapshot::LINES
            && let Some(text) = journal_snapshot::text(self.engine.core(), &self.view)
        {
            self.since_snapshot = 0;
            let seq = self.engine.core().seq;
            self.deps.store.keep_snapshot(&self.deps.conversation, seq, text);
        }
    }

    fn show(&mut self, line: &Arc<Line>) {
        if line.events.iter().any(ends_a_reply) {
            self.so_far = ReplySoFar::default();
        }
        if line.events.iter().any(settles_an_edit) {
            self.edit = None;
        }
        if let Some(project) = self.engine.core().project() {
            self.deps.watchers.own.note(project, line);
        }
        let mut frames = self.view.project(line);
        self.since_snapshot += 1;
        if self.deps.watchers.are_there(&self.deps.conversation) {
            frames.push(Frame::Status { status: Box::new(self.status()) });
            self.deps.watchers.show(&self.deps.conversation, &frames);
        }
        self.deps.watchers.tell(&self.deps.conversation, line);
    }

    fn reconcile(&mut self) {
        if self.paused.is_none() {
            let engine = &self.engine;
            let demo = engine.core().plays_demo();
            self.tasks.reconcile(&engine.wanted(), demo, |id| engine.effect(id));
        }
    }

    fn plays_demo(&self) -> bool {
        self.deps.effects.model.always_demo || self.engine.core().plays_demo()
    }

    /// Before a person's move: the lease is taken, and what another process wrote is read.
    async fn make_ready(&mut self) -> Result<(), Failure> {
        if self.lease.is_none() {
            let lease =
                self.deps.store.acquire(&self.deps.conversation, self.deps.holder.clone()).await?;
            self.lease = Some(lease);
            if self.read_newer().await? {
                if !self.deps.opened_with.fit(self.engine.core()) {
                    // It is opened anew when it is asked for again.
                    return Err(moved_on());
                }
                self.step(&Input::Reopened).await?;
            }
        }
        if self.paused.is_some() {
            // Still paused when this line cannot be written either.
            self.step(&Input::Reopened).await?;
            self.paused = None;
            self.reconcile();
        }
        Ok(())
    }

    /// Takes over what another process wrote while this one rested; true when there was something.
    async fn read_newer(&mut self) -> Result<bool, Failure> {
        let next = self.engine.core().seq;
        let newer = self.deps.store.lines(&self.deps.conversation, next).await?;
        let some = !newer.is_empty();
        for line in newer.into_iter().map(Arc::new) {
            self.engine.apply(&line);
            self.show(&line);
        }
        Ok(some)
    }

    /// Before something is shown: nobody is served a state that another process has left behind.
    async fn catch_up(&mut self) {
        if self.lease.is_none()
            && self.paused.is_none()
            && let Err(failure) = self.read_newer().await
        {
            tracing::warn!(code = %failure.code, "newer lines of a conversation cannot be read");
        }
    }

    /// The journal is on disk up to what the engine knows, and nobody else shows this
    /// conversation: what follows the page comes as increments.
    async fn watch(&mut self, watcher: mpsc::UnboundedSender<Frame>) -> Result<(), Failure> {
        let next_seq = self.engine.core().seq;
        let last = self.deps.store.last_page(&self.deps.conversation, Some(next_seq)).await?;
        let whole = last.into_frame(self.status());
        let id = &self.deps.conversation;
        self.deps.watchers.add(id, watcher, next_seq, whole, self.so_far());
        Ok(())
    }

    /// What of the reply being written was shown already, for a watcher that begins now.
    fn so_far(&self) -> Option<Frame> {
        let (id, text) = self.engine.reply_id().zip(self.so_far.words())?;
        Some(Frame::Append { id, text, thinking: String::new() })
    }

    /// Nothing was decided: the journal is whole, the work stops, the person is told.
    fn pause(&mut self, failure: Failure) {
        tracing::error!(code = %failure.code, message = %failure.message, "the turn stopped");
        self.paused = Some(failure.clone());
        self.tasks.abort_all();
        self.so_far = ReplySoFar::default();
        self.deps.watchers.work_paused(&self.deps.conversation, &failure);
        let (seq, at) = (self.engine.core().seq, self.deps.clock.now());
        let frames = paused::frames(failure, seq, at, self.status());
        self.deps.watchers.show(&self.deps.conversation, &frames);
    }

    fn signal(&mut self, id: &EffectId, signal: Signal) {
        if !self.tasks.is_running(id) {
            return;
        }
        let Some(reply) = self.engine.reply_id() else { return };
        let tries_again = matches!(signal, Signal::Retrying { .. });
        let mut frames = vec![self.so_far.take(reply, signal)];
        if tries_again {
            frames.push(Frame::Status { status: Box::new(self.status()) });
        }
        self.deps.watchers.show(&self.deps.conversation, &frames);
    }

    fn subagent_goes_on(&mut self, id: &EffectId, progress: SubagentProgress) {
        let EffectId::Delegate(call) = id else { return };
        if !self.tasks.is_running(id) {
            return;
        }
        self.going_on.subagents.hear(call, progress);
        self.show_status();
    }

    fn show_status(&mut self) {
        let frame = Frame::Status { status: Box::new(self.status()) };
        self.deps.watchers.show(&self.deps.conversation, &[frame]);
    }

    async fn follow(&mut self, from: u64, follower: Follower) {
        match self.deps.store.lines(&self.deps.conversation, from).await {
            Ok(lines) => {
                let told = self.paused.as_ref().map(|failure| (follower.clone(), failure.clone()));
                self.deps.watchers.follow(&self.deps.conversation, follower, lines);
                if let Some((follower, failure)) = told {
                    _ = follower.send(Err(failure));
                }
            }
            // A follower that is gone needs no answer.
            Err(failure) => _ = follower.send(Err(failure)),
        }
    }

    /// Shows what will become of a person's edit. Nothing is recorded: that is the next turn's.
    fn state_seen(&mut self, found: Result<Option<StateText>, Failure>) {
        let edit = edit_of(&self.engine, found);
        if edit != self.edit {
            self.edit = edit;
            self.show_status();
        }
    }

    /// Gives the lease back when nothing is going on, and the audit log tells all of it.
    async fn release_when_idle(&mut self) {
        let idle = self.paused.is_some()
            || (self.tasks.is_idle() && self.engine.core().phase != Phase::Running);
        if !idle {
            return;
        }
        if let Some(lease) = self.lease.take() {
            self.audit.flush().await;
            drop(lease);
        }
        for waits in self.wait_for_rest.drain(..) {
            // Who waits no more needs no answer.
            _ = waits.send(());
        }
    }

    fn status(&mut self) -> Status {
        // While a turn is at work, the document on disk may be what that turn writes.
        let rests = self.engine.core().phase != Phase::Running && self.tasks.is_idle();
        Status {
            retry: self.so_far.retry.clone(),
            state_edit: self.edit.clone().filter(|_| rests),
            ..self.going_on.status(&self.engine, |id| self.tasks.is_running(id))
        }
    }
}
