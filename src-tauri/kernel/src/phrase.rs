//! Words as data: which phrase, and what stands in it. A journal and a failure keep these, and the
//! shells say them in the reader's language ([`say`]).
//!
//! Each phrase is a function of what stands in its places, in the table of its subject below: one
//! that has no words in one of the languages does not build.

pub mod advice;
pub mod changes;
pub mod engine;
pub mod exports;
pub mod findings;
pub mod general;
pub mod imports;
pub mod misfits;
pub mod models;
pub mod packages;
pub mod projects;
pub mod settings;
pub mod sheet;
pub mod store;
pub mod terminal;
pub mod widened;

use serde::{Deserialize, Serialize};
use serde_json::json;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};

/// A language of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lang {
    /// 简体中文
    Zh,
    /// English
    En,
}

/// One phrase.
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
}

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
        let text = all().find(|text| text.key == self.key)?;
        let mut rest = match lang {
            Lang::Zh => text.zh,
            Lang::En => text.en,
        };
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
    said.join(match lang {
        Lang::Zh => "；",
        Lang::En => "; ",
    })
}

/// A phrase in both languages, its places written as `{name}`.
struct Text {
    key: &'static str,
    en: &'static str,
    zh: &'static str,
    #[cfg(test)]
    places: &'static [&'static str],
}

/// What may stand in a place: a reason is no text of ours.
macro_rules! place {
    (why) => {
        $crate::phrase::Why
    };
    ($name:ident) => {
        $crate::phrase::Part
    };
}
use place;

/// Makes a table of phrases: `name(place, …) "English" "中文";` is a function `name` that says so.
macro_rules! phrases {
    ($($(#[doc = $doc:literal])* $name:ident($($place:ident),*) $en:literal $zh:literal;)+) => {
        $(
            $(#[doc = $doc])*
            #[doc = concat!("`", $en, "`")]
            pub fn $name(
                $($place: impl Into<$crate::phrase::place!($place)>),*
            ) -> $crate::phrase::Phrase {
                $crate::phrase::Phrase::of(stringify!($name))
                    $(.with(stringify!($place), Into::<$crate::phrase::place!($place)>::into($place).into()))*
            }
        )+

        pub(super) const TEXTS: &[$crate::phrase::Text] = &[$(
            $crate::phrase::Text {
                key: stringify!($name),
                en: $en,
                zh: $zh,
                #[cfg(test)]
                places: &[$(stringify!($place)),*],
            },
        )+];
    };
}
use phrases;

const TABLES: &[&[Text]] = &[
    advice::TEXTS,
    changes::TEXTS,
    engine::TEXTS,
    exports::TEXTS,
    findings::TEXTS,
    general::TEXTS,
    imports::TEXTS,
    misfits::TEXTS,
    models::TEXTS,
    packages::TEXTS,
    projects::TEXTS,
    settings::TEXTS,
    sheet::TEXTS,
    store::TEXTS,
    terminal::TEXTS,
    widened::TEXTS,
];

fn all() -> impl Iterator<Item = &'static Text> {
    TABLES.iter().flat_map(|table| table.iter())
}

/// The table for the UI, a TypeScript file beside the generated `wire.ts`: `phrases[key][lang]`.
/// Written and compared by a test, never edited.
pub fn ui_phrases_table() -> String {
    let mut out = String::from(
        "// Generated from the kernel's words (src-tauri/kernel/src/phrase). Do not edit.\n\n\
         export const phrases: Record<string, Record<\"zh\" | \"en\", string>> = {\n",
    );
    for Text { key, en, zh, .. } in all() {
        let (zh, en) = (json!(zh), json!(en));
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "  {key}: {{\n    zh: {zh},\n    en: {en},\n  }},");
    }
    out.push_str("};\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn places(text: &str) -> BTreeSet<&str> {
        text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(n, _)| n).collect()
    }

    #[test]
    fn every_phrase_has_its_places_in_both_languages_and_no_other() {
        for text in all() {
            let named: BTreeSet<&str> = text.places.iter().copied().collect();
            assert_eq!(places(text.zh), named, "{}", text.key);
            assert_eq!(places(text.en), named, "{}", text.key);
        }
    }

    #[test]
    fn each_language_is_itself() {
        let chinese = |text: &str| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
        for Text { key, en, zh, places, .. } in all() {
            let bare =
                places.iter().fold((*en).to_owned(), |t, p| t.replace(&format!("{{{p}}}"), ""));
            let a_name =
                bare.split_whitespace().filter(|w| w.contains(char::is_alphabetic)).count() < 2;
            assert!(chinese(zh) || a_name, "{key}: {zh}");
            assert!(!chinese(en), "{key}: {en}");
            // A sentence in one language is one in the other.
            assert_eq!(en.ends_with('.'), zh.ends_with('。'), "{key}: {en} {zh}");
        }
    }

    #[test]
    fn no_two_phrases_have_the_same_key() {
        let keys: BTreeSet<&str> = all().map(|text| text.key).collect();
        assert_eq!(keys.len(), all().count());
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
    fn texts_are_changed_wherever_they_stand() {
        let mut phrase = changes::member_set("a", changes::moves("/home/me"));
        phrase.map_texts(&|text| text.replace("/home/me", "~"));
        assert_eq!(phrase.english(), "a = moves it to ~");
    }

    #[test]
    fn the_ui_table_has_every_phrase_once() {
        let table = ui_phrases_table();
        assert_eq!(table.matches("    zh: ").count(), all().count());
        assert!(table.contains(
            "  moves: {\n    zh: \"移动到 {to}\",\n    en: \"moves it to {to}\",\n  },\n"
        ));
    }
}
