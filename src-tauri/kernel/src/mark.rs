//! Marks: what stands for a private folder in the text of a file (spec 05 "Users' bytes are
//! sacred").
//!
//! `⟦folder:home⟧/data` is shown where a file holds `/home/ada/data`, and whatever a model writes
//! has its marks turned back before it is compared or written. This is the one place that knows
//! what a mark looks like; which real folder it stands for, and how that is spelt, is the host's.
//!
//! A mark is a function of the folder and its spelling alone, so it is the same in every file, in
//! every turn and after a restart. Text of a user that looks like one is told from it by a `=`:
//! `⟦folder:` in a file is shown as `⟦folder:=`. So every text can be shown and turned back byte
//! for byte, and a piece of it as well.

use serde_json::Value;
use strum::{EnumString, IntoStaticStr};

use crate::path::Mount;

/// How a mark begins.
pub const OPEN: &str = "⟦folder:";
/// How it ends.
pub const CLOSE: char = '⟧';
/// What follows [`OPEN`] when it is the user's own text.
pub const LITERAL: char = '=';
/// What parts the folder's name from the spelling, when that is not the usual one.
const HOW: char = '~';
/// The longest thing between [`OPEN`] and [`CLOSE`] that is repeated in words.
const SHOWN_BYTES: usize = 60;

/// What a result that holds marks says about them.
pub const HINT: &str = "⟦folder:…⟧ stands for a folder of this machine whose name stays private. Copy it as it is, wherever you repeat the text: the file holds the real name, and what you write gets it back. ⟦folder:= is the file's own text.";

/// A folder of this machine whose name stays here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, EnumString, IntoStaticStr)]
#[cfg_attr(test, derive(strum::VariantArray))]
#[strum(serialize_all = "lowercase")]
pub enum Folder {
    /// The user's project.
    Project,
    /// Where the user's project was before.
    FormerProject,
    /// The installed package.
    Package,
    /// The run's state folder.
    State,
    /// The program's own data.
    Store,
    /// The user's home folder.
    Home,
}

impl Folder {
    /// Its name in a mark.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What it is called where nothing is ever turned back: in errors, logs and exports.
    pub const fn alias(self) -> &'static str {
        match self {
            Self::Project => Mount::Project.alias(),
            Self::Package => Mount::Pkg.alias(),
            Self::State => Mount::State.alias(),
            Self::FormerProject => "[former project]",
            Self::Store => "[store]",
            Self::Home => "[home]",
        }
    }
}

/// A mark in a text, read: which private folder it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark<'t> {
    /// The private folder that the mark stands for.
    pub folder: Folder,
    /// Which of its names, from 1: a folder behind a link has two.
    pub name: u32,
    /// How the name is spelt; empty for the usual way.
    pub how: &'t str,
}

impl std::fmt::Display for Mark<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(OPEN)?;
        f.write_str(self.folder.name())?;
        if self.name > 1 {
            write!(f, "{}", self.name)?;
        }
        if !self.how.is_empty() {
            write!(f, "{HOW}{}", self.how)?;
        }
        write!(f, "{CLOSE}")
    }
}

impl<'t> Mark<'t> {
    /// What stands between [`OPEN`] and [`CLOSE`].
    fn parse(inside: &'t str) -> Option<Self> {
        let (name, how) = match inside.split_once(HOW) {
            Some((_, "")) => return None,
            Some(parts) => parts,
            None => (inside, ""),
        };
        let digits = name.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let word = &name[..name.len() - digits.len()];
        let folder = word.parse().ok()?;
        let name = match digits {
            "" => 1,
            // `home1` and `home02` would be second spellings of a mark.
            digits if digits.starts_with('0') || digits == "1" => return None,
            digits => digits.parse().ok()?,
        };
        Some(Self { folder, name, how })
    }
}

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'t> {
    /// Text without a mark.
    Text(&'t str),
    /// [`OPEN`] as the user's own text.
    Literal,
    /// A mark.
    Mark(Mark<'t>),
    /// What begins like a mark and is none.
    Unknown(&'t str),
}

/// The parts of a text, in order.
pub fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (piece, len) = next(rest)?;
        rest = &rest[len..];
        Some(piece)
    })
}

fn next(rest: &str) -> Option<(Piece<'_>, usize)> {
    match rest.find(OPEN) {
        _ if rest.is_empty() => None,
        None => Some((Piece::Text(rest), rest.len())),
        Some(0) => {
            let inside = &rest[OPEN.len()..];
            if inside.starts_with(LITERAL) {
                return Some((Piece::Literal, OPEN.len() + LITERAL.len_utf8()));
            }
            let ends = |c: char| c == CLOSE || c.is_control();
            let end = inside.find(ends).unwrap_or(inside.len());
            let closed = inside[end..].starts_with(CLOSE);
            let len = OPEN.len() + end + if closed { CLOSE.len_utf8() } else { 0 };
            match Mark::parse(&inside[..end]).filter(|_| closed) {
                Some(mark) => Some((Piece::Mark(mark), len)),
                None => Some((Piece::Unknown(&rest[..len]), len)),
            }
        }
        Some(at) => Some((Piece::Text(&rest[..at]), at)),
    }
}

/// The first thing in a text that begins like a mark and is none, as far as words repeat it.
pub fn unknown(text: &str) -> Option<&str> {
    pieces(text).find_map(|piece| match piece {
        Piece::Unknown(unknown) => Some(repeated(unknown)),
        Piece::Text(_) | Piece::Literal | Piece::Mark(_) => None,
    })
}

/// As much of a mark as words repeat.
pub fn repeated(mark: &str) -> &str {
    crate::text::prefix(mark, OPEN.len() + SHOWN_BYTES)
}

/// Whether a text holds a mark, or text that is told from one.
pub fn occurs_in(text: &str) -> bool {
    text.contains(OPEN)
}

/// The same for any text of a value, keys included.
pub fn occurs_in_value(value: &Value) -> bool {
    match value {
        Value::String(text) => occurs_in(text),
        Value::Array(items) => items.iter().any(occurs_in_value),
        Value::Object(map) => map.iter().any(|(key, v)| occurs_in(key) || occurs_in_value(v)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The folders whose marks are in a text, each once, by their usual marks.
pub fn folders_in(text: &str) -> Vec<String> {
    let folders: std::collections::BTreeSet<Folder> = pieces(text)
        .filter_map(|piece| match piece {
            Piece::Mark(mark) => Some(mark.folder),
            Piece::Text(_) | Piece::Literal | Piece::Unknown(_) => None,
        })
        .collect();
    folders.into_iter().map(|folder| Mark { folder, name: 1, how: "" }.to_string()).collect()
}

/// A path whose beginning is the mark of a mount, by its alias: `⟦folder:project⟧/a.md` is
/// `@project/a.md`.
pub fn as_alias(path: &str) -> Option<String> {
    let rest = path.trim_start();
    let (Piece::Mark(mark), len) = next(rest)? else { return None };
    let mount = match mark.folder {
        Folder::Project => Mount::Project,
        Folder::Package => Mount::Pkg,
        Folder::State => Mount::State,
        Folder::FormerProject | Folder::Store | Folder::Home => return None,
    };
    let below = &rest[len..];
    let whole = below.is_empty() || below.starts_with(['/', '\\']);
    whole.then(|| format!("{}{below}", mount.alias()))
}

/// A shown text cut to `max` bytes, never inside a mark, with `…` when something was cut.
pub fn ellipsis(shown: &str, max: usize) -> String {
    if shown.len() <= max {
        return shown.to_owned();
    }
    let cut = crate::text::prefix(shown, max);
    let end = match cut.rfind('⟦') {
        Some(at) if !cut[at..].contains(CLOSE) && begins_mark(&shown[at..]) => at,
        _ => cut.len(),
    };
    format!("{}…", &cut[..end])
}

/// The last `max` bytes of a shown text, never from inside a mark on.
pub fn ending(shown: &str, max: usize) -> &str {
    let mut from = shown.len().saturating_sub(max);
    while !shown.is_char_boundary(from) {
        from += 1;
    }
    let rest = &shown[from..];
    let open = shown[..from].rfind('⟦').filter(|at| begins_mark(&shown[*at..]));
    let close = open.and_then(|at| Some(at + shown[at..].find(CLOSE)? + CLOSE.len_utf8()));
    close.filter(|close| *close > from).map_or(rest, |close| &shown[close..])
}

fn begins_mark(text: &str) -> bool {
    text.starts_with(OPEN)
}

#[cfg(test)]
mod tests;
