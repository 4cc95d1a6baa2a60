//! Text into the terms that search finds (spec 08 "Full-text search").
//!
//! SQLite's own tokenizers do not cut Chinese and Japanese text into words, and its trigrams
//! cannot find a word of one or two characters. So text is cut here: every ideograph and kana is
//! a term of its own, other letters and digits form words. A word of several ideographs is then
//! found as a phrase, and the same cutting finds the place to show in a snippet.
//!
//! A change of what a term is, or of the row ids, needs another [`VERSION`]: the index is filled
//! anew then.

use std::ops::Range;

use kernel::bounds::QUESTION_TERMS;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Of the terms and the row ids.
pub(super) const VERSION: i64 = 2;

/// Characters of a term at most: a file in base64 is one endless word.
const TERM_CHARS: usize = 64;

/// Bytes from which on a word is also found by its beginning.
const PREFIX_BYTES: usize = 3;

/// A term and where it stands in the text, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Term {
    pub(super) text: String,
    pub(super) at: Range<usize>,
    /// One ideograph, which begins no longer word.
    single: bool,
}

/// The terms of `text`, in order.
pub(super) fn terms(text: &str) -> impl Iterator<Item = Term> + '_ {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        loop {
            let (start, first) = chars.next()?;
            if !first.is_alphanumeric() {
                continue;
            }
            let mut end = start + first.len_utf8();
            let single = is_single(first);
            while let Some((at, c)) = chars.peek().copied() {
                let goes_on = c.is_alphanumeric() && !single && !is_single(c);
                if !goes_on && !is_combining_mark(c) {
                    break;
                }
                chars.next();
                end = at + c.len_utf8();
            }
            let folded = fold(&text[start..end]);
            if !folded.is_empty() {
                return Some(Term { text: folded, at: start..end, single });
            }
        }
    })
}

/// Ideographs and kana, which are written without spaces between words.
fn is_single(c: char) -> bool {
    matches!(c,
        '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{3100}'..='\u{312f}'
        | '\u{31a0}'..='\u{31bf}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9d}'
        | '\u{20000}'..='\u{3ffff}')
}

/// Without case, width and accents. Only ASCII that the index keeps as it is stays.
fn fold(word: &str) -> String {
    word.nfkd()
        .filter(|c| !('\u{300}'..='\u{36f}').contains(c))
        .nfc()
        .flat_map(char::to_lowercase)
        .filter(|c| !c.is_ascii() || c.is_ascii_alphanumeric())
        .take(TERM_CHARS)
        .collect()
}

/// What the index is given for a text.
pub(super) fn indexed(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 2);
    for term in terms(text) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&term.text);
    }
    out
}

/// What a person looks for: each piece between spaces is a phrase, and all must be there. There
/// is no syntax: quotes and operators are text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Question {
    phrases: Vec<SearchPhrase>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct SearchPhrase {
    terms: Vec<String>,
    /// The last term may go on.
    open: bool,
}

impl Question {
    /// `None` when there is nothing to look for.
    pub(super) fn new(text: &str) -> Option<Self> {
        let mut left = QUESTION_TERMS;
        let mut phrases = Vec::new();
        for piece in text.split_whitespace() {
            let found: Vec<Term> = terms(piece).take(left).collect();
            left -= found.len();
            if let Some(last) = found.last() {
                let open = !last.single && last.text.len() >= PREFIX_BYTES;
                phrases.push(SearchPhrase {
                    open,
                    terms: found.into_iter().map(|t| t.text).collect(),
                });
            }
        }
        (!phrases.is_empty()).then_some(Self { phrases })
    }

    /// As FTS5 wants it. Terms hold no quote, so nothing can get out of them.
    pub(super) fn fts(&self) -> String {
        let phrase = |p: &SearchPhrase| {
            let open = if p.open { " *" } else { "" };
            format!("\"{}\"{open}", p.terms.join(" "))
        };
        self.phrases.iter().map(phrase).collect::<Vec<_>>().join(" AND ")
    }

    /// Where the phrases stand in `text`, in order and without overlaps, at most `limit` places.
    pub(super) fn places(&self, text: &str, limit: usize) -> Vec<Range<usize>> {
        let terms: Vec<Term> = terms(text).collect();
        let mut found: Vec<Range<usize>> = Vec::new();
        for at in 0..terms.len() {
            let longest =
                self.phrases.iter().filter(|p| p.is_at(&terms[at..])).map(|p| p.terms.len());
            let Some(length) = longest.max() else { continue };
            let place = terms[at].at.start..terms[at + length - 1].at.end;
            if let Some(last) = found.last_mut().filter(|last| place.start <= last.end) {
                last.end = last.end.max(place.end);
            } else if found.len() < limit {
                found.push(place);
            } else {
                break;
            }
        }
        found
    }

    /// Whether a title or another short text has every phrase.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let terms: Vec<Term> = terms(text).collect();
        self.phrases.iter().all(|p| (0..terms.len()).any(|at| p.is_at(&terms[at..])))
    }
}

impl SearchPhrase {
    fn is_at(&self, terms: &[Term]) -> bool {
        let last = self.terms.len() - 1;
        terms.len() > last
            && self.terms.iter().zip(terms).enumerate().all(|(n, (wanted, term))| {
                term.text == *wanted
                    || (n == last && self.open && term.text.starts_with(wanted.as_str()))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(text: &str) -> Vec<String> {
        terms(text).map(|t| t.text).collect()
    }

    #[test]
    fn words_are_cut_at_everything_that_is_no_letter_and_ideographs_one_by_one() {
        assert_eq!(cut("Create-Story_01: naïve Ｗork"), ["create", "story", "01", "naive", "work"]);
        assert_eq!(cut("工作流graph已完成"), ["工", "作", "流", "graph", "已", "完", "成"]);
        assert_eq!(cut("ひらか\u{3099}"), ["ひ", "ら", "が"]);
        assert_eq!(cut("한국어 문서"), ["한국어", "문서"]);
        assert!(cut("…!? \"*()").is_empty());
        assert_eq!(cut(&"x".repeat(1000)), ["x".repeat(64)]);
    }

    #[test]
    fn a_question_is_text_and_never_syntax() {
        let fts = |text: &str| Question::new(text).map(|q| q.fts());
        assert_eq!(fts("AND"), Some("\"and\" *".into()));
        assert_eq!(fts("\"a\" OR (b*"), Some("\"a\" AND \"or\" AND \"b\"".into()));
        assert_eq!(fts("工作 文"), Some("\"工 作\" AND \"文\"".into()));
        assert_eq!(fts("text:NEAR(x"), Some("\"text near x\"".into()));
        for nothing in ["", "  ", "\"*(", "…"] {
            assert_eq!(fts(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn places_cover_whole_words_and_whole_phrases() {
        let text = "The Workflows of 工作流: work";
        let shown = |question: &str| -> Vec<&str> {
            let places = Question::new(question).unwrap().places(text, 10);
            places.into_iter().map(|at| &text[at]).collect()
        };
        assert_eq!(shown("work"), ["Workflows", "work"]);
        assert_eq!(shown("作流"), ["作流"]);
        assert_eq!(shown("工作 作流"), ["工作流"]);
        assert_eq!(shown("WORKFLOWS-of"), ["Workflows of"]);
        assert!(Question::new("flows").unwrap().places(text, 10).is_empty());
        assert_eq!(Question::new("work").unwrap().places(text, 1).len(), 1);
        assert!(Question::new("work the").unwrap().is_in(text));
        assert!(!Question::new("work nothing").unwrap().is_in(text));
    }

    proptest! {
        #[test]
        fn every_text_finds_itself(text in "\\PC{0,40}") {
            if let Some(question) = Question::new(&text) {
                let short = terms(&text).count() <= QUESTION_TERMS;
                prop_assert!(!short || question.is_in(&text), "{question:?}");
            }
        }

        #[test]
        fn places_are_whole_characters_in_order(text in "\\PC{0,60}", question in "\\PC{1,6}") {
            let Some(question) = Question::new(&question) else { return Ok(()) };
            let mut end = 0;
            for place in question.places(&text, 8) {
                prop_assert!(place.start >= end && place.end > place.start);
                prop_assert!(text.get(place.clone()).is_some());
                end = place.end;
            }
        }
    }
}
