//! What the options of every command choose: the store, and the model.

use host::host::ModelChoice;
use host::llm::preset;
use host::settings::{Overrides, SettingsStore};
use kernel::code::{ErrorCode, Failure};
use kernel::phrase::terminal;
use kernel::settings::ModelSettings;
use std::path::{Path, PathBuf};

use super::Global;

/// `--store`, else the platform's data folder.
pub(crate) fn store_dir(global: &Global) -> Result<PathBuf, Failure> {
    if let Some(dir) = &global.store {
        return std::path::absolute(dir)
            .map_err(|e| host::failure::io(ErrorCode::StoreOpenFailed, "--store", &e));
    }
    host::store_root().ok_or_else(|| {
        Failure::new(ErrorCode::StoreOpenFailed, terminal::no_home_for_store())
            .with_action(terminal::pass_store())
    })
}

/// `--model demo`; what the options name, over the settings and the environment; or the settings.
/// Blocks: the settings' key may be asked of the keychain.
pub(crate) fn model_choice(global: &Global, store: &Path) -> Result<ModelChoice, Failure> {
    if global.model.as_deref() == Some("demo") && global.base_url.is_none() {
        return Ok(ModelChoice::Demo);
    }
    let context_tokens = global.context_tokens;
    let names = global.model.is_some() || global.base_url.is_some() || global.provider.is_some();
    if !names && context_tokens.is_none() {
        return Ok(ModelChoice::Configured);
    }
    let overrides = Overrides::from_env();
    if let Some(base_url) = &global.base_url {
        // Another server than the settings': nothing of theirs goes there, the key least of all.
        let settings = ModelSettings {
            provider: global.provider.clone().unwrap_or_else(|| "custom".into()),
            base_url: base_url.clone(),
            model: global.model.clone().or(overrides.model).unwrap_or_else(|| "default".into()),
            context_tokens,
            ..ModelSettings::default()
        };
        return Ok(ModelChoice::Endpoint(settings, overrides.api_key));
    }
    let (mut settings, mut key) = SettingsStore::open(store).effective_model();
    if let Some(provider) = global.provider.as_ref().filter(|p| **p != settings.provider) {
        let base_url = preset(provider).base_url.unwrap_or_default().to_owned();
        let base_url = overrides.base_url.unwrap_or(base_url);
        let model = overrides.model.unwrap_or_default();
        let provider = provider.clone();
        settings = ModelSettings { provider, base_url, model, ..ModelSettings::default() };
        key = overrides.api_key;
    }
    if let Some(model) = global.model.as_ref().filter(|model| **model != settings.model) {
        settings.model.clone_from(model);
        // What the settings say of their own model holds for no other.
        settings.context_tokens = None;
    }
    settings.context_tokens = context_tokens.or(settings.context_tokens);
    if settings.base_url.trim().is_empty() {
        let failure = Failure::new(ErrorCode::LlmNotConfigured, terminal::no_endpoint_named());
        return Err(failure.with_action(terminal::pass_base_url()));
    }
    Ok(ModelChoice::Endpoint(settings, key))
}
