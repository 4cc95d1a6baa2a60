//! The skills of a conversation, for the person and for what a model is told.

use kernel::code::Failure;
use kernel::skill::{FoundSkill, LoadedSkill, OfferedSkill, SkillName, SkillPlace};
use std::sync::Arc;

use super::{ToolHost, results};
use crate::skills::{self, SkillPlaces};

impl ToolHost {
    /// The same with these places of skills.
    #[must_use]
    pub fn with_skills(self, skills: SkillPlaces) -> Self {
        Self { skills, ..self }
    }

    /// The skills of the project and of the person that can be used.
    pub(crate) fn offered_skills(&self) -> Arc<[OfferedSkill]> {
        skills::offered(&self.found_skills())
    }

    /// Those of them that a model is told of.
    pub(crate) fn skills_of_models(&self) -> Arc<[OfferedSkill]> {
        skills::of_models(&self.found_skills())
    }

    fn found_skills(&self) -> Vec<FoundSkill> {
        self.skills.find(&|text| results::shown(&self.private, text))
    }

    /// A skill as it is now.
    ///
    /// # Errors
    /// `SKILL_NOT_FOUND`, `SKILL_INVALID`.
    pub(crate) fn load_skill(
        &self,
        place: &SkillPlace,
        name: &SkillName,
    ) -> Result<LoadedSkill, Failure> {
        self.skills.load(place, name, &|text| results::shown(&self.private, text))
    }
}
