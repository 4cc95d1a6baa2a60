//! The words of every error code, in every language: what happened, what to do. They come from the
//! catalogues (`templates/locales`); a code without words does not build, and neither do words
//! without a code.
//!
//! Deliberately not here: what a failure says about one case. That is [`crate::phrase`].

pub use crate::phrase::{Lang, say};

use crate::code::ErrorCode;
use crate::phrase::LANGUAGES;

include!(concat!(env!("OUT_DIR"), "/codes.rs"));

/// The words of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// What happened, a short sentence.
    pub title: &'static str,
    /// What to do, a short sentence.
    pub action: &'static str,
}

/// The words of `code` in `lang`.
pub fn words(code: ErrorCode, lang: Lang) -> Words {
    WORDS[code as usize][lang as usize]
}

/// The catalogue's words in the order of the codes, brought together at compile time.
static WORDS: [[Words; LANGUAGES]; ErrorCode::ALL.len()] = {
    assert!(CODES.len() == ErrorCode::ALL.len(), "codes.json has words of another code");
    let mut words = [CODES[0].1; ErrorCode::ALL.len()];
    let mut at = 0;
    while at < words.len() {
        words[at] = CODES[place_of(ErrorCode::ALL[at].as_str())].1;
        at += 1;
    }
    words
};

/// Where the words of a code stand. Past the end, which does not build, when there are none.
const fn place_of(code: &str) -> usize {
    let mut at = 0;
    while !same(CODES[at].0.as_bytes(), code.as_bytes()) {
        at += 1;
    }
    at
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn each() -> impl Iterator<Item = (ErrorCode, Lang, Words)> {
        ErrorCode::ALL
            .iter()
            .flat_map(|&c| [Lang::Zh, Lang::En].map(|lang| (c, lang, words(c, lang))))
    }

    #[test]
    fn every_code_says_in_whole_sentences_what_happened_and_what_to_do() {
        for (code, lang, words) in each() {
            for text in [words.title, words.action] {
                let end = if lang == Lang::Zh { '。' } else { '.' };
                assert!(text.ends_with(end), "{code}: {text}");
                assert!(text.trim() == text && text.chars().count() > 4, "{code}: {text}");
            }
        }
    }

    #[test]
    fn each_language_is_itself() {
        for (code, lang, words) in each() {
            for text in [words.title, words.action] {
                let chinese = text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
                assert_eq!(chinese, lang == Lang::Zh, "{code}: {text}");
                assert!(lang == Lang::Zh || text.is_ascii(), "{code}: {text}");
            }
        }
    }

    #[test]
    fn no_words_hold_a_path_or_a_placeholder() {
        for (code, _, words) in each() {
            for text in [words.title, words.action] {
                assert!(
                    !text.contains(['/', '\\', '{', '}', '@', '<', '>', '%']),
                    "{code}: {text}"
                );
            }
        }
    }

    #[test]
    fn no_two_codes_have_the_same_title() {
        for lang in [Lang::Zh, Lang::En] {
            let titles: BTreeSet<&str> =
                ErrorCode::ALL.iter().map(|&c| words(c, lang).title).collect();
            assert_eq!(titles.len(), ErrorCode::ALL.len());
        }
    }
}
