//! Text that others wrote, as a person may be shown it: a control character, one that turns the
//! direction of the text round it, and one without width are signs that can be seen. So a name
//! hides nothing of itself, and a terminal acts on nothing it is given.
//!
//! The window has the same list ([`ui_hidden_table`]), and both are held to the same examples.

use std::fmt::Write as _;

/// What is shown as a sign, from and to. Line breaks and tabs are text.
const HIDDEN: &[(char, char)] = &[
    ('\0', '\u{8}'),
    ('\u{b}', '\u{1f}'),
    ('\u{7f}', '\u{9f}'),
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200b}'),
    ('\u{200e}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{2800}', '\u{2800}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0e}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff9}', '\u{fffb}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
];

/// Scripts and emoji are written with these; behind an ASCII character they join nothing.
const JOINERS: (char, char) = ('\u{200c}', '\u{200d}');

/// The text with signs for what cannot be seen. A carriage return at a line's end is part of it.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut before = None;
    while let Some(c) = chars.next() {
        let ends_line = c == '\r' && chars.peek().is_none_or(|next| *next == '\n');
        if is_hidden(c, before) && !ends_line {
            sign(&mut out, c);
        } else if !ends_line {
            out.push(c);
        }
        before = Some(c);
    }
    out
}

/// The same on one line: a line break is a sign too, because what is behind it could pass for the
/// words of somebody else.
pub fn visible_line(text: &str) -> String {
    visible(text).replace('\n', "␊")
}

/// A JSON document that says the same with nothing hidden in it.
pub fn visible_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if is_hidden(c, None) {
            // Writing to a `String` cannot fail.
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| _ = write!(out, "\\u{unit:04x}"));
        } else {
            out.push(c);
        }
    }
    out
}

/// Whether a text hides something of itself. What is made of characters that can all be seen is what
/// it looks like.
pub fn hides(text: &str) -> bool {
    let before = std::iter::once(None).chain(text.chars().map(Some));
    text.chars().zip(before).any(|(c, before)| is_hidden(c, before))
}

fn is_hidden(c: char, before: Option<char>) -> bool {
    let within = |(from, to): (char, char)| (from..=to).contains(&c);
    HIDDEN.iter().copied().any(within) || (within(JOINERS) && before.is_some_and(|b| b.is_ascii()))
}

/// A picture of a control character, or the number of any other.
fn sign(out: &mut String, c: char) {
    let picture = match u32::from(c) {
        code @ ..0x20 => char::from_u32(0x2400 + code),
        0x7f => Some('␡'),
        _ => None,
    };
    match picture {
        Some(picture) => out.push(picture),
        // Writing to a `String` cannot fail.
        None => _ = write!(out, "⟨U+{:04X}⟩", u32::from(c)),
    }
}

/// The list for the window, a TypeScript file beside the generated `wire.ts`. Written and compared
/// by a test, never edited.
pub fn ui_hidden_table() -> String {
    let row = |(from, to): (char, char)| format!("[{:#x}, {:#x}]", u32::from(from), u32::from(to));
    let rows: Vec<String> = HIDDEN.iter().map(|range| format!("  {},", row(*range))).collect();
    let rows = rows.join("\n");
    format!(
        "// Generated from the kernel's list (src-tauri/kernel/src/visible.rs). Do not edit.\n\n\
         /** What is shown as a sign, from and to. */\n\
         export const hidden: readonly (readonly [number, number])[] = [\n{rows}\n];\n\n\
         /** The same behind an ASCII character. */\n\
         export const joiners: readonly [number, number] = {};\n",
        row(JOINERS)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_becomes_a_sign() {
        let examples = include_str!("../../../tests/fixtures/visible.json");
        let examples: Vec<(String, String)> = serde_json::from_str(examples).unwrap();
        assert!(examples.len() > 10);
        for (text, shown) in examples {
            assert_eq!(visible(&text), shown, "{text:?}");
        }
        assert_eq!(visible_line("a\r\nb"), "a␊b");
    }

    #[test]
    fn what_hides_nothing_is_shown_as_it_is() {
        let examples = include_str!("../../../tests/fixtures/visible.json");
        let examples: Vec<(String, String)> = serde_json::from_str(examples).unwrap();
        for (text, _) in examples.into_iter().filter(|(text, _)| !text.contains('\r')) {
            assert_eq!(hides(&text), visible(&text) != text, "{text:?}");
        }
    }

    #[test]
    fn a_document_says_the_same_and_hides_nothing() {
        let text = "a\u{1b}\u{9b}\u{202e}\u{e0041}é\n\u{200d}";
        let json = serde_json::to_string(text).unwrap();
        let shown = visible_json(&json);
        assert!(!shown.chars().any(|c| is_hidden(c, None)), "{shown}");
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), text);
    }
}
