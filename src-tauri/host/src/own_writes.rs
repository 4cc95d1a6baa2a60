//! What runs wrote themselves, by content, as their journals say: no news for whoever watches.

use kernel::bounds::OWN_FILE_BYTES;
use kernel::event::{Event, FactKind, Line};
use kernel::ids::ProjectId;
use kernel::path::{AliasPath, Mount};
use kernel::text::sha256_hex;
use std::collections::VecDeque;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Writes remembered; older ones are told like anybody's.
const KEPT: usize = 512;

struct Write {
    project: ProjectId,
    path: AliasPath,
    sha256: String,
}

/// The newest writes of all runs.
#[derive(Default)]
pub(crate) struct OwnWrites(Mutex<VecDeque<Write>>);

impl OwnWrites {
    /// Remembers the writes that a line records.
    pub(crate) fn note(&self, project: &ProjectId, line: &Line) {
        let facts = line.events.iter().filter_map(|event| match event {
            Event::CallEnded(ended) => Some(&ended.facts),
            other => other.brought_back().map(|ended| &ended.facts),
        });
        let written = facts.flatten().filter(|fact| {
            matches!(fact.kind, FactKind::FileWritten)
                && fact.path.as_ref().is_some_and(|path| path.mount() == Mount::Project)
        });
        let mut writes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for fact in written {
            let (Some(path), Some(sha256)) = (fact.path.clone(), fact.sha256.clone()) else {
                continue;
            };
            writes.retain(|old| old.project != *project || old.path != path);
            if writes.len() == KEPT {
                writes.pop_front();
            }
            writes.push_back(Write { project: project.clone(), path, sha256 });
        }
    }

    /// Whether the file is as a run left it last. Reads it; blocks.
    pub(super) fn is_own(&self, project: &ProjectId, path: &AliasPath, real: &Path) -> bool {
        let known = {
            let writes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let known = writes.iter().find(|w| w.project == *project && w.path == *path);
            known.map(|write| write.sha256.clone())
        };
        known.is_some_and(|known| hash(real).as_ref() == Some(&known))
    }
}

fn hash(real: &Path) -> Option<String> {
    let meta = real.symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
    if meta.len() > OWN_FILE_BYTES {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(real).ok()?.take(OWN_FILE_BYTES).read_to_end(&mut bytes).ok()?;
    Some(sha256_hex(&bytes))
}
