//! Folders of this machine, found in texts however they are spelt.

use kernel::bounds::ROOT_SEPARATORS;
use std::ops::Range;
use std::path::{Path, PathBuf};
use unicode_normalization::UnicodeNormalization as _;

use super::spelling::{Spelling, Starts};

/// Known folders, each with what it stands for.
#[derive(Clone)]
pub(super) struct KnownFolders<T> {
    /// Longest first, so that a project below the home folder is the project.
    roots: Vec<(Spelling, T)>,
    /// Whole histories are looked through before every request: most bytes begin no root.
    starts: Starts,
}

/// A known folder in a text.
pub(super) struct FolderHit<'k, T> {
    /// Where it begins.
    pub(super) start: usize,
    /// Where it ends.
    pub(super) end: usize,
    /// Its name.
    pub(super) spelling: &'k Spelling,
    /// What it stands for.
    pub(super) what: &'k T,
}

impl<T> Default for KnownFolders<T> {
    fn default() -> Self {
        Self { roots: Vec::new(), starts: Starts::default() }
    }
}

impl<T> KnownFolders<T> {
    /// Knows `roots`. A root that exists is also known under its resolved name (a temp folder
    /// behind a symlink), and in both Unicode normal forms; `what` is told which of the names of
    /// the roots that stand for the same it is, from 1. A name that another root has, too, belongs
    /// to the first of them, and still counts. The root of a disk is not taken: it would hide
    /// everything.
    pub(super) fn new<A: PartialEq>(roots: Vec<(PathBuf, A)>, what: impl Fn(&A, u32) -> T) -> Self {
        let mut known: Vec<(Spelling, T)> = Vec::new();
        let mut counted: Vec<(A, Vec<Spelling>)> = Vec::new();
        for (path, of) in roots {
            let at = counted.iter().position(|(other, _)| *other == of).unwrap_or_else(|| {
                counted.push((of, Vec::new()));
                counted.len() - 1
            });
            let (of, names) = &mut counted[at];
            for spelling in names_of(&path).iter().filter_map(|name| Spelling::of(name)) {
                if names.contains(&spelling) {
                    continue;
                }
                names.push(spelling.clone());
                if !known.iter().any(|(other, _)| *other == spelling) {
                    let number = u32::try_from(names.len()).unwrap_or(u32::MAX);
                    known.push((spelling, what(of, number)));
                }
            }
        }
        known.sort_by_key(|(spelling, _)| std::cmp::Reverse(spelling.len()));
        let starts = Starts::of(known.iter().map(|(spelling, _)| spelling));
        Self { roots: known, starts }
    }

    /// What the folders stand for.
    pub(super) fn whats(&self) -> impl Iterator<Item = &T> {
        self.roots.iter().map(|(_, what)| what)
    }

    /// The name of the folder that stands for this.
    pub(super) fn spelling(&self, is_it: impl Fn(&T) -> bool) -> Option<&Spelling> {
        self.roots.iter().find(|(_, what)| is_it(what)).map(|(spelling, _)| spelling)
    }

    /// The first hit at or after byte `from`; at one place the longest root wins. What stands right
    /// before another hit goes on with no name: in `/home/ada+/home/ada` both are hits.
    pub(super) fn next_hit(&self, text: &str, from: usize) -> Option<FolderHit<'_, T>> {
        let hit = self.hit_from(text, from)?;
        Some(self.hit_from(&text[..hit.start], from).unwrap_or(hit))
    }

    fn hit_from(&self, text: &str, from: usize) -> Option<FolderHit<'_, T>> {
        self.starts(text, from).find_map(|start| {
            self.roots.iter().find_map(|(spelling, what)| {
                let end = spelling.match_at(text, start)?;
                Some(FolderHit { start, end, spelling, what })
            })
        })
    }

    /// Where a root may begin that goes on behind the end of `text`; its length when none does.
    pub(super) fn open_end(&self, text: &str) -> usize {
        let mut from = 0;
        while let Some(at) = self.starts(text, from).next() {
            if self.roots.iter().any(|(spelling, _)| spelling.may_go_on(text, at)) {
                return at;
            }
            // No root begins within another.
            let whole = self.roots.iter().find_map(|(spelling, _)| spelling.match_at(text, at));
            from = whole.unwrap_or(at + 1);
        }
        text.len()
    }

    /// Where the name of a root stands, also within another place's name; see
    /// [`Spelling::bare_at`].
    pub(super) fn bare<'t>(
        &'t self,
        text: &'t str,
    ) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
        self.starts(text, 0).flat_map(move |at| {
            self.roots.iter().filter_map(move |(root, _)| root.bare_at(text, at))
        })
    }

    /// The places of `text` where a root may begin.
    fn starts<'t>(&'t self, text: &'t str, from: usize) -> impl Iterator<Item = usize> + 't {
        let bytes = text.as_bytes();
        (from..bytes.len()).filter(move |at| {
            let begins = self.starts.has(bytes[*at]) && text.is_char_boundary(*at);
            begins && !is_crowded(&bytes[*at..])
        })
    }
}

/// So many slashes that a root begins at one of the later ones, if at all. A text of nothing but
/// slashes must not be looked through from each of them.
fn is_crowded(bytes: &[u8]) -> bool {
    bytes.get(..=ROOT_SEPARATORS).is_some_and(|run| run.iter().all(|b| matches!(b, b'/' | b'\\')))
}

/// The ways a folder is called: as given, resolved, and both composed and decomposed.
fn names_of(path: &Path) -> Vec<String> {
    let mut plain = vec![path.to_string_lossy().into_owned()];
    if let Ok(resolved) = std::fs::canonicalize(path) {
        plain.push(resolved.to_string_lossy().into_owned());
    }
    plain
        .iter()
        .flat_map(|name| [name.clone(), name.nfc().collect(), name.nfd().collect()])
        .collect()
}
