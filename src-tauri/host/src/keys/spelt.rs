//! A key as it may be spelt in a text: as it is, or escaped as in JSON, JavaScript, YAML, C or a
//! shell, also several times over. Whoever reads such a text later has the key.

use serde_json::Value;
use std::borrow::Cow;

/// What stands where a key stood.
pub(crate) const HIDDEN: &str = "[key]";

/// Backslashes before one letter: four times over are 15.
const SLASHES: usize = 16;

/// Digits between braces, zeros included.
const BRACED: usize = 8;

/// What a text begins with.
enum Start {
    /// What was looked for, in as many bytes.
    Whole(usize),
    /// Its beginning, at which the text ends.
    Begun,
    Other,
}

impl Start {
    fn of(found: bool, bytes: usize) -> Self {
        if found { Self::Whole(bytes) } else { Self::Other }
    }

    /// The same with so many bytes before it.
    fn after(self, before: usize) -> Self {
        match self {
            Self::Whole(bytes) => Self::Whole(before + bytes),
            other => other,
        }
    }
}

fn start(text: &str, key: &str) -> Start {
    let mut at = 0;
    for c in key.chars() {
        match letter(&text[at..], c) {
            Start::Whole(bytes) => at += bytes,
            other => return other,
        }
    }
    Start::Whole(at)
}

fn letter(text: &str, c: char) -> Start {
    if text.starts_with(c) {
        return Start::Whole(c.len_utf8());
    }
    let slashes = text.bytes().take(SLASHES).take_while(|byte| *byte == b'\\').count();
    let Some(mark) = text[slashes..].chars().next() else { return Start::Begun };
    let behind = &text[slashes + mark.len_utf8()..];
    let digits = match mark {
        _ if slashes == 0 => return Start::Other,
        'x' => 2,
        'u' if behind.starts_with('{') => return braced(&behind[1..], c).after(slashes + 2),
        'u' => 4,
        'U' => 8,
        '0'..='7' => return octal(&text[slashes..], c).after(slashes),
        _ if mark == c && !c.is_alphanumeric() => return Start::Whole(slashes + c.len_utf8()),
        _ => return Start::Other,
    };
    let given = behind.bytes().take(digits).take_while(u8::is_ascii_hexdigit).count();
    if given < digits {
        return if given == behind.len() { Start::Begun } else { Start::Other };
    }
    Start::of(is_code(&behind[..digits], 16, c), digits).after(slashes + 1)
}

fn is_code(digits: &str, radix: u32, c: char) -> bool {
    u32::from_str_radix(digits, radix).ok() == Some(u32::from(c))
}

/// What follows `\u{`.
fn braced(text: &str, c: char) -> Start {
    let given = text.bytes().take(BRACED).take_while(u8::is_ascii_hexdigit).count();
    match text[given..].chars().next() {
        Some('}') => Start::of(is_code(&text[..given], 16, c), given + 1),
        None => Start::Begun,
        Some(_) => Start::Other,
    }
}

/// What follows the backslash of `\163`; a shell takes a zero before it.
fn octal(text: &str, c: char) -> Start {
    let given = text.bytes().take(4).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
    let whole = (2..=given).rev().find(|digits| is_code(&text[..*digits], 8, c));
    match whole {
        Some(digits) => Start::Whole(digits),
        None if given < 4 && given == text.len() => Start::Begun,
        None => Start::Other,
    }
}

/// `text` without these keys.
pub(crate) fn without<'t, K: AsRef<str>>(keys: &[K], text: &'t str) -> Cow<'t, str> {
    if keys.is_empty() {
        return Cow::Borrowed(text);
    }
    let begins = |c: char| c == '\\' || keys.iter().any(|key| key.as_ref().starts_with(c));
    let (mut out, mut kept, mut at) = (String::new(), 0, 0);
    while let Some(next) = text[at..].find(begins) {
        at += next;
        let whole = keys.iter().filter_map(|key| match start(&text[at..], key.as_ref()) {
            Start::Whole(bytes) if bytes > 0 => Some(bytes),
            _ => None,
        });
        if let Some(bytes) = whole.max() {
            out.push_str(&text[kept..at]);
            out.push_str(HIDDEN);
            at += bytes;
            kept = at;
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    if kept == 0 { Cow::Borrowed(text) } else { Cow::Owned(out + &text[kept..]) }
}

/// A shorter piece of a key says little, and may be any word.
const TELLING: usize = 8;

/// What stands where a text was cut.
const CUT: char = '…';

/// `text`, which may be a piece of another one, without these keys and without what is left of one
/// where it was cut: at its ends, and beside `…`.
pub(crate) fn without_pieces<'t, K: AsRef<str>>(keys: &[K], text: &'t str) -> Cow<'t, str> {
    let whole = without(keys, text);
    if keys.is_empty() {
        return whole;
    }
    let mut clean = String::new();
    let mut any = false;
    for (n, piece) in whole.split(CUT).enumerate() {
        if n > 0 {
            clean.push(CUT);
        }
        let head = ended(keys, piece);
        let piece = &piece[head..];
        let tail = Some(begun(keys, piece)).filter(|bytes| *bytes >= TELLING).unwrap_or(0);
        any |= head + tail > 0;
        clean.push_str(if head > 0 { HIDDEN } else { "" });
        clean.push_str(&piece[..piece.len() - tail]);
        clean.push_str(if tail > 0 { HIDDEN } else { "" });
    }
    if any { Cow::Owned(clean) } else { whole }
}

/// How many bytes at the beginning of `text` are the end of a key.
fn ended<K: AsRef<str>>(keys: &[K], text: &str) -> usize {
    let ends = |key: &K| {
        let key = key.as_ref();
        let mut starts = key.char_indices().map(|(at, _)| at).skip(1);
        starts.find(|at| text.starts_with(&key[*at..])).map_or(0, |at| key.len() - at)
    };
    keys.iter().map(ends).max().filter(|bytes| *bytes >= TELLING).unwrap_or(0)
}

/// Takes the keys, and what is left of them, out of every text in `value`.
pub(crate) fn hide_in<K: AsRef<str>>(keys: &[K], value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(clean) = without_pieces(keys, text) {
                *text = clean;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| hide_in(keys, item)),
        Value::Object(map) => {
            map.values_mut().for_each(|item| hide_in(keys, item));
            if map.keys().any(|name| matches!(without(keys, name), Cow::Owned(_))) {
                let old = std::mem::take(map);
                let clean =
                    |(name, value): (String, Value)| (without(keys, &name).into_owned(), value);
                map.extend(old.into_iter().map(clean));
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// How many bytes at the end of `text` may be the beginning of a key.
pub(crate) fn begun<K: AsRef<str>>(keys: &[K], text: &str) -> usize {
    let longest = |key: &K| key.as_ref().chars().count() * (SLASHES + BRACED + 3);
    let reach = keys.iter().map(longest).max().unwrap_or(0);
    let near = text.len().saturating_sub(reach);
    let starts = text.char_indices().map(|(at, _)| at).skip_while(|at| *at < near);
    let begins = |at: &usize| {
        keys.iter().any(|key| matches!(start(&text[*at..], key.as_ref()), Start::Begun))
    };
    starts.into_iter().find(begins).map_or(0, |at| text.len() - at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    const KEY: &str = "sk-live-0123456789/Az";

    /// The key with each letter spelt in one of these ways.
    fn spelt(ways: &[u8]) -> String {
        let letters = KEY.chars().zip(ways);
        let letters = letters.map(|(c, way)| match way % 9 {
            0 => format!("\\u{:04x}", u32::from(c)),
            1 => format!("\\u{:04X}", u32::from(c)),
            2 => format!("\\\\u{:04x}", u32::from(c)),
            3 => format!("\\x{:02x}", u32::from(c)),
            4 if c == '/' => "\\/".to_owned(),
            5 => format!("\\u{{{:x}}}", u32::from(c)),
            6 => format!("\\u{{{:06X}}}", u32::from(c)),
            7 => format!("\\{:03o}", u32::from(c)),
            _ => c.to_string(),
        });
        letters.collect()
    }

    proptest! {
        #[test]
        fn a_key_is_found_however_its_letters_are_escaped(
            ways in prop::collection::vec(any::<u8>(), KEY.len()),
            cut in 0_usize..400,
        ) {
            let text = format!("before {} after", spelt(&ways));
            prop_assert_eq!(without(&[KEY], &text), "before [key] after");
            // A piece that ends within it waits for the next one.
            let end = "before ".len() + cut % spelt(&ways).len().max(1);
            let waits = begun(&[KEY], &text[..end]);
            prop_assert!(waits >= end - "before ".len());
        }

        #[test]
        fn any_text_is_searched_for_keys_without_a_panic(text in any::<String>()) {
            without(&[KEY], &text);
            prop_assert!(begun(&[KEY], &text) <= text.len());
        }
    }

    #[test]
    fn what_json_makes_of_arguments_holds_no_key() {
        let ways = vec![0; KEY.len()];
        let arguments = format!(r#"{{"content":"{}","path":"\ud83d\ude00"}}"#, spelt(&ways));
        assert!(serde_json::from_str::<Value>(&arguments).unwrap().to_string().contains(KEY));
        let clean: Value = serde_json::from_str(&without(&[KEY], &arguments)).unwrap();
        assert_eq!(clean, json!({ "content": "[key]", "path": "😀" }));
    }

    #[test]
    fn what_is_left_of_a_key_where_a_text_was_cut_is_no_part_of_it() {
        for cut in 1..KEY.len() {
            let (begins, ends) = (&KEY[..cut], &KEY[cut..]);
            let hidden = |bytes: usize, piece: &'static str| match bytes {
                bytes if bytes < TELLING => piece,
                _ => HIDDEN,
            };
            let (before, after) = (hidden(begins.len(), begins), hidden(ends.len(), ends));
            for (text, clean) in [
                (format!("key: {begins}"), format!("key: {before}")),
                (format!("key: {begins}… of it"), format!("key: {before}… of it")),
                (format!("{ends} it was"), format!("{after} it was")),
                (format!("of it …{ends}"), format!("of it …{after}")),
            ] {
                assert_eq!(without_pieces(&[KEY], &text), clean);
            }
        }
        for text in ["", "…", "key: sk-live", "sk-live-0123456789 in the middle", "a…b"] {
            assert!(matches!(without_pieces(&[KEY], text), Cow::Borrowed(_)), "{text}");
        }
    }

    #[test]
    fn texts_without_a_key_stay_as_they_are() {
        for text in
            ["", "sk-live", r"\\\\\\\\\\\\\\\\\\\\\\\\", r"\u0073 \u00", "sk-live-\\u0031", "键"]
        {
            assert!(matches!(without(&[KEY], text), Cow::Borrowed(_)), "{text}");
        }
        let mut value = json!({ "a": [KEY, 1], KEY: { "b": "x" } });
        hide_in(&[KEY], &mut value);
        assert_eq!(value, json!({ "a": ["[key]", 1], "[key]": { "b": "x" } }));
    }
}
