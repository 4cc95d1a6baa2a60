//! Words that look like keys, whatever they are keys of.

use std::borrow::Cow;

pub(crate) mod spelt;

/// What the keys of well-known services begin with.
pub(crate) const KNOWN: &[&str] = &[
    "ghp_",
    "gho_",
    "ghs_",
    "ghu_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "AIza",
    "hf_",
    "eyJ",
];
/// Shorter keys are words such as `ollama` that servers on this machine are given: they open
/// nothing, and texts hold them.
pub(crate) const SHORTEST_KEY: usize = 8;
/// Shorter words that begin so are words.
pub(crate) const SHORTEST: usize = 16;

/// A text of somebody's own without words that look like keys. Stricter about what one is than the
/// log's scrubber: `sk-learn-tutorial` stays.
pub(crate) fn without_keys(text: &str) -> Cow<'_, str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    let mut out = String::new();
    let mut kept = 0;
    let mut at = 0;
    while let Some(start) = text[at..].find(is_part).map(|n| at + n) {
        let end = text[start..].find(|c| !is_part(c)).map_or(text.len(), |n| start + n);
        let word = text[start..end].trim_end_matches('.');
        if is_key(word) {
            out.push_str(&text[kept..start]);
            out.push_str("[key]");
            kept = start + word.len();
        }
        at = end;
    }
    if kept == 0 { Cow::Borrowed(text) } else { Cow::Owned(out + &text[kept..]) }
}

fn is_key(word: &str) -> bool {
    let begins = word.starts_with("sk-") || KNOWN.iter().any(|begin| word.starts_with(begin));
    begins && word.len() >= SHORTEST && word.bytes().any(|b| b.is_ascii_digit())
}

/// Whether files may hold it as a word, and say no key by it: a short one, or one of letters alone
/// such as `sk-no-key-required`.
pub(crate) fn is_a_word(key: &str) -> bool {
    key.len() < SHORTEST || !key.bytes().any(|b| b.is_ascii_digit())
}

/// What of a request header may be a key. Others say who asks, in words that answers hold too.
pub(crate) fn in_header<'v>(name: &str, value: &'v str) -> impl Iterator<Item = &'v str> {
    let name = name.to_ascii_lowercase();
    let named = ["auth", "key", "token", "secret", "cookie"].iter().any(|part| name.contains(part));
    value.split_whitespace().filter(move |word| named || is_key(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_look_like_keys_are_hidden_and_others_stay() {
        for (text, clean) in [
            ("use sk-proj-0123456789abcdef, please.", "use [key], please."),
            ("密钥sk-0123456789abcdef。", "密钥[key]。"),
            ("ghp_0123456789abcdef0123", "[key]"),
            ("`AKIA0123456789ABCDEF`.", "`[key]`."),
            ("a=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.", "a=[key]."),
            (
                "sk-learn-tutorial and task-0123456789abcdef",
                "sk-learn-tutorial and task-0123456789abcdef",
            ),
            ("hf_names sk-1", "hf_names sk-1"),
            ("", ""),
        ] {
            assert_eq!(without_keys(text), clean);
        }
    }
}
