//! `fs.move`: a file or a folder gets another path.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::built_in::{BuiltIn, EffectClass, Offer, Tool, schema_of};
use super::check::{canonical, named_path, typed};
use super::output::{CallResult, Lost};
use crate::changed_files::CallFileChange;
use crate::code::Failure;
use crate::facts::{Fact, FactKind};
use crate::path::AliasPath;
use crate::restore::{Began, PreImage};

/// What a model calls it, dotted.
pub const NAME: &str = "fs.move";

pub(super) const TOOL: Tool = Tool {
    name: NAME,
    description: "Move or rename a file or a folder below @project. Nothing is overwritten. Missing folders are made.",
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
#[serde(deny_unknown_fields)]
pub struct Args {
    /// File or folder to move or rename.
    pub from: String,
    /// Its new path, the name included; nothing may be there yet. Missing folders are made.
    pub to: String,
}

/// What it says.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Where it was.
    pub path: AliasPath,
    /// Where it is.
    pub to: AliasPath,
    /// What it is.
    pub moved: Moved,
    /// How many files a folder holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<usize>,
    /// SHA-256 of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Whether it is told from what the program found after it had died.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub recovered: bool,
    /// What cannot be brought back.
    #[serde(flatten)]
    pub lost: Lost,
}

/// What was moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Moved {
    /// A file or a link.
    File,
    /// A folder.
    Folder,
}

/// A checked call: the arguments and the two paths they name.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// As the model wrote them, paths without marks.
    pub args: Args,
    /// What is moved.
    pub from: AliasPath,
    /// Where it will be.
    pub to: AliasPath,
}

impl BuiltIn for Input {
    fn tool(&self) -> &'static Tool {
        &TOOL
    }

    fn args(&self) -> Value {
        canonical(&self.args)
    }

    fn path(&self) -> Option<&AliasPath> {
        Some(&self.from)
    }

    fn to(&self) -> Option<&AliasPath> {
        Some(&self.to)
    }

    fn takes_folders(&self) -> bool {
        true
    }

    /// Every file that is moved, at both places.
    fn changes(&self, began: &Began) -> Vec<CallFileChange> {
        let moved = |image: &PreImage| {
            let rest = image.path.rel().strip_prefix(self.from.rel()).unwrap_or_default();
            let rest = rest.trim_start_matches('/');
            let new = if rest.is_empty() { Some(self.to.clone()) } else { self.to.join(rest).ok() };
            let there = new.map(|path| CallFileChange {
                path,
                before: None,
                after: Some(image.sha256.clone()),
                from: Some(image.path.clone()),
            });
            [Some(CallFileChange::gone(image)), there]
        };
        began.pre_images.iter().flat_map(moved).flatten().collect()
    }

    fn facts(&self, result: &CallResult) -> Vec<Fact> {
        let (sha256, to) = (result.sha256.clone(), Some(self.to.clone()));
        vec![Fact { sha256, to, ..Fact::at(FactKind::FileMoved, &self.from) }]
    }
}

pub(super) fn parse(args: Value) -> Result<Input, Failure> {
    let mut args: Args = typed(&TOOL, args)?;
    let from = named_path("from", &mut args.from)?;
    let to = named_path("to", &mut args.to)?;
    Ok(Input { args, from, to })
}
