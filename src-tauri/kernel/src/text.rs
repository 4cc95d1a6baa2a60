//! Small functions on text: hashing, cutting at a character boundary, canonical JSON, names as
//! disks compare them.

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization as _;

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from(b"0123456789abcdef"[usize::from(half)]);
    let mut out = String::with_capacity(bytes.len() * 2);
    out.extend(bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]));
    out
}

/// How long a SHA-256 is in hexadecimal digits.
pub const SHA256_HEX: usize = 64;

/// SHA-256 in lower-case hexadecimal, [`SHA256_HEX`] characters.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The longest prefix of `text` of at most `max` bytes that ends at a character boundary.
pub fn prefix(text: &str, max: usize) -> &str {
    let mut end = max.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// `text` cut to `max` bytes, with `…` when something was cut.
pub fn ellipsis(text: &str, max: usize) -> String {
    if text.len() <= max { text.to_owned() } else { format!("{}…", prefix(text, max)) }
}

/// Whether nothing of `text` can be seen: white space, controls, and characters of no width.
pub fn is_blank(text: &str) -> bool {
    let unseen = |c: char| {
        c.is_whitespace()
            || c.is_control()
            || matches!(c, '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
                | '\u{e0000}'..='\u{e0fff}')
    };
    text.chars().all(unseen)
}

/// A name as the least particular disk compares it: no case, one form of Unicode, and without
/// the letters that HFS+ leaves out. Names that are protected are compared in this form.
pub fn folded(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    let name = name.chars().filter(|c| !is_ignorable(*c)).nfkc();
    name.flat_map(without_case).nfkc().collect()
}

/// A letter without its case, as disks compare it: `ß`, `ẞ` and `SS` are the same. Upper case
/// comes in between because only that is written out.
pub fn without_case(c: char) -> impl Iterator<Item = char> {
    c.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase)
}

fn is_ignorable(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

/// A value as JSON: the bytes of its `to_string`, without the formatting machinery, which takes
/// twice as long.
pub fn json_text(value: &Value) -> String {
    let mut out = Vec::new();
    write_json(value, &mut out);
    // JSON is UTF-8.
    String::from_utf8(out).unwrap_or_default()
}

/// JSON with the keys of every object sorted and no white space: equal values, equal text.
/// Used where two calls are compared (loop detector, bound confirmations).
pub fn canonical_json(value: &Value) -> String {
    let mut out = Vec::new();
    write_canonical(value, &mut out);
    // JSON is UTF-8.
    String::from_utf8(out).unwrap_or_default()
}

fn write_canonical(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Object(map) => {
            let mut members: Vec<(&String, &Value)> = map.iter().collect();
            members.sort_unstable_by_key(|(key, _)| *key);
            for (n, (key, value)) in members.into_iter().enumerate() {
                out.push(if n == 0 { b'{' } else { b',' });
                write_json(key, out);
                out.push(b':');
                write_canonical(value, out);
            }
            out.extend_from_slice(if map.is_empty() { b"{}" } else { b"}" });
        }
        Value::Array(items) => {
            out.push(b'[');
            for (n, item) in items.iter().enumerate() {
                if n > 0 {
                    out.push(b',');
                }
                write_canonical(item, out);
            }
            out.push(b']');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            write_json(value, out);
        }
    }
}

fn write_json(value: &impl Serialize, out: &mut Vec<u8>) {
    // Texts and numbers can always be written, and a vector takes them.
    _ = serde_json::to_writer(out, value);
}

/// A number of bytes as people read it: `12 B`, `3.4 MiB`.
pub fn bytes(n: u64) -> String {
    if n < 1024 {
        return format!("{n} B");
    }
    let units = ["KiB", "MiB", "GiB", "TiB"];
    let mut tenths = n.saturating_mul(10) / 1024;
    let mut unit = 0;
    while tenths >= 10_240 && unit + 1 < units.len() {
        tenths /= 1024;
        unit += 1;
    }
    format!("{}.{} {}", tenths / 10, tenths % 10, units[unit])
}

/// How many bytes a text has as a JSON string, without its quotes.
pub fn json_bytes(text: &str) -> usize {
    let escaped = |byte: u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 8 | 12 => 2,
        0..32 => 6,
        _ => 1,
    };
    text.bytes().map(escaped).sum()
}

/// Whether a name is what a pattern says, in which `*` stands for any part, also none.
pub fn name_fits(pattern: &str, name: &str) -> bool {
    // Almost every name differs from almost every pattern at one of its ends.
    let ends = |a: Option<&u8>, b: Option<&u8>| a == Some(&b'*') || a == b;
    let (known, given) = (pattern.as_bytes(), name.as_bytes());
    if !ends(known.first(), given.first()) || !ends(known.last(), given.last()) {
        return false;
    }
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == name };
    let (middle, tail) = rest.rsplit_once('*').unwrap_or(("", rest));
    let inner = name.strip_prefix(head).and_then(|rest| rest.strip_suffix(tail));
    let Some(mut left) = inner else { return false };
    for part in middle.split('*') {
        let Some(at) = left.find(part) else { return false };
        left = &left[at + part.len()..];
    }
    true
}

/// Whether a text asks something: a question mark ends a word in it. One within a word is a part
/// of an address or of code.
pub fn asks(text: &str) -> bool {
    let mark = |c: char| matches!(c, '?' | '？' | '؟' | '⁇' | '⁈');
    let ends = |at: usize, c: char| {
        let rest = &text[at + c.len_utf8()..];
        c != '?'
            || !rest.starts_with(|next: char| next.is_ascii_alphanumeric() || "=.[&".contains(next))
    };
    text.char_indices().any(|(at, c)| mark(c) && ends(at, c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn bytes_are_told_in_the_largest_fitting_unit() {
        let cases = [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.0 KiB"),
            (1536, "1.5 KiB"),
            (1_048_576, "1.0 MiB"),
            (5_368_709_120, "5.0 GiB"),
        ];
        for (n, words) in cases {
            assert_eq!(bytes(n), words);
        }
        assert!(bytes(u64::MAX).ends_with(" TiB"));
    }

    #[test]
    fn a_text_is_as_long_as_its_json() {
        let every: String = (0..=300_u32).filter_map(char::from_u32).collect();
        for text in [every.as_str(), "", "plain", "目录 \"\\\u{7f}"] {
            assert_eq!(json_bytes(text) + 2, json!(text).to_string().len(), "{text}");
        }
    }

    #[test]
    fn canonical_json_does_not_depend_on_the_order_of_keys() {
        let a = json!({"b": [1, {"y": null, "x": "é"}], "a": true});
        let b = json!({"a": true, "b": [1, {"x": "é", "y": null}]});
        assert_eq!(canonical_json(&a), canonical_json(&b));
        assert_eq!(canonical_json(&a), r#"{"a":true,"b":[1,{"x":"é","y":null}]}"#);
    }

    #[test]
    fn a_value_as_text_has_the_bytes_that_it_is_shown_with() {
        let value = json!({"b": [1, -2.5, null, {"y": "\u{1}\"\\é⟦"}], "a": true, "": {}, "l": []});
        assert_eq!(json_text(&value), value.to_string());
        assert_eq!(json_text(&Value::Null), "null");
    }

    #[test]
    fn two_spellings_of_one_name_are_folded_to_one() {
        assert_eq!(folded("R\u{e9}sum\u{e9}.MD"), folded("re\u{301}sume\u{301}.md"));
        assert_eq!(folded("\u{130}"), folded("i\u{307}"));
        assert_ne!(folded("a"), folded("b"));
    }

    #[test]
    fn names_that_differ_in_case_alone_are_folded_to_one() {
        for (a, b) in [
            ("stra\u{df}e", "STRASSE"),
            ("\u{1e9e}", "ss"),
            ("\u{17f}sh", "SSH"),
            ("\u{fb01}le", "FILE"),
            ("\u{3c2}", "\u{3a3}"),
            ("\u{149}", "\u{2bc}N"),
            ("\u{1c80}", "\u{412}"),
            ("\u{13a0}", "\u{ab70}"),
            ("\u{390}", "\u{1fd3}"),
            ("\u{1fb3}", "\u{1fbc}"),
            ("\u{212a}", "k"),
        ] {
            assert_eq!(folded(a), folded(b), "{a} {b}");
            assert_eq!(folded(&folded(a)), folded(a), "{a}");
        }
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(prefix("héllo", 2), "h");
        assert_eq!(ellipsis("héllo", 3), "hé…");
        assert_eq!(ellipsis("hé", 3), "hé");
    }
}
