//! The five JSON Schemas of the package format (spec 03 "Package format"), draft 2020-12, written
//! here and embedded. All errors of a value are reported, each with where, by which rule, and what
//! to do.

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{Draft, ValidationError, Validator};
use serde_json::Value;
use std::sync::LazyLock;

use super::{Finding, Severity};
use crate::bounds::{FINDINGS, SCHEMA_VALUES};
use crate::phrase::{Phrase, Why, advice, misfits};
use crate::text;

/// Which of the five schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaKind {
    /// `bmad.json`.
    Manifest,
    /// `agents.json`.
    Agents,
    /// `workflow.graph.json`.
    Graph,
    /// The front matter of `workflow.md`, in a package and in a run's state.
    Workflow,
    /// The front matter of a step file.
    Step,
}

type Compiled = LazyLock<Result<Validator, String>>;

static MANIFEST: Compiled = LazyLock::new(|| compile(include_str!("schemas/manifest.schema.json")));
static AGENTS: Compiled = LazyLock::new(|| compile(include_str!("schemas/agents.schema.json")));
static GRAPH: Compiled = LazyLock::new(|| compile(include_str!("schemas/graph.schema.json")));
static WORKFLOW: Compiled = LazyLock::new(|| compile(include_str!("schemas/workflow.schema.json")));
static STEP: Compiled = LazyLock::new(|| compile(include_str!("schemas/step.schema.json")));

fn compile(text: &str) -> Result<Validator, String> {
    let schema: Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(true)
        .build(&schema)
        .map_err(|e| e.to_string())
}

impl SchemaKind {
    fn compiled(self) -> &'static Result<Validator, String> {
        match self {
            Self::Manifest => &MANIFEST,
            Self::Agents => &AGENTS,
            Self::Graph => &GRAPH,
            Self::Workflow => &WORKFLOW,
            Self::Step => &STEP,
        }
    }
}

/// Every way in which `value` breaks the schema, as findings of severity error on `file` (a path
/// relative to the package root, or an alias path). Empty when it fits. The library makes all of
/// them at once, several for one value: of a huge value only the first one is looked for.
pub fn validate(kind: SchemaKind, file: &str, value: &Value) -> Vec<Finding> {
    match kind.compiled() {
        Ok(validator) if is_huge(value) => {
            validator.validate(value).err().iter().map(|e| finding(file, e)).collect()
        }
        Ok(validator) => {
            let errors = validator.iter_errors(value).take(FINDINGS + 1);
            errors.map(|e| finding(file, &e)).collect()
        }
        // A test compiles all five, so this is a build that was never tested. Fail closed.
        Err(why) => {
            vec![Finding::new(
                Severity::Error,
                file,
                "schema",
                misfits::value_unfit(Why::quoted(why)),
            )]
        }
    }
}

fn is_huge(value: &Value) -> bool {
    let mut open = vec![value];
    let mut count = 0;
    while let Some(value) = open.pop() {
        count += 1;
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(map) => open.extend(map.values()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
        if count + open.len() > SCHEMA_VALUES {
            return true;
        }
    }
    false
}

fn finding(file: &str, error: &ValidationError<'_>) -> Finding {
    let mut found = Finding::new(Severity::Error, file, "schema", says(error));
    if let Some(advice) = hint(error) {
        found = found.with_hint(advice);
    }
    found.instance_path = Some(error.instance_path().to_string());
    found.schema_path = Some(error.schema_path().to_string());
    found
}

/// What is wrong. Where is `instance_path`'s to say.
fn says(error: &ValidationError<'_>) -> Phrase {
    let value = || text::ellipsis(&error.instance().to_string(), 200);
    match error.kind() {
        Kind::AdditionalProperties { unexpected } => misfits::unknown_property(names(unexpected)),
        Kind::Required { property } => misfits::missing_property(bare(property)),
        Kind::Enum { .. } => misfits::value_not_allowed(value()),
        Kind::Type { .. } => misfits::value_of_other_type(value()),
        Kind::Pattern { .. } | Kind::Format { .. } => misfits::value_malformed(value()),
        Kind::MinLength { .. } => misfits::text_empty(),
        Kind::MaxLength { limit } => misfits::text_too_long(limit),
        Kind::MinItems { .. } => misfits::list_too_short(),
        Kind::Minimum { .. } => misfits::number_too_small(value()),
        Kind::Maximum { .. } => misfits::number_too_large(value()),
        _ => misfits::value_unfit(Why::quoted(text::ellipsis(&error.to_string(), 400))),
    }
}

/// What to do. `None` where what is wrong says it all.
fn hint(error: &ValidationError<'_>) -> Option<Phrase> {
    Some(match error.kind() {
        Kind::AdditionalProperties { unexpected } => advice::remove_property(names(unexpected)),
        Kind::Required { property } => advice::add_property(bare(property)),
        Kind::Enum { options } => {
            let texts = options.as_array().map(|all| all.iter().map(Value::to_string));
            let texts = texts.map(|all| all.collect::<Vec<_>>().join(", "));
            advice::use_one_of(texts.unwrap_or_else(|| options.to_string()))
        }
        Kind::Type { kind } => type_hint(kind, error.instance()),
        Kind::Pattern { pattern } => pattern_hint(pattern),
        Kind::Format { format } if format == "date-time" => advice::write_time(),
        Kind::MinLength { .. } => advice::write_something(),
        Kind::MaxLength { limit } => advice::write_less(limit),
        Kind::MinItems { limit } => advice::add_entries(limit),
        Kind::Minimum { limit } => advice::use_at_least(limit),
        Kind::Maximum { limit } => advice::use_at_most(limit),
        _ => return None,
    })
}

fn names(list: &[String]) -> String {
    list.iter()
        .take(20)
        .map(|n| format!("`{}`", text::ellipsis(&n.escape_debug().to_string(), 80)))
        .collect::<Vec<_>>()
        .join(", ")
}

/// The name of a property without the quotes of its JSON.
fn bare(property: &Value) -> String {
    property.as_str().map_or_else(|| property.to_string(), str::to_owned)
}

fn type_hint(kind: &TypeKind, instance: &Value) -> Phrase {
    let wanted = match kind {
        TypeKind::Single(one) => one.to_string(),
        TypeKind::Multiple(several) => {
            several.iter().map(|t| t.to_string()).collect::<Vec<_>>().join(" / ")
        }
    };
    if wanted.contains("string") && (instance.is_number() || instance.is_boolean()) {
        // The usual slip in YAML: an unquoted 1.1 or yes.
        return advice::write_in_quotes(instance);
    }
    advice::write_type(wanted)
}

fn pattern_hint(pattern: &str) -> Phrase {
    if pattern.starts_with(r"^1\.") {
        return advice::write_format_version();
    }
    if pattern.starts_with("^(0|") {
        return advice::write_version();
    }
    if pattern.contains("[A-Za-z0-9][") {
        return advice::write_id();
    }
    if pattern.contains("{64}") {
        return advice::write_hash();
    }
    advice::match_pattern(pattern)
}

#[cfg(test)]
mod tests;
