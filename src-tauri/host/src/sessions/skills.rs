//! Skills that the person lets be at work.

use kernel::code::{ErrorCode, Failure};
use kernel::engine::{Input, not_for_speaker};
use kernel::ids::ConversationId;
use kernel::phrase::skills as said;
use kernel::skill::{SkillName, Skills};
use std::sync::Arc;

use super::Sessions;
use crate::blocking::on_disk;

impl Sessions {
    /// Lets a skill be at work, unless it is.
    pub(super) async fn put_to_work(
        &self,
        conversation: &ConversationId,
        name: &SkillName,
    ) -> Result<(), Failure> {
        let wanted = name.clone();
        let is_at_work = self.read(conversation, move |engine| {
            Ok(engine.core().skills.iter().any(|skill| skill.name == wanted))
        });
        if is_at_work.await?.0 {
            return Ok(());
        }
        self.activate_skill(conversation, name.clone()).await
    }

    /// Reads a skill as it is now, and lets it be at work.
    pub(super) async fn activate_skill(
        &self,
        conversation: &ConversationId,
        name: SkillName,
    ) -> Result<(), Failure> {
        let (skills, tools) =
            self.read(conversation, |engine| Ok(engine.skills_with(Arc::default()))).await?;
        let all = Arc::clone(&tools);
        let found = on_disk(move || Ok(all.offered_skills())).await?;
        let skills = Skills { found, ..skills };
        let place = skills.named(&name).map(|skill| skill.place.clone());
        let place = place.ok_or_else(|| not_there(&skills, &name))?;
        let tools = Arc::clone(&tools);
        let skill = on_disk(move || tools.load_skill(&place, &name)).await?;
        self.ask(conversation, Input::ActivateSkill(Box::new(skill))).await
    }
}

/// Names that a failure lists.
const NAMED: usize = 20;

fn not_there(skills: &Skills, name: &SkillName) -> Failure {
    let names: Vec<&str> = skills.offered().map(|skill| skill.name.as_str()).take(NAMED).collect();
    let of_others = skills.of_package.iter().find(|skill| skill.name == *name);
    let none = || Failure::new(ErrorCode::SkillNotFound, said::no_skill_named(name));
    let failure = of_others.map_or_else(none, not_for_speaker);
    failure.with_action(match names.as_slice() {
        [] => said::no_skills_here(),
        names => said::choose_skill(names.join(", ")),
    })
}
