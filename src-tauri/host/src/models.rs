//! Which model answers a conversation, decided at every request, so that settings hold from the
//! next turn on.

use kernel::code::{ErrorCode, Failure};
use kernel::engine::Input;
use kernel::phrase::models;
use kernel::settings::ModelSettings;
use kernel::tokens::Tokenizer;
use kernel::trace::Trace;
use kernel::wire::KnownModel;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::answered::AnsweredModels;
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
                Ok(Chosen { model: Arc::clone(demo), is_demo: true, named: None })
            }
            _ => self.configured.current(),
        }
    }

    /// Keeps that a model has answered, so that the person can come back to it. Nobody has to wait
    /// for that.
    pub(crate) fn has_answered(&self, named: KnownModel) {
        drop(self.configured.keep_answered(named));
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
    /// As the settings name it; `None` for one that they do not name by themselves.
    pub(crate) named: Option<KnownModel>,
}

/// The configured endpoint. One client per set of values, so that connections and what was
/// learned about the server are kept.
pub(crate) struct ConfiguredModel {
    settings: Arc<SettingsStore>,
    fixed: Option<(ModelSettings, Option<Secret>)>,
    made: Mutex<Option<CachedModel>>,
    taught: Arc<Taught>,
    /// The models of the settings that answered.
    answered: Arc<AnsweredModels>,
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
        let answered = Arc::new(AnsweredModels::new(settings.folder().to_owned()));
        let (made, contexts) = (Mutex::default(), Mutex::default());
        let impatient = CancellationToken::new();
        Self { settings, fixed, made, taught, answered, contexts, impatient }
    }

    /// Keeps that the model that these settings name has answered.
    pub(crate) async fn has_answered(&self, settings: &ModelSettings) {
        if self.is_of_the_settings() {
            _ = self.keep_answered(KnownModel::of(settings)).await;
        }
    }

    fn keep_answered(&self, named: KnownModel) -> JoinHandle<()> {
        let answered = Arc::clone(&self.answered);
        spawn_blocking(move || answered.keep(&named))
    }

    /// Keeps what a patch has just set for the model of the settings. Blocks.
    pub(crate) fn was_set(&self, settings: &ModelSettings, patch: &Value) {
        if self.is_of_the_settings() {
            self.answered.renew(settings, patch);
        }
    }

    /// The models of the settings that answered before. Blocks.
    pub(crate) fn answered(&self) -> Vec<KnownModel> {
        self.answered.list()
    }

    /// Whether the settings alone say whom to ask. A model that the command line or the environment
    /// names is for this start of the program, and nothing is kept of it.
    fn is_of_the_settings(&self) -> bool {
        self.fixed.is_none() && !self.settings.names_model()
    }

    fn current(&self) -> Result<Chosen, Failure> {
        let (settings, key) = self.endpoint();
        if settings.base_url.trim().is_empty() || settings.model.trim().is_empty() {
            return Err(not_connected());
        }
        let named = self.is_of_the_settings().then(|| KnownModel::of(&settings));
        let chosen = |model| Ok(Chosen { model, is_demo: false, named });
        let key_text = key.as_ref().map(|k| k.reveal().to_owned());
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = made.as_ref().filter(|m| m.settings == settings && m.key == key_text) {
            return chosen(Arc::clone(&made.model) as Arc<dyn ChatModel>);
        }
        let lessons = self.taught.lessons(&settings);
        let model = Arc::new(OpenAiModel::new(&settings, key)?.taught(lessons));
        *made = Some(CachedModel { settings, key: key_text, model: Arc::clone(&model) });
        chosen(model)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Overrides;
    use serde_json::json;

    #[tokio::test]
    async fn nothing_is_kept_of_a_model_that_the_settings_do_not_name_by_themselves() {
        let url = || Some("http://h/v1".to_owned());
        let named = || ModelSettings { base_url: url().unwrap(), ..ModelSettings::default() };
        let of = |base_url, model| Overrides { base_url, model, ..Overrides::default() };
        for (overrides, fixed, kept) in [
            (of(None, None), None, 1),
            (of(url(), None), None, 0),
            (of(None, Some("m".to_owned())), None, 0),
            (of(None, None), Some((named(), None)), 0),
        ] {
            let case = format!("{overrides:?} {}", fixed.is_some());
            let folder = tempfile::tempdir().unwrap();
            let overrides = Overrides { no_keychain: true, ..overrides };
            let settings = Arc::new(SettingsStore::open_with(folder.path(), overrides));
            let patch = json!({ "model": { "baseUrl": "http://h/v1", "model": "a" } });
            settings.configure(&patch).unwrap();
            let model = ConfiguredModel::new(Arc::clone(&settings), fixed);
            model.has_answered(&settings.settings().model).await;
            assert_eq!(model.answered().len(), kept, "{case}");

            // One that is known stays as it is.
            model.answered.keep(&KnownModel { model: "a".into(), ..KnownModel::of(&named()) });
            let patch = json!({ "model": { "contextTokens": 8192 } });
            model.was_set(&settings.configure(&patch).unwrap().model, &patch);
            let context = model.answered()[0].context_tokens;
            assert_eq!(context, (kept == 1).then_some(8192), "{case}");
            if let Ok(chosen) = model.current() {
                assert_eq!(chosen.named.is_some(), kept == 1, "{case}");
            }
        }
    }
}
