//! One root, recognised in any of its spellings. A matcher instead of a list of spelt-out forms:
//! texts mix them (`file:///home/u/my%20project\\src`), and a list would miss the mixtures.

use kernel::bounds::{ROOT_FORKS, ROOT_SEPARATORS};
use std::ops::Range;

use super::escapes::{escape_at, slashes};

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
    /// Whether a name before it makes it another place. A single segment such as `/tmp` occurs
    /// inside other paths (`src/tmp/x`), and a drive's letter ends other words; any other root is
    /// this machine's wherever it stands.
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
                Some(Unit::Separator) => starts.add(b"/\\%&"),
                // A drive's letter, in any case and also escaped. Some characters beyond ASCII
                // are a letter in another case.
                Some(Unit::Char(c)) => {
                    let mut bytes = [0; 4];
                    starts.add(c.to_ascii_lowercase().encode_utf8(&mut bytes).as_bytes());
                    starts.add(c.to_ascii_uppercase().encode_utf8(&mut bytes).as_bytes());
                    starts.add(b"\\%&");
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
        // Each name stands behind a separator; the letter of a drive stands behind none.
        let segments = units.iter().filter(|unit| **unit == Unit::Separator).count();
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
        match self.walk(text, at, ends_segment, |_, _| {}) {
            Walked::Whole(end) if !self.needs_start || starts_segment(text.as_bytes(), at) => {
                Some(end)
            }
            Walked::Whole(_) | Walked::Open | Walked::Nowhere => None,
        }
    }

    /// Each unit with the text that stands for it, of a root that stands at byte `at`.
    pub(super) fn units_at<'t>(
        &'t self,
        text: &'t str,
        at: usize,
    ) -> impl Iterator<Item = (Unit, &'t str)> {
        let mut ends = Vec::with_capacity(self.units.len());
        self.walk(text, at, ends_segment, |index, end| {
            ends.truncate(index);
            ends.push(end);
        });
        let mut from = at;
        self.units.iter().zip(ends).map_while(move |(unit, end)| {
            let written = text.get(from..end)?;
            from = end;
            Some((*unit, written))
        })
    }

    /// Whether the root may begin at byte `at` and end behind the end of `text`.
    pub(super) fn may_go_on(&self, text: &str, at: usize) -> bool {
        matches!(self.walk(text, at, ends_segment, |_, _| {}), Walked::Open)
    }

    /// Where the root stands that begins at byte `at`, also as part of another place's name; and
    /// the same with the letter on either side that makes it one.
    pub(super) fn bare_at(&self, text: &str, at: usize) -> Option<(Range<usize>, Range<usize>)> {
        let Walked::Whole(end) = self.walk(text, at, |_, _| true, |_, _| {}) else { return None };
        let word = |c: &char| c.is_ascii_alphanumeric() || "_.-+~@".contains(*c);
        let before = text[..at].chars().next_back().filter(char::is_ascii_alphanumeric);
        let after = text[end..].chars().next().filter(word);
        let with = at - before.map_or(0, char::len_utf8)..end + after.map_or(0, char::len_utf8);
        Some((at..end, with))
    }

    /// Whether a name before it makes it another place.
    pub(super) fn needs_start(&self) -> bool {
        self.needs_start
    }

    /// Reads the units from byte `at` on and says where each ends. Where a text can be read in two
    /// ways (in `\\101`, two backslashes before a number or one before an `A`), both are tried.
    fn walk(
        &self,
        text: &str,
        at: usize,
        ends: impl Fn(&[u8], usize) -> bool,
        mut ended: impl FnMut(usize, usize),
    ) -> Walked {
        let bytes = text.as_bytes();
        let (mut index, mut end) = (0, at);
        let (mut forks, mut made) = (Vec::new(), 0);
        let mut open = false;
        loop {
            let next = match self.units.get(index) {
                None if ends(bytes, end) => return Walked::Whole(end),
                None => None,
                Some(unit) => {
                    // Also where it is read plainly: a `\` may be a separator or begin an escape.
                    open |= is_cut_escape(bytes, at, end);
                    let fork = |other: usize| {
                        if made < ROOT_FORKS {
                            made += 1;
                            forks.push((index + 1, other));
                        }
                    };
                    let most = if index == 0 { ROOT_SEPARATORS } else { usize::MAX };
                    match unit {
                        Unit::Separator => separators(bytes, end, most, fork),
                        Unit::Char(c) => character(text, end, *c, self.fold_case, fork),
                    }
                }
            };
            let next = next.map(|end| (index + 1, end)).or_else(|| forks.pop());
            let Some(next) = next else { break };
            (index, end) = next;
            ended(index - 1, end);
        }
        if open { Walked::Open } else { Walked::Nowhere }
    }
}

/// What a look for a root found.
enum Walked {
    /// It ends there.
    Whole(usize),
    /// The text ends before it does.
    Open,
    /// There is none.
    Nowhere,
}

/// An escape that is cut off by the end of a text is no longer than this.
const LONGEST_ESCAPE: usize = 64;

/// Whether what follows byte `at` may be the beginning of an escape that the end of the text cuts
/// off, or of a `/./`. Backslashes before it may belong to it, from byte `first` on.
fn is_cut_escape(bytes: &[u8], first: usize, at: usize) -> bool {
    let slashes = bytes[first..at].iter().rev().take_while(|b| **b == b'\\');
    let rest = &bytes[at - slashes.take(LONGEST_ESCAPE).count()..];
    let goes_on = |b: &u8| b.is_ascii_alphanumeric() || b"%\\&#;{.".contains(b);
    rest.first().is_none_or(|b| b"%\\&.".contains(b))
        && rest.len() <= LONGEST_ESCAPE
        && rest.iter().all(goes_on)
}

/// One or more separators, at most `most`: `/`, `\`, `\\`, `\/`, `/./`, and each of them escaped
/// in any notation. `fork` is told where they may end as well.
fn separators(
    bytes: &[u8],
    from: usize,
    most: usize,
    mut fork: impl FnMut(usize),
) -> Option<usize> {
    let mut at = from;
    for _ in 0..most {
        let escape = escape_at(bytes, at);
        at = match (bytes.get(at), escape.map(|escape| (escape.c, escape.end))) {
            (Some(b'/'), _) => at + 1,
            (Some(first), Some(('/' | '\\', end))) => {
                if *first == b'\\' {
                    fork(at + slashes(bytes, at));
                }
                end
            }
            // `/./` is `/`.
            (Some(b'.'), _) if at > from && is_separator(bytes, at + 1) => {
                fork(at);
                at + 1
            }
            (_, Some(('.', end))) if at > from && is_separator(bytes, end) => {
                fork(at);
                end
            }
            // An escaped character of the next name, or separators before a name that looks so.
            (Some(b'\\'), Some(_)) if at > from => {
                fork(at);
                at + slashes(bytes, at)
            }
            (Some(b'\\'), _) => at + 1,
            _ => break,
        };
    }
    (at > from).then_some(at)
}

fn is_separator(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at), Some(b'/' | b'\\'))
        || escape_at(bytes, at).is_some_and(|escape| matches!(escape.c, '/' | '\\'))
}

/// One character of a name: itself, or escaped in any notation. `fork` is told where it may end
/// as well.
fn character(
    text: &str,
    at: usize,
    wanted: char,
    fold_case: bool,
    mut fork: impl FnMut(usize),
) -> Option<usize> {
    let bytes = text.as_bytes();
    let same = |c: char| {
        c == wanted
            || (wanted == ' ' && c == NO_BREAK_SPACE)
            || (fold_case && c.to_lowercase().eq(wanted.to_lowercase()))
    };
    let found = text.get(at..)?.chars().next()?;
    let escape = || escape_at(bytes, at).filter(|escape| same(escape.c)).map(|escape| escape.end);
    if same(found) {
        // A sign that begins escapes may itself be escaped.
        if found == '%' {
            let mut end = at + 1;
            while bytes.get(end..end + 2) == Some(b"25") {
                end += 2;
                fork(end);
            }
        } else if found == '&' {
            escape().into_iter().for_each(fork);
        }
        return Some(at + found.len_utf8());
    }
    match found {
        '+' if wanted == ' ' => Some(at + 1),
        _ => escape(),
    }
}

/// What stands for a space where lines must not break.
pub(super) const NO_BREAK_SPACE: char = '\u{a0}';

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

/// False when the place lies inside another name (`src` in `src/tmp`): a letter or digit stands
/// before it. A flag (`-I/tmp`) and the end of an escape are none (`\n/tmp`, `%0A/tmp`, the `m` of
/// a terminal's colour), and text in other scripts needs no space before a path.
fn starts_segment(bytes: &[u8], at: usize) -> bool {
    let before = &bytes[..at];
    let Some((last, rest)) = before.split_last() else { return true };
    if !last.is_ascii_alphanumeric() {
        return true;
    }
    if b"nrtbf0".contains(last) && rest.ends_with(b"\\") {
        return true;
    }
    let in_name = |b: &&u8| b.is_ascii_alphanumeric() || b"_.-+~".contains(b);
    let name = before.iter().rev().take_while(in_name).count();
    let is_flag = before[at - name] == b'-';
    let arguments = rest.iter().rev().take_while(|b| b.is_ascii_digit() || b";?".contains(b));
    let arguments = arguments.take(LONGEST_ESCAPE).count();
    let is_colour = last.is_ascii_alphabetic() && rest[..rest.len() - arguments].ends_with(b"[");
    let is_escape = |from: usize| {
        escape_at(bytes, from).is_some_and(|e| e.end == at && !e.c.is_ascii_alphanumeric())
    };
    is_flag || is_colour || (at.saturating_sub(LONGEST_BEFORE)..at).any(is_escape)
}

/// The longest escape that is told from a name before a root: four bytes of `\360`.
const LONGEST_BEFORE: usize = 16;
