//! Package files a start of the program was given: by a double click in the file manager, or on a
//! command line. They are shown in the window, and nothing is installed unasked.

use std::ffi::OsString;
use std::path::Path;
use tauri::Url;

/// The files among the arguments of a start, the program's own name left out, as real paths. A
/// relative one is meant from the folder the program was started in.
pub(crate) fn packages<A: Into<OsString>>(
    arguments: impl IntoIterator<Item = A>,
    folder: &Path,
) -> Vec<String> {
    let mut only_files = false;
    let mut files = Vec::new();
    for argument in arguments.into_iter().skip(1) {
        let argument: OsString = argument.into();
        let text = argument.to_string_lossy();
        if !only_files && text == "--" {
            only_files = true;
        } else if !argument.is_empty() && (only_files || !text.starts_with('-')) {
            let file = Url::parse(&text).ok().filter(|url| url.scheme() == "file");
            let file = file.and_then(|url| url.to_file_path().ok());
            let file = file.unwrap_or_else(|| folder.join(&argument));
            files.push(file.to_string_lossy().into_owned());
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_from_options_and_found_from_the_folder_of_the_start() {
        let given = ["/usr/bin/crewagent-desktop", "--demo", "a b.bmad", "/x/c.bmad", "-psn_0_1"];
        assert_eq!(packages(given, Path::new("/home/ann")), ["/home/ann/a b.bmad", "/x/c.bmad"]);
    }

    #[test]
    fn an_address_of_a_file_is_its_path() {
        let given = ["program", "file:///home/ann/a%20b.bmad"];
        assert_eq!(packages(given, Path::new("/")), ["/home/ann/a b.bmad"]);
    }

    #[test]
    fn after_two_dashes_everything_is_a_file_and_nothing_is_none() {
        assert_eq!(packages(["program", "--", "--demo"], Path::new("/x")), ["/x/--demo"]);
        assert_eq!(packages(["program", ""], Path::new("/x")), [""; 0]);
        assert_eq!(packages([""; 0], Path::new("/x")), [""; 0]);
    }
}
