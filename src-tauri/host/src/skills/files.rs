//! The other files of a skill: which there are.

use cap_std::fs::Dir;
use kernel::bounds::{SKILL_ENTRIES, SKILL_FILES, SKILL_LEVELS};
use std::io;

use crate::plain_file::NotText;

/// The file that makes a folder a skill.
pub(super) const FILE: &str = "SKILL.md";

/// How a text of somebody else is shown: without real paths and keys.
pub(crate) type Shown<'s> = &'s dyn Fn(&str) -> String;

/// Files by their paths below the skill's folder.
#[derive(Default)]
pub(super) struct ListedFiles {
    /// The first of them, in order.
    pub(super) files: Vec<String>,
    /// How many more there are, as far as was looked.
    pub(super) more: u32,
}

/// The files of a skill besides `SKILL.md`. Hidden ones and links are left out.
pub(super) fn files_of(folder: &Dir) -> ListedFiles {
    let (mut files, mut looked) = (Vec::new(), 0);
    collect(folder, "", 0, &mut looked, &mut files);
    files.sort_unstable();
    let more = u32::try_from(files.len().saturating_sub(SKILL_FILES)).unwrap_or(u32::MAX);
    files.truncate(SKILL_FILES);
    ListedFiles { files, more }
}

fn collect(folder: &Dir, above: &str, level: usize, looked: &mut usize, files: &mut Vec<String>) {
    let Ok(entries) = folder.entries() else { return };
    for entry in entries.flatten() {
        *looked += 1;
        if *looked > SKILL_ENTRIES {
            return;
        }
        let Ok(name) = entry.file_name().into_string() else { continue };
        let Ok(kind) = entry.file_type() else { continue };
        let path = format!("{above}{name}");
        if name.starts_with('.') || path == FILE {
            continue;
        }
        if kind.is_file() {
            files.push(path);
        } else if kind.is_dir()
            && level < SKILL_LEVELS
            && let Ok(below) = entry.open_dir()
        {
            collect(&below, &format!("{path}/"), level + 1, looked, files);
        }
    }
}

/// Whether the bytes of a file are no text.
pub(crate) fn is_no_text(error: &io::Error) -> bool {
    error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<NotText>)
}
