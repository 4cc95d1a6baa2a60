//! The model as people handle it: testing the connection, looking for servers on this machine.

use kernel::code::{ErrorCode, Failure};
use kernel::phrase::models as phrases;
use kernel::settings::ModelSettings;
use kernel::text::sha256_hex;
use kernel::wire::{LocalServer, ModelTest, SettingsView};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

use super::{Host, on_disk};
use crate::llm;
use crate::models::not_connected;
use crate::secrets::Secret;

/// The test that is going on, and what the last one found.
#[derive(Default)]
pub(super) struct Tests(Mutex<State>);

#[derive(Default)]
struct State {
    running: Option<CancellationToken>,
    last: Option<(Asked, ModelTest)>,
}

/// Whom a test asked: what it found holds for nothing else.
#[derive(PartialEq)]
struct Asked {
    provider: String,
    base_url: String,
    model: String,
    headers: std::collections::BTreeMap<String, String>,
    key_sha256: Option<String>,
}

impl Asked {
    fn of(settings: &ModelSettings, key: Option<&Secret>) -> Self {
        Self {
            provider: settings.provider.clone(),
            base_url: settings.base_url.clone(),
            model: settings.model.clone(),
            headers: settings.headers.clone(),
            key_sha256: key.map(|key| sha256_hex(key.reveal().as_bytes())),
        }
    }
}

impl Tests {
    /// Ends the test that is going on.
    pub(super) fn stop(&self) {
        if let Some(running) = self.state().running.take() {
            running.cancel();
        }
    }

    /// A new test; one that is going on ends.
    fn begin(&self) -> CancellationToken {
        let cancel = CancellationToken::new();
        if let Some(before) = self.state().running.replace(cancel.clone()) {
            before.cancel();
        }
        cancel
    }

    fn keep(&self, asked: Asked, test: &ModelTest) {
        self.state().last = Some((asked, test.clone()));
    }

    fn found(&self, asked: &Asked) -> Option<ModelTest> {
        let state = self.state();
        state.last.as_ref().filter(|(by, _)| by == asked).map(|(_, test)| test.clone())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Asks the endpoint for real. `ENGINE_ABORTED` when the person stopped it, or began another.
pub(super) async fn test(host: &Host) -> Result<ModelTest, Failure> {
    let cancel = host.tests.begin();
    let (settings, key) = effective(host).await?;
    let test = tokio::select! {
        biased;
        () = cancel.cancelled() => {
            return Err(Failure::new(ErrorCode::EngineAborted, phrases::test_was_stopped()));
        }
        test = llm::test_model(&settings, key.clone()) => test,
    };
    if test.answers {
        host.models.learn_context(&settings, test.context_tokens);
        super::commands::forget_resting(host);
    }
    host.tests.keep(Asked::of(&settings, key.as_ref()), &test);
    Ok(test)
}

/// The model servers on this machine.
pub(super) async fn local() -> Vec<LocalServer> {
    llm::detect_local(&llm::local_places()).await
}

/// The settings, with what is known of the model they name.
pub(super) async fn settings(host: &Host) -> Result<SettingsView, Failure> {
    let (settings, choice) = (Arc::clone(&host.settings), host.options.model.clone());
    let read = on_disk(move || Ok((settings.view(), Host::effective_model(&settings, &choice))));
    let (view, (model, key)) = read.await?;
    let tested = host.tests.found(&Asked::of(&model, key.as_ref()));
    Ok(SettingsView { tested, ..view })
}

/// The name of the model that would be asked now. `LLM_NOT_CONFIGURED`.
pub(super) async fn named(host: &Host) -> Result<String, Failure> {
    let (settings, _) = effective(host).await?;
    if settings.base_url.trim().is_empty() || settings.model.trim().is_empty() {
        return Err(not_connected());
    }
    Ok(settings.model)
}

async fn effective(host: &Host) -> Result<(ModelSettings, Option<Secret>), Failure> {
    let (settings, choice) = (Arc::clone(&host.settings), host.options.model.clone());
    on_disk(move || Ok(Host::effective_model(&settings, &choice))).await
}
