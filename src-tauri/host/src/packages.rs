//! Packages on disk: `.bmad` archives, folders under development, installed and bundled ones
//! (spec 03 "Import").
//!
//! Import is inspect, then install. [`inspect`] writes nothing and keeps no bytes;
//! [`PackagesLock::install`] reads them again and leaves either the whole package or nothing. What a
//! package means is the kernel's [`kernel::package::check`].
//! Failures name files of the package, or the chosen file by its name, never a real path.

use kernel::bounds::PACKAGE_LIMITS;
use kernel::code::{ErrorCode, Failure};
use kernel::ids::PackageId;
use kernel::package::{check, upgrade_diff};
use kernel::phrase::{packages, projects};
use kernel::time::Time;
use kernel::wire::PackageView;
use std::path::Path;

mod archive;
pub mod bundled;
mod content;
mod demo;
mod directory;
mod folder;
mod from_skills;
mod hashed;
mod inspected;
mod install;
mod names;
mod pack;
mod reading;
mod refusal;
mod sealed;
mod starters;

pub(crate) use archive::{Surveyed, Zip, survey};
use content::Content;
pub(crate) use content::{ContentError, again};
pub use demo::{NamedTrace, demo_trace, demo_trace_of, installed_folder, named_traces, trace_text};
pub use from_skills::{MadeOfSkills, from_skills};
pub use inspected::Inspected;
pub(crate) use inspected::{checked, unusable};
pub(crate) use install::damaged;
pub use install::{PackagesLock, load_installed, read_installed};
use names::shown;
pub(crate) use pack::zip_bytes;
pub use pack::{Packed, pack};
pub use reading::PackageReading;
pub(crate) use refusal::PackageRefusal;
pub use sealed::remove_folder;
pub use starters::{StartedPackage, start_package, starters};

impl Inspected {
    /// Adds the difference to the package of the same name that was installed last, unless that
    /// has the same content. `last_first` are the installed ones of that name: a version number
    /// tells nothing, since the Builder writes the same one into every export.
    pub fn compare_with_installed(&mut self, packages_dir: &Path, last_first: &[PackageId]) {
        let Some(new) = &self.package else { return };
        // A damaged package is no reason not to look at the one before.
        let mut sound = last_first.iter().filter_map(|id| load_installed(packages_dir, id).ok());
        let last = sound.find(|old| old.manifest.name == new.manifest.name);
        self.report.upgrade = last
            .filter(|old| old.content_hash != new.content_hash)
            .map(|old| upgrade_diff(&old, new));
    }
}

/// What the list of packages says of an installed one.
pub(crate) fn package_row(
    inspected: &Inspected,
    id: &PackageId,
    now: Time,
) -> Result<PackageView, Failure> {
    let report = &inspected.report;
    let manifest = report
        .manifest
        .clone()
        .ok_or_else(|| Failure::new(ErrorCode::Internal, projects::must_have_a_manifest()))?;
    Ok(PackageView {
        package_id: id.clone(),
        name: manifest.name,
        version: manifest.version,
        description: manifest.description,
        workflows: report.workflows.clone(),
        agents: report.agents.clone(),
        has_demo: inspected.has_demo(),
        installed_at: now,
    })
}

/// Reads and checks a `.bmad` or `.zip` file, or a folder under development. Writes nothing.
///
/// # Errors
/// `PACKAGE_NOT_FOUND` (missing or unreadable), `ARCHIVE_INVALID`, `ARCHIVE_LIMIT` (details name
/// the limit), `ARCHIVE_UNSAFE`. A package with findings is no error here; see
/// [`Inspected::usable`].
pub fn inspect(path: &Path) -> Result<Inspected, Failure> {
    inspect_while(path, &PackageReading::default())
}

/// The same, told and stopped by `reading`, and so is the install of what is found.
///
/// # Errors
/// As [`inspect`], and `PACKAGE_READING_STOPPED`.
pub fn inspect_while(path: &Path, reading: &PackageReading) -> Result<Inspected, Failure> {
    let name = shown(path);
    let unreadable = |e: &std::io::Error| unread(&name, e);
    let meta = std::fs::metadata(path).map_err(|e| unreadable(&e))?;
    let content = if meta.is_dir() {
        Content::of_folder(path, folder::Purpose::Development, &PACKAGE_LIMITS, reading)?
    } else {
        let file = crate::plain_file::open(path).map_err(|e| unreadable(&e))?;
        Content::of_archive(file, path, &PACKAGE_LIMITS, reading)?
    };
    Inspected::of(content, check)
}

/// `PACKAGE_NOT_FOUND`.
fn unread(name: &str, error: &std::io::Error) -> Failure {
    crate::failure::io(ErrorCode::PackageNotFound, packages::the_package_called(name), error)
        .with_action(packages::choose_a_package())
}

#[cfg(test)]
mod tests;
