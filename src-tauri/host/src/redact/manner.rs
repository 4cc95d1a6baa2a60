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
//! | `q2` | a quote behind two backslashes |
//! | `p` and for each byte depth and case | percent-encoded: `p0a` is `%2f`, `p1a` is `%252f` |
//! | `e` and for each UTF-16 unit backslashes and case | escaped: `e1a` is `\\u002f` |
//! | `f`, `b` | a separator `/` or `\\`; several stand behind each other |
//! | `v1` before a code | the letter in another case |
//!
//! The case of hexadecimal digits is a letter from `a`: bit n is set when digit n is a capital.

use std::fmt::Write as _;
use std::sync::LazyLock;

use super::spelling::{MOST_SLASHES, Spelling, Unit, escaped_char, percent_char};

/// How often one code may stand: a root has no more units.
const MOST_UNITS: usize = 10_000;
/// How often a percent sign may be encoded itself. A mark of a few letters must not stand for a
/// book: what is spelt beyond this is marked and cannot be written back.
const MOST_DEPTH: usize = 8;

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
    let which = |c: char| if c == '/' { 'f' } else { 'b' };
    let mut out = String::new();
    let mut rest = written;
    while let Some(first) = rest.chars().next() {
        let found = match first {
            '%' => percent_char(rest.as_bytes(), 0).map(|found| (found, 'p')),
            '\\' => escaped_char(rest.as_bytes(), 0)
                .filter(|(c, _)| matches!(c, '/' | '\\'))
                .map(|found| (found, 'e')),
            _ => None,
        };
        let len = if let Some(((c, len), kind)) = found {
            out.extend([kind, which(c)]);
            let written = &rest[..len];
            out.push_str(&if kind == 'p' { percent_code(written) } else { escape_code(written) });
            len
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
    let (found, code) = match first {
        '+' if alone && known == ' ' => (known, "w".to_owned()),
        first if alone => (first, "r".to_owned()),
        '\\' if known == '"' && written.ends_with('"') => {
            (known, format!("q{}", written.len() - 1))
        }
        '%' => match percent_char(written.as_bytes(), 0) {
            Some((c, _)) => (c, format!("p{}", percent_code(written))),
            None => (known, "r".to_owned()),
        },
        _ => match escaped_char(written.as_bytes(), 0) {
            Some((c, _)) => (c, format!("e{}", escape_code(written))),
            None => (known, "r".to_owned()),
        },
    };
    if found == known {
        return code;
    }
    let variant = variants(known).position(|c| c == found).unwrap_or_default();
    format!("v{variant}{code}")
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

/// Backslashes and case of every UTF-16 unit of an escaped text.
fn escape_code(written: &str) -> String {
    let mut out = String::new();
    let mut rest = written;
    while let Some(u) = rest.find('u') {
        let Some(digits) = rest.get(u + 1..u + 5) else { break };
        _ = write!(out, "{u}{}", case_of(digits));
        rest = &rest[u + 5..];
    }
    out
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
    usual.into_iter().chain(rare)
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
        if said { self.number(MOST_UNITS).filter(|n| *n > 0) } else { Some(1) }
    }

    /// Hexadecimal digits in the case that comes next.
    fn cased(&mut self, digits: &str) -> Option<String> {
        let letter = self.0.chars().next().filter(char::is_ascii_lowercase)?;
        self.0 = &self.0[1..];
        let bits = u32::from(letter) - u32::from('a');
        let cased = digits.chars().enumerate().map(|(n, digit)| {
            let capital = bits & (1 << n) != 0;
            if capital { digit.to_ascii_uppercase() } else { digit }
        });
        Some(cased.collect())
    }

    fn write_percent(&mut self, c: char, out: &mut String) -> Option<()> {
        for byte in c.encode_utf8(&mut [0; 4]).bytes() {
            let depth = self.number(MOST_DEPTH)?;
            let digits = self.cased(&format!("{byte:02x}"))?;
            _ = write!(out, "%{}{digits}", "25".repeat(depth));
        }
        Some(())
    }

    fn write_escape(&mut self, c: char, out: &mut String) -> Option<()> {
        for unit in c.encode_utf16(&mut [0; 2]) {
            let slashes = self.number(MOST_SLASHES)?;
            let digits = self.cased(&format!("{unit:04x}"))?;
            _ = write!(out, "{}u{digits}", "\\".repeat(slashes));
        }
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
        while !self.0.is_empty() {
            let (percent, escape) = (self.take('p'), self.take('e'));
            let c = if self.take('f') { '/' } else { '\\' };
            if c == '\\' && !self.take('b') {
                return None;
            }
            match (percent, escape) {
                (true, false) => self.write_percent(c, out)?,
                (false, true) => self.write_escape(c, out)?,
                (false, false) => out.push(c),
                (true, true) => return None,
            }
        }
        Some(())
    }

    fn write_char(&mut self, known: char, out: &mut String) -> Option<()> {
        let c = if self.take('v') { variants(known).nth(self.number(MOST_UNITS)?)? } else { known };
        if self.take('r') {
            out.push(c);
        } else if self.take('w') {
            out.push('+');
        } else if self.take('q') {
            let slashes = self.number(MOST_SLASHES)?;
            _ = write!(out, "{}\"", "\\".repeat(slashes));
        } else if self.take('p') {
            self.write_percent(c, out)?;
        } else if self.take('e') {
            self.write_escape(c, out)?;
        } else {
            return None;
        }
        Some(())
    }
}
