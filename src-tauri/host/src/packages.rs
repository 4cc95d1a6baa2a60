//! Packages on disk: `.bmad` archives, folders under development, installed and bundled ones
//! (spec 03 "Import").
//!
//! Import is inspect, then install. [`inspect`] writes nothing and keeps no bytes; [`install`] reads
//! them again and leaves either the whole package or nothing. What a package means is the kernel's [`kernel::package::check`].
//! Failures name files of the package, or the chosen file by its name, never a real path.

use kernel::bounds::{PACKAGE_LIMITS, TRACE_BYTES};
use kernel::code::{ErrorCode, Failure};
use kernel::ids::PackageId;
use kernel::package::{Package, PackageFiles, PackageReport, Texts, check, upgrade_diff};
use kernel::phrase::{findings as phrases, packages, projects};
use kernel::time::Time;
use kernel::wire::PackageView;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

mod archive;
pub mod bundled;
mod content;
mod demo;
mod directory;
mod folder;
mod install;
mod names;
mod pack;
mod refusal;
mod sealed;

pub(crate) use archive::{Surveyed, Zip, survey};
use content::Content;
pub(crate) use content::{Unread, again};
pub use demo::{demo_trace, demo_trace_of, trace_text};
pub(crate) use install::{damaged, sync_dir};
pub use install::{install, list_installed, load_installed, read_installed, remove, sweep};
pub(crate) use pack::zip_bytes;
pub use pack::{Packed, pack};
pub(crate) use refusal::Refusal;
pub use sealed::remove_folder;

/// A package that was read and checked. Its bytes stay where they lie: an install reads them again,
/// and takes them only when they are the ones that were checked.
#[derive(Debug, Clone)]
pub struct Inspected {
    /// What was found.
    pub report: PackageReport,
    /// The package, when nothing found blocks it.
    pub package: Option<Package>,
    pub(crate) content: Content,
}

impl Inspected {
    /// Checks files that are in memory.
    ///
    /// # Errors
    /// When the check cannot be made. What is wrong with the package is in the report.
    pub fn new(files: BTreeMap<String, Vec<u8>>) -> Result<Self, Failure> {
        Self::of(Content::in_memory(files), check)
    }

    /// Reads the texts that the check asks for, one at a time.
    fn of(content: Content, check: Check) -> Result<Self, Failure> {
        let mut opened = content.open().map_err(Unread::while_reading)?;
        let checked = checked(&content.files, |path| opened.bytes(path), check);
        drop(opened);
        let (report, package) = checked?;
        Ok(Self { report, package, content })
    }

    /// All files with their bytes, in memory.
    ///
    /// # Errors
    /// `PACKAGE_CHANGED` when they are not the ones that were checked.
    pub fn files(&self) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
        self.content.bytes()
    }

    /// The first demo trace of the package, as text.
    ///
    /// # Errors
    /// `ARCHIVE_LIMIT` when it is too long; as [`files`](Self::files) otherwise.
    pub fn first_demo(&self) -> Result<Option<String>, Failure> {
        let mut files = self.content.files.files.iter();
        let Some((path, file)) = files.find(|(path, _)| demo::is_trace(path)) else {
            return Ok(None);
        };
        if file.size > TRACE_BYTES {
            return Err(Refusal::over_limit("traceBytes", TRACE_BYTES, Some(path)).into());
        }
        let read = self.content.open().and_then(|mut opened| opened.bytes(path));
        let bytes = read.map_err(Unread::while_reading)?;
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Whether it can play without a model.
    pub fn has_demo(&self) -> bool {
        self.content.files.files.keys().any(|path| demo::is_trace(path))
    }

    /// The package, when nothing that was found is an error.
    ///
    /// # Errors
    /// `NOT_SUPPORTED_CLASSIC_WORKFLOW`, or `PACKAGE_INVALID` with the findings in the details.
    pub fn usable(&self) -> Result<&Package, Failure> {
        self.package.as_ref().ok_or_else(|| unusable(&self.report))
    }

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

/// Why the package of a report cannot be used.
pub(crate) fn unusable(report: &PackageReport) -> Failure {
    let findings = &report.findings;
    let details = json!({ "findings": findings });
    if let Some(classic) = findings.iter().find(|f| f.kind == "classic-workflow") {
        let says = phrases::found_in(&classic.file, classic.to_part());
        let failure = Failure::new(ErrorCode::NotSupportedClassicWorkflow, says);
        return failure.with_details(details);
    }
    let first = match findings.first() {
        Some(f) if f.file.is_empty() => f.to_part(),
        Some(f) => {
            let pointer = f.instance_path.as_deref().unwrap_or_default();
            let place = format!("{} {pointer}", f.file);
            phrases::found_in(place.trim_end(), f.to_part()).into()
        }
        None => packages::no_usable_id().into(),
    };
    Failure::new(ErrorCode::PackageInvalid, packages::cannot_be_used(first))
        .with_details(details)
        .with_action(packages::correct_findings())
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

/// Checks files whose texts `read` gives, one at a time. `PACKAGE_CHANGED` when they cannot be
/// given any more.
pub(crate) fn checked(
    files: &PackageFiles,
    mut read: impl FnMut(&str) -> Result<Vec<u8>, Unread>,
    check: Check,
) -> Result<(PackageReport, Option<Package>), Failure> {
    let mut changed = None;
    let checked = check(files, &mut |path| {
        if !may_be_text(path) {
            return None;
        }
        let bytes = read(path).map_err(|unread| changed = Some(unread)).ok()?;
        String::from_utf8(bytes).ok()
    });
    changed.map_or(Ok(checked), |unread| Err(unread.while_reading()))
}

/// [`check`] or [`kernel::package::check_installed`].
pub(crate) type Check = fn(&PackageFiles, &mut Texts<'_>) -> (PackageReport, Option<Package>);

/// Reads and checks a `.bmad` or `.zip` file, or a folder under development. Writes nothing.
///
/// # Errors
/// `PACKAGE_NOT_FOUND` (missing or unreadable), `ARCHIVE_INVALID`, `ARCHIVE_LIMIT` (details name
/// the limit), `ARCHIVE_UNSAFE`. A package with findings is no error here; see
/// [`Inspected::usable`].
pub fn inspect(path: &Path) -> Result<Inspected, Failure> {
    let name = shown(path);
    let unreadable = |e: &std::io::Error| {
        crate::failure::io(ErrorCode::PackageNotFound, packages::the_package_called(&name), e)
            .with_action(packages::choose_a_package())
    };
    let meta = std::fs::metadata(path).map_err(|e| unreadable(&e))?;
    let content = if meta.is_dir() {
        Content::of_folder(path, folder::Purpose::Development, &PACKAGE_LIMITS)?
    } else {
        let file = crate::plain_file::open(path).map_err(|e| unreadable(&e))?;
        Content::of_archive(file, path, &PACKAGE_LIMITS)?
    };
    Inspected::of(content, check)
}

/// The last part of a path: all of it that a message may show.
fn shown(path: &Path) -> String {
    path.file_name().map_or_else(|| "package".into(), |n| n.to_string_lossy().into_owned())
}

/// Whether the check takes a file for text, by its name.
fn may_be_text(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|ext| {
        ["json", "md", "yaml", "yml", "txt"].iter().any(|known| ext.eq_ignore_ascii_case(known))
    })
}

#[cfg(test)]
mod tests;
