//! What servers taught: the fields of a request that each refuses. Kept beside the settings, so that a
//! server is not asked anew at every start what it does not take. A server may learn, so that is
//! forgotten after a while.

use kernel::bounds::{TAUGHT_BYTES, TAUGHT_DAYS, TAUGHT_SERVERS};
use kernel::settings::ModelSettings;
use kernel::text::sha256_hex;
use kernel::time::Time;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::atomic::{self, AtomicFile};
use crate::clock::{Clock as _, SystemClock};
use crate::json;
use crate::plain_file;
use crate::real_path::RealPath;

const FILE: &str = "servers.json";
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// What one server taught about one model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct TaughtFields {
    refused: BTreeSet<String>,
    /// When it refused the last of them, milliseconds since 1970.
    at: i64,
}

/// By the hash of address and model: an address may hold a key.
type ByServer = BTreeMap<String, TaughtFields>;

/// What the servers of a store taught.
#[derive(Debug)]
pub(crate) struct Taught {
    folder: RealPath,
    /// Two requests may be refused at once.
    writing: Mutex<()>,
}

/// What one server taught, and where it goes that it teaches more.
#[derive(Clone)]
pub(crate) struct Lessons {
    taught: Arc<Taught>,
    server: String,
}

impl Taught {
    /// In the folder of a store.
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder: RealPath::new(folder, "the store"), writing: Mutex::default() }
    }

    /// Of the server and the model that these settings name.
    pub(crate) fn lessons(self: &Arc<Self>, settings: &ModelSettings) -> Lessons {
        let name = format!("{}\n{}\n{}", settings.provider, settings.base_url, settings.model);
        Lessons { taught: Arc::clone(self), server: sha256_hex(name.as_bytes()) }
    }

    /// What is known and not too old. A file that cannot be read taught nothing.
    fn read(&self, now: Time) -> ByServer {
        let text = plain_file::read_to_string(&self.path(), TAUGHT_BYTES).unwrap_or_default();
        let value = json::parse(text.as_bytes()).unwrap_or_default();
        let mut all: ByServer = serde_json::from_value(value).unwrap_or_default();
        let oldest = now.millis() - TAUGHT_DAYS * DAY_MS;
        all.retain(|_, fields| (oldest..=now.millis() + DAY_MS).contains(&fields.at));
        all
    }

    fn write(&self, all: &ByServer) -> io::Result<()> {
        let path = self.path();
        let folder = atomic::folder_of(&path)?;
        let mut file = AtomicFile::new(&folder, atomic::for_its_owner().as_ref())?;
        file.write_all(serde_json::to_string(all)?.as_bytes())?;
        file.flushed()?.replace(FILE)
    }

    fn path(&self) -> PathBuf {
        self.folder.as_path().join(FILE)
    }
}

impl Lessons {
    /// The fields that the server refuses.
    pub(crate) fn refused(&self) -> BTreeSet<String> {
        let mut all = self.taught.read(SystemClock.now());
        all.remove(&self.server).unwrap_or_default().refused
    }

    /// Keeps that it refuses a field. What cannot be written is learned again at the next start.
    pub(crate) fn keep(&self, field: &str) {
        let _one = self.taught.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let now = SystemClock.now();
        let mut all = self.taught.read(now);
        let fields = all.entry(self.server.clone()).or_default();
        fields.refused.insert(field.to_owned());
        fields.at = now.millis();
        while all.len() > TAUGHT_SERVERS {
            let oldest = all.iter().min_by_key(|(_, fields)| fields.at);
            let Some(server) = oldest.map(|(server, _)| server.clone()) else { break };
            all.remove(&server);
        }
        if let Err(error) = self.taught.write(&all) {
            tracing::warn!(%error, "what a server taught is not kept");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(base_url: &str) -> ModelSettings {
        ModelSettings { base_url: base_url.into(), model: "m".into(), ..ModelSettings::default() }
    }

    #[test]
    fn what_a_server_taught_is_known_after_a_restart_and_holds_for_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let taught = || Arc::new(Taught::new(folder.path().to_owned()));
        let lessons = taught().lessons(&settings("http://h/v1?key=secret-1234"));
        assert!(lessons.refused().is_empty());
        lessons.keep("stream_options");
        lessons.keep("tool_choice");
        let again = taught().lessons(&settings("http://h/v1?key=secret-1234"));
        let refused: Vec<String> = again.refused().into_iter().collect();
        assert_eq!(refused, ["stream_options", "tool_choice"]);
        assert!(taught().lessons(&settings("http://other/v1")).refused().is_empty());
        let text = std::fs::read_to_string(folder.path().join(FILE)).unwrap();
        assert!(!text.contains("secret"), "{text}");
    }

    #[test]
    fn what_is_old_or_is_no_such_file_taught_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let taught = Arc::new(Taught::new(folder.path().to_owned()));
        let lessons = taught.lessons(&settings("http://h/v1"));
        lessons.keep("stream_options");
        let later = Time::from_millis(SystemClock.now().millis() + (TAUGHT_DAYS + 1) * DAY_MS);
        assert!(taught.read(later).is_empty());
        for text in ["", "[1]", "{\"x\": 1}", "\u{0}"] {
            std::fs::write(folder.path().join(FILE), text).unwrap();
            assert!(lessons.refused().is_empty(), "{text}");
            lessons.keep("tool_choice");
            assert_eq!(lessons.refused().len(), 1, "{text}");
        }
    }

    #[test]
    fn the_oldest_servers_are_forgotten_first() {
        let folder = tempfile::tempdir().unwrap();
        let taught = Arc::new(Taught::new(folder.path().to_owned()));
        let now = SystemClock.now().millis();
        let of = |n: usize| TaughtFields {
            refused: BTreeSet::from(["tool_choice".to_owned()]),
            at: now - 1_000_000 + i64::try_from(n).unwrap(),
        };
        let all: ByServer = (0..TAUGHT_SERVERS).map(|n| (format!("s{n:04}"), of(n))).collect();
        taught.write(&all).unwrap();
        taught.lessons(&settings("http://h/v1")).keep("stream_options");
        let all = taught.read(SystemClock.now());
        assert_eq!(all.len(), TAUGHT_SERVERS);
        assert!(!all.contains_key("s0000") && all.contains_key("s0001"));
    }
}
