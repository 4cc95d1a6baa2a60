//! A package that was read and checked.

use kernel::bounds::TRACE_BYTES;
use kernel::code::{ErrorCode, Failure};
use kernel::package::{FileTexts, Package, PackageFiles, PackageReport, check};
use kernel::phrase::{findings as phrases, packages};
use kernel::trace::is_trace;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

use super::content::{Content, ContentError};
use super::refusal::PackageRefusal;

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
    pub(super) fn of(content: Content, check: PackageCheck) -> Result<Self, Failure> {
        let mut opened = content.open().map_err(ContentError::while_reading)?;
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
        let Some((path, file)) = files.find(|(path, _)| is_trace(path)) else {
            return Ok(None);
        };
        if file.size > TRACE_BYTES {
            return Err(PackageRefusal::over_limit("traceBytes", TRACE_BYTES, Some(path)).into());
        }
        let read = self.content.open().and_then(|mut opened| opened.bytes(path));
        let bytes = read.map_err(ContentError::while_reading)?;
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Whether it can play without a model.
    pub fn has_demo(&self) -> bool {
        self.content.files.files.keys().any(|path| is_trace(path))
    }

    /// The package, when nothing that was found is an error.
    ///
    /// # Errors
    /// `NOT_SUPPORTED_CLASSIC_WORKFLOW`, or `PACKAGE_INVALID` with the findings in the details.
    pub fn usable(&self) -> Result<&Package, Failure> {
        self.package.as_ref().ok_or_else(|| unusable(&self.report))
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

/// Checks files whose texts `read` gives, one at a time. `PACKAGE_CHANGED` when they cannot be
/// given any more.
pub(crate) fn checked(
    files: &PackageFiles,
    mut read: impl FnMut(&str) -> Result<Vec<u8>, ContentError>,
    check: PackageCheck,
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
pub(crate) type PackageCheck =
    fn(&PackageFiles, &mut FileTexts<'_>) -> (PackageReport, Option<Package>);

/// Whether the check takes a file for text, by its name.
fn may_be_text(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|ext| {
        ["json", "md", "yaml", "yml", "txt"].iter().any(|known| ext.eq_ignore_ascii_case(known))
    })
}
