//! Whose turn it is to write `@state/workflow.md`. A write under way can't be called back, so the
//! next one waits for it, and one that is not wanted any more when its turn comes writes nothing:
//! an older text must never land on a newer one, or it would be taken for a person's edit.

use kernel::code::Failure;
use kernel::effect::Mirror;
use kernel::text::sha256_hex;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

use crate::tools::{StateText, ToolHost};

/// The file of one conversation.
#[derive(Default)]
pub struct StateFile {
    written: Mutex<Option<Written>>,
}

/// What we wrote last. The journal may not know of it, when the write was not wanted any more as
/// it ended.
struct Written {
    /// SHA-256 of the text as the journal has it.
    sha256: String,
    /// The same of the file.
    raw_sha256: String,
}

impl StateFile {
    /// Writes, unless it was cancelled before its turn; blocks. Returns the hash of an edit that
    /// was found and left where it is.
    pub(crate) fn mirror(
        &self,
        tools: &ToolHost,
        mut mirror: Mirror,
        cancel: &CancellationToken,
    ) -> Result<Option<String>, Failure> {
        let mut written = self.turn();
        if cancel.is_cancelled() {
            return Ok(None);
        }
        // What cannot be read was not written by us.
        let found = tools.read_state().ok().flatten();
        if let Some(found) = found
            && written.as_ref().is_some_and(|written| written.raw_sha256 == found.raw_sha256)
        {
            mirror.replaces = Some(found.raw_sha256);
        }
        let edit = tools.mirror(&mirror)?;
        if edit.is_none() {
            let raw_sha256 = sha256_hex(tools.on_disk(&mirror.text).as_bytes());
            *written = Some(Written { sha256: mirror.sha256, raw_sha256 });
        }
        Ok(edit)
    }

    /// The text on disk when no write is under way; blocks.
    pub(crate) fn read(&self, tools: &ToolHost) -> Result<Option<StateText>, Failure> {
        let written = self.turn();
        let found = tools.read_state()?;
        Ok(found.map(|found| match written.as_ref() {
            Some(ours) if ours.raw_sha256 == found.raw_sha256 => {
                StateText { sha256: ours.sha256.clone(), ..found }
            }
            _ => found,
        }))
    }

    fn turn(&self) -> MutexGuard<'_, Option<Written>> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::real_path::RealPath;
    use crate::redact::Private;
    use crate::tools::MountRoots;
    use std::path::Path;

    fn tools(temp: &Path) -> ToolHost {
        let root = |name: &str, alias: &'static str| {
            std::fs::create_dir_all(temp.join(name)).unwrap();
            RealPath::new(temp.join(name), alias)
        };
        std::fs::create_dir_all(temp.join("state/logs")).unwrap();
        let (project, pkg) = (root("project", "@project"), root("pkg", "@pkg"));
        let (state, store) = (root("state", "@state"), root("store", "[store]"));
        let roots = MountRoots { project, pkg: Some(pkg), state, store };
        ToolHost::open(roots, Private::default()).unwrap()
    }

    fn text(text: &str, replaces: Option<&str>) -> Mirror {
        let hash = |text: &str| sha256_hex(text.as_bytes());
        let replaces = replaces.map(hash);
        Mirror {
            text: text.into(),
            sha256: hash(text),
            replaces,
            refused: None,
            copies: Vec::new(),
        }
    }

    #[test]
    fn an_older_text_whose_turn_comes_late_does_not_land_on_a_newer_one() {
        let temp = tempfile::tempdir().unwrap();
        let (tools, file) = (tools(temp.path()), StateFile::default());
        let (older, newer) = (CancellationToken::new(), CancellationToken::new());
        older.cancel();
        file.mirror(&tools, text("two", None), &newer).unwrap();
        file.mirror(&tools, text("one", None), &older).unwrap();
        assert_eq!(file.read(&tools).unwrap().unwrap().text, "two");
    }

    #[test]
    fn our_own_text_that_the_journal_does_not_know_of_is_no_foreign_edit() {
        let temp = tempfile::tempdir().unwrap();
        let (tools, file) = (tools(temp.path()), StateFile::default());
        let go = CancellationToken::new();
        file.mirror(&tools, text("zero", None), &go).unwrap();
        file.mirror(&tools, text("one", Some("zero")), &go).unwrap();
        // Nobody told the journal about `one`.
        file.mirror(&tools, text("two", Some("zero")), &go).unwrap();
        let aside = temp.path().join("state/workflow.md.rejected-1");
        assert!(!aside.exists());

        std::fs::write(temp.path().join("state/workflow.md"), "a person's").unwrap();
        let edit = file.mirror(&tools, text("three", Some("two")), &go).unwrap();
        assert_eq!(edit, Some(sha256_hex(b"a person's")));
        assert!(!aside.exists(), "not before it is told");
        let refused = Mirror { refused: edit, ..text("three", Some("two")) };
        assert_eq!(file.mirror(&tools, refused, &go).unwrap(), None);
        assert_eq!(std::fs::read_to_string(aside).unwrap(), "a person's");
    }
}
