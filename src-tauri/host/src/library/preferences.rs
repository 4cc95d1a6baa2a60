//! What the settings, the environment and the command line say together: which model answers,
//! and what a turn may do. Also the model as people handle it: testing the connection, looking for
//! servers on this machine.

use kernel::code::{ErrorCode, Failure};
use kernel::engine::Limits;
use kernel::phrase::models as phrases;
use kernel::policy::ApproveWrites;
use kernel::settings::{ModelSettings, ToolOffer, VerifyAfterWrite};
use kernel::text::sha256_hex;
use kernel::tokens::Tokenizer;
use kernel::trace::Trace;
use kernel::wire::{LocalServer, ModelTest, SettingsView};
use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

use crate::blocking::on_disk;
use crate::llm;
use crate::models::{ConfiguredModel, ModelChoice, not_connected};
use crate::secrets::Secret;
use crate::settings::{Reloaded, SettingsStore};

/// What this start of the program says, whatever the settings say.
#[derive(Clone)]
pub(crate) struct Choices {
    /// Which model answers.
    pub(crate) model: ModelChoice,
    /// Which writes wait for the person, when it is not the settings' to say.
    pub(crate) approve_writes: Option<ApproveWrites>,
    /// How many model requests a turn has at most, when it is not the settings' to say.
    pub(crate) max_turns: Option<u32>,
}

/// The settings of one store, under what this start of the program says.
pub(crate) struct Preferences {
    settings: Arc<SettingsStore>,
    choices: Choices,
    model: Arc<ConfiguredModel>,
    tests: Tests,
}

impl Preferences {
    pub(crate) fn new(settings: SettingsStore, choices: Choices) -> Self {
        let settings = Arc::new(settings);
        let fixed = match &choices.model {
            ModelChoice::Endpoint(model, key) => Some((model.clone(), key.clone())),
            ModelChoice::Configured | ModelChoice::Demo | ModelChoice::Trace(_) => None,
        };
        let model = Arc::new(ConfiguredModel::new(Arc::clone(&settings), fixed));
        Self { settings, choices, model, tests: Tests::default() }
    }

    /// The settings themselves.
    pub(crate) fn settings(&self) -> &Arc<SettingsStore> {
        &self.settings
    }

    /// The endpoint that is asked when no demo plays.
    pub(crate) fn model(&self) -> Arc<ConfiguredModel> {
        Arc::clone(&self.model)
    }

    /// Whether every run plays its package's demo trace.
    pub(crate) fn always_demo(&self) -> bool {
        matches!(self.choices.model, ModelChoice::Demo | ModelChoice::Trace(_))
    }

    /// The trace that every run plays, when this start says which.
    pub(crate) fn trace(&self) -> Option<&Arc<Trace>> {
        match &self.choices.model {
            ModelChoice::Trace(trace) => Some(trace),
            _ => None,
        }
    }

    /// What a turn may do that begins now. Nothing is known of the model while a demo plays.
    pub(crate) fn limits(&self, demo: bool) -> Limits {
        let settings = self.settings.settings();
        let endpoint = match &self.choices.model {
            ModelChoice::Endpoint(model, _) => model,
            ModelChoice::Configured | ModelChoice::Demo | ModelChoice::Trace(_) => &settings.model,
        };
        Limits {
            max_turns: self.choices.max_turns.unwrap_or(settings.engine.max_turns),
            autopilot: settings.engine.autopilot,
            context_tokens: if demo { None } else { self.model.context_of(endpoint) },
            tokenizer: if demo {
                Tokenizer::Estimate
            } else {
                Tokenizer::of_model(&endpoint.model)
            },
            offer: if demo { ToolOffer::All } else { endpoint.tools },
            unbound: settings.confirmation.unbound,
            verify_after_write: settings.acceptance.verify_after_write == VerifyAfterWrite::Auto,
            approve_writes: self.choices.approve_writes.unwrap_or(settings.approval.writes),
            outputs: settings.acceptance.outputs,
            tools: settings.tools,
            hooks: Arc::default(),
            servers: Arc::default(),
            skills: Arc::default(),
        }
    }

    /// Merges a patch into the settings; it holds from the next turn on.
    pub(crate) async fn configure(&self, patch: Value) -> Result<(), Failure> {
        let (settings, model) = (Arc::clone(&self.settings), Arc::clone(&self.model));
        on_disk(move || {
            let now = settings.configure(&patch)?.model;
            model.was_set(&now, &patch);
            Ok(())
        })
        .await
    }

    /// Keeps the key of the model, or forgets it when the text is empty.
    pub(crate) async fn store_api_key(&self, key: String) -> Result<(), Failure> {
        let settings = Arc::clone(&self.settings);
        on_disk(move || settings.store_api_key(&key).map(drop)).await
    }

    /// Reads the settings file again.
    pub(crate) async fn reload(&self) -> Result<Reloaded, Failure> {
        let settings = Arc::clone(&self.settings);
        on_disk(move || Ok(settings.reload())).await
    }

    /// The settings, with what is known of the model they name.
    pub(crate) async fn view(&self) -> Result<SettingsView, Failure> {
        let (view, model, key) = self.read().await?;
        let tested = self.tests.found(&TestedServer::of(&model, key.as_ref()));
        let model = Arc::clone(&self.model);
        let known = on_disk(move || Ok(model.answered())).await?;
        Ok(SettingsView { tested, known, ..view })
    }

    /// The settings, and the endpoint runs ask with its key: the one that was named when the host
    /// was opened, else the settings'.
    pub(crate) async fn read(
        &self,
    ) -> Result<(SettingsView, ModelSettings, Option<Secret>), Failure> {
        let (settings, choice) = (Arc::clone(&self.settings), self.choices.model.clone());
        on_disk(move || {
            let view = settings.view();
            let (model, key) = effective(&settings, choice);
            Ok((view, model, key))
        })
        .await
    }

    /// Every key there is, for a last look that none of them leaves the machine.
    pub(crate) async fn keys(&self) -> Result<Vec<Secret>, Failure> {
        let (settings, choice) = (Arc::clone(&self.settings), self.choices.model.clone());
        on_disk(move || {
            let asked_with = effective(&settings, choice).1;
            Ok(settings.keys().into_iter().chain(asked_with).collect())
        })
        .await
    }

    /// The endpoint as it is named; the settings' when every run plays its demo.
    pub(crate) fn named_model(&self) -> ModelSettings {
        match &self.choices.model {
            ModelChoice::Endpoint(model, _) => model.clone(),
            ModelChoice::Configured | ModelChoice::Demo | ModelChoice::Trace(_) => {
                self.settings.settings().model
            }
        }
    }

    /// The name of the model that would be asked now. `LLM_NOT_CONFIGURED`.
    pub(crate) async fn model_name(&self) -> Result<String, Failure> {
        let (settings, _) = self.effective().await?;
        if settings.base_url.trim().is_empty() || settings.model.trim().is_empty() {
            return Err(not_connected());
        }
        Ok(settings.model)
    }

    /// Asks the endpoint for real. `ENGINE_ABORTED` when the person stopped it, or began another.
    /// What it says about the size of its context holds from then on, when it answers.
    pub(crate) async fn test_model(&self) -> Result<ModelTest, Failure> {
        let cancel = self.tests.begin();
        let (settings, key) = self.effective().await?;
        let test = tokio::select! {
            biased;
            () = cancel.cancelled() => {
                return Err(Failure::new(ErrorCode::EngineAborted, phrases::test_was_stopped()));
            }
            test = llm::test_model(&settings, key.clone()) => test,
        };
        if test.answers {
            self.model.learn_context(&settings, test.context_tokens);
            self.model.has_answered(&settings).await;
        }
        self.tests.keep(TestedServer::of(&settings, key.as_ref()), &test);
        Ok(test)
    }

    /// Ends the test of the connection that is going on.
    pub(crate) fn stop_test(&self) {
        self.tests.stop();
    }

    async fn effective(&self) -> Result<(ModelSettings, Option<Secret>), Failure> {
        let (settings, choice) = (Arc::clone(&self.settings), self.choices.model.clone());
        on_disk(move || Ok(effective(&settings, choice))).await
    }
}

/// Blocks: the key may have to be asked of the keychain.
fn effective(settings: &SettingsStore, choice: ModelChoice) -> (ModelSettings, Option<Secret>) {
    match choice {
        ModelChoice::Endpoint(model, key) => (model, key),
        ModelChoice::Configured | ModelChoice::Demo | ModelChoice::Trace(_) => {
            settings.effective_model()
        }
    }
}

/// The model servers on this machine.
pub(crate) async fn local_models() -> Vec<LocalServer> {
    llm::detect_local(&llm::local_places()).await
}

/// The test that is going on, and what the last one found.
#[derive(Default)]
struct Tests(Mutex<ModelTestState>);

#[derive(Default)]
struct ModelTestState {
    running: Option<CancellationToken>,
    last: Option<(TestedServer, ModelTest)>,
}

/// Whom a test asked: what it found holds for nothing else.
#[derive(PartialEq)]
struct TestedServer {
    provider: String,
    base_url: String,
    model: String,
    headers: std::collections::BTreeMap<String, String>,
    key_sha256: Option<String>,
}

impl TestedServer {
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
    fn stop(&self) {
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

    fn keep(&self, asked: TestedServer, test: &ModelTest) {
        self.state().last = Some((asked, test.clone()));
    }

    fn found(&self, asked: &TestedServer) -> Option<ModelTest> {
        let state = self.state();
        state.last.as_ref().filter(|(by, _)| by == asked).map(|(_, test)| test.clone())
    }

    fn state(&self) -> MutexGuard<'_, ModelTestState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
