//! The report of an import: what became of each thing that was found in another program's store.
//! Clients read it; what makes it is no matter of the kernel.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::code::{ErrorCode, Failure, said_in};
use crate::phrase::{Lang, Phrase};

/// What an entry is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum ImportKind {
    /// An installed package.
    Package,
    /// A project.
    Project,
    /// A run.
    Run,
    /// A conversation, its messages counted.
    Conversation,
    /// One message that could not be taken over as it stood.
    Message,
    /// Another file.
    File,
    /// One setting.
    Setting,
    /// An API key.
    Key,
}

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum ImportOutcome {
    /// It is here now; with a dry run: it would be.
    Imported,
    /// It was here before and is as it was.
    Already,
    /// It has no place here, on purpose.
    Skipped,
    /// It could not be read.
    Failed,
}

/// One thing of the old store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ImportEntry {
    /// What it is.
    pub kind: ImportKind,
    /// Its id in the old store; a setting's dotted name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub id: Option<String>,
    /// Its id here, where it is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub new_id: Option<String>,
    /// Where it stands, relative to the old store.
    pub file: String,
    /// What became of it.
    pub outcome: ImportOutcome,
    /// Why, or with which limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub code: Option<ErrorCode>,
    /// The same in words, with the particulars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub reason: Option<String>,
    /// What `reason` says, as data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub said: Option<Box<Phrase>>,
    /// How many messages a conversation has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional, type = "number"))]
    pub messages: Option<u64>,
    /// Facts for programs: a package's findings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional, type = "unknown"))]
    pub details: Option<Value>,
}

impl ImportEntry {
    /// An entry that needs no words.
    pub fn new(
        kind: ImportKind,
        id: impl Into<String>,
        file: impl Into<String>,
        outcome: ImportOutcome,
    ) -> Self {
        let (id, file) = (Some(id.into()).filter(|id| !id.is_empty()), file.into());
        let (new_id, code, reason, said, messages, details) = (None, None, None, None, None, None);
        Self { kind, id, new_id, file, outcome, code, reason, said, messages, details }
    }

    /// The same with a reason.
    #[must_use]
    pub fn because(self, code: ErrorCode, reason: Phrase) -> Self {
        self.failed(Failure::new(code, reason))
    }

    /// The same with a failure as the reason.
    #[must_use]
    pub fn failed(self, failure: Failure) -> Self {
        Self {
            code: Some(failure.code),
            reason: Some(failure.message),
            said: failure.said,
            details: failure.details.or(self.details),
            ..self
        }
    }

    /// Why, in `lang`; English as what it is where nothing else is known.
    pub fn reason_in(&self, lang: Lang) -> Option<String> {
        Some(said_in(lang, self.said.as_deref(), self.reason.as_ref()?))
    }
}

/// How many entries came to what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ImportTotals {
    /// [`ImportOutcome::Imported`].
    pub imported: u32,
    /// [`ImportOutcome::Already`].
    pub already: u32,
    /// [`ImportOutcome::Skipped`].
    pub skipped: u32,
    /// [`ImportOutcome::Failed`].
    pub failed: u32,
}

/// Everything that was found, in the order it was looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ImportReport {
    /// True when nothing was written.
    pub dry_run: bool,
    /// The entries counted.
    pub totals: ImportTotals,
    /// One by one.
    pub entries: Vec<ImportEntry>,
}

impl ImportReport {
    /// Adds an entry.
    pub fn push(&mut self, entry: ImportEntry) {
        *match entry.outcome {
            ImportOutcome::Imported => &mut self.totals.imported,
            ImportOutcome::Already => &mut self.totals.already,
            ImportOutcome::Skipped => &mut self.totals.skipped,
            ImportOutcome::Failed => &mut self.totals.failed,
        } += 1;
        self.entries.push(entry);
    }
}
