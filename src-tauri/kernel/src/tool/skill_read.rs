//! `skill.read`: another file of a skill that is at work.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::built_in::{BuiltIn, EffectClass, Offer, Tool, schema_of};
use super::check::{canonical, invalid, refused, typed};
use super::output::CallResult;
use super::skill_activate::named;
use crate::code::{ErrorCode, Failure};
use crate::facts::Fact;
use crate::path::{AliasPath, Mount};
use crate::policy::ToolPolicy;
use crate::skill::SkillName;

/// What a model calls it, dotted.
pub const NAME: &str = "skill.read";

pub(super) const TOOL: Tool = Tool {
    name: NAME,
    description: "Read another file of a skill that is at work, whole or a window of lines.",
    class: EffectClass::Read,
    works_on_files: false,
    writes_one_file: false,
    offered: Offer::WithSkills,
    other_names: &[],
    runs_need: None,
    schema: schema_of::<Args>,
};

/// The arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// The skill.
    pub skill: String,
    /// The file, relative to the folder of the skill, e.g. `references/forms.md`.
    pub path: String,
    /// First line, 1-based.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub start_line: Option<u32>,
    /// Last line, inclusive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub end_line: Option<u32>,
}

/// What it says.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The skill.
    pub skill: SkillName,
    /// The file, relative to the folder of the skill.
    pub path: String,
    /// How many lines all of it has.
    pub total_lines: u64,
    /// The first line that is shown.
    pub start_line: u64,
    /// The last one.
    pub end_line: u64,
    /// Whether less is shown than was asked for.
    pub truncated: bool,
    /// The lines.
    pub content: String,
    /// How to read on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// A checked call.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// As the model wrote them.
    pub args: Args,
    /// The skill.
    pub skill: SkillName,
    /// The file below the skill's folder: `/`-separated, it cannot climb.
    pub file: String,
}

impl BuiltIn for Input {
    fn tool(&self) -> &'static Tool {
        &TOOL
    }

    /// The skill is not at work.
    fn not_for(&self, policy: &ToolPolicy) -> Option<Failure> {
        let works = policy.skills().working(&self.skill).is_some();
        let message = format!("the skill `{}` is not at work", self.skill);
        (!works).then(|| {
            Failure::for_model(ErrorCode::SkillNotFound, message)
                .with_action_for_model("Activate it first, with skill_activate.")
        })
    }

    fn args(&self) -> Value {
        canonical(&self.args)
    }

    fn looks_for(&self) -> Option<&str> {
        Some(&self.file)
    }

    fn facts(&self, _: &CallResult) -> Vec<Fact> {
        Vec::new()
    }
}

pub(super) fn parse(args: Value) -> Result<Input, Failure> {
    let args: Args = typed(&TOOL, args)?;
    let skill = named(&args.skill)?;
    // The rules of every path: below a skill's folder nothing climbs either.
    let path = AliasPath::new(Mount::Pkg, args.path.trim().trim_start_matches("./"));
    let path = path.map_err(|reason| refused("path", reason))?;
    let file = path.rel().to_owned();
    if file.is_empty() {
        return Err(invalid(&TOOL, "path: name a file of the skill"));
    }
    Ok(Input { args, skill, file })
}
