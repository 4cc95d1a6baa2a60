//! `Redactor`: keeps the places of this machine out of everything that leaves the host (law 6,
//! spec 04 "Paths: privacy by type").
//!
//! Known roots (project, store, package, home, temp) become their aliases, in whatever way they
//! are spelt: plain, with either slash, doubled slashes, JSON-escaped, percent-encoded, or a mix.
//! Other absolute paths stay: people have them inside their own files.

mod spelling;

use serde_json::{Map, Value};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use unicode_normalization::UnicodeNormalization as _;

use spelling::{Spelling, Starts};

/// Replaces known real folders by their aliases.
#[derive(Clone, Default)]
pub struct Redactor {
    /// Longest first, so that a project below the home folder is called `@project`.
    roots: Vec<(Spelling, String)>,
    /// Whole histories are looked through before every request: most bytes begin no root.
    starts: Starts,
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let aliases: Vec<&str> = self.roots.iter().map(|(_, alias)| alias.as_str()).collect();
        f.debug_struct("Redactor").field("aliases", &aliases).finish_non_exhaustive()
    }
}

impl Redactor {
    /// Knows `roots` by the aliases given. A root that exists is also known under its resolved
    /// name (a temp folder behind a symlink), and in both Unicode normal forms. The root of a
    /// disk is not taken: it would hide everything.
    pub fn new<A: Into<String>>(roots: Vec<(PathBuf, A)>) -> Self {
        let mut known: Vec<(Spelling, String)> = Vec::new();
        for (path, alias) in roots {
            let alias = alias.into();
            for name in names_of(&path) {
                if let Some(spelling) = Spelling::of(&name)
                    && !known.iter().any(|(k, _)| *k == spelling)
                {
                    known.push((spelling, alias.clone()));
                }
            }
        }
        known.sort_by_key(|(spelling, _)| std::cmp::Reverse(spelling.len()));
        let starts = Starts::of(known.iter().map(|(spelling, _)| spelling));
        Self { roots: known, starts }
    }

    /// `text` with every known root replaced by its alias. Borrowed when there was none.
    pub fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut out = String::new();
        let mut kept = 0;
        let mut at = 0;
        while let Some((start, end, alias)) = self.next_hit(text, at) {
            out.push_str(&text[kept..start]);
            out.push_str(alias);
            kept = end;
            at = end;
        }
        if kept == 0 {
            return Cow::Borrowed(text);
        }
        out.push_str(&text[kept..]);
        Cow::Owned(out)
    }

    /// Redacts every string in `value`, keys included. True when something was replaced.
    pub fn redact_value(&self, value: &mut Value) -> bool {
        match value {
            Value::String(text) => {
                let Cow::Owned(clean) = self.redact(text) else { return false };
                *text = clean;
                true
            }
            Value::Array(items) => {
                items.iter_mut().fold(false, |any, item| self.redact_value(item) | any)
            }
            Value::Object(map) => self.redact_map(map),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }

    /// True when `text` still names a known root: the last look before a request leaves.
    pub fn scan(&self, text: &str) -> bool {
        self.next_hit(text, 0).is_some()
    }

    /// The alias of the first known root in `text`.
    pub(crate) fn find(&self, text: &str) -> Option<&str> {
        self.next_hit(text, 0).map(|(_, _, alias)| alias)
    }

    fn redact_map(&self, map: &mut Map<String, Value>) -> bool {
        let mut any = map.values_mut().fold(false, |any, item| self.redact_value(item) | any);
        if map.keys().any(|key| self.scan(key)) {
            any = true;
            let old = std::mem::take(map);
            map.extend(old.into_iter().map(|(k, v)| (self.redact(&k).into_owned(), v)));
        }
        any
    }

    /// The first hit at or after byte `from`; at one place the longest root wins.
    fn next_hit(&self, text: &str, from: usize) -> Option<(usize, usize, &str)> {
        let bytes = text.as_bytes();
        let may_start = |at: &usize| self.starts.has(bytes[*at]) && text.is_char_boundary(*at);
        (from..bytes.len()).filter(may_start).find_map(|at| {
            self.roots.iter().find_map(|(spelling, alias)| {
                spelling.match_at(text, at).map(|end| (at, end, alias.as_str()))
            })
        })
    }
}

/// The ways a folder is called: as given, resolved, and both composed and decomposed.
fn names_of(path: &Path) -> Vec<String> {
    let mut plain = vec![path.to_string_lossy().into_owned()];
    if let Ok(resolved) = std::fs::canonicalize(path) {
        plain.push(resolved.to_string_lossy().into_owned());
    }
    plain
        .iter()
        .flat_map(|name| [name.clone(), name.nfc().collect(), name.nfd().collect()])
        .collect()
}

#[cfg(test)]
mod tests;
