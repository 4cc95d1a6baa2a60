//! From what a model wrote to a call that fits its tool: JSON, schema, paths, checks.

use serde_json::{Value, json};

use super::check::{NO_OBJECT, invalid};
use super::{BUILT_IN, EffectClass, ParsedCall, ToolInput, mcp, named, wire_name};
use crate::code::{ErrorCode, Failure};
use crate::mark;
use crate::mcp::is_server_tool;
use crate::path::AliasPath;

/// Parses the arguments of a call.
///
/// # Errors
/// `E_TOOL_NOT_AVAILABLE` for a name that is no tool, `TOOL_ARGS_INVALID_JSON`, `E_INVALID_ARGS`
/// for arguments that do not fit the tool, `E_SANDBOX_VIOLATION` for a path that leads nowhere.
pub fn parse_call(name: &str, arguments: &str) -> Result<ParsedCall, Failure> {
    parse_json(name, arguments, serde_json::from_str(arguments).as_ref())
}

/// Whether a tool would take these arguments, so that a model can be told to make the call.
pub(crate) fn takes(name: &str, args: &Value) -> bool {
    parse_json(name, "", Ok(args)).is_ok()
}

/// The same of arguments that were read as JSON.
pub(super) fn parse_json(
    name: &str,
    arguments: &str,
    json: Result<&Value, &serde_json::Error>,
) -> Result<ParsedCall, Failure> {
    let of_server = is_server_tool(name.trim());
    let called = named(name);
    if called.is_none() && !of_server {
        let known: Vec<String> = BUILT_IN.iter().map(|t| wire_name(t.name)).collect();
        let message = format!("there is no tool `{name}`");
        return Err(Failure::for_model(ErrorCode::ToolNotAvailable, message)
            .with_details(json!({ "available": known })));
    }
    let args = match json {
        Ok(args) => args.clone(),
        Err(_) if arguments.trim().is_empty() => json!({}),
        Err(e) => {
            let message = format!("the arguments are not valid JSON: {e}");
            return Err(Failure::for_model(ErrorCode::ToolArgsInvalidJson, message)
                .with_action_for_model("Send one JSON object that fits the tool's schema."));
        }
    };
    let Some((tool, read)) = called else {
        return mcp::parse(name.trim(), args).map(ToolInput::Mcp).map(ParsedCall::of);
    };
    // A list would be taken for the fields in their order.
    if !args.is_object() {
        return Err(invalid(tool, NO_OBJECT));
    }
    let call = ParsedCall::of(read(args)?);
    if call.class == EffectClass::WriteState {
        check_marks(&call.args())?;
    }
    Ok(call)
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
