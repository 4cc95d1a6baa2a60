//! What the facts of a run prove about each file: the last write, the last check, whether the file
//! is there and with which bytes. A fold, one step a fact.
//!
//! A check counts for the bytes it saw. It is worth nothing once the file was written again or is
//! known to have other bytes.

use std::collections::BTreeMap;

use super::{Fact, FactKind, FileCheck, RESTORED, VerificationScope};
use crate::path::AliasPath;

/// What is known of the files that a run wrote, read or checked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Evidence {
    files: BTreeMap<AliasPath, FileEvidence>,
    /// Names under which files were seen that links lead to, each with the file itself.
    links: BTreeMap<AliasPath, AliasPath>,
    /// When a command of the person last found everything in order.
    workspace: Option<u64>,
}

/// What is known of one file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FileEvidence {
    /// When the run last gave it content.
    written: Option<u64>,
    /// A text that it holds since then, when one is known.
    holds: Vec<String>,
    /// When somebody else was last seen to have changed it.
    foreign: Option<u64>,
    /// Whether it is there.
    there: bool,
    /// SHA-256 of the bytes it is known to have.
    sha256: Option<String>,
    check: Option<LastCheck>,
}

#[derive(Debug, Clone, PartialEq)]
struct LastCheck {
    seq: u64,
    sha256: Option<String>,
    passed: bool,
    of: Option<FileCheck>,
    /// What it looked for, when it failed.
    expected: Vec<String>,
}

impl Evidence {
    /// Folds one fact, which came with the event `seq`.
    pub fn apply(&mut self, seq: u64, fact: &Fact) {
        let Some(path) = &fact.path else {
            // Only a command looks at everything: a file tool names what it looked at.
            let whole = fact.kind == FactKind::Verification && fact.check.is_none();
            let scope = fact.scope.as_deref().and_then(VerificationScope::parse);
            if whole && fact.passed() == Some(true) && scope == Some(VerificationScope::Workspace) {
                self.workspace = Some(seq);
            }
            return;
        };
        match fact.kind {
            FactKind::FileDeleted => self.files.retain(|file, _| !file.is_within(path)),
            FactKind::FileMoved => {
                if let Some(to) = &fact.to {
                    self.moved(path, to, fact.sha256.as_deref());
                }
            }
            FactKind::FileRead
            | FactKind::FileWritten
            | FactKind::FileNoop
            | FactKind::FileForeignChange
            | FactKind::Verification => {
                let file = self.seen_as(path, fact);
                self.files.entry(file).or_default().apply(seq, fact);
            }
            FactKind::FileListed
            | FactKind::CommandExecuted
            | FactKind::TodoCreated
            | FactKind::TodoUpdated
            | FactKind::TodoCompleted
            | FactKind::TodoFailed
            | FactKind::TodoConflict
            | FactKind::SubagentStarted
            | FactKind::SubagentCompleted
            | FactKind::SubagentFailed
            | FactKind::StateChanged
            | FactKind::UserConfirmed
            | FactKind::ToolError
            | FactKind::Unrecognised => {}
        }
    }

    /// The file itself that a fact is about, and that this is its name from now on.
    fn seen_as(&mut self, path: &AliasPath, fact: &Fact) -> AliasPath {
        // One that looks at a known file again does not say where it is.
        let again = fact.kind == FactKind::FileForeignChange && fact.sha256.is_some();
        let known = self.links.get(path).filter(|_| again);
        let file = fact.resolved.as_ref().or(known).unwrap_or(path).clone();
        if file == *path {
            self.links.remove(path);
        } else {
            self.links.insert(path.clone(), file.clone());
        }
        file
    }

    /// What is known of a file that moves goes with it.
    fn moved(&mut self, from: &AliasPath, to: &AliasPath, sha256: Option<&str>) {
        let away: Vec<AliasPath> =
            self.files.keys().filter(|file| file.is_within(from)).cloned().collect();
        for file in away {
            let rest = file.rel()[from.rel().len()..].trim_start_matches('/').to_owned();
            let there = if rest.is_empty() { Some(to.clone()) } else { to.join(&rest).ok() };
            if let (Some(known), Some(there)) = (self.files.remove(&file), there) {
                self.files.insert(there, known);
            }
        }
        // A folder has no hash.
        if let Some(sha256) = sha256 {
            let known = self.files.entry(to.clone()).or_default();
            known.there = true;
            known.sha256 = Some(sha256.to_owned());
        }
    }

    /// What is known of this file.
    pub fn of(&self, path: &AliasPath) -> Option<&FileEvidence> {
        self.files.get(self.links.get(path).unwrap_or(path))
    }

    /// Whether a fact says that the file is there, and none since that it is not.
    pub fn is_there(&self, path: &AliasPath) -> bool {
        self.of(path).is_some_and(|known| known.there)
    }

    /// The files that the run wrote after the event `since`, in the order of their names.
    pub fn written_since(&self, since: u64) -> impl Iterator<Item = (&AliasPath, &FileEvidence)> {
        self.files.iter().filter(move |(_, known)| known.written.is_some_and(|seq| seq > since))
    }

    /// Whether a check that still counts says that the file is as it was written.
    pub fn is_verified(&self, known: &FileEvidence) -> bool {
        known.is_verified() || self.workspace.is_some_and(|at| known.is_older_than(at))
    }
}

impl FileEvidence {
    fn apply(&mut self, seq: u64, fact: &Fact) {
        match fact.kind {
            FactKind::FileForeignChange => {
                self.foreign = Some(seq);
                self.there = fact.sha256.is_some();
                self.sha256.clone_from(&fact.sha256);
            }
            FactKind::Verification => self.checked(seq, fact),
            _ => {
                if fact.kind == FactKind::FileWritten {
                    self.written = (fact.outcome.as_deref() != Some(RESTORED)).then_some(seq);
                    self.holds.clone_from(&fact.expected);
                }
                self.there = true;
                self.sha256 = fact.sha256.clone().or_else(|| self.sha256.take());
            }
        }
    }

    fn checked(&mut self, seq: u64, fact: &Fact) {
        let passed = fact.passed() == Some(true);
        let looks_at_texts = fact.check.is_none_or(|check| check == FileCheck::Content);
        // That a file is there does not answer whether it holds what it should.
        if passed && !looks_at_texts && self.holds_wrong_text(fact) {
            return;
        }
        if passed || fact.sha256.is_some() {
            self.there = true;
            self.sha256 = fact.sha256.clone().or_else(|| self.sha256.take());
        } else if fact.check == Some(FileCheck::Existence) {
            self.there = false;
            self.sha256 = None;
        }
        self.check = Some(LastCheck {
            seq,
            sha256: fact.sha256.clone(),
            passed,
            of: fact.check,
            expected: fact.expected.clone(),
        });
    }

    /// Whether the last check found that the same bytes do not hold a text they should.
    fn holds_wrong_text(&self, fact: &Fact) -> bool {
        let same_bytes = |check: &&LastCheck| check.sha256.is_none() || check.sha256 == fact.sha256;
        let counts = self.last_check().filter(same_bytes);
        counts.is_some_and(|check| !check.passed && check.of == Some(FileCheck::Content))
    }

    /// The last check, unless the file was written since.
    fn last_check(&self) -> Option<&LastCheck> {
        self.check.as_ref().filter(|check| self.written.is_none_or(|written| check.seq >= written))
    }

    fn is_verified(&self) -> bool {
        let same_bytes = |check: &LastCheck| check.sha256.is_some() && check.sha256 == self.sha256;
        self.there && self.last_check().is_some_and(|check| check.passed && same_bytes(check))
    }

    /// Whether nobody touched the file after `at`.
    fn is_older_than(&self, at: u64) -> bool {
        let before = |seq: Option<u64>| seq.is_none_or(|seq| seq < at);
        self.there && before(self.written) && before(self.foreign)
    }

    /// What the last check looked for in vain. Empty lists: it looked for something else.
    pub fn failed_check(&self) -> Option<&[String]> {
        let failed = self.last_check().filter(|check| !check.passed);
        failed.map(|check| check.expected.as_slice())
    }

    /// A text that the file holds since the last write, when one is known.
    pub fn known_text(&self) -> &[String] {
        &self.holds
    }

    /// SHA-256 of the bytes it is known to have; `None` when it is gone or nobody looked.
    pub fn sha256(&self) -> Option<&str> {
        self.sha256.as_deref()
    }

    /// Whether the run gave it content.
    pub fn is_ours(&self) -> bool {
        self.written.is_some()
    }

    /// Whether a fact says that it is there.
    pub fn is_there(&self) -> bool {
        self.there
    }
}

#[cfg(test)]
mod tests;
