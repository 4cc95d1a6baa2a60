//! `fs.search`: texts in the files below a folder.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::built_in::{AtPath, BuiltIn, EffectClass, Offer, Tool, schema_of};
use super::check::{canonical, invalid, named_path, typed};
use super::output::CallResult;
use crate::bounds;
use crate::code::Failure;
use crate::facts::{Fact, FactKind};
use crate::path::AliasPath;

/// What a model calls it, dotted.
pub const NAME: &str = "fs.search";

pub(super) const TOOL: Tool = Tool {
    name: NAME,
    description: "Find text below a folder, with lines of context. Honours .gitignore.",
    class: EffectClass::Read,
    works_on_files: true,
    writes_one_file: false,
    offered: Offer::Anywhere,
    other_names: &["Grep"],
    runs_need: None,
    schema: schema_of::<Args>,
};

/// The arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Folder or file to search in.
    pub path: String,
    /// Text to find; a regular expression when `regex` is true.
    #[serde(alias = "query")]
    pub pattern: String,
    /// Default false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regex: Option<bool>,
    /// Only files whose path matches one of these globs, e.g. `**/*.md`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub globs: Option<Vec<String>>,
    /// Lines of context before. Default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = bounds::MATCH_CONTEXT))]
    pub before: Option<u32>,
    /// Lines of context after. Default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = bounds::MATCH_CONTEXT))]
    pub after: Option<u32>,
    /// Stop after this many matches. Default 50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = bounds::MATCHES))]
    pub max_matches: Option<u32>,
}

/// What it says.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// Where it was searched.
    pub path: AliasPath,
    /// The lines that match, by path and line.
    pub matches: Vec<Match>,
    /// How much was searched.
    pub stats: Stats,
    /// Whether there is more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// One line that matches.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Match {
    /// In which file.
    pub path: AliasPath,
    /// The number of the line, from 1.
    pub line: u64,
    /// The character where the match begins, from 1.
    pub column: u64,
    /// The line.
    pub text: String,
    /// The lines before it.
    pub before: Vec<String>,
    /// The lines after it.
    pub after: Vec<String>,
}

/// How much was searched.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Stats {
    /// Files that were looked through.
    pub files_scanned: u64,
    /// Files that were left out.
    pub files_skipped: u64,
    /// Lines that match, as far as they are told.
    pub matches_found: usize,
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

    fn looks_for(&self) -> Option<&str> {
        Some(&self.args.pattern)
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
    check_globs(args.globs.as_deref().unwrap_or_default())?;
    let path = named_path("path", &mut args.path)?;
    Ok(Input { args, path })
}

/// Globs that no library has to suffer.
fn check_globs(globs: &[String]) -> Result<(), Failure> {
    let refused = |message: String| Err(invalid(&TOOL, &format!("globs: {message}")));
    if globs.len() > bounds::GLOBS {
        return refused(format!("{} of them; send at most {}", globs.len(), bounds::GLOBS));
    }
    match globs.iter().find_map(|glob| bounds::check_glob(glob).err()) {
        Some(why) => refused(format!("{why}; send several simple ones")),
        None => Ok(()),
    }
}
