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
    ('\u{fe00}', '\u{fe0d}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{13430}', '\u{1343f}'),
    ('\u{16fe4}', '\u{16fe4}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d159}', '\u{1d159}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
];

/// Some scripts are written with one of these between two letters, and two emoji become one with
/// the second. Anywhere else they join nothing.
const JOINERS: (char, char) = ('\u{200c}', '\u{200d}');

/// Say how an emoji is drawn; behind anything else they do nothing.
const SELECTORS: (char, char) = ('\u{fe0e}', '\u{fe0f}');

/// Makes a key of the digit before it, with a selector between them.
const KEYCAP: char = '\u{20e3}';

/// Letters and marks of scripts that are written with joiners.
const JOINED: &[(char, char)] = &[
    ('\u{620}', '\u{6ff}'),
    ('\u{710}', '\u{85b}'),
    ('\u{860}', '\u{8ff}'),
    ('\u{900}', '\u{dff}'),
    ('\u{1000}', '\u{109f}'),
    ('\u{1780}', '\u{17b3}'),
    ('\u{17b6}', '\u{17dd}'),
    ('\u{1820}', '\u{18aa}'),
    ('\u{1b00}', '\u{1bff}'),
    ('\u{a8e0}', '\u{a8ff}'),
    ('\u{a980}', '\u{a9df}'),
    ('\u{11000}', '\u{114df}'),
    ('\u{1e900}', '\u{1e94b}'),
];

/// Emoji, and what becomes one with a selector.
const EMOJI: &[(char, char)] = &[
    ('\u{a9}', '\u{a9}'),
    ('\u{ae}', '\u{ae}'),
    ('\u{203c}', '\u{203c}'),
    ('\u{2049}', '\u{2049}'),
    ('\u{2122}', '\u{2122}'),
    ('\u{2139}', '\u{2139}'),
    ('\u{2194}', '\u{21aa}'),
    ('\u{231a}', '\u{23ff}'),
    ('\u{24c2}', '\u{24c2}'),
    ('\u{25aa}', '\u{27bf}'),
    ('\u{2934}', '\u{2935}'),
    ('\u{2b05}', '\u{2b55}'),
    ('\u{3030}', '\u{3030}'),
    ('\u{303d}', '\u{303d}'),
    ('\u{3297}', '\u{3299}'),
    ('\u{1f000}', '\u{1faff}'),
];

/// Blanks of a name in a row: behind more of them its end could be out of sight.
const BLANKS: usize = 8;

/// The text with signs for what cannot be seen. A carriage return at a line's end is part of it.
pub fn visible(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for (c, next, is_hidden) in judged(text) {
        let ends_line = c == '\r' && next.is_none_or(|next| next == '\n');
        if is_hidden && !ends_line {
            sign(&mut out, c);
        } else if !ends_line {
            out.push(c);
        }
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
    for (c, _, is_hidden) in judged(json) {
        if is_hidden {
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
    !is_plain(text) && judged(text).any(|(.., is_hidden)| is_hidden)
}

/// The same of a name, which is shown on one line: many blanks hide what comes behind them.
pub fn name_hides(name: &str) -> bool {
    let mut blanks = 0;
    let too_many = |c: char| {
        blanks = if c.is_whitespace() { blanks + 1 } else { 0 };
        blanks > BLANKS
    };
    hides(name) || name.chars().any(too_many)
}

/// Most names and most texts.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b' '..=b'~' | b'\n' | b'\t'))
}

/// What a character is to a joiner or a selector beside it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    /// A letter that may be joined.
    Joined,
    /// An emoji, with what says how it is drawn.
    Emoji,
    Other,
}

impl Beside {
    fn of(c: char) -> Self {
        match c {
            _ if c.is_ascii() => Self::Other,
            _ if is_in(JOINED, c) => Self::Joined,
            _ if is_in(EMOJI, c) => Self::Emoji,
            _ => Self::Other,
        }
    }
}

/// Each character, the one behind it, and whether it cannot be seen there.
fn judged(text: &str) -> impl Iterator<Item = (char, Option<char>, bool)> {
    let nexts = text.chars().skip(1).map(Some).chain([None]);
    let (mut before, mut beside) = (None, Beside::Other);
    text.chars().zip(nexts).map(move |(c, next)| {
        let is_selector = is_in(&[SELECTORS], c);
        let is_hidden = if is_selector {
            let is_key = before.is_some_and(|b: char| b.is_ascii_digit() || b == '#' || b == '*');
            let draws = beside == Beside::Emoji || (is_key && next == Some(KEYCAP));
            !draws || before.is_some_and(|b| is_in(&[SELECTORS], b))
        } else if is_in(&[JOINERS], c) {
            let joins = beside == Beside::Joined || (beside == Beside::Emoji && c == JOINERS.1);
            !joins || next.map(Beside::of) != Some(beside)
        } else {
            !matches!(c, ' '..='~') && is_in(HIDDEN, c)
        };
        // A selector belongs to its emoji.
        if !is_selector || is_hidden {
            beside = Beside::of(c);
        }
        before = Some(c);
        (c, next, is_hidden)
    })
}

fn is_in(ranges: &[(char, char)], c: char) -> bool {
    ranges.iter().any(|(from, to)| (*from..=*to).contains(&c))
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

/// The lists for the window, a TypeScript file beside the generated `wire.ts`. Written and compared
/// by a test, never edited.
pub fn ui_hidden_table() -> String {
    let row = |(from, to): (char, char)| format!("[{:#x}, {:#x}]", u32::from(from), u32::from(to));
    let mut out =
        "// Generated from the kernel's lists (src-tauri/kernel/src/visible.rs). Do not edit.\n"
            .to_owned();
    let lists = [
        ("What is shown as a sign, from and to.", "hidden", HIDDEN),
        ("Letters and marks of scripts that are written with joiners.", "joined", JOINED),
        ("Emoji, and what becomes one with a selector.", "emoji", EMOJI),
    ];
    for (says, name, ranges) in lists {
        let rows =
            ranges.iter().fold(String::new(), |rows, range| rows + "  " + &row(*range) + ",\n");
        // Writing to a `String` cannot fail.
        _ = write!(
            out,
            "\n/** {says} */\nexport const {name}: readonly (readonly [number, number])[] = [\n{rows}];\n"
        );
    }
    for (says, name, range) in [
        ("Join two letters or, the second, two emoji; a sign anywhere else.", "joiners", JOINERS),
        ("Say how an emoji is drawn; a sign anywhere else.", "selectors", SELECTORS),
    ] {
        let row = row(range);
        _ = write!(
            out,
            "\n/** {says} */\nexport const {name}: readonly [number, number] = {row};\n"
        );
    }
    out
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
        assert!(!hides(&shown), "{shown}");
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), text);
    }

    #[test]
    fn a_name_hides_its_end_behind_no_blanks() {
        for (name, hidden) in [
            ("a        b", false),
            ("a         b", true),
            ("a\u{3000}\u{a0}\u{2003} \u{3000}\u{a0}\u{2003} \u{3000}.sh", true),
            ("a b c d e f g h i j k l", false),
            ("a\u{200b}b", true),
        ] {
            assert_eq!(name_hides(name), hidden, "{name:?}");
        }
        assert!(!hides("a         b"), "in a text they are how it is set");
    }
}
