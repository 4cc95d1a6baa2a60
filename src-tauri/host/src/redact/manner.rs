//! In what manner a root is spelt at one place of a text, told without telling the root: letters
//! and digits only, and enough of them to write it there again byte for byte.
//!
//! Each unit of the root's name has a code, equal neighbours are counted (`12r.pa.4r`), and
//! nothing is said when every unit is written as on this machine.
//!
//! | code | written |
//! |---|---|
//! | `r` | as it is |
//! | `w` | a space as `+` |
//! | `q2` | the character behind two backslashes: a quote, a space |
//! | `p` and for each byte depth and case | percent-encoded: `p0a` is `%2f`, `p1a` is `%252f` |
//! | `e` and for each UTF-16 unit backslashes and case | escaped: `e1a` is `\\u002f` |
//! | `h` and for each byte backslashes and case | escaped: `h1a` is `\\x2f` |
//! | `l`, backslashes, case | escaped, a character of one byte: `l1a` is `\\xe9` |
//! | `o` and for each byte backslashes and `a` | escaped: `o1a` is `\\057` |
//! | `c`, depth, letter of [`NUMBERS`], zeros, case | by number: `c0c0a` is `&#x2f;` |
//! | `n`, depth, letter of [`NAMES`] | by name: `n0a` is `&nbsp;` |
//! | `f`, `b`, `d` | a separator `/` or `\\`, a `.` between two; several stand behind each other |
//! | `v1` before a code | the letter in another case, or a space that does not break |
//!
//! The case of hexadecimal digits is a letter from `a`: bit n is set when digit n is a capital.

use kernel::bounds::{MARK_DEPTH, MARK_UNITS};
use std::fmt::Write as _;
use std::sync::LazyLock;

use super::escapes::{MOST_SLASHES, MOST_ZEROS, NAMES, Notation, escape_at, slashes};
use super::spelling::{NO_BREAK_SPACE, Spelling, Unit};

/// How the root that stands at byte `at` of `text` is spelt; empty for the usual way.
pub(super) fn describe(spelling: &Spelling, text: &str, at: usize) -> String {
    let mut runs: Vec<(usize, String)> = Vec::new();
    for (unit, written) in spelling.units_at(text, at) {
        let code = match unit {
            Unit::Separator => separators_code(written, spelling.separator),
            Unit::Char(c) => char_code(c, written),
        };
        match runs.last_mut() {
            Some((count, last)) if *last == code => *count += 1,
            _ => runs.push((1, code)),
        }
    }
    if runs.iter().all(|(_, code)| code == "r") {
        return String::new();
    }
    let mut out = String::new();
    for (count, code) in runs {
        if !out.is_empty() {
            out.push('.');
        }
        if count > 1 {
            _ = write!(out, "{count}");
        }
        out.push_str(&code);
    }
    out
}

/// The root, spelt so. `None` when `how` is not the way of any text.
pub(super) fn respell(spelling: &Spelling, how: &str) -> Option<String> {
    let mut out = String::new();
    let mut units = spelling.units.iter();
    let runs = if how.is_empty() { None } else { Some(how.split('.')) };
    for run in runs.into_iter().flatten() {
        let mut code = Code(run);
        let count = code.count()?;
        for _ in 0..count {
            let mut code = Code(code.0);
            match units.next()? {
                Unit::Separator => code.write_separators(spelling.separator, &mut out)?,
                Unit::Char(c) => code.write_char(*c, &mut out)?,
            }
            if !code.0.is_empty() {
                return None;
            }
        }
    }
    if how.is_empty() {
        for unit in units.by_ref() {
            out.push(match unit {
                Unit::Separator => spelling.separator,
                Unit::Char(c) => *c,
            });
        }
    }
    units.next().is_none().then_some(out)
}

fn separators_code(written: &str, native: char) -> String {
    if written.chars().eq(std::iter::once(native)) {
        return "r".to_owned();
    }
    let which = |c: char| match c {
        '/' => 'f',
        '.' => 'd',
        _ => 'b',
    };
    let mut out = String::new();
    let mut rest = written;
    while let Some(first) = rest.chars().next() {
        let escape = escape_at(rest.as_bytes(), 0).filter(|e| matches!(e.c, '/' | '\\' | '.'));
        let len = if let Some(escape) = escape {
            let (letter, how) = notation_code(&rest[..escape.end], escape.notation);
            out.extend([letter, which(escape.c)]);
            out.push_str(&how);
            escape.end
        } else {
            out.push(which(first));
            first.len_utf8()
        };
        rest = &rest[len..];
    }
    out
}

fn char_code(known: char, written: &str) -> String {
    let first = written.chars().next().unwrap_or(known);
    let alone = written.len() == first.len_utf8();
    let (found, code) = match escape_at(written.as_bytes(), 0) {
        _ if alone && first == '+' && known == ' ' => (known, "w".to_owned()),
        Some(escape) => {
            let (letter, how) = notation_code(written, escape.notation);
            (escape.c, format!("{letter}{how}"))
        }
        _ => (first, "r".to_owned()),
    };
    if found == known {
        return code;
    }
    let variant = variants(known).position(|c| c == found).unwrap_or_default();
    format!("v{variant}{code}")
}

/// The letter of a notation, and what else is to be said to write the same again.
fn notation_code(written: &str, notation: Notation) -> (char, String) {
    match notation {
        Notation::Percent => ('p', percent_code(written)),
        Notation::Unicode => ('e', escape_code(written, 1, 4)),
        Notation::Hex => ('h', escape_code(written, 1, 2)),
        Notation::Latin => ('l', escape_code(written, 1, 2)),
        Notation::Octal => ('o', escape_code(written, 0, 3)),
        Notation::Quoted => ('q', slashes(written.as_bytes(), 0).to_string()),
        Notation::Number => ('c', number_code(written)),
        Notation::Named => ('n', name_code(written)),
    }
}

/// Depth and case of every byte of a percent-encoded text.
fn percent_code(written: &str) -> String {
    let bytes = written.split('%').filter(|byte| byte.len() >= 2);
    bytes.fold(String::new(), |mut out, byte| {
        let digits = &byte[byte.len() - 2..];
        _ = write!(out, "{}{}", (byte.len() - 2) / 2, case_of(digits));
        out
    })
}

/// Backslashes and case of every escape of `digits` digits behind `letters` letters.
fn escape_code(written: &str, letters: usize, digits: usize) -> String {
    let mut out = String::new();
    let mut rest = written;
    while !rest.is_empty() {
        let slashes = slashes(rest.as_bytes(), 0);
        let from = slashes + letters;
        let Some(number) = rest.get(from..from + digits) else { break };
        _ = write!(out, "{slashes}{}", case_of(number));
        rest = &rest[from + digits..];
    }
    out
}

/// How a character is written by its number: what stands before and behind it.
const NUMBERS: [(&str, &str); 9] = [
    ("#", ";"),
    ("#", ""),
    ("#x", ";"),
    ("#x", ""),
    ("#X", ";"),
    ("#X", ""),
    ("u{", "}"),
    ("x{", "}"),
    ("U", ""),
];

/// Whether this is one of [`NUMBERS`] that HTML has, and not one behind backslashes.
fn is_html(before: &str) -> bool {
    before.starts_with('#')
}

fn is_decimal(before: &str) -> bool {
    before == "#"
}

fn number_code(written: &str) -> String {
    let (depth, rest) = depth_of(written);
    let fits = |(before, after): &(&str, &str)| {
        let digits = rest.strip_prefix(before)?.strip_suffix(after)?;
        digits.bytes().all(|b| b.is_ascii_hexdigit()).then_some(digits)
    };
    let found = NUMBERS.iter().zip('a'..).find_map(|(form, letter)| Some((letter, fits(form)?)));
    let Some((letter, digits)) = found else { return String::new() };
    let number = digits.trim_start_matches('0');
    let mut out = format!("{depth}{letter}{}", digits.len() - number.len());
    out.extend(number.as_bytes().chunks(4).map(|digits| case_of(&String::from_utf8_lossy(digits))));
    out
}

fn name_code(written: &str) -> String {
    let (depth, rest) = depth_of(written);
    // The last `&amp;` of several is a sign of its own.
    let (depth, name) = if rest.is_empty() { (depth - 1, "amp") } else { (depth, rest) };
    let name = name.trim_end_matches(';');
    let named = NAMES.iter().zip('a'..).find(|((known, _), _)| *known == name);
    named.map_or(String::new(), |(_, letter)| format!("{depth}{letter}"))
}

/// How often the sign of an escape is itself written as one, or how many backslashes it has, and
/// what follows.
fn depth_of(written: &str) -> (usize, &str) {
    let Some(mut rest) = written.strip_prefix('&') else {
        let slashes = slashes(written.as_bytes(), 0);
        return (slashes, &written[slashes..]);
    };
    let mut depth = 0;
    while let Some(after) = rest.strip_prefix("amp;") {
        (depth, rest) = (depth + 1, after);
    }
    (depth, rest)
}

/// Which of these digits are capitals.
fn case_of(digits: &str) -> char {
    let bits = digits.bytes().enumerate();
    let bits = bits.fold(0_u8, |sum, (n, digit)| sum | (u8::from(digit.is_ascii_uppercase()) << n));
    char::from(b'a' + bits)
}

/// A letter in its other cases, in an order that never changes.
fn variants(known: char) -> impl Iterator<Item = char> {
    let usual = [known.to_lowercase().next(), known.to_uppercase().next()];
    let usual = usual.map(|c| c.unwrap_or(known));
    let same = move |c: &char| c.to_lowercase().eq(known.to_lowercase());
    let rare = CAPITALS.iter().copied().filter(same).filter(move |c| !usual.contains(c));
    usual.into_iter().chain(rare).chain((known == ' ').then_some(NO_BREAK_SPACE))
}

/// Every letter that has a lower case.
static CAPITALS: LazyLock<Vec<char>> =
    LazyLock::new(|| ('\0'..=char::MAX).filter(|c| !c.to_lowercase().eq([*c])).collect());

/// What is left of a code.
struct Code<'c>(&'c str);

impl Code<'_> {
    fn take(&mut self, wanted: char) -> bool {
        match self.0.strip_prefix(wanted) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    fn number(&mut self, most: usize) -> Option<usize> {
        let digits = self.0.len() - self.0.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number = self.0[..digits].parse().ok().filter(|n| *n <= most)?;
        self.0 = &self.0[digits..];
        Some(number)
    }

    /// How often the code stands; once when nothing is said.
    fn count(&mut self) -> Option<usize> {
        let said = self.0.starts_with(|c: char| c.is_ascii_digit());
        if said { self.number(MARK_UNITS).filter(|n| *n > 0) } else { Some(1) }
    }

    /// Hexadecimal digits in the case that comes next.
    fn cased(&mut self, digits: &str) -> Option<String> {
        let bits = u32::from(self.letter()?) - u32::from('a');
        let cased = digits.chars().enumerate().map(|(n, digit)| {
            let capital = bits & (1 << n) != 0;
            if capital { digit.to_ascii_uppercase() } else { digit }
        });
        Some(cased.collect())
    }

    fn letter(&mut self) -> Option<char> {
        let letter = self.0.chars().next().filter(char::is_ascii_lowercase)?;
        self.0 = &self.0[1..];
        Some(letter)
    }

    /// Writes a character in the notation of this letter.
    fn write_in(&mut self, notation: char, c: char, out: &mut String) -> Option<()> {
        match notation {
            'r' => out.push(c),
            'w' => out.push('+'),
            'q' => {
                let slashes = self.number(MOST_SLASHES)?;
                _ = write!(out, "{}{c}", "\\".repeat(slashes));
            }
            'p' => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    let depth = self.number(MARK_DEPTH)?;
                    let digits = self.cased(&format!("{byte:02x}"))?;
                    _ = write!(out, "%{}{digits}", "25".repeat(depth));
                }
            }
            'e' => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    self.write_escape("u", &format!("{unit:04x}"), out)?;
                }
            }
            'h' | 'o' => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    if notation == 'h' {
                        self.write_escape("x", &format!("{byte:02x}"), out)?;
                    } else {
                        self.write_escape("", &format!("{byte:03o}"), out)?;
                    }
                }
            }
            'l' => self.write_escape("x", &format!("{:02x}", u32::from(c)), out)?,
            'c' => self.write_number(u32::from(c), out)?,
            'n' => {
                let depth = self.number(MARK_DEPTH)?;
                let letter = self.letter()?;
                let (_, (name, _)) = ('a'..).zip(NAMES).find(|(of, _)| *of == letter)?;
                _ = write!(out, "&{}{name};", "amp;".repeat(depth));
            }
            _ => return None,
        }
        Some(())
    }

    fn write_escape(&mut self, letter: &str, digits: &str, out: &mut String) -> Option<()> {
        let slashes = self.number(MOST_SLASHES)?;
        let digits = self.cased(digits)?;
        _ = write!(out, "{}{letter}{digits}", "\\".repeat(slashes));
        Some(())
    }

    fn write_number(&mut self, number: u32, out: &mut String) -> Option<()> {
        let depth = self.number(MOST_SLASHES)?;
        let letter = self.letter()?;
        let (_, (before, after)) = ('a'..).zip(NUMBERS).find(|(of, _)| *of == letter)?;
        if is_html(before) {
            _ = write!(out, "&{}", "amp;".repeat(Some(depth).filter(|n| *n <= MARK_DEPTH)?));
        } else {
            out.push_str(&"\\".repeat(depth));
        }
        let zeros = self.number(MOST_ZEROS)?;
        let digits = if is_decimal(before) { number.to_string() } else { format!("{number:x}") };
        _ = write!(out, "{before}{}", "0".repeat(zeros));
        let (head, tail) = digits.split_at(digits.len().min(4));
        for digits in [head, tail].iter().filter(|digits| !digits.is_empty()) {
            out.push_str(&self.cased(digits)?);
        }
        out.push_str(after);
        Some(())
    }

    fn write_separators(&mut self, native: char, out: &mut String) -> Option<()> {
        if self.take('r') {
            out.push(native);
            return Some(());
        }
        if self.0.is_empty() {
            return None;
        }
        let which = |letter: char| match letter {
            'f' => Some('/'),
            'b' => Some('\\'),
            'd' => Some('.'),
            _ => None,
        };
        while !self.0.is_empty() {
            let letter = self.letter()?;
            if let Some(c) = which(letter) {
                out.push(c);
            } else {
                let c = which(self.letter()?)?;
                self.write_in(letter, c, out)?;
            }
        }
        Some(())
    }

    fn write_char(&mut self, known: char, out: &mut String) -> Option<()> {
        let c = if self.take('v') { variants(known).nth(self.number(MARK_UNITS)?)? } else { known };
        let notation = self.letter()?;
        self.write_in(notation, c, out)
    }
}
