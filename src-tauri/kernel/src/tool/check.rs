//! From what a model wrote to a call that fits its tool: JSON, schema, paths, checks. Every
//! refusal names the field and the expected shape: small models repair from it.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::args::{
    DeleteArgs, GlobArgs, ListArgs, MoveArgs, PatchArgs, ReadArgs, RewindArgs, SearchArgs,
    WriteArgs,
};
use super::{BUILT_IN, EffectClass, ParsedCall, Tool, find, wire_name};
use crate::bounds::{self, UnfitGlob};
use crate::code::{ErrorCode, Failure};
use crate::facts::Scope;
use crate::mark;
use crate::path::{AliasPath, PathError};

/// Parses the arguments of a call.
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
    let mut args = check_args(tool, args)?;
    let (path, to) = paths(tool, &args)?;
    for (argument, path) in [("path", &path), ("from", &path), ("to", &to)] {
        let named = args.get_mut(argument).filter(|named| mark::occurs_in_value(named));
        if let (Some(named), Some(path)) = (named, path) {
            *named = json!(path);
        }
    }
    check_verification(tool, &args, path.as_ref())?;
    let class = class(tool, &args, path.as_ref(), to.as_ref());
    if class == EffectClass::WriteState {
        check_marks(&args)?;
    }
    Ok(ParsedCall { tool, args, path, to, class })
}

/// Changing the state document is [`EffectClass::WriteState`], whichever tool does it; a dry run
/// of a patch only reads.
fn class(
    tool: &Tool,
    args: &Value,
    path: Option<&AliasPath>,
    to: Option<&AliasPath>,
) -> EffectClass {
    let state = AliasPath::state_document();
    if tool.class != EffectClass::WriteProject {
        return tool.class;
    }
    if [path, to].into_iter().flatten().any(|path| *path == state) {
        return EffectClass::WriteState;
    }
    if is_dry_run(args) { EffectClass::Read } else { EffectClass::WriteProject }
}

/// Whether checked arguments ask for a dry run.
pub(crate) fn is_dry_run(args: &Value) -> bool {
    args.get("dryRun") == Some(&Value::Bool(true))
}

fn check_args(tool: &Tool, args: Value) -> Result<Value, Failure> {
    // A list would be taken for the fields in their order.
    if !args.is_object() {
        return Err(invalid(tool, "the arguments must be one JSON object"));
    }
    match tool.name {
        "fs.list" => typed::<ListArgs>(tool, args),
        "fs.read" => typed::<ReadArgs>(tool, args),
        "fs.search" => typed::<SearchArgs>(tool, args).and_then(|args| fit_globs(tool, args)),
        "fs.glob" => typed::<GlobArgs>(tool, args).and_then(|args| rooted_pattern(tool, args)),
        "fs.write" => typed::<WriteArgs>(tool, args),
        "fs.apply_patch" => {
            typed::<PatchArgs>(tool, nest_patch(args)).and_then(|args| few_operations(tool, args))
        }
        "fs.move" => typed::<MoveArgs>(tool, args),
        "fs.delete" => typed::<DeleteArgs>(tool, args),
        "workflow.rewind" => typed::<RewindArgs>(tool, args),
        // `ui.ask_user` is checked by the widget module, which knows the six types.
        _ => Ok(args),
    }
}

fn invalid(tool: &Tool, message: &str) -> Failure {
    Failure::for_model(ErrorCode::InvalidArgs, format!("{}: {message}", wire_name(tool.name)))
        .with_details(json!({ "expected": (tool.schema)() }))
}

/// Through the Rust type and back: unknown fields are refused, aliases renamed, defaults absent.
fn typed<T: DeserializeOwned + Serialize>(tool: &Tool, args: Value) -> Result<Value, Failure> {
    let value: T = serde_json::from_value(args).map_err(|e| invalid(tool, &e.to_string()))?;
    serde_json::to_value(value).map_err(|e| invalid(tool, &e.to_string()))
}

const PATCH_KEYS: &[&str] = &["operation", "update", "old", "new", "all", "diff"];

/// Accepts the flat call `{path, operation, update}` beside the nested one (spec 05), a bare text
/// as a unified diff, and an `ifMatchSha256` inside the patch.
fn nest_patch(args: Value) -> Value {
    let Value::Object(mut map) = args else { return args };
    if !map.contains_key("patch") && map.contains_key("operation") {
        let mut patch = Map::new();
        for key in PATCH_KEYS {
            if let Some(value) = map.remove(*key) {
                patch.insert((*key).to_owned(), value);
            }
        }
        map.insert("patch".to_owned(), Value::Object(patch));
    }
    match map.get_mut("patch") {
        Some(Value::Object(patch)) => {
            if let Some(hash) = patch.remove("ifMatchSha256") {
                map.entry("ifMatchSha256").or_insert(hash);
            }
        }
        Some(patch @ Value::String(_)) => {
            *patch = json!({ "operation": "unified", "diff": patch.take() });
        }
        _ => {}
    }
    Value::Object(map)
}

fn few_operations(tool: &Tool, args: Value) -> Result<Value, Failure> {
    let count = args.get("patch").and_then(Value::as_array).map_or(0, Vec::len);
    if count > bounds::PATCH_OPERATIONS {
        let most = bounds::PATCH_OPERATIONS;
        return Err(invalid(tool, &format!("patch: {count} operations; send at most {most}")));
    }
    Ok(args)
}

/// Globs that no library has to suffer.
fn fit_globs(tool: &Tool, args: Value) -> Result<Value, Failure> {
    let globs = args.get("globs").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if globs.len() > bounds::GLOBS {
        let message = format!("globs: {} of them; send at most {}", globs.len(), bounds::GLOBS);
        return Err(invalid(tool, &message));
    }
    for glob in globs.iter().filter_map(Value::as_str) {
        bounds::check_glob(glob)
            .map_err(|why| invalid(tool, &format!("globs: {why}; send several simple ones")))?;
    }
    Ok(args)
}

/// The pattern of `fs.glob` as `/`-separated segments below `path`; a mount at its beginning
/// becomes the `path`. What could climb out is refused, as in a path.
fn rooted_pattern(tool: &Tool, mut args: Value) -> Result<Value, Failure> {
    let text = args["pattern"].as_str().unwrap_or_default().trim().replace('\\', "/");
    let text = text.strip_prefix("./").unwrap_or(&text).to_owned();
    if text.chars().any(char::is_control) {
        return Err(refused("pattern", PathError::ControlCharacter));
    }
    let (mount, pattern) = match text.split_once('/') {
        Some((mount, rest)) if mount.starts_with('@') => (Some(mount), rest),
        None if text.starts_with('@') => (Some(text.as_str()), ""),
        _ => (None, text.as_str()),
    };
    if let Some(mount) = mount {
        let mount = AliasPath::parse(mount).map_err(|reason| refused("pattern", reason))?;
        args["path"] = json!(mount);
    }
    let absolute = |c: &str| c.starts_with(['/', '~']) || c.get(1..2) == Some(":");
    if absolute(pattern) || pattern.contains("://") {
        return Err(refused("pattern", PathError::Absolute));
    }
    // No name a path can say begins or ends with a space.
    let segments = pattern.split('/').map(str::trim).filter(|s| !matches!(*s, "" | "."));
    let segments: Vec<&str> = segments.collect();
    if segments.contains(&"..") {
        return Err(refused("pattern", PathError::Climbs));
    }
    if segments.first().is_some_and(|first| first.starts_with('@')) {
        let failure = invalid(tool, "pattern: it names a second place after its mount");
        return Err(
            failure.with_action_for_model("Put the folder into `path`, the rest into `pattern`.")
        );
    }
    if segments.is_empty() {
        return Err(invalid(tool, "pattern: it is empty; send for example `**/*.md`"));
    }
    let below = segments.join("/");
    // What a leading `./` hid: the checked pattern has to mean the same when it is checked again.
    if absolute(&below) {
        return Err(refused("pattern", PathError::Absolute));
    }
    match bounds::check_glob(pattern) {
        Ok(()) => {}
        Err(UnfitGlob::TooLong) => return Err(refused("pattern", PathError::TooLong)),
        Err(why @ UnfitGlob::TooManyAlternatives) => {
            return Err(invalid(tool, &format!("pattern: {why}; send several patterns")));
        }
    }
    args["pattern"] = json!(below);
    Ok(args)
}

/// The path a call names, and for `fs.move` the second one.
fn paths(tool: &Tool, args: &Value) -> Result<(Option<AliasPath>, Option<AliasPath>), Failure> {
    let parse = |field: &str, default: &str| {
        let text = args.get(field).and_then(Value::as_str).unwrap_or(default);
        // What stands in a file for a real path may be sent back as a path.
        let text = mark::as_alias(text).unwrap_or_else(|| text.to_owned());
        AliasPath::parse(&text).map_err(|reason| refused(field, reason))
    };
    match tool.name {
        "fs.move" => Ok((Some(parse("from", "")?), Some(parse("to", "")?))),
        "fs.glob" => Ok((Some(parse("path", "@project")?), None)),
        name if name.starts_with("fs.") => Ok((Some(parse("path", "")?), None)),
        _ => Ok((None, None)),
    }
}

fn refused(field: &str, reason: PathError) -> Failure {
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

/// A check that could not fail is no check: blank texts and a scope that names another file are
/// refused (spec 05 "Verification").
fn check_verification(tool: &Tool, args: &Value, path: Option<&AliasPath>) -> Result<(), Failure> {
    if let Some(tokens) = args.get("expect_contains").and_then(Value::as_array) {
        let blank = |token: &Value| token.as_str().unwrap_or_default().trim().is_empty();
        if tokens.is_empty() || tokens.iter().any(blank) {
            let message = "expect_contains: every text must hold more than white space";
            return Err(invalid(tool, message));
        }
        if tokens.len() > bounds::TOKENS {
            let message = format!("expect_contains: at most {} texts", bounds::TOKENS);
            return Err(invalid(tool, &message));
        }
        if tokens.iter().any(|token| token.as_str().unwrap_or_default().len() > bounds::TOKEN_BYTES)
        {
            let message = format!("expect_contains: at most {} bytes a text", bounds::TOKEN_BYTES);
            return Err(invalid(tool, &message));
        }
    }
    if args.get("expect_min_matches").and_then(Value::as_u64) == Some(0) {
        return Err(invalid(tool, "expect_min_matches: it must be at least 1"));
    }
    let Some(scope) = args.get("verification_scope").and_then(Value::as_str) else {
        return Ok(());
    };
    let wrong = |why: &str| invalid(tool, &format!("verification_scope: {why}"));
    match (Scope::parse(scope), path) {
        (None, _) => Err(wrong("send `artifact:<project-relative path>` or `workspace`")),
        (Some(Scope::Artifact(named)), Some(path)) if named != *path && tool.name != "fs.glob" => {
            Err(wrong("it names another file than `path`"))
        }
        (Some(_), _) => Ok(()),
    }
}
