//! Where a project's things lie in the old store, and where they belong here.

use kernel::ids::ProjectId;

use crate::redact::Redactor;

/// A project as it is here.
pub(super) struct LocalProject {
    /// Its id here: the one its folder names.
    pub(super) id: ProjectId,
    /// Its folder in the old store.
    pub(super) old: String,
    /// Project-relative, without slashes at the ends.
    pub(super) artifacts_dir: String,
    /// Takes real paths out of what is taken over.
    pub(super) redactor: Redactor,
}
