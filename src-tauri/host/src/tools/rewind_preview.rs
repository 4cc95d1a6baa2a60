//! What bringing files back would do, for a person who is about to. Reads, and keeps nothing.

use kernel::code::Failure;
use kernel::effect::Permit;
use kernel::restore::Restore;

use super::{ToolHost, restore, results};

impl ToolHost {
    /// What bringing files back would do now. Reads, and keeps nothing.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED` when what was kept cannot be looked at.
    pub fn look_back(&self, permit: &Permit) -> Result<Restore, Failure> {
        let mut access = self.access(permit);
        let found = restore::look(&mut access, permit, &self.checkpoints);
        let began = results::without_real_paths(
            &self.private,
            found.map_err(|failure| self.redacted(failure))?,
        );
        Ok(began.restore.map(|restore| *restore).unwrap_or_default())
    }
}
