//! `fs.write`: the content of a file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::built_in::{AtPath, BuiltIn, EffectClass, Offer, Tool, closed, one_of, schema_of};
use super::check::{canonical, check_scope, invalid, named_path, typed};
use super::facts::{verified, written};
use super::output::{CallResult, Lost};
use crate::bounds::KNOWN_TEXT_BYTES;
use crate::code::Failure;
use crate::facts::{Fact, Verification};
use crate::path::AliasPath;

/// What a model calls it, dotted.
pub const NAME: &str = "fs.write";

pub(super) const TOOL: Tool = Tool {
    name: NAME,
    description: "Write a file below @project, atomically. Missing folders are made. @pkg is read only.",
    class: EffectClass::WriteProject,
    works_on_files: true,
    writes_one_file: true,
    offered: Offer::Anywhere,
    other_names: &["Write"],
    runs_need: None,
    schema: schema_of::<Args>,
};

/// The arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// File, e.g. `@project/artifacts/report.md`. Missing folders are made.
    pub path: String,
    /// The whole new content, or what to append.
    pub content: String,
    /// Default `overwrite`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<WriteMode>,
    /// Refuse unless the file still has this SHA-256.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_match_sha256: Option<String>,
    /// Read the file back and compare. Default: as the settings say.
    #[serde(rename = "verify_after_write", default, skip_serializing_if = "Option::is_none")]
    pub verify_after_write: Option<bool>,
    /// What the check stands for: `artifact:<project-relative path>` (default) or `workspace`.
    #[serde(rename = "verification_scope", default, skip_serializing_if = "Option::is_none")]
    pub verification_scope: Option<String>,
}

/// Its schema when only these files are to be written; any, when there are none.
pub(super) fn schema_for(files: &[AliasPath]) -> Value {
    closed([("path", one_of(files)), ("content", json!({ "type": "string" }))])
}

/// What a write says, and a patch: with `dry_run` what it would say.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The file.
    pub path: AliasPath,
    /// How much was written; nothing when the content was there already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_written: Option<u64>,
    /// Whether nothing was done.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
    /// SHA-256 of the file before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256_before: Option<String>,
    /// Whether there was no such file.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub created: bool,
    /// SHA-256 of the file after.
    pub sha256_after: Option<String>,
    /// Whether the content was there already.
    #[serde(rename = "noop_write", skip_serializing_if = "std::ops::Not::not")]
    pub noop_write: bool,
    /// How many lines came and went.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diffstat: Option<DiffStat>,
    /// How many texts a patch replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced: Option<usize>,
    /// How many hunks of a diff were applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hunks: Option<usize>,
    /// What was not as a diff says.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repaired: Vec<String>,
    /// `crlf`, when the content was given the line ends of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_endings: Option<&'static str>,
    /// Whether it is told from what the program found after it had died.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub recovered: bool,
    /// What a dry run would change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// What came of the check that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification: Option<Verification>,
    /// What cannot be brought back.
    #[serde(flatten)]
    pub lost: Lost,
}

impl Output {
    /// Says nothing yet but which file it is about.
    pub fn about(path: AliasPath) -> Self {
        Self {
            path,
            bytes_written: None,
            dry_run: false,
            sha256_before: None,
            created: false,
            sha256_after: None,
            noop_write: false,
            diffstat: None,
            replaced: None,
            hunks: None,
            repaired: Vec::new(),
            line_endings: None,
            recovered: false,
            diff: None,
            verification: None,
            lost: Lost::default(),
        }
    }
}

/// How many lines a write adds and removes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct DiffStat {
    /// How many come.
    pub added: usize,
    /// How many go.
    pub removed: usize,
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
        let check = verified(&self.path, result);
        let unchecked = check.as_ref().is_none_or(|check| check.passed() != Some(true));
        let known = self.known_text().filter(|_| unchecked);
        let written = Fact {
            expected: known.into_iter().map(str::to_owned).collect(),
            ..written(&self.path, result)
        };
        [written].into_iter().chain(check).collect()
    }
}

impl Input {
    /// The whole content that the file has afterwards, when it is short enough to be looked for.
    fn known_text(&self) -> Option<&str> {
        let whole = self.args.mode.unwrap_or_default() == WriteMode::Overwrite;
        let text = self.args.content.as_str();
        (whole && text.len() <= KNOWN_TEXT_BYTES && !text.trim().is_empty()).then_some(text)
    }
}

pub(super) fn parse(args: Value) -> Result<Input, Failure> {
    let mut args: Args = typed(&TOOL, args)?;
    if args.path.trim_end().ends_with(['/', '\\']) {
        return Err(invalid(&TOOL, "path: it names a folder; send the name of a file"));
    }
    let path = named_path("path", &mut args.path)?;
    check_scope(&TOOL, args.verification_scope.as_deref(), Some(&path))?;
    Ok(Input { args, path })
}

/// What becomes of what is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Default)]
#[serde(rename_all = "lowercase")]
pub enum WriteMode {
    /// Replace it.
    #[default]
    Overwrite,
    /// Add at the end.
    Append,
}
