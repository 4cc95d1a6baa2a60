//! `fs.delete`: a file or a folder goes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::check::{canonical, named_path, typed};
use super::{At, BuiltIn, EffectClass, Tool, ToolInput, schema_of};
use crate::code::Failure;
use crate::facts::{Fact, FactKind};
use crate::path::AliasPath;

/// What a model calls it, dotted.
pub const NAME: &str = "fs.delete";

pub(super) const TOOL: Tool = Tool {
    name: NAME,
    description: "Delete a file or an empty folder below @project; a folder with content only with `recursive`.",
    class: EffectClass::WriteProject,
    works_on_files: true,
    writes_one_file: false,
    schema: schema_of::<Args>,
    parse: |args| parse(args).map(ToolInput::Delete),
};

/// The arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// File or folder to delete.
    pub path: String,
    /// Delete a folder with everything in it. Default false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recursive: Option<bool>,
    /// Refuse unless the file still has this SHA-256.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_match_sha256: Option<String>,
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

    fn takes_folders(&self) -> bool {
        self.args.recursive == Some(true)
    }

    fn facts(&self, _: &Value) -> Vec<Fact> {
        vec![Fact::at(FactKind::FileDeleted, &self.path)]
    }
}

fn parse(args: Value) -> Result<Input, Failure> {
    let mut args: Args = typed(&TOOL, args)?;
    let path = named_path("path", &mut args.path)?;
    Ok(Input { args, path })
}
