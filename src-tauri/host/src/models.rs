//! Which model answers a conversation, decided at every request, so that settings hold from the
//! next turn on.

use kernel::code::{ErrorCode, Failure};
use kernel::phrase::models;
use kernel::settings::ModelSettings;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::llm::{self, ChatModel, OpenAiModel};
use crate::secrets::Secret;
use crate::settings::SettingsStore;

/// Which model answers the runs of a host.
#[derive(Clone)]
pub enum ModelChoice {
    /// The one of the settings; runs that were started as demos play their trace.
    Configured,
    /// Every run plays its package's demo trace.
    Demo,
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
    /// The model for the next request; `plays_demo` as the journal has it. And who may be asked
    /// about it afterwards, when it is no demo.
    pub(crate) fn current(&self, plays_demo: bool) -> Result<Chosen, Failure> {
        match &self.demo {
            Some(demo) if plays_demo || self.always_demo => {
                Ok(Chosen { model: Arc::clone(demo), server: None })
            }
            _ => {
                let server = Some(Arc::clone(&self.configured));
                Ok(Chosen { model: self.configured.current()?, server })
            }
        }
    }
}

/// Who answers the next request.
pub(crate) struct Chosen {
    /// Whom to ask.
    pub(crate) model: Arc<dyn ChatModel>,
    /// What is known of its server.
    pub(crate) server: Option<Arc<ConfiguredModel>>,
}

/// The configured endpoint. One client per set of values, so that connections and what was
/// learned about the server are kept.
pub(crate) struct ConfiguredModel {
    settings: Arc<SettingsStore>,
    fixed: Option<(ModelSettings, Option<Secret>)>,
    made: Mutex<Option<CachedModel>>,
    /// What servers said about the size of a model's context, by address and name; `None` for one
    /// that does not say.
    contexts: Mutex<BTreeMap<(String, String), Option<u32>>>,
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
        Self { settings, fixed, made: Mutex::default(), contexts: Mutex::default() }
    }

    fn current(&self) -> Result<Arc<dyn ChatModel>, Failure> {
        let (settings, key) = self.fixed.clone().unwrap_or_else(|| self.settings.effective_model());
        if settings.base_url.trim().is_empty() || settings.model.trim().is_empty() {
            return Err(not_connected());
        }
        let key_text = key.as_ref().map(|k| k.reveal().to_owned());
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = made.as_ref().filter(|m| m.settings == settings && m.key == key_text) {
            return Ok(Arc::clone(&made.model) as Arc<dyn ChatModel>);
        }
        let model = Arc::new(OpenAiModel::new(&settings, key)?);
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

    /// Asks the server for the size of the context, when nobody set it and nobody asked before.
    /// `None` when there is nothing new.
    pub(crate) async fn ask_context(&self) -> Option<u32> {
        let (settings, key) = self.unasked()?;
        let tokens = llm::ask_context(&settings, key).await?;
        self.learn_context(&settings, Some(tokens));
        Some(tokens)
    }

    /// Whom to ask; from then on it counts as asked.
    fn unasked(&self) -> Option<(ModelSettings, Option<Secret>)> {
        let made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let made = made.as_ref().filter(|made| made.settings.context_tokens.is_none())?;
        let name = name_of(&made.settings);
        let mut contexts = self.contexts();
        if contexts.contains_key(&name) {
            return None;
        }
        contexts.insert(name, None);
        Some((made.settings.clone(), made.key.as_deref().and_then(Secret::new)))
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
