//! The skills of a conversation, as its policy has them.

use std::sync::Arc;

use super::{AllowedTools, LoadedSkill, OfferedSkill, SkillName};
use crate::ids::AgentId;

/// Which skills may be used in a conversation, and which are at work.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Skills {
    /// Those of the package, of all of its agents.
    pub of_package: Arc<[OfferedSkill]>,
    /// Who speaks: some of the package's are there for others alone.
    pub speaker: Option<AgentId>,
    /// Those of the project and of the person: of each name one.
    pub found: Arc<[OfferedSkill]>,
    /// Those at work, in the order in which they began.
    pub at_work: Vec<Arc<LoadedSkill>>,
}

impl Skills {
    /// Those that may be used, of each name one: a package knows its own.
    pub fn offered(&self) -> impl Iterator<Item = &OfferedSkill> {
        let hidden = |name: &SkillName| self.own().any(|skill| skill.name == *name);
        let found = self.found.iter().filter(move |skill| !hidden(&skill.name));
        self.own().chain(found)
    }

    /// Those of the package that are there for who speaks.
    fn own(&self) -> impl Iterator<Item = &OfferedSkill> {
        self.of_package.iter().filter(|skill| skill.is_for(self.speaker.as_ref()))
    }

    /// Whether a model is told of skills at all, or one is at work.
    pub fn concern_models(&self) -> bool {
        !self.at_work.is_empty() || self.offered().any(|skill| !skill.by_person_only)
    }

    /// The one of this name that may be used.
    pub fn named(&self, name: &SkillName) -> Option<&OfferedSkill> {
        let is_it = |skill: &&OfferedSkill| skill.name == *name;
        self.own().find(is_it).or_else(|| self.found.iter().find(is_it))
    }

    /// The one of this name that is at work.
    pub fn working(&self, name: &SkillName) -> Option<&LoadedSkill> {
        self.at_work.iter().find(|skill| skill.name == *name).map(AsRef::as_ref)
    }

    /// Whether a skill at work names tools: then there are no others that can be taken away.
    pub fn narrow(&self) -> bool {
        self.allowed().next().is_some()
    }

    /// Whether the skills at work leave a tool, of whose names this tells.
    pub fn leave(&self, is_named: impl Fn(&str) -> bool) -> bool {
        self.allowed().all(|allowed| allowed.names().any(&is_named))
    }

    fn allowed(&self) -> impl Iterator<Item = &AllowedTools> {
        self.at_work.iter().filter_map(|skill| skill.allowed.as_ref())
    }
}
