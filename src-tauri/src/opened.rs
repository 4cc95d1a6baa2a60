//! What a start of the program was given: by a double click in the file manager, by a link, or on a
//! command line. It is shown in the window, and nothing is installed unasked.

use host::host::OpenedOutside;
use kernel::bounds::{LINK_BYTES, OPENED_ARGUMENTS};
use kernel::package::MANIFEST_FILE;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use tauri::Url;

/// What addresses of the program itself begin with; the system writes it in any case.
const SCHEME: &str = "crewagent:";

/// The ending of a package, packed or as a folder.
const PACKAGE_ENDING: &str = "bmad";

/// What an argument of a start names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Argument {
    /// A file or a folder: a real path.
    Place(PathBuf),
    /// Something in the store, by a link.
    Link(OpenedOutside),
}

/// What the arguments of a start name, the program's own name left out; more than
/// [`OPENED_ARGUMENTS`] are not taken. A relative path is meant from the folder the program was
/// started in.
pub(crate) fn arguments<A: Into<OsString>>(
    given: impl IntoIterator<Item = A>,
    folder: &Path,
) -> Vec<Argument> {
    let mut only_files = false;
    let mut found = Vec::new();
    for argument in given.into_iter().skip(1) {
        let argument: OsString = argument.into();
        let text = argument.to_string_lossy();
        if found.len() == OPENED_ARGUMENTS {
            tracing::debug!("the program was given more than it takes");
            break;
        }
        if !only_files && text == "--" {
            only_files = true;
        } else if is_link(&text) {
            let named = link(&text);
            if named.is_none() {
                tracing::debug!("a link names nothing that could be shown");
            }
            found.extend(named.map(Argument::Link));
        } else if !argument.is_empty() && (only_files || !text.starts_with('-')) {
            let file = Url::parse(&text).ok().filter(|url| url.scheme() == "file");
            let file = file.and_then(|url| url.to_file_path().ok());
            found.push(Argument::Place(file.unwrap_or_else(|| folder.join(&argument))));
        }
    }
    found
}

/// What is to be shown of it. Looks at the disk: a folder is a project, unless it is a package.
pub(crate) fn opened(arguments: Vec<Argument>) -> Vec<OpenedOutside> {
    let opened = |argument| match argument {
        Argument::Link(named) => named,
        Argument::Place(place) => {
            let path = place.to_string_lossy().into_owned();
            if place.is_dir() && !is_package(&place) {
                OpenedOutside::Folder(path)
            } else {
                OpenedOutside::PackageFile(path)
            }
        }
    };
    arguments.into_iter().map(opened).collect()
}

/// Whether a folder is a package that is not packed.
fn is_package(folder: &Path) -> bool {
    let ending = folder.extension().is_some_and(|e| e.eq_ignore_ascii_case(PACKAGE_ENDING));
    ending || folder.join(MANIFEST_FILE).is_file()
}

fn is_link(text: &str) -> bool {
    text.get(..SCHEME.len()).is_some_and(|start| start.eq_ignore_ascii_case(SCHEME))
}

/// What a link names: `crewagent://run/<conversation>` or `crewagent://package/<package>`, and
/// nothing more. An id has no character that would have to be written in another way.
fn link(text: &str) -> Option<OpenedOutside> {
    if text.len() > LINK_BYTES {
        return None;
    }
    let (kind, id) = text.get(SCHEME.len()..)?.strip_prefix("//")?.split_once('/')?;
    // It stands where an address has its host, whose case does not matter.
    if kind.eq_ignore_ascii_case("run") {
        id.parse().ok().map(OpenedOutside::Conversation)
    } else if kind.eq_ignore_ascii_case("package") {
        id.parse().ok().map(OpenedOutside::Package)
    } else {
        None
    }
}

#[cfg(test)]
mod tests;
