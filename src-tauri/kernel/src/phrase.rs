//! Words as data: which phrase, and what stands in it. A journal and a failure keep these, and the
//! shells say them in the reader's language ([`say`]).
//!
//! Each phrase is a function of what stands in its places, made from the catalogues of all languages
//! (`templates/locales`) by the build script: one that a language has no words for does not build.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Display;

include!(concat!(env!("OUT_DIR"), "/phrases.rs"));

/// A language there is a catalogue for, in the order of the names of their folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lang {
    /// English
    En,
    /// 简体中文
    Zh,
}

impl Lang {
    /// Every language.
    pub const ALL: [Self; LANGUAGES] = [Self::En, Self::Zh];

    /// The language of a name, when there is a catalogue for it.
    pub fn of_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lang| lang.tag() == tag)
    }

    /// The name of its catalogue, as settings and the command line have it.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Zh => "zh",
        }
    }
}

/// A sentence or a part of one as data: said in either language, kept in journals by its key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Phrase {
    /// Which. A newer program may have written one that this program does not know.
    key: Cow<'static, str>,
    /// What stands in its places, by name.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(type = "Record<string, string | Phrase | Phrase[]>"))]
    values: BTreeMap<String, Part>,
}

/// What stands in a place of a phrase: a text that is the same in every language, or a phrase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Part {
    /// A name, a number, somebody else's words.
    Text(String),
    /// A reason, a thing: said in the reader's language.
    Said(Phrase),
    /// Several of them, one after the other.
    All(Vec<Phrase>),
}

impl Part {
    /// In English, for the log, the model and programs.
    pub fn english(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Said(phrase) => phrase.english(),
            Self::All(phrases) => say(phrases, Lang::En),
        }
    }
}

impl<T: Display> From<T> for Part {
    fn from(value: T) -> Self {
        Self::Text(value.to_string())
    }
}

impl From<Phrase> for Part {
    fn from(phrase: Phrase) -> Self {
        Self::Said(phrase)
    }
}

/// A reason in a place called `why`: a phrase, or the words of a library or a system, which are in
/// one language. Words of our own do not fit in: `&str` is none.
pub struct Why(Part);

impl Why {
    /// What somebody else's program says, quoted as it is.
    pub fn quoted(words: impl Display) -> Self {
        Self(Part::Text(words.to_string()))
    }

    /// Why JSON does not become a value: what the library says, quoted as it is. A type of ours
    /// refuses a value in English through the same error; of that the place is told alone.
    pub fn json(error: &serde_json::Error) -> Self {
        Self::json_shown(error, |words| words)
    }

    /// The same, where the library's words may repeat more of a foreign text than can be shown.
    pub fn json_shown(error: &serde_json::Error, shown: impl FnOnce(String) -> String) -> Self {
        let words = error.to_string();
        if !error.is_data() || OF_THE_LIBRARY.iter().any(|begins| words.starts_with(begins)) {
            return Self::quoted(shown(words));
        }
        let says = general::value_not_readable();
        match (error.line(), error.column()) {
            (0, _) => says.into(),
            (line, column) => general::at_place(says, line, column).into(),
        }
    }
}

/// How the messages begin that serde makes of values which do not fit.
const OF_THE_LIBRARY: [&str; 7] = [
    "invalid type: ",
    "invalid value: ",
    "invalid length ",
    "unknown variant ",
    "unknown field ",
    "missing field ",
    "duplicate field ",
];

impl From<Phrase> for Why {
    fn from(phrase: Phrase) -> Self {
        Self(Part::Said(phrase))
    }
}

impl From<Part> for Why {
    fn from(part: Part) -> Self {
        Self(part)
    }
}

impl From<Why> for Part {
    fn from(why: Why) -> Self {
        why.0
    }
}

impl Phrase {
    fn of(key: &'static str) -> Self {
        Self { key: Cow::Borrowed(key), values: BTreeMap::new() }
    }

    fn with(mut self, place: &str, value: Part) -> Self {
        self.values.insert(place.to_owned(), value);
        self
    }

    /// In `lang`; `None` when it, or one within it, is of a newer program.
    pub fn say(&self, lang: Lang) -> Option<String> {
        let at = TEXTS.binary_search_by_key(&self.key.as_ref(), |text| text.key).ok()?;
        let mut rest = TEXTS[at].said[lang as usize];
        // The values are filled in once: a value that looks like a place is a value.
        let mut out = String::new();
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else { break };
            out.push_str(before);
            match self.values.get(name) {
                Some(Part::Text(text)) => out.push_str(text),
                Some(Part::Said(phrase)) => out.push_str(&phrase.say(lang)?),
                Some(Part::All(phrases)) => out.push_str(&say(phrases, lang)),
                None => {}
            }
            rest = after;
        }
        Some(out + rest)
    }

    /// In English, for the log, the model and programs.
    pub fn english(&self) -> String {
        self.say(Lang::En).unwrap_or_default()
    }

    /// With every text that stands in it changed, as redaction does.
    pub fn map_texts(&mut self, change: &impl Fn(&str) -> String) {
        for part in self.values.values_mut() {
            match part {
                Part::Text(text) => *text = change(text),
                Part::Said(phrase) => phrase.map_texts(change),
                Part::All(phrases) => phrases.iter_mut().for_each(|p| p.map_texts(change)),
            }
        }
    }
}

/// Phrases one after the other, as one line.
pub fn say(phrases: &[Phrase], lang: Lang) -> String {
    let said: Vec<String> = phrases.iter().filter_map(|phrase| phrase.say(lang)).collect();
    said.join(&general::list_separator().say(lang).unwrap_or_default())
}

/// A phrase in every language, its places written as `{name}`.
struct PhraseText {
    key: &'static str,
    said: [&'static str; LANGUAGES],
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn bare(text: &str) -> String {
        let mut parts = text.split('{');
        let first = parts.next().unwrap_or_default().to_owned();
        first + &parts.map(|part| part.split_once('}').unwrap_or(("", part)).1).collect::<String>()
    }

    #[test]
    fn each_language_is_itself() {
        let chinese = |text: &str| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
        for PhraseText { key, said: [en, zh] } in TEXTS {
            let words = bare(en);
            let a_name =
                words.split_whitespace().filter(|w| w.contains(char::is_alphabetic)).count() < 2;
            assert!(chinese(zh) || a_name, "{key}: {zh}");
            assert!(!chinese(en), "{key}: {en}");
            // A sentence in one language is one in the other.
            assert_eq!(en.ends_with('.'), zh.ends_with('。'), "{key}: {en} {zh}");
        }
    }

    #[test]
    fn no_two_phrases_have_the_same_key_and_each_is_found() {
        assert!(TEXTS.windows(2).all(|pair| pair[0].key < pair[1].key));
        assert_eq!(Phrase::of("moves").with("to", "a".into()).english(), "moves it to a");
    }

    #[test]
    fn values_stand_in_their_places_and_are_not_filled_again() {
        let member = changes::member_changed("title", "{to}", "new");
        let both = [member, changes::text_changed()];
        assert_eq!(say(&both, Lang::En), "title {to} → new; text changed");
        assert_eq!(say(&both, Lang::Zh), "title：{to} → new；正文有修改");
        assert_eq!(say(&[], Lang::En), "");
    }

    #[test]
    fn a_phrase_within_a_phrase_is_said_in_the_same_language() {
        let moved = changes::member_set("a", changes::text_changed());
        assert_eq!(moved.say(Lang::Zh).unwrap(), "a 设为 正文有修改");
        let kept: Phrase = serde_json::from_value(serde_json::to_value(&moved).unwrap()).unwrap();
        assert_eq!(kept, moved);
    }

    #[test]
    fn a_phrase_of_a_newer_program_opens_and_says_nothing() {
        let newer = json!({ "key": "of_tomorrow", "values": { "n": "1" } });
        let newer: Phrase = serde_json::from_value(newer).unwrap();
        assert_eq!(newer.say(Lang::Zh), None);
        assert_eq!(changes::moves(newer).say(Lang::Zh), None);
    }

    #[test]
    fn only_the_words_of_the_library_are_quoted() {
        fn why<T: serde::de::DeserializeOwned>(json: &str) -> Option<String> {
            let error = serde_json::from_str::<T>(json).err()?;
            general::in_its_words(Why::json(&error)).say(Lang::Zh)
        }
        let quoted = why::<Vec<u8>>("[1,]").unwrap();
        assert!(quoted.starts_with("原文：trailing comma"), "{quoted}");
        let quoted = why::<Vec<u8>>("[\"a\"]").unwrap();
        assert!(quoted.starts_with("原文：invalid type: string"), "{quoted}");
        let ours = why::<Vec<crate::ids::NodeId>>("[\n\"a b\"]").unwrap();
        assert_eq!(ours, "原文：其中有一个值不能用在那里（第 2 行第 6 列）");
    }

    #[test]
    fn texts_are_changed_wherever_they_stand() {
        let mut phrase = changes::member_set("a", changes::moves("/home/me"));
        phrase.map_texts(&|text| text.replace("/home/me", "~"));
        assert_eq!(phrase.english(), "a = moves it to ~");
    }
}
