//! Skills as the shells show them.

use serde::{Deserialize, Serialize};

use crate::phrase::Phrase;
use crate::skill::{LoadedSkill, OfferedSkill, SkillName, SkillProblem};
use crate::tool::lacks;

/// The skills there are in one place of work.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SkillList {
    /// Whether the settings have them on.
    pub enabled: bool,
    /// Those that can be used, by their names.
    pub skills: Vec<SkillView>,
    /// Folders that are no skill that can be used.
    pub unusable: Vec<UnusableSkill>,
}

/// A skill that can be used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SkillView {
    /// What a model is told of it.
    #[serde(flatten)]
    pub skill: OfferedSkill,
    /// Where it lies, as people read it: `@project/.agents/skills/pdf`.
    pub place: String,
    /// What is wrong with it all the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub warning: Option<SkillProblem>,
}

/// A folder that is no skill that can be used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct UnusableSkill {
    /// Where it lies, as people read it.
    pub place: String,
    /// Why it cannot be used.
    pub problem: SkillProblem,
}

/// A skill at work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SkillAtWork {
    /// Its name.
    pub name: SkillName,
    /// Where it lies, as people read it.
    pub place: String,
    /// The names of the tools that are left while it is at work; all when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub allowed: Option<Vec<String>>,
    /// What of it does not work here.
    pub lacks: Vec<Phrase>,
}

impl From<&LoadedSkill> for SkillAtWork {
    fn from(skill: &LoadedSkill) -> Self {
        let names = skill.allowed.as_ref();
        Self {
            name: skill.name.clone(),
            place: skill.place.alias_of(&skill.name),
            allowed: names.map(|allowed| allowed.names().map(str::to_owned).collect()),
            lacks: lacks(skill),
        }
    }
}
