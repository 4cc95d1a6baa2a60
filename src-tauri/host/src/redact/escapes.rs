//! Characters as texts write them when they do not write them plainly.

/// Backslashes before an escape: JSON within JSON, six times over.
pub(super) const MOST_SLASHES: usize = 64;
/// Zeros before the number of a character.
pub(super) const MOST_ZEROS: usize = 16;

/// In what notation a character is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    /// `%2f` for each byte, or `%252f` when it was encoded twice.
    Percent,
    /// `\u002f` for each UTF-16 unit.
    Unicode,
    /// `\x2f` for each byte.
    Hex,
    /// `\xe9` for a character below U+0100.
    Latin,
    /// `\057` for each byte.
    Octal,
    /// The character itself behind backslashes: `\ `.
    Quoted,
    /// By its number: `&#47;`, `&#x2f;`, `\u{2f}`, `\U0000002f`.
    Number,
    /// By its name in HTML: `&nbsp;`.
    Named,
}

/// A character that is not written plainly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Escape {
    pub(super) c: char,
    pub(super) notation: Notation,
    /// Where it ends.
    pub(super) end: usize,
}

/// HTML's names of characters that stand in paths.
pub(super) const NAMES: [(&str, char); 20] = [
    ("nbsp", '\u{a0}'),
    ("sol", '/'),
    ("bsol", '\\'),
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("period", '.'),
    ("lowbar", '_'),
    ("colon", ':'),
    ("plus", '+'),
    ("lpar", '('),
    ("rpar", ')'),
    ("commat", '@'),
    ("comma", ','),
    ("num", '#'),
    ("dollar", '$'),
    ("percnt", '%'),
    ("excl", '!'),
];

/// The character that is written at byte `at` in any notation.
pub(super) fn escape_at(bytes: &[u8], at: usize) -> Option<Escape> {
    let found = |notation| move |(c, end)| Escape { c, notation, end };
    match bytes.get(at)? {
        b'%' => percent_char(bytes, at).map(found(Notation::Percent)),
        b'&' => entity(bytes, at),
        b'\\' => {
            let from = at + slashes(bytes, at);
            match bytes.get(from)? {
                _ if from - at > MOST_SLASHES => None,
                b'u' | b'x' if bytes.get(from + 1) == Some(&b'{') => braced(bytes, from),
                b'u' => unicode_char(bytes, at).map(found(Notation::Unicode)),
                b'x' => utf8(bytes, at, hex_byte)
                    .map(found(Notation::Hex))
                    .or_else(|| hex_byte(bytes, at).map(latin)),
                b'U' => {
                    let c = number(bytes.get(from + 1..from + 9)?, 16)?;
                    Some(Escape { c, notation: Notation::Number, end: from + 9 })
                }
                b'0'..=b'3' => utf8(bytes, at, octal_byte).map(found(Notation::Octal)),
                b'/' => None,
                b if b.is_ascii_punctuation() || *b == b' ' => {
                    Some(found(Notation::Quoted)((char::from(*b), from + 1)))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn latin((byte, end): (u8, usize)) -> Escape {
    Escape { c: char::from(byte), notation: Notation::Latin, end }
}

/// How many backslashes stand there, at most one more than are taken for an escape's.
pub(super) fn slashes(bytes: &[u8], at: usize) -> usize {
    let run = bytes.get(at..).unwrap_or_default().iter().take(MOST_SLASHES + 1);
    run.take_while(|b| **b == b'\\').count()
}

/// A byte written `%2F`, or `%252F` when it was encoded twice.
fn percent_byte(bytes: &[u8], at: usize) -> Option<(u8, usize)> {
    if bytes.get(at) != Some(&b'%') {
        return None;
    }
    let mut from = at + 1;
    while bytes.get(from..from + 2) == Some(b"25") {
        from += 2;
    }
    match pair(bytes, from) {
        Some(byte) => Some((byte, from + 2)),
        // A percent sign itself, however often it was encoded.
        None => (from > at + 1).then_some((b'%', from)),
    }
}

/// A byte written `\x2f`.
fn hex_byte(bytes: &[u8], at: usize) -> Option<(u8, usize)> {
    let x = at + slashes(bytes, at);
    let escaped = x > at && bytes.get(x) == Some(&b'x');
    escaped.then(|| pair(bytes, x + 1)).flatten().map(|byte| (byte, x + 3))
}

/// A byte written `\057`.
fn octal_byte(bytes: &[u8], at: usize) -> Option<(u8, usize)> {
    let from = at + slashes(bytes, at);
    let digits = bytes.get(from..from + 3)?;
    let byte = digits_of(digits, 8).and_then(|value| u8::try_from(value).ok())?;
    (from > at).then_some((byte, from + 3))
}

/// A character whose UTF-8 bytes are percent-encoded.
pub(super) fn percent_char(bytes: &[u8], at: usize) -> Option<(char, usize)> {
    utf8(bytes, at, percent_byte)
}

/// A character whose UTF-8 bytes are written one by one.
fn utf8(
    bytes: &[u8],
    at: usize,
    byte: impl Fn(&[u8], usize) -> Option<(u8, usize)>,
) -> Option<(char, usize)> {
    let mut found = [0; 4];
    let mut end = at;
    for len in 1..=found.len() {
        (found[len - 1], end) = byte(bytes, end)?;
        if let Ok(text) = std::str::from_utf8(&found[..len]) {
            return text.chars().next().map(|c| (c, end));
        }
    }
    None
}

/// A character written as `\u4e2d`, or as two escapes when it needs a surrogate pair.
fn unicode_char(bytes: &[u8], at: usize) -> Option<(char, usize)> {
    let (first, end) = unicode_escape(bytes, at)?;
    let second = unicode_escape(bytes, end);
    let units = std::iter::once(first).chain(second.map(|(unit, _)| unit));
    let c = char::decode_utf16(units).next()?.ok()?;
    Some((c, if c.len_utf16() == 2 { second?.1 } else { end }))
}

/// One UTF-16 unit after one or more backslashes and a `u`.
fn unicode_escape(bytes: &[u8], at: usize) -> Option<(u16, usize)> {
    let u = at + slashes(bytes, at);
    if u == at || bytes.get(u) != Some(&b'u') {
        return None;
    }
    let unit = digits_of(bytes.get(u + 1..u + 5)?, 16)?;
    Some((u16::try_from(unit).ok()?, u + 5))
}

/// `{2f}` behind the letter at `at`.
fn braced(bytes: &[u8], at: usize) -> Option<Escape> {
    let digits = run(bytes, at + 2, 16);
    let end = at + 2 + digits.len();
    let c = number(digits, 16).filter(|_| bytes.get(end) == Some(&b'}'))?;
    Some(Escape { c, notation: Notation::Number, end: end + 1 })
}

/// `&#47;`, `&#x2f;` or `&sol;`, also where the sign before it is written `&amp;`.
fn entity(bytes: &[u8], at: usize) -> Option<Escape> {
    let mut from = at + 1;
    while bytes.get(from..from + 4) == Some(b"amp;") {
        from += 4;
    }
    if bytes.get(from) == Some(&b'#') {
        let hex = matches!(bytes.get(from + 1), Some(b'x' | b'X'));
        let start = from + 1 + usize::from(hex);
        let digits = run(bytes, start, if hex { 16 } else { 10 });
        if let Some(c) = number(digits, if hex { 16 } else { 10 }) {
            let end = start + digits.len();
            let end = end + usize::from(bytes.get(end) == Some(&b';'));
            return Some(Escape { c, notation: Notation::Number, end });
        }
    }
    let rest = bytes.get(from..)?;
    let named = NAMES.iter().find_map(|(name, c)| {
        let after = rest.strip_prefix(name.as_bytes())?;
        after.starts_with(b";").then_some((*c, from + name.len() + 1))
    });
    // The last `&amp;` of several is a sign of its own.
    let named = named.or_else(|| (from > at + 1).then_some(('&', from)));
    named.map(|(c, end)| Escape { c, notation: Notation::Named, end })
}

/// The digits that stand there, with as many zeros as are taken.
fn run(bytes: &[u8], at: usize, radix: u32) -> &[u8] {
    let rest = bytes.get(at..).unwrap_or_default();
    let digits = rest.iter().take(MOST_ZEROS + 8);
    &rest[..digits.take_while(|b| char::from(**b).is_digit(radix)).count()]
}

fn number(digits: &[u8], radix: u32) -> Option<char> {
    let zeros = digits.iter().take_while(|b| **b == b'0').count();
    let taken = zeros <= MOST_ZEROS && digits.len() - zeros <= 7;
    taken.then(|| digits_of(digits, radix)).flatten().and_then(char::from_u32)
}

fn digits_of(digits: &[u8], radix: u32) -> Option<u32> {
    let sum = |sum: u32, digit: &u8| {
        sum.checked_mul(radix)?.checked_add(char::from(*digit).to_digit(radix)?)
    };
    if digits.is_empty() { None } else { digits.iter().try_fold(0, sum) }
}

fn pair(bytes: &[u8], at: usize) -> Option<u8> {
    digits_of(bytes.get(at..at + 2)?, 16).and_then(|value| u8::try_from(value).ok())
}
