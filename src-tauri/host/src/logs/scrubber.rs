//! What no log line may hold: real folders and keys (spec 04 "Paths", spec 08 "Logs"). Known
//! folders become their aliases and known keys `[key]`, whoever writes the line and in whatever
//! field; texts that look like a key are hidden too.
//!
//! Logging is one for the whole process, and so is this.

use serde_json::{Map, Value};
use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::{LazyLock, PoisonError, RwLock};

use crate::keys::{
    self, SHORTEST_KEY,
    spelt::{self, HIDDEN},
};
use crate::redact::Redactor;

/// Fields, and names before `=`, whose value is nobody's business.
const SECRET_NAMES: &[&str] = &[
    "apikey",
    "api_key",
    "api-key",
    "key",
    "authorization",
    "token",
    "access_token",
    "password",
    "secret",
];

/// Those of them that mean a key also before a mere colon.
const PLAIN_NAMES: &[&str] =
    &["apikey", "api_key", "api-key", "access_token", "password", "secret"];
static SCRUBBER: LazyLock<RwLock<LogScrubber>> = LazyLock::new(RwLock::default);

/// Keys of one owner that are hidden at a time: more were renewed since.
const PASSING_KEYS: usize = 32;

#[derive(Default)]
struct LogScrubber {
    roots: Vec<(PathBuf, &'static str)>,
    redactor: Redactor,
    secrets: Vec<String>,
    /// Those of them that pass, by their owner, the oldest first.
    passing: BTreeMap<String, VecDeque<String>>,
}

/// From now on these folders are called by their aliases. Looks at the disk for each new one.
pub(crate) fn hide_roots(roots: impl IntoIterator<Item = (PathBuf, &'static str)>) {
    let mut scrubber = SCRUBBER.write().unwrap_or_else(PoisonError::into_inner);
    let known = scrubber.roots.len();
    for root in roots {
        if !scrubber.roots.contains(&root) {
            scrubber.roots.push(root);
        }
    }
    if scrubber.roots.len() > known {
        scrubber.redactor = Redactor::new(scrubber.roots.clone());
    }
}

/// From now on this key is in no log line.
pub(crate) fn hide_secret(secret: &str) {
    if secret.len() < SHORTEST_KEY {
        return;
    }
    let mut scrubber = SCRUBBER.write().unwrap_or_else(PoisonError::into_inner);
    if !scrubber.secrets.iter().any(|known| known == secret) {
        scrubber.secrets.push(secret.to_owned());
    }
}

/// From now on this key is in no log line, until its owner has had many others after it.
pub(crate) fn hide_passing(owner: &str, secret: &str) {
    if secrets_hold(secret) {
        return;
    }
    hide_secret(secret);
    let mut scrubber = SCRUBBER.write().unwrap_or_else(PoisonError::into_inner);
    let passing = scrubber.passing.entry(owner.to_owned()).or_default();
    passing.push_back(secret.to_owned());
    if passing.len() > PASSING_KEYS
        && let Some(oldest) = passing.pop_front()
    {
        scrubber.secrets.retain(|known| *known != oldest);
    }
}

fn secrets_hold(secret: &str) -> bool {
    let scrubber = SCRUBBER.read().unwrap_or_else(PoisonError::into_inner);
    scrubber.secrets.iter().any(|known| known == secret)
}

/// The keys that are in no log line.
pub(crate) fn secrets() -> Vec<String> {
    SCRUBBER.read().unwrap_or_else(PoisonError::into_inner).secrets.clone()
}

/// One line of JSON without what it may not hold. A line that is no JSON is cleaned as text.
pub(super) fn clean_line(line: &str) -> (String, Option<Value>) {
    match serde_json::from_str(line) {
        Ok(mut value) => {
            clean_value(None, &mut value);
            (value.to_string(), Some(value))
        }
        Err(_) => (clean_text(line), None),
    }
}

/// A text without what it may not hold.
pub(crate) fn clean_text(text: &str) -> String {
    let scrubber = SCRUBBER.read().unwrap_or_else(PoisonError::into_inner);
    let clean = scrubber.redactor.redact(text);
    masked(&spelt::without(&scrubber.secrets, &clean))
}

pub(super) fn clean_value(name: Option<&str>, value: &mut Value) {
    match value {
        Value::String(_) | Value::Number(_) if name.is_some_and(is_secret_name) => {
            *value = HIDDEN.into();
        }
        Value::String(text) => *text = clean_text(text),
        Value::Array(items) => items.iter_mut().for_each(|item| clean_value(name, item)),
        Value::Object(map) => {
            let old = std::mem::take(map);
            *map = old.into_iter().map(clean_member).collect::<Map<_, _>>();
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn clean_member((name, mut value): (String, Value)) -> (String, Value) {
    clean_value(Some(&name), &mut value);
    (clean_text(&name), value)
}

fn is_secret_name(name: &str) -> bool {
    SECRET_NAMES.iter().any(|secret| name.eq_ignore_ascii_case(secret))
}

/// Hides words that look like keys: `sk-…` and their like, what follows `Bearer`, `token=` or
/// `"token":`.
fn masked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut before, mut gap) = ("", String::new());
    for piece in text.split_inclusive(ends) {
        let word = piece.trim_end_matches(ends);
        let bearer = word.len() >= SHORTEST_KEY && before.eq_ignore_ascii_case("bearer");
        let hide = !word.is_empty() && (looks_like_a_key(word) || bearer || names(before, &gap));
        out.push_str(if hide { HIDDEN } else { word });
        out.push_str(&piece[word.len()..]);
        if !word.is_empty() {
            before = word;
            gap.clear();
        }
        gap.push_str(&piece[word.len()..]);
    }
    out
}

/// Whether a word ends before this character. Every character of every line is asked about.
fn ends(c: char) -> bool {
    match c {
        '"' | '\'' | '`' | ',' | ';' | '&' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '<'
        | '>' | '=' | ':' | '\\' => true,
        _ => c.is_whitespace(),
    }
}

fn looks_like_a_key(word: &str) -> bool {
    word.len() >= SHORTEST_KEY && word.starts_with("sk-")
        || word.len() >= keys::SHORTEST && keys::KNOWN.iter().any(|begin| word.starts_with(begin))
}

/// Whether a name and what stands between it and the next word make that a key: `token=`,
/// `token="`, `"token": "`, `password: `. Prose such as `token: ` does not.
fn names(name: &str, gap: &str) -> bool {
    let gap: String = gap.chars().filter(|c| !c.is_whitespace() && *c != '\\').collect();
    let quotes = ['"', '\''];
    match gap.trim_matches(quotes) {
        "=" => is_secret_name(name),
        ":" if gap.starts_with(quotes) => is_secret_name(name),
        ":" => PLAIN_NAMES.iter().any(|plain| name.eq_ignore_ascii_case(plain)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn texts_that_look_like_keys_are_hidden_and_others_stay() {
        for (text, clean) in [
            ("Authorization: Bearer abcdefgh12", "Authorization: Bearer [key]"),
            ("key sk-proj-1234567890 refused", "key [key] refused"),
            ("GET /v1?api_key=abc&n=1", "GET /v1?api_key=[key]&n=1"),
            ("unexpected token: `}` (task-1, a=b)", "unexpected token: `}` (task-1, a=b)"),
            ("the bearer of news", "the bearer of news"),
            ("push with ghp_0123456789abcdef0123", "push with [key]"),
            ("a map of hf_names, eyJ", "a map of hf_names, eyJ"),
            ("{\"token\": \"abc\", \"n\": 1}", "{\"token\": \"[key]\", \"n\": 1}"),
            (r#"{\"api_key\":\"abc"#, r#"{\"api_key\":\"[key]"#),
            ("token=\"abc\" password: hunter2", "token=\"[key]\" password: [key]"),
            ("the key: first look, token: none", "the key: first look, token: none"),
            ("", ""),
        ] {
            assert_eq!(masked(text), clean);
        }
    }

    #[test]
    fn fields_named_like_keys_are_hidden_at_any_depth() {
        let line = json!({"message": "x", "a": [{"Token": "t", "n": 1}], "password": 7});
        let (clean, _) = clean_line(&line.to_string());
        let wanted =
            json!({"message": "x", "a": [{"Token": "[key]", "n": 1}], "password": "[key]"});
        assert_eq!(serde_json::from_str::<Value>(&clean).unwrap(), wanted);
    }

    #[test]
    fn known_folders_and_keys_are_hidden_in_values_and_names() {
        let home = tempfile::tempdir().unwrap();
        hide_roots([(home.path().to_owned(), "[home]")]);
        hide_secret("correct horse battery");
        let path = home.path().join("a.md");
        let line = json!({"message": format!("{path:?}: correct horse battery"),
            path.to_str().unwrap(): 1});
        let (clean, _) = clean_line(&line.to_string());
        assert!(!clean.contains(home.path().to_str().unwrap()), "{clean}");
        assert!(clean.contains("[home]/a.md") && clean.contains("[key]"), "{clean}");
        assert!(!clean.contains("horse"), "{clean}");
    }
}
