//! The last look before an export is written: no key and no folder of this machine
//! (spec 04 "Paths").

use kernel::code::{ErrorCode, Failure};
use kernel::phrase::{Part, exports};
use serde_json::json;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::keys::SHORTEST_KEY;
use crate::keys::spelt;
use crate::redact::Redactor;
use crate::secrets::Secret;

/// What an export must not hold.
#[derive(Debug, Default)]
pub struct Leaks {
    redactor: Redactor,
    keys: Vec<Secret>,
}

impl Leaks {
    /// Folders with the names they may be called by, and keys.
    pub fn new(roots: Vec<(PathBuf, String)>, keys: Vec<Secret>) -> Self {
        Self { redactor: Redactor::new(roots), keys }
    }

    /// Whether a file names one of the folders.
    pub(crate) fn names_a_folder(&self, bytes: &[u8]) -> bool {
        self.redactor.scan(&String::from_utf8_lossy(bytes))
    }

    /// `EXPORT_UNSAFE` when an entry holds one of them; details say where, and what it is.
    pub(super) fn check(&self, entries: &BTreeMap<String, Vec<u8>>) -> Result<(), Failure> {
        for (name, bytes) in entries {
            for (number, line) in String::from_utf8_lossy(bytes).lines().enumerate() {
                if let Some(what) = self.found(line) {
                    return Err(leak(name, number + 1, what));
                }
            }
            if let Some(what) = self.found(name) {
                return Err(leak("the name of an entry", 1, what));
            }
        }
        Ok(())
    }

    fn found(&self, line: &str) -> Option<&str> {
        let mut keys = self.keys.iter().map(Secret::reveal).filter(|k| k.len() >= SHORTEST_KEY);
        let holds = |key: &str| matches!(spelt::without(&[key], line), Cow::Owned(_));
        if keys.any(|key| holds(key) || line.contains(escaped(key).as_str())) {
            return Some(KEY);
        }
        self.redactor.find(line)
    }
}

/// As it stands inside a JSON text.
fn escaped(key: &str) -> String {
    serde_json::Value::from(key).to_string().trim_matches('"').to_owned()
}

const KEY: &str = "an API key";

fn leak(entry: &str, line: usize, what: &str) -> Failure {
    let said: Part = if what == KEY { exports::a_key().into() } else { what.into() };
    let message = exports::holds(entry, line, said);
    Failure::new(ErrorCode::ExportUnsafe, message)
        .with_details(json!({ "entry": entry, "line": line, "what": what }))
}
