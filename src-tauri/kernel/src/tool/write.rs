//! `fs.write`: the content of a file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::check::{canonical, check_scope, named_path, typed};
use super::facts::{verified, written};
use super::{At, BuiltIn, EffectClass, Tool, ToolInput, schema_of};
use crate::code::Failure;
use crate::facts::Fact;
use crate::path::AliasPath;

/// What a model calls it, dotted.
pub const NAME: &str = "fs.write";

pub(super) const TOOL: Tool = Tool {
    name: NAME,
    description: "Write a file below @project, atomically. Missing folders are made. @pkg is read only.",
    class: EffectClass::WriteProject,
    works_on_files: true,
    writes_one_file: true,
    schema: schema_of::<Args>,
    parse: |args| parse(args).map(ToolInput::Write),
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

/// A checked call: the arguments and the path they name.
pub type Input = At<Args>;

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

    fn facts(&self, result: &Value) -> Vec<Fact> {
        let written = written(&self.path, result);
        [written].into_iter().chain(verified(&self.path, result)).collect()
    }
}

fn parse(args: Value) -> Result<Input, Failure> {
    let mut args: Args = typed(&TOOL, args)?;
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
