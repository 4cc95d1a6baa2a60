//! What a write would do, as a person is shown it before they allow it. Pure.

use kernel::bounds::size;
use kernel::diff;
use kernel::effect::PreImage;
use kernel::mark;
use kernel::path::AliasPath;
use kernel::phrase::{Phrase, changes};

use crate::redact::Lens;

/// So many deleted files are named where the change is described.
const NAMED_IN_ONE_LINE: usize = 20;

/// A change as a person is shown it.
#[derive(Debug, Default)]
pub(super) struct ShownChange {
    /// What it does.
    pub(super) parts: Vec<Phrase>,
    /// The unified diff.
    pub(super) diff: String,
    /// Whether something of it is not shown.
    pub(super) cut: bool,
}

/// What it does, and the unified diff. `before`: `None` when it cannot be compared (over the
/// limit); empty for a new file.
pub(super) fn describe(
    path: &AliasPath,
    lens: Lens<'_>,
    existed: bool,
    before: Option<&[u8]>,
    after: &[u8],
) -> ShownChange {
    let Some((old, new)) = texts(lens, before, after) else {
        let size = size(after.len() as u64);
        let replaced = if existed {
            changes::replaced_unshown_file(size)
        } else {
            changes::new_unshown_file(size)
        };
        return ShownChange { parts: vec![replaced], diff: String::new(), cut: true };
    };
    let diff = diff::unified(&path.to_string(), &old, &new, diff::SHOWN_BYTES);
    let (added, removed) = (diff.added, diff.removed);
    let mut parts =
        vec![if existed { changes::lines(added, removed) } else { changes::new_file(added) }];
    parts.extend(diff.cut.then(changes::diff_cut));
    let folders = mark::folders_in(&diff.text);
    if !folders.is_empty() {
        parts.push(changes::marks_folders(folders.join(", ")));
    }
    ShownChange { parts, diff: diff.text, cut: diff.cut }
}

/// What comes to lie at `path` by a move: `text`, as it is shown.
pub(super) fn arrival(path: &AliasPath, holds: Phrase, text: &str) -> ShownChange {
    let diff = diff::unified(&path.to_string(), "", text, diff::SHOWN_BYTES);
    let mut parts = vec![changes::moves(path), holds];
    parts.extend(diff.cut.then(changes::diff_cut));
    ShownChange { parts, diff: diff.text, cut: diff.cut }
}

/// Both versions with marks for private folders; `None` when one of them is no text.
pub(super) fn texts(
    lens: Lens<'_>,
    before: Option<&[u8]>,
    after: &[u8],
) -> Option<(String, String)> {
    let text = |bytes: &[u8]| Some(lens.shown(std::str::from_utf8(bytes).ok()?).into_owned());
    Some((text(before?)?, text(after)?))
}

/// The files that will be gone. Many are listed as lines of a diff: cut, opened and allowed by the
/// same rules as the lines of a file.
pub(super) fn deletion(path: &AliasPath, files: &[PreImage]) -> ShownChange {
    if files.is_empty() {
        return ShownChange {
            parts: vec![changes::deletes_empty_folder()],
            ..ShownChange::default()
        };
    }
    let size = size(files.iter().map(|file| file.bytes).sum());
    if files.len() <= NAMED_IN_ONE_LINE {
        let names: Vec<String> = files.iter().map(|file| file.path.to_string()).collect();
        let part = match names.as_slice() {
            [name] if *name == path.to_string() => changes::deletes_its_file(size),
            [name] => changes::deletes_a_file(size, name),
            _ => changes::deletes_named_files(files.len(), size, names.join(", ")),
        };
        return ShownChange { parts: vec![part], ..ShownChange::default() };
    }
    let diff = diff::unified(&path.to_string(), &listing(files), "", diff::SHOWN_BYTES);
    let mut parts = vec![changes::deletes_files_as_listed(files.len(), size)];
    parts.extend(diff.cut.then(changes::diff_cut));
    ShownChange { parts, diff: diff.text, cut: diff.cut }
}

/// A line for each file.
pub(super) fn listing(files: &[PreImage]) -> String {
    let line = |file: &PreImage| [file.path.to_string().as_str(), "\n"].concat();
    files.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::Marks;
    use kernel::words::{Lang, say};

    fn shown(existed: bool, before: Option<&[u8]>, after: &[u8]) -> (String, String, bool) {
        let path = AliasPath::parse("@project/a.md").unwrap();
        let marks = Marks::default();
        let shown = describe(&path, marks.lens(&path, 0), existed, before, after);
        (say(&shown.parts, Lang::En), shown.diff, shown.cut)
    }

    fn deleted(files: &[PreImage]) -> (String, String, bool) {
        let ShownChange { parts, diff, cut } =
            deletion(&AliasPath::parse("@project/old").unwrap(), files);
        (say(&parts, Lang::En), diff, cut)
    }

    fn file(name: &str) -> PreImage {
        PreImage {
            path: AliasPath::parse(&format!("@project/old/{name}.md")).unwrap(),
            sha256: String::new(),
            bytes: 10,
            kept: false,
        }
    }

    #[test]
    fn a_change_is_counted_and_shown_under_its_alias() {
        let (summary, diff, cut) = shown(true, Some(b"one\ntwo\n"), b"one\nTWO\nthree\n");
        assert_eq!((summary.as_str(), cut), ("+2 −1 lines", false));
        assert!(diff.starts_with("--- @project/a.md\n+++ @project/a.md\n"), "{diff}");
        assert!(diff.contains("-two\n+TWO\n+three\n"), "{diff}");
    }

    #[test]
    fn a_new_file_is_shown_whole() {
        let (summary, diff, cut) = shown(false, Some(b""), b"a\nb\n");
        assert_eq!((summary.as_str(), cut), ("new file, 2 lines", false));
        assert!(diff.ends_with("+a\n+b\n"), "{diff}");
    }

    #[test]
    fn what_is_no_text_or_too_large_is_said_in_words() {
        let words = "replaces a file that cannot be shown; 2 B afterwards";
        for before in [Some(&[0xff, 0xfe][..]), None] {
            assert_eq!(shown(true, before, b"ab"), (words.to_owned(), String::new(), true));
        }
    }

    #[test]
    fn a_few_deleted_files_are_named_in_one_line() {
        let empty = ("deletes an empty folder".to_owned(), String::new(), false);
        assert_eq!(deleted(&[]), empty);
        let (words, diff, cut) = deleted(&[file("1")]);
        assert_eq!(words, "deletes 1 file, 10 B: @project/old/1.md");
        assert!(diff.is_empty() && !cut);
        let itself = file("1");
        let ShownChange { parts, .. } = deletion(&itself.path.clone(), &[itself]);
        assert_eq!(say(&parts, Lang::En), "deletes the file, 10 B");
        let many: Vec<PreImage> = (0..20).map(|n| file(&n.to_string())).collect();
        let (words, diff, _) = deleted(&many);
        assert!(words.ends_with("@project/old/19.md") && diff.is_empty(), "{words}");
    }

    #[test]
    fn many_deleted_files_are_all_listed() {
        let many: Vec<PreImage> = (0..21).map(|n| file(&n.to_string())).collect();
        let (words, diff, cut) = deleted(&many);
        assert_eq!(words, "deletes 21 files, 210 B, as listed");
        assert!(many.iter().all(|file| diff.contains(&format!("-{}\n", file.path))), "{diff}");
        assert!(!cut);
    }

    #[test]
    fn a_list_of_deleted_files_that_is_too_long_is_cut() {
        let long = "n".repeat(150);
        let many: Vec<PreImage> = (0..900).map(|n| file(&format!("{long}{n}"))).collect();
        let (words, diff, cut) = deleted(&many);
        assert!(words.ends_with("; the diff is too long to be shown at once"), "{words}");
        assert!(cut && diff.contains("\n…\n") && diff.len() < 70_000);
    }

    #[test]
    fn of_a_huge_rewrite_it_is_said_that_it_is_not_shown_whole() {
        let (old, new) = ("old\n".repeat(30_000), "new\n".repeat(20_000) + "last\n");
        let (summary, diff, cut) = shown(true, Some(old.as_bytes()), new.as_bytes());
        assert_eq!(summary, "+20001 −30000 lines; the diff is too long to be shown at once");
        assert!(cut && diff.len() < 70_000, "{}", diff.len());
        assert!(diff.contains("\n-old\n+new\n") && diff.ends_with("\n+new\n+last\n"), "{diff}");
    }
}
