//! The files of a project that a person may mean while they write a mention (spec 09 "Screens").

use kernel::bounds::{OFFERED_FILES, OFFERED_FROM};
use kernel::code::Failure;
use kernel::path::{AliasPath, Mount};
use kernel::policy::{SystemTools, ToolPolicy};
use std::ops::ControlFlow;
use tokio_util::sync::CancellationToken;

use super::ToolHost;
use super::access::Access;
use super::walk::{FolderWalk, WalkedKind};

impl ToolHost {
    /// The files whose path holds `matching`, whatever its case, the nearest first, at most
    /// [`OFFERED_FILES`]. Hidden and private files are left out, and of a large project what lies
    /// behind the first [`OFFERED_FROM`] entries. Blocks.
    ///
    /// # Errors
    /// When the project's folder cannot be read.
    pub fn find(&self, matching: &str) -> Result<Vec<AliasPath>, Failure> {
        let policy = ToolPolicy::merge(&SystemTools::default(), None);
        let mut access = Access::new(&self.mounts, &self.private.marks, &policy);
        let Ok(project) = AliasPath::new(Mount::Project, "") else { return Ok(Vec::new()) };
        let (folder, _) = access.open_folder(&project)?;
        let (wanted, cancel) = (matching.to_lowercase(), CancellationToken::new());
        let (mut seen, mut found) = (0, Vec::new());
        let mut walk =
            FolderWalk { access: &mut access, cancel: &cancel, depth: u32::MAX, hidden: false };
        walk.visit(folder, &project, &mut |_, entry| {
            seen += 1;
            if seen > OFFERED_FROM {
                return Ok(ControlFlow::Break(()));
            }
            if entry.kind != WalkedKind::Folder {
                found.extend(nearness(entry.path, &wanted).map(|near| (near, entry.path.clone())));
            }
            Ok(ControlFlow::Continue(entry.name != "node_modules"))
        })?;
        found.sort();
        found.truncate(OFFERED_FILES);
        Ok(found.into_iter().map(|(_, path)| path).collect())
    }
}

/// How well a path fits, the less the better; `None` when it does not.
fn nearness(path: &AliasPath, wanted: &str) -> Option<(u8, usize)> {
    let (rel, name) = (path.rel().to_lowercase(), path.file_name().to_lowercase());
    let depth = rel.matches('/').count();
    let place = match () {
        () if name.starts_with(wanted) => 0,
        () if rel.starts_with(wanted) => 1,
        () if name.contains(wanted) => 2,
        () if rel.contains(wanted) => 3,
        () => return None,
    };
    Some((place, depth))
}
