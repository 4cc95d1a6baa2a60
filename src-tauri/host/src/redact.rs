//! `Redactor`: keeps the places of this machine out of everything that leaves the host
//! (spec 04 "Paths").
//!
//! Known roots (project, store, package, home) become their aliases, in whatever way they are
//! spelt: plain, with either slash, doubled slashes, `/./`, escaped as in JSON, C, a shell or HTML,
//! percent-encoded, or a mix.
//! Other absolute paths stay: people have them inside their own files. What stands in a file
//! becomes a mark instead, which is turned back (`Marks`).

mod escapes;
pub(crate) mod folders;
mod known;
mod manner;
mod marks;
mod spelling;
mod view;

use kernel::mark::Folder;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::path::PathBuf;

use known::KnownFolders;
pub(crate) use marks::{Lens, Marks};

/// The folders of this machine that a run knows, kept out of texts in both ways: for good, and so
/// that what a model writes gets them back.
#[derive(Debug, Clone, Default)]
pub struct Private {
    pub(crate) redactor: Redactor,
    pub(crate) marks: Marks,
}

impl Private {
    /// Knows these folders.
    pub fn new(folders: Vec<(PathBuf, Folder)>) -> Self {
        let aliases = folders.iter().map(|(path, folder)| (path.clone(), folder.alias()));
        Self { redactor: Redactor::new(aliases.collect()), marks: Marks::new(folders) }
    }
}

/// Replaces known real folders by their aliases.
#[derive(Clone, Default)]
pub struct Redactor {
    known: KnownFolders<String>,
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let aliases: Vec<&String> = self.known.whats().collect();
        f.debug_struct("Redactor").field("aliases", &aliases).finish_non_exhaustive()
    }
}

impl Redactor {
    /// Knows `roots` by the aliases given; see `KnownFolders::new`.
    pub fn new<A: Into<String>>(roots: Vec<(PathBuf, A)>) -> Self {
        let roots = roots.into_iter().map(|(path, alias)| (path, alias.into()));
        Self { known: KnownFolders::new(roots.collect(), |alias: &String, _| alias.clone()) }
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

    fn next_hit(&self, text: &str, from: usize) -> Option<(usize, usize, &str)> {
        let hit = self.known.next_hit(text, from)?;
        Some((hit.start, hit.end, hit.what))
    }
}

#[cfg(test)]
mod spellings;
#[cfg(test)]
mod tests;
