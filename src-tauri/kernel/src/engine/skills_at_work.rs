//! Which skills are at work, as events tell it, and that they end with whom they were activated for.

use std::sync::Arc;

use super::core::Core;
use crate::bounds::SKILLS_AT_WORK;
use crate::event::{Event, SkillEnded};
use crate::ids::{AgentId, RunId};
use crate::limits::Limits;
use crate::mode::Mode;
use crate::package::Package;
use crate::skill::{LoadedSkill, SkillEnd, SkillName};

/// Who speaks, and in which run: with somebody else the skills end.
pub(super) type SpeaksNow = (Mode, Option<AgentId>, Option<RunId>);

impl Core {
    /// Whether one more skill can be at work, or this one anew.
    pub(super) fn has_room_for(&self, name: &SkillName) -> bool {
        let others = self.skills.iter().filter(|skill| skill.name != *name);
        others.count() < SKILLS_AT_WORK
    }

    /// Folds what an event means for skills.
    pub(super) fn apply_to_skills(&mut self, event: &Event) {
        match event {
            Event::SkillActivated(e) => {
                self.skills.retain(|skill| skill.name != e.skill.name);
                self.skills.push(Arc::new(e.skill.clone()));
            }
            Event::SkillEnded(e) => self.skills.retain(|skill| skill.name != e.name),
            _ => {}
        }
    }

    /// Who speaks now, while skills are at work.
    pub(super) fn speaks_with_skills(&self, package: &Package) -> Option<SpeaksNow> {
        (!self.skills.is_empty()).then(|| self.speaks(package))
    }

    /// The ends of the skills, when somebody else speaks than before, or they are switched off.
    pub(super) fn ends_of_skills(
        &self,
        before: Option<SpeaksNow>,
        package: &Package,
        limits: &Limits,
    ) -> Vec<SkillEnded> {
        let Some(before) = before else { return Vec::new() };
        let why = if !limits.tools.skills_enabled {
            SkillEnd::SwitchedOff
        } else if before != self.speaks(package) {
            SkillEnd::NewSpeaker
        } else {
            return Vec::new();
        };
        self.skills.iter().map(|skill| SkillEnded { name: skill.name.clone(), why }).collect()
    }

    /// Whether exactly this text is at work.
    pub(super) fn has_at_work(&self, skill: &LoadedSkill) -> bool {
        self.skills.iter().any(|known| known.name == skill.name && known.sha256 == skill.sha256)
    }

    fn speaks(&self, package: &Package) -> SpeaksNow {
        let run = self.run.as_ref().map(|run| run.run_id.clone());
        (self.mode.clone(), self.effective_agent(package).cloned(), run)
    }
}
