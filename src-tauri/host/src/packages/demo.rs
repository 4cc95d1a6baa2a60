//! Demo traces of a package: `assets/demo/*.trace.json` (spec 07 "Scripted demo model").

use kernel::bounds::TRACE_BYTES;
use kernel::code::{ErrorCode, Failure};
use kernel::ids::WorkflowId;
use kernel::phrase::{general, packages};
use kernel::trace::Trace;
use std::io::{self, Read as _};
use std::path::Path;

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

/// Every trace of a package, by file name.
fn traces(package: &Path) -> Result<Vec<Trace>, Failure> {
    let Ok(entries) = std::fs::read_dir(package.join(FOLDER)) else { return Ok(Vec::new()) };
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with(ENDING));
    files.sort();
    files.iter().map(|file| read(file)).collect()
}

fn read(file: &Path) -> Result<Trace, Failure> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let shown = format!("@pkg/{FOLDER}{name}");
    let text = plain_file::read_to_string(file, TRACE_BYTES)
        .map_err(|e| crate::failure::io(ErrorCode::DemoTraceMismatch, shown.as_str(), &e))?;
    Trace::parse(&text).map_err(|f| f.retold(|why| general::about(shown, why)))
}
