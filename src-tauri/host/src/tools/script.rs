//! A file that an item of an agent's menu follows, or that goes along with it: whole, as a model is
//! shown it.

use kernel::bounds::{SCRIPT_BYTES, size};
use kernel::code::{ErrorCode, Failure};
use kernel::path::AliasPath;
use kernel::phrase::routing as said;
use kernel::policy::ToolPolicy;
use std::io::Read as _;

use super::ToolHost;
use super::access::Access;
use super::mounts::io_failure;
use crate::known_keys;

impl ToolHost {
    /// The text of a file, as far as an agent of this policy may read it. Blocks.
    ///
    /// # Errors
    /// What keeps a model from reading it; `E_READ_LIMIT` for one of more than [`SCRIPT_BYTES`],
    /// `E_NOT_TEXT` for one that is no text.
    pub fn script(&self, path: &AliasPath, policy: &ToolPolicy) -> Result<String, Failure> {
        let mut access = Access::new(&self.mounts, &self.private.marks, policy);
        let opened = access.open_file(path)?;
        let mut bytes = Vec::new();
        let read = opened.file.take(SCRIPT_BYTES + 1).read_to_end(&mut bytes);
        read.map_err(|e| io_failure(path, &e))?;
        if bytes.len() as u64 > SCRIPT_BYTES {
            return Err(Failure::new(
                ErrorCode::ReadLimit,
                said::too_long(path, size(SCRIPT_BYTES)),
            ));
        }
        let text = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
        let text = text.ok_or_else(|| Failure::new(ErrorCode::NotText, said::no_text(path)))?;
        let lens = access.lens(path);
        let shown = lens.shown(&text);
        Ok(known_keys::without_known(&shown).into_owned())
    }
}
