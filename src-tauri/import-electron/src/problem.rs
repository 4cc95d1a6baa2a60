//! What was wrong with one thing of the old store.

use kernel::code::ErrorCode;
use kernel::import::{ImportEntry, ImportKind, ImportOutcome};
use kernel::phrase::Phrase;

/// One thing that is missing here, or is not as it was.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportProblem {
    /// The thing's id, where it has one, else its place (`#12`).
    pub id: String,
    /// What kind of problem.
    pub code: ErrorCode,
    /// In words. Never holds a value of the old store that could be a path or a key.
    pub reason: Phrase,
    /// Whether the thing was taken over all the same.
    pub kept: bool,
    /// Its id here, where it got a new one.
    pub new_id: Option<String>,
}

impl ImportProblem {
    pub(crate) fn lost(id: impl Into<String>, code: ErrorCode, reason: Phrase) -> Self {
        Self { id: id.into(), code, reason, kept: false, new_id: None }
    }

    pub(crate) fn changed(id: impl Into<String>, reason: Phrase) -> Self {
        let code = ErrorCode::ImportChanged;
        Self { id: id.into(), code, reason, kept: true, new_id: None }
    }

    /// As an entry of the report.
    pub fn entry(self, kind: ImportKind, file: &str) -> ImportEntry {
        let outcome = if self.kept { ImportOutcome::Imported } else { ImportOutcome::Failed };
        let entry = ImportEntry::new(kind, self.id, file, outcome);
        ImportEntry { new_id: self.new_id, ..entry.because(self.code, self.reason) }
    }
}
