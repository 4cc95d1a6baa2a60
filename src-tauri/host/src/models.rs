//! Which model answers a conversation, decided at every request, so that settings hold from the
//! next turn on.

use kernel::code::{ErrorCode, Failure};
use kernel::phrase::models;
use kernel::settings::ModelSettings;
use std::sync::{Arc, Mutex, PoisonError};

use crate::llm::{ChatModel, OpenAiModel};
use crate::secrets::Secret;
use crate::settings::SettingsStore;

/// Where a conversation's answers come from.
#[derive(Clone)]
pub(crate) enum ModelSource {
    /// Always this one: a demo trace.
    Fixed(Arc<dyn ChatModel>),
    /// The endpoint of the settings, or of the command line.
    Configured(Arc<ConfiguredModel>),
}

impl ModelSource {
    /// The model for the next request.
    pub(crate) fn current(&self) -> Result<Arc<dyn ChatModel>, Failure> {
        match self {
            Self::Fixed(model) => Ok(Arc::clone(model)),
            Self::Configured(models) => models.current(),
        }
    }
}

/// The configured endpoint. One client per set of values, so that connections and what was
/// learned about the server are kept.
pub(crate) struct ConfiguredModel {
    settings: Arc<SettingsStore>,
    fixed: Option<(ModelSettings, Option<Secret>)>,
    made: Mutex<Option<Made>>,
}

struct Made {
    settings: ModelSettings,
    key: Option<String>,
    model: Arc<OpenAiModel>,
}

impl ConfiguredModel {
    pub(crate) fn new(
        settings: Arc<SettingsStore>,
        fixed: Option<(ModelSettings, Option<Secret>)>,
    ) -> Self {
        Self { settings, fixed, made: Mutex::default() }
    }

    fn current(&self) -> Result<Arc<dyn ChatModel>, Failure> {
        let (settings, key) = self.fixed.clone().unwrap_or_else(|| self.settings.effective_model());
        if settings.base_url.trim().is_empty() || settings.model.trim().is_empty() {
            return Err(Failure::new(ErrorCode::LlmNotConfigured, models::not_connected()));
        }
        let key_text = key.as_ref().map(|k| k.reveal().to_owned());
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = made.as_ref().filter(|m| m.settings == settings && m.key == key_text) {
            return Ok(Arc::clone(&made.model) as Arc<dyn ChatModel>);
        }
        let model = Arc::new(OpenAiModel::new(&settings, key)?);
        *made = Some(Made { settings, key: key_text, model: Arc::clone(&model) });
        Ok(model)
    }
}
