//! Which skills are at work, as events tell it, and that they end with whom they were activated for.

use std::sync::Arc;

use super::core::Core;
use crate::bounds::SKILLS_AT_WORK;
use crate::event::{Event, SkillEnded};
use crate::ids::AgentId;
use crate::mode::Mode;
use crate::package::Package;
use crate::skill::{SkillEnd, SkillName};

/// Who speaks: with somebody else the skills end.
pub(super) type SpeaksNow = (Mode, Option<AgentId>);

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

    /// The ends of the skills, when somebody else speaks than before.
    pub(super) fn ends_of_skills(
        &self,
        before: Option<SpeaksNow>,
        package: &Package,
    ) -> Vec<SkillEnded> {
        if before.is_none_or(|before| before == self.speaks(package)) {
            return Vec::new();
        }
        let end = |name: &SkillName| SkillEnded { name: name.clone(), why: SkillEnd::NewSpeaker };
        self.skills.iter().map(|skill| end(&skill.name)).collect()
    }

    fn speaks(&self, package: &Package) -> SpeaksNow {
        (self.mode.clone(), self.effective_agent(package).cloned())
    }
}
