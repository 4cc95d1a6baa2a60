//! `fs.list`: what a folder holds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::built_in::{AtPath, BuiltIn, EffectClass, Offer, Tool, schema_of};
use super::check::{canonical, named_path, typed};
use super::output::CallResult;
use crate::bounds;
use crate::code::Failure;
use crate::facts::{Fact, FactKind};
use crate::path::AliasPath;

/// What a model calls it, dotted.
pub const NAME: &str = "fs.list";

pub(super) const TOOL: Tool = Tool {
    name: NAME,
    description: "List a folder. Folders end in `/`; dot files are hidden; at most 200 entries.",
    class: EffectClass::Read,
    works_on_files: true,
    writes_one_file: false,
    offered: Offer::Anywhere,
    other_names: &["LS"],
    runs_need: None,
    schema: schema_of::<Args>,
};

/// The arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Folder, e.g. `@project/artifacts`.
    pub path: String,
    /// How deep to go, 1 to 5. Default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = bounds::LIST_DEPTH))]
    pub depth: Option<u32>,
}

/// What it says.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The folder.
    pub path: AliasPath,
    /// Names below it, folders with `/`.
    pub entries: Vec<String>,
    /// Whether there is more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
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

    fn facts(&self, _: &CallResult) -> Vec<Fact> {
        vec![Fact::at(FactKind::FileListed, &self.path)]
    }
}

pub(super) fn parse(args: Value) -> Result<Input, Failure> {
    let mut args: Args = typed(&TOOL, args)?;
    let path = named_path("path", &mut args.path)?;
    Ok(Input { args, path })
}
