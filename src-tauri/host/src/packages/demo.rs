//! Demo traces of a package: `assets/demo/*.trace.json` (spec 07 "Scripted demo model").

use kernel::bounds::{TRACE_BYTES, size};
use kernel::code::{ErrorCode, Failure};
use kernel::ids::{PackageId, WorkflowId};
use kernel::phrase::{general, packages, projects};
use kernel::trace::{TRACE_ENDING, TRACE_FOLDER, Trace};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::plain_file;

/// The trace that plays `workflow`: one that names it, else one that names none.
///
/// # Errors
/// `DEMO_TRACE_INVALID` when the package has no such trace, and, with the name of the file, for one
/// that cannot be read.
pub fn demo_trace(package: &Path, workflow: &WorkflowId) -> Result<Trace, Failure> {
    demo_trace_of(package, Some(workflow))
}

/// The same, or the first trace when no workflow is named.
///
/// # Errors
/// As [`demo_trace`].
pub fn demo_trace_of(package: &Path, workflow: Option<&WorkflowId>) -> Result<Trace, Failure> {
    let mut general = None;
    for named in named_traces(package) {
        let trace = named.trace?;
        match (&trace.workflow, workflow) {
            (Some(named), Some(wanted)) if named == wanted.as_str() => return Ok(trace),
            (Some(_), Some(_)) => {}
            (None, _) | (Some(_), None) => general = general.or(Some(trace)),
        }
    }
    general.ok_or_else(|| {
        let folder = format!("@pkg/{TRACE_FOLDER}");
        let message = match workflow {
            Some(workflow) => packages::no_demo_for(workflow, folder),
            None => packages::no_demo(folder),
        };
        Failure::new(ErrorCode::DemoTraceInvalid, message).with_action(packages::demo_or_model())
    })
}

/// The text of a file that somebody calls a trace; `None` for an archive, which may be a package
/// with one.
///
/// # Errors
/// What the disk says; [`io::ErrorKind::FileTooLarge`] for a longer file than any trace is.
pub fn trace_text(file: &Path) -> io::Result<Option<String>> {
    let mut opened = plain_file::open(file)?.take(TRACE_BYTES + 1);
    let mut bytes = Vec::new();
    opened.by_ref().take(2).read_to_end(&mut bytes)?;
    if bytes == b"PK" {
        return Ok(None);
    }
    opened.read_to_end(&mut bytes)?;
    if bytes.len() as u64 > TRACE_BYTES {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// A trace of a package.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedTrace {
    /// The name of its file.
    pub file: String,
    /// What it says; `DEMO_TRACE_INVALID` when it cannot be read.
    pub trace: Result<Trace, Failure>,
}

impl NamedTrace {
    /// The name without its ending.
    pub fn name(&self) -> &str {
        self.file.strip_suffix(TRACE_ENDING).unwrap_or(&self.file)
    }
}

/// Every trace of a package, by file name.
pub fn named_traces(package: &Path) -> Vec<NamedTrace> {
    let Ok(entries) = std::fs::read_dir(package.join(TRACE_FOLDER)) else { return Vec::new() };
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with(TRACE_ENDING));
    files.sort();
    let named = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        NamedTrace { file: name, trace: read(file) }
    };
    files.iter().map(named).collect()
}

/// The folder of an installed package in a store.
pub fn installed_folder(store: &Path, id: &PackageId) -> PathBuf {
    store.join("packages").join(id.as_str())
}

fn read(file: &Path) -> Result<Trace, Failure> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let shown = format!("@pkg/{TRACE_FOLDER}{name}");
    let text = plain_file::read_to_string(file, TRACE_BYTES).map_err(|e| match e.kind() {
        io::ErrorKind::FileTooLarge => {
            let why = projects::larger_than(size(TRACE_BYTES));
            Failure::new(ErrorCode::DemoTraceInvalid, general::about(shown.as_str(), why))
        }
        _ => crate::failure::io(ErrorCode::DemoTraceInvalid, shown.as_str(), &e),
    })?;
    Trace::parse(&text).map_err(|f| f.retold(|why| general::about(shown, why)))
}
