//! Which model answers a conversation, decided at every request, so that settings hold from the
//! next turn on.

use kernel::code::{ErrorCode, Failure};
use kernel::engine::Input;
use kernel::phrase::models;
use kernel::settings::ModelSettings;
use kernel::tokens::Tokenizer;
use kernel::trace::Trace;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::llm::{self, ChatModel, OpenAiModel};
use crate::secrets::Secret;
use crate::settings::SettingsStore;
use crate::taught::Taught;

/// How long the first request to a server waits for what it says of itself.
const PATIENCE: Duration = Duration::from_secs(2);

/// Which model answers the runs of a host.
#[derive(Clone)]
pub enum ModelChoice {
    /// The one of the settings; runs that were started as demos play their trace.
    Configured,
    /// Every run plays its package's demo trace.
    Demo,
    /// Every run plays this trace.
    Trace(Arc<Trace>),
    /// This endpoint, whatever the settings say.
    Endpoint(ModelSettings, Option<Secret>),
}

/// Where a conversation's answers come from.
#[derive(Clone)]
pub(crate) struct ModelSource {
    /// The demo trace, when the run began with it.
    pub(crate) demo: Option<Arc<dyn ChatModel>>,
    /// The trace plays whatever the journal says (`--model demo`).
    pub(crate) always_demo: bool,
    /// The endpoint of the settings, or of the command line.
    pub(crate) configured: Arc<ConfiguredModel>,
}

impl ModelSource {
    /// The model for the next request; `plays_demo` as the journal has it.
    pub(crate) fn current(&self, plays_demo: bool) -> Result<Chosen, Failure> {
        match &self.demo {
            Some(demo) if plays_demo || self.always_demo => {
                Ok(Chosen { model: Arc::clone(demo), is_demo: true })
            }
            _ => Ok(Chosen { model: self.configured.current()?, is_demo: false }),
        }
    }

    /// How much the model reads that an input leads to a request to: what fits is decided before
    /// anything is sent. `None` where nobody knows, and for other inputs.
    pub(crate) async fn context_for(&self, input: &Input, plays_demo: bool) -> Option<u32> {
        let asks = match input {
            Input::Say(_) | Input::Answer { .. } | Input::Resume | Input::Compact { .. } => {
                !plays_demo
            }
            Input::UseModel { .. } => !self.always_demo,
            _ => false,
        };
        if asks { Arc::clone(&self.configured).known_context().await } else { None }
    }

    /// What counts the tokens of the model that takes over from the demo with this input. `None` for
    /// other inputs.
    pub(crate) fn tokenizer_for(&self, input: &Input) -> Option<Tokenizer> {
        let takes_over = matches!(input, Input::UseModel { .. }) && !self.always_demo;
        takes_over.then(|| self.configured.tokenizer())
    }
}

/// Who answers the next request.
pub(crate) struct Chosen {
    /// Whom to ask.
    pub(crate) model: Arc<dyn ChatModel>,
    /// Whether it plays a trace.
    pub(crate) is_demo: bool,
}

/// The configured endpoint. One client per set of values, so that connections and what was
/// learned about the server are kept.
pub(crate) struct ConfiguredModel {
    settings: Arc<SettingsStore>,
    fixed: Option<(ModelSettings, Option<Secret>)>,
    made: Mutex<Option<CachedModel>>,
    taught: Arc<Taught>,
    /// What servers said about the size of a model's context, by address and name; `None` for one
    /// that does not say.
    contexts: Mutex<BTreeMap<(String, String), Option<u32>>>,
    /// Somebody waits for no answer about a context any more.
    impatient: CancellationToken,
}

struct CachedModel {
    settings: ModelSettings,
    key: Option<String>,
    model: Arc<OpenAiModel>,
}

impl ConfiguredModel {
    pub(crate) fn new(
        settings: Arc<SettingsStore>,
        fixed: Option<(ModelSettings, Option<Secret>)>,
    ) -> Self {
        let taught = Arc::new(Taught::new(settings.folder().to_owned()));
        let (made, contexts) = (Mutex::default(), Mutex::default());
        let impatient = CancellationToken::new();
        Self { settings, fixed, made, taught, contexts, impatient }
    }

    fn current(&self) -> Result<Arc<dyn ChatModel>, Failure> {
        let (settings, key) = self.endpoint();
        if settings.base_url.trim().is_empty() || settings.model.trim().is_empty() {
            return Err(not_connected());
        }
        let key_text = key.as_ref().map(|k| k.reveal().to_owned());
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = made.as_ref().filter(|m| m.settings == settings && m.key == key_text) {
            return Ok(Arc::clone(&made.model) as Arc<dyn ChatModel>);
        }
        let lessons = self.taught.lessons(&settings);
        let model = Arc::new(OpenAiModel::new(&settings, key)?.taught(lessons));
        *made = Some(CachedModel { settings, key: key_text, model: Arc::clone(&model) });
        Ok(model)
    }

    /// The size of a model's context: as it is set, else as its server said.
    pub(crate) fn context_of(&self, settings: &ModelSettings) -> Option<u32> {
        let told = || self.contexts().get(&name_of(settings)).copied().flatten();
        settings.context_tokens.or_else(told)
    }

    /// Keeps what a server said.
    pub(crate) fn learn_context(&self, settings: &ModelSettings, tokens: Option<u32>) {
        self.contexts().insert(name_of(settings), tokens);
    }

    /// The size of the context of the model that is configured. Where nobody set it, its server is
    /// asked once, and waited for at most [`PATIENCE`].
    pub(crate) async fn known_context(self: Arc<Self>) -> Option<u32> {
        let this = Arc::clone(&self);
        // The key may have to be asked of the system's keychain.
        let (settings, key) = spawn_blocking(move || this.endpoint()).await.ok()?;
        if settings.context_tokens.is_none() && self.is_to_be_asked(&settings) {
            let asking = timeout(PATIENCE, llm::ask_context(&settings, key));
            let asked = self.impatient.run_until_cancelled(asking).await;
            self.learn_context(&settings, asked.and_then(Result::ok).flatten());
        }
        self.context_of(&settings)
    }

    /// From now on no server is waited for that is asked how much its model reads.
    pub(crate) fn hurry(&self) {
        self.impatient.cancel();
    }

    /// Whether nobody asked this server before; from then on it counts as asked.
    fn is_to_be_asked(&self, settings: &ModelSettings) -> bool {
        let mut contexts = self.contexts();
        let is_new = !contexts.contains_key(&name_of(settings));
        contexts.entry(name_of(settings)).or_default();
        is_new && !settings.base_url.trim().is_empty()
    }

    fn tokenizer(&self) -> Tokenizer {
        match &self.fixed {
            Some((model, _)) => Tokenizer::of_model(&model.model),
            None => Tokenizer::of_model(&self.settings.settings().model.model),
        }
    }

    fn endpoint(&self) -> (ModelSettings, Option<Secret>) {
        self.fixed.clone().unwrap_or_else(|| self.settings.effective_model())
    }

    fn contexts(&self) -> MutexGuard<'_, BTreeMap<(String, String), Option<u32>>> {
        self.contexts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn name_of(settings: &ModelSettings) -> (String, String) {
    (settings.base_url.clone(), settings.model.clone())
}

/// The failure of a request that has nobody to ask.
pub(crate) fn not_connected() -> Failure {
    Failure::new(ErrorCode::LlmNotConfigured, models::not_connected())
}
