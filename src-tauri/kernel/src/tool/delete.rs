//! `fs.delete`: a file or a folder goes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::built_in::{AtPath, BuiltIn, EffectClass, Offer, Tool, schema_of};
use super::check::{canonical, named_path, typed};
use super::output::{CallResult, Lost};
use crate::changed_files::CallFileChange;
use crate::code::Failure;
use crate::facts::{Fact, FactKind};
use crate::path::AliasPath;
use crate::restore::Began;

/// What a model calls it, dotted.
pub const NAME: &str = "fs.delete";

pub(super) const TOOL: Tool = Tool {
    name: NAME,
    description: "Delete a file or an empty folder below @project; a folder with content only with `recursive`.",
    class: EffectClass::WriteProject,
    works_on_files: true,
    writes_one_file: false,
    offered: Offer::Anywhere,
    other_names: &[],
    runs_need: None,
    schema: schema_of::<Args>,
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

/// What it says.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// What is gone.
    pub path: AliasPath,
    /// What it was.
    pub deleted: Deleted,
    /// How many files a folder held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<usize>,
    /// How many folders it held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folders: Option<usize>,
    /// SHA-256 of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256_before: Option<String>,
    /// How much it was.
    pub bytes: u64,
    /// What could not be removed, and where it lies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leftover: Option<String>,
    /// Whether it is told from what the program found after it had died.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub recovered: bool,
    /// What cannot be brought back.
    #[serde(flatten)]
    pub lost: Lost,
}

/// What was deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Deleted {
    /// A file or a link.
    File,
    /// A folder.
    Folder,
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

    fn takes_folders(&self) -> bool {
        self.args.recursive == Some(true)
    }

    /// Every file that was there.
    fn changes(&self, began: &Began) -> Vec<CallFileChange> {
        began.pre_images.iter().map(CallFileChange::gone).collect()
    }

    fn facts(&self, _: &CallResult) -> Vec<Fact> {
        vec![Fact::at(FactKind::FileDeleted, &self.path)]
    }
}

pub(super) fn parse(args: Value) -> Result<Input, Failure> {
    let mut args: Args = typed(&TOOL, args)?;
    let path = named_path("path", &mut args.path)?;
    Ok(Input { args, path })
}
