//! What a call's typed result proves. Text and what a server says of itself prove nothing.

use super::{CallResult, EffectClass, ParsedCall, ToolInput};
use crate::facts::{Fact, FactKind};
use crate::path::AliasPath;
use crate::restore::RestoredFile;

/// The facts of a result; `parsed` is `None` when the call fitted no tool.
pub(crate) fn facts_of(parsed: Option<&ParsedCall>, result: &CallResult) -> Vec<Fact> {
    if !result.ok {
        let outcome = result.code().map(str::to_owned);
        let path = parsed.and_then(ParsedCall::path).cloned();
        let mut facts = vec![Fact { path, outcome, ..Fact::new(FactKind::ToolError) }];
        // Files that are back stay back, also when the state document could not follow.
        if let Some(ToolInput::Rewind(_)) = parsed.map(|parsed| &parsed.input) {
            facts.extend(restored(result));
        }
        return facts;
    }
    parsed.map(|parsed| happened(parsed, result)).unwrap_or_default()
}

fn happened(parsed: &ParsedCall, result: &CallResult) -> Vec<Fact> {
    if parsed.is_dry_run() {
        return Vec::new();
    }
    if parsed.class != EffectClass::WriteState {
        return parsed.input.built_in().facts(result);
    }
    let (path, to) = (parsed.path().cloned(), parsed.to().cloned());
    let sha256 = result.sha256_after.clone();
    let changed = Fact { path, sha256, to, ..Fact::new(FactKind::StateChanged) };
    let back = match parsed.input {
        ToolInput::Rewind(_) => restored(result),
        _ => Vec::new(),
    };
    Some(changed).filter(|_| !result.noop_write).into_iter().chain(back).collect()
}

/// A file that was written, or that held the content already.
pub(super) fn written(path: &AliasPath, result: &CallResult) -> Fact {
    let kind = if result.noop_write { FactKind::FileNoop } else { FactKind::FileWritten };
    Fact { sha256: result.sha256_after.clone(), ..Fact::at(kind, path) }
}

/// The files a rewind brought back, and those it took away again.
pub(super) fn restored(result: &CallResult) -> Vec<Fact> {
    let fact = |file: &RestoredFile| {
        let kind = if file.removed { FactKind::FileDeleted } else { FactKind::FileWritten };
        Fact { sha256: file.sha256.clone(), ..Fact::at(kind, &file.path) }
    };
    let files = result.restored.iter().flat_map(|back| &back.restored);
    files.map(fact).collect()
}

/// The check of the one file that a call worked on. Only our own file tools look; a `verification`
/// of anybody else is a claim.
pub(super) fn verified(path: &AliasPath, result: &CallResult) -> Option<Fact> {
    let sha256 = result.sha256_after.clone().or_else(|| result.sha256.clone());
    result.verification().map(|check| check.fact(Some(path.clone()), sha256))
}
