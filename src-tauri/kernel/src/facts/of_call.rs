//! What a call's typed result proves. Text and what a server says of itself prove nothing.

use serde_json::Value;

use super::{Fact, FactKind, Scope, Verification};
use crate::path::AliasPath;
use crate::restore::{Restored, RestoredFile};
use crate::tool::{EffectClass, ParsedCall, is_dry_run};

const REWIND: &str = "workflow.rewind";

/// The facts of a result; `parsed` is `None` when the call fitted no tool.
pub(crate) fn facts_of(parsed: Option<&ParsedCall>, ok: bool, result: &Value) -> Vec<Fact> {
    let path = parsed.and_then(|p| p.path.clone());
    if !ok {
        let outcome = result.pointer("/error/code").and_then(Value::as_str).map(str::to_owned);
        let mut facts = vec![Fact { path, outcome, ..Fact::new(FactKind::ToolError) }];
        // Files that are back stay back, also when the state document could not follow.
        if parsed.is_some_and(|parsed| parsed.tool.name == REWIND) {
            facts.extend(restored(result));
        }
        return facts;
    }
    let Some(parsed) = parsed else { return Vec::new() };
    let mut facts: Vec<Fact> = happened(parsed, path, result).into_iter().collect();
    if parsed.tool.name == REWIND {
        facts.extend(restored(result));
    }
    // Only our own file tools look; a `verification` of anybody else is a claim.
    if parsed.tool.name.starts_with("fs.") && !is_dry_run(&parsed.args) {
        facts.extend(verified(parsed, result));
    }
    facts
}

fn happened(parsed: &ParsedCall, path: Option<AliasPath>, result: &Value) -> Option<Fact> {
    if is_dry_run(&parsed.args) {
        return None;
    }
    let text = |key: &str| result.get(key).and_then(Value::as_str).map(str::to_owned);
    let unchanged = result.get("noop_write") == Some(&Value::Bool(true));
    let (kind, sha256) = match (parsed.tool.name, parsed.class) {
        (_, EffectClass::WriteState) if unchanged => return None,
        (_, EffectClass::WriteState) => (FactKind::StateChanged, text("sha256After")),
        ("fs.move", EffectClass::WriteProject) => (FactKind::FileMoved, text("sha256")),
        ("fs.delete", EffectClass::WriteProject) => (FactKind::FileDeleted, None),
        (_, EffectClass::WriteProject) if unchanged => (FactKind::FileNoop, text("sha256After")),
        (_, EffectClass::WriteProject) => (FactKind::FileWritten, text("sha256After")),
        ("fs.read", _) => (FactKind::FileRead, text("sha256")),
        ("fs.list" | "fs.search" | "fs.glob", _) => (FactKind::FileListed, None),
        (_, EffectClass::Read | EffectClass::Session | EffectClass::External) => return None,
    };
    Some(Fact { path, sha256, to: parsed.to.clone(), ..Fact::new(kind) })
}

/// The files a rewind brought back, and those it took away again.
fn restored(result: &Value) -> Vec<Fact> {
    let files = Restored::of(result).map(|restored| restored.restored).unwrap_or_default();
    let fact = |file: RestoredFile| {
        let kind = if file.removed { FactKind::FileDeleted } else { FactKind::FileWritten };
        Fact { path: Some(file.path), sha256: file.sha256, ..Fact::new(kind) }
    };
    files.into_iter().map(fact).collect()
}

fn verified(parsed: &ParsedCall, result: &Value) -> Vec<Fact> {
    let verification = result.get("verification").cloned();
    let verification =
        verification.and_then(|value| serde_json::from_value::<Verification>(value).ok());
    let Some(verification) = verification.filter(|v| v.performed) else { return Vec::new() };
    let fact = |path: Option<AliasPath>, sha256: Option<String>| Fact {
        path,
        sha256,
        outcome: Some(if verification.passed { "passed" } else { "failed" }.to_owned()),
        scope: Some(verification.scope.clone()),
        ..Fact::new(FactKind::Verification)
    };
    if parsed.tool.name == "fs.glob" {
        if verification.files.is_empty() {
            // Nothing was found: what was looked for is known only when the scope names it.
            let named = match Scope::parse(&verification.scope) {
                Some(Scope::Artifact(path)) => Some(path),
                Some(Scope::Workspace) | None => None,
            };
            return vec![fact(named, None)];
        }
        let files = verification.files.iter();
        return files.map(|f| fact(Some(f.path.clone()), Some(f.sha256.clone()))).collect();
    }
    let text = |key: &str| result.get(key).and_then(Value::as_str).map(str::to_owned);
    vec![fact(parsed.path.clone(), text("sha256After").or_else(|| text("sha256")))]
}
