//! Demo traces of a package: `assets/demo/*.trace.json` (spec 07 "Scripted demo model").

use kernel::bounds::TRACE_BYTES;
use kernel::code::{ErrorCode, Failure};
use kernel::ids::{PackageId, WorkflowId};
use kernel::phrase::{general, packages};
use kernel::trace::Trace;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::plain_file;

const FOLDER: &str = "assets/demo/";
const ENDING: &str = ".trace.json";

/// Whether a file of a package is a demo trace.
pub(super) fn is_trace(path: &str) -> bool {
    path.starts_with(FOLDER) && path.ends_with(ENDING)
}

/// The trace that plays `workflow`: one that names it, else one that names none.
///
/// # Errors
/// `DEMO_TRACE_MISMATCH` when the package has no such trace; a broken trace is an error of its own,
/// naming the file.
pub fn demo_trace(package: &Path, workflow: &WorkflowId) -> Result<Trace, Failure> {
    demo_trace_of(package, Some(workflow))
}

/// The same, or the first trace when no workflow is named.
///
/// # Errors
/// As [`demo_trace`].
pub fn demo_trace_of(package: &Path, workflow: Option<&WorkflowId>) -> Result<Trace, Failure> {
    let mut general = None;
    for trace in traces(package)? {
        match (&trace.workflow, workflow) {
            (Some(named), Some(wanted)) if named == wanted.as_str() => return Ok(trace),
            (Some(_), Some(_)) => {}
            (None, _) | (Some(_), None) => general = general.or(Some(trace)),
        }
    }
    general.ok_or_else(|| {
        let folder = format!("@pkg/{FOLDER}");
        let message = match workflow {
            Some(workflow) => packages::no_demo_for(workflow, folder),
            None => packages::no_demo(folder),
        };
        Failure::new(ErrorCode::DemoTraceMismatch, message).with_action(packages::demo_or_model())
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
    /// What it says.
    pub trace: Trace,
}

impl NamedTrace {
    /// The name without its ending.
    pub fn name(&self) -> &str {
        self.file.strip_suffix(ENDING).unwrap_or(&self.file)
    }
}

/// Every trace of a package, by file name.
///
/// # Errors
/// What is wrong with the first that cannot be read.
pub fn named_traces(package: &Path) -> Result<Vec<NamedTrace>, Failure> {
    let Ok(entries) = std::fs::read_dir(package.join(FOLDER)) else { return Ok(Vec::new()) };
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with(ENDING));
    files.sort();
    let named = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(NamedTrace { file: name, trace: read(file)? })
    };
    files.iter().map(named).collect()
}

fn traces(package: &Path) -> Result<Vec<Trace>, Failure> {
    Ok(named_traces(package)?.into_iter().map(|it| it.trace).collect())
}

/// The folder of an installed package in a store.
pub fn installed_folder(store: &Path, id: &PackageId) -> PathBuf {
    store.join("packages").join(id.as_str())
}

fn read(file: &Path) -> Result<Trace, Failure> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let shown = format!("@pkg/{FOLDER}{name}");
    let text = plain_file::read_to_string(file, TRACE_BYTES)
        .map_err(|e| crate::failure::io(ErrorCode::DemoTraceMismatch, shown.as_str(), &e))?;
    Trace::parse(&text).map_err(|f| f.retold(|why| general::about(shown, why)))
}
