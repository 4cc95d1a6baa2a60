//! The settings file of a store, the environment over it, and the key (spec 08 "Settings").
//!
//! `settings.json` holds what was set, nothing else: a default is not written, so a better default
//! of a later program reaches everybody. Fields this program does not know are kept.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kernel::bounds::SETTINGS_BYTES;
use kernel::code::{ErrorCode, Failure};
use kernel::phrase::{Why, models, settings};
use kernel::settings::{ModelSettings, Settings, merged, strictest, unreadable};
use kernel::wire::{ProviderView, SettingsView};
use serde_json::{Map, Value};

use crate::atomic::{self, AtomicFile};
use crate::crash::{Point, point};
use crate::failure;
use crate::file_lock::lock_in_time;
use crate::json;
use crate::keys;
use crate::llm::{PRESETS, Preset};
use crate::plain_file;
use crate::private;
use crate::real_path::RealPath;
use crate::secrets::{KeyPlace, KeyStore, Secret, StoredKey};

mod bound;
mod misnamed;

pub(crate) use bound::origin;
use bound::server;

pub(crate) const FILE: &str = "settings.json";
const BROKEN: &str = "settings.json.broken";
/// Held while the file is read, merged and replaced, so that two processes do not lose each
/// other's fields.
const LOCK: &str = "settings.json.lock";

/// What the environment overrides, for headless use.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    /// `CREWAGENT_BASE_URL`.
    pub base_url: Option<String>,
    /// `CREWAGENT_MODEL`.
    pub model: Option<String>,
    /// `CREWAGENT_API_KEY`.
    pub api_key: Option<Secret>,
    /// `CREWAGENT_KEYCHAIN=off`: leave the system's keychain alone.
    pub no_keychain: bool,
}

impl Overrides {
    /// From the process's environment; an empty variable counts as absent.
    pub fn from_env() -> Self {
        let var = |name| std::env::var(name).ok().filter(|v| !v.trim().is_empty());
        Self {
            base_url: var("CREWAGENT_BASE_URL"),
            model: var("CREWAGENT_MODEL"),
            api_key: var("CREWAGENT_API_KEY").and_then(|k| Secret::new(&k)),
            no_keychain: var("CREWAGENT_KEYCHAIN").is_some_and(|v| v.eq_ignore_ascii_case("off")),
        }
    }
}

/// The settings of one store; clones share it. Calls read and write small files, and the key's
/// first use may wait two seconds for the keychain: call from a blocking thread.
#[derive(Debug, Clone)]
pub struct SettingsStore(Arc<SettingsInner>);

#[derive(Debug)]
struct SettingsInner {
    dir: RealPath,
    overrides: Overrides,
    keys: KeyStore,
    state: Mutex<SettingsState>,
    key: Mutex<Option<(Option<StoredKey>, KeyPlace)>>,
}

/// What reading the file again brought.
#[derive(Debug, Clone, PartialEq)]
pub struct Reloaded {
    /// Whether it says something else than what was known.
    pub changed: bool,
    /// `SETTING_INVALID` per field that kept its old value.
    pub problems: Vec<Failure>,
}

/// The file as read, and what it means.
#[derive(Debug, Default)]
struct SettingsState {
    document: Map<String, Value>,
    /// The file is not a JSON object: it is put aside before it would be overwritten.
    broken: bool,
    settings: Settings,
    problems: Vec<Failure>,
}

fn providers() -> Vec<ProviderView> {
    let view = |preset: &Preset| ProviderView {
        name: preset.name.to_owned(),
        base_url: preset.base_url.map(str::to_owned),
    };
    PRESETS.iter().map(view).collect()
}

impl SettingsStore {
    /// Opens the settings of the store in `dir`, with the process's environment over them.
    pub fn open(dir: impl Into<PathBuf>) -> Self {
        Self::open_with(dir, Overrides::from_env())
    }

    /// The same with given overrides. Never fails: what cannot be read is reported by
    /// [`SettingsStore::problems`] and its default holds.
    pub fn open_with(dir: impl Into<PathBuf>, overrides: Overrides) -> Self {
        let dir: PathBuf = dir.into();
        let keys = KeyStore::new(&dir, !overrides.no_keychain);
        let dir = RealPath::new(dir, "the store");
        let (state, key) = (Mutex::default(), Mutex::default());
        let store = Self(Arc::new(SettingsInner { dir, overrides, keys, state, key }));
        store.reload();
        store
    }

    /// The folder that it lies in.
    pub(crate) fn folder(&self) -> &Path {
        self.0.dir.as_path()
    }

    /// Reads the file again: somebody may have edited it. A field that became invalid keeps its
    /// old value, and so does everything when the file cannot be read.
    pub fn reload(&self) -> Reloaded {
        let mut state = self.state();
        let next = self.read_file(&state);
        let known = (&state.document, state.broken, &state.problems);
        let changed = known != (&next.document, next.broken, &next.problems);
        if changed {
            for failure in &next.problems {
                tracing::warn!(%failure, "{FILE}: not taken over");
            }
        }
        *state = next;
        Reloaded { changed, problems: state.problems.clone() }
    }

    /// What is wrong with the file: it was kept, and each says what holds instead.
    pub fn problems(&self) -> Vec<Failure> {
        self.state().problems.clone()
    }

    /// The values in force, the environment included.
    pub fn settings(&self) -> Settings {
        let mut settings = self.state().settings.clone();
        if let Some(url) = &self.0.overrides.base_url {
            // A header may be a key as well: none goes to another server.
            if origin(url) != server(&settings.model) {
                settings.model.headers.clear();
            }
            settings.model.base_url.clone_from(url);
        }
        if let Some(model) = &self.0.overrides.model {
            settings.model.model.clone_from(model);
        }
        settings
    }

    /// Whether the environment says which model answers, or where.
    pub(crate) fn names_model(&self) -> bool {
        self.0.overrides.base_url.is_some() || self.0.overrides.model.is_some()
    }

    /// Whether the file sets a field, by its dotted name; a default is not set.
    pub fn is_set(&self, name: &str) -> bool {
        let document = Value::Object(self.state().document.clone());
        document.pointer(&format!("/{}", name.replace('.', "/"))).is_some_and(|v| !v.is_null())
    }

    /// Whether a key is kept here, whatever the environment says.
    pub fn has_stored_key(&self) -> bool {
        self.0.keys.load().is_ok_and(|(key, _)| key.is_some())
    }

    /// What the settings page shows.
    pub fn view(&self) -> SettingsView {
        let settings = self.settings();
        let (key, place) = self.key_for(&settings.model);
        let overrides = &self.0.overrides;
        let named = [
            ("model.baseUrl", overrides.base_url.is_some()),
            ("model.model", overrides.model.is_some()),
            ("apiKey", overrides.api_key.is_some()),
        ];
        let clear = key.as_ref().and_then(|_| crate::llm::in_the_clear(&settings.model.base_url));
        SettingsView {
            caution: clear.map(settings::key_in_the_clear),
            settings,
            has_api_key: key.is_some(),
            api_key_in: place.as_str().to_owned(),
            overridden: named.iter().filter(|(_, on)| *on).map(|(n, _)| (*n).to_owned()).collect(),
            problems: self.problems(),
            file: self.file(FILE).display().to_string(),
            providers: providers(),
            tested: None,
            known: Vec::new(),
        }
    }

    /// Merges a patch into the file.
    ///
    /// # Errors
    /// `SETTING_INVALID` or `SETTING_IS_KEY`, which name the field; `STORE_WRITE_FAILED` when the
    /// file cannot be written. Nothing has changed then.
    pub fn configure(&self, patch: &Value) -> Result<Settings, Failure> {
        let mut state = self.state();
        let _lock = self.lock_file()?;
        // Another process may have written in between; its fields must not be lost.
        let mut next = self.read_file(&state);
        let before = server(&next.settings.model);
        bound::bind(&mut next.document, before.as_deref());
        let mut patch = patch.clone();
        misnamed::remove(&mut next.document, &mut patch);
        let patch = &patch;
        let mut known = next.settings;
        let after = server(&merged(&known, patch)?.model);
        if before != after {
            // A key without a server is of the one that was set until now.
            self.stored_key(before.or_else(|| after.clone()));
        }
        if bound::names_headers(patch) {
            bound::keep_those_of(&mut next.document, &mut known.model, after.as_deref());
        }
        let settings = merged(&known, patch)?;
        if next.broken && next.document.is_empty() {
            // What it said nobody knows: what guards files stays strict until the person says.
            merge_patch(&mut next.document, &strictest());
        }
        merge_patch(&mut next.document, patch);
        bound::bind(&mut next.document, after.as_deref());
        hide_headers(&next.document);
        next.settings = settings.clone();
        self.write_file(&next)?;
        next.broken = false;
        (next.settings, next.problems) = bound::meaning(&next.document, &settings);
        *state = next;
        Ok(state.settings.clone())
    }

    /// The endpoint to use and its key. The stored key stays home when the settings or the
    /// environment name another server than the one it was given for.
    pub fn effective_model(&self) -> (ModelSettings, Option<Secret>) {
        let model = self.settings().model;
        let (key, _) = self.key_for(&model);
        (model, key)
    }

    /// Every key there is, for a last look that none of them leaves the machine.
    pub(crate) fn keys(&self) -> Vec<Secret> {
        let named = self.0.overrides.api_key.clone();
        let stored = self.0.keys.load().ok().and_then(|(key, _)| key).map(|key| key.secret);
        named.into_iter().chain(stored).collect()
    }

    /// Reads the key that is kept, so that nothing shows it whoever is asked: the command line may name
    /// another server, and the environment another key. Blocks.
    pub(crate) fn know_key(&self) {
        drop(self.stored_key(None));
    }

    /// Keeps the key for the server of the settings, or forgets it when the text is empty. Says
    /// where it is now.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED` when there is no keychain and the file cannot be written.
    pub fn store_api_key(&self, key: &str) -> Result<KeyPlace, Failure> {
        self.store_api_key_for(key, self.its_server())
    }

    /// The same for a server that is known otherwise.
    pub(crate) fn store_api_key_for(
        &self,
        key: &str,
        server: Option<String>,
    ) -> Result<KeyPlace, Failure> {
        let key = Secret::new(key).map(|secret| StoredKey { secret, server });
        let place = self.0.keys.keep(key.as_ref())?;
        *self.0.key.lock().unwrap_or_else(PoisonError::into_inner) = Some((key, place));
        Ok(place)
    }

    /// The key to send to the server of `model`, if any, and where a key is.
    fn key_for(&self, model: &ModelSettings) -> (Option<Secret>, KeyPlace) {
        if let Some(key) = &self.0.overrides.api_key {
            return (Some(key.clone()), KeyPlace::Environment);
        }
        let (Some(key), place) = self.stored_key(self.its_server()) else {
            return (None, KeyPlace::None);
        };
        if key.server == server(model) {
            (Some(key.secret), place)
        } else {
            (None, KeyPlace::Elsewhere)
        }
    }

    /// The server that a key is for which is given now.
    fn its_server(&self) -> Option<String> {
        server(&self.state().settings.model)
    }

    /// The key that is kept. One without a server, given before there was one or to an older
    /// version, is of `server` from now on.
    fn stored_key(&self, server: Option<String>) -> (Option<StoredKey>, KeyPlace) {
        let mut kept = self.0.key.lock().unwrap_or_else(PoisonError::into_inner);
        let known = match &*kept {
            Some(known) => Ok(known.clone()),
            None => self.0.keys.load(),
        };
        let (mut key, mut place) = match known {
            Ok(known) => known,
            Err(failure) => {
                tracing::warn!(%failure, "the API key cannot be read");
                return (None, KeyPlace::None);
            }
        };
        if let Some(key) = key.as_mut().filter(|key| key.server.is_none() && server.is_some()) {
            key.server = server;
            match self.0.keys.keep(Some(key)) {
                Ok(now) => place = now,
                Err(failure) => tracing::warn!(%failure, "the API key's server cannot be kept"),
            }
        }
        *kept = Some((key.clone(), place));
        (key, place)
    }

    fn state(&self) -> MutexGuard<'_, SettingsState> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.dir.as_path().join(name)
    }

    /// Waits for its turn to change the file; given back when dropped.
    fn lock_file(&self) -> Result<File, Failure> {
        let cannot = |e: &io::Error| failure::io(ErrorCode::StoreWriteFailed, LOCK, e);
        private::folder(self.0.dir.as_path()).map_err(|e| cannot(&e))?;
        let file = private::file(&self.file(LOCK)).map_err(|e| cannot(&e))?;
        if lock_in_time(&file).map_err(|e| cannot(&e))? {
            return Ok(file);
        }
        let failure = Failure::new(ErrorCode::StoreWriteFailed, settings::settings_busy(FILE));
        Err(failure.with_action(models::try_again()))
    }

    /// The file as it is; `before` holds where it says nothing valid.
    fn read_file(&self, before: &SettingsState) -> SettingsState {
        let broken = |failure: Failure| SettingsState {
            document: before.document.clone(),
            broken: true,
            settings: unreadable(&before.settings),
            problems: vec![failure],
        };
        let text = match plain_file::read_to_string(&self.file(FILE), SETTINGS_BYTES) {
            Ok(text) => text,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return SettingsState::default(),
            Err(e) => return broken(failure::io(ErrorCode::StoreReadFailed, FILE, &e)),
        };
        match json::parse_written(text.trim_start_matches('\u{feff}')) {
            Ok(Value::Object(document)) => {
                hide_headers(&document);
                let (settings, problems) = bound::meaning(&document, &before.settings);
                SettingsState { document, broken: false, settings, problems }
            }
            Ok(_) => broken(not_settings(settings::settings_no_object())),
            Err(e) => broken(not_settings(e)),
        }
    }

    /// Keeps a copy of what cannot be understood. The file itself stays until the new one takes its
    /// place: without one, a program that starts in between would be less strict than with this.
    fn keep_aside(&self, path: &Path) -> io::Result<()> {
        let copied = || -> io::Result<()> {
            let folder = atomic::folder_of(path)?;
            let mut kept = AtomicFile::new(&folder, atomic::for_its_owner().as_ref())?;
            io::copy(&mut File::open(path)?, &mut kept)?;
            kept.flushed()?.replace(BROKEN)
        };
        // One that nobody may read can be moved all the same.
        copied().or_else(|_| std::fs::rename(path, self.file(BROKEN)))
    }

    fn write_file(&self, state: &SettingsState) -> Result<(), Failure> {
        let write = || -> io::Result<()> {
            private::folder(self.0.dir.as_path())?;
            let path = self.file(FILE);
            if state.broken {
                self.keep_aside(&path)?;
                point(Point::AfterSettingsAside);
            }
            let folder = atomic::folder_of(&path)?;
            let mut file = AtomicFile::new(&folder, atomic::for_its_owner().as_ref())?;
            serde_json::to_writer_pretty(&mut file, &state.document)?;
            file.write_all(b"\n")?;
            let file = file.flushed()?;
            point(Point::BeforeSettingsRename);
            file.replace(FILE)?;
            point(Point::AfterSettingsRename);
            atomic::sync(&folder)
        };
        write().map_err(|e| failure::io(ErrorCode::StoreWriteFailed, FILE, &e))
    }
}

fn not_settings(why: impl Into<Why>) -> Failure {
    Failure::new(ErrorCode::SettingInvalid, settings::settings_unreadable(FILE, why))
        .with_details(serde_json::json!({ "field": "" }))
        .with_action(settings::correct_file(FILE))
}

/// Headers that carry a key are in no log line either.
fn hide_headers(document: &Map<String, Value>) {
    let Some(Value::Object(headers)) = document.get("model").and_then(|m| m.get("headers")) else {
        return;
    };
    for (name, value) in headers {
        let value = value.as_str().unwrap_or_default();
        keys::in_header(name, value).for_each(crate::logs::hide_secret);
    }
}

/// RFC 7396: absent stays, `null` removes.
fn merge_patch(document: &mut Map<String, Value>, patch: &Value) {
    let Value::Object(patch) = patch else { return };
    for (name, value) in patch {
        match value {
            Value::Null => drop(document.shift_remove(name)),
            Value::Object(_) => {
                let below = document.entry(name.clone()).or_insert(Value::Null);
                if !below.is_object() {
                    *below = Value::Object(Map::new());
                }
                if let Value::Object(below) = below {
                    merge_patch(below, value);
                }
            }
            _ => drop(document.insert(name.clone(), value.clone())),
        }
    }
}

#[cfg(test)]
mod tests;
