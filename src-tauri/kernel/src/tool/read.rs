//! `fs.read`: a text file, whole or a window of its lines.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::built_in::{AtPath, BuiltIn, EffectClass, Offer, Tool, closed, one_of, schema_of};
use super::check::{canonical, check_scope, invalid, named_path, typed};
use super::facts::verified;
use super::output::CallResult;
use crate::bounds;
use crate::code::Failure;
use crate::facts::{Fact, FactKind, Verification};
use crate::path::{AliasPath, Mount};

/// What a model calls it, dotted.
pub const NAME: &str = "fs.read";

pub(super) const TOOL: Tool = Tool {
    name: NAME,
    description: "Read a UTF-8 file, whole or a window of lines. Search first, then read a window of a large file.",
    class: EffectClass::Read,
    works_on_files: true,
    writes_one_file: false,
    offered: Offer::Anywhere,
    other_names: &["Read"],
    runs_need: Some(Mount::Pkg),
    schema: schema_of::<Args>,
};

/// The arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// File, e.g. `@pkg/steps/step-01.md`.
    pub path: String,
    /// First line, 1-based.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub start_line: Option<u32>,
    /// Last line, inclusive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub end_line: Option<u32>,
    /// Check that the whole file holds each of these texts.
    #[serde(rename = "expect_contains", default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = bounds::TOKENS))]
    pub expect_contains: Option<Vec<String>>,
    /// What the check stands for: `artifact:<project-relative path>` (default) or `workspace`.
    #[serde(rename = "verification_scope", default, skip_serializing_if = "Option::is_none")]
    pub verification_scope: Option<String>,
}

/// Its schema when only these files are to be read; any, when there are none.
pub(super) fn schema_for(files: &[AliasPath]) -> Value {
    closed([("path", one_of(files))])
}

/// What it says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The file.
    pub path: AliasPath,
    /// How large all of it is.
    pub bytes: u64,
    /// SHA-256 of all of it.
    pub sha256: String,
    /// The file itself, where links lead from `path` to it.
    #[serde(rename = "resolvedPath", default, skip_serializing_if = "Option::is_none")]
    pub resolved: Option<AliasPath>,
    /// How many lines all of it has.
    pub total_lines: u64,
    /// The first line that is shown, when not all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_line: Option<u64>,
    /// The last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u64>,
    /// Whether less is shown than was asked for.
    pub truncated: bool,
    /// What is shown then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_preview: Option<String>,
    /// How to read on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What is shown otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// What came of the check that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification: Option<Verification>,
}

impl Output {
    /// Reads it back from a result; `None` when it is a refusal, or another program's.
    pub fn of(result: &Value) -> Option<Self> {
        Self::deserialize(result).ok()
    }
}

/// A checked call: the arguments and the path they name.
pub type Input = AtPath<Args>;

impl BuiltIn for Input {
    fn tool(&self) -> &'static Tool {
        &TOOL
    }

    fn args(&self) -> Value {
        canonical(&self.args)
    }

    fn path(&self) -> Option<&AliasPath> {
        Some(&self.path)
    }

    fn facts(&self, result: &CallResult) -> Vec<Fact> {
        let (resolved, sha256) = (result.resolved.clone(), result.sha256.clone());
        let read = Fact { resolved, sha256, ..Fact::at(FactKind::FileRead, &self.path) };
        let check = verified(&self.path, result).map(|check| {
            let failed = check.passed() == Some(false);
            let expected = self.args.expect_contains.clone().filter(|_| failed);
            Fact { expected: expected.unwrap_or_default(), ..check }
        });
        [read].into_iter().chain(check).collect()
    }
}

pub(super) fn parse(args: Value) -> Result<Input, Failure> {
    let mut args: Args = typed(&TOOL, args)?;
    let path = named_path("path", &mut args.path)?;
    check_tokens(args.expect_contains.as_deref())?;
    check_scope(&TOOL, args.verification_scope.as_deref(), Some(&path))?;
    Ok(Input { args, path })
}

/// A check that could not fail is no check: blank texts are refused (spec 05 "Verification").
fn check_tokens(tokens: Option<&[String]>) -> Result<(), Failure> {
    let Some(tokens) = tokens else { return Ok(()) };
    let refused = |message: &str| Err(invalid(&TOOL, &format!("expect_contains: {message}")));
    if tokens.is_empty() || tokens.iter().any(|token| token.trim().is_empty()) {
        return refused("every text must hold more than white space");
    }
    if tokens.len() > bounds::TOKENS {
        return refused(&format!("at most {} texts", bounds::TOKENS));
    }
    if tokens.iter().any(|token| token.len() > bounds::TOKEN_BYTES) {
        return refused(&format!("at most {} bytes a text", bounds::TOKEN_BYTES));
    }
    Ok(())
}
