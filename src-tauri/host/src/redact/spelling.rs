//! One root, recognised in any of its spellings. A matcher instead of a list of spelt-out forms:
//! texts mix them (`file:///home/u/my%20project\\src`), and a list would miss the mixtures.

/// A part of a root's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// One or more slashes of either kind.
    Separator,
    /// A character of a name.
    Char(char),
}

/// A root's name, ready to be found in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spelling {
    pub(super) units: Vec<Unit>,
    /// How its separators are written on this machine.
    pub(super) separator: char,
    /// Drive-letter paths are the same in any case.
    fold_case: bool,
    /// Whether a name before it makes it another place. A single short segment such as `/tmp`
    /// occurs inside other paths (`src/tmp/x`); a longer one is this machine's wherever it stands.
    needs_start: bool,
}

/// The bytes that a root can begin with, in any spelling.
#[derive(Clone)]
pub(super) struct Starts([bool; 256]);

impl Default for Starts {
    fn default() -> Self {
        Self([false; 256])
    }
}

impl Starts {
    /// The bytes that one of the roots can begin with.
    pub(super) fn of<'s>(roots: impl Iterator<Item = &'s Spelling>) -> Self {
        let mut starts = Self::default();
        for root in roots {
            match root.units.first() {
                None => {}
                Some(Unit::Separator) => starts.add(b"/\\%"),
                // A drive's letter, in any case and also escaped. Some characters beyond ASCII
                // are a letter in another case.
                Some(Unit::Char(c)) => {
                    let mut bytes = [0; 4];
                    starts.add(c.to_ascii_lowercase().encode_utf8(&mut bytes).as_bytes());
                    starts.add(c.to_ascii_uppercase().encode_utf8(&mut bytes).as_bytes());
                    starts.add(b"\\%");
                    starts.0[0x80..].fill(true);
                }
            }
        }
        starts
    }

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0[usize::from(*byte)] = true;
        }
    }

    /// Whether a root can begin with this byte.
    pub(super) fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte)]
    }
}

impl Spelling {
    /// The spelling of a root; `None` for an empty name or the root of a disk.
    pub(super) fn of(name: &str) -> Option<Self> {
        let name = name.strip_prefix(r"\\?\").unwrap_or(name);
        let drive = name.as_bytes().get(1) == Some(&b':');
        let mut units = Vec::new();
        for c in name.chars() {
            match c {
                '/' | '\\' if units.last() == Some(&Unit::Separator) => {}
                '/' | '\\' => units.push(Unit::Separator),
                c => units.push(Unit::Char(c)),
            }
        }
        if units.last() == Some(&Unit::Separator) {
            units.pop();
        }
        let segments = units
            .split(|u| *u == Unit::Separator)
            .filter(|s| !s.is_empty() && !s.ends_with(&[Unit::Char(':')]))
            .count();
        let absolute = drive || units.first() == Some(&Unit::Separator);
        let separator = name.chars().find(|c| matches!(c, '/' | '\\')).unwrap_or('/');
        (absolute && segments > 0).then_some(Self {
            units,
            separator,
            fold_case: drive || cfg!(windows),
            needs_start: drive || segments == 1,
        })
    }

    /// How specific the root is.
    pub(super) fn len(&self) -> usize {
        self.units.len()
    }

    /// Where the root ends when it stands at byte `at`, by whole segments.
    pub(super) fn match_at(&self, text: &str, at: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let mut end = at;
        for (index, unit) in self.units.iter().enumerate() {
            end = self.unit_at(text, end, index, *unit)?;
        }
        let starts = !self.needs_start || starts_segment(bytes, at);
        (starts && ends_segment(bytes, end)).then_some(end)
    }

    /// Each unit with the text that stands for it, of a root that stands at byte `at`.
    pub(super) fn units_at<'t>(
        &'t self,
        text: &'t str,
        at: usize,
    ) -> impl Iterator<Item = (Unit, &'t str)> {
        let mut from = at;
        self.units.iter().enumerate().map_while(move |(index, unit)| {
            let end = self.unit_at(text, from, index, *unit)?;
            let written = text.get(from..end)?;
            from = end;
            Some((*unit, written))
        })
    }

    /// Whether the root may begin at byte `at` and end behind the end of `text`.
    pub(super) fn may_go_on(&self, text: &str, at: usize) -> bool {
        let mut end = at;
        for (index, unit) in self.units.iter().enumerate() {
            if let Some(next) = self.unit_at(text, end, index, *unit) {
                end = next;
            } else {
                let rest = &text.as_bytes()[end..];
                let escape = |b: &u8| b.is_ascii_hexdigit() || b"%\\u".contains(b);
                return rest.len() <= LONGEST_ESCAPE && rest.iter().all(escape);
            }
        }
        false
    }

    fn unit_at(&self, text: &str, at: usize, index: usize, unit: Unit) -> Option<usize> {
        match unit {
            Unit::Separator if index == 0 => separators(text.as_bytes(), at, MOST_FIRST),
            Unit::Separator => separators(text.as_bytes(), at, usize::MAX),
            Unit::Char(c) => character(text, at, c, self.fold_case),
        }
    }
}

/// Separators that a root takes along before its first name; more of them are text before it.
pub(super) const MOST_FIRST: usize = 16;
/// Backslashes before a `u`: JSON within JSON, six times over.
pub(super) const MOST_SLASHES: usize = 64;
/// An escape that is cut off by the end of a text is no longer than this.
const LONGEST_ESCAPE: usize = 64;

/// One or more separators, at most `most`: `/`, `\`, `\\`, `\/`, `%2F`, `%5C`, `\u002f`, `\u005c`.
fn separators(bytes: &[u8], from: usize, most: usize) -> Option<usize> {
    let mut at = from;
    for _ in 0..most {
        at = match bytes.get(at) {
            Some(b'/') => at + 1,
            Some(b'\\') => match unicode_escape(bytes, at) {
                Some((0x2f | 0x5c, end)) => end,
                // The start of an escaped character of the next name is no separator.
                Some(_) if at > from => break,
                _ => at + 1,
            },
            Some(b'%') => match percent_byte(bytes, at) {
                Some((b'/' | b'\\', end)) => end,
                _ => break,
            },
            _ => break,
        };
    }
    (at > from).then_some(at)
}

/// One character of a name: itself, percent-encoded, or as a JSON `\u` escape.
fn character(text: &str, at: usize, wanted: char, fold_case: bool) -> Option<usize> {
    let bytes = text.as_bytes();
    let same = |c: char| c == wanted || (fold_case && c.to_lowercase().eq(wanted.to_lowercase()));
    let found = text.get(at..)?.chars().next()?;
    if same(found) {
        return Some(at + found.len_utf8());
    }
    match found {
        '%' => percent_char(bytes, at).filter(|(c, _)| same(*c)).map(|(_, end)| end),
        '\\' if wanted == '"' => {
            let quote = at + bytes[at..].iter().take_while(|b| **b == b'\\').count();
            (bytes.get(quote) == Some(&b'"')).then_some(quote + 1)
        }
        '\\' => escaped_char(bytes, at).filter(|(c, _)| same(*c)).map(|(_, end)| end),
        '+' if wanted == ' ' => Some(at + 1),
        _ => None,
    }
}

/// A byte written `%2F`, or `%252F` when it was encoded twice.
pub(super) fn percent_byte(bytes: &[u8], at: usize) -> Option<(u8, usize)> {
    let mut from = at + 1;
    while bytes.get(from..from + 2) == Some(b"25") {
        from += 2;
    }
    let (high, low) = (hex(*bytes.get(from)?)?, hex(*bytes.get(from + 1)?)?);
    (bytes[at] == b'%').then(|| (u8::try_from(high * 16 + low).unwrap_or(0), from + 2))
}

/// A character whose UTF-8 bytes are percent-encoded.
pub(super) fn percent_char(bytes: &[u8], at: usize) -> Option<(char, usize)> {
    let mut encoded = Vec::new();
    let mut end = at;
    while encoded.len() < 4 && bytes.get(end) == Some(&b'%') {
        let (byte, next) = percent_byte(bytes, end)?;
        encoded.push(byte);
        end = next;
        if let Ok(text) = std::str::from_utf8(&encoded) {
            return text.chars().next().map(|c| (c, end));
        }
    }
    None
}

/// A character written as `\u4e2d`, or as two escapes when it needs a surrogate pair.
pub(super) fn escaped_char(bytes: &[u8], at: usize) -> Option<(char, usize)> {
    let (first, end) = unicode_escape(bytes, at)?;
    let second = unicode_escape(bytes, end);
    let units = std::iter::once(first).chain(second.map(|(unit, _)| unit));
    let c = char::decode_utf16(units).next()?.ok()?;
    Some((c, if c.len_utf16() == 2 { second?.1 } else { end }))
}

/// One UTF-16 unit after one or more backslashes and a `u`.
pub(super) fn unicode_escape(bytes: &[u8], at: usize) -> Option<(u16, usize)> {
    let run = bytes.get(at..)?.iter().take(MOST_SLASHES + 1);
    let slashes = run.take_while(|b| **b == b'\\').count();
    let from = at + slashes + 1;
    if slashes == 0 || bytes.get(from - 1) != Some(&b'u') {
        return None;
    }
    let digits = bytes.get(from..from + 4)?;
    let unit = digits.iter().try_fold(0_u32, |sum, d| Some(sum * 16 + hex(*d)?))?;
    Some((u16::try_from(unit).ok()?, from + 4))
}

fn hex(byte: u8) -> Option<u32> {
    char::from(byte).to_digit(16)
}

/// False when the name goes on: `/home/u/project` in `/home/u/project-old`. A full stop or a dash
/// that no letter follows is punctuation. Text in other scripts needs no space after a path, so a
/// letter beyond ASCII ends it.
fn ends_segment(bytes: &[u8], end: usize) -> bool {
    let is_word = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    match bytes.get(end) {
        Some(b'.' | b'-' | b'+' | b'~' | b'@') => {
            let next = bytes[end..].iter().find(|b| !b".-+~@".contains(b));
            !is_word(next)
        }
        next => !is_word(next),
    }
}

/// False when the place lies inside another name (`src` in `src/tmp`). A flag (`-I/tmp`) and an
/// escaped line end (`\n/tmp`) are no names.
fn starts_segment(bytes: &[u8], at: usize) -> bool {
    let in_name = |b: &&u8| b.is_ascii_alphanumeric() || b"_.-+~".contains(b) || !b.is_ascii();
    let run = bytes[..at].iter().rev().take_while(in_name).count();
    let name = &bytes[at - run..at];
    match name {
        [] | [b'-', ..] => true,
        [b'n' | b'r' | b't' | b'b' | b'f'] => bytes[..at - run].last() == Some(&b'\\'),
        _ => false,
    }
}
