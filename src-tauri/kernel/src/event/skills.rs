//! Skills that begin and end to be at work.

use serde::{Deserialize, Serialize};

use super::Author;
use crate::ids::CallId;
use crate::phrase::{Phrase, skills as said};
use crate::skill::{LoadedSkill, SkillEnd, SkillName};
use crate::tool::lacks;

/// See [`Event::SkillActivated`](super::Event::SkillActivated).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SkillActivated {
    /// The skill, as it was then.
    pub skill: LoadedSkill,
    /// Who wanted it: the model or the person.
    pub by: Author,
    /// Through which call, of a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<CallId>,
}

impl SkillActivated {
    /// In words, and what of it does not work here.
    pub fn said(&self) -> Vec<Phrase> {
        let (name, place) = (&self.skill.name, self.skill.place.alias_above());
        let begins = match self.by {
            Author::User => said::skill_begins_by_you(name, place),
            Author::Model | Author::Runtime => said::skill_begins(name, place),
        };
        let names = self.skill.allowed.as_ref().map(|it| it.names().collect::<Vec<_>>().join(", "));
        let narrows = names.map(said::skill_narrows);
        std::iter::once(begins).chain(narrows).chain(lacks(&self.skill)).collect()
    }
}

/// See [`Event::SkillEnded`](super::Event::SkillEnded).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SkillEnded {
    /// The skill.
    pub name: SkillName,
    /// Why it ended.
    pub why: SkillEnd,
}

impl SkillEnded {
    /// In words.
    pub fn said(&self) -> Phrase {
        match self.why {
            SkillEnd::ByPerson => said::skill_ends_by_you(&self.name),
            SkillEnd::NewSpeaker => said::skill_ends_with_speaker(&self.name),
            SkillEnd::SwitchedOff => said::skill_ends_with_switch(&self.name),
            SkillEnd::Unrecognised => said::skill_ends(&self.name),
        }
    }
}
