//! Skills: their text comes in by a call or by the person's wish, and the person ends them.

use std::sync::Arc;

use super::draft::LineDraft;
use super::input::{Refusal, refusal};
use super::machine::ExecutionEngine;
use crate::bounds::SKILLS_AT_WORK;
use crate::code::{ErrorCode, Failure};
use crate::event::{Author, Event, SkillActivated, SkillEnded};
use crate::ids::CallId;
use crate::phrase::skills as said;
use crate::skill::{LoadedSkill, OfferedSkill, SkillEnd, SkillName, Skills};

impl ExecutionEngine {
    /// The skills of the package and of whom the person talks with, beside those that were found.
    pub fn skills_with(&self, found: Arc<[OfferedSkill]>) -> Skills {
        let package = self.package();
        let of_package = Arc::clone(&package.skills);
        let speaker = self.core().effective_agent(package).cloned();
        Skills { of_package, speaker, found, at_work: Vec::new() }
    }
}

impl LineDraft<'_> {
    /// The person wants a skill to be at work.
    pub(super) fn choose_skill(&mut self, skill: &LoadedSkill) -> Result<(), Refusal> {
        self.must_rest()?;
        if !self.env().limits.tools.skills_enabled {
            let failure = Failure::new(ErrorCode::NotNow, said::skills_are_off());
            return Err(Refusal(failure.with_action(said::switch_skills_on())));
        }
        if self.engine.is_led() {
            let failure = Failure::new(ErrorCode::NotNow, said::skills_not_for_led());
            return Err(Refusal(failure.with_action(said::offer_all_tools())));
        }
        let speaker = self.core.effective_agent(self.package());
        let of_package = &self.package().skills;
        // Somebody else may speak since it was looked for.
        if let Some(other) =
            of_package.iter().find(|it| it.place == skill.place && !it.is_for(speaker))
        {
            return Err(Refusal(not_for_speaker(other)));
        }
        if self.core.has_room_for(&skill.name) {
            self.skill_came(skill.clone(), Author::User, None);
            return Ok(());
        }
        Err(Refusal(too_many()))
    }

    /// The person ends a skill.
    pub(super) fn end_skill(&mut self, name: &SkillName) -> Result<(), Refusal> {
        self.must_rest()?;
        if !self.core.skills.iter().any(|skill| skill.name == *name) {
            return Err(refusal(ErrorCode::SkillNotFound, said::skill_not_at_work(name)));
        }
        let (name, why) = (name.clone(), SkillEnd::ByPerson);
        self.push(Event::SkillEnded(SkillEnded { name, why }));
        Ok(())
    }

    /// Why a skill that a call brought in cannot be at work beside the others.
    pub(super) fn no_room_for(&self, skill: &LoadedSkill) -> Option<Failure> {
        (!self.core.has_room_for(&skill.name)).then(too_many)
    }

    /// A skill is at work from now on.
    pub(super) fn skill_came(&mut self, skill: LoadedSkill, by: Author, call_id: Option<CallId>) {
        self.push(Event::SkillActivated(Box::new(SkillActivated { skill, by, call_id })));
    }
}

/// A skill of the package that is there for others than who speaks.
pub fn not_for_speaker(skill: &OfferedSkill) -> Failure {
    let agents = skill.agents().unwrap_or_default();
    Failure::new(ErrorCode::SkillNotFound, said::skill_of_others(&skill.name, agents))
}

fn too_many() -> Failure {
    Failure::new(ErrorCode::NotNow, said::too_many_skills(SKILLS_AT_WORK))
        .with_action(said::end_a_skill())
}
