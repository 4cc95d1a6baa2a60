//! From what a model wrote to a call that fits its tool: JSON, schema, paths, checks. Every
//! refusal names the field and the expected shape: small models repair from it.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{BUILT_IN, EffectClass, ParsedCall, Tool, find, wire_name};
use crate::code::{ErrorCode, Failure};
use crate::facts::Scope;
use crate::mark;
use crate::path::{AliasPath, PathError};

/// Parses the arguments of a call.
///
/// # Errors
/// `E_TOOL_NOT_AVAILABLE` for a name that is no tool, `TOOL_ARGS_INVALID_JSON`, `E_INVALID_ARGS`
/// for arguments that do not fit the tool, `E_SANDBOX_VIOLATION` for a path that leads nowhere.
pub fn parse_call(name: &str, arguments: &str) -> Result<ParsedCall, Failure> {
    let tool = find(name).ok_or_else(|| {
        let known: Vec<String> = BUILT_IN.iter().map(|t| wire_name(t.name)).collect();
        Failure::for_model(ErrorCode::ToolNotAvailable, format!("there is no tool `{name}`"))
            .with_details(json!({ "available": known }))
    })?;
    let text = if arguments.trim().is_empty() { "{}" } else { arguments };
    let args: Value = serde_json::from_str(text).map_err(|e| {
        Failure::for_model(
            ErrorCode::ToolArgsInvalidJson,
            format!("the arguments are not valid JSON: {e}"),
        )
        .with_action_for_model("Send one JSON object that fits the tool's schema.")
    })?;
    // A list would be taken for the fields in their order.
    if !args.is_object() {
        return Err(invalid(tool, "the arguments must be one JSON object"));
    }
    let call = ParsedCall::of((tool.parse)(args)?);
    if call.class == EffectClass::WriteState {
        check_marks(&call.args())?;
    }
    Ok(call)
}

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

/// The state document is known to the engine with its marks, so what it is to hold is looked at
/// here; of other files the host turns the marks back, and refuses what it cannot.
fn check_marks(args: &Value) -> Result<(), Failure> {
    let document = AliasPath::state_document();
    for (argument, value) in args.as_object().into_iter().flatten() {
        if let Some(unknown) = unknown_in(value) {
            return Err(unknown_mark(&document, argument, unknown));
        }
    }
    Ok(())
}

fn unknown_in(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => mark::unknown(text),
        Value::Array(items) => items.iter().find_map(unknown_in),
        Value::Object(map) => {
            map.iter().find_map(|(key, value)| mark::unknown(key).or_else(|| unknown_in(value)))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// Content that would land in a file as a mark.
pub fn unknown_mark(path: &AliasPath, argument: &str, mark: &str) -> Failure {
    let mark = mark::repeated(mark);
    let literal = mark.replacen(mark::OPEN, &format!("{}{}", mark::OPEN, mark::LITERAL), 1);
    let message = format!(
        "{path}: `{argument}` holds `{mark}`, which stands for no folder; nothing was changed"
    );
    let action = format!(
        "Copy marks exactly as they were read. If the file is to hold this very text, send `{literal}`."
    );
    Failure::for_model(ErrorCode::UnknownMark, message)
        .with_details(json!({ "argument": argument, "mark": mark }))
        .with_action_for_model(action)
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
    match (Scope::parse(scope), checked) {
        (None, _) => wrong("send `artifact:<project-relative path>` or `workspace`"),
        (Some(Scope::Artifact(named)), Some(path)) if named != *path => {
            wrong("it names another file than `path`")
        }
        (Some(_), _) => Ok(()),
    }
}
