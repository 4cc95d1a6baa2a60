//! Ignore files (`.crewagentignore`, `.gitignore`) below the project, read through its handle.
//!
//! The `ignore` crate's own walker reads them by path, which could be swapped for a link or block
//! on a pipe; its matcher is used here, the reading is ours.

use cap_std::fs::Dir;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use kernel::bounds::{
    Fuel, GLOB_ALTERNATIVES, GLOB_BYTES, RULE_FILES_HELD, RULES, RULES_BYTES, RULES_BYTES_HELD,
    RULES_HELD, RULES_READ, check_glob, size,
};
use kernel::code::Failure;
use kernel::path::{AliasPath, Mount};
use kernel::text::without_case;
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;
use unicode_normalization::UnicodeNormalization as _;

use super::mounts::{folder_at, open_plain, refused};

/// What tools may neither read nor write.
pub(super) const PRIVATE: &str = ".crewagentignore";

/// The rules of one kind of ignore file, loaded folder by folder as they are needed. Lives for one
/// call: people edit these files.
pub(crate) struct IgnoreRules<'m> {
    root: &'m Dir,
    files: &'static [&'static str],
    /// A file that cannot be read or understood refuses the call instead of hiding nothing.
    strict: bool,
    /// By folder: what holds in it.
    known: HashMap<String, Chain>,
    /// What all of `known` takes.
    held: Size,
    /// Rules that may still be compiled.
    fuel: Fuel,
}

/// The ignore files that hold in a folder, its own last: in most folders, those above it.
type Chain = Arc<[Arc<Level>]>;

/// One ignore file.
struct Level {
    /// Bytes of the path of its folder.
    folder: usize,
    rules: Gitignore,
    size: Size,
}

/// What ignore files take.
#[derive(Debug, Clone, Copy, Default)]
struct Size {
    files: usize,
    rules: usize,
    bytes: u64,
}

impl Size {
    fn with(self, other: Self) -> Self {
        Self {
            files: self.files + other.files,
            rules: self.rules + other.rules,
            bytes: self.bytes + other.bytes,
        }
    }

    fn of<'l>(levels: impl IntoIterator<Item = &'l Arc<Level>>) -> Self {
        levels.into_iter().map(|level| level.size).fold(Self::default(), Self::with)
    }

    fn fits(self) -> bool {
        self.files <= RULE_FILES_HELD && self.rules <= RULES_HELD && self.bytes <= RULES_BYTES_HELD
    }
}

impl<'m> IgnoreRules<'m> {
    /// The user's own rules on what stays private.
    pub(crate) fn private(root: &'m Dir) -> Self {
        Self::new(root, &[PRIVATE], true)
    }

    /// What a search skips.
    pub(crate) fn search(root: &'m Dir) -> Self {
        Self::new(root, &[".gitignore", ".ignore"], false)
    }

    fn new(root: &'m Dir, files: &'static [&'static str], strict: bool) -> Self {
        let (known, held) = (HashMap::new(), Size::default());
        Self { root, files, strict, known, held, fuel: Fuel::new(RULES_READ) }
    }

    /// True when `rel` or a folder above it is ignored. As in git: deeper files win, and nothing
    /// below an ignored folder can be taken back.
    pub(crate) fn cover(&mut self, rel: &str, is_dir: bool) -> Result<bool, Failure> {
        for (end, _) in rel.match_indices('/').chain([(rel.len(), "")]) {
            let prefix = &rel[..end];
            if prefix.is_empty() {
                continue;
            }
            if self.covers_itself(prefix, is_dir || end < rel.len())? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The same for something right in a folder that is not ignored.
    pub(super) fn covers_itself(&mut self, rel: &str, is_dir: bool) -> Result<bool, Failure> {
        for level in self.of(above(rel))?.iter().rev() {
            let below = rel[level.folder..].trim_start_matches('/');
            // Under another form of Unicode or another case it may be the same file.
            match level.rules.matched(Path::new(&*same_form(below)), is_dir) {
                ignore::Match::Ignore(_) => return Ok(true),
                ignore::Match::Whitelist(_) => return Ok(false),
                ignore::Match::None => {}
            }
        }
        Ok(false)
    }

    /// What holds in a folder.
    fn of(&mut self, folder: &str) -> Result<Chain, Failure> {
        if let Some(known) = self.known.get(folder) {
            return Ok(Arc::clone(known));
        }
        // No such folder yet, or a link: its target's own rules are asked for under its own name.
        self.learn(folder, folder_at(self.root, folder).ok().as_ref())
    }

    /// Reads the rules of a folder that is open already.
    pub(super) fn enter(&mut self, folder: &str, dir: &Dir) -> Result<(), Failure> {
        if !self.known.contains_key(folder) {
            self.learn(folder, Some(dir))?;
        }
        Ok(())
    }

    fn learn(&mut self, folder: &str, dir: Option<&Dir>) -> Result<Chain, Failure> {
        let outer = if folder.is_empty() { Chain::default() } else { self.of(above(folder))? };
        let mut own: Vec<Arc<Level>> = Vec::new();
        for file in self.files {
            match dir.map_or(Ok(None), |dir| self.load(dir, file, folder, &outer, &own)) {
                Ok(level) => own.extend(level.map(Arc::new)),
                Err(_) if !self.strict => {}
                Err(why) if folder.is_empty() => return Err(unreadable(file, &why)),
                Err(why) => return Err(unreadable(&format!("{folder}/{file}"), &why)),
            }
        }
        let chain: Chain = match own.len() {
            0 => outer,
            _ => outer.iter().cloned().chain(own).collect(),
        };
        self.known.insert(folder.to_owned(), Arc::clone(&chain));
        Ok(chain)
    }

    /// One ignore file of `folder`, behind `outer` and what it has of its `own`.
    fn load(
        &mut self,
        dir: &Dir,
        file: &str,
        folder: &str,
        outer: &Chain,
        own: &[Arc<Level>],
    ) -> Result<Option<Level>, UnusableIgnoreFile> {
        let Some(text) = read(dir, file)? else { return Ok(None) };
        let rules = rules_of(&text).count();
        let size = Size { files: 1, rules, bytes: text.len() as u64 };
        if rules > RULES {
            return Err(UnusableIgnoreFile::TooMuch);
        }
        if !self.held.with(size).fits() {
            // Only the folders above have a say here.
            self.known.retain(|other, _| is_above(other, folder));
            self.held = Size::of(outer.iter().chain(own));
        }
        let held = self.held.with(size);
        if !held.fits() || self.fuel.spend(rules).is_err() {
            return Err(UnusableIgnoreFile::TooMuchInAll);
        }
        let rules = compile(&text, self.strict)?;
        self.held = held;
        Ok(Some(Level { folder: folder.len(), rules, size }))
    }
}

/// The folder something lies in.
fn above(rel: &str) -> &str {
    rel.rsplit_once('/').map_or("", |(above, _)| above)
}

/// Whether `rel` lies below `folder`, or in it.
fn is_above(folder: &str, rel: &str) -> bool {
    folder.is_empty() || rel.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Why an ignore file says nothing.
enum UnusableIgnoreFile {
    Unreadable,
    /// This rule, from 1, cannot be understood.
    Rule(usize),
    /// More rules than there may be, or more than can be matched with.
    TooMuch,
    /// The same together with those of other folders.
    TooMuchInAll,
}

impl From<io::Error> for UnusableIgnoreFile {
    fn from(_: io::Error) -> Self {
        Self::Unreadable
    }
}

fn unreadable(rel: &str, why: &UnusableIgnoreFile) -> Failure {
    let path = AliasPath::new(Mount::Project, rel).unwrap_or_else(|_| AliasPath::state_document());
    let (what, action) = match why {
        UnusableIgnoreFile::Unreadable => (
            "these rules cannot be read".to_owned(),
            format!(
                "Make it a plain UTF-8 text file of at most {}, or remove it.",
                size(RULES_BYTES)
            ),
        ),
        UnusableIgnoreFile::Rule(line) => (
            format!("line {line} cannot be understood"),
            format!(
                "Make each line a rule as in .gitignore, of at most {GLOB_BYTES} bytes and {GLOB_ALTERNATIVES} `{{`."
            ),
        ),
        UnusableIgnoreFile::TooMuch => (
            "these are too many rules".to_owned(),
            format!("Keep at most {RULES} rules, or name folders instead of files."),
        ),
        UnusableIgnoreFile::TooMuchInAll => (
            "with those of other folders these are too many rules".to_owned(),
            format!(
                "Keep at most {RULES_HELD} rules and {} in a folder and those above it, or look into \
                 fewer folders at once.",
                size(RULES_BYTES_HELD)
            ),
        ),
    };
    refused(&path, "ignore_file", &format!("{what}, so nothing below is touched"))
        .with_action_for_model(action)
}

/// The text of an ignore file; `None` when there is none.
fn read(folder: &Dir, name: &str) -> Result<Option<String>, UnusableIgnoreFile> {
    let gone =
        |e: &io::Error| matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory);
    match folder.symlink_metadata(name) {
        Err(e) if gone(&e) => return Ok(None),
        Err(e) => return Err(e.into()),
        Ok(meta) if !meta.is_file() => return Err(UnusableIgnoreFile::Unreadable),
        Ok(_) => {}
    }
    let file = open_plain(folder, name)?;
    let mut text = String::new();
    file.take(RULES_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > RULES_BYTES {
        return Err(UnusableIgnoreFile::Unreadable);
    }
    Ok(Some(text))
}

/// The lines that are rules, with their numbers from 1.
fn rules_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    lines
        .map(|(at, line)| (at + 1, line))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// A name in the one form in which rules and names are compared.
fn same_form(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.nfc().flat_map(without_case).nfc().collect())
}

/// The matcher of some rules. A rule that cannot be understood hides nothing; where the rules are
/// `strict`, it makes all of them unusable.
fn compile(text: &str, strict: bool) -> Result<Gitignore, UnusableIgnoreFile> {
    let mut builder = GitignoreBuilder::new("");
    // Some disks do not tell `Secret` from `secret`.
    builder.case_insensitive(true).map_err(|_| UnusableIgnoreFile::TooMuch)?;
    for (at, line) in rules_of(text) {
        let line = same_form(line);
        let understood = check_glob(&line).is_ok() && builder.add_line(None, &line).is_ok();
        if !understood && strict {
            return Err(UnusableIgnoreFile::Rule(at));
        }
        if !understood {
            tracing::warn!(line = at, "an ignore rule cannot be understood");
        }
    }
    builder.build().map_err(|_| UnusableIgnoreFile::TooMuch)
}
