//! Watching (spec 08): the active project, the state folder of a conversation that is looked at,
//! the settings, a package being written. Nothing is watched unless somebody asks, and it stops
//! when they go.
//!
//! Folders are watched, never files: editors write a new file and rename it over the old one.
//! Here is what is watched and what changed; what follows from it is in `observe/feeds.rs` and
//! `observe/frames.rs`.

mod backend;
mod folders;
mod observed;

use kernel::code::{ErrorCode, Failure};
use kernel::ids::ProjectId;
use kernel::path::{AliasPath, Mount};
use kernel::phrase::projects;
use kernel::wire::Noticed;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::own_writes::OwnWrites;
pub(crate) use folders::{Changes, WatchScope};
pub(crate) use observed::{Count, Observed};

/// What the watching of one host has in common.
#[derive(Default)]
pub(crate) struct Watching {
    /// How many roots are being watched.
    pub(crate) count: Count,
    told: AtomicBool,
}

impl Watching {
    /// The word that changes are seen late or not everywhere; `None` when it was said before.
    pub(crate) fn limited(&self) -> Option<Noticed> {
        if self.told.swap(true, Ordering::SeqCst) {
            return None;
        }
        let failure = Failure::new(ErrorCode::WatchLimited, projects::watches_limited())
            .with_action(projects::raise_watch_limit());
        tracing::warn!("{}", failure.message);
        Some(Noticed::Limited { failure })
    }
}

/// What changed in a project and was not written by a run; `None` when nothing is left. Blocks.
pub(crate) fn files(
    project: &ProjectId,
    root: &Path,
    changes: &Changes,
    own: &OwnWrites,
) -> Option<Noticed> {
    let mut more = changes.rescan;
    let mut paths = Vec::new();
    for rel in &changes.paths {
        let Ok(path) = AliasPath::new(Mount::Project, rel) else {
            // A name no alias path can hold: there is something, and it cannot be named.
            more = true;
            continue;
        };
        if own.is_own(project, &path, &root.join(rel)) {
            continue;
        }
        if paths.len() == Noticed::MAX_PATHS {
            more = true;
            break;
        }
        paths.push(path);
    }
    let project_id = project.clone();
    (more || !paths.is_empty()).then_some(Noticed::Files { project_id, paths, more })
}
