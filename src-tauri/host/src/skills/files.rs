//! The other files of a skill: which there are.

use cap_std::fs::Dir;
use kernel::bounds::{SKILL_ENTRIES, SKILL_FILES, SKILL_LEVELS};
use kernel::path::{AliasPath, Mount};
use kernel::skill::{SKILL_FILE, is_script};
use std::io;

use crate::plain_file::NotText;

/// How a text of somebody else is shown: without real paths and keys.
pub(crate) type Shown<'s> = &'s dyn Fn(&str) -> String;

/// Files by their paths below the skill's folder.
#[derive(Default)]
pub(super) struct ListedFiles {
    /// The first of them, in order.
    pub(super) files: Vec<String>,
    /// How many more there are, as far as was looked.
    pub(super) more: u32,
    /// The first of those that are scripts.
    pub(super) scripts: Vec<String>,
}

/// Scripts that are named.
const SCRIPTS: usize = 20;
/// Bytes of the names of files.
const NAMES_BYTES: usize = 8 * 1024;
/// Entries that are looked at to find out whether there are scripts at all.
const LOOKED_FOR_SCRIPTS: usize = 200;

/// Whether scripts belong to a skill, as far as a short look tells.
pub(super) fn has_scripts(folder: &Dir) -> bool {
    let (mut files, mut left) = (Vec::new(), LOOKED_FOR_SCRIPTS);
    collect(folder, "", 0, &mut left, &mut files);
    files.iter().any(|file| is_script(file))
}

/// The files of a skill besides `SKILL.md`. Hidden ones and links are left out.
pub(super) fn files_of(folder: &Dir) -> ListedFiles {
    let (mut files, mut left) = (Vec::new(), SKILL_ENTRIES);
    collect(folder, "", 0, &mut left, &mut files);
    files.sort_unstable();
    let scripts = files.iter().filter(|file| is_script(file)).take(SCRIPTS).cloned().collect();
    let mut bytes = 0;
    let fits = |file: &&String| {
        bytes += file.len();
        bytes <= NAMES_BYTES
    };
    let named = files.iter().take(SKILL_FILES).take_while(fits).count();
    let more = u32::try_from(files.len() - named).unwrap_or(u32::MAX);
    files.truncate(named);
    ListedFiles { files, more, scripts }
}

/// Files with names that no path may have are left out: a line break in one would begin a line of its
/// own wherever it is shown.
fn collect(folder: &Dir, above: &str, level: usize, left: &mut usize, files: &mut Vec<String>) {
    let Ok(entries) = folder.entries() else { return };
    for entry in entries.flatten() {
        if *left == 0 {
            return;
        }
        *left -= 1;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let Ok(kind) = entry.file_type() else { continue };
        let path = format!("{above}{name}");
        let is_named = AliasPath::new(Mount::Pkg, &path).is_ok_and(|it| it.rel() == path);
        if name.starts_with('.') || path == SKILL_FILE || !is_named {
            continue;
        }
        if kind.is_file() {
            files.push(path);
        } else if kind.is_dir()
            && level < SKILL_LEVELS
            && let Ok(below) = entry.open_dir()
        {
            collect(&below, &format!("{path}/"), level + 1, left, files);
        }
    }
}

/// Whether the bytes of a file are no text.
pub(crate) fn is_no_text(error: &io::Error) -> bool {
    error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<NotText>)
}
