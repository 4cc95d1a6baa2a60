//! What a call's typed result proves. Text and what a server says of itself prove nothing.

use super::output::CallResult;
use crate::facts::{Fact, FactKind, RESTORED};
use crate::path::AliasPath;
use crate::restore::RestoredFile;

/// A file that was written, or that held the content already.
pub(super) fn written(path: &AliasPath, result: &CallResult) -> Fact {
    let kind = if result.noop_write { FactKind::FileNoop } else { FactKind::FileWritten };
    Fact { sha256: result.sha256_after.clone(), ..Fact::at(kind, path) }
}

/// The files a rewind brought back, and those it took away again.
pub(super) fn restored(result: &CallResult) -> Vec<Fact> {
    let files = result.restored.iter().flat_map(|back| &back.restored);
    files.map(restored_file).collect()
}

/// A file that is back, or that is gone again.
pub(crate) fn restored_file(file: &RestoredFile) -> Fact {
    let kind = if file.removed { FactKind::FileDeleted } else { FactKind::FileWritten };
    let outcome = (!file.removed).then(|| RESTORED.to_owned());
    Fact { sha256: file.sha256.clone(), outcome, ..Fact::at(kind, &file.path) }
}

/// The check of the one file that a call worked on. Only our own file tools look; a `verification`
/// of anybody else is a claim.
pub(super) fn verified(path: &AliasPath, result: &CallResult) -> Option<Fact> {
    let sha256 = result.sha256_after.clone().or_else(|| result.sha256.clone());
    let resolved = result.resolved.clone();
    let check = result.verification()?.fact(Some(path.clone()), sha256);
    Some(Fact { resolved, ..check })
}
