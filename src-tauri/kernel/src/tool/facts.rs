//! What a call's typed result proves. Text and what a server says of itself prove nothing.

use serde_json::Value;

use super::{EffectClass, ParsedCall, ToolInput};
use crate::facts::{Fact, FactKind, Verification};
use crate::path::AliasPath;
use crate::restore::{Restored, RestoredFile};

/// The facts of a result; `parsed` is `None` when the call fitted no tool.
pub(crate) fn facts_of(parsed: Option<&ParsedCall>, ok: bool, result: &Value) -> Vec<Fact> {
    if !ok {
        let outcome = result.pointer("/error/code").and_then(Value::as_str).map(str::to_owned);
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

fn happened(parsed: &ParsedCall, result: &Value) -> Vec<Fact> {
    if parsed.is_dry_run() {
        return Vec::new();
    }
    if parsed.class != EffectClass::WriteState {
        return parsed.input.built_in().facts(result);
    }
    let (path, to) = (parsed.path().cloned(), parsed.to().cloned());
    let sha256 = text(result, "sha256After");
    let changed = Fact { path, sha256, to, ..Fact::new(FactKind::StateChanged) };
    let back = match parsed.input {
        ToolInput::Rewind(_) => restored(result),
        _ => Vec::new(),
    };
    Some(changed).filter(|_| !is_noop(result)).into_iter().chain(back).collect()
}

/// A file that was written, or that held the content already.
pub(super) fn written(path: &AliasPath, result: &Value) -> Fact {
    let kind = if is_noop(result) { FactKind::FileNoop } else { FactKind::FileWritten };
    Fact { sha256: text(result, "sha256After"), ..Fact::at(kind, path) }
}

/// The files a rewind brought back, and those it took away again.
pub(super) fn restored(result: &Value) -> Vec<Fact> {
    let files = Restored::of(result).map(|restored| restored.restored).unwrap_or_default();
    let fact = |file: RestoredFile| {
        let kind = if file.removed { FactKind::FileDeleted } else { FactKind::FileWritten };
        Fact { sha256: file.sha256, ..Fact::at(kind, &file.path) }
    };
    files.into_iter().map(fact).collect()
}

/// The check of the one file that a call worked on. Only our own file tools look; a `verification`
/// of anybody else is a claim.
pub(super) fn verified(path: &AliasPath, result: &Value) -> Option<Fact> {
    let sha256 = text(result, "sha256After").or_else(|| text(result, "sha256"));
    verification(result).map(|check| check.fact(Some(path.clone()), sha256))
}

/// The check that a result tells of, when somebody looked.
pub(super) fn verification(result: &Value) -> Option<Verification> {
    let verification = result.get("verification").cloned()?;
    serde_json::from_value::<Verification>(verification).ok().filter(|check| check.performed)
}

pub(super) fn text(result: &Value, key: &str) -> Option<String> {
    result.get(key).and_then(Value::as_str).map(str::to_owned)
}

fn is_noop(result: &Value) -> bool {
    result.get("noop_write") == Some(&Value::Bool(true))
}
