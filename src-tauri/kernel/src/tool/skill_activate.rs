//! `skill.activate`: the text of a skill comes in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::built_in::{BuiltIn, EffectClass, Offer, Tool, schema_of};
use super::check::{canonical, typed};
use super::output::CallResult;
use crate::code::{ErrorCode, Failure};
use crate::facts::Fact;
use crate::phrase::{Phrase, skills as said};
use crate::policy::ToolPolicy;
use crate::skill::{LoadedSkill, SkillName};
use crate::text::ellipsis;

/// What a model calls it, dotted.
pub const NAME: &str = "skill.activate";

pub(super) const TOOL: Tool = Tool {
    name: NAME,
    description: "Activate a skill by its name: what it says to do is in the system messages from then on.",
    class: EffectClass::Read,
    works_on_files: false,
    writes_one_file: false,
    offered: Offer::WithSkills,
    other_names: &["Skill"],
    runs_need: None,
    schema: schema_of::<Args>,
};

/// The arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The skill, as the list of skills names it.
    pub name: String,
}

/// What it says.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The skill.
    pub skill: SkillName,
    /// Where its text stands.
    pub text: &'static str,
    /// Its other files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// How many more there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more_files: Option<u32>,
    /// That its scripts are not run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_here: Vec<String>,
}

impl Output {
    /// Of a skill whose text came in.
    pub fn of(skill: &LoadedSkill) -> Self {
        Self {
            skill: skill.name.clone(),
            text: "It stands in the system messages of the next request.",
            files: skill.files.clone(),
            more_files: (skill.more_files > 0).then_some(skill.more_files),
            not_here: scripts_of(skill).iter().map(Phrase::english).collect(),
        }
    }
}

/// That the scripts of a skill are not run, in words.
pub(super) fn scripts_of(skill: &LoadedSkill) -> Option<Phrase> {
    let first = skill.scripts.first()?;
    Some(match skill.scripts.len() {
        1 => said::has_script(first),
        more => said::has_scripts(first, more - 1),
    })
}

/// A checked call.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    args: Args,
    /// The skill.
    pub name: SkillName,
}

impl BuiltIn for Input {
    fn tool(&self) -> &'static Tool {
        &TOOL
    }

    /// There is none of that name, or it is the person's to activate.
    fn not_for(&self, policy: &ToolPolicy) -> Option<Failure> {
        let known = policy.skills().named(&self.name).filter(|skill| !skill.by_person_only);
        known.is_none().then(|| none_named(self.name.as_str()))
    }

    fn args(&self) -> Value {
        canonical(&self.args)
    }

    fn facts(&self, _: &CallResult) -> Vec<Fact> {
        Vec::new()
    }
}

pub(super) fn parse(args: Value) -> Result<Input, Failure> {
    let args: Args = typed(&TOOL, args)?;
    let name = named(&args.name)?;
    Ok(Input { args, name })
}

/// The name of a skill as a model writes it.
pub(super) fn named(name: &str) -> Result<SkillName, Failure> {
    SkillName::new(name.trim()).map_err(|_| none_named(&ellipsis(name, SHOWN_BYTES)))
}

/// Bytes of a name that is none in a message.
const SHOWN_BYTES: usize = 80;

fn none_named(name: &str) -> Failure {
    let message = format!("there is no skill `{name}`");
    Failure::for_model(ErrorCode::SkillNotFound, message)
        .with_action_for_model("Use a name of the list of skills.")
}
