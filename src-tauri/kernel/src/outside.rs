//! Which files of a project other programs of the system may open, and in which way.

use serde::{Deserialize, Serialize};

use crate::path::AliasPath;

/// Where a file is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum OpenIn {
    /// In the program that the system has for files of its kind.
    Program,
    /// In the file manager, which shows where it lies.
    Folder,
}

/// Endings of files that some system would run when they are opened are not among these: a model
/// may have written what is opened. A page in a browser is shown as any other page.
const DOCUMENTS: &[&str] = &[
    // Text
    "adoc", "bib", "css", "csv", "htm", "html", "ini", "json", "jsonl", "log", "markdown", "md",
    "org", "rst", "sql", "tex", "text", "toml", "tsv", "txt", "xml", "yaml", "yml",
    // Programs as text, where no system has an interpreter for them
    "c", "cpp", "cs", "go", "h", "hpp", "java", "kt", "rs", "scss", "swift", "tsx",
    // Office
    "docx", "epub", "odp", "ods", "odt", "pdf", "pptx", "rtf", "xlsx",
    // Pictures, sound and films
    "avif", "bmp", "flac", "gif", "jpeg", "jpg", "m4a", "mkv", "mov", "mp3", "mp4", "ogg", "png",
    "svg", "tif", "tiff", "wav", "webm", "webp",
];

/// Whether a program may open the file: by its ending it is a document, which no system runs.
///
/// ```
/// use kernel::outside::is_document;
///
/// assert!(is_document(&"@project/notes/Plan.MD".parse().unwrap()));
/// assert!(!is_document(&"@project/install.bat".parse().unwrap()));
/// ```
pub fn is_document(path: &AliasPath) -> bool {
    let name = path.rel().rsplit('/').next().unwrap_or_default();
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| DOCUMENTS.contains(&ending.as_str()))
}

/// How many bytes of a file are looked at.
pub const BEGINNING_BYTES: u64 = 512;

/// Whether a file begins as programs do: systems that know no such ending go by what is in it.
pub fn begins_like_a_program(beginning: &[u8]) -> bool {
    let is_entry = |line: &[u8]| line.trim_ascii() == b"[Desktop Entry]";
    beginning.starts_with(b"MZ")
        || beginning.starts_with(b"\x7fELF")
        || beginning.starts_with(b"#!")
        || beginning.split(|byte| *byte == b'\n').any(is_entry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_some_system_runs_is_no_document() {
        let endings = "exe bat cmd com scr lnk ps1 vbs js wsf hta msi jar py sh command desktop \
                       AppImage app url webloc docm reg md.exe md/run";
        let names = endings.split_whitespace().map(|ending| format!("a.{ending}"));
        for name in names.chain(["Makefile", "a"].map(str::to_owned)) {
            assert!(!is_document(&format!("@project/{name}").parse().unwrap()), "{name}");
        }
    }

    #[test]
    fn a_program_is_known_by_how_it_begins() {
        for program in ["MZ\x00", "\x7fELF\x02", "#!/bin/sh\n", "# note\n [Desktop Entry] \n"] {
            assert!(begins_like_a_program(program.as_bytes()), "{program:?}");
        }
        for document in ["", "# Title\n", "%PDF-1.7", "About MZ and #! and [Desktop Entry]\n"] {
            assert!(!begins_like_a_program(document.as_bytes()), "{document:?}");
        }
    }

    #[test]
    fn documents_are_known_by_their_last_ending() {
        for name in ["a.md", "a.exe.md", "A.PDF", "ordner/报告.docx", "a.b/c.csv"] {
            assert!(is_document(&format!("@project/{name}").parse().unwrap()), "{name}");
        }
    }
}
