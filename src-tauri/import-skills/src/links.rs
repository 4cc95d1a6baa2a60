//! Which files of a skill its texts name.

use std::collections::BTreeMap;

/// The mark of a file that is read as it was when the skill began.
const SNAPSHOT: [&str; 2] = ["[[bmad-snapshot:", "]]"];

/// A text whose snapshots are plain names of files.
pub(crate) fn without_snapshots(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, marked)) = rest.split_once(SNAPSHOT[0]) {
        out.push_str(before);
        let Some((name, after)) = marked.split_once(SNAPSHOT[1]) else {
            out.push_str(SNAPSHOT[0]);
            rest = marked;
            continue;
        };
        out.push_str(name);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// A name of a file in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link<'t> {
    /// Where it begins.
    pub(crate) at: usize,
    /// As it is written.
    pub(crate) written: &'t str,
}

/// What in a text may be the name of a file: letters of paths, with an ending.
pub(crate) fn links(text: &str) -> impl Iterator<Item = Link<'_>> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let mut at = 0;
    text.split_inclusive(move |c: char| !is_part(c)).filter_map(move |part| {
        let start = at;
        at += part.len();
        let part = part.trim_end_matches(move |c: char| !is_part(c));
        let written = part.trim_end_matches(['.', '/']);
        let has_ending = written.rsplit('/').next().is_some_and(|name| {
            name.rsplit_once('.')
                .is_some_and(|(stem, ending)| !stem.is_empty() && !ending.is_empty())
        });
        has_ending.then_some(Link { at: start, written })
    })
}

/// The file of a skill that a text below `folder` means: beside the text first, then below the
/// skill's own folder.
pub(crate) fn file_of<V>(written: &str, folder: &str, files: &BTreeMap<&str, V>) -> Option<String> {
    [folder, ""].iter().find_map(|folder| {
        let path = joined(folder, written)?;
        files.contains_key(path.as_str()).then_some(path)
    })
}

/// A path below a folder, without `.` and `..`; `None` where it leads out.
fn joined(folder: &str, written: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in written.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_found_however_they_are_set() {
        let text =
            "follow: ./step-02.md, or `../templates/t.md`. See a/b.html (v1.2) and etc. {x}/y.md";
        let found: Vec<&str> = links(text).map(|link| link.written).collect();
        assert_eq!(found, ["./step-02.md", "../templates/t.md", "a/b.html", "v1.2", "/y.md"]);
        let link = links(text).next().unwrap();
        assert_eq!(&text[link.at..link.at + link.written.len()], "./step-02.md");
    }

    #[test]
    fn a_file_is_looked_for_beside_the_text_first() {
        let files: BTreeMap<&str, u8> =
            ["steps/a.md", "a.md", "templates/t.md"].map(|f| (f, 0)).into();
        let of = |written: &str| file_of(written, "steps", &files);
        assert_eq!(of("./a.md").as_deref(), Some("steps/a.md"));
        assert_eq!(of("../a.md").as_deref(), Some("a.md"));
        assert_eq!(of("templates/t.md").as_deref(), Some("templates/t.md"));
        assert_eq!(of("../../a.md"), None);
        assert_eq!(of("b.md"), None);
    }

    #[test]
    fn snapshots_are_names_of_files() {
        let text = "EXIT → `[[bmad-snapshot:step-02.md]]`, [[bmad-snapshot:open";
        assert_eq!(without_snapshots(text), "EXIT → `step-02.md`, [[bmad-snapshot:open");
    }
}
