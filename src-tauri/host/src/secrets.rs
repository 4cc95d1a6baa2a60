//! API keys: in the system's keychain, else in a 0600 file of the store (spec 07).
//!
//! A key is a [`Secret`]: it cannot be printed, logged or serialised. The keychain gets two
//! seconds to answer; a desktop without one must not hang the program.

use std::fmt;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc;
use std::time::Duration;

use kernel::bounds::SETTINGS_BYTES;
use kernel::code::{ErrorCode, Failure};
use kernel::phrase::settings;
use kernel::text::sha256_hex;

use crate::atomic::{self, AtomicFile};
use crate::failure;
use crate::keys::spelt;
use crate::plain_file;
use crate::private;
use crate::real_path::RealPath;

const SERVICE: &str = "CrewAgent Runtime";
const FILE: &str = "model-api-key";
const KEYCHAIN_PATIENCE: Duration = Duration::from_secs(2);

/// A text nobody may see. `Debug` hides it; there is no `Display` and no `Serialize`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a key; `None` when nothing but white space is left.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        crate::logs::hide_secret(text);
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    /// For the request header. Never for messages.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// `text` with every occurrence of the key replaced, also of one in escapes.
    pub fn scrub(&self, text: &str) -> String {
        spelt::without(&[&self.0], text).into_owned()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(hidden)")
    }
}

/// Where a key is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum KeyPlace {
    /// The system's keychain.
    Keychain,
    /// A file only this user may read.
    File,
    /// `CREWAGENT_API_KEY`.
    Environment,
    /// One is kept, but for another server than the one to be asked.
    Elsewhere,
    /// There is none.
    None,
}

impl KeyPlace {
    /// As the settings view writes it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A key as it is kept: it goes to the server it was given for and to no other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredKey {
    /// The key.
    pub secret: Secret,
    /// Scheme, host and port of its server. `None` while none was set, and in older stores: such
    /// a key goes to the server of the settings.
    pub server: Option<String>,
}

impl StoredKey {
    /// Reads the key's line and its server's.
    fn read(text: &str) -> Option<Self> {
        let (key, server) = text.trim().split_once('\n').unwrap_or((text, ""));
        let server = server.trim();
        let server = (!server.is_empty()).then(|| server.to_owned());
        Secret::new(key).map(|secret| Self { secret, server })
    }

    fn written(&self) -> String {
        match &self.server {
            Some(server) => format!("{}\n{server}", self.secret.reveal()),
            None => self.secret.reveal().to_owned(),
        }
    }
}

/// The key of one store. Its calls may block for two seconds: not on an async thread.
#[derive(Debug)]
pub struct KeyStore {
    dir: RealPath,
    account: String,
    keychain: Mutex<bool>,
}

impl KeyStore {
    /// The key of the store in `dir`; `keychain: false` leaves the keychain alone.
    pub fn new(dir: impl Into<PathBuf>, keychain: bool) -> Self {
        let dir: PathBuf = dir.into();
        let real = dir.canonicalize().unwrap_or_else(|_| dir.clone());
        let dir = RealPath::new(dir, "the store");
        let hash = sha256_hex(real.as_os_str().as_encoded_bytes());
        // Each store has its own key: a test store must not send the user's.
        Self { dir, account: format!("model-{}", &hash[..12]), keychain: Mutex::new(keychain) }
    }

    /// The key, and where it was found.
    ///
    /// # Errors
    /// `STORE_READ_FAILED` when the file that holds the key cannot be read.
    pub fn load(&self) -> Result<(Option<StoredKey>, KeyPlace), Failure> {
        // A file is there only when the keychain failed at the last `keep`: it is the newer one.
        match plain_file::read_to_string(&self.file(), SETTINGS_BYTES) {
            Ok(text) => {
                if let Some(key) = StoredKey::read(&text) {
                    return Ok((Some(key), KeyPlace::File));
                }
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => {
                return Err(failure::io(ErrorCode::StoreReadFailed, settings::the_key_file(), &e));
            }
        }
        let kept = self.ask(keyring::v1::Entry::get_password).and_then(Result::ok);
        match kept.and_then(|text| StoredKey::read(&text)) {
            Some(key) => Ok((Some(key), KeyPlace::Keychain)),
            None => Ok((None, KeyPlace::None)),
        }
    }

    /// Keeps a key, or forgets it (`None`) wherever it is. Says where it is now.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED` when the file that holds the key cannot be written or removed.
    pub fn keep(&self, key: Option<&StoredKey>) -> Result<KeyPlace, Failure> {
        let Some(key) = key else {
            let _ = self.ask(keyring::v1::Entry::delete_credential);
            self.remove_file()?;
            return Ok(KeyPlace::None);
        };
        let text = key.written();
        if let Some(Ok(())) = self.ask(move |entry| entry.set_password(&text)) {
            self.remove_file()?;
            return Ok(KeyPlace::Keychain);
        }
        self.write_file(key)?;
        Ok(KeyPlace::File)
    }

    fn file(&self) -> PathBuf {
        self.dir.as_path().join(FILE)
    }

    fn write_file(&self, key: &StoredKey) -> Result<(), Failure> {
        let write = || -> io::Result<()> {
            private::folder(self.dir.as_path())?;
            let folder = atomic::folder_of(&self.file())?;
            let mut file = AtomicFile::new(&folder, atomic::for_its_owner().as_ref())?;
            file.write_all(key.written().as_bytes())?;
            file.flushed()?.put(FILE)
        };
        write().map_err(|e| failure::io(ErrorCode::StoreWriteFailed, settings::the_key_file(), &e))
    }

    fn remove_file(&self) -> Result<(), Failure> {
        match std::fs::remove_file(self.file()) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => {
                Err(failure::io(ErrorCode::StoreWriteFailed, settings::the_key_file(), &e))
            }
            _ => Ok(()),
        }
    }

    /// Asks the keychain, or nothing when it is off or did not answer in time once.
    fn ask<T: Send + 'static>(
        &self,
        what: impl FnOnce(&keyring::v1::Entry) -> keyring::v1::Result<T> + Send + 'static,
    ) -> Option<keyring::v1::Result<T>> {
        let mut usable = self.keychain.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if !*usable {
            return None;
        }
        let account = self.account.clone();
        let answer = in_time(KEYCHAIN_PATIENCE, move || {
            keyring::v1::Entry::new(SERVICE, &account).and_then(|entry| what(&entry))
        });
        if matches!(answer, None | Some(Err(keyring::v1::Error::NoDefaultStore))) {
            tracing::warn!("no system keychain answers; the key is kept in a file of the store");
            *usable = false;
        }
        answer
    }
}

/// What `work` returns, unless it takes longer than `patience`; then its thread is left alone.
fn in_time<T: Send + 'static>(
    patience: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (send, answer) = mpsc::channel();
    std::thread::spawn(move || {
        let _ = send.send(work());
    });
    answer.recv_timeout(patience).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_keychain_that_hangs_is_given_up() {
        let (keep_open, never) = mpsc::channel::<()>();
        let hung = in_time(Duration::from_millis(20), move || never.recv());
        assert!(hung.is_none());
        drop(keep_open);
        assert_eq!(in_time(Duration::from_mins(1), || 7), Some(7));
    }

    #[test]
    fn a_secret_cannot_be_printed() {
        let secret = Secret::new("  sk-12345\n").unwrap();
        assert!(!format!("{secret:?}").contains("12345"));
        assert_eq!(secret.reveal(), "sk-12345");
        assert_eq!(secret.scrub("key sk-12345!"), "key [key]!");
        assert_eq!(secret.scrub(r"key \u0073k-1234\x35!"), "key [key]!");
        assert!(Secret::new(" \n").is_none());
    }

    #[test]
    fn without_a_keychain_the_key_is_a_file_only_the_user_can_read() {
        let dir = tempfile::tempdir().unwrap();
        let store = KeyStore::new(dir.path(), false);
        assert_eq!(store.load().unwrap(), (None, KeyPlace::None));
        let secret = Secret::new("sk-abc").unwrap();
        let mut key = StoredKey { secret, server: None };
        for server in [None, Some("https://api.example.com".to_owned())] {
            key.server = server;
            assert_eq!(store.keep(Some(&key)).unwrap(), KeyPlace::File);
            assert_eq!(store.load().unwrap(), (Some(key.clone()), KeyPlace::File));
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = std::fs::metadata(dir.path().join(FILE)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        assert_eq!(store.keep(None).unwrap(), KeyPlace::None);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn an_unwritable_store_is_told_without_its_path() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        std::fs::write(&file, "").unwrap();
        let store = KeyStore::new(&file, false);
        let failure = store.keep(StoredKey::read("k").as_ref()).unwrap_err();
        assert_eq!(failure.code, ErrorCode::StoreWriteFailed);
        assert!(!failure.message.contains(&*dir.path().to_string_lossy()));
    }
}
