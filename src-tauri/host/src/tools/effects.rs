//! What the disk tells of a run's changes beside the journal: how many lines came and went, and
//! whether someone else changed the file since. As far as that is cheap.

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use kernel::bounds::{COMPARED_BYTES, COMPARED_FILE_BYTES};
use kernel::changed_files::{FileEffect, LineCount};
use kernel::diff;
use kernel::path::AliasPath;
use kernel::text::sha256_hex;
use std::io;
use std::path::Path;

use super::checkpoints::Checkpoints;

/// What is at a path now.
enum CurrentContent {
    Nothing,
    Bytes(Vec<u8>),
    /// A folder, a link or a pipe, which no run leaves in the place of a file.
    NoFile,
    /// Too large, or it cannot be read.
    Unknown,
}

/// Adds to the changes of a run what the disk tells. Blocks.
pub(crate) fn add_current_state(project: &Path, run_folder: &Path, effects: &mut [FileEffect]) {
    let Ok(project) = Dir::open_ambient_dir(project, ambient_authority()) else { return };
    let kept = Checkpoints::open(run_folder).ok();
    let mut budget = COMPARED_BYTES;
    for effect in effects {
        let found = find(&project, &effect.path, &mut budget);
        effect.foreign = match (&found, &effect.sha256) {
            // The run may have made a folder where it deleted a file.
            (CurrentContent::Unknown, _)
            | (CurrentContent::Nothing | CurrentContent::NoFile, None) => false,
            (CurrentContent::Nothing | CurrentContent::NoFile, Some(_))
            | (CurrentContent::Bytes(_), None) => true,
            (CurrentContent::Bytes(bytes), Some(left)) => sha256_hex(bytes) != *left,
        };
        // A check says nothing of what is there now unless it is known to be the same.
        effect.verified &= matches!(found, CurrentContent::Bytes(_)) && !effect.foreign;
        if effect.sha256 == effect.sha256_before {
            continue;
        }
        let mut text = |sha256: Option<&String>, there: Option<Vec<u8>>| {
            let bytes = match (sha256, there) {
                (None, _) => Vec::new(),
                (Some(_), Some(bytes)) => bytes,
                (Some(sha256), None) if budget > 0 => kept.as_ref()?.read(sha256).ok()??,
                (Some(_), None) => return None,
            };
            budget = budget.saturating_sub(bytes.len() as u64);
            let small = u64::try_from(bytes.len()).is_ok_and(|bytes| bytes <= COMPARED_FILE_BYTES);
            String::from_utf8(bytes).ok().filter(|text| small && !text.contains('\0'))
        };
        let there = match found {
            CurrentContent::Bytes(bytes) if !effect.foreign => Some(bytes),
            CurrentContent::Bytes(_)
            | CurrentContent::Nothing
            | CurrentContent::NoFile
            | CurrentContent::Unknown => None,
        };
        let after = text(effect.sha256.as_ref(), there);
        let before = text(effect.sha256_before.as_ref(), None);
        effect.lines = before.zip(after).map(|(before, after)| {
            let (removed, added) = diff::count(&before, &after);
            let lines = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
            LineCount { added: lines(added), removed: lines(removed) }
        });
    }
}

fn find(project: &Dir, path: &AliasPath, budget: &mut u64) -> CurrentContent {
    match project.symlink_metadata(path.rel()) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => CurrentContent::Nothing,
        Ok(meta) if meta.is_file() && meta.len() <= COMPARED_FILE_BYTES.min(*budget) => {
            *budget -= meta.len();
            project.read(path.rel()).map_or(CurrentContent::Unknown, CurrentContent::Bytes)
        }
        Ok(meta) if !meta.is_file() => CurrentContent::NoFile,
        Ok(_) | Err(_) => CurrentContent::Unknown,
    }
}
