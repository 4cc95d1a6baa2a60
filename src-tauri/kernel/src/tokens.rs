//! How many tokens a text has for a model (spec 04 "Tokens"): counted where the model's family has a
//! known tokenizer, estimated elsewhere.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What counts the tokens of a text. Which one it is stands in the journal, with the settings that a
/// line is decided under: the name of a model may be read otherwise by a later program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tokenizer {
    /// Nobody knows how the model's own tokenizer works: see [`estimate_tokens`].
    #[default]
    Estimate,
    /// The encoding of GPT-3.5 and GPT-4.
    Cl100k,
    /// The encoding of GPT-4o and of the models of OpenAI since then.
    O200k,
}

impl Tokenizer {
    /// The tokenizer of a model, by the name that its endpoint knows it by.
    pub fn of_model(name: &str) -> Self {
        tokenizer_of(name)
    }

    /// How many tokens a text has. It takes time in proportion to the length of the text, whatever
    /// the text is. Marks such as `<|endoftext|>` count as the text that they are.
    pub fn count(self, text: &str) -> u64 {
        match self {
            Self::Estimate => estimate_tokens(text),
            // The dictionaries are read with the first text that is counted.
            Self::Cl100k => bpe_openai::cl100k_base().count(text) as u64,
            Self::O200k => bpe_openai::o200k_base().count(text) as u64,
        }
    }

    /// Whether its counts are estimates.
    pub fn is_estimate(&self) -> bool {
        *self == Self::Estimate
    }

    fn index(self) -> usize {
        match self {
            Self::Estimate => 0,
            Self::Cl100k => 1,
            Self::O200k => 2,
        }
    }
}

/// The families of models whose tokenizer is known, by the beginnings of their names, as OpenAI's own
/// library (`tiktoken`) lists them. The first that fits decides.
const FAMILIES: [(&str, Tokenizer); 12] = [
    ("gpt-4o", Tokenizer::O200k),
    ("gpt-4.1", Tokenizer::O200k),
    ("gpt-4.5", Tokenizer::O200k),
    ("gpt-5", Tokenizer::O200k),
    ("chatgpt-4o", Tokenizer::O200k),
    ("o1", Tokenizer::O200k),
    ("o3", Tokenizer::O200k),
    ("o4", Tokenizer::O200k),
    ("gpt-oss", Tokenizer::O200k),
    ("gpt-4", Tokenizer::Cl100k),
    ("gpt-3.5", Tokenizer::Cl100k),
    // As Azure writes it.
    ("gpt-35", Tokenizer::Cl100k),
];

/// The one family whose weights are open, so that anybody may serve it.
const OPEN: &str = "gpt-oss";

/// Who serves the models of OpenAI under their own names.
const SERVED_BY: [&str; 2] = ["openai", "azure"];

fn tokenizer_of(name: &str) -> Tokenizer {
    let name = name.trim().to_ascii_lowercase();
    let (owner, model) = name.rsplit_once('/').unwrap_or(("", &name));
    // A model that was trained further is called `ft:`, and then what it was before.
    let model = model.strip_prefix("ft:").unwrap_or(model);
    let found = FAMILIES.iter().find(|(family, _)| is_of(family, model));
    let known = |family: &str| {
        let owner = owner.rsplit('/').next().unwrap_or_default();
        family == OPEN || owner.is_empty() || SERVED_BY.contains(&owner)
    };
    found.filter(|(family, _)| known(family)).map_or(Tokenizer::Estimate, |(_, it)| *it)
}

/// Whether a name is that of the family, or goes on behind it with a new word. Behind `gpt-5` a point
/// begins a version of the same family; behind `gpt-4` one that is listed by itself.
fn is_of(family: &str, model: &str) -> bool {
    let Some(rest) = model.strip_prefix(family) else { return false };
    match rest.chars().next() {
        None => true,
        Some('.') => family == "gpt-5",
        Some(next) => !next.is_alphanumeric(),
    }
}

/// A rough count of tokens: ASCII characters by four, every other character one.
pub fn estimate_tokens(text: &str) -> u64 {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let other = text.chars().count() - ascii;
    (ascii.div_ceil(4) + other) as u64
}

/// A number of tokens that is found when it is first asked for. It follows from what it belongs to,
/// so any two are equal.
#[derive(Debug, Clone, Default)]
pub struct TokenCount(OnceLock<u64>);

impl TokenCount {
    /// The number, found by `count` when nobody has asked for it before.
    pub fn get_or_count(&self, count: impl FnOnce() -> u64) -> u64 {
        *self.0.get_or_init(count)
    }

    /// More tokens have come. A number that nobody has asked for stays open.
    pub fn add(&mut self, more: impl FnOnce() -> u64) {
        if let Some(known) = self.0.get_mut() {
            *known += more();
        }
    }
}

impl PartialEq for TokenCount {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A text that is counted for every model that it is sent to, once by each tokenizer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CountedText {
    text: Arc<str>,
    counts: [TokenCount; 3],
}

impl CountedText {
    /// A text that nobody has counted yet.
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self { text: text.into(), counts: Default::default() }
    }

    /// How many tokens it has.
    pub fn tokens(&self, tokenizer: Tokenizer) -> u64 {
        self.counts[tokenizer.index()].get_or_count(|| tokenizer.count(&self.text))
    }

    /// How many tokens it has, where that is more than `room`. A text of no more bytes than that is
    /// not counted: no token is shorter than a byte.
    pub fn tokens_above(&self, room: u64, tokenizer: Tokenizer) -> Option<u64> {
        let may_be = self.text.len() as u64 > room;
        may_be.then(|| self.tokens(tokenizer)).filter(|tokens| *tokens > room)
    }
}

/// Texts that come again with almost every request, such as the system layers: what was counted for
/// the request before is not counted again. Forgotten by a clone.
#[derive(Debug, Default)]
pub struct RecurringTexts(Mutex<(Tokenizer, BTreeMap<String, u64>)>);

impl RecurringTexts {
    /// How many tokens these texts of a request have in all.
    pub fn tokens<'a>(&self, tokenizer: Tokenizer, texts: impl Iterator<Item = &'a str>) -> u64 {
        if tokenizer.is_estimate() {
            return texts.map(estimate_tokens).sum();
        }
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (counted_by, mut before) = std::mem::take(&mut *known);
        if counted_by != tokenizer {
            before.clear();
        }
        let (mut all, mut now) = (0, BTreeMap::new());
        for text in texts {
            let counted = || (text.to_owned(), tokenizer.count(text));
            let (text, tokens) = before.remove_entry(text).unwrap_or_else(counted);
            all += tokens;
            now.insert(text, tokens);
        }
        *known = (tokenizer, now);
        all
    }
}

impl Clone for RecurringTexts {
    fn clone(&self) -> Self {
        Self::default()
    }
}

#[cfg(test)]
mod tests;
