//! The folders of this machine that a run knows and nobody else is told of.

use kernel::mark::Folder;
use std::path::{Path, PathBuf};

use super::Redactor;

/// The folders of one run, those of the program and the person's.
pub(crate) fn private_folders(
    store: &Path,
    project: &ProjectPlaces,
    pkg: Option<&Path>,
    state: &Path,
) -> Vec<(PathBuf, Folder)> {
    let mut folders =
        vec![(project.now.clone(), Folder::Project), (state.to_owned(), Folder::State)];
    folders.extend(pkg.map(|pkg| (pkg.to_owned(), Folder::Package)));
    folders.extend(project.former.iter().map(|place| (place.clone(), Folder::FormerProject)));
    folders.extend(own_folders(store));
    folders
}

/// Where the folder of a project is, and where it was before: what was said may name those places.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ProjectPlaces {
    /// Where it is.
    pub(crate) now: PathBuf,
    /// Where it was, the oldest place first.
    pub(crate) former: Vec<PathBuf>,
}

impl ProjectPlaces {
    /// What they were before each move, the newest first.
    pub(crate) fn before(&self) -> impl Iterator<Item = Self> {
        let places = self.former.iter().enumerate().rev();
        places.map(|(at, now)| Self { now: now.clone(), former: self.former[..at].to_vec() })
    }
}

/// Knows these roots, and the folders of the program and the person.
pub(crate) fn redactor_of(store: &Path, mut roots: Vec<(PathBuf, String)>) -> Redactor {
    roots.extend(aliased(own_folders(store)));
    Redactor::new(roots)
}

/// Folders by the aliases that stand for them.
pub(crate) fn aliased(folders: Vec<(PathBuf, Folder)>) -> Vec<(PathBuf, String)> {
    folders.into_iter().map(|(path, folder)| (path, folder.alias().to_owned())).collect()
}

fn own_folders(store: &Path) -> Vec<(PathBuf, Folder)> {
    let home = directories::UserDirs::new().map(|dirs| dirs.home_dir().to_owned());
    let home = home.into_iter().map(|home| (home, Folder::Home));
    std::iter::once((store.to_owned(), Folder::Store)).chain(home).collect()
}
