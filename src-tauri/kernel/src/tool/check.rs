//! What is checked of the arguments of more than one tool. Every refusal names the field and the
//! expected shape: small models repair from it.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::built_in::{Tool, wire_name};
use crate::code::{ErrorCode, Failure};
use crate::facts::VerificationScope;
use crate::mark;
use crate::path::{AliasPath, PathError};

/// What is said of arguments of another kind.
pub(super) const NO_OBJECT: &str = "the arguments must be one JSON object";

/// Arguments that do not fit their tool.
pub(super) fn invalid(tool: &Tool, message: &str) -> Failure {
    Failure::for_model(ErrorCode::InvalidArgs, format!("{}: {message}", wire_name(tool.name)))
        .with_details(json!({ "expected": (tool.schema)() }))
}

/// The arguments as the tool's Rust type: unknown fields are refused, aliases renamed.
pub(super) fn typed<A: DeserializeOwned>(tool: &Tool, args: Value) -> Result<A, Failure> {
    serde_json::from_value(args).map_err(|e| invalid(tool, &e.to_string()))
}

/// Checked arguments as JSON: what hashes, confirmations and changes that wait are made of. What
/// was not said is absent.
pub(super) fn canonical(args: &impl Serialize) -> Value {
    // Arguments are texts, numbers and maps with texts for keys, which all have a JSON form.
    serde_json::to_value(args).unwrap_or_default()
}

/// The path that an argument names. A mark in it, which stands in a file for a real path and may
/// be sent back, is replaced by the alias.
pub(super) fn named_path(argument: &str, text: &mut String) -> Result<AliasPath, Failure> {
    let alias = mark::as_alias(text);
    let path = AliasPath::parse(alias.as_deref().unwrap_or(text))
        .map_err(|reason| refused(argument, reason))?;
    if mark::occurs_in(text) {
        *text = path.to_string();
    }
    Ok(path)
}

/// A path that no tool may touch.
pub(super) fn refused(field: &str, reason: PathError) -> Failure {
    Failure::for_model(ErrorCode::SandboxViolation, format!("{field}: {reason}"))
        .with_details(json!({ "reason": reason }))
        .with_action_for_model(
            "Name the file by its alias, for example @project/artifacts/report.md.",
        )
}

/// A scope that names another file than the one `checked` would be a claim about that file (spec 05
/// "Verification").
pub(super) fn check_scope(
    tool: &Tool,
    scope: Option<&str>,
    checked: Option<&AliasPath>,
) -> Result<(), Failure> {
    let Some(scope) = scope else { return Ok(()) };
    let wrong = |why: &str| Err(invalid(tool, &format!("verification_scope: {why}")));
    match (VerificationScope::parse(scope), checked) {
        (None, _) => wrong("send `artifact:<project-relative path>` or `workspace`"),
        (Some(VerificationScope::Artifact(named)), Some(path)) if named != *path => {
            wrong("it names another file than `path`")
        }
        (Some(_), _) => Ok(()),
    }
}
