//! Effects in flight: start what is newly wanted, abort what is not wanted any more. Starting,
//! stopping, retrying and recovering are this one function.

use futures_util::FutureExt as _;
use kernel::bounds::CALLS_AT_ONCE;
use kernel::chat::{ChatRequest, Reply};
use kernel::code::{ErrorCode, Failure};
use kernel::effect::{
    Action, Effect, EffectId, Executor as _, ForeignChange, HookCall, KnownFile, Outcome, Permit,
    Signal, Think,
};
use kernel::engine::Input;
use kernel::phrase::general;
use kernel::policy::ToolPolicy;
use kernel::prompt::PromptComposer;
use kernel::tool::EffectClass;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::compacting::Compactor;
use super::delegating::{Delegation, Errand, delegate};
use super::mailbox::RunnerMessage;
use super::pieces::AnswerPieces;
use crate::crash::{Point, point};
use crate::executor::{OnDisk, not_sent};
use crate::hooks::HookRunner;
use crate::llm::{ChatModel, ModelError};
use crate::mcp::ServerClients;
use crate::models::{Chosen, ModelSource};
use crate::redact::Marks;
use crate::requests::LastRequest;
use crate::state_file::StateFile;
use crate::tools::{StateText, ToolHost};

/// Bytes that are hashed in less time than it takes to hand them over to another thread and back.
const HASHED_AT_ONCE: usize = 64 * 1024;

/// Carries out the effects of one conversation.
#[derive(Clone)]
pub(crate) struct EffectRunner {
    pub(crate) model: ModelSource,
    pub(crate) tools: Arc<ToolHost>,
    pub(crate) hooks: HookRunner,
    pub(crate) servers: ServerClients,
    delegations: UnboundedSender<Delegation>,
    marks: Arc<Marks>,
    compactor: Compactor,
    state: Arc<StateFile>,
    sent: Arc<Mutex<LastRequest>>,
    /// How many calls may work at a time: each may hold a whole file.
    slots: Arc<Semaphore>,
}

/// What is looked up before a request is sent.
struct RequestContext {
    /// The state document on disk.
    state: Result<Option<StateText>, Failure>,
    /// Who is asked.
    model: Result<Chosen, Failure>,
}

/// What is going on.
pub(crate) struct Tasks {
    running: BTreeMap<EffectId, CancellationToken>,
    mailbox: UnboundedSender<RunnerMessage>,
    effects: EffectRunner,
}

impl Tasks {
    pub(crate) fn new(mailbox: UnboundedSender<RunnerMessage>, effects: EffectRunner) -> Self {
        Self { running: BTreeMap::new(), mailbox, effects }
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.running.is_empty()
    }

    pub(crate) fn is_running(&self, id: &EffectId) -> bool {
        self.running.contains_key(id)
    }

    /// The task of this effect has ended by itself. The effect may be wanted again.
    pub(crate) fn ended(&mut self, id: &EffectId) {
        self.running.remove(id);
    }

    pub(crate) fn abort_all(&mut self) {
        self.running.values().for_each(CancellationToken::cancel);
        self.running.clear();
    }

    /// Reads the state document; what is found comes as a message.
    pub(crate) fn look_at_state(&self) {
        let (mailbox, effects) = (self.mailbox.clone(), self.effects.clone());
        tokio::task::spawn_blocking(move || {
            let found = effects.state.read(&effects.tools);
            // A runner that is gone shows nothing.
            _ = mailbox.send(RunnerMessage::StateSeen(found));
        });
    }

    /// Makes what is going on equal to what is wanted.
    pub(crate) fn reconcile(
        &mut self,
        wanted: &BTreeSet<EffectId>,
        plays_demo: bool,
        effect: impl Fn(&EffectId) -> Result<Effect, Failure>,
    ) {
        self.running.retain(|id, cancel| {
            let keep = wanted.contains(id);
            if !keep {
                cancel.cancel();
            }
            keep
        });
        for id in wanted {
            if !self.running.contains_key(id) {
                let cancel = CancellationToken::new();
                self.running.insert(id.clone(), cancel.clone());
                // The disk is asked while the request is built.
                let asks = matches!(id, EffectId::Think(_) | EffectId::Compact(_));
                let context = asks.then(|| self.effects.context(plays_demo));
                self.start(id.clone(), effect(id), context, cancel);
            }
        }
    }

    fn start(
        &self,
        id: EffectId,
        effect: Result<Effect, Failure>,
        context: Option<JoinHandle<RequestContext>>,
        cancel: CancellationToken,
    ) {
        let mailbox = self.mailbox.clone();
        let effects = self.effects.clone();
        tokio::spawn(async move {
            let work = async {
                let effect = match effect {
                    Ok(effect) => effect,
                    Err(failure) => return Ok(Outcome::failed(failure)),
                };
                point(Point::BeforeEffect);
                let outcome = effects.perform(&id, effect, context, &cancel, &mailbox).await;
                point(Point::AfterEffect);
                outcome
            };
            // Whoever waits for an effect that panicked would wait for ever.
            let outcome = AssertUnwindSafe(work).catch_unwind().await;
            let outcome = outcome.unwrap_or_else(|_| Ok(Outcome::failed(lost())));
            if !cancel.is_cancelled() {
                _ = mailbox.send(match outcome {
                    Ok(outcome) => RunnerMessage::Outcome(Input::Outcome(id, outcome)),
                    Err(failure) => RunnerMessage::Unknown(id, failure),
                });
            }
        });
    }
}

impl EffectRunner {
    pub(crate) fn new(
        model: ModelSource,
        tools: Arc<ToolHost>,
        marks: Arc<Marks>,
        composer: Arc<PromptComposer>,
        hooks: HookRunner,
        servers: ServerClients,
        delegations: UnboundedSender<Delegation>,
    ) -> Self {
        let slots = Arc::new(Semaphore::new(CALLS_AT_ONCE));
        Self {
            model,
            tools,
            hooks,
            servers,
            delegations,
            compactor: Compactor { marks: Arc::clone(&marks), composer },
            marks,
            state: Arc::default(),
            sent: Arc::default(),
            slots,
        }
    }

    /// # Errors
    /// Nobody knows what came of it.
    async fn perform(
        &self,
        id: &EffectId,
        effect: Effect,
        context: Option<JoinHandle<RequestContext>>,
        cancel: &CancellationToken,
        mailbox: &UnboundedSender<RunnerMessage>,
    ) -> Result<Outcome, Failure> {
        Ok(match effect {
            Effect::Think(think) => {
                let context = context.unwrap_or_else(|| self.context(false));
                self.think(id, think, context, cancel, mailbox).await
            }
            Effect::Compact(job) => {
                let context = context.unwrap_or_else(|| self.context(false));
                let model = context.await.map_or_else(|_| Err(lost()), |context| context.model);
                self.compactor.compact(*job, model, cancel).await
            }
            Effect::Hook(call) => self.hook(*call, cancel).await,
            Effect::Delegate(task) => {
                delegate(&self.delegations, Errand::Work(task), id, mailbox, cancel).await?
            }
            Effect::Recall(conversation) => {
                let errand = Errand::Stop(conversation);
                delegate(&self.delegations, errand, id, mailbox, cancel).await?
            }
            Effect::Act(action) => {
                if let Action::Perform(permit) = &*action
                    && permit.class() == EffectClass::External
                {
                    return Ok(self.call_server(id, permit, cancel, mailbox).await);
                }
                let _slot = match &*action {
                    // It is never closed.
                    Action::Perform(_) => self.slots.acquire().await.ok(),
                    _ => None,
                };
                let (tools, state) = (Arc::clone(&self.tools), Arc::clone(&self.state));
                let cancel = cancel.clone();
                let act = move || {
                    let (tools, state, cancel) = (&tools, &state, &cancel);
                    OnDisk { tools, state, cancel }.carry_out(&action)
                };
                blocking(act).await
            }
        })
    }

    /// Runs a command of the person, and looks what it made of the files that are judged.
    async fn hook(&self, call: HookCall, cancel: &CancellationToken) -> Outcome {
        match self.hooks.run(&call, |text| self.tools.shown(text), cancel).await {
            Ok(result) => {
                let foreign = self.changed_by_others(call.written, call.policy, cancel).await;
                Outcome::Hooked { result, foreign }
            }
            Err(failure) => Outcome::failed(failure),
        }
    }

    /// Calls a tool of a server. It is told real paths where it is a program of this machine.
    async fn call_server(
        &self,
        id: &EffectId,
        permit: &Permit,
        cancel: &CancellationToken,
        mailbox: &UnboundedSender<RunnerMessage>,
    ) -> Outcome {
        let started = Instant::now();
        let hear = |said| _ = mailbox.send(RunnerMessage::ServerSays(id.clone(), said));
        let answer = self.servers.call(permit, &self.tools, hear, cancel).await;
        let (tools, permit) = (Arc::clone(&self.tools), permit.clone());
        blocking(move || Outcome::Called(tools.answered(&permit, answer, started))).await
    }

    /// What somebody else has done to files of the run, before its last words are judged.
    async fn changed_by_others(
        &self,
        written: Vec<KnownFile>,
        policy: ToolPolicy,
        cancel: &CancellationToken,
    ) -> Vec<ForeignChange> {
        if written.is_empty() {
            return Vec::new();
        }
        let (tools, cancel) = (Arc::clone(&self.tools), cancel.clone());
        let look = move || tools.changed_by_others(&written, &policy, &cancel);
        tokio::task::spawn_blocking(look).await.unwrap_or_default()
    }

    /// The hash of a request that is about to leave. To hash a long conversation must neither keep it
    /// from leaving nor a thread from other work.
    async fn hash(&self, request: &Arc<ChatRequest>) -> String {
        if self.sent().unhashed(request) <= HASHED_AT_ONCE {
            tokio::task::yield_now().await;
            return self.sent().hash(request);
        }
        let (this, request) = (self.clone(), Arc::clone(request));
        tokio::task::spawn_blocking(move || this.sent().hash(&request)).await.unwrap_or_default()
    }

    fn sent(&self) -> MutexGuard<'_, LastRequest> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks up what a request needs. The key may have to be asked of the system's keychain.
    fn context(&self, plays_demo: bool) -> JoinHandle<RequestContext> {
        let (tools, state) = (Arc::clone(&self.tools), Arc::clone(&self.state));
        let source = self.model.clone();
        let look =
            move || RequestContext { state: state.read(&tools), model: source.current(plays_demo) };
        tokio::task::spawn_blocking(look)
    }

    /// The state document is compared first, so that a person's edit is seen before the model
    /// is asked; then the request leaves, without real paths.
    async fn think(
        &self,
        id: &EffectId,
        mut think: Think,
        context: JoinHandle<RequestContext>,
        cancel: &CancellationToken,
        mailbox: &UnboundedSender<RunnerMessage>,
    ) -> Outcome {
        self.make_fit_to_leave(&mut think.request);
        let Ok(RequestContext { state, model }) = context.await else {
            return Outcome::failed(lost());
        };
        if let Some(outcome) = not_sent(state, &think) {
            return outcome;
        }
        let Chosen { model, named, .. } = match model {
            Ok(chosen) => chosen,
            Err(failure) => return Outcome::failed(failure),
        };
        let asked = self.ask(&*model, &Arc::new(think.request), (id, mailbox), cancel).await;
        let Asked { replied, request_sha256, took, partial } = asked;
        match replied {
            Ok(reply) => {
                if let Some(named) = named {
                    self.model.has_answered(named);
                }
                let duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
                let foreign = if kernel::effect::ends_or_moves_on(&reply) {
                    self.changed_by_others(think.written, think.policy, cancel).await
                } else {
                    Vec::new()
                };
                Outcome::Replied { reply, request_sha256, duration_ms, foreign }
            }
            Err(error) => Outcome::Failed { failure: error.failure, partial },
        }
    }

    /// A request leaves as servers take it, and without real paths. Neither changes anything but
    /// for a bug, or a person's words that name a folder.
    fn make_fit_to_leave(&self, request: &mut ChatRequest) {
        let mut sent = self.sent();
        let repaired = sent.repair(request);
        if repaired > 0 {
            tracing::error!(repaired, "a request broke the protocol; it was repaired");
        }
        if sent.redact(&self.marks, request) {
            tracing::error!("a real path was about to leave in a request; it was replaced");
        }
    }

    /// Asks the model. What it answers is shown on the way, and the request is hashed meanwhile.
    async fn ask(
        &self,
        model: &dyn ChatModel,
        request: &Arc<ChatRequest>,
        (id, mailbox): (&EffectId, &UnboundedSender<RunnerMessage>),
        cancel: &CancellationToken,
    ) -> Asked {
        let started = Instant::now();
        let (mut partial, mut before) = (String::new(), String::new());
        let pieces = AnswerPieces::new(id, mailbox);
        let mut sink = |signal| {
            match &signal {
                Signal::Text(text) => partial.push_str(text),
                Signal::Retrying { .. } if !partial.is_empty() => {
                    before = std::mem::take(&mut partial);
                }
                Signal::Retrying { .. } | Signal::Thinking(_) => {}
            }
            pieces.take(signal);
        };
        let asking = async {
            let replied = model.chat(request, &mut sink, cancel).await;
            (replied, started.elapsed())
        };
        let both = async { tokio::join!(biased; asking, self.hash(request)) };
        let ((replied, took), request_sha256) = tokio::select! {
            biased;
            both = both => both,
            never = pieces.pass_on() => match never {},
        };
        let partial = [partial, before].into_iter().find(|text| !text.is_empty());
        Asked { replied, request_sha256, took, partial }
    }
}

/// What came of a request.
struct Asked {
    replied: Result<Reply, ModelError>,
    request_sha256: String,
    took: Duration,
    /// Of several answers that went wrong the person keeps the words of the last.
    partial: Option<String>,
}

pub(super) fn lost() -> Failure {
    Failure::new(ErrorCode::Internal, general::ended_early())
}

async fn blocking(act: impl FnOnce() -> Outcome + Send + 'static) -> Outcome {
    tokio::task::spawn_blocking(act).await.unwrap_or_else(|_| Outcome::failed(lost()))
}
