//! What a rewind does to the project's files (spec 03 `workflow.rewind`): which of them go back
//! to what they were when the target was last entered, as the journal tells, and which do not.
//!
//! Deliberately not here: which files a run changed ([`changed_files`](crate::changed_files)), the
//! rewind of the state document (`state_doc`), the disk (the host).

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::code::{ErrorCode, Failure};
use crate::path::AliasPath;
use crate::phrase::{Phrase, changes, decisions, engine as said};
use crate::time::Time;

/// How many files a rewind's result, its notice and its note to the model name.
pub(crate) const NAMED_FILES: usize = 100;

/// What was journaled before a mutating call ran (spec 05 "Effects journal").
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Began {
    /// The file before; `None` when there was none. For a folder the hash of its listing.
    pub pre_hash: Option<String>,
    /// The file after; `None` when it is gone then. For `fs.move` the same as before.
    pub post_hash: Option<String>,
    /// What is replaced or removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pre_images: Vec<PreImage>,
    /// For a rewind: what becomes of each file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restore: Option<Box<Restore>>,
}

/// A file as it was before a call replaced or removed it. Its bytes lie in the run's checkpoints
/// under their hash when `kept`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PreImage {
    /// The path of the file.
    pub path: AliasPath,
    /// SHA-256 of its bytes; of its target, for a link.
    pub sha256: String,
    /// How many bytes.
    pub bytes: u64,
    /// False: too large, a file of secrets, or a link; it cannot be brought back. False too for
    /// the files of a folder that moves: they stay what they are.
    pub kept: bool,
}

/// A file the runtime changed since the target was last entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoreFile {
    /// The file to bring back.
    pub path: AliasPath,
    /// SHA-256 of what it was then; `None` when there was no such file.
    pub goal: Option<String>,
    /// SHA-256 of what the runtime left there last, `None` for no file. Two when its last call
    /// there ended without saying whether it happened. Anything else is somebody else's.
    pub ours: Vec<Option<String>>,
    /// It goes back also when it is somebody else's: the person is asked about exactly that.
    pub overwrite: bool,
}

/// What a rewind would do to files, as it was found before it began.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Restore {
    /// The files that go back.
    pub files: Vec<FileChange>,
    /// Those that stay as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Conflict>,
    /// As of when the state document is rewound: the time the change was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Time>,
}

impl Restore {
    /// Whether it is the same as what was shown: the same files, the same bytes, the same reasons.
    pub fn is_as_shown(&self, shown: &Self) -> bool {
        self.files == shown.files && self.conflicts == shown.conflicts
    }

    /// Adds to a pending change, as the model reads it, which files go back and which do not.
    pub(crate) fn describe(&self, pending: &mut Value) {
        let file = |file: &FileChange| match file.post_hash {
            Some(_) => json!({ "path": file.path }),
            None => json!({ "path": file.path, "removed": true }),
        };
        pending["restored"] = self.files.iter().map(file).collect();
        pending["conflicts"] = json!(self.conflicts);
        shorten(pending);
    }

    /// One line for people: `2 files go back, 1 is removed, 1 stays as it is`. Empty when there
    /// is nothing to say.
    pub fn summary(&self) -> String {
        let count = |removed: bool| {
            self.files.iter().filter(|file| file.post_hash.is_none() == removed).count()
        };
        let say = |n: usize, one: &str, many: &str| match n {
            0 => None,
            1 => Some(format!("1 {one}")),
            n => Some(format!("{n} {many}")),
        };
        let parts = [
            say(count(false), "file goes back", "files go back"),
            say(count(true), "file is removed", "files are removed"),
            say(self.conflicts.len(), "file stays as it is", "files stay as they are"),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// One file of a rewind, before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct FileChange {
    /// The file as it stands now.
    pub path: AliasPath,
    /// SHA-256 before; absent when there is no such file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub pre_hash: Option<String>,
    /// SHA-256 after; absent when it is gone then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub post_hash: Option<String>,
    /// What someone else made of it is replaced or removed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub replaces_others: bool,
}

/// A file that does not go back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Conflict {
    /// The file that stays as it is.
    pub path: AliasPath,
    /// Why it stays.
    pub reason: ConflictReason,
    /// More words, in English, with alias paths only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub message: Option<String>,
}

impl Conflict {
    /// The same as a failure that a person is told.
    pub(crate) fn failure(&self) -> Failure {
        let path = &self.path;
        let (code, message) = match self.reason {
            ConflictReason::Changed => (ErrorCode::PreconditionFailed, said::is_not_as_seen(path)),
            ConflictReason::NotKept => (ErrorCode::NotFound, said::was_not_kept(path)),
            ConflictReason::NotAllowed => {
                (ErrorCode::SandboxViolation, said::may_not_be_written(path))
            }
            ConflictReason::Failed => (ErrorCode::Io, said::file_not_written(path)),
        };
        Failure::new(code, message)
    }
}

/// Why a file does not go back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum ConflictReason {
    /// Someone else changed it since the runtime did.
    Changed,
    /// Its bytes, those of then or of now, are not kept: too large, or a file of secrets.
    NotKept,
    /// The settings, the agent's rights or the person's ignore rules forbid it.
    NotAllowed,
    /// The disk refused.
    Failed,
}

/// The files of a rewind as a person reads them, one after the other.
pub fn lines(files: &[FileChange], conflicts: &[Conflict]) -> Vec<Phrase> {
    let file = |file: &FileChange| match (file.post_hash.is_some(), file.replaces_others) {
        (true, false) => changes::goes_back(&file.path),
        (true, true) => changes::goes_back_over_others(&file.path),
        (false, false) => changes::is_removed(&file.path),
        (false, true) => changes::is_removed_over_others(&file.path),
    };
    let conflict = |conflict: &Conflict| {
        let why = match conflict.reason {
            ConflictReason::Changed => changes::stays_changed(),
            ConflictReason::NotKept => changes::stays_not_kept(),
            ConflictReason::NotAllowed => changes::stays_not_allowed(),
            ConflictReason::Failed => changes::stays_failed(),
        };
        changes::stays(&conflict.path, why)
    };
    files.iter().map(file).chain(conflicts.iter().map(conflict)).collect()
}

/// What the host made of a rewind's files: the result of the call before the state document is
/// rewound.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Restored {
    /// The files that are back.
    pub restored: Vec<RestoredFile>,
    /// Those that are not, each with its reason.
    pub conflicts: Vec<Conflict>,
}

/// A file that is back as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RestoredFile {
    /// The file that was brought back.
    pub path: AliasPath,
    /// Its SHA-256; absent when it is gone, as it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub sha256: Option<String>,
    /// True when it is gone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub removed: bool,
}

/// What became of the files of a run that the person took back to a step, one after the other.
pub fn brought_back(files: &[RestoredFile], conflicts: &[Conflict]) -> Vec<Phrase> {
    let back = |file: &RestoredFile| {
        if file.removed {
            decisions::gone_as_then(&file.path)
        } else {
            decisions::back_as_then(&file.path)
        }
    };
    let mut told: Vec<Phrase> = files.iter().map(back).collect();
    told.extend(lines(&[], conflicts));
    let more = told.len().saturating_sub(NAMED_FILES);
    told.truncate(NAMED_FILES);
    told.extend((more > 0).then(|| decisions::and_more(more)));
    told
}

impl RestoredFile {
    /// What became of a file that a person put back.
    pub fn said(&self) -> Phrase {
        if self.removed {
            decisions::gone_again(&self.path)
        } else {
            decisions::back_again(&self.path)
        }
    }
}

impl Restored {
    /// Reads it back from a result; `None` when it says nothing of files.
    pub fn of(result: &Value) -> Option<Self> {
        Self::deserialize(result).ok()
    }
}

/// Names no more files in a result than a model can read; `restoredMore` and `conflictsMore` say
/// how many there are beside. The journal has them all.
pub(crate) fn shorten(result: &mut Value) {
    for (key, more) in [("restored", "restoredMore"), ("conflicts", "conflictsMore")] {
        let Some(list) = result.get_mut(key).and_then(Value::as_array_mut) else { continue };
        let left_out = list.len().saturating_sub(NAMED_FILES);
        if left_out > 0 {
            list.truncate(NAMED_FILES);
            result[more] = Value::from(left_out);
        }
    }
}

#[cfg(test)]
mod tests;
