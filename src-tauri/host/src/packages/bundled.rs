//! The packages that come with the program, embedded, so that the first start needs no files.

use include_dir::{Dir, include_dir};
use kernel::code::{ErrorCode, Failure};
use kernel::phrase::{general, packages};
use std::collections::BTreeMap;

use super::Inspected;

static PACKAGES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../templates/packages");

/// The names of the bundled packages, sorted.
pub fn list() -> Vec<&'static str> {
    let mut names: Vec<&str> =
        PACKAGES.dirs().filter_map(|dir| dir.path().file_name()?.to_str()).collect();
    names.sort_unstable();
    names
}

/// A bundled package, read and checked like any other.
///
/// # Errors
/// `PACKAGE_NOT_FOUND` for an unknown name.
pub fn inspect(name: &str) -> Result<Inspected, Failure> {
    Inspected::new(files(name)?)
}

/// Its files, by their path in the package.
///
/// # Errors
/// `PACKAGE_NOT_FOUND` for an unknown name.
pub fn files(name: &str) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
    // By the list, not by `get_dir`: a name is never a path.
    let dir = PACKAGES.dirs().find(|dir| dir.path().as_os_str() == name).ok_or_else(|| {
        let shown = kernel::text::ellipsis(name, 80);
        Failure::new(ErrorCode::PackageNotFound, packages::no_bundled(shown))
            .with_action(general::one_of(list().join(", ")))
    })?;
    Ok(files_of(dir))
}

/// The files of an embedded folder, by their path in it.
pub(super) fn files_of(dir: &'static Dir<'static>) -> BTreeMap<String, Vec<u8>> {
    let mut out = BTreeMap::new();
    let mut open = vec![dir];
    while let Some(next) = open.pop() {
        open.extend(next.dirs());
        for file in next.files() {
            let Ok(rel) = file.path().strip_prefix(dir.path()) else { continue };
            let parts: Vec<&str> = rel.iter().filter_map(|part| part.to_str()).collect();
            out.insert(parts.join("/"), file.contents().to_vec());
        }
    }
    out
}

/// What the demo of a bundled package finds in its project, by its path there.
///
/// # Errors
/// As [`files`].
pub fn sample_files(name: &str) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
    let of_project = |(path, bytes): (String, Vec<u8>)| {
        path.strip_prefix(SAMPLE_FOLDER).map(|path| (path.to_owned(), bytes))
    };
    Ok(files(name)?.into_iter().filter_map(of_project).collect())
}

/// Where a package keeps what its demo finds in its project.
const SAMPLE_FOLDER: &str = "assets/demo/project/";
