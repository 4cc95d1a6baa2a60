//! A skill before it is used, in use, and at its end.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

use super::{AllowedTools, SkillName, SkillPlace, SkillRoot};
use crate::ids::AgentId;
use crate::phrase::Phrase;

/// A skill that may be used: what a model is told of it before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct OfferedSkill {
    /// Its name.
    pub name: SkillName,
    /// Where it lies.
    #[serde(flatten)]
    pub place: SkillPlace,
    /// What it is for and when to use it, on one line.
    pub description: String,
    /// Whether the model is not told of it: only the person activates it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_person_only: bool,
    /// The agents of the package that import it; it is there for all when there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<AgentId>>"))]
    pub only_for: Vec<AgentId>,
    /// Whether scripts belong to it. They are never run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_scripts: bool,
}

impl OfferedSkill {
    /// Whether it is there while this agent speaks.
    pub fn is_for(&self, agent: Option<&AgentId>) -> bool {
        self.only_for.is_empty() || agent.is_some_and(|agent| self.only_for.contains(agent))
    }

    /// The agents that it is there for, as people read them; nothing when it is there for all.
    pub fn agents(&self) -> Option<String> {
        let ids: Vec<&str> = self.only_for.iter().map(AgentId::as_str).collect();
        (!ids.is_empty()).then(|| ids.join(", "))
    }
}

/// A skill whose text came in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LoadedSkill {
    /// Its name.
    pub name: SkillName,
    /// Where it lies.
    #[serde(flatten)]
    pub place: SkillPlace,
    /// What it says to do, without front matter, real paths and keys.
    pub text: Arc<str>,
    /// SHA-256 of `SKILL.md`, lower-case hex.
    pub sha256: String,
    /// The tools that it names; all when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed: Option<AllowedTools>,
    /// Its other files, relative to its folder and in order, the first of them when there are many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// How many more there are.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_files: u32,
    /// Those of its files that are scripts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scripts: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Why a skill is at work no longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkillEnd {
    /// The person ended it.
    ByPerson,
    /// Somebody else speaks.
    NewSpeaker,
    /// The settings have skills off.
    SwitchedOff,
    /// For a reason that only a newer program knows.
    #[serde(other)]
    Unrecognised,
}

/// Why a folder is no skill that can be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SkillProblem {
    /// What is wrong.
    pub said: Phrase,
    /// What to do.
    pub advice: Phrase,
}

/// A folder that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundSkill {
    /// Where it lies.
    pub root: SkillRoot,
    /// The name of the folder.
    pub folder: String,
    /// The skill in it, or why there is none.
    pub skill: Result<OfferedSkill, SkillProblem>,
    /// What is wrong with a skill that can be used all the same.
    pub warning: Option<SkillProblem>,
}
