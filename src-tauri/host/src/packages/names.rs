//! What a file in a package may be called. The same rules for archives and folders, so that a
//! package made on one system works on every other.

use kernel::bounds::ArchiveLimits;
use kernel::path::{AliasPath, Mount, PathError};
use kernel::phrase::packages;
use kernel::text::without_case;
use std::collections::HashMap;
use std::path::Path;
use unicode_normalization::UnicodeNormalization as _;

use super::refusal::PackageRefusal;

/// Names seen so far; refuses two that could be one file on some disk.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Whether the package is installed: what an older program let in stays readable.
    installed: bool,
    /// Folded path → (path as written, whether it is a file). Folders are in it too, so that
    /// `Steps/a.md` beside `steps/b.md`, and `a` beside `a/b`, are refused.
    seen: HashMap<String, (String, bool)>,
    /// Folder as written → folded: what lies in it need not look at the folders above again.
    folders: HashMap<String, String>,
}

impl Names {
    /// For a package that is installed.
    pub(super) fn of_installed() -> Self {
        Self { installed: true, ..Self::default() }
    }

    /// The name as it will stand in the package: NFC, `/`-separated, relative, safe.
    pub(super) fn accept(
        &mut self,
        name: &str,
        is_file: bool,
        limits: &ArchiveLimits,
    ) -> Result<String, PackageRefusal> {
        let trimmed = if is_file { name } else { name.trim_end_matches('/') };
        self.check_text(name, trimmed, limits)?;
        let path: String = trimmed.nfc().collect();
        self.claim(name, &path, is_file)?;
        // The folders that only names tell of are as many as one likes, and each is kept.
        if self.seen.len() > limits.entries {
            return Err(PackageRefusal::over_limit("entries", limits.entries as u64, Some(name)));
        }
        Ok(path)
    }

    /// The rules for one name by itself.
    fn check_text(
        &self,
        name: &str,
        path: &str,
        limits: &ArchiveLimits,
    ) -> Result<(), PackageRefusal> {
        if name.len() > limits.path_bytes {
            return Err(PackageRefusal::over_limit(
                "pathBytes",
                limits.path_bytes as u64,
                Some(name),
            ));
        }
        if path.matches('/').count() > limits.depth {
            return Err(PackageRefusal::over_limit("depth", limits.depth as u64, Some(name)));
        }
        if path.contains('\\') {
            return Err(PackageRefusal::of_entry(name, packages::entry_backslash()));
        }
        if path.split('/').any(|segment| matches!(segment, "" | "." | "..")) {
            let why = packages::entry_relative();
            return Err(PackageRefusal::of_entry(name, why));
        }
        match AliasPath::new(Mount::Pkg, path) {
            Ok(_) => Ok(()),
            Err(PathError::HiddenCharacter) if self.installed => Ok(()),
            Err(why) => Err(PackageRefusal::of_entry(name, why)),
        }
    }

    /// Remembers the path and all folders above it.
    fn claim(&mut self, name: &str, path: &str, is_file: bool) -> Result<(), PackageRefusal> {
        let cuts = || path.match_indices('/').map(|(at, _)| at);
        let known = cuts().rev().find_map(|at| Some((at, self.folders.get(&path[..at])?)));
        let (claimed, mut folded) =
            known.map_or((None, String::new()), |(at, folded)| (Some(at), folded.clone()));
        for end in cuts().filter(|at| claimed.is_none_or(|done| *at > done)).chain([path.len()]) {
            let part = &path[..end];
            let file_here = is_file && end == path.len();
            let segment = part.rsplit_once('/').map_or(part, |(_, segment)| segment);
            if !folded.is_empty() {
                folded.push('/');
            }
            folded.push_str(&fold(segment));
            let twice = match self.seen.get(&folded) {
                None => false,
                Some((other, other_is_file)) => other != part || file_here || *other_is_file,
            };
            if twice {
                return Err(PackageRefusal::of_entry(name, packages::entry_same_case()));
            }
            self.seen.insert(folded.clone(), (part.to_owned(), file_here));
            if !file_here {
                self.folders.insert(part.to_owned(), folded.clone());
            }
        }
        Ok(())
    }
}

/// Equal for names that some file system takes for the same.
fn fold(segment: &str) -> String {
    segment.nfc().flat_map(without_case).nfc().collect()
}

/// Files that desktops leave in archives and folders, and that belong to nobody's package.
pub(super) fn is_litter(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    path.split('/').any(|part| part == "__MACOSX") || matches!(name, ".DS_Store" | "Thumbs.db")
}

/// The last part of a path: all of it that a message may show.
pub(super) fn shown(path: &Path) -> String {
    path.file_name().map_or_else(|| "package".into(), |n| n.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::bounds::PACKAGE_LIMITS;
    use kernel::code::ErrorCode;

    /// Which of these files are taken, one after the other.
    fn taken(mut names: Names, files: &[&str]) -> Vec<bool> {
        files.iter().map(|file| names.accept(file, true, &PACKAGE_LIMITS).is_ok()).collect()
    }

    #[test]
    fn a_name_that_hides_something_is_read_where_an_older_program_installed_it() {
        let files = ["steps/a\u{200b}.md", "../a.md"];
        assert_eq!(taken(Names::of_installed(), &files), [true, false]);
        assert_eq!(taken(Names::default(), &files), [false, false]);
    }

    #[test]
    fn a_name_is_as_long_as_it_may_be() {
        let limits = ArchiveLimits { path_bytes: 4, ..PACKAGE_LIMITS };
        let accept = |name: &str| Names::default().accept(name, true, &limits);
        assert_eq!(accept("a.md").unwrap(), "a.md");
        let failure = kernel::code::Failure::from(accept("ab.md").unwrap_err());
        assert_eq!(failure.code, ErrorCode::ArchiveLimit);
        assert_eq!(failure.details.unwrap()["limit"], "pathBytes");
    }

    #[test]
    fn files_are_told_apart_by_their_whole_paths() {
        let files = ["a/b.md", "ab.md", "a/b/x.md", "a/b/c.md", "a/b/a/c.md", "b/a/c.md"];
        assert_eq!(taken(Names::default(), &files), [true; 6]);
    }

    #[test]
    fn a_folder_below_a_known_one_has_one_spelling() {
        let files = ["a/b/x.md", "a/b/c/d.md", "a/b/C/e.md", "a/b/c/D.md", "a/b/c/e.md"];
        assert_eq!(taken(Names::default(), &files), [true, true, false, false, true]);
    }
}
