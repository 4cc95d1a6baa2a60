//! The five JSON Schemas of the package format (reference §3.2), draft 2020-12, written here and
//! embedded. All errors of a value are reported, each with where, by which rule, and what to do.

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{Draft, ValidationError, Validator};
use serde_json::Value;
use std::sync::LazyLock;

use super::{Finding, Severity};

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
/// relative to the package root, or an alias path). Empty when it fits.
pub fn validate(kind: SchemaKind, file: &str, value: &Value) -> Vec<Finding> {
    match kind.compiled() {
        Ok(validator) => validator.iter_errors(value).map(|e| finding(file, &e)).collect(),
        // A test compiles all five, so this is a build that was never tested. Fail closed.
        Err(why) => vec![plain(file, format!("the built-in schema is broken: {why}"))],
    }
}

fn plain(file: &str, message: String) -> Finding {
    Finding {
        severity: Severity::Error,
        file: file.to_owned(),
        kind: "schema".to_owned(),
        message,
        instance_path: None,
        schema_path: None,
        hint: None,
    }
}

fn finding(file: &str, error: &ValidationError<'_>) -> Finding {
    let at = error.instance_path().to_string();
    let place = if at.is_empty() { "the top level".to_owned() } else { format!("`{at}`") };
    Finding {
        instance_path: Some(at),
        schema_path: Some(error.schema_path().to_string()),
        hint: hint(error),
        ..plain(file, format!("{place}: {}", crate::text::ellipsis(&error.to_string(), 400)))
    }
}

/// What to do, in words. `None` where the message says it all.
fn hint(error: &ValidationError<'_>) -> Option<String> {
    Some(match error.kind() {
        Kind::AdditionalProperties { unexpected } => {
            format!("Remove or rename the unknown property {}.", names(unexpected))
        }
        Kind::Required { property } => format!("Add the missing property {property}."),
        Kind::Enum { options } => match options.as_array() {
            Some(values) => {
                let texts: Vec<String> = values.iter().map(Value::to_string).collect();
                format!("Use one of {}.", texts.join(", "))
            }
            None => format!("Use {options}."),
        },
        Kind::Type { kind } => type_hint(kind, error.instance()),
        Kind::Pattern { pattern } => pattern_hint(pattern),
        Kind::Format { format } if format == "date-time" => {
            "Write a date and time with a time zone, for example 2026-01-31T09:30:00Z.".to_owned()
        }
        Kind::MinLength { .. } => "Write a text that is not empty.".to_owned(),
        Kind::MinItems { limit } => format!("The list needs at least {limit} entry."),
        Kind::Minimum { limit } => format!("Use a number of at least {limit}."),
        Kind::Maximum { limit } => format!("Use a number of at most {limit}."),
        _ => return None,
    })
}

fn names(list: &[String]) -> String {
    list.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
}

fn type_hint(kind: &TypeKind, instance: &Value) -> String {
    let wanted = match kind {
        TypeKind::Single(one) => one.to_string(),
        TypeKind::Multiple(several) => {
            several.iter().map(|t| t.to_string()).collect::<Vec<_>>().join(" or ")
        }
    };
    if wanted.contains("string") && (instance.is_number() || instance.is_boolean()) {
        // The usual slip in YAML: an unquoted 1.1 or yes.
        return format!("Write it in quotes: \"{instance}\".");
    }
    format!("Write a value of type {wanted}.")
}

fn pattern_hint(pattern: &str) -> String {
    if pattern.starts_with(r"^1\.1") {
        return "This runtime reads packages of format 1.1: write \"1.1\".".to_owned();
    }
    if pattern.starts_with("^(0|") {
        return "Use a version of three numbers, for example 1.0.0 or 1.0.0-beta.1.".to_owned();
    }
    if pattern.starts_with("^[A-Za-z0-9][") {
        return "Start with a letter or digit and use only letters, digits and . _ : -".to_owned();
    }
    if pattern.contains("{64}") {
        return "Write 64 hexadecimal characters.".to_owned();
    }
    format!("The text must match {pattern}.")
}

#[cfg(test)]
mod tests;
