//! Folders that Git takes for a repository without a `.git`: it runs programs that the `config` of
//! one names, as soon as somebody asks for the status there.

use cap_std::fs::Dir;
use kernel::code::Failure;
use kernel::path::AliasPath;
use kernel::text::folded;

use super::mounts::refused;

/// Refuses a change of `child` in `folder` when the folder is such a repository, or would be one
/// with it. Git looks for `HEAD`, and for `objects` and `refs` or a file that says where they are.
pub(super) fn check(folder: &Dir, child: &str, path: &AliasPath) -> Result<(), Failure> {
    let child = folded(child);
    let there = |name: &str| child == folded(name) || folder.symlink_metadata(name).is_ok();
    if !there("HEAD") || !(there("commondir") || (there("objects") && there("refs"))) {
        return Ok(());
    }
    Err(refused(path, "bare_repository", "Git would take its folder for a repository")
        .with_action_for_model("Use another name or folder."))
}
